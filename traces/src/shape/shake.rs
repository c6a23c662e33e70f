//! Small noise on the input, to test how much a result depends on it.

use super::condition::Condition;
use super::context::Env;
use super::error::StepError;
use super::scale::UNITS;
use super::spec::{Param, Step, StepOutput, StepSpec};
use super::work::{Draws, ShapedTrace};
use crate::citation::Citation;
use crate::field::Field;
use crate::number::Number;
use crate::time::{TICKS_PER_SECOND, Time};

/// The step.
///
/// Each quantity has its own random stream, keyed by job: shaking run times as well changes no submission.
/// Shaken replays are not replications: they show how far a result moves, and give no confidence interval.
pub(super) const SPEC: StepSpec = StepSpec {
    name: "shake",
    summary: "seeded uniform noise on submissions, run times or requested times; recorded waits become unknown",
    cite: Citation::of(
        "Tsafrir, Ouaknine and Feitelson, Reducing performance evaluation sensitivity and variability by \
           input shaking, MASCOTS 2007",
        &["tsafrir07shaking"],
    ),
    draws: true,
    params: &[
        Param {
            name: "submit",
            default: "0",
            takes: "a time s",
            help: "submissions are moved by a number uniform on [-s, s], but not before time 0",
        },
        Param {
            name: "run",
            default: "0",
            takes: "a time s",
            help: "the same for run times; positive ones stay at least one unit, zero ones stay zero",
        },
        Param {
            name: "estimate",
            default: "0",
            takes: "a time s",
            help: "the same for requested times; they stay at least one unit",
        },
        Param {
            name: "order",
            default: "keep",
            takes: "keep or change",
            help: "whether jobs keep their order of submission: the moved instants are then assigned in \
                   ascending order, and none is farther than s from the job's own",
        },
        Param {
            name: "unit",
            default: "second",
            takes: "second or tick",
            help: "the noise is a whole number of these; a tick is a microsecond",
        },
        Condition::PARAM,
    ],
    build: |settings| {
        let [submit, run, estimate] = ["submit", "run", "estimate"].map(|key| settings.duration(key));
        let shake = Shake {
            submit: submit?.unwrap_or_default(),
            run: run?.unwrap_or_default(),
            estimate: estimate?.unwrap_or_default(),
            keep_order: settings.word("order", &[("keep", true), ("change", false)])?.unwrap_or(true),
            unit: settings.word("unit", &UNITS)?.unwrap_or(TICKS_PER_SECOND),
            only: Condition::read(settings)?,
        };
        if shake.submit.max(shake.run).max(shake.estimate) == Time::ZERO {
            return Err(settings.missing("something to shake: submit, run or estimate above 0"));
        }
        Ok(Box::new(shake))
    },
};

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
    rows.sort_by_key(|&row| (old.get(row as usize).to_micro(), row));
    let mut handed: Vec<Option<Time>> = vec![None; work.len()];
    for (row, time) in rows.into_iter().zip(times) {
        handed[row as usize] = Some(time);
    }
    work.map(Field::Submit, |row, number| {
        handed[row as usize].map_or(number, |time| Number::from_micro(time.ticks()))
    });
}
