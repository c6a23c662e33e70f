//! Looks for the windows of Gantt charts in the workloads, before anything runs.

use batchlab_traces::Workload;
use batchlab_traces::number::{counted, grouped};

use crate::experiment::detail::Extent;
use crate::experiment::detail::gantt::JOBS;
use crate::experiment::{ExperimentPlan, UnitKind};
use crate::lab::Failure;
use crate::report::Declared;

/// What the window of a chart contains of a workload at one design point.
pub struct Glance {
    plot: String,
    workload: usize,
    extent: Extent,
    /// The number of jobs submitted in the window; `None` if it lies around a job that the workload lacks.
    jobs: Option<usize>,
    /// The length of the window, up to the last submission.
    seconds: f64,
}

impl Glance {
    /// Looks for the windows of charts, given by their names, in a workload.
    pub fn all(charts: &[(String, Extent)], at: usize, workload: &Workload) -> Vec<Glance> {
        let submits = || workload.jobs().map(|job| workload.submit(job));
        let (Some(first), Some(last)) = (submits().min(), submits().max()) else { return Vec::new() };
        let end = (last - first).secs();
        let glance = |(plot, extent): &(String, Extent)| {
            let window = match *extent {
                Extent::Whole => Some((0.0, end)),
                Extent::Between(from, to) => Some((from, to.unwrap_or(end).min(end))),
                Extent::Around(number, reach) => {
                    let job = workload.jobs().find(|&job| workload.number(job) == number);
                    let submit = job.map(|job| (workload.submit(job) - first).secs());
                    submit.map(|submit| ((submit - reach).max(0.0), (submit + reach).min(end)))
                }
            };
            let is_within = |(from, to)| {
                let after = submits().map(move |submit| (submit - first).secs());
                after.filter(|&after| from <= after && after <= to).count()
            };
            Glance {
                plot: plot.clone(),
                workload: at,
                extent: *extent,
                jobs: window.map(is_within),
                seconds: window.map_or(0.0, |(from, to)| (to - from).max(0.0)),
            }
        };
        charts.iter().map(glance).collect()
    }
}

/// Returns remarks on charts whose windows have too many jobs or none, one line each.
pub fn remarks(
    glances: &[Glance],
    declared: &Declared,
    plan: &ExperimentPlan,
) -> Result<Vec<String>, Failure> {
    let mut remarks = Vec::new();
    for plot in declared.plots.iter().filter(|plot| plot.kind.name == "gantt") {
        for &workload in &plot.selection.workloads {
            let here = || glances.iter().filter(|of| of.plot == plot.name && of.workload == workload);
            let Some(most) = here().max_by_key(|of| of.jobs) else { continue };
            let (name, facts) = (&plot.name, &plan.workloads[workload]);
            let workload = &facts.name;
            match (most.jobs, most.extent) {
                (None, Extent::Around(job, _)) => {
                    return Err(Failure::Usage(format!(
                        "plot `{name}`: workload `{workload}` has no job {job}; `around` takes the number of a job that is \
                         replayed, or `from` and `to` choose a window by time"
                    )));
                }
                // The whole log was looked at, and the chart shows one window of it.
                _ if facts.units == UnitKind::Windows => {}
                (Some(0), _) => remarks.push(format!(
                    "plot `{name}`: no job of `{workload}` is submitted in its window, which may be empty; the last \
                     submission is earlier than `from`"
                )),
                (Some(jobs), _) if jobs > JOBS => remarks.push(format!(
                    "plot `{name}`: {} of `{workload}` are submitted in its window, and rectangles are drawn for at most {}: \
                     it will show the share of the machine in use; a window of about {} (`from`, `to`) has as many",
                    counted(jobs as u64, "job"),
                    grouped(JOBS as u64),
                    length(most.seconds * JOBS as f64 / jobs as f64),
                )),
                _ => {}
            }
        }
    }
    Ok(remarks)
}

/// Returns a length of time as an experiment file takes it, rounded down.
fn length(seconds: f64) -> String {
    match seconds {
        of if of >= 86_400.0 => format!("{:.0}d", (of / 86_400.0).floor()),
        of if of >= 3600.0 => format!("{:.0}h", (of / 3600.0).floor()),
        of => format!("{:.0}s", of.floor()),
    }
}
