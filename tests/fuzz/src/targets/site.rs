//! What a site states in TOML: calendars, limits, priorities. A file that is accepted is followed by replays.

use batchlab::Registry;
use batchlab::conform::{Case, Miss, Play};
use batchlab::replay::Scenario;
use batchlab::schedule::verify::verify;
use batchlab_parsers::{Input, Options, read_trace};
use batchlab_traces::capacity::{CalendarFile, Foresight};
use batchlab_traces::limits::LimitFile;
use batchlab_traces::priorities::PriorityFile;
use batchlab_traces::{Findings, Provenance, Trace, Workload};

/// Four jobs of three users, who all ask for memory.
const LOG: &str = "; MaxProcs: 8\n; UnixStartTime: 1704067200\n; Queue: 1 batch\n; Resource: 1 memory KB capacity=8192\n\
                   1 0 5 10 1 9 7 1 20 8 1 1 1 1 1 1 -1 -1 64\n\
                   2 3 -1 100 8 -1 -1 8 60 -1 0 2 1 2 1 1 -1 -1 32\n\
                   3 3 0 0 2 -1 -1 2 -1 -1 5 1 2 -1 1 1 2 5 128\n\
                   4 9 -1 40 4 -1 -1 4 50 -1 1 3 2 1 1 1 -1 -1 64\n";

/// A machine with nodes of two kinds, beside the pool of the log's header.
const NODES: &str = "[[resource]]\nname = \"memory\"\nunit = \"KB\"\n\n[[nodes]]\ncount = 3\nprocs = 2\nmemory = \"1024KB\"\n\n\
                     [[nodes]]\ncount = 1\nprocs = 4\nmemory = \"4096KB\"\n";

/// The policies of the replays: one that promises a start to one job, and one that promises one to every job.
const POLICIES: [&str; 2] = ["easy", "conservative"];

/// The most closures of a calendar that is followed here: a replay takes a decision at each.
const MOST_CLOSURES: usize = 20_000;

/// Calendars of capacity, with all that policies may know of them in advance.
pub fn calendars(bytes: &[u8]) {
    let Ok(file) = CalendarFile::parse(&String::from_utf8_lossy(bytes), "calendar.toml") else { return };
    for foresight in [Foresight::Calendar, Foresight::None, Foresight::Reservations] {
        followed(|scenario, trace| {
            let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
            let (jobs, machine) = (Workload::clone(&scenario.workload), &scenario.machine);
            let applied = file.apply(jobs, trace, machine, foresight, &mut findings, &mut provenance);
            let (workload, calendar) =
                applied.ok().filter(|(_, calendar)| calendar.closures.len() <= MOST_CLOSURES)?;
            let capacity = (!calendar.closures.is_empty()).then(|| calendar.into());
            Some(Scenario { workload: workload.into(), capacity, ..scenario.clone() })
        });
    }
}

pub fn limits(bytes: &[u8]) {
    let Ok(file) = LimitFile::parse(&String::from_utf8_lossy(bytes), "limits.toml") else { return };
    followed(|scenario, trace| {
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let jobs = Workload::clone(&scenario.workload);
        let applied = file.apply(jobs, trace, &scenario.machine, &mut findings, &mut provenance);
        let (workload, table) = applied.ok()?;
        let limits = (!table.limits.is_empty()).then(|| table.into());
        Some(Scenario { workload: workload.into(), limits, ..scenario.clone() })
    });
}

pub fn priorities(bytes: &[u8]) {
    let Ok(file) = PriorityFile::parse(&String::from_utf8_lossy(bytes), "priorities.toml") else { return };
    followed(|scenario, trace| {
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let (jobs, machine) = (Workload::clone(&scenario.workload), &scenario.machine);
        let applied = file.apply(jobs, machine, trace, &mut findings, &mut provenance);
        let (workload, table) = applied.ok()?;
        Some(Scenario { workload: workload.into(), priorities: Some(table.into()), ..scenario.clone() })
    });
}

/// Replays a small log on a pool and on nodes, in the scenario that a file makes of each.
fn followed(made: impl Fn(&Scenario, &Trace) -> Option<Scenario>) {
    let trace = read_trace(Input::from_bytes("log", LOG), &Options::default()).expect("a log");
    for machine in [None, Some(NODES.to_owned())] {
        let play = Case::of(&trace, machine, 1).play().expect("a log for the machine");
        if let Some(scenario) = made(&play.scenario, &trace) {
            let play = Play { scenario, ..play };
            for spec in POLICIES {
                legal(&play, spec);
            }
        }
    }
}

/// Replays under a policy: the replay ends, and its schedule keeps to the file. A policy may decline a scenario, and a
/// file with very many events may exceed the budget of a case.
fn legal(play: &Play, spec: &str) {
    let chosen = Registry::builtin().choose(spec).expect("a policy");
    let played = match play.replay(&chosen) {
        Ok(played) => played,
        Err(Miss::Skipped(_) | Miss::Spent(_)) => return,
        Err(Miss::Broken(what)) => panic!("{spec}: {what}"),
    };
    let outcome = played.outcome.unwrap_or_else(|error| panic!("{spec}: {error}"));
    let violations = verify(&play.scenario, &outcome);
    assert!(violations.is_empty(), "{spec}: {}", violations[0]);
}
