//! Moves submissions in time.

use chrono::{Datelike, Weekday};

use super::days::DAY;
use super::settings::values::Signed;
use super::{
    Condition, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec,
    StepText, choices, parameters,
};
use crate::field::Field;
use crate::located::values::value_of_toml;
use crate::time::{TICKS_PER_SECOND, Time};

pub(super) const SPEC: StepSpec = StepSpec::of::<ShiftText>(
    "shift",
    "submissions moved by a length of time, or forward to a day of the week",
);

parameters! {
    struct ShiftText;
    by: Option<Signed> = "none", "a time that may be below zero, such as 3600, \"-36h\" or \"2d\"",
        "how far; no job may end up before time 0; this or `weekday`";
    weekday: Option<DayOfWeek> = "none", "monday to sunday",
        "the day of the week on which the first job is then submitted, at the same time of day by the site's clock: a \
         shift forward by 0 to 6 days; this or `by`";
    calendar: Calendar = "stay", "stay or follow",
        "whether the calendar stays, so that jobs come at other times of the day or week, or follows, so that only \
         the numbers change (UnixStartTime is set against the shift, in whole seconds)";
    r#where: Option<FormulaText> = Condition::PARAM;
}

choices!(Calendar: Stay | Follow);

struct DayOfWeek(Weekday);

value_of_toml!(DayOfWeek, "one of \"monday\", \"tuesday\", ..., \"sunday\"", |value| {
    let word = value.as_str()?;
    let day = WEEKDAYS.iter().position(|known| *known == word)?;
    Weekday::try_from(day as u8).ok().map(DayOfWeek)
});

impl StepText for ShiftText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        settings.one_of(&["by", "weekday"])?;
        let follow = self.calendar == Calendar::Follow;
        if follow {
            settings.refuse(&["weekday", "where"], "calendar = \"follow\"")?;
        }
        let far = match self.weekday {
            Some(day) => Far::To(day.0),
            None => Far::By(self.by.map_or(Time::ZERO, |by| by.0)),
        };
        Ok(Box::new(Shift { far, follow, only: Condition::of(self.r#where, settings) }))
    }
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

struct Shift {
    far: Far,
    follow: bool,
    only: Condition,
}

enum Far {
    By(Time),
    To(Weekday),
}

impl Step for Shift {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let by = match self.far {
            Far::By(by) => by,
            Far::To(weekday) => until(&work, weekday)?,
        };
        let moved = |row: &u32| chosen[*row as usize];
        let earliest = work.rows().filter(moved).filter_map(|row| work.submit(row)).min();
        if let Some(earliest) = earliest.filter(|&earliest| earliest.saturating_add(by) < Time::ZERO) {
            let text = format!("the first job, submitted at {earliest} s, would come before time 0");
            return Err(StepError::Unfit(text));
        }
        let count = work.map_time(Field::Submit, |row, submit| {
            if chosen[row as usize] { submit.saturating_add(by) } else { submit }
        });
        if self.follow {
            work.move_clock(-by.ticks().div_euclid(TICKS_PER_SECOND));
        } else {
            work.forget_period();
        }
        let words = format!("of {} moved by {by} s", work.total());
        Ok(StepOutput::one(work, count, words))
    }
}

/// Returns the distance from the first submission to the same time of day on a weekday.
fn until(work: &ShapedTrace, weekday: Weekday) -> Result<Time, StepError> {
    let missing = || StepError::NoCalendar("give the shift as `by`");
    let calendar = work.trace.calendar.ok_or_else(missing)?;
    let first = calendar.local(work.first_submit().unwrap_or_default()).ok_or_else(missing)?;
    let days = i64::from(weekday.days_since(first.weekday()));
    if days == 0 {
        return Ok(Time::ZERO);
    }
    let shown = first.timestamp() + i64::from(first.offset().local_minus_utc());
    Ok(calendar.time_of(shown + days * DAY) - calendar.time_of(shown))
}
