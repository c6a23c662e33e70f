use super::scale::Unit;
use super::settings::values::Factor;
use super::{
    Draws, Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, Target,
    calibrate, numbers, parameters,
};
use crate::located::values::{Text, Whole, length, value_of_toml};
use crate::number::{Number, grouped};
use crate::{Citation, Field, Time};

/// The step. The first job keeps its submission; jobs without a known submission keep none.
///
/// The gaps of one seed are the same numbers for every mean, scaled: a change of the rate moves jobs and redraws nothing.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Leinberger, Karypis and Kumar 1999, section 4.1 (calibrated to a queue length)",
        &["leinberger99"],
    ),
    draws: true,
    ..StepSpec::of::<ArrivalsText>(
        "arrivals",
        "submissions redrawn as a Poisson process, the jobs in their old order; recorded waits become \
        unknown",
    )
};

parameters! {
    struct ArrivalsText;
    gap: Option<Gap> = "none", "a time above 0",
        "mean time between two submissions; this, `rate`, `load` or `queue`";
    rate: Option<Factor> = "none", "a number above 0",
        "mean number of submissions an hour; this, `gap`, `load` or `queue`";
    load: Option<Factor> = "none", "a number above 0",
        "the expected offered load: processors * run times of all jobs per processor of the machine and second \
         between first and last submission; this, `gap`, `rate` or `queue`";
    queue: Option<QueueLength> = "none", "a number above 0",
        "a search finds the rate at which the mean queue length under `policy` is this; this, `gap`, `rate` or `load`";
    policy: Option<Text> = "none", "a policy spec",
        "the policy for `queue`";
    tolerance: Option<Tolerance> = "0.02", "a number from 0.0001 to 1",
        "how far the queue length found may be off, relative to `queue`";
    trials: Option<Whole<2>> = "40", "a whole number from 2",
        "rates tried before the search gives up and takes the best one";
    pilots: Option<Whole<1>> = "3", "a whole number from 1",
        "sequences of gaps over which the queue length of a trial is averaged; they are drawn from separate streams, \
         so that the calibrated sequences differ from those evaluated later";
    round: Unit = "tick", "tick or second",
        "unit to which submissions are rounded down; a tick is a microsecond";
}

struct Gap(f64);

value_of_toml!(Gap, "a time above 0: a number of seconds, or a text such as \"90s\"", |value| {
    length(value).filter(|&gap| gap > Time::ZERO).map(|gap| Gap(gap.secs()))
});

numbers! {
    QueueLength: f64::MIN_POSITIVE..=1e9, "a number above 0, up to 1000000000";
    Tolerance: 1e-4..=1.0, "a number from 0.0001 to 1";
}

impl StepText for ArrivalsText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let what = settings.one_of(&["gap", "rate", "load", "queue"])?;
        if what != "queue" {
            settings.refuse(&["policy", "tolerance", "trials", "pilots"], what)?;
        }
        let unit = self.round.ticks();
        let rate = match (self.gap, self.rate, self.load) {
            (Some(gap), ..) => Rate::Gap(gap.0),
            (_, Some(rate), _) => Rate::Gap(3600.0 / rate.0),
            (.., Some(load)) => Rate::Load(load.0),
            (None, None, None) => Rate::Queue(Calibration {
                target: Target {
                    policy: self.policy.ok_or_else(|| settings.missing("policy with queue"))?.0,
                    metric: "mean_queue_length".into(),
                    value: self.queue.map_or(1.0, |queue| queue.0),
                },
                tolerance: self.tolerance.map_or(0.02, |tolerance| tolerance.0),
                trials: self.trials.map_or(40, |trials| trials.0 as usize),
                pilots: self.pilots.map_or(3, |pilots| pilots.0 as u32),
            }),
        };
        Ok(Box::new(Arrivals { rate, unit }))
    }
}

struct Arrivals {
    rate: Rate,
    /// In ticks.
    unit: i64,
}

enum Rate {
    /// Mean gap, seconds.
    Gap(f64),
    Load(f64),
    Queue(Calibration),
}

struct Calibration {
    target: Target,
    tolerance: f64,
    trials: usize,
    pilots: u32,
}

impl Step for Arrivals {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let mut trail = Vec::new();
        let gap = match &self.rate {
            Rate::Gap(gap) => *gap,
            Rate::Load(load) => gap_of_load(&work, *load)?,
            Rate::Queue(calibration) => {
                let found = self.calibrate(&work, env, calibration)?;
                trail = found.path();
                found.at
            }
        };
        let waits = work.forget_waits();
        work.forget_period();
        self.draw(&mut work, env.context.seed, &env.stream("arrivals"), gap);
        let words = format!(
            "submissions drawn, {:.3} s apart on average{waits}",
            if gap < 1e-3 { 1e-3 } else { gap }
        );
        let count = work.by_submit().len() as u64;
        let mut change = StepOutput::one(work, count, words);
        change.trail = trail;
        Ok(change)
    }
}

impl Arrivals {
    fn calibrate(
        &self,
        work: &ShapedTrace,
        env: &Env<'_>,
        calibration: &Calibration,
    ) -> Result<calibrate::CalibrationResult, StepError> {
        let Calibration { target, tolerance, trials, pilots } = calibration;
        let queue = |gap: f64| -> Result<f64, StepError> {
            let mut sum = 0.0;
            for pilot in 1..=*pilots {
                let mut trial = work.clone();
                let stream = env.stream(&format!("arrivals pilot {pilot}"));
                self.draw(&mut trial, env.context.seed, &stream, gap);
                sum += (env.context.measure)(&trial.trace, target).map_err(StepError::Measure)?;
            }
            Ok(sum / f64::from(*pilots))
        };
        let start = gap_of_load(work, 0.8)?;
        calibrate::search(start, target.value, *tolerance, *trials, queue)
    }

    /// Draws the submissions of all jobs, with a mean gap in seconds.
    fn draw(&self, work: &mut ShapedTrace, seed: u64, stream: &str, gap: f64) {
        let mut draws = Draws::new(seed, stream);
        let order = work.by_submit();
        let mut at = work.first_submit().unwrap_or_default().secs();
        let mut times: Vec<Option<Time>> = vec![None; work.len()];
        for (position, row) in order.into_iter().enumerate() {
            if position > 0 {
                // The quantile of the exponential distribution.
                at -= gap * (1.0 - draws.unit(work.key(row))).ln();
            }
            let ticks = Time::from_secs_f64(at).min(Time::FARTHEST).ticks();
            times[row as usize] = Some(Time::from_ticks(ticks - ticks.rem_euclid(self.unit)));
        }
        work.map(Field::Submit, |row, old| {
            times[row as usize].map_or(old, |time| Number::from_micro(time.ticks()))
        });
    }
}

/// Returns the mean gap, in seconds, at which the expected offered load has a given value.
fn gap_of_load(work: &ShapedTrace, load: f64) -> Result<f64, StepError> {
    let order = work.by_submit();
    let area = |&row: &u32| {
        let run = work.time(row, Field::Run).map_or(0.0, Time::secs);
        work.procs(row).map_or(0.0, |procs| procs as f64 * run)
    };
    let work_done: f64 = order.iter().map(area).sum();
    let machine = work.machine_procs().unwrap_or(0) as f64;
    let gaps = order.len().saturating_sub(1) as f64;
    let gap = work_done / (machine * load * gaps);
    let unfit = || {
        let jobs = grouped(order.len() as u64);
        StepError::Unfit(format!("the offered load of {jobs} jobs with sizes and run times is not to be had"))
    };
    Some(gap).filter(|gap| gap.is_finite() && *gap > 0.0).ok_or_else(unfit)
}
