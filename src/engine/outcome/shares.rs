//! The service that jobs received while rows shared time, in closed form.

use batchlab_support::cluster::epochs::{EpochCursor, Epochs};
use batchlab_support::cluster::record::Epoch;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

/// The service of a job in an interval within one epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Got {
    /// The job.
    pub job: JobId,
    /// How long it was in the rows.
    pub present: Time,
    /// How long it held its processors: its slices.
    pub held: Time,
    /// The part of that time spent on context switches.
    pub switched: Time,
    /// How long it ran: its slices without switches and migrations.
    pub ran: Time,
}

/// Returns the service of jobs in slices within an interval, epoch by epoch. The last interval asked of the cursor was before this
/// one: intervals that follow each other cost one walk through the epochs. O(rows) per job and epoch.
pub fn turns_of(epochs: &mut EpochCursor<'_>, from: Time, to: Time) -> Vec<Got> {
    epochs.seek(from);
    epochs.take_while(|epoch| epoch.from < to).flat_map(|epoch| got(&epoch, from, to)).collect()
}

/// Adds the service that these jobs received in the slices of epochs, at full speed and without overheads. O(rows) for
/// each period between changes of the rows: slices are not enumerated.
pub fn add_turns(epochs: &Epochs, served: &mut SortedMap<JobId, Time>) {
    for epoch in epochs {
        if served.is_empty() {
            return;
        }
        let elapsed = (epoch.to - epoch.from).ticks();
        for (job, turns) in epoch.members() {
            let Some(sum) = served.get_mut(&job) else { continue };
            let owes = epoch.owes(job).ticks();
            let got = epoch.rotation.service(&turns, elapsed);
            *sum += Time::from_ticks((got - owes).max(0));
        }
    }
}

/// Returns the service of every job of an epoch within an interval.
fn got(epoch: &Epoch, from: Time, to: Time) -> Vec<Got> {
    let since = |at: Time| (at.min(epoch.to) - epoch.from).ticks().max(0);
    let (from, to) = (since(from), since(to));
    let rotation = &epoch.rotation;
    let of = |(job, turns)| {
        let owes = epoch.owed.iter().find(|(debtor, _)| *debtor == job).map_or(0, |(_, owes)| owes.ticks());
        let held = |at| turns_rows(&turns, |row| rotation.time_of(row, at));
        let service = |at| rotation.service(&turns, at);
        // Migration time that the job owes comes first; only then does it run.
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

fn turns_rows(turns: &batchlab_support::cluster::rotation::Turns, time: impl Fn(usize) -> i64) -> i64 {
    turns.rows.iter().map(|&row| time(row)).sum()
}
