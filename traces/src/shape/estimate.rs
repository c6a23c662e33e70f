//! Generated requested times.

use std::fmt::Write;

use super::{
    Condition, Draws, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput,
    StepSpec, StepText, parameters,
};
use crate::located::values::{Length, length, value_of_toml};
use crate::models::tsafrir::{self, Longest, longest_of};
use crate::number::{Number, counted, grouped};
use crate::reading::Estimate;
use crate::time::{TICKS_PER_SECOND, Time};
use crate::{Citation, Field};

pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Zhang et al. 2000, section 2.1 (phi); Mu'alem and Feitelson 2001 (factor); Tsafrir, Etsion and Feitelson \
           2005 (tsafrir, modal values)",
        &["zhang01", "mualem01", "tsafrir05"],
    ),
    draws: true,
    ..StepSpec::of::<EstimateText>(
        "estimate",
        "requested times made from run times, rounded up to the values that users choose, or capped",
    )
};

parameters! {
    struct EstimateText;
    by: Option<By> = "requested",
        "requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= 1000000), tsafrir or tsafrir:MAX",
        "what they are: as requested; the run time; the run time for a share X of the jobs and else run * (1-X)/(1-y) \
         with y uniform in [X,1); X times the run time, these two rounded up to whole seconds; or few round values up \
         to MAX (MaxRuntime, else the longest request or run time of the log), drawn for all jobs together as \
         `--estimate tsafrir` does with the same seed. Jobs without a run time keep what they have";
    modal: bool = "false", "true or false",
        "whether they are then rounded up to one of `values`, or beyond these to a multiple of the last";
    values: Option<Values> = "5m 10m 15m 20m 30m 1h 2h 3h 4h 5h 6h 8h 10h 12h 18h 24h",
        "a list of ascending times such as [\"15m\", \"4h\"]", "the values for `modal`";
    cap: Option<Length> = "none", "a time",
        "the most that is requested, as a site's limit would have it; never below the run time";
    r#where: Option<FormulaText> = Condition::PARAM;
}

struct By(Estimate);

value_of_toml!(By, BY, |value| value.as_str()?.trim().parse().ok().map(By));

const BY: &str = "requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= 1000000), tsafrir, tsafrir:MAX (MAX \
                  a time of an hour or more)";

/// Positive lengths of time, in ascending order.
struct Values(Vec<Time>);

value_of_toml!(Values, "a list of ascending times such as [\"15m\", \"4h\"]", |value| {
    let times: Vec<Time> = value.as_array()?.iter().map(length).collect::<Option<_>>()?;
    let ascend = *times.first()? > Time::ZERO && times.is_sorted_by(|one, next| one < next);
    ascend.then_some(Values(times))
});

impl StepText for EstimateText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        if !self.modal {
            settings.refuse(&["values"], "modal = false")?;
        }
        let by = self.by.map_or(Estimate::Requested, |by| by.0);
        let cap = self.cap.map(|cap| cap.0);
        if by == Estimate::Requested && !self.modal && cap.is_none() {
            return Err(settings.missing("by, modal or cap"));
        }
        let usual = || MODAL_MINUTES.map(|minutes| Time::from_secs(minutes * 60)).to_vec();
        let values = self.modal.then(|| self.values.map_or_else(usual, |values| values.0));
        Ok(Box::new(Estimates { by, values, cap, only: Condition::of(self.r#where, settings) }))
    }
}

/// The values that users of four logs chose most often (Tsafrir et al. 2005, section 4), and one day.
const MODAL_MINUTES: [i64; 16] = [5, 10, 15, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 720, 1080, 1440];

struct Estimates {
    by: Estimate,
    values: Option<Vec<Time>>,
    cap: Option<Time>,
    only: Condition,
}

impl Step for Estimates {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let Raw { times, remark } = self.raw(&work, &chosen, env)?;
        let made: Vec<Option<Time>> = (work.rows().zip(times))
            .map(|(row, raw)| Some(self.mended(raw?, work.time(row, Field::Run))))
            .collect();
        let mut count = 0;
        work.map(Field::RequestedTime, |row, old| {
            let Some(new) = made[row as usize].filter(|_| chosen[row as usize]) else { return old };
            let new = Number::from_micro(new.ticks());
            count += u64::from(new != old);
            new
        });
        let words = format!("of {} requested times changed{remark}", grouped(work.len() as u64));
        Ok(StepOutput::one(work, count, words))
    }
}

/// Estimates before they are rounded up and capped.
struct Raw {
    /// One for each row; `None` leaves the row unchanged.
    times: Vec<Option<Time>>,
    remark: String,
}

impl Estimates {
    fn raw(&self, work: &ShapedTrace, chosen: &[bool], env: &Env<'_>) -> Result<Raw, StepError> {
        let runs = || work.rows().map(|row| work.time(row, Field::Run));
        let times = match self.by {
            Estimate::Requested => work.rows().map(|row| work.time(row, Field::RequestedTime)).collect(),
            Estimate::Actual => runs().collect(),
            Estimate::Factor(factor) => runs().map(|run| Some(up(run?, factor))).collect(),
            Estimate::Phi(phi) => {
                let mut draws = Draws::new(env.context.seed, &env.stream("estimate phi"));
                let estimate = |(row, run): (u32, Option<Time>)| {
                    let (run, y) = (run?, draws.unit(work.key(row)));
                    Some(if y < phi { run } else { up(run, (1.0 - phi) / (1.0 - y)) })
                };
                work.rows().zip(runs()).map(estimate).collect()
            }
            Estimate::Tsafrir(longest) => return modelled(work, chosen, longest, env.context.seed),
        };
        Ok(Raw { times, remark: String::new() })
    }

    fn mended(&self, estimate: Time, run: Option<Time>) -> Time {
        let modal = self.values.as_ref().map_or(estimate, |values| round_up(estimate, values));
        self.cap.map_or(modal, |cap| modal.min(cap).max(run.unwrap_or_default()))
    }
}

/// Draws estimates of Tsafrir's model for the chosen jobs with a run time.
fn modelled(work: &ShapedTrace, chosen: &[bool], longest: Option<Time>, seed: u64) -> Result<Raw, StepError> {
    let (longest, by) = longest.map_or_else(|| longest_of(&work.trace), |longest| (longest, Longest::Given));
    let known = |row: &u32| chosen[*row as usize] && work.time(*row, Field::Run).is_some();
    let rows: Vec<u32> = work.rows().filter(known).collect();
    let runs: Vec<Time> = rows.iter().filter_map(|&row| work.time(row, Field::Run)).collect();
    let drawn = tsafrir::estimates(&runs, &tsafrir::SiteParameters::new(longest), seed)
        .map_err(|error| StepError::Unfit(error.to_string()))?;
    let mut times = vec![None; work.len()];
    for (row, time) in rows.into_iter().zip(drawn.times) {
        times[row as usize] = Some(time);
    }
    let mut remark = format!("; the longest is {longest} s, {by}");
    if drawn.beyond + drawn.crowded > 0 {
        let _ = write!(
            remark,
            ", and the run time is the estimate of {} beyond it and {} beyond those left by longer jobs",
            counted(drawn.beyond as usize, "job"),
            counted(drawn.crowded as usize, "job")
        );
    }
    Ok(Raw { times, remark })
}

/// Multiplies, and rounds up to a whole second.
fn up(time: Time, factor: f64) -> Time {
    // A product within a millionth of a second above a whole second counts as that second.
    let seconds = (time.secs() * factor - 1e-6).ceil().max(0.0);
    Time::from_secs((seconds as i64).min(Time::FARTHEST.ticks() / TICKS_PER_SECOND))
}

/// Rounds up to one of some ascending values, beyond the last to a multiple of it.
fn round_up(time: Time, values: &[Time]) -> Time {
    let at = values.partition_point(|&value| value < time);
    let last = values.last().map_or(1, |last| last.ticks().max(1));
    let multiple = time.ticks().saturating_add(last - 1) / last * last;
    values.get(at).copied().unwrap_or(Time::from_ticks(multiple))
}
