//! Processors occupied by rows that share time, and the cost of switching between them.

use batchlab_support::SwitchCharge;
use batchlab_support::cluster::epochs::EpochCursor;
use batchlab_support::cluster::record::Epoch;

use super::measured::MeasuredOutcome;

/// The use of processors by rows in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Processors × ticks of the slices.
    pub occupied: i128,
    /// Ticks of the context switches of all slices that began, with slices cut short counted as whole: T · CS · s.
    pub switches: i128,
    /// Processors × ticks of switches that only some jobs paid.
    pub paid: i128,
}

/// The epochs of an outcome, queried for consecutive intervals.
pub struct Turns<'a> {
    measurement: &'a MeasuredOutcome<'a>,
    epochs: EpochCursor<'a>,
    next: Option<(Epoch, Vec<i64>)>,
}

impl<'a> Turns<'a> {
    pub fn of(measurement: &'a MeasuredOutcome<'a>) -> Turns<'a> {
        Turns { measurement, epochs: measurement.outcome().epochs.iter(), next: None }
    }

    /// Returns the use between two instants; an interval must not begin before the previous one.
    pub fn between(&mut self, from: i64, to: i64) -> Taken {
        let mut taken = Taken::default();
        while let Some((epoch, rows)) = self.next.take().or_else(|| self.following()) {
            let goes_on = epoch.from.ticks() >= to || epoch.to.ticks() > to;
            if epoch.from.ticks() < to {
                self.add(&epoch, &rows, (from, to), &mut taken);
            }
            if goes_on {
                self.next = Some((epoch, rows));
                break;
            }
        }
        taken
    }

    fn following(&mut self) -> Option<(Epoch, Vec<i64>)> {
        let (epoch, workload) = (self.epochs.next()?, self.measurement.workload());
        let procs = epoch.rows.iter().map(|row| row.iter().map(|&job| workload.procs(job)).sum()).collect();
        Some((epoch, procs))
    }

    fn add(&self, epoch: &Epoch, rows: &[i64], (from, to): (i64, i64), taken: &mut Taken) {
        let point = |instant: i64| (instant.min(epoch.to.ticks()) - epoch.from.ticks()).max(0);
        let (from, to) = (point(from), point(to));
        if from >= to {
            return;
        }
        let rotation = &epoch.rotation;
        let workload = self.measurement.workload();
        for (row, &procs) in rows.iter().enumerate() {
            let time = rotation.time_of(row, to) - rotation.time_of(row, from);
            taken.occupied += i128::from(procs) * i128::from(time);
        }
        if rotation.charge == SwitchCharge::All {
            // The first slice may continue one that began before.
            let goes_on = from == 0 && rotation.spent.ticks() > 0;
            let begun = rotation.begun(to) - rotation.begun(from) - i64::from(goes_on);
            taken.switches += i128::from(begun) * i128::from(rotation.switch.ticks());
        } else if rotation.switch.ticks() > 0 {
            for (job, turns) in epoch.members() {
                let held = |at| turns.rows.iter().map(|&row| rotation.time_of(row, at)).sum::<i64>();
                let lost = |at| held(at) - rotation.service(&turns, at);
                taken.paid += i128::from(workload.procs(job)) * i128::from(lost(to) - lost(from));
            }
        }
    }
}
