//! The page of a plot: its panels, title and caption.

use super::caption;
use super::kind::{Panels, Spread};
use super::scene::{Details, Scene};
use super::spec::PlotSpec;
use batchlab_engine::plot::{Page, Panel};
use batchlab_study::study::Study;

/// Draws a plot of results; the error says why there is nothing to draw: the results lack the measure or details of replays.
pub fn draw(spec: &PlotSpec, study: &Study<'_>, details: &Details<'_>) -> Result<Page, String> {
    let scene = Scene::new(spec, study, details);
    let parts = spec.selection.split(spec.panel);
    let mut panels = Vec::new();
    for part in &parts {
        let title = spec.panel.map_or_else(String::new, |panel| scene.name(part, panel));
        panels.extend((spec.kind.draw)(&scene, part, &title)?);
    }
    if let Some(reason) = panels.iter().find_map(Panel::message)
        && panels.iter().all(|panel| panel.message().is_some())
    {
        return Err(reason.into());
    }
    let labelled = |panel: Panel| panel.labelled(spec.x_label.as_deref(), spec.y_label.as_deref());
    let panels: Vec<Panel> = panels.into_iter().map(labelled).collect();
    let columns = if panels.len() > 1 && spec.kind.spread != Spread::Rows { 2 } else { 1 };
    let page = Page {
        title: if spec.title.is_empty() { scene.title() } else { spec.title.clone() },
        subtitle: scene.subtitle(),
        columns: if spec.kind.panels == Panels::Stacked { parts.len().min(2) } else { columns },
        panels: in_rows(spec, panels, parts.len()),
        is_wide: spec.kind.panels == Panels::Window,
        shares_key: true,
        caption: caption::paragraphs(&scene),
    };
    Ok(page.without_empty_panels())
}

/// Returns panels in the order of a page with two columns, with the panels of the same timeline one below the other.
fn in_rows(spec: &PlotSpec, panels: Vec<Panel>, parts: usize) -> Vec<Panel> {
    if spec.kind.panels != Panels::Stacked || parts < 2 {
        return panels;
    }
    let each = panels.len() / parts;
    let mut rows = Vec::with_capacity(panels.len());
    for pair in panels.chunks(2 * each) {
        for at in 0..each {
            rows.extend(pair.iter().skip(at).step_by(each).cloned());
        }
    }
    rows
}
