//! Every place that reads a notation reads the same cases, which stand in `notations.tsv`.

use std::collections::BTreeMap;

use batchlab_parsers::{Input, Mapping, Options, format, outages, read_trace};
use batchlab_slurm::reader::nodes::unavailable_nodes;
use batchlab_slurm::reader::{SystemFile, read_system};
use batchlab_slurm::site::SlurmSystem;
use batchlab_traces::capacity::{Instant, LoggedNodes, LoggedOutage};
use batchlab_traces::constraint::Constraint;
use batchlab_traces::located::values::Length;
use batchlab_traces::machine::{Amount, MachineFile};
use batchlab_traces::reading::parse_duration;
use batchlab_traces::workload::CONSTRAINT;
use batchlab_traces::{Field, Findings, Header, Trace};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// What a place reads; `None` if it refuses the text.
type Read = Option<String>;

/// A place that reads a notation: the notation, the dialect, the place, and how it reads a text.
type Place = (&'static str, &'static str, &'static str, fn(&str) -> Read);

const PLACES: &[Place] = &[
    ("hosts", "slurm", "slurm.conf: NodeName", |text| {
        let system = system(&[("slurm.conf", &format!("NodeName={text}\nPartitionName=p Nodes=ALL\n"))])?;
        Some(words(system.nodes.iter().map(|node| &node.name)))
    }),
    ("hosts", "slurm", "slurm.conf: Nodes of a partition", |text| {
        let system = system(&[("slurm.conf", &format!("{NODES}PartitionName=p Nodes={text}\n"))])?;
        Some(sorted(&system, &system.partitions[0].nodes))
    }),
    ("hosts", "slurm", "scontrol show reservation: Nodes", |text| {
        let shown = format!(
            "ReservationName=r StartTime=2026-01-01T00:00:00 EndTime=2026-01-02T00:00:00\n   Nodes={text} Flags=MAINT\n"
        );
        let system =
            system(&[("slurm.conf", &format!("{NODES}PartitionName=p Nodes=ALL\n")), ("r.txt", &shown)])?;
        Some(sorted(&system, &system.reservations[0].nodes))
    }),
    ("hosts", "slurm", "sinfo: NODELIST", |text| {
        let table = format!("NODELIST STATE\n{text} down\n");
        let nodes = unavailable_nodes(&table, "sinfo.txt", &mut Findings::lenient()).ok()?;
        Some(words(nodes.iter().map(|node| &node.name))).filter(|names| !names.is_empty())
    }),
    ("hosts", "slurm", "sacctmgr show event: NodeName", |text| {
        match outage(text, "2026-01-01T00:00:00")?.nodes {
            LoggedNodes::Listed(list) => Some(words(list.iter().map(|node| &node.name))),
            _ => None,
        }
    }),
    ("hosts", "slurm", "sacct: --nodelist of SubmitLine", |text| {
        let trace = sacct("SubmitLine", &format!("sbatch -w {text} a.sh"))?;
        let asked = Constraint::parse(&trace.header.noted(CONSTRAINT).next()?.name)?;
        Some(asked.features().join(" "))
    }),
    ("hosts", "slurm", "machine file: names", |text| {
        let of_count = |count: usize| {
            let file = format!("[[nodes]]\ncount = {count}\nprocs = 1\nnames = \"{text}\"\n");
            MachineFile::parse(&file, "m.toml").ok()?.machine(&Header::default()).ok()
        };
        let machine = (1..20).find_map(of_count)?;
        Some(words((0..machine.nodes()).flat_map(|node| machine.features(node))))
    }),
    ("duration", "limit", "slurm.conf: MaxTime", |text| {
        let conf = format!("NodeName=n1\nPartitionName=p Nodes=n1 DefaultTime=7 MaxTime=\"{text}\"\n");
        let mut findings = Findings::lenient();
        let system = read_system(&[file("slurm.conf", &conf)], &[], &mut |_, _| None, &mut findings).ok()?;
        let is_read = findings.count("slurm-setting-value") == 0;
        is_read
            .then(|| system.partitions[0].max_time.most().map_or("unlimited".into(), |time| time.to_string()))
    }),
    ("duration", "limit", "sacctmgr show qos: MaxWall", |text| {
        let table =
            format!("Name|Priority|GraceTime|MaxWall|UsageFactor\nnormal|0|00:00:00|{text}|1.000000\n");
        let system =
            system(&[("slurm.conf", "NodeName=n1\nPartitionName=p Nodes=n1\n"), ("qos.txt", &table)])?;
        Some(system.qos[0].bounds.wall.map_or("unlimited".into(), |time| time.to_string()))
    }),
    ("duration", "limit", "sacct: Timelimit", |text| limit(&sacct("Timelimit", text)?)),
    ("duration", "limit", "squeue: TIME_LIMIT", |text| {
        let table = format!(
            "JOBID|USER|STATE|SUBMIT_TIME|TIME_LIMIT|CPUS|NODES\n1|ann|PENDING|2026-01-01T00:00:00|{text}|1|1\n"
        );
        limit(&log("squeue", &table)?)
    }),
    ("duration", "seconds", "sacct: Elapsed", |text| {
        let trace = sacct("Elapsed", text)?;
        known(&trace, Field::Run).filter(|_| trace.findings.count("slurm-odd-value") == 0)
    }),
    ("tasks", "slurm", "sacct: JobID", |text| tasks(&sacct("JobID", &rest_of_array(text))?)),
    ("tasks", "slurm", "squeue: JOBID", |text| {
        let row = format!("{}|ann|PENDING|2026-01-01T00:00:00|60|1|1", rest_of_array(text));
        tasks(&log("squeue", &format!("JOBID|USER|STATE|SUBMIT_TIME|TIME_LIMIT|CPUS|NODES\n{row}\n"))?)
    }),
    ("delay", "minutes", "sacct: --dependency of SubmitLine", |text| {
        let trace = sacct("SubmitLine", &format!("sbatch --dependency=after:7+{text} a.sh"))?;
        let delay = trace.resource("after1_delay").map_or(0, |column| column.whole(0));
        (trace.findings.count("slurm-odd-dependency") == 0).then(|| delay.max(0).to_string())
    }),
    ("duration", "seconds", "PBS: walltime", |text| known(&pbs("walltime", text)?, Field::RequestedTime)),
    ("duration", "clock", "mapping: clock", |text| {
        let mapping = "separator = \"|\"\ncolumns = 3\ncolumn = [{ at = 1, to = \"job\" }, { at = 2, to = \"submit\" }, \
                       { at = 3, to = \"requested_time\", unit = \"clock\" }]\n";
        known(&table(mapping, text)?, Field::RequestedTime)
    }),
    ("duration", "unit", "option", |text| Some(parse_duration(text).ok()?.to_string())),
    ("duration", "unit", "TOML", |text| Some(Length::deserialize(toml(text)).ok()?.0.to_string())),
    ("size", "megabytes", "slurm.conf: RealMemory", |text| {
        let conf = format!("NodeName=n1 RealMemory={text}\nPartitionName=p Nodes=n1\n");
        let mut findings = Findings::lenient();
        let system = read_system(&[file("slurm.conf", &conf)], &[], &mut |_, _| None, &mut findings).ok()?;
        (findings.count("slurm-setting-value") == 0).then(|| (system.nodes[0].memory * 1024).to_string())
    }),
    ("size", "megabytes", "sacct: ReqMem", |text| known(&sacct("ReqMem", text)?, Field::RequestedMemory)),
    ("size", "megabytes", "sacct: mem of ReqTRES", |text| {
        known(&sacct("ReqTRES", &format!("cpu=1,mem={text},node=1"))?, Field::RequestedMemory)
    }),
    ("size", "bytes", "PBS: mem", |text| known(&pbs("mem", text)?, Field::RequestedMemory)),
    ("size", "kilobytes", "mapping: suffixed", |text| {
        let mapping = "separator = \"|\"\ncolumns = 3\ncolumn = [{ at = 1, to = \"job\" }, { at = 2, to = \"submit\" }, \
                       { at = 3, to = \"requested_memory\", unit = \"suffixed\" }]\n";
        known(&table(mapping, text)?, Field::RequestedMemory)
    }),
    ("size", "own", "machine file and --capacity", |text| {
        Some(text.parse::<Amount>().ok()?.in_units_of("KB")?.to_string())
    }),
    ("instant", "slurm", "sacctmgr show event: TimeStart", |text| utc(outage("n1", text)?.from)),
    ("instant", "slurm", "sacct: Submit", |text| {
        let trace = sacct("Submit", text)?;
        let is_read = trace.findings.count("slurm-odd-value") == 0;
        trace.header.unix_start_time.filter(|_| is_read).map(|seconds| seconds.to_string())
    }),
    ("instant", "date", "TOML", |text| utc(Instant::deserialize(toml(text)).ok()?)),
];

/// The nodes of the lists of hosts.
const NODES: &str = "NodeName=n[1-7],n[08-10],m4,r[1-2]n[1-3],r[1-2]n[01-04],tux[0-1]x[1-2]-ib\n";

fn words<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(" ")
}

fn file(name: &str, text: &str) -> SystemFile {
    SystemFile { name: name.into(), text: text.into() }
}

fn system(files: &[(&str, &str)]) -> Option<SlurmSystem> {
    let files: Vec<SystemFile> = files.iter().map(|(name, text)| file(name, text)).collect();
    read_system(&files, &[], &mut |_, _| None, &mut Findings::lenient()).ok()
}

fn sorted(system: &SlurmSystem, nodes: &[usize]) -> String {
    let mut names: Vec<&String> = nodes.iter().map(|&node| &system.nodes[node].name).collect();
    names.sort_unstable();
    words(names.into_iter())
}

fn log(name: &str, text: &str) -> Option<Trace> {
    let options = Options { zone: "UTC".parse().ok(), format: format(name), ..Options::default() };
    read_trace(Input::from_bytes("log", text.as_bytes().to_vec()), &options).ok()
}

fn sacct(column: &str, value: &str) -> Option<Trace> {
    let usual = "JobIDRaw=1|User=ann|Submit=2026-01-01T00:00:00|Start=2026-01-01T00:00:00|End=2026-01-01T00:00:00|\
                 State=COMPLETED|NNodes=1|ReqCPUS=1|AllocCPUS=1";
    let mut cells: Vec<(&str, &str)> = usual.split('|').filter_map(|cell| cell.split_once('=')).collect();
    cells.retain(|(name, _)| *name != column);
    cells.push((column, value));
    if column == "Submit" {
        cells.iter_mut().filter(|(name, _)| ["Start", "End"].contains(name)).for_each(|cell| cell.1 = value);
    }
    let (heading, row): (Vec<&str>, Vec<&str>) = cells.into_iter().unzip();
    log("sacct", &format!("{}\n{}\n", heading.join("|"), row.join("|")))
}

/// Returns the number of the rest of an array with a list of tasks.
fn rest_of_array(list: &str) -> String {
    format!("7_[{}]", list.trim_matches(['[', ']']))
}

fn tasks(trace: &Trace) -> Read {
    let is_read = trace.len() == 1 && trace.findings.count("slurm-odd-value") == 0;
    is_read.then(|| trace.findings.count("slurm-array-rest").max(1).to_string())
}

fn pbs(request: &str, value: &str) -> Option<Trace> {
    log(
        "pbs",
        &format!(
            "03/05/2012 08:01:40;E;1.head;user=ann group=g queue=q ctime=1330934400 qtime=1330934400 etime=1330934400 \
             start=1330934410 exec_host=n01/0 Resource_List.ncpus=1 Resource_List.{request}={value} session=1 \
             end=1330934500 Exit_status=0 resources_used.walltime=00:01:30\n"
        ),
    )
}

/// Reads a table with the number of a job, its submission and another value.
fn table(mapping: &str, value: &str) -> Option<Trace> {
    let mapping: Mapping = mapping.parse().expect("the mapping is read");
    let options = Options { mapping: Some(mapping.into()), ..Options::default() };
    let text = format!("1|0|{value}\n");
    read_trace(Input::from_bytes("log", text.into_bytes()), &options).ok()
}

fn known(trace: &Trace, field: Field) -> Read {
    let value = (!trace.is_empty()).then(|| trace.get(0, field));
    value.filter(|value| !value.is_unknown()).map(|value| value.to_string())
}

fn limit(trace: &Trace) -> Read {
    let is_unlimited = trace.findings.count("slurm-unlimited") > 0;
    if is_unlimited { Some("unlimited".into()) } else { known(trace, Field::RequestedTime) }
}

fn outage(nodes: &str, start: &str) -> Option<LoggedOutage> {
    let text = format!("NodeName|TimeStart|TimeEnd|State\n{nodes}|{start}|Unknown|DOWN\n");
    let format = outages::detect(&text)?;
    outages::read(format, &text, "events", &mut Findings::lenient()).ok()?.outages.pop()
}

fn utc(instant: Instant) -> Read {
    match instant {
        Instant::Log(_) => None,
        Instant::Clock(seconds) | Instant::Unix(seconds) => Some(seconds.to_string()),
    }
}

fn toml(text: &str) -> StrDeserializer<'_, Error> {
    text.into_deserializer()
}

#[test]
fn every_place_reads_the_same_cases() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for line in include_str!("notations.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let (notation, text) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let values: BTreeMap<&str, &str> = cells.filter_map(|cell| cell.split_once('=')).collect();
        for (_, dialect, place, read) in PLACES.iter().filter(|place| place.0 == notation) {
            let read = read(text).unwrap_or_else(|| "-".into());
            let expected = values[dialect];
            cases += 1;
            let mut names: Vec<&str> = expected.split(' ').collect();
            names.sort_unstable();
            if read != expected && read != names.join(" ") {
                wrong.push(format!("{place}: `{text}` is `{read}`, not `{expected}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases > 150, "{cases} cases");
}
