//! A `[[plot]]` of an experiment, read and checked.

use super::chart::{self, Chart};
use super::kind::{KINDS, Panels, PlotKind, Scale, Spread, Subject};
use super::selection::{Dimension, Selection};
use crate::experiment::detail::Wanted;
use crate::experiment::detail::distribution::QUANTITIES;
use crate::experiment::file_name::{LETTERS, is_file_name};
use crate::experiment::keys::{FILE_NAME, KeySpec, POLICIES, WHERE, WORKLOADS, key};
use crate::experiment::{ExperimentError, Section, SectionSpec};
use crate::plot::{FigureSize, PageLayout};
use crate::report::tables::{self, Names};

/// A plot of an experiment.
#[derive(Clone, Debug)]
pub struct PlotSpec {
    /// Name of its file, without the ending.
    pub name: String,
    /// The labels of the axes, if the experiment gives them.
    pub x_label: Option<String>,
    /// See [`PlotSpec::x_label`].
    pub y_label: Option<String>,
    /// What things are called, in place of their names in the experiment.
    pub labels: Vec<(String, String)>,
    /// Its title; empty means that of the kind.
    pub title: String,
    /// Its kind.
    pub kind: &'static PlotKind,
    /// The metric, without a class, or the quantity of jobs; empty if the kind shows the replay itself.
    pub metric: String,
    /// The dimension spread within a panel: along the x axis, or along the y axis of heat maps.
    pub spread: Option<Dimension>,
    /// The metric whose means are the values of x, if these are not the values of a parameter.
    pub x_metric: Option<String>,
    /// The dimension whose values have a panel each.
    pub panel: Option<Dimension>,
    /// The part of the results that is shown.
    pub selection: Selection,
    /// Whether the axis of the values is logarithmic.
    pub is_log: bool,
    /// Whether intervals are shown.
    pub has_band: bool,
    /// The policy that is the denominator of ratios.
    pub relative: Option<usize>,
    /// The unit whose replay is shown, for workloads with several units.
    pub unit: u32,
    /// What a Gantt chart shows.
    pub chart: Chart,
    /// Published values, drawn beside the measured ones.
    pub published: Vec<PublishedValue>,
    /// The layout.
    pub layout: PageLayout,
}

/// A value that was published, as open mark in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedValue {
    /// The policy, by position.
    pub policy: usize,
    /// Where it stands along the x axis: a number, or the name of a group of bars.
    pub at: String,
    /// The value, in the metric's own unit.
    pub value: f64,
}

/// `[[plot]]`.
pub static SECTION: SectionSpec = SectionSpec {
    name: "plot",
    summary: "a plot, in plots/NAME.svg; not every kind has every key",
    example: "[[plot]]\nname = \"load\"\nkind = \"lines\"\nmetric = \"mean_bsld\"\nx = \"load\"",
    keys: &[
        FILE_NAME,
        key("kind", "name", "", "see `batchlab list plots`"),
        key("title", "text", "", "a title within the figure"),
        key("metric", "metric or quantity", "", "what is drawn; of a cdf a quantity of jobs, such as wait"),
        key("x", "parameter or metric", "what is swept", "what is spread along the x axis"),
        key("y", "dimension", "policy", "what is spread up the y axis of a heatmap"),
        key("panel", "dimension", "", "what differs between panels: workload, policy, class or a parameter"),
        WORKLOADS,
        POLICIES,
        key("classes", "list", "all jobs", "classes that it shows"),
        WHERE,
        key("log", "true or false", "the kind's", "whether the axis of values is logarithmic"),
        key("band", "true or false", "true", "whether intervals are drawn"),
        key("relative", "label", "of a forest the baseline", "draw ratios to this policy"),
        key("unit", "whole number", "0", "which unit's replay is drawn"),
        key(
            "published",
            "[{ policy, at, value }, ...]",
            "",
            "of lines and bars: published values, as open marks at a place along x, in the metric's own unit",
        ),
        key("xlabel", "text", "in plain words", "label of the x axis"),
        key("ylabel", "text", "in plain words", "label of the y axis"),
        key(
            "label",
            "table",
            "",
            "what metrics, policies, workloads, parameters, values or classes are called: { mean_bsld = \"slowdown\" }",
        ),
        key(
            "from",
            "time",
            "the first submission",
            "of a gantt: where its window begins, as 12h or 30d after it",
        ),
        key("to", "time", "the end", "of a gantt: where its window ends"),
        key("around", "job", "", "of a gantt: a window around the submission of the job with this number"),
        key("reach", "time", "6h", "of a gantt: how far the window around a job reaches to both sides"),
        key("colour", "none, user, width or class", "none", "of a gantt: what colours tell apart"),
        key(
            "reservations",
            "true or false",
            "up to 40 in a panel",
            "of a gantt: whether first reservations that jobs did not start by are drawn",
        ),
        key(
            "conditions",
            "true or false",
            "false",
            "whether the conditions stand below the figure, within it",
        ),
        key(
            SIZE,
            "panel, column, text or slide",
            "panel",
            "column: 3.3 inches wide, text: 7 inches wide, for two-column papers; slide: 16:9, larger text; panel: 400 pixels",
        ),
    ],
};
const SIZE: &str = "size";

impl PlotSpec {
    /// Reads a plot and checks everything that can be checked without results.
    ///
    /// # Errors
    /// At the first error, with its line and a suggestion.
    pub fn read(section: &Section<'_>, names: &Names) -> Result<PlotSpec, ExperimentError> {
        SECTION.check(section)?;
        let name = file_name(section)?;
        section.needed("kind")?;
        let kinds: Vec<(&str, &'static PlotKind)> = KINDS.iter().map(|&kind| (kind.name, kind)).collect();
        let Some(kind) = section.one_of("kind", &kinds)? else { return Err(section.error("no kind")) };
        refuse_idle(section, kind)?;
        let metric = metric(section, names, kind)?;
        let selection = selection(section, names, kind, &metric)?;
        let relative = relative(section, names, kind)?;
        let (spread, x_metric) = spread(section, names, kind, &selection)?;
        let panel = panel(section, names, kind, &selection, spread)?;
        Ok(PlotSpec {
            name,
            title: section.text("title")?.unwrap_or_default(),
            kind,
            metric,
            spread,
            x_metric,
            panel,
            selection,
            is_log: section.truth("log")?.unwrap_or(match kind.log {
                Some(Scale::Logarithmic) => true,
                Some(Scale::LinearUnlessRatio) => section.has("relative"),
                Some(Scale::Linear) | None => false,
            }),
            has_band: section.truth("band")?.unwrap_or(kind.axis == "x"),
            relative,
            unit: section.whole("unit", 0)?.unwrap_or(0).min(u64::from(u32::MAX)) as u32,
            layout: PageLayout {
                size: section.one_of(SIZE, &FigureSize::ALL)?.unwrap_or(FigureSize::Panel),
                has_title: section.has("title"),
                has_caption: section.truth("conditions")?.unwrap_or(false),
            },
            chart: Chart::read(section, names)?,
            published: published(section, names)?,
            x_label: section.text("xlabel")?,
            y_label: section.text("ylabel")?,
            labels: labels(section, names)?,
        })
    }

    /// Returns what something is called in the figure, if the experiment says so.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(known, _)| known == name).map(|(_, label)| label.as_str())
    }

    /// Returns the detail of a replay that the plot needs; positions refer to the names with which the plot
    /// was read.
    ///
    /// `unit` is `None` for a whole replay that is measured in blocks.
    pub fn detail_of(
        &self,
        workload: usize,
        policy: usize,
        point: &[usize],
        unit: Option<u32>,
    ) -> Option<Wanted> {
        let Selection { workloads, policies, values, .. } = &self.selection;
        let at_point = values.len() == point.len()
            && values.iter().zip(point).all(|(values, value)| values.contains(value));
        let is_shown = workloads.contains(&workload) && policies.contains(&policy) && at_point;
        let is_unit = |unit| self.kind.subject == Subject::Quantity || unit == self.unit;
        let spec = self.kind.detail.filter(|_| is_shown && unit.is_none_or(is_unit))?;
        Some(Wanted { spec, extent: self.chart.extent })
    }
}

/// Reads published values.
fn published(section: &Section<'_>, names: &Names) -> Result<Vec<PublishedValue>, ExperimentError> {
    let one = |value: &Section<'_>| {
        value.known(&["policy", "at", "value"])?;
        let lacks = |key: &str| value.error(&format!("a published value needs `{key}`"));
        Ok(PublishedValue {
            policy: policy(value, "policy", &value.needed("policy")?, names)?,
            at: value.scalar("at")?.ok_or_else(|| lacks("at"))?,
            value: value.number("value")?.ok_or_else(|| lacks("value"))?,
        })
    };
    section.sections("published", "published")?.iter().map(one).collect()
}

/// Reads what things are called in the figure.
fn labels(section: &Section<'_>, names: &Names) -> Result<Vec<(String, String)>, ExperimentError> {
    let labels = section.pairs("label")?;
    let known = || {
        let parameters = names.parameters.iter();
        let values = parameters.clone().flat_map(|parameter| parameter.values.iter());
        let workloads = names.workloads.iter().map(|(name, _)| name);
        let own =
            parameters.map(|parameter| &parameter.name).chain(values).chain(workloads).chain(&names.policies);
        let quantities = QUANTITIES.iter().map(|(name, _)| *name);
        own.map(String::as_str).chain(names.metrics()).chain(names.classes()).chain(quantities)
    };
    match labels.iter().find(|(name, _)| !known().any(|known| known == name)) {
        Some((name, _)) => Err(section.unknown("label", name, known())),
        None => Ok(labels),
    }
}

fn file_name(section: &Section<'_>) -> Result<String, ExperimentError> {
    let name = section.needed("name")?;
    if !name.is_ascii() || !is_file_name(&name) {
        let what = format!("`name` is the name of a file: at most 200 ASCII {LETTERS}, and no `.` first");
        return Err(section.wrong("name", &what));
    }
    Ok(name)
}

impl PlotKind {
    /// Returns the keys that a plot of a kind accepts.
    pub fn keys(&self) -> impl Iterator<Item = &'static KeySpec> {
        SECTION.keys.iter().filter(|key| !self.is_idle(key.name))
    }

    /// Whether a key would have no effect.
    fn is_idle(&self, key: &str) -> bool {
        let is_metric = self.subject == Subject::Metric;
        match key {
            "metric" => self.subject == Subject::Replay,
            "x" => matches!(self.spread, Spread::Nothing | Spread::Rows) || self.axis != "x",
            "y" => self.axis != "y",
            "log" => self.log.is_none(),
            "band" => self.subject == Subject::Replay || self.axis == "y",
            "relative" | "classes" => !is_metric,
            // Its panels have different axes, or rows with names.
            "ylabel" => self.panels == Panels::Stacked || self.spread == Spread::Rows,
            _ if chart::KEYS.contains(&key) => self.panels != Panels::Window,
            "unit" => self.subject != Subject::Replay,
            "published" => !self.marks_published,
            _ => false,
        }
    }
}

/// Refuses keys that would have no effect.
fn refuse_idle(section: &Section<'_>, kind: &PlotKind) -> Result<(), ExperimentError> {
    match SECTION.keys.iter().find(|key| kind.is_idle(key.name) && section.has(key.name)) {
        Some(KeySpec { name, .. }) => {
            Err(section.wrong(name, &format!("a plot of kind `{}` has no `{name}`", kind.name)))
        }
        None => Ok(()),
    }
}

fn position<'k>(
    section: &Section<'_>,
    key: &str,
    given: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Result<usize, ExperimentError> {
    known.clone().position(|name| name == given).ok_or_else(|| section.unknown(key, given, known))
}

fn policy(section: &Section<'_>, key: &str, label: &str, names: &Names) -> Result<usize, ExperimentError> {
    position(section, key, label, names.policies.iter().map(String::as_str))
}

/// Returns the policy that is the denominator of ratios: of a forest plot, the baseline if none is given.
fn relative(section: &Section<'_>, names: &Names, kind: &PlotKind) -> Result<Option<usize>, ExperimentError> {
    match section.text("relative")? {
        Some(label) => policy(section, "relative", &label, names).map(Some),
        None if kind.spread != Spread::Rows => Ok(None),
        None if names.baseline.is_none() => {
            let what = "a forest plot compares policies with another one: give `relative`, or a `baseline` in [experiment]";
            Err(section.error(what))
        }
        None => Ok(names.baseline),
    }
}

fn selection(
    section: &Section<'_>,
    names: &Names,
    kind: &PlotKind,
    metric: &str,
) -> Result<Selection, ExperimentError> {
    let positions = |key: &str, known: &[&str]| match section.texts(key)? {
        None => Ok((0..known.len()).collect()),
        Some(given) => {
            let find = |name: &String| position(section, key, name, known.iter().copied());
            given.iter().map(find).collect::<Result<Vec<usize>, ExperimentError>>()
        }
    };
    let parameters = &names.parameters;
    let mut values: Vec<Vec<usize>> =
        parameters.iter().map(|parameter| (0..parameter.values.len()).collect()).collect();
    for (name, value) in section.pairs("where")? {
        let known = parameters.iter().map(|parameter| parameter.name.as_str());
        let parameter = position(section, "where", &name, known)?;
        let known: Vec<&str> = parameters[parameter].values.iter().map(String::as_str).collect();
        values[parameter] = vec![tables::value(section, "where", &value, &known)?];
    }
    let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
    let policies: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    Ok(Selection {
        workloads: positions("workloads", &workloads)?,
        policies: positions("policies", &policies)?,
        values,
        classes: classes(section, names, kind, metric)?,
    })
}

/// Returns the classes: those given in the file; otherwise, in heat maps and if class is spread over an axis
/// or panels, all that the metric has; otherwise all jobs.
fn classes(
    section: &Section<'_>,
    names: &Names,
    kind: &PlotKind,
    metric: &str,
) -> Result<Vec<Option<String>>, ExperimentError> {
    let known: Vec<&str> =
        names.classes().into_iter().filter(|of| names.measure(metric, of).is_some()).collect();
    // The first class is all jobs.
    let all = names.classes().first().copied();
    let class = |name: &str| (Some(name) != all).then(|| name.to_owned());
    let is_spread = || {
        let spread = ["x", "y", "panel"].map(|key| section.text(key));
        let spread = spread.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok::<bool, ExperimentError>(spread.into_iter().flatten().any(|dimension| dimension == "class"))
    };
    match section.texts("classes")? {
        Some(given) => {
            let find = |name: &String| {
                let at = position(section, "classes", name, known.iter().copied())?;
                Ok(class(known[at]))
            };
            given.iter().map(find).collect()
        }
        None if kind.axis == "y" || is_spread()? => Ok(known.into_iter().map(class).collect()),
        None => Ok(vec![None]),
    }
}

fn metric(section: &Section<'_>, names: &Names, kind: &PlotKind) -> Result<String, ExperimentError> {
    let known: Vec<&str> = match kind.subject {
        Subject::Replay => return Ok(String::new()),
        Subject::Metric => names.metrics(),
        Subject::Quantity => QUANTITIES.iter().map(|(name, _)| *name).collect(),
    };
    let given = section.needed("metric")?;
    position(section, "metric", &given, known.into_iter())?;
    Ok(given)
}

/// Returns the dimension spread within a panel, and the metric along x if there is one.
fn spread(
    section: &Section<'_>,
    names: &Names,
    kind: &PlotKind,
    selection: &Selection,
) -> Result<(Option<Dimension>, Option<String>), ExperimentError> {
    let key = kind.axis;
    let given = section.text(key)?;
    let open = |wanted: fn(Dimension) -> bool| {
        let several = |dimension: &Dimension| wanted(*dimension) && selection.count(*dimension) > 1;
        selection.dimensions().into_iter().find(several)
    };
    let is_parameter = |dimension: Dimension| matches!(dimension, Dimension::Parameter(_));
    match (kind.spread, given) {
        (Spread::Nothing | Spread::Rows, _) => Ok((None, None)),
        (Spread::Names, None) if key == "y" => Ok((Some(Dimension::Class), None)),
        (Spread::Names, None) => Ok((open(|_| true).or(Some(Dimension::Workload)), None)),
        (Spread::Names, Some(name)) => match Dimension::find(&name, names) {
            Some(dimension) => Ok((Some(dimension), None)),
            None => Err(section.unknown(key, &name, dimension_names(names))),
        },
        (Spread::Numbers, None) => match open(is_parameter) {
            Some(dimension) => Ok((Some(numeric(section, names, dimension)?), None)),
            None => Err(section.error("a plot of lines needs `x`: a swept parameter or a metric")),
        },
        (Spread::Numbers, Some(name)) => match Dimension::find(&name, names).filter(|&it| is_parameter(it)) {
            Some(dimension) => Ok((Some(numeric(section, names, dimension)?), None)),
            None if names.metrics().contains(&name.as_str()) => match open(is_parameter) {
                Some(dimension) => Ok((Some(dimension), Some(name))),
                None => Err(section.wrong(key, "x is a metric, but no parameter is swept along the lines")),
            },
            None => {
                let parameters = names.parameters.iter().map(|parameter| parameter.name.as_str());
                let known: Vec<&str> = parameters.chain(names.metrics()).collect();
                Err(section.unknown(key, &name, known))
            }
        },
    }
}

fn dimension_names(names: &Names) -> Vec<&str> {
    let parameters = names.parameters.iter().map(|parameter| parameter.name.as_str());
    ["workload", "class"].into_iter().chain(parameters).collect()
}

fn numeric(section: &Section<'_>, names: &Names, dimension: Dimension) -> Result<Dimension, ExperimentError> {
    let Dimension::Parameter(parameter) = dimension else { return Ok(dimension) };
    let parameter = &names.parameters[parameter];
    match parameter.values.iter().find(|value| number(value).is_none()) {
        Some(value) => {
            let what =
                format!("the value `{value}` of `{}` is not a number: try kind = \"bars\"", parameter.name);
            Err(section.wrong("x", &what))
        }
        None => Ok(dimension),
    }
}

/// Returns the number that a parameter value stands for; a per cent sign is ignored.
pub(super) fn number(value: &str) -> Option<f64> {
    value.trim().trim_end_matches('%').trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the dimension that differs between panels: the one left when everything else has one value.
fn panel(
    section: &Section<'_>,
    names: &Names,
    kind: &PlotKind,
    selection: &Selection,
    spread: Option<Dimension>,
) -> Result<Option<Dimension>, ExperimentError> {
    let several = |dimension: &Dimension| selection.count(*dimension) > 1 && Some(*dimension) != spread;
    let open: Vec<Dimension> = selection.dimensions().into_iter().filter(several).collect();
    let given = match section.text("panel")? {
        None => None,
        Some(name) => match Dimension::find(&name, names) {
            Some(dimension) if Some(dimension) == spread => {
                let what = format!("`{name}` is spread within each panel already");
                return Err(section.wrong("panel", &what));
            }
            Some(dimension) => Some(dimension),
            None => return Err(section.unknown("panel", &name, dimension_names(names))),
        },
    };
    if kind.spread == Spread::Rows {
        return Ok(given);
    }
    let panel = given.or(open.first().copied());
    match open.iter().find(|dimension| Some(**dimension) != panel) {
        None => Ok(panel),
        Some(dimension) => Err(section.error(&undecided(*dimension, selection, names))),
    }
}

fn undecided(dimension: Dimension, selection: &Selection, names: &Names) -> String {
    let count = selection.count(dimension);
    let (name, choice) = match dimension {
        Dimension::Workload => ("workload", "workloads = [\"...\"]".to_owned()),
        Dimension::Class => ("class", "classes = [\"...\"]".to_owned()),
        Dimension::Parameter(parameter) => {
            let name = names.parameters[parameter].name.as_str();
            (name, format!("where = {{ {name} = \"...\" }}"))
        }
    };
    format!(
        "`{name}` has {count} values here, and the plot shows one: choose with {choice}, or make a panel of each \
         with panel = \"{name}\""
    )
}
