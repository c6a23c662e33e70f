//! Names of the header fields and their values as text.

use batchlab_traces::header::{Header, Named, RemarkedCount, ResourceDeclaration, SwfPreemption};

/// Defines the fields in the format's order, under their names in the format.
macro_rules! keys {
    ($($key:ident),+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum HeaderField {
            $($key,)+
        }

        impl HeaderField {
            pub(super) const ALL: &'static [HeaderField] = &[$(HeaderField::$key),+];

            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(HeaderField::$key => stringify!($key),)+
                }
            }
        }
    };
}

keys! {
    Version, Computer, Installation, Acknowledge, Information, Conversion, MaxJobs, MaxRecords, Preemption,
    UnixStartTime, TimeZone, TimeZoneString, StartTime, EndTime, MaxNodes, MaxProcs, MaxRuntime, MaxMemory,
    AllowOveruse, MaxQueues, Queues, Queue, MaxPartitions, Partitions, Partition, Note, Resource
}

impl HeaderField {
    /// Returns the field of a name, in any case.
    pub(super) fn named(name: &str) -> Option<HeaderField> {
        HeaderField::ALL.iter().copied().find(|key| key.name().eq_ignore_ascii_case(name))
    }

    /// Returns the header's values of this field as text: none, one, or one per line.
    pub(super) fn values(self, header: &Header) -> Vec<String> {
        let number = |value: Option<i64>| value.map(|value| value.to_string()).into_iter().collect();
        let text = |value: &Option<String>| value.clone().into_iter().collect();
        match self {
            HeaderField::Version => text(&header.version),
            HeaderField::Computer => text(&header.computer),
            HeaderField::Installation => text(&header.installation),
            HeaderField::Acknowledge => header.acknowledge.clone(),
            HeaderField::Information => header.information.clone(),
            HeaderField::Conversion => text(&header.conversion),
            HeaderField::MaxJobs => number(header.max_jobs),
            HeaderField::MaxRecords => number(header.max_records),
            HeaderField::Preemption => {
                header.preemption.map(|value| preemption(value).into()).into_iter().collect()
            }
            HeaderField::UnixStartTime => number(header.unix_start_time),
            HeaderField::TimeZone => number(header.time_zone),
            HeaderField::TimeZoneString => text(&header.time_zone_string),
            HeaderField::StartTime => text(&header.start_time),
            HeaderField::EndTime => text(&header.end_time),
            HeaderField::MaxNodes => header.max_nodes.as_ref().map(counted).into_iter().collect(),
            HeaderField::MaxProcs => header.max_procs.as_ref().map(counted).into_iter().collect(),
            HeaderField::MaxRuntime => number(header.max_runtime),
            HeaderField::MaxMemory => number(header.max_memory),
            HeaderField::AllowOveruse => {
                header.allow_overuse.map(|allowed| yes(allowed).into()).into_iter().collect()
            }
            HeaderField::MaxQueues => number(header.max_queues),
            HeaderField::Queues => text(&header.queues),
            HeaderField::Queue => header.queue.iter().map(named).collect(),
            HeaderField::MaxPartitions => number(header.max_partitions),
            HeaderField::Partitions => text(&header.partitions),
            HeaderField::Partition => header.partition.iter().map(named).collect(),
            HeaderField::Note => header.notes.clone(),
            HeaderField::Resource => header.resources.iter().zip(1..).map(resource).collect(),
        }
    }
}

fn preemption(value: SwfPreemption) -> &'static str {
    match value {
        SwfPreemption::No => "No",
        SwfPreemption::Parts => "Yes",
        SwfPreemption::Double => "Double",
        SwfPreemption::TimeSlicing => "TS",
    }
}

fn yes(value: bool) -> &'static str {
    if value { "Yes" } else { "No" }
}

fn counted(value: &RemarkedCount) -> String {
    format!("{} {}", value.count, value.remark).trim_end().into()
}

fn named(value: &Named) -> String {
    format!("{} {}", value.number, value.name).trim_end().into()
}

fn resource((value, number): (&ResourceDeclaration, i64)) -> String {
    let mut words = vec![number.to_string(), value.name.clone()];
    words.extend((!value.unit.is_empty()).then(|| value.unit.clone()));
    words.extend(value.capacity.map(|capacity| format!("capacity={capacity}")));
    words.push(format!("scope={}", value.scope.name()));
    words.join(" ")
}
