//! Names of the header fields and their values as text.

use batchlab_traces::header::{Counted, Header, Named, Preemption, ResourceDeclaration};

/// Defines the fields in the format's order.
macro_rules! keys {
    ($($key:ident $name:literal),+ $(,)?) => {
        /// A header field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Key {
            $($key,)+
        }

        impl Key {
            /// All fields.
            pub(super) const ALL: &'static [Key] = &[$(Key::$key),+];

            /// Returns the name as the format writes it.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Key::$key => $name,)+
                }
            }
        }
    };
}

keys! {
    Version "Version",
    Computer "Computer",
    Installation "Installation",
    Acknowledge "Acknowledge",
    Information "Information",
    Conversion "Conversion",
    MaxJobs "MaxJobs",
    MaxRecords "MaxRecords",
    Preemption "Preemption",
    UnixStartTime "UnixStartTime",
    TimeZone "TimeZone",
    TimeZoneString "TimeZoneString",
    StartTime "StartTime",
    EndTime "EndTime",
    MaxNodes "MaxNodes",
    MaxProcs "MaxProcs",
    MaxRuntime "MaxRuntime",
    MaxMemory "MaxMemory",
    AllowOveruse "AllowOveruse",
    MaxQueues "MaxQueues",
    Queues "Queues",
    Queue "Queue",
    MaxPartitions "MaxPartitions",
    Partitions "Partitions",
    Partition "Partition",
    Note "Note",
    Resource "Resource",
}

impl Key {
    /// Returns the field of a name, in any case.
    pub(super) fn named(name: &str) -> Option<Key> {
        Key::ALL.iter().copied().find(|key| key.name().eq_ignore_ascii_case(name))
    }

    /// Returns the header's values of this field as text: none, one, or one per line.
    pub(super) fn values(self, header: &Header) -> Vec<String> {
        let number = |value: Option<i64>| value.map(|value| value.to_string()).into_iter().collect();
        let text = |value: &Option<String>| value.clone().into_iter().collect();
        match self {
            Key::Version => text(&header.version),
            Key::Computer => text(&header.computer),
            Key::Installation => text(&header.installation),
            Key::Acknowledge => header.acknowledge.clone(),
            Key::Information => header.information.clone(),
            Key::Conversion => text(&header.conversion),
            Key::MaxJobs => number(header.max_jobs),
            Key::MaxRecords => number(header.max_records),
            Key::Preemption => header.preemption.map(|value| preemption(value).into()).into_iter().collect(),
            Key::UnixStartTime => number(header.unix_start_time),
            Key::TimeZone => number(header.time_zone),
            Key::TimeZoneString => text(&header.time_zone_string),
            Key::StartTime => text(&header.start_time),
            Key::EndTime => text(&header.end_time),
            Key::MaxNodes => header.max_nodes.as_ref().map(counted).into_iter().collect(),
            Key::MaxProcs => header.max_procs.as_ref().map(counted).into_iter().collect(),
            Key::MaxRuntime => number(header.max_runtime),
            Key::MaxMemory => number(header.max_memory),
            Key::AllowOveruse => {
                header.allow_overuse.map(|allowed| yes(allowed).into()).into_iter().collect()
            }
            Key::MaxQueues => number(header.max_queues),
            Key::Queues => text(&header.queues),
            Key::Queue => header.queue.iter().map(named).collect(),
            Key::MaxPartitions => number(header.max_partitions),
            Key::Partitions => text(&header.partitions),
            Key::Partition => header.partition.iter().map(named).collect(),
            Key::Note => header.notes.clone(),
            Key::Resource => header.resources.iter().zip(1..).map(resource).collect(),
        }
    }
}

fn preemption(value: Preemption) -> &'static str {
    match value {
        Preemption::No => "No",
        Preemption::Parts => "Yes",
        Preemption::Double => "Double",
        Preemption::TimeSlicing => "TS",
    }
}

fn yes(value: bool) -> &'static str {
    if value { "Yes" } else { "No" }
}

fn counted(value: &Counted) -> String {
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
