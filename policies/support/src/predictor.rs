//! Predictors: how long a job will run, from the run times of jobs that have ended.

use std::ops::Range;

use batchlab_traces::Time;
use batchlab_traces::expr::{ExprType, FieldId, Rows, Vocabulary};
use batchlab_traces::time::TICKS_PER_SECOND;
use rustc_hash::FxHashMap;

use super::computed::Computed;
use super::expressions::{Waiting, vocabulary};
use super::similar::SimilarJobs;
use crate::external::Fault;
use crate::facts::{Fact, HISTORY};
use crate::needs::Needs;
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting, Words, share_of};
use crate::view::JobView;
use crate::words;

pub const PREDICTOR: ParamSpec = ParamSpec {
    name: "predictor",
    kind: ParamKind::Predictor { words: &WORDS, share: QUANTILE },
    default: "none",
    help: "what orders and reservations use for the run time: the estimate, or a prediction from jobs that have ended",
    // Predicting from a user's earlier jobs requires that the log names users. Expressions and plug-ins state their own needs.
    needs: |value| match (Past::named(value), share_of(QUANTILE, value)) {
        (Some(Past::Unused), _) | (None, None) => Needs::NONE,
        (Some(Past::LastTwo | Past::UserMean), _) | (None, Some(_)) => Needs::fact(Fact::User),
    },
};

/// The predictor that a quantile follows.
const QUANTILE: &str = "quantile";

#[derive(Clone, Copy)]
enum Past {
    Unused,
    LastTwo,
    UserMean,
}

words!(Past { Unused = "none", LastTwo = "last2", UserMean = "user-mean" });

/// Their words; `quantile:0.5` is an example of its kind.
const WORDS: [&str; 4] = [Past::WORDS[0], Past::WORDS[1], Past::WORDS[2], "quantile:0.5"];

/// Why a predictor must not read `wait`.
const NO_WAIT: &str = "a prediction does not change as a job waits";

/// Predicts run times from those of ended jobs.
///
/// * `last2`: the mean of the run times of the user's last two ended jobs in the order of their ends, rounded down
///   to seconds, at most the estimate; no prediction with fewer than two (Tsafrir, Etsion, Feitelson, TPDS 18(6),
///   2007).
/// * `user-mean`: the mean of the run times of all ended jobs of the user, rounded down to seconds (one of the
///   windows of history that Tsafrir et al. compare).
/// * `quantile:Q`: the estimate times the quantile Q of the shares of their estimates that similar jobs ran for
///   ([`SimilarJobs::quantile`]). A prediction that is too short costs a correction, one that is too long only
///   holes; Q weighs one against the other, as the asymmetric losses of Gaussier, Glesser, Reis, Trystram (SC 2015)
///   do.
/// * `expr(…)` and plug-ins: a number of seconds, over what is known of a waiting job and [`HISTORY`]; no
///   prediction where it is not a number, or not above zero.
///
/// All predictions except those of `last2`, which are as published, are at least 1 s; all are at most the estimate.
pub struct Predictor {
    rule: Rule,
    users: Users,
    similar: SimilarJobs,
}

enum Rule {
    LastTwo,
    UserMean,
    Quantile(f64),
    Computed {
        computed: Box<Computed>,
        /// The position of the first number of [`HISTORY`] among the further resources.
        from: u32,
        /// Whether it is a plug-in, which must return finite numbers.
        plugin: bool,
    },
}

type Users = FxHashMap<i64, History>;

/// The run times of a user's ended jobs.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    jobs: u64,
    /// The sum of the run times, in ticks.
    total: i128,
    last: Time,
    /// The run time of the job before the last.
    before: Time,
}

impl History {
    fn learn(&mut self, run: Time) {
        self.jobs += 1;
        self.total += i128::from(run.ticks());
        self.before = std::mem::replace(&mut self.last, run);
    }

    fn last_two(&self) -> Option<Time> {
        (self.jobs >= 2).then(|| whole((self.last + self.before).ticks() / 2))
    }

    fn mean(&self) -> Option<Time> {
        (self.jobs > 0).then(|| whole((self.total / i128::from(self.jobs)) as i64))
    }

    /// Returns a number of [`HISTORY`].
    fn number(&self, which: u32) -> f64 {
        let secs = |time: Option<Time>| time.map_or(-1.0, Time::secs);
        match which {
            0 => secs((self.jobs > 0).then_some(self.last)),
            1 => secs(self.last_two()),
            2 => secs(self.mean()),
            _ => self.jobs as f64,
        }
    }
}

/// Returns a number of ticks, rounded down to seconds.
fn whole(ticks: i64) -> Time {
    Time::from_ticks(ticks / TICKS_PER_SECOND * TICKS_PER_SECOND)
}

impl Predictor {
    /// Returns the predictor that the parameters name; `None` if they name none.
    ///
    /// # Errors
    /// When an expression does not give a time or uses unknown facts of a waiting job, or a plug-in cannot begin.
    pub fn from_params(params: &Params, setting: &Setting<'_>) -> Result<Option<Predictor>, BuildError> {
        let rule = match (params.named(&PREDICTOR), params.share(&PREDICTOR)) {
            (Some(Past::Unused), _) => return Ok(None),
            (Some(Past::LastTwo), _) => Rule::LastTwo,
            (Some(Past::UserMean), _) => Rule::UserMean,
            (None, Some(quantile)) => Rule::Quantile(quantile),
            (None, None) => Rule::computed(params, setting)?,
        };
        Ok(Some(Predictor { rule, users: Users::default(), similar: SimilarJobs::default() }))
    }

    /// Whether the prediction of a job depends on the ended jobs of its user only.
    #[inline]
    pub fn is_by_user(&self) -> bool {
        !matches!(self.rule, Rule::Quantile(_))
    }

    /// Learns the run time of a job that has ended. O(1).
    pub fn learn(&mut self, job: JobView<'_>, run: Time) {
        match self.rule {
            Rule::Quantile(_) => self.similar.learn(job.user(), job.estimate(), run),
            _ => self.users.entry(job.user()).or_default().learn(run),
        }
    }

    /// Returns the predicted run time of a job; `None` if too little is known, or a computed number is no prediction. O(1),
    /// with one request to a plug-in.
    pub fn predict(&mut self, job: JobView<'_>) -> Result<Option<Time>, Fault> {
        let history = self.users.get(&job.user());
        let least = |time: Time| time.max(Time::SECOND);
        let prediction = match &self.rule {
            Rule::LastTwo => history.and_then(History::last_two),
            Rule::UserMean => history.and_then(History::mean).map(least),
            Rule::Quantile(quantile) => {
                let share = self.similar.quantile(job.user(), job.estimate(), *quantile);
                share.map(|share| least(Time::from_secs_f64(share * job.estimate().secs())))
            }
            Rule::Computed { .. } => return Ok(self.predict_all(&[job])?.pop().flatten()),
        };
        Ok(prediction.map(|time| time.min(job.estimate())))
    }

    /// As [`Predictor::predict`] for several jobs, in one request to a plug-in.
    pub fn predict_all(&mut self, jobs: &[JobView<'_>]) -> Result<Vec<Option<Time>>, Fault> {
        let Rule::Computed { computed, from, plugin } = &mut self.rule else {
            return jobs.iter().map(|&job| self.predict(job)).collect();
        };
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let estimated: Vec<_> = jobs.iter().map(|&job| (job, job.estimate())).collect();
        let waiting = Waiting { jobs: &estimated, now: Time::ZERO };
        let numbers = computed.numbers(&Known { waiting, users: &self.users, from: *from })?;
        let prediction = |(&job, &seconds): (&JobView<'_>, &f64)| {
            if *plugin && !seconds.is_finite() {
                let why = format!(
                    "it predicts {seconds} for job {}; a prediction is a number of seconds, and 0 stands for none",
                    job.number()
                );
                return Err(Fault::Answer { during: "order", why });
            }
            let known = seconds > 0.0;
            let bounded = || Time::from_secs_f64(seconds).max(Time::SECOND).min(job.estimate());
            Ok(known.then(bounded))
        };
        jobs.iter().zip(numbers).map(prediction).collect()
    }

    /// The replay is over: ends a plug-in.
    pub fn finish(&mut self) -> Result<(), Fault> {
        match &mut self.rule {
            Rule::Computed { computed, .. } => computed.finish(),
            _ => Ok(()),
        }
    }
}

impl Rule {
    fn computed(params: &Params, setting: &Setting<'_>) -> Result<Rule, BuildError> {
        let known = vocabulary(setting).hiding("wait", NO_WAIT);
        let from = known.further();
        let names = HISTORY.map(|(name, unit, _)| (name, unit));
        let known: Vocabulary = known.with_numbers(&names);
        let key = PREDICTOR.name;
        let Some(computed) = Computed::from_params(params, key, setting, &known)? else {
            return Err(params.unfit(key, "it names no predictor"));
        };
        if ![ExprType::TIME, ExprType::PLAIN].contains(&computed.kind()) {
            let reason = format!("a prediction is a time, and this is {}", computed.kind());
            return Err(params.unfit(key, reason));
        }
        let plugin = params.policy(key).is_some();
        Ok(Rule::Computed { computed: Box::new(computed), from, plugin })
    }
}

/// Waiting jobs with the history of their users.
struct Known<'a, 'w> {
    waiting: Waiting<'a, 'w>,
    users: &'a Users,
    from: u32,
}

impl Rows for Known<'_, '_> {
    fn len(&self) -> usize {
        self.waiting.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        match field {
            FieldId::Resource(at) if at >= self.from => {
                let jobs = self.waiting.jobs[rows].iter().zip(out);
                let unknown = History::default();
                jobs.for_each(|((job, _), to)| {
                    *to = self.users.get(&job.user()).unwrap_or(&unknown).number(at - self.from);
                });
            }
            _ => self.waiting.fill(field, rows, out),
        }
    }

    fn key(&self, row: usize) -> u64 {
        self.waiting.key(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_expressions_lists_what_predictors_may_read() {
        let page = include_str!("../../../traces/EXPRESSIONS.md");
        let section = page
            .split("\n## The past of a user\n")
            .nth(1)
            .and_then(|rest| rest.split("\n## ").next())
            .unwrap();
        let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
        let known = HISTORY.map(|(name, unit, meaning)| format!("| `{name}` | {unit} | {meaning} |"));
        assert_eq!(rows, known);
    }

    #[test]
    fn a_history_of_too_few_jobs_is_unknown() {
        let mut history = History::default();
        let numbers = |history: &History| [0, 1, 2, 3].map(|which| history.number(which));
        assert_eq!(numbers(&history), [-1.0, -1.0, -1.0, 0.0]);
        history.learn(Time::from_secs(11));
        assert_eq!(numbers(&history), [11.0, -1.0, 11.0, 1.0]);
        history.learn(Time::from_secs(20));
        history.learn(Time::from_secs(2));
        assert_eq!(numbers(&history), [2.0, 11.0, 11.0, 3.0]);
    }

    #[test]
    fn a_quantile_lies_between_0_and_1() {
        assert_eq!(share_of(QUANTILE, "quantile:0.25"), Some(0.25));
        for value in ["quantile:0", "quantile:1", "quantile:NaN", "quantile:inf", "quantile:", "0.5"] {
            assert_eq!(share_of(QUANTILE, value), None, "{value}");
        }
    }
}
