//! A metric over the weeks of a log, or over its windows or blocks of any other length.

use super::kind::{PLAIN, PlotKind, Scale};
use super::lines::metric_axis;
use super::quantity::short;
use super::scene::Scene;
use super::selection::{NOTHING, PlotCell, Selection};
use batchlab_engine::plot::{Axis, Dot, Mark, Panel, Point, Stroke};
use batchlab_study::experiment::UnitKind;
use batchlab_study::experiment::detail::who::{WHO, Who};
use batchlab_study::study::who::InfluenceQuantity;

pub(super) static WEEKS: PlotKind = PlotKind {
    name: "weeks",
    what: "a metric over weeks of submission (or windows or blocks of any length), one line for each policy",
    has_units: true,
    log: Some(Scale::LinearUnlessRatio),
    detail: Some(&WHO),
    legend: "One line for each policy, a step for each week, window or block; a gap has no value.",
    draw,
    ..PLAIN
};

/// The values of a policy over time.
struct Course {
    policy: usize,
    /// First week or unit of each value, counted from 0, in ascending order.
    values: Vec<(u64, f64)>,
}

/// What a step of the lines covers.
struct Step {
    /// Of the x axis.
    label: String,
    /// How many weeks or units a step covers.
    each: u64,
}

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let facts = &scene.frame.workloads[cell.design_point.workload];
    let kind = facts.units;
    let policies = scene.compared(part);
    let (step, courses) = match kind {
        UnitKind::Windows | UnitKind::Blocks => {
            (of_units(kind, &facts.units_length()), unit_courses(scene, &cell, &policies)?)
        }
        UnitKind::One => match week_courses(scene, &cell, &policies) {
            Ok(found) => found,
            Err(reason) => return Ok(vec![Panel::without(title, reason)]),
        },
        UnitKind::Replications | UnitKind::Draws | UnitKind::Shaken => {
            return Ok(vec![Panel::without(title, "its units do not follow each other in time")]);
        }
    };
    let values = || courses.iter().flat_map(|course| &course.values).map(|(_, value)| *value);
    let Some(end) =
        courses.iter().filter_map(|course| course.values.last()).map(|(at, _)| at + step.each).max()
    else {
        return Ok(vec![Panel::without(title, "no policy has a value here")]);
    };
    let (y, by) = metric_axis(scene, &scene.spec.metric, values(), values());
    let mut panel = Panel::new(title, Axis::linear(step.label, 0.0, end as f64), y);
    if let Some(even) = scene.even() {
        panel = panel.mark(Mark::Line(Stroke::Thin, vec![(0.0, even), (end as f64, even)]));
    }
    for course in &courses {
        panel = add_course(scene, panel, course, step.each, by);
    }
    Ok(vec![panel])
}

/// Returns the steps of windows and blocks.
fn of_units(kind: UnitKind, words: &str) -> Step {
    let label = match (kind, words) {
        (_, "7 d") => "week".into(),
        (UnitKind::Blocks, words) => format!("block of {words}"),
        (_, words) => format!("window of {words}"),
    };
    Step { label, each: 1 }
}

fn unit_courses(scene: &Scene<'_>, cell: &PlotCell, policies: &[usize]) -> Result<Vec<Course>, String> {
    let course = |&policy: &usize| {
        let values = scene.unit_values(cell, policy)?;
        let values = values.into_iter().map(|(unit, value)| (u64::from(unit), value)).collect();
        Ok(Course { policy, values })
    };
    policies.iter().map(course).collect()
}

/// Returns the means over the jobs submitted in each week of a single replay; the error says that the metric is not the mean of a
/// quantity that the replay has by week, or that the replay has no weeks.
fn week_courses(
    scene: &Scene<'_>,
    cell: &PlotCell,
    policies: &[usize],
) -> Result<(Step, Vec<Course>), String> {
    let quantity = InfluenceQuantity::ALL.into_iter().find(|of| of.metric() == scene.spec.metric);
    let quantity = quantity.filter(|_| cell.class.is_none()).ok_or_else(|| {
        let known = InfluenceQuantity::ALL.map(InfluenceQuantity::metric).join(" and ");
        format!("one replay has weeks of {known}, of all jobs; `blocks = \"7d\"` of the workload measures any metric by week")
    })?;
    let weeks = |policy: usize| -> Result<Who, String> { scene.detail(&cell.design_point, policy) };
    let base = scene.spec.relative.map(weeks).transpose()?;
    let mut each = 1;
    let mut courses = Vec::new();
    for &policy in policies {
        let Some(own) = scene.noted(policy, weeks(policy)) else { continue };
        each = own.weeks_each;
        let value = |(week, sums): &(u64, _)| {
            let mean = quantity.mean(sums)?;
            let value = match &base {
                None => mean,
                Some(base) => {
                    let at = base.weeks.binary_search_by_key(week, |(week, _)| *week).ok()?;
                    mean / quantity.mean(&base.weeks[at].1).filter(|base| *base > 0.0)?
                }
            };
            Some((week * each, value))
        };
        courses.push(Course { policy, values: own.weeks.iter().filter_map(value).collect() });
    }
    if courses.is_empty() {
        return Err("no replay has the means of its weeks".into());
    }
    if each > 1 {
        scene.note(format!("Each step covers {each} weeks."));
    }
    scene.note("Weeks are those of submission, counted from the first one.");
    Ok((Step { label: "week of submission".into(), each }, courses))
}

/// Adds the steps of a policy; neighbours without a gap are one line, and a step between two gaps is a marker.
fn add_course(scene: &Scene<'_>, panel: Panel, course: &Course, each: u64, by: f64) -> Panel {
    let (look, name) = (scene.look(course.policy), scene.policy(course.policy));
    let mut panel = panel.look_of_line(name, look);
    for run in course.values.chunk_by(|one, next| one.0 + each == next.0) {
        let steps = run.iter().map(|(at, value)| (*at as f64, value * by));
        let end = run.last().map(|(at, value)| ((at + each) as f64, value * by));
        let points: Vec<Point> = steps.chain(end).collect();
        if let [(at, value)] = run {
            let title = format!("{name}: {}", short(value * by));
            let at = (*at as f64 + each as f64 / 2.0, value * by);
            panel = panel.mark(Mark::Dots(look, vec![Dot { at, is_hollow: false, title }]));
        }
        panel = panel.mark(Mark::Steps(Stroke::Of(look), points));
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_counts_units_by_their_length() {
        let label = |kind, words| of_units(kind, words).label;
        assert_eq!(label(UnitKind::Windows, "7 d"), "week");
        assert_eq!(label(UnitKind::Windows, "28 d"), "window of 28 d");
        assert_eq!(label(UnitKind::Blocks, "1000 jobs"), "block of 1000 jobs");
    }
}
