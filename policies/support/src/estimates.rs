//! The expected run times of jobs: the user's estimate, or a prediction that is corrected when it expires.

use std::collections::HashMap;

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::predictor::Predictor;
use crate::external::Fault;
use crate::policy::Late;
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting, Words};
use crate::turn::Turn;
use crate::view::JobView;
use crate::words;

pub const CORRECTOR: ParamSpec = ParamSpec {
    name: "corrector",
    kind: ParamKind::Choice(Corrector::WORDS),
    default: "request",
    help: "the next prediction when one expires: the estimate, growing steps, or its double",
    ..ParamSpec::PLAIN
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
    ..ParamSpec::PLAIN
};

/// The additions of the corrector `increment` to the original prediction, one after the other, in seconds: 1, 5, 15, 30 min,
/// 1, 2, 5, 10, 20, 50, 100 h (Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007, section 4).
const INCREMENTS: [i64; 11] = [60, 300, 900, 1800, 3600, 7200, 18_000, 36_000, 72_000, 180_000, 360_000];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Corrector {
    Request,
    Increment,
    Double,
}

words!(Corrector { Request = "request", Increment = "increment", Double = "double" });

/// The expected run times of jobs.
///
/// Without a predictor this is the estimate that came with the job, at no cost. With one it is the prediction
/// ([`Predictor`]), or the estimate if the predictor makes none. The prediction is made once, at submission, or at every
/// decision until the job starts ([`PREDICT`]). A job that outlives it gets a corrected prediction.
pub struct Estimates {
    predictor: Option<Box<Predictor>>,
    corrector: Corrector,
    predictions: HashMap<JobId, Prediction>,
    /// Present if waiting jobs are predicted again at each decision.
    renewal: Option<Renewal>,
}

/// The waiting jobs of each user, and the users whose history has changed since the last decision.
#[derive(Clone, Debug, Default)]
struct Renewal {
    waiting: HashMap<i64, SortedSet<JobId>>,
    changed: SortedSet<i64>,
}

#[derive(Clone, Copy, Debug)]
struct Prediction {
    original: Time,
    present: Time,
    corrections: usize,
}

impl Estimates {
    pub fn from_params(params: &Params, setting: &Setting<'_>) -> Result<Estimates, BuildError> {
        let corrector = params.word(&CORRECTOR)?;
        let predictor = Predictor::from_params(params, setting)?.map(Box::new);
        let renews = predictor.is_some() && params.is(&PREDICT, "decision")?;
        Ok(Estimates {
            predictor,
            corrector,
            predictions: HashMap::new(),
            renewal: renews.then(Renewal::default),
        })
    }

    /// Whether jobs are expected to run for other times than their estimates.
    #[inline]
    pub fn predict(&self) -> bool {
        self.predictor.is_some()
    }

    #[inline]
    pub fn expected(&self, job: JobView<'_>) -> Time {
        if self.predictor.is_none() {
            return job.estimate();
        }
        self.predictions.get(&job.id()).map_or_else(|| job.estimate(), |prediction| prediction.present)
    }

    /// A job arrives: it is predicted, and the engine gets the prediction.
    #[inline]
    pub fn submitted(&mut self, turn: &mut Turn<'_>, job: JobId) -> Result<(), Fault> {
        let Some(predictor) = &mut self.predictor else { return Ok(()) };
        let view = turn.job(job);
        if let Some(renewal) = &mut self.renewal {
            renewal.waiting.entry(view.user()).or_default().insert(job);
        }
        if let Some(prediction) = predictor.predict(view)? {
            self.set(turn, job, prediction);
        }
        Ok(())
    }

    /// Sets the prediction of a job that has not started, and passes it to the engine.
    #[inline]
    pub fn set(&mut self, turn: &mut Turn<'_>, job: JobId, original: Time) {
        self.predictions.insert(job, Prediction { original, present: original, corrections: 0 });
        turn.expect(job, original);
    }

    /// Returns the waiting jobs with outdated predictions, in order of submission, each with its new
    /// prediction; none if jobs are predicted at their submission only. O(waiting jobs of the users whose
    /// jobs have ended since the last call), or of all users if a predictor looks at the jobs of others.
    #[inline]
    pub fn outdated(&mut self, turn: &Turn<'_>) -> Result<Vec<(JobId, Time)>, Fault> {
        if self.renewal.is_none() { Ok(Vec::new()) } else { self.renewed(turn) }
    }

    fn renewed(&mut self, turn: &Turn<'_>) -> Result<Vec<(JobId, Time)>, Fault> {
        let (Some(renewal), Some(predictor)) = (&mut self.renewal, &mut self.predictor) else {
            return Ok(Vec::new());
        };
        let changed = std::mem::take(&mut renewal.changed);
        let mut jobs: Vec<JobId> = if predictor.is_by_user() {
            changed.iter().filter_map(|user| renewal.waiting.get(user)).flatten().copied().collect()
        } else if changed.is_empty() {
            Vec::new()
        } else {
            renewal.waiting.values().flatten().copied().collect()
        };
        jobs.sort_unstable();
        let views: Vec<JobView<'_>> = jobs.iter().map(|&job| turn.job(job)).collect();
        let predictions = predictor.predict_all(&views)?;
        let outdated = |(view, prediction): (JobView<'_>, Option<Time>)| {
            let prediction = prediction.unwrap_or(view.estimate());
            (prediction != self.expected(view)).then_some((view.id(), prediction))
        };
        Ok(views.into_iter().zip(predictions).filter_map(outdated).collect())
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
    #[inline]
    pub fn finished(&mut self, job: JobView<'_>, run: Time) {
        let Some(predictor) = &mut self.predictor else { return };
        self.predictions.remove(&job.id());
        predictor.learn(job, run);
        if let Some(renewal) = &mut self.renewal {
            renewal.changed.insert(job.user());
        }
    }

    /// Returns the corrected prediction of a job that has outlived its prediction; `None` beyond its estimate.
    #[inline]
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

    /// The replay is over: ends a plug-in.
    pub fn finish(&mut self) -> Result<(), Fault> {
        self.predictor.as_mut().map_or(Ok(()), |predictor| predictor.finish())
    }
}
