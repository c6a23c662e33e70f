//! Small noise on the input, to test how much a result depends on it.

use super::scale::Unit;
use super::{
    Condition, Draws, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput,
    StepSpec, StepText, choices, parameters,
};
use crate::arrange::Arrange as _;
use crate::located::values::Length;
use crate::{Citation, Field, Number, Time};

/// Each quantity has its own random stream, keyed by job: shaking run times as well changes no submission.
/// Shaken replays are not replications: they show how far a result moves, and give no confidence interval.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Tsafrir, Ouaknine and Feitelson, Reducing performance evaluation sensitivity and variability by \
           input shaking, MASCOTS 2007",
        &["tsafrir07shaking"],
    ),
    draws: true,
    ..StepSpec::of::<ShakeText>(
        "shake",
        "seeded uniform noise on submissions, run times or requested times; recorded waits become unknown",
    )
};

parameters! {
    struct ShakeText;
    submit: Option<Length> = "0", "a time s",
        "submissions are moved by a number uniform on [-s, s], but not before time 0";
    run: Option<Length> = "0", "a time s",
        "the same for run times; positive ones stay at least one unit, zero ones stay zero";
    estimate: Option<Length> = "0", "a time s",
        "the same for requested times; they stay at least one unit";
    order: Order = "keep", "keep or change",
        "whether jobs keep their order of submission: the moved instants are then assigned in ascending order, and \
         none is farther than s from the job's own";
    unit: Option<Unit> = "second", "second or tick",
        "the noise is a whole number of these; a tick is a microsecond";
    r#where: Option<FormulaText> = Condition::PARAM;
}

choices!(Order: Keep | Change);

impl StepText for ShakeText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let most = |length: Option<Length>| length.map_or(Time::ZERO, |length| length.0);
        let [submit, run, estimate] = [self.submit, self.run, self.estimate].map(most);
        if submit.max(run).max(estimate) == Time::ZERO {
            return Err(settings.missing("something to shake: submit, run or estimate above 0"));
        }
        let keep_order = self.order == Order::Keep;
        let unit = self.unit.unwrap_or(Unit::Second).ticks();
        let only = Condition::of(self.r#where, settings);
        Ok(Box::new(Shake { submit, run, estimate, keep_order, unit, only }))
    }
}

struct Shake {
    submit: Time,
    run: Time,
    estimate: Time,
    keep_order: bool,
    /// In ticks.
    unit: i64,
    only: Condition,
}

impl Step for Shake {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let mut touched = vec![false; work.len()];
        let shaken =
            [(Field::Submit, self.submit), (Field::Run, self.run), (Field::RequestedTime, self.estimate)];
        for (field, most) in shaken.into_iter().filter(|&(_, most)| most > Time::ZERO) {
            let old = work.trace.column(field).clone();
            self.shake(&mut work, env, field, most, &chosen);
            if field == Field::Submit && self.keep_order {
                hand_out_in_order(&mut work, &old);
            }
            for ((touched, old), new) in
                touched.iter_mut().zip(old.iter()).zip(work.trace.column(field).iter())
            {
                *touched |= old != new;
            }
        }
        let waits = work.forget_waits();
        let count = touched.iter().filter(|&&touched| touched).count() as u64;
        let words = format!("of {} shaken{waits}", work.total());
        Ok(StepOutput::one(work, count, words))
    }
}

impl Shake {
    fn shake(&self, work: &mut ShapedTrace, env: &Env<'_>, field: Field, most: Time, chosen: &[bool]) {
        let mut draws = Draws::new(env.context.seed, &env.stream(&format!("shake {}", field.name())));
        let steps = most.ticks() / self.unit;
        let keys: Vec<u64> = work.rows().map(|row| work.key(row)).collect();
        work.map_time(field, |row, time| {
            let least = if field == Field::Submit { 0 } else { self.unit };
            if !chosen[row as usize]
                || time.ticks() < least.min(1)
                || field == Field::Run && time == Time::ZERO
            {
                return time;
            }
            // One of the 2·steps + 1 multiples, each with the same probability.
            let noise = (draws.unit(keys[row as usize]) * (2.0 * steps as f64 + 1.0)) as i64 - steps;
            let moved = time.ticks().saturating_add(noise.saturating_mul(self.unit));
            Time::from_ticks(moved.max(least.min(time.ticks())))
        });
    }
}

/// Assigns the k-th of the shaken submissions to the job that was submitted k-th.
fn hand_out_in_order(work: &mut ShapedTrace, old: &crate::Column) {
    let mut rows = work.by_submit();
    let mut times: Vec<Time> = rows.iter().filter_map(|&row| work.submit(row)).collect();
    times.sort_unstable();
    rows.arrange_by_key(|&row| (old.get(row as usize).to_micro(), row));
    let mut handed: Vec<Option<Time>> = vec![None; work.len()];
    for (row, time) in rows.into_iter().zip(times) {
        handed[row as usize] = Some(time);
    }
    work.map(Field::Submit, |row, number| {
        handed[row as usize].map_or(number, |time| Number::from_micro(time.ticks()))
    });
}
