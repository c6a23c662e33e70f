use batchlab_traces::Workload;
use serde::{Deserialize, Serialize};

use batchlab_engine::info::{Info, WeeklyCycle};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArrivalFacts {
    /// Whether all jobs are submitted at one instant.
    pub are_at_once: bool,
    /// Coefficient of variation of the interarrival times; 1 is a Poisson process.
    pub cv: Option<f64>,
    /// Their autocorrelation at lag 1; 0 if they are independent.
    pub autocorrelation: Option<f64>,
    /// Arrivals in the busiest and in the quietest hour of the day, as multiples of those in a mean hour;
    /// `None` if the log does not record the time of day.
    pub daily: Option<(f64, f64)>,
}

impl ArrivalFacts {
    pub(super) fn of(info: &Info, jobs: &Workload) -> ArrivalFacts {
        let mut submits = jobs.jobs().map(|job| jobs.submit(job));
        let first = submits.next();
        let daily = |cycle: &WeeklyCycle| (cycle.busiest_hour().1, cycle.quietest_hour().1);
        ArrivalFacts {
            are_at_once: jobs.len() > 1 && submits.all(|submit| Some(submit) == first),
            cv: info.arrivals.cv,
            autocorrelation: info.arrivals.autocorrelation,
            daily: info.arrivals.cycle.as_ref().map(daily),
        }
    }
}
