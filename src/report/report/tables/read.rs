//! Reading of a declared table.

use batchlab_traces::Machine;
use batchlab_traces::located::values::{Ordered, Scalar, Scalars, Texts, Verbatim, Whole};
use serde::Deserialize;

use super::cells::{CELLS, CellKind, DEFAULT_CELL};
use super::check::{check, check_kind};
use super::names::ALL;
use super::{Axis, Baseline, FamilyScope, Form, Names, TableKind, TableSpec};
use batchlab_engine::metrics::Catalogue;
use batchlab_engine::table::writers::latex::refused;
use batchlab_engine::table::{Conditions, Float, PaperWidth, TimeUnit};
use batchlab_study::experiment::file_name::{LETTERS, is_file_name};
use batchlab_study::experiment::keys::{FILE_NAME, POLICIES, WHERE, WORKLOADS, section};
use batchlab_study::experiment::section::PlacedKey;
use batchlab_study::experiment::{ExperimentError, Section};
use batchlab_study::study::Pool;

section! {
    /// a table; without one, all metrics are shown
    "table" => TableKeys, SECTION;
    "[[table]]\nname = \"main\"\nrows = [\"workload\", \"policy\"]\ncells = [\"value\", \"interval\", \"p\"]"
    name: Verbatim = FILE_NAME;
    /// values: metrics by rows and columns; users: how evenly users fare, and how many fare better than under the baseline;
    /// losers: the ten who lose most; pareto: two or three metrics, and which policies others dominate in all of them
    kind: Option<TableKind> = "values, users, losers or pareto", "values";
    /// its title
    title: Option<Verbatim> = "text", "the name";
    /// its caption in LaTeX, one or two sentences; formatting, and formulas such as $p$, are kept
    caption: Option<Verbatim> = "text", "generated";
    /// in LaTeX: table, table* or longtable
    float: Option<Float> = "column, page or long", "the narrowest that fits";
    /// in LaTeX: the class of the paper, or the width of its text; a table that is wider shrinks to it
    size: Option<PaperWidth> = "ieee, acm, llncs, elsarticle or mm", "the experiment's";
    /// in LaTeX, conditions and notes go to tables/notes.tex, or all of them below the table
    conditions: Option<Conditions> = "file or note", "file";
    /// what metrics, policies, workloads, parameters, values or classes are called: { mean_bsld = "slowdown" }
    label: Option<Ordered<Scalar>> = "table";
    /// workload, policy, baseline, metric, class, or a parameter
    rows: Option<Texts> = "list", "what there are several of";
    /// the same, over columns
    columns: Option<Texts> = "list", "metric, baseline";
    workloads: Option<Texts> = WORKLOADS;
    policies: Option<Texts> = POLICIES;
    /// metrics that it shows
    metrics: Option<Texts> = "list", "all measured";
    /// classes that it shows; all of them where class is an axis
    classes: Option<Texts> = "list", "all jobs";
    r#where: Option<Ordered<Scalars>> = WHERE;
    /// contents of cells; see `batchlab list cells`
    cells: Option<Texts> = "list", "value, interval; with baselines or ratio_to ratio, interval";
    /// what policies are compared with here
    baseline: Option<Verbatim> = "label", "the experiment's";
    /// labels of several policies to compare with, each over columns or rows of its own
    baselines: Option<Texts> = "list";
    /// compare with these values under the same policy, all else being equal: { M = 256 }
    ratio_to: Option<Ordered<Scalars>> = "values of parameters";
    /// tests that are adjusted together: those of a metric at a workload and point, of a metric, all
    family: Option<FamilyScope> = "point, measure or table", "point";
    /// long: a row for each value, for programs
    form: Option<Form> = "wide or long", "wide";
    /// make the best value bold, and say whether it is shown to be
    best: Option<bool> = "true or false", "false";
    /// add the geometric mean of ratios over workloads
    mean: Option<Mean> = "geometric";
    /// how units make a value: their mean, their geometric mean, or the statistic over the jobs of all units, which
    /// has no interval; sd is then over jobs
    pool: Option<Pool> = "units, geometric or jobs", "units";
    /// significant digits of the smallest number of a column, or of each number where the column spans three magnitudes; 3
    /// are enough to compare policies
    digits: Option<Whole<1>> = "1 to 15", "4";
    /// unit of times
    time: Option<TimeUnit> = "s, min or h", "s";
}

/// A mean over workloads.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mean {
    Geometric,
}

/// A table with the values of its keys.
pub(super) type TableSection<'a> = Section<'a, TableKeys>;

/// The most significant digits of a float.
const MOST_DIGITS: i64 = 15;

pub type Read<T> = Result<T, ExperimentError>;

impl TableSpec {
    /// Reads and checks all tables of a file.
    pub fn read_all(whole: &Section<'_>, names: &Names) -> Read<Vec<TableSpec>> {
        let mut specs: Vec<TableSpec> = Vec::new();
        for section in whole.sections("table")? {
            let spec = TableSpec::read(&section, names)?;
            if specs.iter().any(|known| known.name == spec.name) {
                return Err(section.wrong("name", &format!("there are two tables `{}`", spec.name)));
            }
            specs.push(spec);
        }
        Ok(specs)
    }

    /// Checks the keys of a `[[table]]`, without the names that they use.
    pub fn check_keys(section: &Section<'_>) -> Read<()> {
        section.read::<TableKeys>().map(|_| ())
    }

    /// Reads and checks a `[[table]]` using names only; nothing needs to have run.
    ///
    /// Refuses what is unknown, and tables that cannot be filled: an axis used twice or not at all, a comparison without a
    /// baseline, an interval for units that are not replications.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<TableSpec> {
        let section: &TableSection<'_> = &section.read()?;
        let keys = &section.keys;
        let pool = keys.pool.unwrap_or_default();
        let (cells, intervals) = cells(section, names, pool)?;
        let rows = axes(section.key("rows"), keys.rows.as_ref(), names)?;
        let columns = axes(section.key("columns"), keys.columns.as_ref(), names)?;
        let has_classes = [&rows, &columns].iter().any(|axes| axes.contains(&Axis::Class));
        let mut spec = TableSpec {
            name: name(section, &keys.name)?,
            kind: keys.kind.unwrap_or_default(),
            title: keys.title.clone().map(|title| title.0),
            caption: keys.caption.as_ref().map(|caption| in_latex(section, caption)).transpose()?,
            float: keys.float,
            width: keys.size,
            labels: labels(section.key("label"), keys.label.as_ref(), names, &[])?,
            conditions: keys.conditions.unwrap_or(Conditions::File),
            rows,
            columns,
            workloads: positions(section.key("workloads"), keys.workloads.as_ref(), &names.workload_names())?,
            values: values(section.key("where"), keys.r#where.as_ref(), names)?,
            policies: positions(section.key("policies"), keys.policies.as_ref(), &names.policy_labels())?,
            metrics: metrics(section, names)?,
            classes: classes(section, names, has_classes)?,
            cells,
            intervals,
            baselines: baselines(section, names)?,
            family: keys.family.unwrap_or_default(),
            form: keys.form.unwrap_or_default(),
            best: keys.best.unwrap_or(false),
            geometric: keys.mean.is_some(),
            pool,
            digits: digits(section)?,
            time: keys.time.unwrap_or_default(),
        };
        if spec.kind != TableKind::Values {
            check_kind(&mut spec, section, names)?;
            return Ok(spec);
        }
        spec.place(keys, names);
        check(&spec, section, names)?;
        Ok(if spec.form == Form::Long { spec.for_programs(names) } else { spec })
    }

    /// Assigns axes that the table does not assign: metrics and several baselines to columns, every other axis with several
    /// values to rows.
    fn place(&mut self, keys: &TableKeys, names: &Names) {
        if keys.columns.is_none() && !self.rows.contains(&Axis::Metric) {
            self.columns.push(Axis::Metric);
        }
        if keys.columns.is_none() && !self.rows.contains(&Axis::Baseline) && self.baselines.len() > 1 {
            self.columns.push(Axis::Baseline);
        }
        if keys.rows.is_none() {
            let free = |axis: &Axis| !self.columns.contains(axis) && self.count(*axis) > 1;
            self.rows = Axis::all(names).into_iter().filter(free).collect();
            if self.rows.is_empty() && !self.columns.contains(&Axis::Policy) {
                self.rows.push(Axis::Policy);
            }
        }
    }
}

/// Returns the name of a table, which is also its file name.
pub(super) fn name<K>(section: &Section<'_, K>, given: &Verbatim) -> Read<String> {
    let Verbatim(name) = given;
    if !is_file_name(name) {
        let what = format!("name: `{name}` becomes a file: at most 200 bytes of {LETTERS}, and no `.` first");
        return Err(section.wrong("name", &what));
    }
    Ok(name.clone())
}

/// Returns a caption, if it has no command of LaTeX but those of formatting and formulas.
fn in_latex(section: &TableSection<'_>, Verbatim(caption): &Verbatim) -> Read<String> {
    match refused(caption) {
        None => Ok(caption.clone()),
        Some(command) => Err(section.wrong(
            "caption",
            &format!(
                "caption: `{command}` is no command of formatting, references, units or formulas, which are those that a caption \
                 may have: others read or write files, or define commands; write in its place what it prints"
            ),
        )),
    }
}

fn axes(key: PlacedKey<'_>, given: Option<&Texts>, names: &Names) -> Read<Vec<Axis>> {
    let all = Axis::all(names);
    let known: Vec<&str> = all.iter().map(|axis| axis.name(names)).collect();
    let mut chosen = Vec::new();
    for word in given.into_iter().flat_map(|given| &given.0) {
        let axis = all[position(key, word, &known)?];
        if chosen.contains(&axis) {
            return Err(key.wrong(&format!("{}: `{word}` is listed twice", key.name())));
        }
        chosen.push(axis);
    }
    Ok(chosen)
}

/// Returns the position of a name, which must be known.
pub fn position(key: PlacedKey<'_>, given: &str, known: &[&str]) -> Read<usize> {
    let found = known.iter().position(|name| *name == given);
    found.ok_or_else(|| key.unknown(given, known.iter().copied()))
}

/// Returns the position of a swept parameter.
pub fn parameter(key: PlacedKey<'_>, given: &str, names: &Names) -> Read<usize> {
    if names.parameters.is_empty() {
        let what = format!(
            "nothing is swept here: leave out `{given}`, or give the experiment a [sweep] with `{given} = [...]`"
        );
        return Err(key.wrong(&what));
    }
    position(key, given, &names.parameter_names())
}

/// Returns the position of a name among the keys of what is measured. A metric that exists and is not among them has to be
/// added.
pub fn measured(key: PlacedKey<'_>, given: &str, known: &[&str]) -> Read<usize> {
    if let Some(at) = known.iter().position(|name| *name == given) {
        return Ok(at);
    }
    let (metric, class) =
        given.split_once('@').map_or((given, None), |(metric, class)| (metric, Some(class)));
    if !known.contains(&metric) {
        match found(metric) {
            Ok(()) => {
                return Err(key.wrong(&format!(
                    "{}: `{metric}` is not measured: add it to `metrics` in [measure]",
                    key.name()
                )));
            }
            Err(Some(near)) if !known.contains(&near.as_str()) => {
                return Err(key.wrong(&format!(
                    "{}: unknown `{metric}` (did you mean `{near}`? it is not measured: add it to `metrics` in [measure])",
                    key.name()
                )));
            }
            Err(_) => {}
        }
    }
    match class.filter(|_| known.contains(&metric)) {
        Some(class) => Err(key.wrong(&format!(
            "{}: {metric} is not measured of a class `{class}`: add the class to `classes` in [measure]",
            key.name()
        ))),
        None => Err(key.unknown(given, known.iter().copied())),
    }
}

/// Whether a metric exists; the error is the key that was probably meant.
pub fn found(metric: &str) -> Result<(), Option<String>> {
    let pool = Machine::pool(1).map_err(|_| None)?;
    match Catalogue::new(&pool, FAIR).find(metric) {
        Ok(_) => Ok(()),
        Err(unknown) => Err(unknown.near.into_iter().next()),
    }
}

/// The fair schedules that metrics of unfairness compare with.
const FAIR: &[&str] = &["consp", "fcfs"];

/// Returns the position of a parameter value: the one with the same text, else the one with the same number.
pub fn value(key: PlacedKey<'_>, given: &str, known: &[String]) -> Read<usize> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    find_value(given, &known).ok_or_else(|| key.unknown(given, known.iter().copied()))
}

/// Returns the position of a parameter value; `1.0` and `1e0` match the value `1`.
pub fn find_value(given: &str, known: &[&str]) -> Option<usize> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let is_same = |value: &&str| number(given).is_some_and(|given| number(value) == Some(given));
    known.iter().position(|value| *value == given).or_else(|| known.iter().position(is_same))
}

/// Returns the positions of the names in a list, in its order; all known names if there is no list.
pub fn positions(key: PlacedKey<'_>, given: Option<&Texts>, known: &[&str]) -> Read<Vec<usize>> {
    match given {
        None => Ok((0..known.len()).collect()),
        Some(Texts(given)) => given.iter().map(|name| position(key, name, known)).collect(),
    }
}

fn metrics(section: &TableSection<'_>, names: &Names) -> Read<Vec<String>> {
    let Some(Texts(given)) = &section.keys.metrics else {
        return Ok(names.metrics_for_readers().into_iter().map(String::from).collect());
    };
    for metric in given {
        measured(section.key("metrics"), metric, &names.metrics())?;
    }
    Ok(given.clone())
}

/// Returns the classes that are shown: those given; else every class if class is an axis, and all jobs
/// together if not.
fn classes(section: &TableSection<'_>, names: &Names, is_axis: bool) -> Read<Vec<String>> {
    let known = names.classes();
    let Some(Texts(given)) = &section.keys.classes else {
        let shown = if is_axis { &known[..] } else { &[ALL] };
        return Ok(shown.iter().map(ToString::to_string).collect());
    };
    positions(section.key("classes"), section.keys.classes.as_ref(), &known)?;
    Ok(given.clone())
}

/// Returns what things are called, each of which is a name of the experiment or among `more`.
pub fn labels<'a>(
    key: PlacedKey<'_>,
    given: Option<&Ordered<Scalar>>,
    names: &'a Names,
    more: &[&'a str],
) -> Read<Vec<(String, String)>> {
    let labels = given.cloned().unwrap_or_default().into_pairs(|label| label.0);
    let known = || {
        let parameters = names.parameters.iter();
        let values = parameters.clone().flat_map(|parameter| parameter.values.iter());
        let workloads = names.workloads.iter().map(|(name, _)| name);
        let own =
            parameters.map(|parameter| &parameter.name).chain(values).chain(workloads).chain(&names.policies);
        own.map(String::as_str).chain(names.metrics()).chain(names.classes()).chain(more.iter().copied())
    };
    match labels.iter().find(|(name, _)| !known().any(|known| known == name)) {
        Some((name, _)) => Err(key.unknown(name, known().collect::<Vec<&str>>())),
        None => Ok(labels),
    }
}

/// Returns the values of each parameter that `where` selects.
pub fn values(key: PlacedKey<'_>, given: Option<&Ordered<Scalars>>, names: &Names) -> Read<Vec<Vec<usize>>> {
    let mut values: Vec<Vec<usize>> =
        names.parameters.iter().map(|of| (0..of.values.len()).collect()).collect();
    for (name, given) in given.into_iter().flat_map(|given| &given.0) {
        let key = key.inner(name.get_ref(), given);
        let at = parameter(key, name.get_ref(), names)?;
        let known = &names.parameters[at].values;
        values[at] = given.get_ref().0.iter().map(|given| value(key, given, known)).collect::<Read<_>>()?;
    }
    Ok(values)
}

/// Returns what results are compared with: by default the experiment's baseline.
fn baselines(section: &TableSection<'_>, names: &Names) -> Read<Vec<Baseline>> {
    let mut given = ["baseline", "baselines", "ratio_to"].into_iter().filter(|key| section.has(key));
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        let what = format!("{second}: the table has `{first}` already: one of them says what is compared");
        return Err(section.wrong(second, &what));
    }
    let (labels, keys) = (names.policy_labels(), &section.keys);
    if let Some(Verbatim(label)) = &keys.baseline {
        return Ok(vec![Baseline::Policy(position(section.key("baseline"), label, &labels)?)]);
    }
    if keys.baselines.is_some() {
        let policies = positions(section.key("baselines"), keys.baselines.as_ref(), &labels)?;
        let twice = policies.iter().enumerate().find(|(at, policy)| policies[..*at].contains(policy));
        if let Some((_, policy)) = twice {
            let what = format!("baselines: `{}` is listed twice", labels[*policy]);
            return Err(section.wrong("baselines", &what));
        }
        return Ok(policies.into_iter().map(Baseline::Policy).collect());
    }
    if let Some(given) = &keys.ratio_to {
        return Ok(vec![Baseline::Values(ratio_to(section.key("ratio_to"), given, names)?)]);
    }
    Ok(names.baseline.map(Baseline::Policy).into_iter().collect())
}

/// Returns the parameters that `ratio_to` names, each with its value, by position.
fn ratio_to(key: PlacedKey<'_>, given: &Ordered<Scalars>, names: &Names) -> Read<Vec<(usize, usize)>> {
    let mut chosen = Vec::new();
    for (name, given) in &given.0 {
        let key = key.inner(name.get_ref(), given);
        let at = parameter(key, name.get_ref(), names)?;
        match &given.get_ref().0[..] {
            [one] => chosen.push((at, value(key, one, &names.parameters[at].values)?)),
            _ => {
                let what = format!("{}: results are compared with one of its values", name.get_ref());
                return Err(key.wrong(&what));
            }
        }
    }
    if chosen.is_empty() {
        return Err(key.wrong("ratio_to: it names no parameter of the sweep"));
    }
    Ok(chosen)
}

/// Returns the parts of cells, and whether intervals are shown; by default the value with its interval, or the ratio where
/// the table says what it compares with.
fn cells(section: &TableSection<'_>, names: &Names, pool: Pool) -> Read<(Vec<&'static CellKind>, bool)> {
    let known = || CELLS.iter().map(|kind| kind.name).chain(["interval"]);
    let Some(Texts(given)) = &section.keys.cells else {
        let compares = section.keys.baselines.is_some() || section.keys.ratio_to.is_some();
        let shown = if compares { "ratio" } else { DEFAULT_CELL };
        let value = CELLS.iter().filter(|kind| kind.name == shown).collect();
        let can = names
            .workloads
            .iter()
            .all(|(_, units)| batchlab_study::study::Reason::of_units(*units).is_none());
        return Ok((value, can && pool != Pool::Jobs));
    };
    let mut kinds: Vec<&'static CellKind> = Vec::new();
    for word in given.iter().filter(|word| *word != "interval") {
        let kind = CELLS.iter().find(|kind| kind.name == word);
        let kind = kind.ok_or_else(|| section.key("cells").unknown(word, known()))?;
        if kinds.iter().all(|other| other.name != kind.name) {
            kinds.push(kind);
        }
    }
    if !kinds.iter().any(|kind| kind.interval.is_some()) && given.iter().any(|word| word == "interval") {
        kinds.splice(0..0, CELLS.iter().filter(|kind| kind.is_value()));
    }
    Ok((kinds, given.iter().any(|word| word == "interval")))
}

fn digits(section: &TableSection<'_>) -> Read<Option<usize>> {
    let digits = section.keys.digits.map(|digits| digits.0);
    if digits.is_some_and(|digits| digits > MOST_DIGITS) {
        return Err(section.wrong("digits", &format!("`digits` is at most {MOST_DIGITS}")));
    }
    Ok(digits.map(|digits| digits as usize))
}
