//! Weeks drawn with replacement.

use chrono::Datelike;

use crate::field::Field;
use crate::number::{Number, grouped};
use crate::seed;
use crate::shape::days::{DAY, Days, Origin};
use crate::shape::{Env, ShapedTrace, Step, StepError, StepOutput};
use crate::time::{TICKS_PER_SECOND, Time};

pub struct Weeks {
    pub number: u64,
    pub calendar: bool,
    pub partial: bool,
    pub apart: bool,
}

/// A week of the log: its beginning, and its rows in the order of submission.
struct Week {
    begin: Time,
    rows: Vec<u32>,
}

const MOST_JOBS: usize = 100_000_000;

const MOST: i32 = 100_000;

const WEEK: Time = Time::from_secs(7 * DAY);

impl Step for Weeks {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let weeks = self.all(&work)?;
        if weeks.is_empty() {
            let text =
                "the log covers no week from its beginning to its end; `partial = true` draws the others";
            return Err(StepError::Unfit(text.into()));
        }
        let mut stream = seed::stream(env.context.seed, &env.part_stream("sample weeks"));
        let mut copies = vec![0; weeks.len()];
        // For each row of the sample: its row in the log, the copy, and the position of its week.
        let mut rows: Vec<(u32, u64)> = Vec::new();
        let mut drawn: Vec<u64> = Vec::new();
        let mut submits: Vec<Time> = Vec::new();
        for place in 0..self.number {
            let at = (seed::unit(&mut stream) * weeks.len() as f64) as usize;
            let week = &weeks[at];
            let offset = Time::from_ticks(WEEK.ticks().saturating_mul(place as i64));
            for &row in &week.rows {
                rows.push((row, copies[at]));
                drawn.push(place);
                let within = work.submit(row).unwrap_or_default().ticks().saturating_sub(week.begin.ticks());
                submits.push(offset.saturating_add(Time::from_ticks(within)));
            }
            copies[at] += 1;
            // Checked week by week, so that an excessive sample is refused before it fills the memory.
            if rows.len() > MOST_JOBS || offset > Time::FARTHEST {
                return Err(StepError::Unfit(format!(
                    "this number of weeks is more than a log can hold: {} jobs, or 285 years",
                    grouped(MOST_JOBS as u64)
                )));
            }
        }
        let sample = self.assemble(&work, &rows, &drawn, &submits, weeks[0].begin);
        let count = sample.len() as u64;
        let words = format!(
            "jobs of {} weeks drawn from {} ({} of {} jobs){}",
            grouped(self.number),
            grouped(weeks.len() as u64),
            grouped(weeks.iter().map(|week| week.rows.len() as u64).sum()),
            grouped(work.len() as u64),
            "; jobs renumbered, recorded waits unknown"
        );
        Ok(StepOutput::one(sample, count, words))
    }
}

impl Weeks {
    fn all(&self, work: &ShapedTrace) -> Result<Vec<Week>, StepError> {
        let order = work.by_submit();
        let Some(last) = order.last().and_then(|&row| work.submit(row)) else { return Ok(Vec::new()) };
        let first = work.first_submit().unwrap_or_default();
        let (days, monday) = if self.calendar {
            let days = Days::of(work, Origin::Midnight)?;
            let zero = work.trace.calendar.and_then(|calendar| calendar.local(days.begin(0.0)));
            // The last Monday up to day 0.
            (days, -f64::from(zero.map_or(0, |zero| zero.weekday().num_days_from_monday())))
        } else {
            (Days::of(work, Origin::Zero)?, 0.0)
        };
        let mut weeks = Vec::new();
        let mut rest = &order[..];
        for week in 0.. {
            if week > MOST {
                return Err(StepError::Unfit(format!("the log spans more than {MOST} weeks")));
            }
            let [begin, end] = [week, week + 1].map(|week| days.begin(monday + 7.0 * f64::from(week)));
            let (within, after) = rest.split_at(rest.partition_point(|&row| work.submit(row) < Some(end)));
            // The log begins with its zero or its first submission, and ends with its last submission.
            let covered = begin >= first.min(Time::ZERO) && end <= last;
            if covered || self.partial && !within.is_empty() {
                weeks.push(Week { begin, rows: within.to_vec() });
            }
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        Ok(weeks)
    }

    fn assemble(
        &self,
        work: &ShapedTrace,
        rows: &[(u32, u64)],
        drawn: &[u64],
        submits: &[Time],
        zero: Time,
    ) -> ShapedTrace {
        let mut sample = work.select_copies(rows);
        sample.map(Field::Submit, |row, _| Number::from_micro(submits[row as usize].ticks()));
        sample.renumber(|row| drawn[row as usize]);
        if self.apart {
            let users = work.trace.column(Field::User).iter().map(Number::truncated).max();
            let users = users.unwrap_or(0).saturating_add(1);
            let moved = |row: u32| users.saturating_mul(drawn[row as usize] as i64);
            sample.map(Field::User, |row, user| {
                let other = user.truncated().saturating_add(moved(row));
                if user.is_unknown() { user } else { Number::whole(other) }
            });
        }
        sample.forget_waits();
        sample.forget_period();
        // The first week of the sample begins on the same day of the week as the original weeks.
        sample.move_clock(zero.ticks().div_euclid(TICKS_PER_SECOND));
        sample
    }
}
