//! Reads what a Gantt chart shows.

use batchlab_traces::located::LocatedToml;
use batchlab_traces::located::values::{Length, Whole};

use super::chart::{Chart, Colour, Reservations};
use super::keys::{PlotKeys, PlotSection, Read};
use super::kind::Panels;
use crate::report::tables::Names;
use batchlab_study::experiment::Section;
use batchlab_study::experiment::detail::Extent;

/// The keys of a Gantt chart.
pub(super) const KEYS: [&str; 6] = ["from", "to", "around", "reach", "colour", "reservations"];

/// How many seconds a window around a job reaches to both sides unless the experiment says otherwise.
const REACH: f64 = 6.0 * 3600.0;

/// Reads the keys of a Gantt chart.
pub(super) fn read(section: &PlotSection<'_>, names: &Names) -> Read<Chart> {
    let colour = section.keys.colour.unwrap_or_default();
    if colour == Colour::Class && names.classes().len() < 2 {
        let what = "colour: the experiment has no classes; `classes` in [measure] defines them";
        return Err(section.wrong("colour", what));
    }
    let reservations = match section.keys.reservations {
        None => Reservations::Few,
        Some(true) => Reservations::All,
        Some(false) => Reservations::None,
    };
    let extent = extent(section)?;
    let marked = if let Extent::Around(job, _) = extent { Some(job) } else { None };
    Ok(Chart { extent, colour, reservations, marked })
}

/// Reads which part of a replay is shown.
fn extent(section: &PlotSection<'_>) -> Read<Extent> {
    let PlotKeys { from, to, around, reach, .. } = &section.keys;
    let [from, to, reach] = [from, to, reach].map(|time| time.map(|Length(time)| time.secs()));
    match (*around, from, to, reach) {
        (Some(_), Some(_), _, _) | (Some(_), _, Some(_), _) => {
            Err(section.wrong("around", "around: the job chooses the window; leave out `from` and `to`"))
        }
        (Some(_), _, _, Some(0.0)) => Err(section.wrong("reach", "reach: a window of no length is empty")),
        (Some(Whole(job)), _, _, reach) => Ok(Extent::Around(job, reach.unwrap_or(REACH))),
        (None, _, _, Some(_)) => {
            Err(section.wrong("reach", "reach: it is that of a window around a job; give `around` too"))
        }
        (None, None, None, None) => Ok(Extent::Whole),
        (None, from, to, None) if to.is_none_or(|to| to > from.unwrap_or(0.0)) => {
            Ok(Extent::Between(from.unwrap_or(0.0), to))
        }
        _ => Err(section.wrong("to", "to: the window must end after it begins")),
    }
}

/// Returns the names of the Gantt charts that an experiment file declares, with the part of the replay that each shows; without
/// declarations that have errors, which reading the file as a whole reports.
pub fn windows(text: &str, file: &str) -> Vec<(String, Extent)> {
    let toml = LocatedToml::new(text, file);
    let Ok(table) = toml.parse() else { return Vec::new() };
    let Ok(sections) = Section::whole(&toml, &table).sections("plot") else { return Vec::new() };
    let chart = |section: &Section<'_>| {
        let section: PlotSection<'_> = section.read().ok()?;
        let has_window = section.keys.kind.panels == Panels::Window;
        has_window.then_some((section.keys.name.0.clone(), extent(&section).ok()?))
    };
    sections.iter().filter_map(chart).collect()
}
