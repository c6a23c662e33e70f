//! The keys of a record and their destinations.

use super::line::Pairs;
use crate::explain::Explained;

/// Defines the keys: name in the log, destination.
macro_rules! keys {
    ($($key:ident $text:literal $goes:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum PbsKey { $($key),+ }

        impl PbsKey {
            pub(super) fn name(self) -> &'static str {
                match self { $(PbsKey::$key => $text),+ }
            }
        }

        const KEYS: &[(&[u8], PbsKey, &str)] = &[$(($text.as_bytes(), PbsKey::$key, $goes)),+];
    };
}

keys! {
    User "user" "user";
    Group "group" "group";
    Account "account" "group, if there is no group";
    Project "project" "group, if there is neither group nor account";
    Name "jobname" "application";
    Queue "queue" "queue";
    Created "ctime" "submit time";
    Queued "qtime" "submit time, if there is neither ctime nor a Q record";
    Eligible "etime" "eligible, if after the submit time";
    Start "start" "start";
    End "end" "end";
    ExitStatus "Exit_status" "status";
    ExecHost "exec_host" "allocated processors, nodes";
    Slots "total_execution_slots" "allocated processors";
    Hosts "unique_node_count" "nodes, if no hosts are given";
    ExecVnode "exec_vnode" "allocated processors, gpu";
    Select "Resource_List.select" "requested processors, nodes, ppn, memory, gpu, partition, constraint";
    Nodes "Resource_List.nodes" "requested processors, nodes, ppn, gpu, exclusive, constraint";
    NodeCount "Resource_List.nodect" "nodes";
    Place "Resource_List.place" "exclusive";
    Procs "Resource_List.procs" "requested processors, if neither select nor nodes";
    Cpus "Resource_List.ncpus" "requested processors, if neither select nor nodes";
    Gpus "Resource_List.ngpus" "gpu, if the chunks do not give it";
    Gpu "Resource_List.gpu" "gpu, if the chunks do not give it";
    Memory "Resource_List.mem" "requested memory";
    ProcessMemory "Resource_List.pmem" "requested memory of each processor, if there is no other";
    Walltime "Resource_List.walltime" "requested time";
    UsedCpus "resources_used.ncpus" "allocated processors, if no hosts are given";
    UsedNodes "resources_used.nodect" "allocated nodes, of Cobalt";
    UsedCpuTime "resources_used.cput" "CPU time";
    UsedMemory "resources_used.mem" "used memory";
    UsedWalltime "resources_used.walltime" "check";
}

/// Known keys that are not used; they end preceding values that contain blanks.
const UNUSED: [&[u8]; 12] = [
    b"owner",
    b"session",
    b"alt_id",
    b"run_count",
    b"eligible_time",
    b"accounting_id",
    b"requestor",
    b"resvname",
    b"resvID",
    b"exec_gpus",
    b"exec_port",
    b"array_indices",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Pbs,
    /// Cobalt, which allocates whole nodes and writes words for values that it does not have.
    Cobalt,
}

/// The words of Cobalt for a missing value. Source: `Job` in its `cqm.py`.
const NONE: [&[u8]; 3] = [b"unknown", b"N/A", b"None"];

/// The values of one record, not parsed.
#[derive(Clone, Copy)]
pub(super) struct PbsFields<'a> {
    values: [&'a [u8]; KEYS.len()],
}

impl<'a> PbsFields<'a> {
    /// Splits a message; the first value of a repeated key is used. Destinations are recorded in `explained`.
    pub(super) fn of(
        system: System,
        message: &'a [u8],
        mut explained: Option<&mut Explained>,
    ) -> PbsFields<'a> {
        let mut fields = PbsFields { values: [b""; KEYS.len()] };
        let ends: fn(&[u8]) -> bool = match system {
            System::Pbs => is_known,
            // It quotes values with blanks.
            System::Cobalt => |_| true,
        };
        for (name, value) in Pairs::of(message, ends) {
            let known = KEYS.iter().find(|(known, ..)| *known == name);
            if let Some(explained) = explained.as_deref_mut() {
                let goes = known.map_or("not used", |(.., goes)| goes);
                explained.cell(String::from_utf8_lossy(name), value, goes);
            }
            let is_told = system == System::Pbs || !NONE.contains(&value);
            if let Some((_, key, _)) = known
                && is_told
                && fields.values[*key as usize].is_empty()
            {
                fields.values[*key as usize] = value;
            }
        }
        fields
    }

    /// Returns a value; empty if it is missing.
    pub(super) fn get(&self, key: PbsKey) -> &'a [u8] {
        self.values[key as usize]
    }

    pub(super) fn has_request(&self) -> bool {
        KEYS.iter().any(|(name, key, _)| name.starts_with(b"Resource_List.") && !self.get(*key).is_empty())
    }

    pub(super) fn first(&self, keys: &[PbsKey]) -> &'a [u8] {
        keys.iter().map(|&key| self.get(key)).find(|value| !value.is_empty()).unwrap_or_default()
    }
}

fn is_known(name: &[u8]) -> bool {
    name.starts_with(b"Resource_List.")
        || name.starts_with(b"resources_used.")
        || name.starts_with(b"resource_assigned.")
        || KEYS.iter().any(|(known, ..)| *known == name)
        || UNUSED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_key_and_explained() {
        let message = b"user=ann jobname=a b queue=q odd=1 user=bob Resource_List.mem=5gb";
        let mut explained = Explained::default();
        let fields = PbsFields::of(System::Pbs, message, Some(&mut explained));
        assert_eq!(fields.get(PbsKey::User), b"ann");
        assert_eq!(fields.get(PbsKey::Name), b"a b");
        assert_eq!(fields.first(&[PbsKey::Account, PbsKey::Memory, PbsKey::Queue]), b"5gb");
        let told: Vec<&str> = explained.cells.iter().map(|cell| cell.to.as_str()).collect();
        assert_eq!(told, ["user", "application", "queue", "not used", "user", "requested memory"]);
    }
}
