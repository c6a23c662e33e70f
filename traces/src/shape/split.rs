//! Cuts a log into consecutive windows.

use super::context::Env;
use super::days::{Days, Origin};
use super::error::StepError;
use super::spec::{Param, Step, StepOutput, StepSpec, TracePart};
use super::window::{Rebase, cut};
use super::work::ShapedTrace;
use crate::citation::Citation;
use crate::number::counted;
use crate::time::Time;

/// The step. The parts are numbered by their windows, from 1: a window without jobs leaves a gap.
pub(super) const SPEC: StepSpec = StepSpec {
    name: "split",
    summary: "consecutive windows, each a separate log; later steps apply to each of them",
    cite: Citation::of("Sheikhalishahi et al. 2015, section 4.3", &["sheikhalishahi15"]),
    draws: false,
    params: &[
        Param {
            name: "days",
            default: "none",
            takes: "a number of days above 0",
            help: "length of a window; this or `jobs`",
        },
        Param {
            name: "jobs",
            default: "none",
            takes: "a whole number from 1",
            help: "jobs of a window, in the order of submission; this or `days`",
        },
        Param {
            name: "partial",
            default: "true",
            takes: "true or false",
            help: "whether a last window that the log does not fill is kept; of days it is filled when a job \
                   is submitted at its end or later",
        },
        Origin::PARAM,
        Rebase::PARAM,
    ],
    build: |settings| {
        let length = match settings.one_of(&["days", "jobs"])? {
            "days" => {
                let days = settings.number("days", 1e-3, 1e6)?.unwrap_or(1.0);
                Length::Days(days, Origin::read(settings)?)
            }
            _ => {
                settings.refuse(&["origin"], "jobs")?;
                Length::Jobs(settings.whole("jobs", 1)?.unwrap_or(1) as usize)
            }
        };
        let partial = settings.flag("partial")?.unwrap_or(true);
        Ok(Box::new(Split { length, partial, rebase: Rebase::read(settings)? }))
    },
};

/// The most windows that one split makes.
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
    fn apply(&self, work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
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
