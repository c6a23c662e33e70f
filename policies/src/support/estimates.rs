//! The expected run times of jobs: the user's estimate, or a prediction that is corrected when it expires.

use std::collections::{BTreeSet, HashMap};

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
    help: "the next prediction when one expires: the estimate, growing steps, or its double",
};

/// The parameter that says when predictions are made.
///
/// The published schedules of Gaussier et al. 2015 predict a job once, at its submission. The simulator of
/// Tsafrir, Etsion, Feitelson 2007 predicts the waiting jobs again at each decision.
pub const PREDICT: ParamSpec = ParamSpec {
    name: "predict",
    kind: ParamKind::Choice(&["submit", "decision"]),
    default: "submit",
    help: "when a job is predicted: once at its submission, or again at each decision until it starts",
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

/// The expected run times of jobs.
///
/// Without a predictor this is the estimate that came with the job, at no cost. With `last2` it is the mean
/// of the run times of the user's last two ended jobs in the order of their ends, rounded down to seconds,
/// at most the estimate; with fewer than two ended jobs it is the estimate. The prediction is made once, at
/// submission, or at every decision until the job starts ([`PREDICT`]). A job that outlives it gets a
/// corrected prediction.
#[derive(Clone, Debug)]
pub struct Estimates {
    predicts: bool,
    corrector: Corrector,
    /// Run times of the last two ended jobs of each user: the last, the one before.
    history: HashMap<i64, (Time, Option<Time>)>,
    predictions: HashMap<JobId, Prediction>,
    /// Present if waiting jobs are predicted again at each decision.
    renewal: Option<Renewal>,
}

/// The waiting jobs of each user, and the users whose history has changed since the last decision.
#[derive(Clone, Debug, Default)]
struct Renewal {
    waiting: HashMap<i64, BTreeSet<JobId>>,
    changed: BTreeSet<i64>,
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
        let predicts = params.text(PREDICTOR.name) == "last2";
        Estimates {
            predicts,
            corrector,
            history: HashMap::new(),
            predictions: HashMap::new(),
            renewal: (predicts && params.text(PREDICT.name) == "decision").then(Renewal::default),
        }
    }

    /// Whether estimates can be too short even though no job outlives its request.
    pub fn predicts(&self) -> bool {
        self.predicts
    }

    /// Returns the expected total run time of a job.
    #[inline]
    pub fn expected(&self, job: JobView<'_>) -> Time {
        if !self.predicts {
            return job.estimate();
        }
        self.predictions.get(&job.id()).map_or_else(|| job.estimate(), |prediction| prediction.present)
    }

    /// A job arrives: it is predicted, and the engine gets the prediction.
    pub fn submitted(&mut self, turn: &mut Turn<'_>, job: JobId) {
        if !self.predicts {
            return;
        }
        let view = turn.job(job);
        if let Some(renewal) = &mut self.renewal {
            renewal.waiting.entry(view.user()).or_default().insert(job);
        }
        if let Some(prediction) = self.predict(view) {
            self.set(turn, job, prediction);
        }
    }

    /// Returns the prediction from the history of the job's user; `None` if fewer than two jobs have ended.
    fn predict(&self, job: JobView<'_>) -> Option<Time> {
        let (last, before) = *self.history.get(&job.user())?;
        let mean = Time::from_ticks((last + before?).ticks() / 2 / TICKS_PER_SECOND * TICKS_PER_SECOND);
        Some(mean.min(job.estimate()))
    }

    /// Sets the prediction of a job that has not started, and passes it to the engine.
    pub fn set(&mut self, turn: &mut Turn<'_>, job: JobId, original: Time) {
        self.predictions.insert(job, Prediction { original, present: original, corrections: 0 });
        turn.expect(job, original);
    }

    /// Returns the waiting jobs with outdated predictions, in order of submission, each with its new
    /// prediction; none if jobs are predicted at their submission only. O(waiting jobs of the users whose
    /// jobs have ended since the last call).
    #[inline]
    pub fn outdated(&mut self, turn: &Turn<'_>) -> Vec<(JobId, Time)> {
        if self.renewal.is_none() { Vec::new() } else { self.renewed(turn) }
    }

    fn renewed(&mut self, turn: &Turn<'_>) -> Vec<(JobId, Time)> {
        let Some(renewal) = &mut self.renewal else { return Vec::new() };
        let changed = std::mem::take(&mut renewal.changed);
        let jobs = changed.iter().filter_map(|user| renewal.waiting.get(user)).flatten();
        let mut jobs: Vec<JobId> = jobs.copied().collect();
        jobs.sort_unstable();
        let outdated = |job: JobId| {
            let view = turn.job(job);
            let prediction = self.predict(view)?;
            (prediction != self.expected(view)).then_some((job, prediction))
        };
        jobs.into_iter().filter_map(outdated).collect()
    }

    /// A job no longer waits: its prediction is final.
    #[inline]
    pub fn withdrawn(&mut self, job: JobView<'_>) {
        let Some(renewal) = &mut self.renewal else { return };
        if let Some(jobs) = renewal.waiting.get_mut(&job.user()) {
            jobs.remove(&job.id());
        }
    }

    /// A job has ended: stores its run time and drops its prediction.
    pub fn finished(&mut self, job: JobView<'_>, run: Time) {
        if !self.predicts {
            return;
        }
        self.predictions.remove(&job.id());
        let last = self.history.get(&job.user()).map(|(last, _)| *last);
        self.history.insert(job.user(), (run, last));
        if let Some(renewal) = &mut self.renewal {
            renewal.changed.insert(job.user());
        }
    }

    /// Returns the corrected prediction of a job that has outlived its prediction; `None` beyond its
    /// estimate.
    pub fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let estimate = late.job.estimate();
        let prediction = self.predictions.get_mut(&late.job.id())?;
        if prediction.present >= estimate {
            return None;
        }
        prediction.present = match self.corrector {
            Corrector::Request => estimate,
            // As published, the doubled prediction may exceed the estimate.
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
