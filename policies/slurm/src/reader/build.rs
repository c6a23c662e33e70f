//! An installation from the statements of its files.

use std::collections::BTreeMap;

use crate::site::{
    ParameterNote, PreemptBy, PreemptMode, PriorityType, Scheduler, Select, SelectUnit, SlurmPreemption,
    SlurmSystem, SlurmVersion,
};
use batchlab_parsers::slurm::{Bound, limit};
use batchlab_traces::located::LocatedError;
use batchlab_traces::nearest::{likeness, meant};
use batchlab_traces::{Example, Findings, SourcePlace, Time};

use super::file::SystemError;
use super::grammar::{Pair, Statement};
use super::partitions::{Hardware, unsupported, value};
use super::priority::priority;
use super::recognise::foreign;
use super::reservations::reservation;
use super::sacctmgr::Accounts;
use super::topology::topology;
use super::{kinds, values};

/// The settings that are followed; a name close to one of them is taken for a misspelling.
pub(super) const FOLLOWED: &[&str] = &[
    "SchedulerType",
    "SchedulerParameters",
    "SchedulerTimeSlice",
    "SelectType",
    "SelectTypeParameters",
    "TopologyParam",
    "TopologyPlugin",
    "PreemptExemptTime",
    "PreemptMode",
    "PreemptParameters",
    "PreemptType",
    "PriorityType",
    "PriorityWeightAge",
    "PriorityWeightAssoc",
    "PriorityWeightFairshare",
    "PriorityWeightJobSize",
    "PriorityWeightPartition",
    "PriorityWeightQOS",
    "PriorityWeightTRES",
    "PriorityMaxAge",
    "PriorityDecayHalfLife",
    "PriorityCalcPeriod",
    "PriorityUsageResetPeriod",
    "PriorityFavorSmall",
    "PriorityFlags",
    "PriorityParameters",
    "PrioritySiteFactorPlugin",
    "PrioritySiteFactorParameters",
    "FairShareDampeningFactor",
    "JobRequeue",
    "KillWait",
    "Licenses",
    "OverTimeLimit",
    "SLURM_VERSION",
    "SlurmVersion",
];

/// Settings that are not followed, with the values that change nothing and what others would change.
const UNSUPPORTED: &[(&str, &[&str], &str)] = &[
    (
        "topologyplugin",
        &["", "topology/none", "topology/default", "topology/flat", "topology/tree"],
        "jobs would be placed by the topology of the network",
    ),
    ("prioritysitefactorplugin", &["", "site_factor/none"], "the plug-in would add to priorities"),
    ("jobsubmitplugins", &[""], "jobs would be changed as they are submitted; the log shows them after that"),
    ("completewait", &["0", "0 sec", ""], "no job would start while others complete"),
    ("dependencyparameters", &[""], "jobs with failed dependencies would be cancelled"),
];

/// What becomes of jobs that Slurm would suspend.
const KEPT: &str = "running jobs would be paused for others; in the replay they keep their nodes";

/// Statements by what they are about.
#[derive(Default)]
struct Sorted<'a> {
    hardware: Hardware,
    settings: BTreeMap<&'a str, &'a Pair>,
    /// Those that may use nodes that are defined after them.
    later: Vec<&'a Statement>,
}

impl<'a> Sorted<'a> {
    fn of(statements: &'a [Statement], findings: &mut Findings) -> Result<Sorted<'a>, SystemError> {
        let mut sorted = Sorted::default();
        // Nodes may be taken out before or after they are defined.
        let head = |statement: &Statement| statement.pairs.first().map(|pair| pair.key.clone());
        for statement in statements.iter().filter(|line| head(line).as_deref() == Some("downnodes")) {
            sorted.hardware.down_line(statement)?;
        }
        for statement in statements {
            match head(statement).as_deref() {
                Some("nodename") => sorted.node(statement, findings)?,
                Some("downnodes") => {}
                Some("partitionname" | "nodeset" | "reservationname" | "switchname") => {
                    sorted.later.push(statement);
                }
                _ => statement.pairs.iter().try_for_each(|pair| sorted.setting(pair, findings))?,
            }
        }
        Ok(sorted)
    }

    /// Takes a line of nodes, unless it is of another file.
    fn node(&mut self, statement: &Statement, findings: &mut Findings) -> Result<(), SystemError> {
        let Some(what) = foreign(statement.pairs.iter().map(|pair| pair.key.as_str())) else {
            return self.hardware.node_line(statement, findings);
        };
        let place = Some(statement.place.clone());
        Ok(findings.report(&kinds::UNREAD, || Example { place, detail: what.to_owned() })?)
    }

    /// Takes a setting; the last one of a key holds.
    fn setting(&mut self, pair: &'a Pair, findings: &mut Findings) -> Result<(), SystemError> {
        let before = self.settings.insert(&pair.key, pair);
        let follows = FOLLOWED.iter().any(|name| name.eq_ignore_ascii_case(&pair.key));
        let Some(other) = before.filter(|other| follows && !is_same(&other.value, &pair.value)) else {
            return Ok(());
        };
        let example = || Example {
            place: Some(pair.place.clone()),
            detail: format!("{}={} and {}", pair.written, other.value, pair.value),
        };
        Ok(findings.report(&kinds::TWICE, example)?)
    }
}

/// Reports the partitions and QOS whose jobs Slurm would suspend and a replay does not.
fn report_paused(system: &SlurmSystem, findings: &mut Findings) -> Result<(), SystemError> {
    if system.suspends() || system.preemption.is_none() {
        return Ok(());
    }
    let of_partitions = system.partitions.iter().map(|known| (&known.name, known.preempt_mode, &known.place));
    let of_classes = system.qos.iter().map(|known| (&known.name, known.preempt_mode, &known.place));
    let paused = of_partitions.chain(of_classes).filter(|(_, mode, _)| *mode == Some(PreemptMode::Suspend));
    for (name, _, place) in paused {
        findings.report(&kinds::UNSUPPORTED, || Example {
            place: Some(place.clone()),
            detail: format!("PreemptMode=SUSPEND of {name}: {KEPT}"),
        })?;
    }
    Ok(())
}

/// Makes the installation.
pub(super) fn system(
    statements: &[Statement],
    accounts: Accounts,
    begin: Option<SourcePlace>,
    findings: &mut Findings,
) -> Result<SlurmSystem, SystemError> {
    let Sorted { mut hardware, settings, later } = Sorted::of(statements, findings)?;
    let mut reservations = Vec::new();
    // Sets may be defined after the partitions that use them.
    for head in ["nodeset", "partitionname", "reservationname"] {
        for statement in later.iter().filter(|statement| statement.pairs[0].key == head) {
            match head {
                "nodeset" => hardware.set_line(statement, findings)?,
                "partitionname" => hardware.partition_line(statement, findings)?,
                _ => reservations.push(reservation(statement, &mut hardware, findings)?),
            }
        }
    }
    let place = statements.first().map(|statement| statement.place.clone()).or(begin);
    if hardware.nodes.is_empty()
        && let Some(place) = place
    {
        let what = "no NodeName line: a twin needs the nodes; give slurm.conf with --slurm".into();
        return Err(LocatedError { place, what }.into());
    }
    let settings = ConfSettings(settings);
    let switches: Vec<&Statement> =
        later.iter().copied().filter(|statement| statement.pairs[0].key == "switchname").collect();
    let topology = topology(&switches, &settings, &mut hardware, findings)?;
    let version = version(&settings, findings, statements)?;
    let select = select(&settings, version, findings)?;
    let mut system = SlurmSystem {
        version,
        scheduler: scheduler(&settings, version, findings)?,
        priority: priority(&settings, version, findings)?,
        select,
        nodes: hardware.nodes,
        partitions: hardware.partitions,
        associations: accounts.associations,
        shares: accounts.usage,
        qos: accounts.qos,
        memory_each: settings.get("defmempercpu").is_some_and(|pair| values::is_above_zero(&pair.value)),
        enforces_limits: enforces(settings.text("accountingstorageenforce")),
        licences: settings.read("licenses", values::licences, findings)?.unwrap_or_default(),
        preemption: preemption(&settings, select.whole_nodes, findings)?,
        no_requeue: settings.get("jobrequeue").is_some_and(|pair| pair.value.trim() == "0"),
        reservations,
        topology,
        kill_wait: settings.read("killwait", values::seconds, findings)?.unwrap_or(Time::from_secs(30)),
        over_time_limit: Time::ZERO,
        place: statements.first().map(|statement| statement.place.clone()),
    };
    report_paused(&system, findings)?;
    if let Some(limit) = settings.read("overtimelimit", limit, findings)? {
        system.over_time_limit = limit.most().unwrap_or(Time::ZERO);
    }
    for (key, plain, effect) in UNSUPPORTED {
        let Some(pair) = settings.get(key) else { continue };
        if !plain.contains(&pair.value.to_ascii_lowercase().as_str()) {
            unsupported(findings, pair, effect)?;
        }
    }
    misspelt(&settings, findings)?;
    report_no_shares(&system, findings)?;
    Ok(system)
}

/// Reports that jobs are ranked by shares that no file tells.
fn report_no_shares(system: &SlurmSystem, findings: &mut Findings) -> Result<(), SystemError> {
    let shares = system.priority.kind == PriorityType::Multifactor && system.priority.weights.fairshare > 0.0;
    if shares && system.associations.is_empty() {
        let detail = "PriorityWeightFairshare is above 0".into();
        findings.report(&kinds::NO_ASSOCIATIONS, || Example { place: None, detail })?;
    }
    Ok(())
}

/// Whether two values say the same: in any case, in any order of a list, with or without a unit that goes without saying.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let text = text.to_ascii_lowercase();
        let text = text.trim_end_matches(" sec").trim_end_matches(" min");
        let mut parts: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        parts.sort_unstable();
        parts
    };
    plain(one) == plain(other)
}

/// Whether limits hold.
fn enforces(text: &str) -> bool {
    text.to_ascii_lowercase().split(',').any(|word| ["limits", "safe", "all"].contains(&word.trim()))
}

/// The settings by their names in lower case; the last one of a name.
pub(super) struct ConfSettings<'a>(BTreeMap<&'a str, &'a Pair>);

impl<'a> ConfSettings<'a> {
    pub(super) fn get(&self, key: &str) -> Option<&'a Pair> {
        self.0.get(key).copied()
    }

    pub(super) fn text(&self, key: &str) -> &'a str {
        self.get(key).map_or("", |pair| pair.value.trim())
    }

    /// Reads a value; one that cannot be read is reported, and counts as not given.
    pub(super) fn read<T>(
        &self,
        key: &str,
        reads: impl Fn(&str) -> Option<T>,
        findings: &mut Findings,
    ) -> Result<Option<T>, SystemError> {
        let Some(pair) = self.get(key).filter(|pair| !pair.value.trim().is_empty()) else { return Ok(None) };
        let read = reads(&pair.value);
        if read.is_none() {
            value(findings, pair)?;
        }
        Ok(read)
    }
}

fn version(
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
    statements: &[Statement],
) -> Result<SlurmVersion, SystemError> {
    for key in ["slurm_version", "slurmversion"] {
        if let Some(version) = settings.read(key, SlurmVersion::parse, findings)? {
            return Ok(version);
        }
    }
    let version = SlurmVersion::default();
    let place = statements.first().map(|statement| statement.place.clone());
    findings.report(&kinds::VERSION, || Example { place, detail: format!("{version}") })?;
    Ok(version)
}

fn scheduler(
    settings: &ConfSettings<'_>,
    version: SlurmVersion,
    findings: &mut Findings,
) -> Result<Scheduler, SystemError> {
    let mut scheduler = Scheduler::of_version(version);
    if let Some(pair) = settings.get("schedulerparameters") {
        for note in scheduler.set(&pair.value) {
            let (kind, detail) = match note {
                ParameterNote::Unknown(detail) => (&kinds::UNKNOWN, detail),
                ParameterNote::Unsupported(detail) => (&kinds::UNSUPPORTED, detail),
                ParameterNote::Value(detail) => (&kinds::VALUE, detail),
            };
            findings.report(kind, || Example {
                place: Some(pair.place.clone()),
                detail: format!("SchedulerParameters: {detail}"),
            })?;
        }
    }
    match settings.get("schedulertype") {
        Some(pair) if pair.value.eq_ignore_ascii_case("sched/builtin") => scheduler.backfill.interval = None,
        Some(pair) if !pair.value.eq_ignore_ascii_case("sched/backfill") => {
            unsupported(findings, pair, "another program would schedule; sched/backfill is replayed")?;
        }
        _ => {}
    }
    Ok(scheduler)
}

fn select(
    settings: &ConfSettings<'_>,
    version: SlurmVersion,
    findings: &mut Findings,
) -> Result<Select, SystemError> {
    let parameters = settings.text("selecttypeparameters").to_ascii_uppercase();
    let has = |word: &str| parameters.split(',').any(|part| part.trim() == word);
    let whole_nodes = match settings.text("selecttype").to_ascii_lowercase().as_str() {
        "" => !version.from(23, 11),
        "select/linear" => true,
        "select/cons_res" | "select/cons_tres" => false,
        _ => {
            if let Some(pair) = settings.get("selecttype") {
                unsupported(
                    findings,
                    pair,
                    "nodes would be selected by another plug-in; select/cons_tres is replayed",
                )?;
            }
            false
        }
    };
    if let Some(pair) = settings.get("selecttypeparameters")
        && has("CR_PACK_NODES")
    {
        unsupported(findings, pair, "jobs would be packed on as few nodes as possible")?;
    }
    let unit = match () {
        () if has("CR_SOCKET") || has("CR_SOCKET_MEMORY") => SelectUnit::Socket,
        () if has("CR_CPU") || has("CR_CPU_MEMORY") => SelectUnit::Cpu,
        () => SelectUnit::Core,
    };
    let memory = parameters.split(',').any(|part| part.trim().ends_with("MEMORY"));
    let (least_loaded, one_task) = (has("CR_LLN"), has("CR_ONE_TASK_PER_CORE"));
    Ok(Select { whole_nodes, memory, least_loaded, one_task, unit })
}

/// Reads how running jobs are preempted. The options were part of `SchedulerParameters` until 23.02.
fn preemption(
    settings: &ConfSettings<'_>,
    whole_nodes: bool,
    findings: &mut Findings,
) -> Result<Option<SlurmPreemption>, SystemError> {
    let mode = settings.read("preemptmode", PreemptMode::parse, findings)?.unwrap_or_default();
    let exempt = settings.read("preemptexempttime", limit, findings)?;
    let by = match settings.get("preempttype") {
        None => return Ok(None),
        Some(pair) => match pair.value.to_ascii_lowercase().as_str() {
            "" | "preempt/none" => return Ok(None),
            "preempt/partition_prio" => PreemptBy::Partition,
            "preempt/qos" => PreemptBy::Qos,
            _ => {
                unsupported(findings, pair, "another plug-in would preempt jobs; none is preempted")?;
                return Ok(None);
            }
        },
    };
    if let Some(pair) = settings.get("preemptmode") {
        if mode == PreemptMode::Suspend && (by == PreemptBy::Qos || whole_nodes) {
            unsupported(findings, pair, KEPT)?;
        }
        if pair.value.to_ascii_uppercase().contains("WITHIN") {
            unsupported(findings, pair, "jobs would preempt others of their own QOS")?;
        }
    }
    let options = format!("{},{}", settings.text("schedulerparameters"), settings.text("preemptparameters"));
    let options = options.to_ascii_lowercase();
    let reorders = ["preempt_reorder_count=", "reorder_count="].iter().find_map(|name| {
        let (_, rest) = options.split_once(name)?;
        rest.split(',').next()?.trim().parse().ok()
    });
    Ok((mode != PreemptMode::Off).then(|| SlurmPreemption {
        by,
        mode,
        exempt: exempt.and_then(Bound::most).unwrap_or(Time::ZERO),
        youngest_first: options.contains("youngest_first"),
        strict_order: options.contains("strict_order"),
        reorders: reorders.unwrap_or(1),
    }))
}

/// Whether anything of a statement is followed.
pub(super) fn is_followed(statement: &Statement) -> bool {
    const HEADS: [&str; 5] = ["nodename", "partitionname", "nodeset", "reservationname", "switchname"];
    const OTHERS: [&str; 1] = ["accountingstorageenforce"];
    statement.pairs.iter().any(|pair| {
        let is = |name: &&str| name.eq_ignore_ascii_case(&pair.key);
        HEADS.contains(&pair.key.as_str())
            || OTHERS.contains(&pair.key.as_str())
            || FOLLOWED.iter().any(is)
            || UNSUPPORTED.iter().any(|(name, ..)| is(name))
    })
}

/// Reports settings that look like misspellings of followed ones.
fn misspelt(settings: &ConfSettings<'_>, findings: &mut Findings) -> Result<(), SystemError> {
    for pair in settings.0.values() {
        let is_key = |name: &&str| name.eq_ignore_ascii_case(&pair.key);
        let like = |name: &&&str| likeness(&pair.key, &name.to_ascii_lowercase()) > 0.96;
        if FOLLOWED.iter().any(is_key) {
            continue;
        }
        if let Some(name) = FOLLOWED.iter().find(like) {
            let detail = || format!("{}{}", pair.written, meant(Some(name)));
            findings
                .report(&kinds::UNKNOWN, || Example { place: Some(pair.place.clone()), detail: detail() })?;
        }
    }
    Ok(())
}
