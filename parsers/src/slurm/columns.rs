//! The columns of `sacct`, of all versions, and their destinations.

use super::destinations as to;

/// The use of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Role {
    JobId,
    JobIdRaw,
    JobName,
    User,
    Uid,
    Account,
    Group,
    Partition,
    Qos,
    Priority,
    Constraints,
    Exclusive,
    OverSubscribe,
    Flags,
    Reservation,
    Cluster,
    Submit,
    Eligible,
    Start,
    End,
    Elapsed,
    ElapsedRaw,
    Suspended,
    /// Time from eligibility to the start.
    Planned,
    Timelimit,
    TimelimitRaw,
    State,
    ReqCpus,
    AllocCpus,
    Ncpus,
    ReqNodes,
    Nnodes,
    AllocNodes,
    NodeList,
    ReqMem,
    MaxRss,
    Ntasks,
    ReqTres,
    AllocTres,
    UsageInTot,
    TotalCpu,
    UserCpu,
    SystemCpu,
    ReqGres,
    AllocGres,
    SubmitLine,
    /// Not used.
    Unused,
}

/// Number of roles by which columns are looked up.
pub(super) const ROLES: usize = Role::Unused as usize;

/// The possible content of a column, which distinguishes columns when a free text contains separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentPattern {
    /// Any text, including separators and line ends: typed by a user.
    Free,
    /// Any text without separators.
    Word,
    /// Nothing.
    Empty,
    JobId,
    Instant,
    Length,
    Count,
    Amount,
    Tres,
    State,
    ExitCode,
}

/// A column of `sacct`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SacctColumn {
    /// The name as the heading spells it.
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) shape: ContentPattern,
    /// The destination.
    pub(super) to: &'static str,
}

impl SacctColumn {
    /// Whether it does no harm if the end of its text is unclear: it is not used, or only searched for options.
    pub(super) fn is_loose(&self) -> bool {
        matches!(self.role, Role::Unused | Role::SubmitLine)
    }

    /// Scores the beginning of a free text, up to the first separator: negative if it cannot be one of this column, positive
    /// if it is likely, 0 if neither.
    pub(super) fn begins(&self, cell: &[u8]) -> i32 {
        match self.role {
            _ if cell.is_empty() => 0,
            Role::SubmitLine => {
                let command = cell.split(|&byte| byte == b' ').next().unwrap_or_default();
                let name = command.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                if matches!(name, b"sbatch" | b"srun" | b"salloc") { 2 } else { -5 }
            }
            Role::Constraints => self.continues(cell).min(0),
            _ => 0,
        }
    }

    /// Scores a part of a free text behind a separator. A constraint has features and operators, and nothing is empty
    /// beside `|`, which is one of its operators.
    pub(super) fn continues(&self, cell: &[u8]) -> i32 {
        let is_feature =
            || !cell.is_empty() && !cell.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        match self.role {
            Role::Constraints => {
                if is_feature() {
                    1
                } else {
                    -5
                }
            }
            _ => 0,
        }
    }
}

/// A column with an unknown name.
pub(super) const UNKNOWN: SacctColumn = unused("", ContentPattern::Word);
/// The empty column after the last separator of `sacct -p`.
pub(super) const TRAILING: SacctColumn = unused("", ContentPattern::Empty);

const fn reads(name: &'static str, role: Role, shape: ContentPattern, to: &'static str) -> SacctColumn {
    SacctColumn { name, role, shape, to }
}

const fn unused(name: &'static str, shape: ContentPattern) -> SacctColumn {
    SacctColumn { name, role: Role::Unused, shape, to: "not used" }
}

/// Returns the column of a name, in any case.
pub(super) fn column(name: &[u8]) -> Option<&'static SacctColumn> {
    let known = |columns: &'static [SacctColumn]| {
        columns.iter().find(|column| column.name.as_bytes().eq_ignore_ascii_case(name))
    };
    known(&USED).or_else(|| known(&UNUSED))
}

static USED: [SacctColumn; 48] = [
    reads("JobID", Role::JobId, ContentPattern::JobId, "job number, unless JobIDRaw is there; steps"),
    reads("JobIDRaw", Role::JobIdRaw, ContentPattern::JobId, "job number"),
    reads("JobName", Role::JobName, ContentPattern::Free, "application"),
    reads("User", Role::User, ContentPattern::Word, "user"),
    reads("UID", Role::Uid, ContentPattern::Count, "user, if User is missing"),
    reads("Account", Role::Account, ContentPattern::Word, "group"),
    reads("Group", Role::Group, ContentPattern::Word, to::GROUP),
    reads("Partition", Role::Partition, ContentPattern::Word, "queue and partition"),
    reads("QOS", Role::Qos, ContentPattern::Word, "qos"),
    reads("Priority", Role::Priority, ContentPattern::Count, "priority, with --slurm"),
    reads("Constraints", Role::Constraints, ContentPattern::Free, "constraint"),
    // From 26.05.
    reads("Exclusive", Role::Exclusive, ContentPattern::Word, "exclusive"),
    reads("OverSubscribe", Role::OverSubscribe, ContentPattern::Word, "exclusive"),
    reads("Reservation", Role::Reservation, ContentPattern::Word, "reservation"),
    reads("Flags", Role::Flags, ContentPattern::Word, "started_by: the loop that started it"),
    reads("Cluster", Role::Cluster, ContentPattern::Word, "computer"),
    reads("Submit", Role::Submit, ContentPattern::Instant, "submit time"),
    reads("Eligible", Role::Eligible, ContentPattern::Instant, to::ELIGIBLE),
    reads("Start", Role::Start, ContentPattern::Instant, "wait time"),
    reads("End", Role::End, ContentPattern::Instant, "run time, if Elapsed is missing"),
    reads("Elapsed", Role::Elapsed, ContentPattern::Length, "run time"),
    reads("ElapsedRaw", Role::ElapsedRaw, ContentPattern::Length, "run time"),
    reads("Suspended", Role::Suspended, ContentPattern::Length, "check: end - start - Elapsed"),
    // Renamed in 23.02.
    reads("Reserved", Role::Planned, ContentPattern::Length, "check: which of two hours the start was in"),
    reads("Planned", Role::Planned, ContentPattern::Length, "check: which of two hours the start was in"),
    reads("Timelimit", Role::Timelimit, ContentPattern::Length, "requested time, if TimelimitRaw is missing"),
    reads("TimelimitRaw", Role::TimelimitRaw, ContentPattern::Length, "requested time, min"),
    reads("State", Role::State, ContentPattern::State, "status"),
    reads("ReqCPUS", Role::ReqCpus, ContentPattern::Count, "requested processors"),
    reads("AllocCPUS", Role::AllocCpus, ContentPattern::Count, "allocated processors"),
    reads("NCPUS", Role::Ncpus, ContentPattern::Count, "allocated processors, if AllocCPUS is missing"),
    reads("ReqNodes", Role::ReqNodes, ContentPattern::Count, "nodes, if NNodes is missing"),
    reads("NNodes", Role::Nnodes, ContentPattern::Count, "nodes"),
    reads("AllocNodes", Role::AllocNodes, ContentPattern::Count, to::STARTED),
    reads("NodeList", Role::NodeList, ContentPattern::Word, to::STARTED),
    // The request of a node or a processor up to 21.08, of the job in later versions.
    reads("ReqMem", Role::ReqMem, ContentPattern::Amount, "memory, if ReqTRES is missing"),
    reads("MaxRSS", Role::MaxRss, ContentPattern::Amount, "used memory, if TRESUsageInTot is missing"),
    reads("NTasks", Role::Ntasks, ContentPattern::Count, "used memory: MaxRSS is that of one task"),
    reads("ReqTRES", Role::ReqTres, ContentPattern::Tres, "memory, gpu and other resources"),
    reads(
        "AllocTRES",
        Role::AllocTres,
        ContentPattern::Tres,
        "memory, gpu and other resources, if ReqTRES is missing",
    ),
    reads("TRESUsageInTot", Role::UsageInTot, ContentPattern::Tres, "used memory"),
    reads("TotalCPU", Role::TotalCpu, ContentPattern::Length, "CPU time"),
    reads("UserCPU", Role::UserCpu, ContentPattern::Length, "CPU time, if TotalCPU is missing"),
    reads("SystemCPU", Role::SystemCpu, ContentPattern::Length, "CPU time, if TotalCPU is missing"),
    // Until 20.02; later versions give it in ReqTRES and AllocTRES.
    reads(
        "ReqGRES",
        Role::ReqGres,
        ContentPattern::Word,
        "gpu and other resources, if ReqTRES and AllocGRES have none of the name",
    ),
    reads(
        "AllocGRES",
        Role::AllocGres,
        ContentPattern::Word,
        "gpu and other resources, if ReqTRES has none of the name",
    ),
    reads(
        "SubmitLine",
        Role::SubmitLine,
        ContentPattern::Free,
        "dependencies (after1, after1_kind, ...), array_limit, exclusive, constraint, nice; gpu, if ReqTRES has none",
    ),
    // The same as NCPUS until 14.11.
    reads("CPUS", Role::Ncpus, ContentPattern::Count, "allocated processors, if AllocCPUS is missing"),
];

/// The columns that are not used, with their content.
#[rustfmt::skip]
static UNUSED: [SacctColumn; 86] = [
    unused("AdminComment", ContentPattern::Free), unused("AssocID", ContentPattern::Count), unused("AveCPU", ContentPattern::Length),
    unused("AveCPUFreq", ContentPattern::Amount), unused("AveDiskRead", ContentPattern::Amount),
    unused("AveDiskWrite", ContentPattern::Amount), unused("AvePages", ContentPattern::Amount), unused("AveRSS", ContentPattern::Amount),
    unused("AveVMSize", ContentPattern::Amount), unused("BlockID", ContentPattern::Word), unused("Comment", ContentPattern::Free),
    unused("ConsumedEnergy", ContentPattern::Amount),
    unused("ConsumedEnergyRaw", ContentPattern::Amount), unused("Container", ContentPattern::Free),
    unused("CPUTime", ContentPattern::Length), unused("CPUTimeRAW", ContentPattern::Length), unused("DBIndex", ContentPattern::Count),
    unused("DerivedExitCode", ContentPattern::ExitCode), unused("DerivedES", ContentPattern::Free),
    unused("ExitCode", ContentPattern::ExitCode), unused("Extra", ContentPattern::Free),
    unused("FailedNode", ContentPattern::Word), unused("GID", ContentPattern::Count),
    unused("HetJobID", ContentPattern::Word), unused("HetJobOffset", ContentPattern::Word), unused("Layout", ContentPattern::Word),
    unused("Licenses", ContentPattern::Word), unused("MaxDiskRead", ContentPattern::Amount),
    unused("MaxDiskReadNode", ContentPattern::Word), unused("MaxDiskReadTask", ContentPattern::Count),
    unused("MaxDiskWrite", ContentPattern::Amount), unused("MaxDiskWriteNode", ContentPattern::Word),
    unused("MaxDiskWriteTask", ContentPattern::Count), unused("MaxPages", ContentPattern::Amount),
    unused("MaxPagesNode", ContentPattern::Word), unused("MaxPagesTask", ContentPattern::Count),
    unused("MaxRSSNode", ContentPattern::Word), unused("MaxRSSTask", ContentPattern::Count), unused("MaxVMSize", ContentPattern::Amount),
    unused("MaxVMSizeNode", ContentPattern::Word), unused("MaxVMSizeTask", ContentPattern::Count),
    unused("McsLabel", ContentPattern::Word), unused("MinCPU", ContentPattern::Length), unused("MinCPUNode", ContentPattern::Word),
    unused("MinCPUTask", ContentPattern::Count), unused("OriginalSLUID", ContentPattern::Word),
    unused("PackJobID", ContentPattern::Word),
    unused("PackJobOffset", ContentPattern::Word), unused("QOSRAW", ContentPattern::Count),
    unused("QOSREQ", ContentPattern::Word), unused("Reason", ContentPattern::Word), unused("ReqCPUFreq", ContentPattern::Word),
    unused("ReqCPUFreqGov", ContentPattern::Word), unused("ReqCPUFreqMax", ContentPattern::Word),
    unused("ReqCPUFreqMin", ContentPattern::Word), unused("ReqReservation", ContentPattern::Word),
    unused("ReservationId", ContentPattern::Word),
    // Renamed in 23.02: from waiting to planning.
    unused("ResvCPU", ContentPattern::Length), unused("ResvCPURAW", ContentPattern::Length),
    unused("PlannedCPU", ContentPattern::Length),
    unused("PlannedCPURAW", ContentPattern::Length), unused("Restarts", ContentPattern::Count),
    unused("SegmentSize", ContentPattern::Count), unused("SLUID", ContentPattern::Word), unused("StdErr", ContentPattern::Free),
    unused("StdIn", ContentPattern::Free), unused("StdOut", ContentPattern::Free),
    unused("SystemComment", ContentPattern::Free), unused("TRESUsageInAve", ContentPattern::Tres),
    unused("TRESUsageInMax", ContentPattern::Tres), unused("TRESUsageInMaxNode", ContentPattern::Tres),
    unused("TRESUsageInMaxTask", ContentPattern::Tres), unused("TRESUsageInMin", ContentPattern::Tres),
    unused("TRESUsageInMinNode", ContentPattern::Tres), unused("TRESUsageInMinTask", ContentPattern::Tres),
    unused("TRESUsageOutAve", ContentPattern::Tres), unused("TRESUsageOutMax", ContentPattern::Tres),
    unused("TRESUsageOutMaxNode", ContentPattern::Tres), unused("TRESUsageOutMaxTask", ContentPattern::Tres),
    unused("TRESUsageOutMin", ContentPattern::Tres), unused("TRESUsageOutMinNode", ContentPattern::Tres),
    unused("TRESUsageOutMinTask", ContentPattern::Tres), unused("TRESUsageOutTot", ContentPattern::Tres),
    unused("WCKey", ContentPattern::Word), unused("WCKeyID", ContentPattern::Count), unused("WorkDir", ContentPattern::Free),
];

#[cfg(test)]
pub(super) fn used() -> impl Iterator<Item = &'static str> {
    USED.iter().map(|column| column.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once_and_every_role_has_one() {
        let all: Vec<&SacctColumn> = USED.iter().chain(&UNUSED).collect();
        for column_here in &all {
            let name = column_here.name;
            let same = all.iter().filter(|other| other.name.eq_ignore_ascii_case(name)).count();
            assert_eq!(same, 1, "{name}");
            assert_eq!(
                column(name.to_uppercase().as_bytes()).map(|found| found.role),
                Some(column_here.role)
            );
        }
        let roles: batchlab_traces::sorted::SortedSet<u8> =
            USED.iter().map(|column| column.role as u8).collect();
        assert_eq!(roles.len(), ROLES);
    }
}
