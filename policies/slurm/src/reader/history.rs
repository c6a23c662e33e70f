//! What the accounting keeps of nodes and reservations: `sacctmgr show event` and `sacctmgr show reservation`.
//!
//! The database has a row for each stretch of a reservation between two changes, with the times as they came to be: a reservation
//! that ended early has its real end, and one that was removed before it began has no row. `scontrol show reservation` has those
//! that are still there, with their nodes. Rows of one name are completed by what `scontrol` shows under that name.
//!
//! Source: `as_mysql_resv.c` and `event_functions.c` of Slurm 20.11 to 25.05.

use batchlab_parsers::outages::{self, OutageError};
use batchlab_traces::Findings;
use batchlab_traces::capacity::{Evicted, Instant, OutageLog};
use batchlab_traces::located::LocatedError;

use super::changes::{KNOWN, LogChanges};
use super::file::{SystemError, SystemFile, example, place};
use super::grammar::{Pair, Statement, WrittenBy};
use super::kinds;
use super::sacctmgr::{columns, rows};
use crate::site::SlurmSystem;

/// The columns of a reservation's row, with the keys that `scontrol` has for them.
const COLUMNS: [(&str, &str); 6] = [
    ("name", "reservationname"),
    ("timestart", "starttime"),
    ("timeend", "endtime"),
    ("nodename", "nodes"),
    ("flags", "flags"),
    ("tres", "tres"),
];

/// What the accounting says of nodes and reservations.
#[derive(Default)]
pub(super) struct History {
    pub(super) outages: Vec<OutageLog>,
    /// Rows of reservations, with the keys of `scontrol`, behind the cluster of each; empty without that column.
    rows: Vec<(String, Statement)>,
    /// What slurmctld's log says, and the name of its file.
    changes: LogChanges,
    log: String,
}

impl History {
    /// Adds the rows of `sacctmgr show event`.
    pub(super) fn events(&mut self, file: &SystemFile, findings: &mut Findings) -> Result<(), SystemError> {
        let Some(format) = outages::detect(&file.text) else { return Ok(()) };
        let log = outages::read(format, &file.text, &file.name, findings);
        let log = log.map_err(|error| -> SystemError {
            match error {
                OutageError::Unusable { place, what } => LocatedError { place, what: what.into() }.into(),
                OutageError::Refused(refusal) => refusal.into(),
            }
        })?;
        self.outages.push(log);
        Ok(())
    }

    /// Adds the rows of `sacctmgr -P show reservation`.
    pub(super) fn reservations(&mut self, file: &SystemFile) -> Result<(), LocatedError> {
        let columns = columns(&file.text);
        for row in rows(file, &columns) {
            let row = row?;
            let here = place(&file.name, row.line, 0);
            let pair = |(column, key): &(&str, &str)| {
                let value = row.get(&[column])?.trim().to_owned();
                let key = (*key).to_owned();
                let is_given = !value.is_empty() || key == "flags";
                is_given.then(|| Pair { written: key.clone(), key, value, place: here.clone() })
            };
            let pairs: Vec<Pair> = COLUMNS.iter().filter_map(pair).collect();
            if pairs.first().is_some_and(|pair| pair.key == "reservationname") {
                let cluster = row.get(&["cluster"]).unwrap_or_default().trim().to_owned();
                let row = Statement { place: here.clone(), pairs, origin: WrittenBy::Scontrol };
                self.rows.push((cluster, row));
            }
        }
        Ok(())
    }

    pub(super) fn changes(&mut self, file: &SystemFile) {
        self.changes.read(file);
        file.name.as_ref().clone_into(&mut self.log);
    }

    /// Replaces what is known of a reservation by what slurmctld's log says, from the first line of the log about it on. Flags,
    /// which the log lacks, stay.
    fn put_changes(&self, statements: &mut Vec<Statement>) {
        let all = &self.changes.reservations;
        let whole: Vec<Statement> = all
            .iter()
            .map(|one| completed(one, statements.iter().find(|shown| is_of_name(shown, one))))
            .collect();
        let ended = |shown: &Statement, of_log: &Statement| {
            let times = (instant(value(shown, "endtime")), instant(value(of_log, KNOWN)));
            matches!(times, (Some((form, end)), Some((of_log, known))) if form == of_log && end <= known)
        };
        statements.retain(|shown| {
            let first = all.iter().find(|one| is_of_name(shown, one));
            first.is_none_or(|first| ended(shown, first))
        });
        statements.extend(whole.into_iter().filter(|one| one.get("nodes").is_some()));
    }

    /// Puts the stretches of reservations in the place of what `scontrol` shows under their names.
    pub(super) fn merge(
        &self,
        statements: &mut Vec<Statement>,
        findings: &mut Findings,
    ) -> Result<(), SystemError> {
        let mut stretches: Vec<Statement> = Vec::new();
        let own = cluster_name(statements);
        for (cluster, row) in &self.rows {
            if let Some(own) =
                own.as_ref().filter(|own| !cluster.is_empty() && !cluster.eq_ignore_ascii_case(own))
            {
                let detail =
                    format!("`{}` of `{cluster}`, and ClusterName=`{own}`", value(row, "reservationname"));
                findings.report(&kinds::OTHER_CLUSTER, || example(&row.place, detail))?;
                continue;
            }
            let shown = statements.iter().find(|shown| is_of_name(shown, row));
            let stretch = completed(row, shown);
            if stretch.get("nodes").is_none() {
                let detail = value(row, "reservationname").to_owned();
                findings.report(&kinds::RESERVATION_NODES, || example(&row.place, detail))?;
                continue;
            }
            match stretches.iter_mut().rev().find(|last| is_of_name(last, row)) {
                Some(last) if continues(last, &stretch) => set(last, "endtime", value(&stretch, "endtime")),
                _ => stretches.push(stretch),
            }
        }
        statements.retain(|shown| {
            !stretches.iter().any(|row| is_of_name(shown, row)) || is_later(shown, &stretches)
        });
        statements.extend(stretches);
        self.put_changes(statements);
        Ok(())
    }

    /// Returns an installation with the outages. Jobs that are never requeued end with their nodes.
    pub(super) fn kept(self, mut system: SlurmSystem) -> SlurmSystem {
        system.outages = self.outages;
        system.changes.clone_from(&self.changes.jobs);
        self.changes.complete(&mut system.outages, &self.log);
        let all = system.outages.iter_mut().flat_map(|log| &mut log.outages);
        for outage in all.filter(|outage| system.no_requeue && outage.evicted == Evicted::Requeued) {
            outage.evicted = Evicted::Killed;
        }
        system
    }
}

/// Returns the name of the cluster. The database is one for all clusters of a site, and `sacctmgr` shows the rows of all of them.
fn cluster_name(statements: &[Statement]) -> Option<String> {
    let pairs = statements.iter().rev().filter_map(|statement| statement.get("clustername"));
    pairs.map(|pair| pair.value.trim().to_owned()).find(|name| !name.is_empty())
}

fn value<'a>(statement: &'a Statement, key: &str) -> &'a str {
    statement.get(key).map_or("", |pair| pair.value.as_str())
}

fn is_of_name(one: &Statement, other: &Statement) -> bool {
    let is_reservation = one.pairs.first().is_some_and(|pair| pair.key == "reservationname");
    is_reservation && value(one, "reservationname") == value(other, "reservationname")
}

/// Returns a row, completed by what `scontrol` shows of its reservation. The cores of each node are as shown there.
fn completed(row: &Statement, shown: Option<&Statement>) -> Statement {
    let Some(shown) = shown else { return row.clone() };
    let is_same = row.get("nodes").is_none_or(|nodes| nodes.value == value(shown, "nodes"));
    let is_kept = |pair: &&Pair| {
        let of_cores = ["nodename", "coreids", "corecnt"].contains(&pair.key.as_str());
        let is_own = row.get(&pair.key).is_some() && (pair.key != "tres" || row.get("nodes").is_some());
        !is_own && (is_same || !of_cores)
    };
    let mut stretch = row.clone();
    if row.get("nodes").is_none() {
        // How much it held says nothing of the nodes that it has now.
        stretch.pairs.retain(|pair| pair.key != "tres");
    }
    stretch.pairs.extend(shown.pairs.iter().filter(is_kept).cloned());
    stretch
}

/// Whether a stretch goes on where another one ends, with the same nodes and flags.
fn continues(last: &Statement, next: &Statement) -> bool {
    let is_same = |key: &&str| value(last, key) == value(next, key);
    value(last, "endtime") == value(next, "starttime") && ["nodes", "flags", "tres"].iter().all(is_same)
}

fn set(statement: &mut Statement, key: &str, text: &str) {
    statement
        .pairs
        .iter_mut()
        .filter(|pair| pair.key == key)
        .for_each(|pair| text.clone_into(&mut pair.value));
}

/// Whether a reservation that `scontrol` shows begins when all stretches of its name are over: it recurs.
fn is_later(shown: &Statement, stretches: &[Statement]) -> bool {
    let mut ends =
        stretches.iter().filter(|row| is_of_name(shown, row)).map(|row| instant(value(row, "endtime")));
    let Some((form, begin)) = instant(value(shown, "starttime")) else { return false };
    ends.all(|end| end.is_some_and(|(of_end, end)| of_end == form && end <= begin))
}

/// Returns an instant, and whether it is written in seconds since 1970.
fn instant(text: &str) -> Option<(bool, i64)> {
    match Instant::of_slurm(text)? {
        Instant::Unix(seconds) => Some((true, seconds)),
        Instant::Clock(seconds) => Some((false, seconds)),
        Instant::Log(_) => None,
    }
}
