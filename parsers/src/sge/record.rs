//! The fields of a record, separated by colons, which names and requests may also contain.

use batchlab_traces::notation::{number, whole};

use std::ops::Range;

pub(super) mod field {
    pub(in crate::sge) const QUEUE: usize = 0;
    pub(in crate::sge) const GROUP: usize = 2;
    pub(in crate::sge) const OWNER: usize = 3;
    pub(in crate::sge) const NAME: usize = 4;
    pub(in crate::sge) const NUMBER: usize = 5;
    pub(in crate::sge) const ACCOUNT: usize = 6;
    pub(in crate::sge) const SUBMIT: usize = 8;
    pub(in crate::sge) const START: usize = 9;
    pub(in crate::sge) const END: usize = 10;
    pub(in crate::sge) const FAILED: usize = 11;
    pub(in crate::sge) const EXIT_STATUS: usize = 12;
    pub(in crate::sge) const WALLCLOCK: usize = 13;
    pub(in crate::sge) const PROJECT: usize = 31;
    pub(in crate::sge) const SLOTS: usize = 34;
    pub(in crate::sge) const TASK: usize = 35;
    pub(in crate::sge) const CPU: usize = 36;
    pub(in crate::sge) const CATEGORY: usize = 39;
    pub(in crate::sge) const IO_WAIT: usize = 40;
    pub(in crate::sge) const PARALLEL_TASK: usize = 41;
    pub(in crate::sge) const MAX_VIRTUAL: usize = 42;
    /// Univa: the user who deleted the job.
    pub(in crate::sge) const DELETED_BY: usize = 46;
    /// Univa: resident memory, bytes.
    pub(in crate::sge) const MAX_RESIDENT: usize = 47;
}

/// The least number of fields of a whole record.
pub(super) const LEAST: usize = field::MAX_VIRTUAL + 1;

pub(super) const NAMES: [(&str, &str); 49] = [
    ("qname", "queue"),
    ("hostname", "not used"),
    ("group", "group"),
    ("owner", "user"),
    ("job_name", "application"),
    ("job_number", "job number; array, of a task of an array"),
    ("account", "not used"),
    ("priority", "not used"),
    ("submission_time", "submit time"),
    ("start_time", "start"),
    ("end_time", "end"),
    ("failed", "status"),
    ("exit_status", "status"),
    ("ru_wallclock", "start, if the record has none"),
    ("ru_utime", "not used"),
    ("ru_stime", "not used"),
    ("ru_maxrss", "not used"),
    ("ru_ixrss", "not used"),
    ("ru_ismrss", "not used"),
    ("ru_idrss", "not used"),
    ("ru_isrss", "not used"),
    ("ru_minflt", "not used"),
    ("ru_majflt", "not used"),
    ("ru_nswap", "not used"),
    ("ru_inblock", "not used"),
    ("ru_oublock", "not used"),
    ("ru_msgsnd", "not used"),
    ("ru_msgrcv", "not used"),
    ("ru_nsignals", "not used"),
    ("ru_nvcsw", "not used"),
    ("ru_nivcsw", "not used"),
    ("project", "group, if there is no group"),
    ("department", "not used"),
    ("granted_pe", "not used"),
    ("slots", "allocated processors"),
    ("task_number", "array_task, of a task of an array"),
    ("cpu", "CPU time"),
    ("mem", "not used"),
    ("io", "not used"),
    ("category", "requested processors, time, memory, gpu"),
    ("iow", "not used"),
    ("pe_taskid", "whether it is a job"),
    ("maxvmem", "used memory, if there is no maxrss"),
    ("arid", "not used"),
    ("ar_submission_time", "not used"),
    ("job_class", "not used"),
    ("deleted_by", "status"),
    ("maxrss", "used memory"),
    ("maxpss", "not used"),
];

/// The most colons that are accepted within a name.
const MOST_COLONS: usize = 50;

/// The lowest epoch second accepted as a submit time; no logged job is older.
const EARLIEST: i64 = 100_000_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    ranges: Vec<Range<usize>>,
    /// Buffer for the parts between colons, reused.
    parts: Vec<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// Field by field.
    Plain,
    /// Some fields contain colons.
    Joined,
    /// The line is not a record.
    None,
}

impl Fields {
    /// Locates the fields of a line. Linear time.
    pub(super) fn split(&mut self, line: &[u8]) -> Split {
        self.ranges.clear();
        self.parts.clear();
        let mut from = 0;
        for at in memchr::memchr_iter(b':', line).chain([line.len()]) {
            self.parts.push(from..at);
            from = at + 1;
        }
        let Some((name_end, account_end)) = self.names(line) else { return Split::None };
        let parts = &self.parts;
        self.ranges.extend_from_slice(&parts[..field::NAME]);
        self.ranges.push(joined(&parts[field::NAME..name_end]));
        self.ranges.push(parts[name_end].clone());
        self.ranges.push(joined(&parts[name_end + 1..account_end]));
        let before_category = (account_end + field::CATEGORY - field::ACCOUNT - 1).min(parts.len());
        self.ranges.extend_from_slice(&parts[account_end..before_category]);
        let category_end = category_end(line, parts, before_category);
        if before_category < category_end {
            self.ranges.push(joined(&parts[before_category..category_end]));
            self.ranges.extend_from_slice(&parts[category_end..]);
        }
        if self.ranges.len() == self.parts.len() { Split::Plain } else { Split::Joined }
    }

    /// Returns a field; empty if it is missing or `NONE`.
    pub(super) fn get<'a>(&self, line: &'a [u8], field: usize) -> &'a [u8] {
        let text = self.ranges.get(field).map_or(&b""[..], |range| &line[range.clone()]);
        if text == b"NONE" { b"" } else { text }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns the ends of job name and account: a number follows the name; the priority and three times follow the account. If
    /// several places fit, names have the fewest colons; if a time cannot be read, fields are counted.
    fn names(&self, line: &[u8]) -> Option<(usize, usize)> {
        let number = |at: usize| self.parts.get(at).and_then(|part| whole(&line[part.clone()]));
        let is_whole = |at: usize| number(at).is_some();
        let most = self.parts.len().min(field::NUMBER + MOST_COLONS);
        let are_times = |&at: &usize| {
            is_whole(at)
                && number(at + 1).is_some_and(|submit| submit >= EARLIEST)
                && is_whole(at + 2)
                && is_whole(at + 3)
        };
        match (field::ACCOUNT + 1..most).find(are_times) {
            Some(account_end) => {
                let name_end = (field::NUMBER..account_end - 1).rev().find(|&at| is_whole(at))?;
                Some((name_end, account_end))
            }
            None => (self.parts.len() >= LEAST && is_whole(field::NUMBER))
                .then_some((field::NUMBER, field::ACCOUNT + 1)),
        }
    }
}

/// Returns the range from the first part to the last, including the colons between them.
fn joined(parts: &[Range<usize>]) -> Range<usize> {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return 0..0 };
    first.start..last.end
}

/// Returns the end of the category: a number with decimals (`iow`) follows, and another number two fields on
/// (`maxvmem`). If nothing fits, the category is one field.
fn category_end(line: &[u8], parts: &[Range<usize>], category: usize) -> usize {
    let text = |at: usize| parts.get(at).map_or(&b""[..], |part| &line[part.clone()]);
    let ends = |&at: &usize| {
        text(at).contains(&b'.')
            && number(text(at)).is_some()
            && number(text(at + field::MAX_VIRTUAL - field::IO_WAIT)).is_some()
    };
    let plain = (category + 1).min(parts.len());
    (plain..parts.len()).find(ends).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const USAGE: &str = "60:60.05:0.08:1.0:0:0:0:0:1:0:0:0.0:24:0:0:0:41:549";

    fn record(name: &str, account: &str, category: &str) -> String {
        format!(
            "q:h:g:o:{name}:7:{account}:0:1310761621:1311095354:1311095414:0:0:{USAGE}:P:D:mpi:4:0:60.1:7.3:0.0:\
             {category}:0.000000:NONE:189153280.000000:0:0"
        )
    }

    /// The way a line splits, with its name, number, account, slots, category and virtual memory.
    fn seen(line: &str) -> (Split, Vec<String>) {
        let mut fields = Fields::default();
        let split = fields.split(line.as_bytes());
        let each =
            [field::NAME, field::NUMBER, field::ACCOUNT, field::SLOTS, field::CATEGORY, field::MAX_VIRTUAL];
        let text = |at| String::from_utf8(fields.get(line.as_bytes(), at).to_vec()).unwrap();
        (split, each.map(text).to_vec())
    }

    #[test]
    fn fields_are_found_by_the_numbers_between_them() {
        let plain = ["relax", "7", "sge", "4", "-l h_rt=60", "189153280.000000"];
        assert_eq!(
            seen(&record("relax", "sge", "-l h_rt=60")),
            (Split::Plain, plain.map(String::from).to_vec())
        );
        let odd = ["a:b:c", "7", "x:y", "4", "-l h_rt=1:00:00 -pe mpi 4", "189153280.000000"];
        let line = record("a:b:c", "x:y", "-l h_rt=1:00:00 -pe mpi 4");
        assert_eq!(seen(&line), (Split::Joined, odd.map(String::from).to_vec()));
        assert_eq!(seen(&record("NONE", "sge", "NONE")).1[4], "");
    }

    #[test]
    fn a_cut_record_has_the_fields_before_the_cut() {
        let line = record("relax", "sge", "-l h_rt=60");
        let (split, fields) = seen(&line[..line.find(":P:").unwrap()]);
        assert_eq!((split, fields[1].as_str(), fields[3].as_str()), (Split::Plain, "7", ""));
        for no in ["", "::::::::::::::", "a:b:c:d:e:f:g:h:i:j:k:l:m", "1:2:3"] {
            assert_eq!(seen(no).0, Split::None, "{no}");
        }
    }
}
