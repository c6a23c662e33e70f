//! The options of an environment, by the names that users write.

use std::fmt;
use std::str::FromStr;

use batchlab_traces::Workload;
use batchlab_traces::reading::UnknownValue;

/// Number of values of a job in [`ObservationLayout::Native`].
pub const JOB_FEATURES: usize = 8;

/// Number of values of the machine in [`ObservationLayout::Native`].
pub const MACHINE_FEATURES: usize = 5 + RELEASE_BOUNDS.len();

/// The instants from now at which [`ObservationLayout::Native`] gives the share of the machine that is expected to be free, in
/// seconds: 1 min, 10 min, 1 h, 4 h, 12 h, 1 d, 3 d.
pub const RELEASE_BOUNDS: [i64; 7] = [60, 600, 3600, 4 * 3600, 12 * 3600, 86_400, 3 * 86_400];

#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentOptions {
    /// Number of waiting jobs that the agent chooses from, first submitted first.
    pub window: usize,
    /// Whether jobs start behind a head that does not fit.
    pub backfill: bool,
    /// Whether a chosen job is waited for.
    pub commit: bool,
    pub layout: ObservationLayout,
    pub reward: Reward,
    /// Number of jobs of an episode; all by default.
    pub length: Option<usize>,
    /// Number of jobs before the episode that are simulated and not measured, so that it begins on a machine with work: EASY
    /// in the order of submission decides about them until the first job of the episode is submitted.
    pub prefix_jobs: usize,
    /// What an invalid action costs.
    pub penalty: f64,
    /// The number of invalid actions in a row after which the environment goes on by itself.
    pub patience: u32,
}

impl Default for EnvironmentOptions {
    fn default() -> EnvironmentOptions {
        EnvironmentOptions {
            window: 128,
            backfill: true,
            commit: false,
            layout: ObservationLayout::default(),
            reward: Reward::default(),
            length: None,
            prefix_jobs: 0,
            penalty: 1.0,
            patience: 10,
        }
    }
}

impl EnvironmentOptions {
    pub(super) fn check(&self, workload: &Workload) -> Result<(), String> {
        let jobs = workload.len();
        if jobs == 0 {
            return Err("an environment needs at least one job".into());
        }
        if !(1..=1 << 20).contains(&self.window) {
            return Err(format!("window={} is not between 1 and {}", self.window, 1 << 20));
        }
        if let Some(length) = self.length.filter(|length| !(1..=jobs).contains(length)) {
            return Err(format!("length={length} is not between 1 and the {jobs} jobs of the log"));
        }
        if self.prefix_jobs >= jobs || self.prefix_jobs > jobs - self.length.unwrap_or(1) {
            return Err(format!(
                "prefix_jobs={} leaves too few of the {jobs} jobs of the log for an episode",
                self.prefix_jobs
            ));
        }
        if !(self.penalty >= 0.0 && self.penalty.is_finite()) {
            return Err(format!("penalty={} is not a finite number of at least 0", self.penalty));
        }
        if self.patience == 0 {
            return Err("patience=0 is not at least 1".into());
        }
        Ok(())
    }
}

/// What is rewarded. The sum of the rewards of an episode is the metric of its outcome, negative where less is better, less
/// the penalties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// Less mean bounded slowdown, τ = 10 s (metric `mean_bsld`): each job counts when it starts.
    #[default]
    BoundedSlowdown,
    /// Less mean wait in seconds (metric `mean_wait`): each job counts when it starts.
    Wait,
    /// Utilization (metric `utilization`): the change of the utilization from the first submission of the episode to now.
    /// The metric has the time of a prefix, too.
    Utilization,
    /// Fairness among users (metric `jain`): the change of Jain's index of the jobs that have started.
    Fairness,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObservationLayout {
    /// The window, [`JOB_FEATURES`] values a job, and the machine, [`MACHINE_FEATURES`] values.
    ///
    /// Of a job: 1; its wait; its request; its processors / the machine's; whether it fits now; whether it may be chosen;
    /// whether it is the head that holds a reservation; the share of the machine that its user's running jobs hold. Places
    /// without a job are zero.
    ///
    /// Of the machine: the free share; waiting jobs / (waiting jobs + window); the share that is expected to be free
    /// after each of [`RELEASE_BOUNDS`]; whether a head holds a reservation; the time until its
    /// shadow time; the extra processors as a share.
    ///
    /// Times t are ln(1 + t) / ln(1 + 30 days), t in seconds, at most 1.
    #[default]
    Native,
    /// `RLScheduler`'s box, eight values a job (Zhang, Dai, He, Bao, Xie, SC 2020, and its published code): wait / 12 h,
    /// request / the longest of the log, processors / the machine's, requested memory, user, group and executable / the
    /// largest of the log (1 where unknown), all at most 1 − 10⁻⁵; whether it fits now, 1 − 10⁻⁵ or 10⁻⁵. Places without a
    /// job are 0, 1, 1, 1, 1, 1, 1, 0.
    RlScheduler,
    /// `CQGym`'s matrix of two columns (as in its published code): two rows for each job of the window, processors and
    /// request, then 0 and wait; a row for each processor, 1 and 0 if it is free, else 0 and the time until it is expected to
    /// be. There the values have no scale; here processors are divided by the machine's, times by the longest request of the
    /// log, at most 1. Processors of a pool have no numbers: they are listed free ones first, then by expected release.
    CqGym,
}

/// Gives an enum of plain words its `FromStr` and `Display`.
macro_rules! words {
    ($kind:ident: $expected:literal, $($variant:ident $word:literal),+) => {
        impl FromStr for $kind {
            type Err = UnknownValue;
            fn from_str(text: &str) -> Result<$kind, UnknownValue> {
                match text {
                    $($word => Ok($kind::$variant),)+
                    _ => Err(UnknownValue::new(text, $expected)),
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($kind::$variant => $word,)+ })
            }
        }
    };
}

words!(Reward: "bsld, wait, utilization, fairness", BoundedSlowdown "bsld", Wait "wait", Utilization "utilization",
    Fairness "fairness");
words!(ObservationLayout: "native, rlscheduler, cqgym", Native "native", RlScheduler "rlscheduler", CqGym "cqgym");

/// The shape of an observation: two matrices, one after the other, each row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservationShape {
    /// Rows and columns of the jobs.
    pub jobs: [usize; 2],
    /// Rows and columns of the machine.
    pub machine: [usize; 2],
}

impl ObservationShape {
    pub fn size(self) -> usize {
        self.jobs[0] * self.jobs[1] + self.machine[0] * self.machine[1]
    }
}

impl ObservationLayout {
    pub fn shape(self, window: usize, procs: i64) -> ObservationShape {
        match self {
            ObservationLayout::Native => {
                ObservationShape { jobs: [window, JOB_FEATURES], machine: [1, MACHINE_FEATURES] }
            }
            ObservationLayout::RlScheduler => ObservationShape { jobs: [window, 8], machine: [0, 0] },
            ObservationLayout::CqGym => {
                ObservationShape { jobs: [2 * window, 2], machine: [procs as usize, 2] }
            }
        }
    }
}
