//! What jobs are expected to run: the user's estimate, or a prediction that is corrected on expiry.

use std::collections::HashMap;

use batchlab_traces::time::TICKS_PER_SECOND;
use batchlab_traces::{JobId, Time};

use crate::policy::Late;
use crate::spec::{ParamKind, ParamSpec, Params};
use crate::turn::Turn;
use crate::view::JobView;

/// The parameter that names the predictor.
pub const PREDICTOR: ParamSpec = ParamSpec {
    name: "predictor",
    kind: ParamKind::Choice(&["none", "last2"]),
    default: "none",
    help: "what orders and reservations use for the run time: the estimate, or the mean of the user's last two",
};

/// The parameter that names the corrector.
pub const CORRECTOR: ParamSpec = ParamSpec {
    name: "corrector",
    kind: ParamKind::Choice(&["request", "increment", "double"]),
    default: "request",
    help: "what becomes of a prediction that expires: the estimate, growing steps, or its double",
};

/// What the corrector `increment` adds to the original prediction, one after the other, in seconds: 1, 5,
/// 15, 30 min, 1, 2, 5, 10, 20, 50, 100 h (Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007, section 4).
const INCREMENTS: [i64; 11] = [60, 300, 900, 1800, 3600, 7200, 18_000, 36_000, 72_000, 180_000, 360_000];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corrector {
    Request,
    Increment,
    Double,
}

/// What jobs are expected to run.
///
/// Without a predictor this is the estimate that came with the job, and costs nothing. With `last2` it is
/// the mean of the run times of the user's last two ended jobs in the order of their ends, whole seconds
/// down, at most the estimate; the estimate when fewer than two have ended. It is made once, at
/// submission. A job that outlives it is corrected.
#[derive(Clone, Debug)]
pub struct Estimates {
    predicts: bool,
    corrector: Corrector,
    /// Run times of the last two ended jobs of each user: the last, the one before.
    history: HashMap<i64, (Time, Option<Time>)>,
    predictions: HashMap<JobId, Prediction>,
}

#[derive(Clone, Copy, Debug)]
struct Prediction {
    original: Time,
    present: Time,
    corrections: usize,
}

impl Estimates {
    /// Returns the estimates that the parameters name.
    pub fn from_params(params: &Params) -> Estimates {
        let corrector = match params.text(CORRECTOR.name) {
            "increment" => Corrector::Increment,
            "double" => Corrector::Double,
            _ => Corrector::Request,
        };
        Estimates {
            predicts: params.text(PREDICTOR.name) == "last2",
            corrector,
            history: HashMap::new(),
            predictions: HashMap::new(),
        }
    }

    /// Whether estimates can be too short even though no job outlives its request.
    pub fn predicts(&self) -> bool {
        self.predicts
    }

    /// Returns how long a job is expected to run in all.
    #[inline]
    pub fn expected(&self, job: JobView<'_>) -> Time {
        if !self.predicts {
            return job.estimate();
        }
        self.predictions.get(&job.id()).map_or_else(|| job.estimate(), |prediction| prediction.present)
    }

    /// A job arrives: it is predicted, and the engine is told.
    pub fn submitted(&mut self, turn: &mut Turn<'_>, job: JobId) {
        if !self.predicts {
            return;
        }
        let view = turn.job(job);
        let Some((last, Some(before))) = self.history.get(&view.user()).copied() else { return };
        let mean = Time::from_ticks((last + before).ticks() / 2 / TICKS_PER_SECOND * TICKS_PER_SECOND);
        let original = mean.min(view.estimate());
        self.predictions.insert(job, Prediction { original, present: original, corrections: 0 });
        turn.expect(job, original);
    }

    /// A job has ended: its run time is remembered, its prediction forgotten.
    pub fn finished(&mut self, job: JobView<'_>, run: Time) {
        if !self.predicts {
            return;
        }
        self.predictions.remove(&job.id());
        let last = self.history.get(&job.user()).map(|(last, _)| *last);
        self.history.insert(job.user(), (run, last));
    }

    /// A job has outlived its prediction: returns the corrected one, `None` when it is beyond its estimate.
    pub fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let estimate = late.job.estimate();
        let prediction = self.predictions.get_mut(&late.job.id())?;
        if prediction.present >= estimate {
            return None;
        }
        prediction.present = match self.corrector {
            Corrector::Request => estimate,
            // As published, the double may exceed the estimate.
            Corrector::Double => (prediction.present + prediction.present).max(Time::SECOND),
            Corrector::Increment => match INCREMENTS.get(prediction.corrections) {
                Some(&seconds) => (prediction.original + Time::from_secs(seconds)).min(estimate),
                None => estimate,
            },
        };
        prediction.corrections += 1;
        Some(prediction.present)
    }
}
