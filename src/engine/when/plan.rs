//! How much of a foretold start is the plan by requests.

use super::calibration::Checked;

/// The share that the start as requested has in each foretold start and in the ends of its interval; the drawn ones have the rest.
///
/// Shares are what both have earned: the inverse of the fourth power of the mean absolute error of either at past instants, by the jobs
/// that have started since, all instants weighing the same. Before any has started they are even. The powers 2, 3, 4 and 6 were
/// compared on recorded runs of Slurm, and to draw shares to even ones while few jobs have ended, which made errors greater.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Plan {
    share: f64,
}

/// How errors count.
const POWER: i32 = 4;

impl Plan {
    /// Returns the share by what was foretold at past instants. O(jobs).
    pub(super) fn of(groups: &[&[Checked]]) -> Plan {
        // Of the draws and of the requests.
        let mut errors = [0.0; 2];
        for group in groups {
            let started: Vec<&Checked> =
                group.iter().filter(|&checked| !checked.waits && is_finite(checked)).collect();
            for checked in &started {
                let both = [checked.drawn[1], checked.requested];
                for (error, start) in errors.iter_mut().zip(both) {
                    *error += (start - checked.actual).abs() / started.len() as f64;
                }
            }
        }
        // Starts are whole seconds.
        let [drawn, requested] = errors.map(|error| (1.0 + error / groups.len().max(1) as f64).powi(POWER));
        Plan { share: drawn / (drawn + requested) }
    }

    /// Returns quantiles of drawn starts that lie so much nearer to the start as requested; all are seconds. An endless one stays.
    pub(super) fn blend(self, drawn: [f64; 3], requested: f64) -> [f64; 3] {
        let nearer = |start: f64| {
            let way = requested - start;
            if way.is_finite() { start + self.share * way } else { start }
        };
        drawn.map(nearer)
    }
}

fn is_finite(checked: &Checked) -> bool {
    checked.drawn[1].is_finite() && checked.requested.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::when::forecast::Foretold;
    use batchlab_traces::{JobId, Time};

    #[test]
    fn shares_are_what_both_have_earned() {
        // A start after 10 s is drawn, one after 40 s requested.
        let foretold = Foretold { job: JobId(0), requested: 40.0, starts: vec![10.0], earliest: 0.0 };
        let after = |actual: f64| {
            let checked = Checked::of(&foretold, Time::ZERO, Time::from_secs_f64(actual), 0.9);
            Plan::of(&[&[checked]]).blend([10.0; 3], 40.0)[1]
        };
        assert_eq!(Plan::of(&[]).blend([10.0, 20.0, 30.0], 40.0), [25.0, 30.0, 35.0], "even");
        assert_eq!(after(25.0), 25.0, "both were wrong by 15 s");
        // Errors of 1 and 29 s: 2^4 against 30^4.
        assert!((after(11.0) - 10.0006).abs() < 1e-4, "{}", after(11.0));
        assert!((after(39.0) - 39.9994).abs() < 1e-4, "{}", after(39.0));
        assert_eq!(Plan::of(&[]).blend([10.0, 20.0, f64::INFINITY], 40.0), [25.0, 30.0, f64::INFINITY]);
        assert_eq!(
            Plan::of(&[]).blend([10.0; 3], f64::INFINITY),
            [10.0; 3],
            "it does not start as requested"
        );
    }
}
