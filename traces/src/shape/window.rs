//! Extracts some days or some jobs of a log.

use serde::Deserialize;

use super::days::{Days, Origin};
use super::settings::values::Range;
use super::{
    Env, Param, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText,
    parameters,
};
use crate::located::values::value_of_toml;
use crate::{Citation, Time};

/// Only jobs *submitted* within the window are taken. Jobs that were running or waiting at its beginning are
/// not carried over: the machine starts empty, and `replay --prefix` warms it up.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "windows of days as in Sheikhalishahi et al. 2015, section 4.3; of jobs as in RLScheduler (SC'20)",
        &["sheikhalishahi15"],
    ),
    ..StepSpec::of::<WindowText>(
        "window",
        "the jobs submitted on some days, or some jobs in the order of submission; jobs that run or wait \
              when it begins are not carried over",
    )
};

parameters! {
    struct WindowText;
    days: Option<Range> = "none", "[first, end] or \"first..end\", numbers of days, the end not included",
        "which days; this or `jobs`";
    jobs: Option<Numbered> = "none", "[from, count], whole numbers, the first job being 1",
        "which jobs in the order of submission; this or `days`";
    origin: Origin = Origin::PARAM;
    rebase: Rebase = Rebase::PARAM;
}

/// The first job, and how many there are.
struct Numbered(usize, usize);

value_of_toml!(Numbered, "two whole numbers [a, b] from 1", |value| match &value.as_array()?[..] {
    [from, count] => {
        let whole =
            |value: &toml::Value| usize::try_from(value.as_integer()?).ok().filter(|&number| number > 0);
        Some(Numbered(whole(from)?, whole(count)?))
    }
    _ => None,
});

impl StepText for WindowText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        settings.one_of(&["days", "jobs"])?;
        let span = match (self.days, self.jobs) {
            (Some(days), _) => Span::Days(days.0, self.origin),
            (None, jobs) => {
                settings.refuse(&["origin"], "jobs")?;
                let Numbered(from, count) = jobs.ok_or_else(|| settings.missing("days or jobs"))?;
                Span::Jobs(from - 1, count)
            }
        };
        Ok(Box::new(Window { span, rebase: self.rebase }))
    }
}

/// The trace's zero after a part of the log is cut out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Rebase {
    /// The beginning of the part.
    Begin,
    /// The first submission within the part.
    First,
    /// Unchanged, so that an instant means the same in the log and in each of its parts.
    #[default]
    None,
}

impl Rebase {
    /// The parameter of steps that cut out a part.
    pub const PARAM: Param = Param {
        name: "rebase",
        default: "none",
        takes: "begin, first or none",
        help: "what becomes time 0: the beginning of the stretch, its first submission, or what was, as under \
               `windows` of experiments; the header's UnixStartTime follows, so that every job keeps its wall-clock \
               time, but instants in seconds (`submit`, F1 to F4, calendars) are counted from the new zero",
    };
}

/// Returns some rows as a trace of their own, which begins at an instant.
pub(super) fn cut(work: &ShapedTrace, rows: &[u32], begin: Time, rebase: Rebase) -> ShapedTrace {
    let mut cut = work.select(rows);
    if rows.len() < work.len() {
        cut.forget_period();
    }
    match rebase {
        Rebase::Begin => cut.rebase(begin),
        Rebase::First => cut.rebase(cut.first_submit().unwrap_or(begin)),
        Rebase::None => {}
    }
    cut
}

/// Returns the rows submitted from an instant to before another one, in the order of the file.
pub(super) fn submitted(work: &ShapedTrace, from: Time, until: Time) -> Vec<u32> {
    let within = |&row: &u32| work.submit(row).is_some_and(|submit| (from..until).contains(&submit));
    work.rows().filter(within).collect()
}

struct Window {
    span: Span,
    rebase: Rebase,
}

enum Span {
    Days([f64; 2], Origin),
    Jobs(usize, usize),
}

impl Step for Window {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        work.remember_machine();
        let (rows, begin) = match self.span {
            Span::Days([first, end], origin) => {
                let days = Days::of(&work, origin)?;
                let begin = days.begin(first);
                (submitted(&work, begin, days.begin(end)), begin)
            }
            Span::Jobs(skip, take) => {
                let mut rows: Vec<u32> = work.by_submit().into_iter().skip(skip).take(take).collect();
                let begin = rows.first().and_then(|&row| work.submit(row)).unwrap_or_default();
                rows.sort_unstable();
                (rows, begin)
            }
        };
        let cut = cut(&work, &rows, begin, self.rebase);
        let words = format!("of {} taken", work.total());
        Ok(StepOutput::one(cut, rows.len() as u64, words))
    }
}
