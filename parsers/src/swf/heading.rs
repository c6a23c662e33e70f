//! Writes the header: unchanged lines as they were read, changed fields from their values.

use batchlab_traces::{Findings, Header};

use crate::swf::comments::{Comments, Owner};
use crate::swf::keys::HeaderField;

/// Returns the comment lines of a header: as they were read, except the lines of changed fields, which get the new values. A header
/// without lines is printed from its values, in the order of the format.
pub(super) fn lines(header: &Header) -> Vec<String> {
    let mut comments = Comments::default();
    let (mut ignored, file) = (Findings::lenient(), "".into());
    let mut owners = Vec::new();
    for line in &header.lines {
        // Lenient findings never refuse.
        let _ = comments.line(0, line.clone(), &file, &mut ignored);
        owners.push(comments.owner());
    }
    let _ = comments.settle(&file, &mut ignored);
    let said = comments.into_header();
    let mut printed = Vec::new();
    let mut fresh = changed(header, &said);
    for (line, owner) in header.lines.iter().zip(owners) {
        match fresh.iter_mut().find(|(changed, _)| owner == *changed) {
            Some((_, renewed)) => printed.append(renewed),
            None => printed.push(line.clone()),
        }
    }
    printed.extend(fresh.into_iter().flat_map(|(_, renewed)| renewed));
    printed
}

/// Returns the fields in which a header differs from its lines, with new lines for each.
fn changed(header: &Header, said: &Header) -> Vec<(Owner, Vec<String>)> {
    let mut fresh = Vec::new();
    for &key in HeaderField::ALL {
        let values = key.values(header);
        if values != key.values(said) {
            let renewed = values.iter().map(|value| format!("; {}: {value}", key.name())).collect();
            fresh.push((Owner::Field(key), renewed));
        }
    }
    if header.unknown != said.unknown {
        let renewed = header.unknown.iter().map(|(name, value)| format!("; {name}: {value}")).collect();
        fresh.push((Owner::Unknown, renewed));
    }
    fresh
}

#[cfg(test)]
mod tests {
    use batchlab_traces::header::RemarkedCount;

    use super::*;

    #[test]
    fn only_changed_fields_are_rewritten() {
        let old = "; Computer: IBM SP2\n;MaxProcs:   100 (all of them)\n;    and no more\n; Note: kept\n;";
        let old: Vec<&str> = old.lines().collect();
        let mut header = Header {
            lines: old.iter().map(|line| (*line).to_owned()).collect(),
            computer: Some("IBM SP2".into()),
            notes: vec!["kept".into()],
            ..Header::default()
        };
        header.max_procs = Some(RemarkedCount { count: 100, remark: "(all of them) and no more".into() });
        assert_eq!(lines(&header), old);
        header.max_procs = Some(RemarkedCount { count: 50, remark: String::new() });
        header.max_jobs = Some(7);
        let new = ["; Computer: IBM SP2", "; MaxProcs: 50", "; Note: kept", ";", "; MaxJobs: 7"];
        assert_eq!(lines(&header), new);
    }
}
