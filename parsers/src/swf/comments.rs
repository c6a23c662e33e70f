use std::sync::Arc;

use batchlab_traces::{Example, Findings, Header, Refusal, SourcePlace};

use crate::reporter::quoted;
use crate::swf::keys::HeaderField;
use crate::swf::kinds::{HEADER_REPEATED, HEADER_VALUE};
use crate::swf::values::{
    ValueError, counted, declare, named, once, once_count, once_counted, preemption, yes_or_no,
};

/// Collects the comment lines before the first record into a [`Header`].
#[derive(Default)]
pub(super) struct Comments {
    header: Header,
    pending: Option<Pending>,
}

/// A field that the next line may continue.
struct Pending {
    name: Name,
    value: String,
    indent: usize,
    line: u32,
    column: u32,
}

enum Name {
    Known(HeaderField),
    Unknown(String),
}

/// The header field that a comment line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A field of the format that begins on this line or an earlier one.
    Field(HeaderField),
    /// A field that the format does not define.
    Unknown,
    /// No field: the line is plain text.
    Text,
}

impl Comments {
    pub(super) fn line(
        &mut self,
        number: u32,
        text: String,
        file: &Arc<str>,
        findings: &mut Findings,
    ) -> Result<(), Refusal> {
        let body = body(&text);
        let indent = body.len() - body.trim_start().len();
        let column = |value: &str| (value.as_ptr() as usize - text.as_ptr() as usize) as u32 + 1;
        let field = |name, value: &str| Pending {
            name,
            value: value.into(),
            indent,
            line: number,
            column: column(value),
        };
        let words = body.trim();
        match (split(words), &mut self.pending) {
            (Some((name, value)), _) if HeaderField::named(name).is_some() => {
                let known = HeaderField::named(name).map(Name::Known);
                let next = known.map(|name| field(name, value));
                self.replace_pending(next, file, findings)?;
            }
            (_, Some(pending)) if indent > pending.indent + 1 && !words.is_empty() => {
                if !pending.value.is_empty() {
                    pending.value.push(' ');
                }
                pending.value.push_str(words);
            }
            (Some((name, value)), _) => {
                let next = field(Name::Unknown(name.into()), value);
                self.replace_pending(Some(next), file, findings)?;
            }
            (None, _) => self.replace_pending(None, file, findings)?,
        }
        self.header.lines.push(text);
        Ok(())
    }

    /// Returns the field of the last line.
    pub(super) fn owner(&self) -> Owner {
        match self.pending.as_ref().map(|pending| &pending.name) {
            Some(Name::Known(key)) => Owner::Field(*key),
            Some(Name::Unknown(_)) => Owner::Unknown,
            None => Owner::Text,
        }
    }

    /// Parses the last field.
    pub(super) fn settle(&mut self, file: &Arc<str>, findings: &mut Findings) -> Result<(), Refusal> {
        self.replace_pending(None, file, findings)
    }

    /// Returns the number of declared resource columns, including one on the last line.
    pub(super) fn resources(&self) -> usize {
        let pending = self.pending.as_ref().is_some_and(|pending| {
            matches!(pending.name, Name::Known(HeaderField::Resource))
                && declare(&mut self.header.resources.clone(), &pending.value).is_ok()
        });
        self.header.resources.len() + usize::from(pending)
    }

    pub(super) fn resource_names(&self) -> impl Iterator<Item = &str> {
        self.header.resources.iter().map(|resource| resource.name.as_str())
    }

    pub(super) fn into_header(self) -> Header {
        self.header
    }

    fn replace_pending(
        &mut self,
        next: Option<Pending>,
        file: &Arc<str>,
        findings: &mut Findings,
    ) -> Result<(), Refusal> {
        let Some(Pending { name, value, line, column, .. }) = std::mem::replace(&mut self.pending, next)
        else {
            return Ok(());
        };
        let key = match name {
            Name::Known(key) => key,
            Name::Unknown(name) => {
                self.header.unknown.push((name, value));
                return Ok(());
            }
        };
        let place = || Some(SourcePlace { file: file.clone(), line, column });
        match self.set(key, &value) {
            Ok(()) => Ok(()),
            Err(ValueError::Repeated) => findings.report(&HEADER_REPEATED, || Example {
                place: place(),
                detail: format!("{} {}", key.name(), quoted(value.as_bytes())),
            }),
            Err(ValueError::Expected(expected)) => findings.report(&HEADER_VALUE, || Example {
                place: place(),
                detail: format!("{} {} is not {expected}", key.name(), quoted(value.as_bytes())),
            }),
        }
    }

    fn set(&mut self, key: HeaderField, value: &str) -> Result<(), ValueError> {
        let header = &mut self.header;
        if value.is_empty() {
            return Ok(());
        }
        match key {
            HeaderField::Version => once(&mut header.version, value.into())?,
            HeaderField::Computer => once(&mut header.computer, value.into())?,
            HeaderField::Installation => once(&mut header.installation, value.into())?,
            HeaderField::Acknowledge => header.acknowledge.push(value.into()),
            HeaderField::Information => header.information.push(value.into()),
            HeaderField::Conversion => once(&mut header.conversion, value.into())?,
            HeaderField::MaxJobs => once_count(&mut header.max_jobs, value)?,
            HeaderField::MaxRecords => once_count(&mut header.max_records, value)?,
            HeaderField::Preemption => once(&mut header.preemption, preemption(value)?)?,
            HeaderField::UnixStartTime => once_count(&mut header.unix_start_time, value)?,
            HeaderField::TimeZone => once(&mut header.time_zone, counted(value)?.count)?,
            HeaderField::TimeZoneString => once(&mut header.time_zone_string, value.into())?,
            HeaderField::StartTime => once(&mut header.start_time, value.into())?,
            HeaderField::EndTime => once(&mut header.end_time, value.into())?,
            HeaderField::MaxNodes => once_counted(&mut header.max_nodes, value)?,
            HeaderField::MaxProcs => once_counted(&mut header.max_procs, value)?,
            HeaderField::MaxRuntime => once_count(&mut header.max_runtime, value)?,
            HeaderField::MaxMemory => once_count(&mut header.max_memory, value)?,
            HeaderField::AllowOveruse => once(&mut header.allow_overuse, yes_or_no(value)?)?,
            HeaderField::MaxQueues => once_count(&mut header.max_queues, value)?,
            HeaderField::Queues => once(&mut header.queues, value.into())?,
            HeaderField::Queue => header.queue.push(named(value)?),
            HeaderField::MaxPartitions => once_count(&mut header.max_partitions, value)?,
            HeaderField::Partitions => once(&mut header.partitions, value.into())?,
            HeaderField::Partition => header.partition.push(named(value)?),
            HeaderField::Note => header.notes.push(value.into()),
            HeaderField::Resource => declare(&mut header.resources, value)?,
        }
        Ok(())
    }
}

pub(super) fn gives_field(text: &str) -> bool {
    let remarks =
        [HeaderField::Note, HeaderField::Information, HeaderField::Acknowledge, HeaderField::Conversion];
    let key = split(body(text).trim()).and_then(|(name, _)| HeaderField::named(name));
    key.is_some_and(|key| !remarks.contains(&key))
}

/// Returns the comment without its semicolon.
fn body(text: &str) -> &str {
    text.trim_start().trim_start_matches(';')
}

/// Splits `Name: value`; a name is one word, and `http://...` is not one.
fn split(words: &str) -> Option<(&str, &str)> {
    let (name, value) = words.split_once(':')?;
    let name = name.trim_end();
    let mut letters = name.chars();
    let word = letters.next()?.is_ascii_alphabetic()
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    (word && !value.starts_with("//")).then_some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use batchlab_traces::header::{ColumnScope, RemarkedCount, ResourceDeclaration};

    use super::*;

    fn read(lines: &[&str]) -> (Header, Findings) {
        let (mut comments, mut findings, file) = (Comments::default(), Findings::lenient(), "a.swf".into());
        for (line, number) in lines.iter().zip(1..) {
            comments.line(number, (*line).to_owned(), &file, &mut findings).unwrap();
        }
        comments.settle(&file, &mut findings).unwrap();
        (comments.into_header(), findings)
    }

    #[test]
    fn names_come_in_any_case_and_texts_go_on_over_lines() {
        let (header, findings) = read(&[
            ";VERSION:2.2",
            "; Information: http://example.org/",
            ";              http://example.org/more",
            "; Maintainer: somebody",
            ";       at some place",
            ";",
            ";       alone",
        ]);
        assert_eq!(header.version.as_deref(), Some("2.2"));
        assert_eq!(header.information, ["http://example.org/ http://example.org/more"]);
        assert_eq!(header.unknown, [("Maintainer".into(), "somebody at some place".into())]);
        assert_eq!(header.lines.len(), 7);
        assert_eq!(findings.list(), []);
    }

    #[test]
    fn a_blank_before_the_colon_is_no_part_of_the_name() {
        let (header, findings) = read(&["; MaxProcs : 64", "; Computer\t:IBM SP2", "; see http : //x"]);
        assert_eq!(header.max_procs.map(|procs| procs.count), Some(64));
        assert_eq!((header.computer.as_deref(), findings.list().len()), (Some("IBM SP2"), 0));
    }

    #[test]
    fn counts_keep_their_remarks_and_minus_one_is_no_count() {
        let (header, _) =
            read(&["; MaxNodes: 144 (1152 processors)", "; MaxProcs: -1", "; MaxJobs: 7 or so"]);
        let nodes = RemarkedCount { count: 144, remark: "(1152 processors)".into() };
        assert_eq!((header.max_nodes, header.max_procs, header.max_jobs), (Some(nodes), None, Some(7)));
    }

    #[test]
    fn resources_are_declared_in_the_order_of_their_columns() {
        let (header, findings) = read(&[
            "; Resource: 1 memory KB capacity=1024 scope=pool",
            "; Resource: 3 disk GB",
            "; Resource: 2 gpu scope=node",
            "; Resource: 3 gpu",
        ]);
        let resource = |name: &str, unit: &str, capacity, scope| {
            let (name, unit) = (name.into(), unit.into());
            ResourceDeclaration { name, unit, capacity, scope }
        };
        let memory = resource("memory", "KB", Some(1024), ColumnScope::Pool);
        assert_eq!(header.resources, [memory, resource("gpu", "", None, ColumnScope::Node)]);
        assert_eq!(findings.count("swf-header-value"), 2);
    }

    #[test]
    fn a_wrong_value_is_shown_with_its_place_and_what_was_expected() {
        let (header, findings) = read(&["; MaxProcs: lots", "; AllowOveruse: perhaps"]);
        assert_eq!((header.max_procs, header.allow_overuse), (None, None));
        let examples = &findings.list()[0].examples;
        assert_eq!(examples[0].detail, "MaxProcs `lots` is not a whole number");
        assert_eq!(examples[0].place.as_ref().map(ToString::to_string), Some("a.swf:1:13".into()));
        assert_eq!(examples[1].detail, "AllowOveruse `perhaps` is not Yes or No");
    }
}
