//! A `[[plot]]` of an experiment, read and checked.

use batchlab_traces::located::values::{Number, Verbatim};

use super::dimensions::{panel, spread};
use super::keys::{PlotKeys, PlotSection, PublishedKeys, Read, SECTION};
use super::kind::{Panels, PlotKind, Scale, Spread, Subject};
use super::selection::Selection;
use super::spec::{PlotSpec, PublishedValue};
use super::window;
use crate::report::tables::{Names, labels, measured, parameter, position, positions, value};
use batchlab_engine::plot::{FigureSize, PageLayout};
use batchlab_study::experiment::Section;
use batchlab_study::experiment::detail::distribution::{DISTRIBUTION, QUANTITIES};
use batchlab_study::experiment::file_name::{LETTERS, is_file_name};
use batchlab_study::experiment::keys::KeySpec;

impl PlotSpec {
    /// Reads a plot and checks everything that can be checked without results.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<PlotSpec> {
        let section: &PlotSection<'_> = &section.read()?;
        let keys = &section.keys;
        let name = file_name(section)?;
        let kind = keys.kind;
        refuse_idle(section)?;
        let metric = metric(section, names)?;
        let selection = selection(section, names, &metric)?;
        let relative = relative(section, names)?;
        let is_gain = gain(section)?;
        let (spread, x_metric) = spread(section, names, &selection)?;
        let panel = panel(section, names, &selection, spread)?;
        let text = |text: &Option<Verbatim>| text.as_ref().map(|text| text.0.clone());
        let quantities = QUANTITIES.map(|(name, _)| name);
        Ok(PlotSpec {
            name,
            title: text(&keys.title).unwrap_or_default(),
            kind,
            metric,
            spread,
            x_metric,
            panel,
            selection,
            is_log: keys.log.unwrap_or(match kind.log {
                Some(Scale::Logarithmic) => true,
                Some(Scale::LinearUnlessRatio) => keys.relative.is_some() && !is_gain,
                Some(Scale::Linear) | None => false,
            }),
            has_band: keys.band.unwrap_or(kind.has_intervals),
            letters: kind.letters.filter(|_| keys.letters.unwrap_or(false)),
            relative,
            is_gain,
            range: keys.range.map(|[Number(from), Number(to)]| [from, to]),
            unit: keys.unit.map_or(0, |unit| u32::try_from(unit.0).unwrap_or(u32::MAX)),
            layout: PageLayout {
                size: keys.size.unwrap_or(FigureSize::Panel),
                has_title: keys.title.is_some(),
                has_caption: keys.conditions.unwrap_or(false),
            },
            chart: window::read(section, names)?,
            published: published(section, names)?,
            x_label: text(&keys.xlabel),
            y_label: text(&keys.ylabel),
            labels: labels(section.key("label"), keys.label.as_ref(), names, &quantities)?,
        })
    }

    /// Checks the keys of a `[[plot]]`, without the names that they use.
    pub fn check_keys(section: &Section<'_>) -> Read<()> {
        let section: PlotSection<'_> = section.read()?;
        file_name(&section)?;
        refuse_idle(&section)
    }
}

fn published(section: &PlotSection<'_>, names: &Names) -> Read<Vec<PublishedValue>> {
    let one = |of: &PublishedKeys| {
        let key = section.key("published").inner("policy", &of.policy);
        let policy = position(key, &of.policy.get_ref().0, &names.policy_labels())?;
        Ok(PublishedValue { policy, at: of.at.0.clone(), value: of.value.0 })
    };
    section.keys.published.iter().flatten().map(one).collect()
}

fn file_name(section: &PlotSection<'_>) -> Read<String> {
    let Verbatim(name) = &section.keys.name;
    if !name.is_ascii() || !is_file_name(name) {
        let what = format!("`name` is the name of a file: at most 200 ASCII {LETTERS}, and no `.` first");
        return Err(section.wrong("name", &what));
    }
    if let Some(ending) = ENDINGS.into_iter().find(|ending| name.ends_with(ending)) {
        let what = format!("`name` has no ending: write `{}`", name.trim_end_matches(ending));
        return Err(section.wrong("name", &what));
    }
    Ok(name.clone())
}

/// Endings of the files that are written under the name of a plot.
const ENDINGS: [&str; 4] = [".pdf", ".svg", ".png", ".eps"];

impl PlotKind {
    /// Returns the keys that a plot of a kind accepts.
    pub fn keys(&self) -> impl Iterator<Item = &'static KeySpec> {
        SECTION.keys.iter().filter(|key| !self.is_idle(key.name))
    }

    /// Whether its quantities of jobs are recorded by class.
    fn has_classes(&self) -> bool {
        self.detail.is_some_and(|detail| detail.name == DISTRIBUTION.name)
    }

    /// Whether a key would have no effect.
    fn is_idle(&self, key: &str) -> bool {
        let is_metric = self.subject == Subject::Metric;
        match key {
            "metric" => matches!(self.subject, Subject::Replay | Subject::Fixed(_)),
            "x" => matches!(self.spread, Spread::Nothing | Spread::Rows | Spread::Logs) || self.axis != "x",
            "y" => self.axis != "y",
            "log" => self.log.is_none(),
            "band" => !self.has_intervals,
            "letters" => self.letters.is_none(),
            "classes" => !is_metric && !self.has_classes(),
            // Ranks of ratios are those of the values.
            "relative" => !is_metric || self.spread == Spread::Logs,
            // Its panels have different axes, or rows with names.
            "ylabel" => self.panels == Panels::Stacked || matches!(self.spread, Spread::Rows | Spread::Logs),
            _ if window::KEYS.contains(&key) => self.panels != Panels::Window,
            "unit" => self.subject != Subject::Replay,
            "published" | "gain" | "range" => !self.marks_published,
            _ => false,
        }
    }
}

/// Refuses keys that would have no effect.
fn refuse_idle(section: &PlotSection<'_>) -> Read<()> {
    let kind = section.keys.kind;
    match SECTION.keys.iter().find(|key| kind.is_idle(key.name) && section.has(key.name)) {
        Some(KeySpec { name, .. }) => {
            Err(section.wrong(name, &format!("a plot of kind `{}` has no `{name}`", kind.name)))
        }
        None => Ok(()),
    }
}

/// Returns the policy that is the denominator of ratios: of a forest plot, the baseline if none is given.
fn relative(section: &PlotSection<'_>, names: &Names) -> Read<Option<usize>> {
    match &section.keys.relative {
        Some(label) => position(section.key("relative"), &label.0, &names.policy_labels()).map(Some),
        None if section.keys.kind.spread != Spread::Rows => Ok(None),
        None if names.baseline.is_none() => {
            let what = "a forest plot compares policies with another one: give `relative`, or a `baseline` in [experiment]";
            Err(section.error(what))
        }
        None => Ok(names.baseline),
    }
}

/// Returns whether gains are drawn; they are relative to a policy, and may be negative.
fn gain(section: &PlotSection<'_>) -> Read<bool> {
    let PlotKeys { gain, relative, log, .. } = &section.keys;
    match (gain.unwrap_or(false), relative, log) {
        (true, None, _) => {
            Err(section.wrong("gain", "`gain` needs `relative`, the policy that gains are over"))
        }
        (true, _, Some(true)) => {
            Err(section.wrong("log", "gains may be negative: they have no logarithmic axis"))
        }
        (is_gain, ..) => Ok(is_gain),
    }
}

fn selection(section: &PlotSection<'_>, names: &Names, metric: &str) -> Read<Selection> {
    let keys = &section.keys;
    let parameters = &names.parameters;
    let mut values: Vec<Vec<usize>> =
        parameters.iter().map(|parameter| (0..parameter.values.len()).collect()).collect();
    for (name, given) in keys.r#where.iter().flat_map(|given| &given.0) {
        let key = section.key("where");
        let parameter = parameter(key.inner(name.get_ref(), given), name.get_ref(), names)?;
        let known = &parameters[parameter].values;
        values[parameter] = vec![value(section.key("where"), &given.get_ref().0, known)?];
    }
    Ok(Selection {
        workloads: positions(section.key("workloads"), keys.workloads.as_ref(), &names.workload_names())?,
        policies: positions(section.key("policies"), keys.policies.as_ref(), &names.policy_labels())?,
        values,
        classes: classes(section, names, metric)?,
    })
}

/// Returns the classes: those given in the file; otherwise, in heat maps and if class is spread over an axis or panels, all that
/// the metric has; otherwise all jobs.
fn classes(section: &PlotSection<'_>, names: &Names, metric: &str) -> Read<Vec<Option<String>>> {
    let PlotKeys { kind, x, y, panel, classes, .. } = &section.keys;
    let is_known = |of: &&str| kind.has_classes() || names.measure(metric, of).is_some();
    let known: Vec<&str> = names.classes().into_iter().filter(is_known).collect();
    // The first class is all jobs.
    let all = names.classes().first().copied();
    let class = |name: &str| (Some(name) != all).then(|| name.to_owned());
    let is_spread = || [x, y, panel].into_iter().flatten().any(|dimension| dimension.0 == "class");
    if classes.is_none() && kind.axis != "y" && !is_spread() {
        return Ok(vec![None]);
    }
    let chosen = positions(section.key("classes"), classes.as_ref(), &known)?;
    Ok(chosen.into_iter().map(|at| class(known[at])).collect())
}

/// Refuses the statistic of a quantity, such as `mean_wait`, where the quantity itself is shown.
fn of_jobs(section: &PlotSection<'_>, given: &str, known: &[&str]) -> Read<()> {
    let quantity = given.split_once('_').map(|(_, quantity)| quantity);
    match quantity.filter(|quantity| known.contains(quantity) && !known.contains(&given)) {
        Some(quantity) => {
            let kind = section.keys.kind.name;
            let what = format!(
                "metric: a plot of kind `{kind}` shows the jobs themselves: `{quantity}` for `{given}`"
            );
            Err(section.wrong("metric", &what))
        }
        None => Ok(()),
    }
}

fn metric(section: &PlotSection<'_>, names: &Names) -> Read<String> {
    let given = section.keys.metric.as_ref();
    let given = || given.ok_or_else(|| section.error("`metric` is missing here"));
    let key = section.key("metric");
    match section.keys.kind.subject {
        Subject::Replay => return Ok(String::new()),
        Subject::Fixed(quantity) => return Ok(quantity.into()),
        Subject::Metric => measured(key, &given()?.0, &names.metrics())?,
        Subject::Quantity => {
            let known: Vec<&str> = QUANTITIES.iter().map(|(name, _)| *name).collect();
            of_jobs(section, &given()?.0, &known)?;
            position(key, &given()?.0, &known)?
        }
    };
    Ok(given()?.0.clone())
}
