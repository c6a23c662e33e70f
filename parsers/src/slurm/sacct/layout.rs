use super::align::{align, fits, split};
use crate::slurm::collected::collected_names;
use crate::slurm::columns::{ContentPattern, ROLES, Role, SacctColumn, TRAILING, UNKNOWN, column};
use crate::slurm::delimiter::Delimiter;

/// The columns of a log, in order.
#[derive(Clone, Debug)]
pub(super) struct SacctColumns {
    pub(super) columns: Vec<&'static SacctColumn>,
    pub(super) names: Vec<String>,
    pub(super) delimiter: Delimiter,
    /// Position of each role; `u16::MAX` if it is missing.
    at: [u16; ROLES],
    /// The number of columns up to the first free text; their positions are certain counted from the left.
    pub(super) head: usize,
}

/// Column orders of logs without a heading: those that Open `XDMoD` documented for collection, the newest
/// first (versions 9 to 11, 7 and 8, 6.5, 6).
const KNOWN: [&str; 4] = [
    "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,\
     state,nnodes,ncpus,reqcpus,reqmem,reqtres,alloctres,timelimit,nodelist,jobname",
    "jobid,jobidraw,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,state,\
     nnodes,ncpus,reqcpus,reqmem,reqgres,reqtres,timelimit,nodelist,jobname",
    "jobid,jobidraw,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,state,\
     nnodes,ncpus,reqcpus,reqmem,reqgres,timelimit,nodelist,jobname",
    "jobid,jobidraw,cluster,partition,account,group,gid,user,uid,submit,eligible,start,end,elapsed,exitcode,state,\
     nnodes,ncpus,reqcpus,reqmem,timelimit,nodelist,jobname",
];

impl SacctColumns {
    fn of<'n>(names: impl Iterator<Item = &'n [u8]>, delimiter: Delimiter) -> SacctColumns {
        let names: Vec<&[u8]> = names.map(<[u8]>::trim_ascii).collect();
        let last = names.len().saturating_sub(1);
        let columns: Vec<&'static SacctColumn> = (names.iter().enumerate())
            .map(|(at, name)| match column(name) {
                None if at == last && name.is_empty() => &TRAILING,
                known => known.unwrap_or(&UNKNOWN),
            })
            .collect();
        let mut at = [u16::MAX; ROLES];
        for (place, column) in columns.iter().enumerate() {
            // A column that was requested twice is used once.
            if column.role != Role::Unused && at[column.role as usize] == u16::MAX {
                at[column.role as usize] = place as u16;
            }
        }
        let head =
            columns.iter().position(|column| column.shape == ContentPattern::Free).unwrap_or(columns.len());
        let names = names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        SacctColumns { columns, names, delimiter, at, head }
    }

    /// Returns the layout that a heading describes; `None` if the line is not a heading.
    pub(super) fn heading(line: &[u8]) -> Option<SacctColumns> {
        // Headings are short and begin with a word.
        let likely = line.len() < 8192 && line.first().is_some_and(u8::is_ascii_alphabetic);
        let delimiter = Delimiter::of_heading(line).filter(|_| likely)?;
        let names: Vec<&[u8]> = delimiter.split(line).collect();
        let layout = SacctColumns::of(names.iter().copied(), delimiter.clone());
        let known = names.iter().filter(|name| column(name.trim_ascii()).is_some()).count();
        let filled = names.iter().filter(|name| !name.trim_ascii().is_empty()).count();
        (layout.numbered() && known * 2 > filled).then_some(layout)
    }

    /// Returns the layout of columns that the user named, separated by commas.
    pub(super) fn named(names: &str) -> Result<SacctColumns, String> {
        let layout = SacctColumns::of(names.split([',', '|']).map(str::as_bytes), Delimiter::default());
        if let Some(name) = layout.unknown().next() {
            return Err(format!(
                "--log-columns: `{name}` is not a column of sacct; sacct --helpformat lists them"
            ));
        }
        layout.unusable().map_or(Ok(layout), Err)
    }

    /// Returns the known order of columns that a line without a heading has.
    pub(super) fn by_content(line: &[u8]) -> Option<SacctColumns> {
        if !line.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let bars = line.contains(&b'|').then(Delimiter::default);
        let delimiter = bars.or_else(|| Delimiter::of_row(line))?;
        let mut cells = Vec::new();
        split(line, &delimiter, &mut cells);
        KNOWN.iter().find_map(|names| {
            let names = names.split(',').map(str::as_bytes);
            // With `-p`, an empty text follows the last separator.
            let trailing = line.ends_with(delimiter.bytes()).then_some(&b""[..]);
            let layout = SacctColumns::of(names.chain(trailing), delimiter.clone());
            let mut cells = cells.clone();
            align(&layout.columns, line, &mut cells)?;
            fits(&layout.columns, line, &cells, ContentPattern::holds).then_some(layout)
        })
    }

    /// Takes the separator from the first row of a log whose columns the user named.
    pub(super) fn separate(&mut self, row: &[u8]) {
        let enough = |delimiter: &Delimiter| delimiter.split(row).count() >= self.columns.len();
        if let Some(delimiter) = Delimiter::of_row(row).filter(|found| !row.contains(&b'|') && enough(found))
        {
            self.delimiter = delimiter;
        }
    }

    #[inline]
    pub(super) fn place(&self, role: Role) -> Option<usize> {
        let at = self.at[role as usize];
        (at != u16::MAX).then_some(usize::from(at))
    }

    pub(super) fn unknown(&self) -> impl Iterator<Item = &str> {
        let both = self.columns.iter().zip(&self.names);
        both.filter(|(column, _)| ***column == UNKNOWN).map(|(_, name)| name.as_str())
    }

    /// Returns the reason why no jobs can be read from these columns, if there is one.
    pub(super) fn unusable(&self) -> Option<String> {
        let advice = format!("write the log with sacct -P -o {}", collected_names());
        let timed = [Role::Submit, Role::Start, Role::End].iter().any(|&role| self.place(role).is_some());
        if let Some(why) = self.delimiter.conflict(self.names.iter().map(String::as_str)) {
            return Some(format!("{why}; {advice}"));
        }
        match (self.numbered(), timed) {
            (true, true) => None,
            (false, _) => Some(format!("there is no column JobID; {advice}")),
            (_, false) => Some(format!("none of the columns Submit, Start and End is there; {advice}")),
        }
    }

    fn numbered(&self) -> bool {
        self.place(Role::JobId).or(self.place(Role::JobIdRaw)).is_some()
    }
}

pub(super) fn fixed_width(line: &[u8]) -> bool {
    let words = || line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let known = words().filter(|word| column(word).is_some()).count();
    known >= 2 && known == words().count() && words().any(|word| word.starts_with(b"JobID"))
}

impl ContentPattern {
    /// Whether a cell begins like a value of this shape.
    #[inline]
    pub(super) fn seems(self, cell: &[u8]) -> bool {
        let Some(&first) = cell.first() else { return self != ContentPattern::JobId };
        match self {
            ContentPattern::Free | ContentPattern::Word => true,
            ContentPattern::Empty => false,
            ContentPattern::JobId | ContentPattern::ExitCode => first.is_ascii_digit(),
            ContentPattern::Count => first.is_ascii_digit() || first == b'-' || first == b'U',
            ContentPattern::Instant => first.is_ascii_digit() || matches!(first, b'N' | b'U'),
            ContentPattern::Length => first.is_ascii_digit() || matches!(first, b'U' | b'P' | b'I' | b'-'),
            ContentPattern::Amount => first.is_ascii_digit() || matches!(first, b'?' | b'U' | b'-'),
            ContentPattern::Tres => first.is_ascii_lowercase(),
            ContentPattern::State => first.is_ascii_uppercase() || first == b'?',
        }
    }

    /// Whether a cell has this shape to its end, or is empty.
    pub(super) fn holds(self, cell: &[u8]) -> bool {
        use crate::slurm::{jobid, values};
        let only = |allowed: &[u8]| cell.iter().all(|byte| byte.is_ascii_digit() || allowed.contains(byte));
        self.seems(cell)
            && match self {
                ContentPattern::Free | ContentPattern::Word | ContentPattern::Empty => true,
                ContentPattern::JobId => jobid::job_id(cell).is_some(),
                ContentPattern::ExitCode => only(b":-"),
                ContentPattern::Count => values::count(cell).is_ok() || only(b"-"),
                ContentPattern::Instant => values::instant(cell).is_ok(),
                ContentPattern::Length => values::limit(cell).is_ok() || values::length(cell).is_ok(),
                ContentPattern::Amount => values::memory(cell).is_ok() || only(b".KMGTPUnkow"),
                ContentPattern::Tres => cell.is_empty() || cell.contains(&b'='),
                ContentPattern::State => {
                    cell.iter().all(|byte| byte.is_ascii_alphanumeric() || b" _+?".contains(byte))
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_distinguished_from_rows_and_other_formats() {
        for heading in ["JobID|Submit|Start|End", "jobid|submit|frobnicate|", "Account|AdminComment|JobIDRaw"]
        {
            assert!(SacctColumns::heading(heading.as_bytes()).is_some(), "{heading}");
        }
        for no in ["job_id|start_time|end_time", "12|2024-01-01T00:00:00", "User|Start", "JobID Submit", ""] {
            assert!(SacctColumns::heading(no.as_bytes()).is_none(), "{no}");
        }
        assert!(fixed_width(b"       JobID    JobName  Partition "));
        assert!(!fixed_width(b"JobID of the first"));
    }

    #[test]
    fn columns_may_be_named_and_must_make_jobs() {
        assert_eq!(SacctColumns::named("JobID, submit").unwrap().place(Role::Submit), Some(1));
        assert!(SacctColumns::named("JobID,Submitted").unwrap_err().contains("`Submitted` is not a column"));
        assert!(SacctColumns::named("JobID,State").unwrap_err().contains("none of the columns Submit"));
        assert!(SacctColumns::named("Start,End").unwrap_err().contains("no column JobID"));
    }
}
