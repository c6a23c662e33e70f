//! The columns of `sacct`, of all versions, and their destinations.

use self::ContentPattern::{Amount, Count, Empty, ExitCode, Free, Instant, JobId, Length, State, Tres, Word};
use super::destinations as to;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SacctColumn {
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) shape: ContentPattern,
    pub(super) to: &'static str,
}

impl SacctColumn {
    /// Whether an unclear end of its text does no harm: it is not used, or only searched for options.
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

    /// Scores a part of a free text behind a separator. In a constraint, `|` is an operator between features.
    pub(super) fn continues(&self, cell: &[u8]) -> i32 {
        let is_feature =
            || !cell.is_empty() && !cell.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        match self.role {
            Role::Constraints if is_feature() => 1,
            Role::Constraints => -5,
            _ => 0,
        }
    }
}

pub(super) const UNKNOWN: SacctColumn = unused("", Word);
/// The empty column after the last separator of `sacct -p`.
pub(super) const TRAILING: SacctColumn = unused("", Empty);

const fn reads(name: &'static str, role: Role, shape: ContentPattern, to: &'static str) -> SacctColumn {
    SacctColumn { name, role, shape, to }
}

const fn unused(name: &'static str, shape: ContentPattern) -> SacctColumn {
    SacctColumn { name, role: Role::Unused, shape, to: "not used" }
}

pub(super) fn column(name: &[u8]) -> Option<&'static SacctColumn> {
    let known = |columns: &'static [SacctColumn]| {
        columns.iter().find(|column| column.name.as_bytes().eq_ignore_ascii_case(name))
    };
    known(&USED).or_else(|| known(&UNUSED))
}

static USED: [SacctColumn; 48] = [
    reads("JobID", Role::JobId, JobId, "job number, unless JobIDRaw is there; steps"),
    reads("JobIDRaw", Role::JobIdRaw, JobId, "job number"),
    reads("JobName", Role::JobName, Free, "application"),
    reads("User", Role::User, Word, "user"),
    reads("UID", Role::Uid, Count, "user, if User is missing"),
    reads("Account", Role::Account, Word, "group"),
    reads("Group", Role::Group, Word, to::GROUP),
    reads("Partition", Role::Partition, Word, "queue and partition"),
    reads("QOS", Role::Qos, Word, "qos"),
    reads("Priority", Role::Priority, Count, "priority, with --slurm"),
    reads("Constraints", Role::Constraints, Free, "constraint"),
    // From 26.05.
    reads("Exclusive", Role::Exclusive, Word, "exclusive"),
    reads("OverSubscribe", Role::OverSubscribe, Word, "exclusive"),
    reads("Reservation", Role::Reservation, Word, "reservation"),
    reads("Flags", Role::Flags, Word, "started_by: the loop that started it"),
    reads("Cluster", Role::Cluster, Word, "computer"),
    reads("Submit", Role::Submit, Instant, "submit time"),
    reads("Eligible", Role::Eligible, Instant, to::ELIGIBLE),
    reads("Start", Role::Start, Instant, "wait time"),
    reads("End", Role::End, Instant, "run time, if Elapsed is missing"),
    reads("Elapsed", Role::Elapsed, Length, "run time"),
    reads("ElapsedRaw", Role::ElapsedRaw, Length, "run time"),
    reads("Suspended", Role::Suspended, Length, "check: end - start - Elapsed"),
    // Renamed in 23.02.
    reads("Reserved", Role::Planned, Length, "check: which of two hours the start was in"),
    reads("Planned", Role::Planned, Length, "check: which of two hours the start was in"),
    reads("Timelimit", Role::Timelimit, Length, "requested time, if TimelimitRaw is missing"),
    reads("TimelimitRaw", Role::TimelimitRaw, Length, "requested time, min"),
    reads("State", Role::State, State, "status"),
    reads("ReqCPUS", Role::ReqCpus, Count, "requested processors"),
    reads("AllocCPUS", Role::AllocCpus, Count, "allocated processors"),
    reads("NCPUS", Role::Ncpus, Count, "allocated processors, if AllocCPUS is missing"),
    reads("ReqNodes", Role::ReqNodes, Count, "nodes, if NNodes is missing"),
    reads("NNodes", Role::Nnodes, Count, "nodes"),
    reads("AllocNodes", Role::AllocNodes, Count, to::STARTED),
    reads("NodeList", Role::NodeList, Word, to::STARTED),
    // The request of a node or a processor up to 21.08, of the job in later versions.
    reads("ReqMem", Role::ReqMem, Amount, "memory, if ReqTRES is missing"),
    reads("MaxRSS", Role::MaxRss, Amount, "used memory, if TRESUsageInTot is missing"),
    reads("NTasks", Role::Ntasks, Count, "used memory: MaxRSS is that of one task"),
    reads("ReqTRES", Role::ReqTres, Tres, "memory, gpu and other resources"),
    reads("AllocTRES", Role::AllocTres, Tres, "memory, gpu and other resources, if ReqTRES is missing"),
    reads("TRESUsageInTot", Role::UsageInTot, Tres, "used memory"),
    reads("TotalCPU", Role::TotalCpu, Length, "CPU time"),
    reads("UserCPU", Role::UserCpu, Length, "CPU time, if TotalCPU is missing"),
    reads("SystemCPU", Role::SystemCpu, Length, "CPU time, if TotalCPU is missing"),
    // Until 20.02; later versions give it in ReqTRES and AllocTRES.
    reads(
        "ReqGRES",
        Role::ReqGres,
        Word,
        "gpu and other resources, if ReqTRES and AllocGRES have none of the name",
    ),
    reads("AllocGRES", Role::AllocGres, Word, "gpu and other resources, if ReqTRES has none of the name"),
    reads(
        "SubmitLine",
        Role::SubmitLine,
        Free,
        "dependencies (after1, after1_kind, ...), array_limit, exclusive, constraint, nice; gpu, if ReqTRES has none",
    ),
    // The same as NCPUS until 14.11.
    reads("CPUS", Role::Ncpus, Count, "allocated processors, if AllocCPUS is missing"),
];

/// The columns that are not used, with their content.
#[rustfmt::skip]
static UNUSED: [SacctColumn; 86] = [
    unused("AdminComment", Free), unused("AssocID", Count), unused("AveCPU", Length), unused("AveCPUFreq", Amount),
    unused("AveDiskRead", Amount), unused("AveDiskWrite", Amount), unused("AvePages", Amount), unused("AveRSS", Amount),
    unused("AveVMSize", Amount), unused("BlockID", Word), unused("Comment", Free), unused("ConsumedEnergy", Amount),
    unused("ConsumedEnergyRaw", Amount), unused("Container", Free), unused("CPUTime", Length),
    unused("CPUTimeRAW", Length), unused("DBIndex", Count), unused("DerivedExitCode", ExitCode), unused("DerivedES", Free),
    unused("ExitCode", ExitCode), unused("Extra", Free), unused("FailedNode", Word), unused("GID", Count),
    unused("HetJobID", Word), unused("HetJobOffset", Word), unused("Layout", Word), unused("Licenses", Word),
    unused("MaxDiskRead", Amount), unused("MaxDiskReadNode", Word), unused("MaxDiskReadTask", Count),
    unused("MaxDiskWrite", Amount), unused("MaxDiskWriteNode", Word), unused("MaxDiskWriteTask", Count),
    unused("MaxPages", Amount), unused("MaxPagesNode", Word), unused("MaxPagesTask", Count), unused("MaxRSSNode", Word),
    unused("MaxRSSTask", Count), unused("MaxVMSize", Amount), unused("MaxVMSizeNode", Word),
    unused("MaxVMSizeTask", Count), unused("McsLabel", Word), unused("MinCPU", Length), unused("MinCPUNode", Word),
    unused("MinCPUTask", Count), unused("OriginalSLUID", Word), unused("PackJobID", Word), unused("PackJobOffset", Word),
    unused("QOSRAW", Count), unused("QOSREQ", Word), unused("Reason", Word), unused("ReqCPUFreq", Word),
    unused("ReqCPUFreqGov", Word), unused("ReqCPUFreqMax", Word), unused("ReqCPUFreqMin", Word),
    unused("ReqReservation", Word), unused("ReservationId", Word),
    // Renamed in 23.02: from waiting to planning.
    unused("ResvCPU", Length), unused("ResvCPURAW", Length), unused("PlannedCPU", Length), unused("PlannedCPURAW", Length),
    unused("Restarts", Count), unused("SegmentSize", Count), unused("SLUID", Word), unused("StdErr", Free),
    unused("StdIn", Free), unused("StdOut", Free), unused("SystemComment", Free), unused("TRESUsageInAve", Tres),
    unused("TRESUsageInMax", Tres), unused("TRESUsageInMaxNode", Tres), unused("TRESUsageInMaxTask", Tres),
    unused("TRESUsageInMin", Tres), unused("TRESUsageInMinNode", Tres), unused("TRESUsageInMinTask", Tres),
    unused("TRESUsageOutAve", Tres), unused("TRESUsageOutMax", Tres), unused("TRESUsageOutMaxNode", Tres),
    unused("TRESUsageOutMaxTask", Tres), unused("TRESUsageOutMin", Tres), unused("TRESUsageOutMinNode", Tres),
    unused("TRESUsageOutMinTask", Tres), unused("TRESUsageOutTot", Tres), unused("WCKey", Word), unused("WCKeyID", Count),
    unused("WorkDir", Free),
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
