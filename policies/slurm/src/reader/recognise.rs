//! What a file of `--slurm` is, told by its content as a whole.

use batchlab_parsers::FormatSpec;
use batchlab_parsers::format::SURE;
use batchlab_parsers::formats::Formats;
use batchlab_parsers::outages::{self, SACCTMGR_EVENTS};

use super::changes::is_change;
use super::conf::is_template;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SlurmFileKind {
    /// `slurm.conf`, `topology.conf`, or a part of one.
    Configuration,
    /// `scontrol show config`.
    Settings,
    /// `scontrol show partition`, `… reservation`.
    Records,
    /// `scontrol show node`.
    Nodes,
    /// `sacctmgr -P show assoc`.
    Associations,
    /// `sshare`.
    Usage,
    /// `sacctmgr -P show qos`.
    Qos,
    /// `sacctmgr dump`.
    Dump,
    /// `sacctmgr show event`.
    Events,
    /// `sacctmgr -P show reservation`.
    PastReservations,
    /// Lines of slurmctld's log about reservations and nodes.
    Changes,
    /// The words of `scontrol` for an empty list, or no words.
    Nothing,
    /// Another file of an installation: what it is, and what is read instead of it.
    Unread(&'static str),
    /// No file of an installation: what it is, and where it belongs.
    Foreign(String),
}

/// Files of Slurm that are not read: keys that only they have, in lower case, and what they are.
#[rustfmt::skip]
const UNREAD: [(&[&str], &str); 10] = [
    (GRES_KEYS, GRES),
    (
        &["blockname", "blocksizes"],
        "topology.conf with blocks (topology/block): jobs are placed by switches or without a topology",
    ),
    (
        &[
            "constraincores", "constrainramspace", "constrainswapspace", "constraindevices", "cgroupplugin",
            "cgroupmountpoint", "cgroupautomount", "allowedramspace", "allowedswapspace", "maxrampercent", "minramspace",
            "enablecontrollers", "ignoresystemd", "memoryswappiness",
        ],
        "cgroup.conf: it changes no schedule",
    ),
    (
        &["dbdhost", "dbdaddr", "storageloc", "storagehost"],
        "slurmdbd.conf: give sacctmgr -P show assoc and show qos",
    ),
    (&["basepath", "autobasepath", "initscript"], "job_container.conf: it changes no schedule"),
    (&["helper", "allowuserboot"], "helpers.conf: the features of nodes are those of slurm.conf"),
    (
        &["energyipmifrequency", "profilehdf5dir", "profilehdf5default"],
        "acct_gather.conf: it changes no schedule",
    ),
    (&["runtimerun", "runtimecreate", "ignorefileconfigjson"], "oci.conf: it changes no schedule"),
    (
        &["getsysstate", "stageintimeout", "stageouttimeout"],
        "burst_buffer.conf: burst buffers are not followed",
    ),
    (&["pmixclidebugbuild", "pmixdirectconn", "pmixdebug"], "mpi.conf: it changes no schedule"),
];

const GRES: &str = "gres.conf: the GPUs and other resources of a node are those of Gres= in slurm.conf";
const GRES_KEYS: &[&str] = &["name", "autodetect", "multiplefiles"];

const NODES: &str = "a part of scontrol show node: give its whole output";

/// Keys of `NodeName=` lines that define no node.
const NOT_OF_NODES: [(&[&str], &str); 3] = [
    (&["cputot", "arch"], NODES),
    (&["coreids"], "cores of a reservation without the line of the reservation"),
    (&["file"], GRES),
];

/// What lines begin with that only `slurm.conf`, or a part of it, has.
#[rustfmt::skip]
const HEADS: [&str; 7] = [
    "partitionname", "clustername", "slurmctldhost", "controlmachine", "nodeset", "reservationname", "switchname",
];

/// The words that are columns of `sacctmgr -P show assoc` beside the account, and of `… show qos` beside the name.
const OF_ASSOCIATIONS: [&str; 8] =
    ["user", "share", "fairshare", "par name", "parentname", "cluster", "partition", "grptres"];
const OF_QOS: [&str; 7] =
    ["priority", "usagefactor", "flags", "preempt", "gracetime", "maxwall", "preemptmode"];

impl SlurmFileKind {
    pub(super) fn of(text: &str) -> SlurmFileKind {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_line = |line: &&str| !line.is_empty() && !line.starts_with('#') && !is_template(line);
        let lines = || text.lines().map(str::trim).filter(is_line);
        let Some(first) = lines().next() else { return SlurmFileKind::Nothing };
        if first.starts_with("No ") && !first.contains('=') && lines().nth(1).is_none() {
            return SlurmFileKind::Nothing;
        }
        if outages::detect(text).is_some_and(|format| format.name == SACCTMGR_EVENTS) && is_of_nodes(first) {
            return SlurmFileKind::Events;
        }
        if first.starts_with('[') && lines().any(is_change) {
            return SlurmFileKind::Changes;
        }
        if is_usage(first) {
            return SlurmFileKind::Usage;
        }
        if let Some(what) = log(text).or_else(|| states(first, lines().nth(1).unwrap_or_default())) {
            return SlurmFileKind::Foreign(what);
        }
        if first.contains('|') && !first.contains('=') {
            return table(first);
        }
        let dumped = ["Cluster - ", "Parent - ", "Account - ", "User - ", "QOS - "];
        if dumped.iter().any(|start| first.starts_with(start)) {
            return SlurmFileKind::Dump;
        }
        let keys = || lines().map(key);
        let spaced = |line: &str| line.split_once('=').is_some_and(|(key, _)| key.ends_with(' '));
        let has_heads = keys().any(|key| ["nodename", "partitionname"].contains(&key.as_str()));
        let is_shown = first.starts_with("Configuration data as of");
        let is_written = || text.contains(['#', '"']) || keys().any(|key| key == "include");
        if is_shown || !has_heads && lines().take(3).all(spaced) && !is_written() {
            return SlurmFileKind::Settings;
        }
        if is_record(text, first) {
            return SlurmFileKind::Records;
        }
        other(text, first).unwrap_or(SlurmFileKind::Configuration)
    }
}

/// Returns what a line with some keys (in lower case) is of if not of `slurm.conf`; of a `NodeName=` line, why it defines no node.
pub(super) fn foreign<'a>(mut keys: impl Iterator<Item = &'a str>) -> Option<&'static str> {
    keys.find_map(|key| {
        let known = UNREAD.iter().chain(&NOT_OF_NODES);
        known.filter(|(names, _)| names.contains(&key)).map(|(_, what)| *what).next()
    })
}

/// Whether a heading is of events of nodes rather than of reservations.
fn is_of_nodes(heading: &str) -> bool {
    let is_bar = |letter: char| letter == '|' || letter.is_whitespace();
    let has = |name: &str| heading.split(is_bar).any(|word| word.eq_ignore_ascii_case(name));
    has("nodename") && has("state")
}

fn key(line: &str) -> String {
    line.split(['=', ' ', '\t']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether the text has records of `scontrol`, which puts the rest of a record on further, indented lines, and no backslash before
/// them.
fn is_record(text: &str, first: &str) -> bool {
    let heads = ["PartitionName=", "ReservationName="];
    heads.iter().any(|head| first.starts_with(head))
        && !first.ends_with('\\')
        && (first.contains("AllowGroups=") || first.contains("StartTime=") || {
            let mut raw = text.lines().skip_while(|line| line.trim() != first).skip(1);
            raw.next().is_some_and(|line| line.starts_with(' ') && line.contains('='))
        })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Log {
    /// What runs and waits.
    Queue,
    Past,
}

/// Returns which log a text is; `None` for other texts.
pub(super) fn log_of(text: &str) -> Option<Log> {
    let format = format_of(text)?;
    let of_queue = ["squeue", "squeue-json", "slurm-show-job"].contains(&format.name);
    Some(if of_queue { Log::Queue } else { Log::Past })
}

/// Whether a line is the heading of `sshare`.
fn is_usage(first: &str) -> bool {
    let words: Vec<&str> =
        first.split(|letter: char| letter == '|' || letter.is_whitespace()).map(str::trim).collect();
    words.contains(&"Account") && ["RawUsage", "RawShares"].iter().any(|name| words.contains(name))
}

fn format_of(text: &str) -> Option<&'static FormatSpec> {
    let mut end = text.len().min(1 << 16);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (format, _) =
        Formats::builtin().likest(&text.as_bytes()[..end]).filter(|(_, likeness)| *likeness >= SURE)?;
    Some(format)
}

/// Returns what a log of jobs is, and where it belongs.
fn log(text: &str) -> Option<String> {
    let (format, which) = (format_of(text)?, log_of(text)?);
    let place = match which {
        Log::Queue => "batchlab when FILE --slurm slurm.conf",
        Log::Past => "batchlab replay FILE --slurm slurm.conf",
    };
    Some(format!(
        "this is a log of jobs ({}: {}); it is the LOG of a command: {place}",
        format.name, format.summary
    ))
}

/// Returns what other output of Slurm is about jobs and states of nodes, by its first two lines.
fn states(first: &str, second: &str) -> Option<String> {
    let words = |line: &str| -> Vec<String> {
        line.split(|letter: char| letter == '|' || letter.is_whitespace()).map(str::to_owned).collect()
    };
    let has = |names: &[&str]| {
        [first, second].iter().any(|line| {
            let words = words(line);
            names.iter().all(|name| words.iter().any(|word| word == name))
        })
    };
    if has(&["NODELIST", "STATE"]) || has(&["NODELIST", "AVAIL"]) || has(&["PARTITION", "AVAIL", "TIMELIMIT"])
    {
        return Some("this is the output of sinfo; it goes with --sinfo of batchlab when".into());
    }
    if has(&["JOBID", "PRIORITY"]) || has(&["JOBID", "PARTITION"]) {
        return Some("this is a table of waiting jobs (sprio or squeue); sprio goes with --sprio of batchlab priorities, and the queue is written with squeue --json, for batchlab when".into());
    }
    if !first.contains('|')
        && (has(&["Account", "User"])
            || has(&["Name", "Priority", "GraceTime"])
            || has(&["Name", "TimeStart", "TimeEnd"]))
    {
        return Some("this is a table of sacctmgr in columns of fixed width, which cut values off; write it with sacctmgr -P".into());
    }
    if first.starts_with(['{', '[']) && !first.contains('=') {
        return Some("this is JSON; write it without --json".into());
    }
    None
}

fn table(heading: &str) -> SlurmFileKind {
    let columns: Vec<String> = heading.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    let has = |name: &str| columns.iter().any(|column| column == name);
    if has("jobid") || has("jobidraw") {
        let what = "this is a table of jobs (sacct); it is the LOG of a command: batchlab replay FILE --slurm slurm.conf";
        return SlurmFileKind::Foreign(what.into());
    }
    if has("name") && has("timestart") && has("timeend") {
        return SlurmFileKind::PastReservations;
    }
    if has("account") && OF_ASSOCIATIONS.iter().any(|name| has(name)) {
        return SlurmFileKind::Associations;
    }
    if has("name") && OF_QOS.iter().any(|name| has(name)) {
        return SlurmFileKind::Qos;
    }
    let shown: String = heading.chars().take(60).collect();
    SlurmFileKind::Foreign(format!(
        "this is a table that is not read (`{shown}`); give those of sacctmgr -P show assoc, qos, event and reservation"
    ))
}

/// Returns another file of Slurm that a text of pairs is.
fn other(text: &str, first: &str) -> Option<SlurmFileKind> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_yaml = |line: &str| line == "---" || line.starts_with("- ") || line.ends_with(':');
    if is_yaml(first) {
        return Some(if text.contains("topology") {
            SlurmFileKind::Unread(
                "topology.yaml: give topology.conf, or the output of scontrol show topology",
            )
        } else {
            SlurmFileKind::Foreign(
                "this is YAML; give slurm.conf, or the output of scontrol or sacctmgr".into(),
            )
        });
    }
    if ["required ", "optional "].iter().any(|word| first.starts_with(word)) {
        return Some(SlurmFileKind::Unread("plugstack.conf: plug-ins of SPANK change no schedule"));
    }
    if first.starts_with("NodeName=") && lines().any(|line| keys(line).any(|key| key == "cpualloc")) {
        return Some(SlurmFileKind::Nodes);
    }
    let mut what = None;
    for line in lines() {
        let first = key(line);
        if HEADS.contains(&first.as_str()) {
            return None;
        }
        let of_line: Vec<String> =
            if first == "nodename" { keys(line).collect() } else { vec![first.clone()] };
        match foreign(of_line.iter().map(String::as_str)) {
            None if first == "nodename" => return None,
            found => what = what.or(found),
        }
    }
    what.map(SlurmFileKind::Unread)
}

fn keys(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split_whitespace().filter_map(|word| word.split_once('=')).map(|(key, _)| key.to_ascii_lowercase())
}
