//! What a page shows of replays, beside their table: schedules as text, rectangles, curves, words.

use super::Replays;
use crate::experiment::detail::distribution::{DISTRIBUTION, Distribution};
use crate::experiment::detail::gantt::{self, Rectangles};
use crate::experiment::detail::timeline::{TIMELINE, Timeline};
use crate::experiment::detail::{self, Wanted};
use crate::lab::Failure;
use crate::lab::replays::explaining::Explained;
use crate::lab::scenario::job::JobName;
use crate::metrics::Class;
use crate::outcome::Outcome;
use crate::plot::PageLayout;
use crate::schedule::diff::diff;
use crate::schedule::{self, ScheduleColumn};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub words: String,
    /// The jobs around its wait, as SVG; or why there is no drawing.
    pub drawing: Result<String, String>,
}

impl Replays {
    /// Returns the schedule of a policy as its file has it, with further columns.
    pub fn schedule(&self, at: usize, names: Option<&str>) -> Result<Vec<u8>, Failure> {
        let columns = names.map(ScheduleColumn::select).transpose()?.unwrap_or_default();
        self.measured(at, |measurement| {
            let mut text = Vec::new();
            let written = schedule::write_with(&columns, measurement, &mut text);
            written.map_err(|error| Failure::writing("the schedule", error))?;
            Ok(text)
        })
    }

    /// Returns all jobs of a policy as at most `most` rectangles.
    pub fn rectangles(&self, at: usize, most: usize) -> Result<Rectangles, Failure> {
        self.measured(at, |measurement| gantt::rectangles(measurement, most).map_err(Failure::Input))
    }

    pub fn timeline(&self, at: usize) -> Result<Timeline, Failure> {
        let made = self.measured(at, |measurement| Ok(Wanted::whole(&TIMELINE).make(measurement)))?;
        detail::read(&made.unwrap_or_default()).map_err(Failure::Input)
    }

    /// Returns the distributions of waits and slowdowns of a policy: of all jobs, or of those of a class.
    pub fn distribution(&self, at: usize, class: Option<&Class>) -> Result<Distribution, Failure> {
        let wanted = Wanted::whole(&DISTRIBUTION);
        let made = self.measured(at, |measurement| {
            Ok(class
                .map_or_else(|| wanted.make(measurement), |class| wanted.make(&measurement.of_class(class))))
        })?;
        detail::read(&made.unwrap_or_default()).map_err(Failure::Input)
    }

    /// Returns the first job of a name by its place in the order of submission: its number in the log, or the name that the batch
    /// system gave it, with `id:` before or without.
    pub fn find(&self, job: &str) -> Result<Option<usize>, Failure> {
        let (job, workload) = (job.trim(), &self.prepared.scenario.workload);
        let place = |name: JobName| {
            let found = name.find(&self.prepared.trace, workload)?;
            Ok(workload.jobs().position(|job| found.first() == Some(&job)))
        };
        let number = job.parse().map_or(Ok(None), place)?;
        if number.is_some() || job.starts_with("id:") {
            return Ok(number);
        }
        place(format!("id:{job}").parse().map_err(Failure::Usage)?)
    }

    /// Explains why a job of a policy waited, by a further replay that keeps its decisions.
    pub fn explain(&self, at: usize, job: &str) -> Result<Wait, Failure> {
        let name: JobName = job.parse().map_err(Failure::Usage)?;
        let explained = Explained::of(&self.prepared, &self.compared[at].policy, name)?;
        let explained = explained
            .ok_or_else(|| Failure::Usage(format!("job {job} is not among those that are replayed")))?;
        let drawing = explained.chart().map(|page| page.to_svg_for(PageLayout::PAGE));
        Ok(Wait { words: explained.words(), drawing: drawing.map_err(|failure| failure.to_string()) })
    }

    /// Returns where the schedules of two policies part and the rule that explains it; `None` if they agree.
    pub fn difference(&self, one: usize, other: usize) -> Option<String> {
        diff(&self.prepared.scenario, self.outcome(one), self.outcome(other)).map(|found| found.to_string())
    }

    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }
}
