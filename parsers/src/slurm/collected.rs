//! The columns of `sacct` that the readers use, for a command that writes them all, and what a replay loses without each.

/// A column of `sacct` that a log should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectedColumn {
    /// Its name.
    pub name: &'static str,
    /// Names of columns any of which serves as well.
    pub instead: &'static [&'static str],
    /// What a replay of an installation loses without it; `None` if it changes no schedule.
    pub cost: Option<&'static str>,
}

const fn plain(name: &'static str) -> CollectedColumn {
    CollectedColumn { name, instead: &[], cost: None }
}

const fn needed(name: &'static str, instead: &'static [&'static str], cost: &'static str) -> CollectedColumn {
    CollectedColumn { name, instead, cost: Some(cost) }
}

/// The columns, in the order in which bars and line ends in free texts are resolved best: names, constraints and submit lines lie
/// far apart, and the freest text is last. Percentages compare `slurm-check` with and without the column, in the run of
/// `tests/slurm/runs` that loses most: the share of starts of the closed loop that agree, unless stated otherwise.
pub static COLLECTED: [CollectedColumn; 33] = [
    plain("JobID"),
    plain("JobIDRaw"),
    plain("JobName"),
    needed(
        "User",
        &["UID"],
        "shares and limits of users: the closed loop of a recorded run falls from 94 to 38 %",
    ),
    plain("UID"),
    needed("Account", &["Group"], "shares and limits of accounts: from 99 to 46 %"),
    needed("Partition", &[], "the nodes, limits and tier of each job: from 99 to 42 %"),
    needed("QOS", &[], "priorities, limits and preemption by service class: from 100 to 47 %"),
    plain("State"),
    plain("Submit"),
    needed("Eligible", &[], "when held, requeued and dependent jobs may start: from 99 to 85 %"),
    plain("Start"),
    plain("End"),
    plain("ElapsedRaw"),
    needed("Suspended", &["ElapsedRaw", "Elapsed"], "how long jobs were suspended"),
    needed("TimelimitRaw", &["Timelimit"], "the limits by which reservations are made: from 100 to 41 %"),
    needed("Priority", &[], "the second at which priorities are computed: from 100 to 64 %"),
    needed(
        "Flags",
        &[],
        "which loop started a job, so the second of the cycles: starts within a minute from 85 to 70 %",
    ),
    needed("NNodes", &["ReqNodes"], "how many nodes jobs have"),
    needed("ReqCPUS", &["ReqTRES"], "how many processors jobs ask for"),
    needed("AllocCPUS", &["NCPUS", "CPUS", "AllocTRES"], "how many processors jobs get"),
    needed("ReqMem", &["ReqTRES"], "how much memory jobs ask for"),
    needed(
        "ReqTRES",
        &[],
        "memory, GPUs and licences as they are asked for: starts within a minute from 64 to 59 %",
    ),
    needed("AllocTRES", &["ReqTRES"], "memory and GPUs of jobs whose requests are not known"),
    plain("NTasks"),
    plain("MaxRSS"),
    plain("TRESUsageInTot"),
    plain("TotalCPU"),
    needed(
        "NodeList",
        &[],
        "the nodes on which jobs really ran, so the states of the closed loop: from 99 to 52 %",
    ),
    needed("Constraints", &[], "the features that jobs ask of nodes: from 99 to 44 %"),
    needed("Reservation", &[], "which jobs run in an advance reservation: from 100 to 91 %"),
    plain("Cluster"),
    needed(
        "SubmitLine",
        &[],
        "nodes, tasks and switches as they are asked for, --nice, --exclude, dependencies: from 100 to 39 %",
    ),
];

/// Columns that only versions from 26.05 on have.
pub static OF_LATER_VERSIONS: [&str; 2] = ["Exclusive", "OverSubscribe"];

/// Returns the names of all columns to write, separated by commas. The last one is the freest text.
pub fn collected_names() -> String {
    let names: Vec<&str> = COLLECTED.iter().map(|column| column.name).collect();
    names.join(",")
}

/// Returns the columns that a log lacks, each with its cost in the replay of an installation.
pub(super) fn absent<'n>(names: &(impl Iterator<Item = &'n str> + Clone)) -> Vec<String> {
    let has = |wanted: &str| names.clone().any(|name| name.trim().eq_ignore_ascii_case(wanted));
    let lacks = |one: &CollectedColumn| !has(one.name) && !one.instead.iter().any(|name| has(name));
    let cost = |one: &CollectedColumn| one.cost.map(|cost| format!("{} ({cost})", one.name));
    COLLECTED.iter().filter(|one| lacks(one)).filter_map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::columns::{Role, column, used};

    /// Columns that are read instead of another column, and not collected beside it.
    const STAND_INS: &str = "Group Elapsed Reserved Planned Timelimit NCPUS ReqNodes AllocNodes UserCPU SystemCPU ReqGRES \
        AllocGRES CPUS";

    #[test]
    fn every_column_that_is_read_is_collected_or_stands_in_for_another_one() {
        for name in used() {
            let is_listed = COLLECTED.iter().any(|one| one.name == name) || OF_LATER_VERSIONS.contains(&name);
            assert_ne!(is_listed, STAND_INS.split(' ').any(|one| one == name), "{name}");
        }
        for one in &COLLECTED {
            for name in one.instead.iter().chain([&one.name]) {
                let known = column(name.as_bytes()).unwrap();
                assert_ne!(known.role, Role::Unused, "{name}");
            }
        }
    }

    #[test]
    fn absent_columns_are_named_with_what_they_cost() {
        let all = collected_names();
        assert_eq!(absent(&all.split(',')), Vec::<String>::new());
        let few = "jobid,user,Account,Partition,QOS,Eligible,Suspended,Timelimit,Priority,NNodes,ReqCPUS,NCPUS,ReqTRES,\
                   AllocTRES,NodeList,Constraints,Reservation,SubmitLine";
        assert_eq!(
            absent(&few.split(',')),
            [
                "Flags (which loop started a job, so the second of the cycles: starts within a minute from 85 to 70 %)"
            ]
        );
    }
}
