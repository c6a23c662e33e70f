//! Single jobs: how they fared, by their size or run time.

use super::cdf::{LEAST, value_axis};
use super::kind::{PLAIN, PlotKind, Scale, Spread, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use batchlab_engine::plot::{Axis, Dot, Mark, Panel, Point, Stroke};
use batchlab_study::experiment::detail::distribution::QUANTITIES;
use batchlab_study::experiment::detail::points::{JobPoint, POINTS, Points};
use batchlab_traces::sorted::SortedMap;

pub(super) static JOB_SCATTER: PlotKind = PlotKind {
    name: "job-scatter",
    what: "wait, response, bounded slowdown or slowdown of single jobs against their processors or run time",
    subject: Subject::Quantity,
    spread: Spread::Jobs,
    log: Some(Scale::Logarithmic),
    detail: Some(&POINTS),
    legend: "A dot is a measured job. A line joins the medians of the jobs between two powers of two of x, where there are at \
             least ten.",
    draw,
    ..PLAIN
};

/// What jobs are spread by along the x axis.
pub(super) const BY: [&str; 2] = ["procs", "run"];
/// The most jobs of a policy that are drawn.
const DOTS: usize = 600;
/// The fewest jobs of a median.
const FEWEST: usize = 10;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let is_run = scene.spec.x_metric.as_deref() == Some(BY[1]);
    let quantity = QUANTITIES.iter().position(|(name, _)| *name == scene.spec.metric).unwrap_or(0);
    let place = |job: &JobPoint| {
        let x = if is_run { job.run.max(LEAST) } else { job.procs };
        Some((x, job.values[quantity]?)).filter(|(x, _)| *x > 0.0)
    };
    let mut panels = Vec::new();
    for &policy in &part.policies {
        let units = scene.details_of_units::<Points>(&cell.design_point, policy).unwrap_or_default();
        let jobs: usize = units.iter().map(|unit| unit.jobs).sum();
        let points: Vec<Point> = units.iter().flat_map(|unit| &unit.points).filter_map(place).collect();
        panels.extend((!points.is_empty()).then_some((policy, jobs, points)));
    }
    let all = || panels.iter().flat_map(|(_, _, points)| points);
    let greatest = |of: fn(&Point) -> f64| all().map(of).fold(LEAST, f64::max);
    let (y, by) = value_axis(scene, greatest(|point| point.1));
    let x = greatest(|point| point.0).max(10.0);
    let x = if is_run { Axis::lengths("run time", LEAST, x) } else { Axis::log("processors", LEAST, x) };
    let least = if scene.spec.is_log { LEAST } else { 0.0 };
    let title_of = |policy: usize| match title {
        "" => scene.policy(policy).to_owned(),
        title => format!("{title}: {}", scene.policy(policy)),
    };
    if panels.is_empty() {
        return Ok(vec![Panel::without(title, "no replay has its single jobs")]);
    }
    let panel = |(policy, jobs, points): &(usize, usize, Vec<Point>)| {
        let look = scene.look(*policy);
        let every = points.len().div_ceil(DOTS);
        if *jobs > points.len().div_ceil(every) {
            scene.note("Of more jobs some are drawn, evenly spread over the log.");
        }
        let at = |&(x, y): &Point| (x, (y * by).max(least));
        let dot = |point: &Point| Dot { at: at(point), is_hollow: true, title: String::new() };
        let dots = points.iter().step_by(every).map(dot).collect();
        let medians = medians(points).iter().map(at).collect();
        Panel::new(title_of(*policy), x.clone(), y.clone()).mark(Mark::Dots(look, dots)).line(
            "median",
            Stroke::Heavy,
            medians,
        )
    };
    Ok(panels.iter().map(panel).collect())
}

/// Returns the median of y between powers of two of x, at the geometric middle.
fn medians(points: &[Point]) -> Vec<Point> {
    let mut groups: SortedMap<i32, Vec<f64>> = SortedMap::new();
    for &(x, y) in points {
        groups.entry(x.log2().floor() as i32).or_default().push(y);
    }
    let median = |(power, mut values): (i32, Vec<f64>)| {
        values.sort_unstable_by(f64::total_cmp);
        let middle = 2.0_f64.powf(f64::from(power) + 0.5);
        (values.len() >= FEWEST).then(|| (middle, values[(values.len() - 1) / 2]))
    };
    groups.into_iter().filter_map(median).collect()
}
