//! An installation from the statements of its files.

use crate::site::{
    ParameterNote, PreemptBy, PreemptMode, PriorityType, Scheduler, Select, SelectUnit, SlurmPreemption,
    SlurmSystem, SlurmVersion,
};
use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::Bound;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Example, Findings, SourcePlace, Time};

use super::file::{SystemError, example};
use super::grammar::{Pair, Statement};
use super::judge::report;
use super::known::{FOLLOWED, home};
use super::partitions::{Hardware, unsupported};
use super::priority::priority;
use super::recognise::foreign;
use super::reservations::reservation;
use super::sacctmgr::Accounts;
use super::settings::ConfSettings;
use super::topology::topology;
use super::{kinds, shown, values};

/// What becomes of jobs that Slurm would suspend.
const KEPT: &str = "running jobs would be paused for others; in the replay they keep their nodes";

#[derive(Default)]
struct Sorted<'a> {
    hardware: Hardware,
    settings: SortedMap<&'a str, &'a Pair>,
    /// The statements that may use nodes that are defined after them.
    later: Vec<&'a Statement>,
    /// Nodes of `scontrol show node`: they come after the nodes of `slurm.conf`.
    shown: Vec<&'a Statement>,
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
                Some("nodename") if shown::is_node(statement) => sorted.shown.push(statement),
                Some("nodename") => sorted.node(statement, findings)?,
                Some("downnodes") => {}
                Some("partitionname" | "nodeset" | "reservationname" | "switchname") => {
                    sorted.later.push(statement);
                }
                _ => statement.pairs.iter().try_for_each(|pair| sorted.setting(pair, findings))?,
            }
        }
        for statement in sorted.shown.clone() {
            sorted.node(statement, findings)?;
        }
        Ok(sorted)
    }

    /// Takes a line of nodes, unless it is of another file.
    fn node(&mut self, statement: &Statement, findings: &mut Findings) -> Result<(), SystemError> {
        let Some(what) = foreign(statement.pairs.iter().map(|pair| pair.key.as_str())) else {
            return if shown::is_node(statement) {
                self.hardware.shown_node(statement, findings)
            } else {
                self.hardware.node_line(statement, findings)
            };
        };
        let place = Some(statement.place.clone());
        Ok(findings.report(&kinds::UNREAD, || Example { place, detail: what.to_owned() })?)
    }

    /// Takes a setting; the last setting of a key holds.
    fn setting(&mut self, pair: &'a Pair, findings: &mut Findings) -> Result<(), SystemError> {
        let before = self.settings.insert(&pair.key, pair);
        // For the words of this setting, `scontrol` prints the words that they imply, too.
        let follows = pair.key != "accountingstorageenforce"
            && FOLLOWED.iter().any(|name| name.eq_ignore_ascii_case(&pair.key));
        let Some(other) = before.filter(|other| follows && !is_same(&other.value, &pair.value)) else {
            return Ok(());
        };
        let detail = || format!("{}=`{}` and `{}`", pair.written, other.value, pair.value);
        Ok(findings.report(&kinds::TWICE, || example(&pair.place, detail()))?)
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
        let detail = || format!("PreemptMode=SUSPEND of `{name}`: {KEPT}");
        findings.report(&kinds::UNSUPPORTED, || example(place, detail()))?;
    }
    Ok(())
}

fn asleep_after(settings: &ConfSettings<'_>) -> Option<Time> {
    settings.get("suspendtime").and_then(|pair| values::above_zero(&pair.value)).map(Time::from_secs)
}

fn rewrites(settings: &ConfSettings<'_>) -> bool {
    let is_named = |value: &str| !["", "(null)"].contains(&value.trim_matches('"').trim());
    settings.get("jobsubmitplugins").is_some_and(|pair| is_named(&pair.value))
}

pub(super) fn system(
    statements: &[Statement],
    accounts: Accounts,
    begin: Option<SourcePlace>,
    findings: &mut Findings,
) -> Result<SlurmSystem, SystemError> {
    let Sorted { mut hardware, settings, mut later, shown: of_nodes } = Sorted::of(statements, findings)?;
    let named = named_only(&later, of_nodes, findings)?;
    later.extend(&named);
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
    if let Some(place) = place.filter(|_| hardware.nodes.is_empty()) {
        return Err(LocatedError { place, what: no_nodes(findings) }.into());
    }
    let settings = ConfSettings(settings);
    let version = version(&settings, findings, statements)?;
    let select = select(&settings, version, &hardware);
    // select/linear asks no tree of switches since 24.05.
    let has_tree = !(select.whole_nodes && version.from(24, 5));
    let topology = if has_tree { topology(&later, &settings, &mut hardware, findings)? } else { None };
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
        most_memory_each: settings.get("maxmempercpu").and_then(|pair| values::above_zero(&pair.value)),
        enforces_limits: enforces(settings.text("accountingstorageenforce")),
        licences: settings.read("licenses", values::licences, findings)?.unwrap_or_default(),
        preemption: preemption(&settings, select.whole_nodes, findings)?,
        no_requeue: settings.get("jobrequeue").is_some_and(|pair| pair.value.trim() == "0"),
        reservations,
        outages: Vec::new(),
        changes: Vec::new(),
        topology,
        kill_wait: settings.read("killwait", values::seconds, findings)?.unwrap_or(Time::from_secs(30)),
        over_time_limit: Time::ZERO,
        complete_wait: Time::ZERO,
        asleep_after: asleep_after(&settings),
        rewrites: rewrites(&settings),
        place: statements.first().map(|statement| statement.place.clone()),
    };
    report_paused(&system, findings)?;
    system.complete_wait = settings.read("completewait", values::seconds, findings)?.unwrap_or(Time::ZERO);
    if let Some(limit) = settings.read("overtimelimit", values::limit, findings)? {
        system.over_time_limit = limit.most().unwrap_or(Time::ZERO);
    }
    report(statements, &settings, findings)?;
    for (place, detail) in accounts.guessed {
        findings.report(&kinds::TREE_GUESSED, || Example { place: Some(place), detail })?;
    }
    report_lacking(&system, findings)?;
    Ok(system)
}

/// Reports accounts and service classes by which jobs are ranked, and that no file has.
fn report_lacking(system: &SlurmSystem, findings: &mut Findings) -> Result<(), SystemError> {
    let ranks = system.priority.kind == PriorityType::Multifactor;
    if ranks && system.priority.weights.fairshare > 0.0 && system.associations.is_empty() {
        let detail = "PriorityWeightFairshare is above 0".into();
        findings.report(&kinds::NO_ASSOCIATIONS, || Example { place: None, detail })?;
    }
    let by_qos = system.preemption.as_ref().is_some_and(|preemption| preemption.by == PreemptBy::Qos);
    if system.qos.is_empty() && (ranks && system.priority.weights.qos > 0.0 || by_qos) {
        let detail = if by_qos { "PreemptType=preempt/qos" } else { "PriorityWeightQOS is above 0" };
        findings.report(&kinds::NO_QOS, || Example { place: None, detail: detail.into() })?;
    }
    Ok(())
}

/// Returns lines of the partitions that only nodes name, if no line defines any, and reports them.
fn named_only(
    later: &[&Statement],
    nodes: Vec<&Statement>,
    findings: &mut Findings,
) -> Result<Vec<Statement>, SystemError> {
    if later.iter().any(|statement| statement.get("partitionname").is_some()) {
        return Ok(Vec::new());
    }
    let partitions = shown::partitions(nodes.into_iter());
    for line in &partitions {
        let detail = line.get("partitionname").map_or(String::new(), |name| name.value.clone());
        findings.report(&kinds::NAMED_ONLY, || example(&line.place, detail))?;
    }
    Ok(partitions)
}

/// Returns what is wrong with an installation without nodes, and where nodes usually are.
fn no_nodes(findings: &Findings) -> String {
    let first = |code: &str| {
        findings.list().iter().find(|finding| finding.kind.code == code).and_then(|one| one.examples.first())
    };
    let at = |place: &Option<SourcePlace>| place.as_ref().map_or(String::new(), |place| format!("{place}: "));
    let hint = match (first(kinds::INCLUDE.code), first(kinds::TEMPLATE.code)) {
        (Some(missing), _) => format!(
            "a file that slurm.conf includes is not there ({}{}); give it with --slurm, too,",
            at(&missing.place),
            missing.detail
        ),
        (None, Some(template)) => format!(
            "slurm.conf is a template with placeholders ({}{}); give the file that the site runs,",
            at(&template.place),
            template.detail
        ),
        (None, None) => "give slurm.conf with --slurm, and the files that it includes,".into(),
    };
    format!("no NodeName line: a twin needs the nodes; {hint} or the output of `scontrol show node`")
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

fn version(
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
    statements: &[Statement],
) -> Result<SlurmVersion, SystemError> {
    // What is stated by hand or by an option goes before what `scontrol show config` prints.
    for key in ["slurmversion", "slurm_version"] {
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
                ParameterNote::Unknown(detail) => (&kinds::UNKNOWN, elsewhere(&detail)),
                ParameterNote::Unsupported(detail) => (&kinds::UNSUPPORTED, detail),
                ParameterNote::Value(detail) => (&kinds::VALUE, detail),
            };
            findings.report(kind, || example(&pair.place, format!("SchedulerParameters: {detail}")))?;
        }
    }
    if settings.text("schedulertype").eq_ignore_ascii_case("sched/builtin") {
        scheduler.backfill.interval = None;
    }
    Ok(scheduler)
}

/// Returns what is said of an unknown parameter, with the setting in whose list it belongs.
fn elsewhere(detail: &str) -> String {
    let name = detail.split(' ').next().unwrap_or_default();
    home(name).map_or_else(|| detail.to_owned(), |of| format!("{name} (it belongs in {of})"))
}

fn select(settings: &ConfSettings<'_>, version: SlurmVersion, hardware: &Hardware) -> Select {
    let parameters = settings.text("selecttypeparameters").to_ascii_uppercase();
    let has = |word: &str| parameters.split(',').any(|part| part.trim() == word);
    let whole_nodes = match settings.text("selecttype").to_ascii_lowercase().as_str() {
        "" => !version.from(23, 11),
        plugin => plugin == "select/linear",
    };
    let unit = match () {
        () if has("CR_SOCKET") || has("CR_SOCKET_MEMORY") => SelectUnit::Socket,
        () if has("CR_CPU") || has("CR_CPU_MEMORY") => SelectUnit::Cpu,
        () => SelectUnit::Core,
    };
    // CR_Core_Memory is the default since 21.08 (`select_p_node_init`); before, slurmctld did not start without a value. Nodes
    // have 1 MB if no line states more: no job of a log could run there.
    let has_memory = hardware.nodes.iter().any(|node| node.memory > 1);
    let by_default = has_memory && !whole_nodes && parameters.trim().is_empty() && version.from(21, 8);
    let memory = by_default || parameters.split(',').any(|part| part.trim().ends_with("MEMORY"));
    let (least_loaded, one_task) = (has("CR_LLN"), has("CR_ONE_TASK_PER_CORE"));
    Select { whole_nodes, memory, least_loaded, one_task, unit }
}

/// Reads how running jobs are preempted. The options were part of `SchedulerParameters` until 23.02.
fn preemption(
    settings: &ConfSettings<'_>,
    whole_nodes: bool,
    findings: &mut Findings,
) -> Result<Option<SlurmPreemption>, SystemError> {
    let mode = settings.read("preemptmode", PreemptMode::parse, findings)?.unwrap_or_default();
    let exempt = settings.read("preemptexempttime", values::limit, findings)?;
    let by = match settings.get("preempttype") {
        None => return Ok(None),
        Some(pair) => match pair.value.to_ascii_lowercase().as_str() {
            "preempt/partition_prio" => PreemptBy::Partition,
            "preempt/qos" => PreemptBy::Qos,
            _ => return Ok(None),
        },
    };
    if let Some(pair) = settings.get("preemptmode")
        && mode == PreemptMode::Suspend
        && (by == PreemptBy::Qos || whole_nodes)
    {
        unsupported(findings, pair, KEPT)?;
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
