//! Samples: weeks with replacement, or a share of the users or jobs.

mod weeks;

use super::{
    Condition, Draws, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput,
    StepSpec, StepText, choices, numbers, parameters,
};
use crate::arrange::Arrange as _;
use crate::located::values::Whole;
use crate::number::grouped;
use crate::{Citation, Field};
use weeks::Weeks;

/// Drawing weeks of one log is conditional on its population of users: it shows the results of other orders
/// of its weeks, not of other users.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Zakay and Feitelson, Workload resampling for performance evaluation of parallel job schedulers, \
           Concurrency and Computation 26(12), 2014 (here whole weeks, not users, are drawn)",
        &["zakay14"],
    ),
    draws: true,
    ..StepSpec::of::<SampleText>(
        "sample",
        "weeks drawn with replacement, or a share of the users or of the jobs",
    )
};

parameters! {
    struct SampleText;
    weeks: Option<Whole<1>> = "none", "a whole number from 1",
        "how many weeks to draw with replacement and put one after the other; jobs are renumbered, recorded waits \
         become unknown; this, `users` or `jobs`";
    users: Option<Part> = "none", "a share above 0 and up to 1",
        "of the users, drawn without replacement (a larger share adds to a smaller one); jobs without a user count as \
         one; this, `weeks` or `jobs`";
    jobs: Option<Part> = "none", "a share above 0 and up to 1",
        "share of the jobs, drawn in the same way; this, `weeks` or `users`";
    week: WeekKind = "blocks", "blocks or calendar",
        "what a week is: seven days counted from time 0, or from Monday to Sunday by the site's clock";
    partial: bool = "false", "true or false",
        "whether weeks that the log does not cover from their beginning to their end are drawn too";
    apart: bool = "false", "true or false",
        "whether a user is another one in each drawn week";
    r#where: Option<FormulaText> = Condition::PARAM;
}

numbers! {
    Part: f64::MIN_POSITIVE..=1.0, "a share above 0 and up to 1";
}

choices!(WeekKind: Blocks | Calendar);

impl StepText for SampleText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let what = settings.one_of(&["weeks", "users", "jobs"])?;
        let Some(part) = self.users.or(self.jobs) else {
            settings.refuse(&["where"], what)?;
            return Ok(Box::new(Weeks {
                number: self.weeks.map_or(1, |weeks| weeks.0.cast_unsigned()),
                calendar: self.week == WeekKind::Calendar,
                partial: self.partial,
                apart: self.apart,
            }));
        };
        settings.refuse(&["week", "partial", "apart"], what)?;
        let only = Condition::of(self.r#where, settings);
        Ok(Box::new(Share { part: part.0, users: what == "users", only }))
    }
}

struct Share {
    part: f64,
    users: bool,
    only: Condition,
}

impl Step for Share {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let among: Vec<u32> = work.rows().filter(|&row| chosen[row as usize]).collect();
        let what = if self.users { "users" } else { "jobs" };
        let mut draws = Draws::new(env.context.seed, &env.stream(&format!("sample {what}")));
        // A user is drawn once, by number; all unknown users count as one.
        let unit = |row: u32| {
            if !self.users {
                return work.key(row);
            }
            work.trace.get(row as usize, Field::User).truncated().max(-1).wrapping_add(1) as u64
        };
        let mut units: Vec<u64> = among.iter().map(|&row| unit(row)).collect();
        units.sort_unstable();
        units.dedup();
        let mut ranked: Vec<(f64, u64)> = units.iter().map(|&unit| (draws.unit(unit), unit)).collect();
        ranked.arrange_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        ranked.truncate((self.part * units.len() as f64).round() as usize);
        let mut taken: Vec<u64> = ranked.into_iter().map(|(_, unit)| unit).collect();
        taken.sort_unstable();
        let rows: Vec<u32> = (work.rows())
            .filter(|&row| !chosen[row as usize] || taken.binary_search(&unit(row)).is_ok())
            .collect();
        let of = if self.users {
            format!(" ({} of {} users)", grouped(taken.len() as u64), grouped(units.len() as u64))
        } else {
            String::new()
        };
        let words = format!("of {} taken{of}", work.total());
        Ok(StepOutput::one(work.select(&rows), rows.len() as u64, words))
    }
}
