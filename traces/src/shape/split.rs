//! Cuts a log into consecutive windows.

use super::days::{Days, Origin};
use super::window::{Rebase, cut};
use super::{
    Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, TracePart,
    numbers, parameters,
};
use crate::located::values::Whole;
use crate::number::counted;
use crate::{Citation, Time};

/// The step. The parts are numbered by their windows, from 1: a window without jobs leaves a gap.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of("Sheikhalishahi et al. 2015, section 4.3", &["sheikhalishahi15"]),
    ..StepSpec::of::<SplitText>(
        "split",
        "consecutive windows, each a separate log; later steps apply to each of them",
    )
};

parameters! {
    struct SplitText;
    days: Option<SomeDays> = "none", "a number of days above 0",
        "length of a window; this or `jobs`";
    jobs: Option<Whole<1>> = "none", "a whole number from 1",
        "jobs of a window, in the order of submission; this or `days`";
    partial: Option<bool> = "true", "true or false",
        "whether a last window that the log does not fill is kept; of days it is filled when a job is submitted at \
         its end or later";
    origin: Origin = Origin::PARAM;
    rebase: Rebase = Rebase::PARAM;
}

numbers! {
    SomeDays: 1e-3..=1e6, "a number from 0.001 to 1000000";
}

impl StepText for SplitText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        settings.one_of(&["days", "jobs"])?;
        let length = match (self.days, self.jobs) {
            (Some(days), _) => Length::Days(days.0, self.origin),
            (None, jobs) => {
                settings.refuse(&["origin"], "jobs")?;
                Length::Jobs(jobs.map_or(1, |jobs| jobs.0 as usize))
            }
        };
        Ok(Box::new(Split { length, partial: self.partial.unwrap_or(true), rebase: self.rebase }))
    }
}

const MOST: usize = 100_000;

struct Split {
    length: Length,
    partial: bool,
    rebase: Rebase,
}

enum Length {
    Days(f64, Origin),
    Jobs(usize),
}

impl Step for Split {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        work.remember_machine();
        let order = work.by_submit();
        let windows = match self.length {
            Length::Days(days, origin) => {
                by_days(&work, &order, &Days::of(&work, origin)?, days, self.partial)?
            }
            Length::Jobs(jobs) => by_jobs(&work, &order, jobs, self.partial),
        };
        let mut parts = Vec::new();
        for (number, begin, mut rows) in windows {
            rows.sort_unstable();
            parts.push(TracePart { number, work: cut(&work, &rows, begin, self.rebase) });
        }
        let taken: usize = parts.iter().map(|part| part.work.len()).sum();
        let words = format!("of {} in {}", work.total(), counted(parts.len(), "window"));
        Ok(StepOutput { parts, splits: true, count: taken as u64, words, trail: Vec::new() })
    }
}

/// A window: its number from 1, its beginning, its rows.
type Cut = (usize, Time, Vec<u32>);

fn by_days(
    work: &ShapedTrace,
    order: &[u32],
    days: &Days,
    length: f64,
    partial: bool,
) -> Result<Vec<Cut>, StepError> {
    let mut windows = Vec::new();
    let mut rest = order;
    // Jobs before day 0, possible only with an origin after the zero, belong to no window.
    let early = rest.partition_point(|&row| work.submit(row) < Some(days.begin(0.0)));
    rest = &rest[early..];
    for number in 1.. {
        if rest.is_empty() {
            break;
        }
        if number > MOST {
            return Err(StepError::Unfit(format!("the log has more than {MOST} windows of {length} days")));
        }
        let [begin, end] = [number - 1, number].map(|window| days.begin(window as f64 * length));
        let (within, after) = rest.split_at(rest.partition_point(|&row| work.submit(row) < Some(end)));
        if !within.is_empty() && (partial || !after.is_empty()) {
            windows.push((number, begin, within.to_vec()));
        }
        rest = after;
    }
    Ok(windows)
}

fn by_jobs(work: &ShapedTrace, order: &[u32], jobs: usize, partial: bool) -> Vec<Cut> {
    let begin = |rows: &[u32]| rows.first().and_then(|&row| work.submit(row)).unwrap_or_default();
    let whole = order.chunks(jobs).filter(|rows| partial || rows.len() == jobs);
    (1..).zip(whole).map(|(number, rows)| (number, begin(rows), rows.to_vec())).collect()
}
