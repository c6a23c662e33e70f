//! The comments of a header, typed.

use std::sync::Arc;

use batchlab_traces::header::{Counted, Header, Named, Preemption, ResourceDeclaration};
use batchlab_traces::{Example, Findings, Place, Refusal};

use crate::swf::keys::Key;
use crate::swf::kinds::{HEADER_REPEATED, HEADER_VALUE};

/// Gathers the comment lines before the first record into a [`Header`].
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
    Known(Key),
    Unknown(String),
}

/// What a comment line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A field of the format, begun on this line or before.
    Field(Key),
    /// A field that the format does not define.
    Unknown,
    /// Nothing: it is just text.
    Nobody,
}

/// Why a value does not count.
enum Fault {
    /// It is not what it should be.
    Expected(&'static str),
    /// An earlier line says something else.
    Repeated,
}

impl Comments {
    /// Takes one comment line as it stands in the file.
    ///
    /// # Errors
    /// A strict refusal of the field before it, now complete.
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
            (Some((name, value)), _) if Key::named(name).is_some() => {
                let known = Key::named(name).map(Name::Known);
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

    /// Returns what the last line belongs to.
    pub(super) fn owner(&self) -> Owner {
        match self.pending.as_ref().map(|pending| &pending.name) {
            Some(Name::Known(key)) => Owner::Field(*key),
            Some(Name::Unknown(_)) => Owner::Unknown,
            None => Owner::Nobody,
        }
    }

    /// Types the last field; the lines until now may be all.
    ///
    /// # Errors
    /// A strict refusal of it.
    pub(super) fn settle(&mut self, file: &Arc<str>, findings: &mut Findings) -> Result<(), Refusal> {
        self.replace_pending(None, file, findings)
    }

    /// Returns how many resource columns are declared, by the last line too.
    pub(super) fn resources(&self) -> usize {
        let pending = self.pending.as_ref().is_some_and(|pending| {
            matches!(pending.name, Name::Known(Key::Resource))
                && declare(&mut self.header.resources.clone(), &pending.value).is_ok()
        });
        self.header.resources.len() + usize::from(pending)
    }

    /// Returns the header.
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
        let place = || Some(Place { file: file.clone(), line, column });
        match self.set(key, &value) {
            Ok(()) => Ok(()),
            Err(Fault::Repeated) => findings.report(&HEADER_REPEATED, || Example {
                place: place(),
                detail: format!("{} `{value}`", key.name()),
            }),
            Err(Fault::Expected(expected)) => findings.report(&HEADER_VALUE, || Example {
                place: place(),
                detail: format!("{} `{value}` is not {expected}", key.name()),
            }),
        }
    }

    fn set(&mut self, key: Key, value: &str) -> Result<(), Fault> {
        let header = &mut self.header;
        if value.is_empty() {
            return Ok(());
        }
        match key {
            Key::Version => once(&mut header.version, value.into())?,
            Key::Computer => once(&mut header.computer, value.into())?,
            Key::Installation => once(&mut header.installation, value.into())?,
            Key::Acknowledge => header.acknowledge.push(value.into()),
            Key::Information => header.information.push(value.into()),
            Key::Conversion => once(&mut header.conversion, value.into())?,
            Key::MaxJobs => once_count(&mut header.max_jobs, value)?,
            Key::MaxRecords => once_count(&mut header.max_records, value)?,
            Key::Preemption => once(&mut header.preemption, preemption(value)?)?,
            Key::UnixStartTime => once_count(&mut header.unix_start_time, value)?,
            Key::TimeZone => once(&mut header.time_zone, counted(value)?.count)?,
            Key::TimeZoneString => once(&mut header.time_zone_string, value.into())?,
            Key::StartTime => once(&mut header.start_time, value.into())?,
            Key::EndTime => once(&mut header.end_time, value.into())?,
            Key::MaxNodes => once_counted(&mut header.max_nodes, value)?,
            Key::MaxProcs => once_counted(&mut header.max_procs, value)?,
            Key::MaxRuntime => once_count(&mut header.max_runtime, value)?,
            Key::MaxMemory => once_count(&mut header.max_memory, value)?,
            Key::AllowOveruse => once(&mut header.allow_overuse, yes_or_no(value)?)?,
            Key::MaxQueues => once_count(&mut header.max_queues, value)?,
            Key::Queues => once(&mut header.queues, value.into())?,
            Key::Queue => header.queue.push(named(value)?),
            Key::MaxPartitions => once_count(&mut header.max_partitions, value)?,
            Key::Partitions => once(&mut header.partitions, value.into())?,
            Key::Partition => header.partition.push(named(value)?),
            Key::Note => header.notes.push(value.into()),
            Key::Resource => declare(&mut header.resources, value)?,
        }
        Ok(())
    }
}

/// Whether a comment names a field of the format.
pub(super) fn names_field(text: &str) -> bool {
    split(body(text).trim()).is_some_and(|(name, _)| Key::named(name).is_some())
}

/// The comment without its semicolon.
fn body(text: &str) -> &str {
    text.trim_start().trim_start_matches(';')
}

/// Splits `Name: value`; a name is one word, and `http://...` is none.
fn split(words: &str) -> Option<(&str, &str)> {
    let (name, value) = words.split_once(':')?;
    let mut letters = name.chars();
    let word = letters.next()?.is_ascii_alphabetic()
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    (word && !value.starts_with("//")).then_some((name, value.trim()))
}

fn once<T: PartialEq>(slot: &mut Option<T>, value: T) -> Result<(), Fault> {
    match slot {
        Some(earlier) if *earlier != value => Err(Fault::Repeated),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

/// Sets a count; a negative one is SWF's way to say unknown.
fn once_count(slot: &mut Option<i64>, value: &str) -> Result<(), Fault> {
    let count = counted(value)?.count;
    if count < 0 { Ok(()) } else { once(slot, count) }
}

fn once_counted(slot: &mut Option<Counted>, value: &str) -> Result<(), Fault> {
    let counted = counted(value)?;
    if counted.count < 0 { Ok(()) } else { once(slot, counted) }
}

/// A whole number and whatever follows it.
fn counted(value: &str) -> Result<Counted, Fault> {
    let (count, remark) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let count = count.parse().map_err(|_| Fault::Expected("a whole number"))?;
    Ok(Counted { count, remark: remark.trim().into() })
}

fn named(value: &str) -> Result<Named, Fault> {
    let counted = counted(value).map_err(|_| Fault::Expected("a number and a name"))?;
    Ok(Named { number: counted.count, name: counted.remark })
}

fn declare(resources: &mut Vec<ResourceDeclaration>, value: &str) -> Result<(), Fault> {
    let form = "of the form `NUMBER NAME UNIT capacity=AMOUNT scope=pool` (or scope=node)";
    let (number, declaration) = resource(value).ok_or(Fault::Expected(form))?;
    if number != resources.len() as i64 + 1 {
        return Err(Fault::Expected("numbered by its column: 1, 2, 3"));
    }
    if resources.iter().any(|other| other.name == declaration.name) {
        return Err(Fault::Expected("named differently from the others"));
    }
    resources.push(declaration);
    Ok(())
}

fn preemption(value: &str) -> Result<Preemption, Fault> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "no" => Ok(Preemption::No),
        "yes" => Ok(Preemption::Parts),
        "double" => Ok(Preemption::Double),
        "ts" => Ok(Preemption::TimeSlicing),
        _ => Err(Fault::Expected("one of No, Yes, Double, TS")),
    }
}

fn yes_or_no(value: &str) -> Result<bool, Fault> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(Fault::Expected("Yes or No")),
    }
}

/// Parses `1 memory KB capacity=1024 scope=pool`; unit, capacity and scope may be missing.
fn resource(value: &str) -> Option<(i64, ResourceDeclaration)> {
    let mut words = value.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let name = words.next().filter(|name| !name.contains('='))?;
    let mut resource =
        ResourceDeclaration { name: name.into(), unit: String::new(), capacity: None, per_node: false };
    for word in words {
        match word.split_once('=') {
            Some(("capacity", amount)) => {
                resource.capacity = Some(amount.parse().ok().filter(|&amount| amount >= 0)?);
            }
            Some(("scope", "pool")) => resource.per_node = false,
            Some(("scope", "node")) => resource.per_node = true,
            None if resource.unit.is_empty() => resource.unit = word.into(),
            _ => return None,
        }
    }
    Some((number, resource))
}

#[cfg(test)]
mod tests {
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
    fn counts_keep_their_remarks_and_minus_one_is_no_count() {
        let (header, _) =
            read(&["; MaxNodes: 144 (1152 processors)", "; MaxProcs: -1", "; MaxJobs: 7 or so"]);
        let nodes = Counted { count: 144, remark: "(1152 processors)".into() };
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
        let memory = ResourceDeclaration {
            name: "memory".into(),
            unit: "KB".into(),
            capacity: Some(1024),
            per_node: false,
        };
        let gpu =
            ResourceDeclaration { name: "gpu".into(), unit: String::new(), capacity: None, per_node: true };
        assert_eq!(header.resources, [memory, gpu]);
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
