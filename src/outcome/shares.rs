//! What jobs got of the times in which rows took turns, in closed form.

use batchlab_policies::cluster::record::Epoch;
use batchlab_traces::{JobId, Time};

use super::Outcome;

/// What a job got of a stretch of time within one epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Got {
    /// The job.
    pub job: JobId,
    /// For how long it was in the rows.
    pub present: Time,
    /// For how long it had its processors: its slices.
    pub held: Time,
    /// What of that went to context switches.
    pub switched: Time,
    /// For how long it ran: its slices without switches and migrations.
    pub ran: Time,
}

impl Outcome {
    /// Returns the epochs that reach into a stretch of time, each with its part of it, counted from its beginning.
    pub fn epochs_within(&self, from: Time, to: Time) -> impl Iterator<Item = (&Epoch, i64, i64)> + '_ {
        let first = self.epochs.partition_point(|epoch| epoch.to <= from);
        self.epochs[first..].iter().take_while(move |epoch| epoch.from < to).map(move |epoch| {
            let since = |at: Time| (at.min(epoch.to) - epoch.from).ticks().max(0);
            (epoch, since(from), since(to))
        })
    }

    /// Returns what jobs got of the turns within a stretch of time, epoch by epoch. O(rows) per job and epoch.
    pub fn turns_within(&self, from: Time, to: Time) -> impl Iterator<Item = Got> + '_ {
        self.epochs_within(from, to).flat_map(|(epoch, from, to)| got(epoch, from, to))
    }
}

/// Returns what every job of an epoch got between two points of it.
fn got(epoch: &Epoch, from: i64, to: i64) -> Vec<Got> {
    let rotation = &epoch.rotation;
    let of = |(job, turns)| {
        let owes = epoch.owed.iter().find(|(debtor, _)| *debtor == job).map_or(0, |(_, owes)| owes.ticks());
        let held = |at| turns_rows(&turns, |row| rotation.time_of(row, at));
        let service = |at| rotation.service(&turns, at);
        // Debts are paid before anything is done.
        let ran = |at| (service(at) - owes).max(0);
        let held = held(to) - held(from);
        Got {
            job,
            present: Time::from_ticks(to - from),
            held: Time::from_ticks(held),
            switched: Time::from_ticks(held - (service(to) - service(from))),
            ran: Time::from_ticks(ran(to) - ran(from)),
        }
    };
    epoch.members().into_iter().map(of).collect()
}

fn turns_rows(turns: &batchlab_policies::cluster::rotation::Turns, time: impl Fn(usize) -> i64) -> i64 {
    turns.rows.iter().map(|&row| time(row)).sum()
}
