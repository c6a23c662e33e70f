use std::fmt;

use batchlab_traces::Field;
use batchlab_traces::header::ColumnScope;
use batchlab_traces::nearest::{meant, nearest};

/// The destination of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum To {
    Job,
    /// An instant: submit, start or end.
    Instant(InstantTarget),
    Length(DurationTarget),
    /// Allocated or requested processors.
    Procs(Procs),
    Memory(MemoryTarget),
    /// The end of the job.
    Status,
    /// A name, by its index among user, group, executable, queue and partition.
    Name(usize),
    /// A further column.
    Resource(Resource),
    /// A PBS node specification: `2:ppn=8:fast+1:ppn=4`.
    NodeSpec,
    /// Features that the job asks of its nodes.
    Constraint,
    /// No destination: the value is compared with the other columns.
    Check(Comparand),
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstantTarget {
    Submit,
    Start,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DurationTarget {
    Wait,
    Run,
    RequestedTime,
    Cpu,
}

/// A count of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Procs {
    Allocated,
    Requested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryTarget {
    Used,
    Requested,
}

/// A value that is compared with the other columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparand {
    Wait,
    Run,
}

/// A further column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) scope: ColumnScope,
}

/// The fields that are names, in the order of an entry.
pub(super) const NAMES: [Field; 5] =
    [Field::User, Field::Group, Field::Executable, Field::Queue, Field::Partition];

const WORDS: &[(&str, To)] = &[
    ("job", To::Job),
    ("submit", To::Instant(InstantTarget::Submit)),
    ("start", To::Instant(InstantTarget::Start)),
    ("end", To::Instant(InstantTarget::End)),
    ("wait", To::Length(DurationTarget::Wait)),
    ("run", To::Length(DurationTarget::Run)),
    ("requested_time", To::Length(DurationTarget::RequestedTime)),
    ("cpu", To::Length(DurationTarget::Cpu)),
    ("allocated", To::Procs(Procs::Allocated)),
    ("requested", To::Procs(Procs::Requested)),
    ("used_memory", To::Memory(MemoryTarget::Used)),
    ("requested_memory", To::Memory(MemoryTarget::Requested)),
    ("status", To::Status),
    ("user", To::Name(0)),
    ("group", To::Name(1)),
    ("executable", To::Name(2)),
    ("queue", To::Name(3)),
    ("partition", To::Name(4)),
    ("node_spec", To::NodeSpec),
    ("constraint", To::Constraint),
    ("check wait", To::Check(Comparand::Wait)),
    ("check run", To::Check(Comparand::Run)),
    ("ignore", To::Ignore),
];

impl To {
    /// Parses a destination: a word, or `resource NAME [UNIT] [pool|node|job]`.
    pub(super) fn named(text: &str) -> Result<To, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["nodes"] => return Ok(To::Resource(Resource::of_job("nodes"))),
            ["ppn"] => return Ok(To::Resource(Resource::of_job("ppn"))),
            ["resource", name, ref rest @ ..] => return resource(name, rest),
            _ => {}
        }
        let text = words.join(" ");
        WORDS.iter().find(|(word, _)| *word == text).map(|(_, to)| to.clone()).ok_or_else(|| {
            let known = WORDS.iter().map(|(word, _)| *word).chain(["nodes", "ppn", "resource"]);
            format!("`{text}` is not a target of a column{}", meant(nearest(&text, known)))
        })
    }
}

impl Resource {
    /// A property of a job, which is never demanded.
    pub(super) fn of_job(name: &str) -> Resource {
        Resource { name: name.into(), unit: String::new(), scope: ColumnScope::Job }
    }

    pub(super) fn memory() -> Resource {
        Resource { name: "memory".into(), unit: "KB".into(), scope: ColumnScope::Pool }
    }
}

fn resource(name: &str, rest: &[&str]) -> Result<To, String> {
    let scope_of =
        |word: &str| ColumnScope::NAMES.iter().find(|(_, name)| *name == word).map(|(scope, _)| *scope);
    let (unit, scope) = match *rest {
        [] => ("", ColumnScope::Pool),
        [word] => scope_of(word).map_or((word, ColumnScope::Pool), |scope| ("", scope)),
        [unit, word] => {
            (unit, scope_of(word).ok_or_else(|| format!("`{word}` is not one of pool, node, job"))?)
        }
        _ => return Err("a resource is `resource NAME [UNIT] [pool|node|job]`".into()),
    };
    if unit.contains('=') || name.contains('=') {
        return Err("a resource has no `=`; give its capacity with the key `capacity`".into());
    }
    Ok(To::Resource(Resource { name: name.into(), unit: unit.into(), scope }))
}

/// The name of the field, if there is one.
impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match self {
            To::Job => Field::Job,
            To::Instant(InstantTarget::Submit) => Field::Submit,
            To::Instant(InstantTarget::Start) => return f.write_str("start"),
            To::Instant(InstantTarget::End) => return f.write_str("end"),
            To::Length(DurationTarget::Wait) => Field::Wait,
            To::Length(DurationTarget::Run) => Field::Run,
            To::Length(DurationTarget::RequestedTime) => Field::RequestedTime,
            To::Length(DurationTarget::Cpu) => Field::Cpu,
            To::Procs(Procs::Allocated) => Field::Allocated,
            To::Procs(Procs::Requested) => Field::Requested,
            To::Memory(MemoryTarget::Used) => Field::UsedMemory,
            To::Memory(MemoryTarget::Requested) => Field::RequestedMemory,
            To::Status => Field::Status,
            To::Name(at) => NAMES[*at],
            To::Resource(resource) => return f.write_str(&resource.name),
            To::NodeSpec => return f.write_str("nodes, ppn, exclusive, gpu, constraint"),
            To::Constraint => return f.write_str("constraint"),
            To::Check(Comparand::Wait) => return f.write_str("check of the wait time"),
            To::Check(Comparand::Run) => return f.write_str("check of the run time"),
            To::Ignore => return f.write_str("not used"),
        };
        f.write_str(field.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_words_or_resources() {
        assert_eq!(To::named("submit").unwrap().to_string(), "submit time");
        assert_eq!(To::named("nodes").unwrap(), To::Resource(Resource::of_job("nodes")));
        let disk = Resource { name: "disk".into(), unit: "GB".into(), scope: ColumnScope::Node };
        assert_eq!(To::named("resource disk GB node").unwrap(), To::Resource(disk));
        let licence = Resource { name: "lic".into(), unit: String::new(), scope: ColumnScope::Job };
        assert_eq!(To::named("resource lic job").unwrap(), To::Resource(licence));
        assert!(To::named("submitt").unwrap_err().ends_with("(did you mean `submit`?)"));
        assert!(To::named("resource a b c").unwrap_err().contains("pool, node, job"));
        assert!(To::named("resource a capacity=3").is_err());
    }
}
