//! Holds jobs back after their submission.

use super::{
    Condition, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec,
    StepText, parameters,
};
use crate::capacity::Instant;
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::located::values::Length;
use crate::number::{Number, counted};
use crate::trace::ELIGIBLE;
use crate::{Calendar, Column, Field, Time};

pub(super) const SPEC: StepSpec = StepSpec::of::<HoldText>(
    "hold",
    "jobs held back after their submission, until an instant or for a length of time: they enter the queue then \
              (column `eligible`)",
);

parameters! {
    struct HoldText;
    until: Option<Instant> = "none",
        "a text such as \"2026-12-01 08:00\" (on the site's clock), or a number of seconds from the log's zero",
        "when they are released; jobs submitted later are not held; this or `for`";
    r#for: Option<Length> = "none", "a time such as \"2h\"",
        "how long after its submission each is released; this or `until`";
    r#where: Option<FormulaText> = Condition::PARAM;
}

impl StepText for HoldText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        settings.one_of(&["until", "for"])?;
        let release = match self.until {
            Some(instant) => Release::At(instant),
            None => Release::After(self.r#for.map_or(Time::ZERO, |held| held.0)),
        };
        Ok(Box::new(Hold { release, only: Condition::of(self.r#where, settings) }))
    }
}

struct Hold {
    release: Release,
    only: Condition,
}

enum Release {
    At(Instant),
    After(Time),
}

impl Release {
    /// Returns how long after its submission a job is released.
    fn held(&self, submit: Time, calendar: Option<&Calendar>) -> Result<Time, StepError> {
        let at = match *self {
            Release::After(held) => return Ok(held),
            Release::At(instant) => instant.in_log(0, calendar),
        };
        at.map(|at| at - submit)
            .ok_or(StepError::NoCalendar("give `until` in seconds from the log's zero, or `for`"))
    }
}

impl Step for Hold {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let known = work.trace.resource(ELIGIBLE);
        let mut eligible: Vec<Number> = match known {
            Some(column) => column.iter().collect(),
            None => vec![Number::UNKNOWN; work.len()],
        };
        let (mut held_back, mut earlier) = (0, vec![false; work.len()]);
        for row in work.rows().filter(|&row| chosen[row as usize]) {
            let Some(submit) = work.submit(row) else { continue };
            let held = self.release.held(submit, work.trace.calendar.as_ref())?;
            let eligible = &mut eligible[row as usize];
            if held.ticks() > eligible.to_micro().max(0) {
                *eligible = Number::from_micro(held.ticks());
                held_back += 1;
                earlier[row as usize] = work.time(row, Field::Wait).is_some_and(|wait| wait < held);
            }
        }
        let declaration = ResourceDeclaration::new(ELIGIBLE, "s", ColumnScope::Job);
        work.trace.set_resource(declaration, eligible.into_iter().collect::<Column>());
        // By the log, these jobs start while they are held.
        work.map(Field::Wait, |row, wait| if earlier[row as usize] { Number::UNKNOWN } else { wait });
        let unknown = earlier.iter().filter(|&&earlier| earlier).count();
        let words = match unknown {
            0 => format!("of {} held back", work.total()),
            _ => format!(
                "of {} held back; the log has {} of them start earlier, whose waits are unknown now",
                work.total(),
                counted(unknown, "job")
            ),
        };
        Ok(StepOutput::one(work, held_back, words))
    }
}
