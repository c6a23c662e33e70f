//! The lines of slurmctld's log about changes of reservations, nodes and jobs, which no command of Slurm keeps.
//!
//! The database has one row for a reservation that was moved before it began, with the last times, and says neither when it was made
//! nor when it was moved. It has a drain from the end of the last job of a node on. slurmctld's log has all of this:
//!
//! ```text
//! [2026-11-27T07:46:15.253] sched: Created reservation=repair users=root nodes=n[1-8] … start=… end=…
//! [2026-11-27T07:49:35.249] sched: Updated reservation=repair users=root nodes=n[1-8] … start=… end=…
//! [2026-11-27T07:57:35.252] _slurm_rpc_delete_reservation complete for repair usec=185
//! [2026-11-27T07:45:25.253] update_node: node n13 state set to DRAINING
//! ```
//!
//! Source: `create_resv`, `update_resv` (reservation.c), `_slurm_rpc_resv_delete` (`proc_req.c`), `update_node` (`node_mgr.c`) of versions
//! 20.11 to 25.05.

use batchlab_traces::capacity::{Evicted, Instant, LoggedNodes, LoggedOutage, NodeName, OutageLog};
use batchlab_traces::notation::instant::{Stamp, iso};

use super::file::{SystemFile, place};
use super::grammar::{Pair, Statement, WrittenBy};
use super::job_changes::{JobLine, job_line};
use crate::site::LoggedChange;

/// The keys of the log that `scontrol` names otherwise.
const KEYS: [(&str, &str); 5] = [
    ("reservation", "reservationname"),
    ("nodes", "nodes"),
    ("start", "starttime"),
    ("end", "endtime"),
    ("tres", "tres"),
];

/// The key of the instant at which a reservation was made or changed, and of that at which it was changed or removed.
pub(super) const KNOWN: &str = "known";
pub(super) const UNTIL: &str = "until";

/// The words of a line about a reservation that was removed, before and behind its name.
const REMOVED: (&str, &str) = ("_slurm_rpc_delete_reservation complete for ", " usec=");

/// The words of a line about the state of a node, before its name and behind it.
const STATE: (&str, &str) = ("update_node: node ", " state set to ");

enum Change<'a> {
    /// A reservation was made, or changed: its pairs, behind `reservation=`.
    Reserved(&'a str),
    Removed(&'a str),
    State(&'a str, &'a str),
    Job(JobLine<'a>),
}

/// Returns the instant of a line, and what it says; `None` for other lines.
fn change(line: &str) -> Option<(&str, Change<'_>)> {
    let (time, text) = line.trim().strip_prefix('[')?.split_once("] ")?;
    // Seconds may have a fraction.
    let time = time.split('.').next().filter(|time| iso(time.as_bytes()).is_some())?;
    let text = text.strip_prefix("sched: ").unwrap_or(text);
    let made = ["Created ", "Updated "].iter().find_map(|word| text.strip_prefix(word));
    if let Some(pairs) = made.filter(|pairs| pairs.starts_with("reservation=")) {
        return Some((time, Change::Reserved(pairs)));
    }
    let named = |(before, behind): (&str, &str)| text.strip_prefix(before)?.split_once(behind);
    if let Some((name, _)) = named(REMOVED) {
        return Some((time, Change::Removed(name)));
    }
    if let Some((node, state)) = named(STATE) {
        return Some((time, Change::State(node, state)));
    }
    job_line(text).map(|line| (time, Change::Job(line)))
}

pub(super) fn is_change(line: &str) -> bool {
    change(line).is_some()
}

struct StateChange {
    line: u32,
    at: i64,
    node: String,
    /// Whether no job starts there from then on, while running jobs go on.
    drains: bool,
}

/// What slurmctld's log says of reservations, nodes and jobs.
#[derive(Default)]
pub(super) struct LogChanges {
    /// A statement for each reservation as it was from one change to the next.
    pub(super) reservations: Vec<Statement>,
    states: Vec<StateChange>,
    pub(super) jobs: Vec<LoggedChange>,
}

impl LogChanges {
    pub(super) fn read(&mut self, file: &SystemFile) {
        for (at, line) in file.text.lines().enumerate() {
            let Some((time, change)) = change(line) else { continue };
            let here = place(&file.name, at + 1, 1);
            let pair = |key: &str, value: &str| Pair {
                key: key.to_owned(),
                written: key.to_owned(),
                value: value.to_owned(),
                place: here.clone(),
            };
            match change {
                Change::Reserved(text) => {
                    let given = |(key, name): &(&str, &str)| {
                        let value =
                            text.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
                        value
                            .filter(|value| !value.is_empty() && *value != "(null)")
                            .map(|value| pair(name, value))
                    };
                    let mut pairs: Vec<Pair> = KEYS.iter().filter_map(given).collect();
                    pairs.push(pair(KNOWN, time));
                    let name = pairs[0].value.clone();
                    self.ends(&name, &pair(UNTIL, time));
                    self.reservations.push(Statement {
                        place: here.clone(),
                        pairs,
                        origin: WrittenBy::Scontrol,
                    });
                }
                Change::Removed(name) => self.ends(name, &pair(UNTIL, time)),
                Change::Job(JobLine { job, change, words }) => self.jobs.push(LoggedChange {
                    at: time.to_owned(),
                    job: job.to_owned(),
                    change,
                    words: words.to_owned(),
                    place: here.clone(),
                }),
                Change::State(node, state) => {
                    let Some(at) = iso(time.as_bytes()).map(Stamp::secs) else { continue };
                    let (line, node) = (here.line, node.to_owned());
                    self.states.push(StateChange { line, at, node, drains: state.starts_with("DRAIN") });
                }
            }
        }
    }

    /// The reservation of a name is no longer as it was.
    fn ends(&mut self, name: &str, until: &Pair) {
        let is_open = |one: &&mut Statement| {
            one.get(UNTIL).is_none() && one.get("reservationname").is_some_and(|pair| pair.value == name)
        };
        if let Some(last) = self.reservations.iter_mut().rev().find(is_open) {
            last.pairs.push(until.clone());
        }
    }

    /// Lets the drains of nodes begin when their states were set: the database has them from the end of the last job on, and
    /// not at all if no job had ended when the node was given back.
    pub(super) fn complete(&self, logs: &mut Vec<OutageLog>, file: &str) {
        let mut further = OutageLog { file: file.into(), outages: Vec::new() };
        for (at, drain) in self.states.iter().enumerate().filter(|(_, change)| change.drains) {
            let back = self.states[at + 1..].iter().find(|next| next.node == drain.node && !next.drains);
            let is_on = |outage: &&mut LoggedOutage| {
                let named = |list: &[NodeName]| list.len() == 1 && list[0].name == drain.node;
                let is_node = matches!(&outage.nodes, LoggedNodes::Listed(list) if named(list));
                let seconds =
                    |instant: Instant| if let Instant::Clock(at) = instant { Some(at) } else { None };
                let begins = seconds(outage.from);
                is_node
                    && outage.evicted == Evicted::Drained
                    && begins.is_some_and(|from| from >= drain.at && back.is_none_or(|back| from <= back.at))
            };
            let mut known = logs.iter_mut().flat_map(|log| &mut log.outages);
            if let Some(known) = known.find(is_on) {
                known.from = Instant::Clock(drain.at);
            } else if let Some(back) = back {
                let name = NodeName { name: drain.node.clone(), number: None };
                let (from, to) = (Instant::Clock(drain.at), Some(Instant::Clock(back.at)));
                let nodes = LoggedNodes::Listed(vec![name]);
                let evicted = Evicted::Drained;
                further.outages.push(LoggedOutage {
                    line: drain.line,
                    nodes,
                    from,
                    to,
                    announced: None,
                    evicted,
                });
            }
        }
        if !further.outages.is_empty() {
            logs.push(further);
        }
    }
}
