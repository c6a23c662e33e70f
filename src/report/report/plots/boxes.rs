//! The values of units as boxes: groups of workloads, classes or values of a parameter, one box for each policy.

use super::bars::dimension_name;
use super::kind::{PLAIN, PlotKind, Scale, Spread};
use super::letters;
use super::lines::metric_axis;
use super::quantity::short;
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::{Area, Axis, Dot, Fill, Mark, Panel, Stroke, VerticalRange};
use batchlab_engine::stats::quantile::type7;
use batchlab_traces::number::counted;

pub(super) static BOX: PlotKind = PlotKind {
    name: "box",
    what: "a metric of each unit as box plot, by workload, class or parameter, one box for each policy",
    spread: Spread::Names,
    has_units: true,
    letters: Some(letters::LEGEND),
    log: Some(Scale::LinearUnlessRatio),
    legend: "One box for each policy over its units: quartiles with the median, whiskers to the last unit within 1.5 times \
             the length of the box, units beyond them as dots; the hollow marker is the mean.",
    draw,
    ..PLAIN
};

/// Share of a group's width that its boxes take, and of its part that a box fills.
const FILLED: f64 = 0.84;
const WIDE: f64 = 0.72;
/// How far whiskers reach at most, in lengths of the box (Tukey, "Exploratory Data Analysis", 1977).
const WHISKER: f64 = 1.5;

/// The width of a box of letter values, as a share of that of the one within it.
const NARROWER: f64 = 0.78;

/// The numbers that a box shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoxSummary {
    /// Lower end of the whiskers, lower quartile, median, upper quartile, upper end of the whiskers.
    pub five: [f64; 5],
    /// The ends of further boxes, outwards from the quartiles, in place of whiskers.
    pub letters: Vec<(f64, f64)>,
    pub mean: Option<f64>,
    /// Values beyond the whiskers, or beyond the last box.
    pub beyond: Vec<f64>,
    /// What is summarised, for the tooltip, such as "12 units".
    pub of: String,
}

/// A box with its place: `group` is the position of its group.
pub(super) struct PlacedBox {
    pub group: usize,
    /// Position among the policies of the panel.
    pub place: usize,
    pub summary: Option<BoxSummary>,
}

impl BoxSummary {
    /// Summarises the values of units; `None` if there are none.
    pub fn of_units(mut values: Vec<f64>, has_letters: bool) -> Option<BoxSummary> {
        values.sort_unstable_by(f64::total_cmp);
        if has_letters {
            return BoxSummary::with_letters(&values);
        }
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| type7(&values, share));
        let (low, middle, high) = (low?, middle?, high?);
        let reach = WHISKER * (high - low);
        let is_within = |value: &&f64| **value >= low - reach && **value <= high + reach;
        let (first, last) = (*values.iter().find(is_within)?, *values.iter().rfind(is_within)?);
        let beyond = values.iter().copied().filter(|value| !is_within(&value)).collect();
        let units = values.len();
        Some(BoxSummary {
            // Interpolated quartiles may lie beyond the last value within reach.
            five: [first.min(low), low, middle, high, last.max(high)],
            letters: Vec::new(),
            mean: Some(values.iter().sum::<f64>() / units as f64),
            beyond,
            of: counted(units as u64, "unit"),
        })
    }

    /// Summarises sorted values of units by their letter values.
    fn with_letters(sorted: &[f64]) -> Option<BoxSummary> {
        let letters = letters::of(sorted);
        let (&(first, last), &(low, high)) = (letters.first()?, letters.last()?);
        let units = sorted.len();
        Some(BoxSummary {
            five: [low, first, type7(sorted, 0.5)?, last, high],
            letters: letters[1..].into(),
            mean: Some(sorted.iter().sum::<f64>() / units as f64),
            beyond: sorted.iter().copied().filter(|value| *value < low || *value > high).collect(),
            of: counted(units as u64, "unit"),
        })
    }

    /// Returns all values that must be on the axis.
    pub fn ends(&self) -> impl Iterator<Item = f64> {
        self.five.into_iter().chain(self.mean).chain(self.beyond.iter().copied())
    }
}

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let groups = part.split(scene.spec.spread);
    let policies = scene.compared(part);
    let mut boxes = Vec::new();
    for (group, selection) in groups.iter().enumerate() {
        for (place, &policy) in policies.iter().enumerate() {
            let values = selection.cell().map(|cell| scene.unit_values(&cell, policy)).transpose()?;
            let values = values.unwrap_or_default().into_iter().map(|(_, value)| value).collect();
            let summary = BoxSummary::of_units(values, scene.spec.letters.is_some());
            boxes.push(PlacedBox { group, place, summary });
        }
    }
    let ends = || boxes.iter().filter_map(|one| one.summary.as_ref()).flat_map(BoxSummary::ends);
    if ends().next().is_none() {
        return Ok(vec![Panel::without(title, "no policy has a value of a unit here")]);
    }
    if scene.spec.letters.is_some() {
        scene.note("Units beyond the boxes are dots; the hollow marker is the mean.");
    }
    let (y, by) = metric_axis(scene, &scene.spec.metric, ends(), ends());
    let panel = Panel::new(title, x_axis(scene, &groups), y);
    Ok(vec![with_boxes(scene, panel, &policies, &boxes, |value| value * by)])
}

/// Returns the axis of the groups of boxes.
pub(super) fn x_axis(scene: &Scene<'_>, groups: &[Selection]) -> Axis {
    let name =
        |group: &Selection| scene.spec.spread.map_or_else(String::new, |spread| scene.name(group, spread));
    Axis::categories(dimension_name(scene), groups.iter().map(name))
}

/// Adds the boxes of all policies to a panel; `drawn` gives the place of a value on the axis.
pub(super) fn with_boxes(
    scene: &Scene<'_>,
    mut panel: Panel,
    policies: &[usize],
    boxes: &[PlacedBox],
    drawn: impl Fn(f64) -> f64,
) -> Panel {
    let groups = boxes.iter().map(|one| one.group + 1).max().unwrap_or(1);
    if let Some(even) = scene.even() {
        panel = panel.mark(Mark::Line(Stroke::Thin, vec![(0.0, even), (groups as f64, even)]));
    }
    for (place, &policy) in policies.iter().enumerate() {
        let look = scene.look(policy);
        panel = panel.fill(scene.policy(policy), Fill::Of(look));
        for one in boxes.iter().filter(|one| one.place == place) {
            let Some(summary) = &one.summary else { continue };
            let each = FILLED / policies.len() as f64;
            let middle = one.group as f64 + (1.0 - FILLED) / 2.0 + (place as f64 + 0.5) * each;
            panel = add_box(panel, summary, (middle, each * WIDE), (look, scene.policy(policy)), &drawn);
        }
    }
    panel
}

fn add_box(
    panel: Panel,
    summary: &BoxSummary,
    (x, width): (f64, f64),
    (look, name): (usize, &str),
    drawn: &impl Fn(f64) -> f64,
) -> Panel {
    let [low, first, middle, last, high] = summary.five.map(drawn);
    let (left, right) = (x - width / 2.0, x + width / 2.0);
    let title = format!(
        "{name}: {}, quartiles {}, {}, {}; {} {}, {}",
        summary.of,
        short(first),
        short(middle),
        short(last),
        if summary.letters.is_empty() { "whiskers" } else { "outermost letter values" },
        short(low),
        short(high)
    );
    let area = |fill| Area { x: (left, right), y: (first, last), fill };
    let panel = add_letters(panel, summary, (x, width), (look, &title), drawn);
    let dot = |value: f64, is_hollow| Dot { at: (x, drawn(value)), is_hollow, title: short(drawn(value)) };
    let whiskers = [(low, first), (last, high)].map(|(low, high)| VerticalRange { x, low, high });
    let panel = if summary.letters.is_empty() {
        panel.mark(Mark::Whiskers(Stroke::Solid, whiskers.into()))
    } else {
        panel
    };
    panel
        .mark(Mark::Areas(vec![area(Fill::Ground)]))
        .mark(Mark::Titled(vec![(area(Fill::Of(look)), title)]))
        .mark(Mark::Line(Stroke::Heavy, vec![(left, middle), (right, middle)]))
        .mark(Mark::Dots(look, summary.beyond.iter().map(|&value| dot(value, false)).collect()))
        .mark(Mark::Dots(look, summary.mean.map(|mean| dot(mean, true)).into_iter().collect()))
}

/// Adds the boxes of letter values beyond the quartiles, each from the one within it outwards.
fn add_letters(
    mut panel: Panel,
    summary: &BoxSummary,
    (x, width): (f64, f64),
    (look, title): (usize, &str),
    drawn: &impl Fn(f64) -> f64,
) -> Panel {
    let (mut low, mut high, mut reach) = (summary.five[1], summary.five[3], width / 2.0);
    for &(below, above) in &summary.letters {
        reach *= NARROWER;
        let area = |from, to, fill| Area { x: (x - reach, x + reach), y: (drawn(from), drawn(to)), fill };
        let ends = [(below, low), (high, above)];
        let titled = |(from, to)| (area(from, to, Fill::Of(look)), title.to_owned());
        panel = panel
            .mark(Mark::Areas(ends.map(|(from, to)| area(from, to, Fill::Ground)).into()))
            .mark(Mark::Titled(ends.map(titled).into()));
        (low, high) = (below, above);
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::BoxSummary;

    #[test]
    fn a_box_has_the_quartiles_and_whiskers_of_its_units() {
        // R: boxplot.stats uses hinges; quantile(c(1:10, 30), c(.25, .5, .75)) gives 3.5, 6, 8.5.
        let values: Vec<f64> = (1..=10).map(f64::from).chain([30.0]).collect();
        let summary = BoxSummary::of_units(values, false).unwrap();
        assert_eq!(summary.five, [1.0, 3.5, 6.0, 8.5, 10.0]);
        assert_eq!((summary.mean, &summary.beyond[..]), (Some(85.0 / 11.0), &[30.0][..]));
        let one = BoxSummary::of_units(vec![7.0], false).unwrap();
        assert_eq!((one.five, one.beyond.len(), one.of.as_str()), ([7.0; 5], 0, "1 unit"));
        assert!(BoxSummary::of_units(Vec::new(), false).is_none());
        assert!(BoxSummary::of_units(Vec::new(), true).is_none());
    }

    #[test]
    fn letter_values_replace_the_whiskers() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let summary = BoxSummary::of_units(values, true).unwrap();
        assert_eq!(summary.five, [7.0, 25.5, 50.5, 75.5, 94.0]);
        assert_eq!(summary.letters, [(13.0, 88.0), (7.0, 94.0)]);
        assert_eq!(summary.beyond.len(), 12, "six on each side");
    }
}
