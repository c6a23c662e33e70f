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
pub(super) enum Shape {
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
pub(super) struct Column {
    /// The name as the heading spells it.
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) shape: Shape,
    /// The destination.
    pub(super) to: &'static str,
}

impl Column {
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
pub(super) const UNKNOWN: Column = unused("", Shape::Word);
/// The empty column after the last separator of `sacct -p`.
pub(super) const TRAILING: Column = unused("", Shape::Empty);

const fn used(name: &'static str, role: Role, shape: Shape, to: &'static str) -> Column {
    Column { name, role, shape, to }
}

const fn unused(name: &'static str, shape: Shape) -> Column {
    Column { name, role: Role::Unused, shape, to: "not used" }
}

/// Returns the column of a name, in any case.
pub(super) fn column(name: &[u8]) -> Option<&'static Column> {
    let known = |columns: &'static [Column]| {
        columns.iter().find(|column| column.name.as_bytes().eq_ignore_ascii_case(name))
    };
    known(&USED).or_else(|| known(&UNUSED))
}

/// The columns that are used.
static USED: [Column; 48] = [
    used("JobID", Role::JobId, Shape::JobId, "job number, unless JobIDRaw is there; steps"),
    used("JobIDRaw", Role::JobIdRaw, Shape::JobId, "job number"),
    used("JobName", Role::JobName, Shape::Free, "application"),
    used("User", Role::User, Shape::Word, "user"),
    used("UID", Role::Uid, Shape::Count, "user, if User is missing"),
    used("Account", Role::Account, Shape::Word, "group"),
    used("Group", Role::Group, Shape::Word, to::GROUP),
    used("Partition", Role::Partition, Shape::Word, "queue and partition"),
    used("QOS", Role::Qos, Shape::Word, "qos"),
    used("Priority", Role::Priority, Shape::Count, "priority, with --slurm"),
    used("Constraints", Role::Constraints, Shape::Free, "constraint"),
    // From 26.05.
    used("Exclusive", Role::Exclusive, Shape::Word, "exclusive"),
    used("OverSubscribe", Role::OverSubscribe, Shape::Word, "exclusive"),
    used("Reservation", Role::Reservation, Shape::Word, "reservation"),
    used("Flags", Role::Flags, Shape::Word, "started_by: the loop that started it"),
    used("Cluster", Role::Cluster, Shape::Word, "computer"),
    used("Submit", Role::Submit, Shape::Instant, "submit time"),
    used("Eligible", Role::Eligible, Shape::Instant, to::ELIGIBLE),
    used("Start", Role::Start, Shape::Instant, "wait time"),
    used("End", Role::End, Shape::Instant, "run time, if Elapsed is missing"),
    used("Elapsed", Role::Elapsed, Shape::Length, "run time"),
    used("ElapsedRaw", Role::ElapsedRaw, Shape::Length, "run time"),
    used("Suspended", Role::Suspended, Shape::Length, "check: end - start - Elapsed"),
    // Renamed in 23.02.
    used("Reserved", Role::Planned, Shape::Length, "check: which of two hours the start was in"),
    used("Planned", Role::Planned, Shape::Length, "check: which of two hours the start was in"),
    used("Timelimit", Role::Timelimit, Shape::Length, "requested time, if TimelimitRaw is missing"),
    used("TimelimitRaw", Role::TimelimitRaw, Shape::Length, "requested time, min"),
    used("State", Role::State, Shape::State, "status"),
    used("ReqCPUS", Role::ReqCpus, Shape::Count, "requested processors"),
    used("AllocCPUS", Role::AllocCpus, Shape::Count, "allocated processors"),
    used("NCPUS", Role::Ncpus, Shape::Count, "allocated processors, if AllocCPUS is missing"),
    used("ReqNodes", Role::ReqNodes, Shape::Count, "nodes, if NNodes is missing"),
    used("NNodes", Role::Nnodes, Shape::Count, "nodes"),
    used("AllocNodes", Role::AllocNodes, Shape::Count, to::STARTED),
    used("NodeList", Role::NodeList, Shape::Word, to::STARTED),
    // The request of a node or a processor up to 21.08, of the job in later versions.
    used("ReqMem", Role::ReqMem, Shape::Amount, "memory, if ReqTRES is missing"),
    used("MaxRSS", Role::MaxRss, Shape::Amount, "used memory, if TRESUsageInTot is missing"),
    used("NTasks", Role::Ntasks, Shape::Count, "used memory: MaxRSS is that of one task"),
    used("ReqTRES", Role::ReqTres, Shape::Tres, "memory, gpu and other resources"),
    used("AllocTRES", Role::AllocTres, Shape::Tres, "memory, gpu and other resources, if ReqTRES is missing"),
    used("TRESUsageInTot", Role::UsageInTot, Shape::Tres, "used memory"),
    used("TotalCPU", Role::TotalCpu, Shape::Length, "CPU time"),
    used("UserCPU", Role::UserCpu, Shape::Length, "CPU time, if TotalCPU is missing"),
    used("SystemCPU", Role::SystemCpu, Shape::Length, "CPU time, if TotalCPU is missing"),
    // Until 20.02; later versions give it in ReqTRES and AllocTRES.
    used(
        "ReqGRES",
        Role::ReqGres,
        Shape::Word,
        "gpu and other resources of each node, if ReqTRES has none of the name",
    ),
    used(
        "AllocGRES",
        Role::AllocGres,
        Shape::Word,
        "gpu and other resources, if ReqTRES has none of the name",
    ),
    used(
        "SubmitLine",
        Role::SubmitLine,
        Shape::Free,
        "dependencies (after1, after1_kind, ...), array_limit, exclusive, constraint, nice; gpu, if ReqTRES has none",
    ),
    // The same as NCPUS until 14.11.
    used("CPUS", Role::Ncpus, Shape::Count, "allocated processors, if AllocCPUS is missing"),
];

/// The columns that are not used, with their content.
#[rustfmt::skip]
static UNUSED: [Column; 86] = [
    unused("AdminComment", Shape::Free), unused("AssocID", Shape::Count), unused("AveCPU", Shape::Length),
    unused("AveCPUFreq", Shape::Amount), unused("AveDiskRead", Shape::Amount),
    unused("AveDiskWrite", Shape::Amount), unused("AvePages", Shape::Amount), unused("AveRSS", Shape::Amount),
    unused("AveVMSize", Shape::Amount), unused("BlockID", Shape::Word), unused("Comment", Shape::Free),
    unused("ConsumedEnergy", Shape::Amount),
    unused("ConsumedEnergyRaw", Shape::Amount), unused("Container", Shape::Free),
    unused("CPUTime", Shape::Length), unused("CPUTimeRAW", Shape::Length), unused("DBIndex", Shape::Count),
    unused("DerivedExitCode", Shape::ExitCode), unused("DerivedES", Shape::Free),
    unused("ExitCode", Shape::ExitCode), unused("Extra", Shape::Free),
    unused("FailedNode", Shape::Word), unused("GID", Shape::Count),
    unused("HetJobID", Shape::Word), unused("HetJobOffset", Shape::Word), unused("Layout", Shape::Word),
    unused("Licenses", Shape::Word), unused("MaxDiskRead", Shape::Amount),
    unused("MaxDiskReadNode", Shape::Word), unused("MaxDiskReadTask", Shape::Count),
    unused("MaxDiskWrite", Shape::Amount), unused("MaxDiskWriteNode", Shape::Word),
    unused("MaxDiskWriteTask", Shape::Count), unused("MaxPages", Shape::Amount),
    unused("MaxPagesNode", Shape::Word), unused("MaxPagesTask", Shape::Count),
    unused("MaxRSSNode", Shape::Word), unused("MaxRSSTask", Shape::Count), unused("MaxVMSize", Shape::Amount),
    unused("MaxVMSizeNode", Shape::Word), unused("MaxVMSizeTask", Shape::Count),
    unused("McsLabel", Shape::Word), unused("MinCPU", Shape::Length), unused("MinCPUNode", Shape::Word),
    unused("MinCPUTask", Shape::Count), unused("OriginalSLUID", Shape::Word),
    unused("PackJobID", Shape::Word),
    unused("PackJobOffset", Shape::Word), unused("QOSRAW", Shape::Count),
    unused("QOSREQ", Shape::Word), unused("Reason", Shape::Word), unused("ReqCPUFreq", Shape::Word),
    unused("ReqCPUFreqGov", Shape::Word), unused("ReqCPUFreqMax", Shape::Word),
    unused("ReqCPUFreqMin", Shape::Word), unused("ReqReservation", Shape::Word),
    unused("ReservationId", Shape::Word),
    // Renamed in 23.02: from waiting to planning.
    unused("ResvCPU", Shape::Length), unused("ResvCPURAW", Shape::Length),
    unused("PlannedCPU", Shape::Length),
    unused("PlannedCPURAW", Shape::Length), unused("Restarts", Shape::Count),
    unused("SegmentSize", Shape::Count), unused("SLUID", Shape::Word), unused("StdErr", Shape::Free),
    unused("StdIn", Shape::Free), unused("StdOut", Shape::Free),
    unused("SystemComment", Shape::Free), unused("TRESUsageInAve", Shape::Tres),
    unused("TRESUsageInMax", Shape::Tres), unused("TRESUsageInMaxNode", Shape::Tres),
    unused("TRESUsageInMaxTask", Shape::Tres), unused("TRESUsageInMin", Shape::Tres),
    unused("TRESUsageInMinNode", Shape::Tres), unused("TRESUsageInMinTask", Shape::Tres),
    unused("TRESUsageOutAve", Shape::Tres), unused("TRESUsageOutMax", Shape::Tres),
    unused("TRESUsageOutMaxNode", Shape::Tres), unused("TRESUsageOutMaxTask", Shape::Tres),
    unused("TRESUsageOutMin", Shape::Tres), unused("TRESUsageOutMinNode", Shape::Tres),
    unused("TRESUsageOutMinTask", Shape::Tres), unused("TRESUsageOutTot", Shape::Tres),
    unused("WCKey", Shape::Word), unused("WCKeyID", Shape::Count), unused("WorkDir", Shape::Free),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once_and_every_role_has_one() {
        let all: Vec<&Column> = USED.iter().chain(&UNUSED).collect();
        for column_here in &all {
            let name = column_here.name;
            let same = all.iter().filter(|other| other.name.eq_ignore_ascii_case(name)).count();
            assert_eq!(same, 1, "{name}");
            assert_eq!(
                column(name.to_uppercase().as_bytes()).map(|found| found.role),
                Some(column_here.role)
            );
        }
        let roles: std::collections::BTreeSet<u8> = USED.iter().map(|column| column.role as u8).collect();
        assert_eq!(roles.len(), ROLES);
    }
}
