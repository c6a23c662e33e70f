//! How unevenly users fare: the Lorenz curve of their mean waits or slowdowns.

use super::kind::{PLAIN, PlotKind, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use crate::report::tables::Statistic;
use batchlab_engine::plot::{Axis, Mark, Panel, Stroke};
use batchlab_study::experiment::detail::distribution::shares;
use batchlab_study::experiment::detail::users::{OverUsers, USERS, UserQuantities};

pub(super) static LORENZ: PlotKind = PlotKind {
    name: "lorenz",
    what: "the Lorenz curve over users of their mean wait, response or slowdown, with the Gini coefficient",
    subject: Subject::Quantity,
    detail: Some(&USERS),
    statistic: Some(Statistic::Lorenz),
    legend: "Share of the sum of all known users' means that the users with the least means have together; on the thin \
             diagonal all fare alike. In parentheses: the Gini coefficient, twice the area between curve and diagonal.",
    draw,
    ..PLAIN
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let name = scene.words(&scene.spec.metric);
    let x = Axis::linear(format!("users by their mean {name} (%)"), 0.0, 100.0);
    let y = Axis::linear(format!("share of all mean {name}s (%)"), 0.0, 100.0);
    let mut panel = Panel::new(title, x, y).mark(Mark::Line(Stroke::Thin, vec![(0.0, 0.0), (100.0, 100.0)]));
    let mut is_empty = true;
    for &policy in &part.policies {
        let Some(units) = scene.details_of_units::<UserQuantities>(&cell.design_point, policy) else {
            continue;
        };
        let is_drawn = |of: &OverUsers| of.quantiles.name == scene.spec.metric && !of.lorenz.is_empty();
        let own = units.into_iter().flat_map(|unit| unit.quantities).filter(is_drawn);
        let own: Vec<OverUsers> = own.collect();
        if own.is_empty() {
            scene.note(format!("{}: the means of all users are 0.", scene.policy(policy)));
            continue;
        }
        if own.len() > 1 {
            scene.note("Curves and coefficients are means over units.");
        }
        let count = own.len() as f64;
        let mean = |at: usize| own.iter().map(|unit| unit.lorenz[at]).sum::<f64>() / count;
        let points =
            shares().iter().enumerate().map(|(at, share)| (share * 100.0, mean(at) * 100.0)).collect();
        let gini = own.iter().filter_map(|unit| unit.gini).sum::<f64>() / count;
        let label = format!("{} ({gini:.2})", scene.policy(policy));
        panel = panel.line(&label, Stroke::Of(scene.look(policy)), points);
        is_empty = false;
    }
    Ok(vec![if is_empty { Panel::without(title, "no replay has the means of its users") } else { panel }])
}
