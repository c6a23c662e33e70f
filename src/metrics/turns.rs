//! Processors occupied by rows that share time, and the cost of switching between them.

use batchlab_policies::SwitchCharge;
use batchlab_policies::cluster::record::Epoch;

use super::measurement::Measurement;

/// The use of processors by rows in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// Processors × ticks of the slices.
    pub occupied: i128,
    /// Ticks of the context switches of all slices that began, with slices cut short counted as whole: T · CS
    /// · s.
    pub switches: i128,
    /// Processors × ticks of switches that only some jobs paid.
    pub paid: i128,
}

/// The epochs of an outcome, queried for consecutive intervals.
pub struct Turns<'a> {
    measurement: &'a Measurement<'a>,
    /// The position of an epoch, and the processors of each of its rows.
    rows: Option<(usize, Vec<i64>)>,
    next: usize,
}

impl<'a> Turns<'a> {
    pub fn of(measurement: &'a Measurement<'a>) -> Turns<'a> {
        Turns { measurement, rows: None, next: 0 }
    }

    /// Returns the use between two instants; an interval must not begin before the previous one.
    pub fn between(&mut self, from: i64, to: i64) -> Taken {
        let epochs = &self.measurement.outcome().epochs;
        let mut taken = Taken::default();
        while let Some(epoch) = epochs.get(self.next).filter(|epoch| epoch.from.ticks() < to) {
            self.add(self.next, epoch, (from, to), &mut taken);
            if epoch.to.ticks() > to {
                break;
            }
            self.next += 1;
        }
        taken
    }

    fn add(&mut self, at: usize, epoch: &Epoch, (from, to): (i64, i64), taken: &mut Taken) {
        let point = |instant: i64| (instant.min(epoch.to.ticks()) - epoch.from.ticks()).max(0);
        let (from, to) = (point(from), point(to));
        if from >= to {
            return;
        }
        let rotation = &epoch.rotation;
        let workload = self.measurement.workload();
        let rows = match &self.rows {
            Some((known, rows)) if *known == at => rows,
            _ => {
                let procs = rotation.rows.iter().map(|row| row.iter().map(|&job| workload.procs(job)).sum());
                &self.rows.insert((at, procs.collect())).1
            }
        };
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
