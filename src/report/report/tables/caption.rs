//! Captions: the conditions and definitions of a table's numbers.

use super::best::percent;
use super::filled::Filled;
use super::layout::CellSubject;
use super::{Axis, Baseline};
use crate::report::verdict::list;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_engine::stats::{Method, TestKind};
use batchlab_engine::table::{Better, Cell, Clause, Fact, Sentence};
use batchlab_study::experiment::{
    DesignPoint, Frame, UnitKind, WorkloadCondition, WorkloadFacts, condition_lines,
};
use batchlab_study::study::{ComparedNumber, Family, Pool, Study};
use batchlab_traces::sorted::SortedSet;

/// Returns the conditions in words: workloads, units, intervals, tests, version.
pub fn caption(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Sentence> {
    let design_points: SortedSet<DesignPoint> =
        filled.known().map(|subject| subject.design_point.clone()).collect();
    let design_points: Vec<DesignPoint> = design_points.into_iter().collect();
    let of_workload = |&workload: &usize| {
        let conditions = study.frame().conditions(workload, &design_points, None);
        let parts = units(filled, study, workload).into_iter().chain(conditions).collect();
        (study.frame().workloads[workload].name.as_str(), parts)
    };
    let workloads: Vec<_> = filled.layout.spec.workloads.iter().map(of_workload).collect();
    let mut lines = condition_lines(&workloads);
    lines.extend(fixed(filled).map(Sentence::from));
    let clauses = [values(filled, study), contrasts(filled, study).unwrap_or_default()];
    let is_said = |clauses: &Vec<Clause>| !clauses.is_empty();
    lines.extend(clauses.into_iter().filter(is_said).map(|clauses| Sentence::new("", clauses)));
    lines.push(experiment(study.frame()));
    lines
}

/// Returns the sentence that names experiment, seed and program.
pub fn experiment(frame: &Frame) -> Sentence {
    let name = format!("experiment {}", frame.name);
    let seed = format!("seed {}", frame.seed);
    let both = Clause::prose(format!("{name}, {seed}")).in_a_paper(name);
    Sentence::new("", [both, Clause::default().in_a_paper(seed), TOOL.into()])
}

/// Returns the caption for a paper: one sentence of what the table shows, and one of how its numbers are to be read.
pub fn in_a_paper(filled: &Filled<'_>, study: &Study<'_>) -> String {
    let spec = filled.layout.spec;
    let what = spec.title.clone().unwrap_or_else(|| sentence(&shown(filled)));
    let has = |name: &str| spec.cells.iter().any(|kind| kind.name == name);
    let level = percent(study.frame().level);
    let mut words = Vec::new();
    if has("value") {
        let means = if replicated(filled, study) { "means over units" } else { "values of one replay each" };
        let intervals =
            if spec.intervals { format!(" with {level} % confidence intervals") } else { String::new() };
        words.push(format!("{means}{intervals}"));
    }
    let labels = labels(filled);
    if labels.iter().any(|label| !what.contains(label.as_str())) {
        words.push(format!("comparisons are with {}", list(&labels)));
    }
    words.extend(spec.best.then(|| "bold marks the best value".into()));
    let first = format!("{}.", what.trim_end_matches('.'));
    if words.is_empty() { first } else { format!("{first} {}.", sentence(&words.join("; "))) }
}

/// Returns what a table without a title shows, such as "mean wait and mean bsld by workload and policy".
fn shown(filled: &Filled<'_>) -> String {
    let spec = filled.layout.spec;
    let metrics = match spec.metrics.len() {
        1..=3 => {
            let spoken = (0..spec.metrics.len()).map(|at| filled.layout.spoken(Axis::Metric, at));
            list(&spoken.collect::<Vec<_>>())
        }
        many => format!("{many} metrics"),
    };
    let axes = spec.rows.iter().chain(&spec.columns).filter(|axis| !matches!(axis, Axis::Metric));
    let axes: Vec<String> = axes.map(|axis| filled.layout.axis_name(*axis).replace('_', " ")).collect();
    if axes.is_empty() { metrics } else { format!("{metrics} by {}", list(&axes)) }
}

/// Returns words with a capital first letter.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether a workload of the table has more than one unit.
fn replicated(filled: &Filled<'_>, study: &Study<'_>) -> bool {
    let units = |&at: &usize| study.frame().workloads[at].units;
    filled.layout.spec.workloads.iter().any(|at| units(at) != UnitKind::One)
}

/// Returns the conditions as name and value pairs.
pub fn facts(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Fact> {
    let text = |name: &str, value: &str| (name.to_owned(), Cell::Text(value.into()));
    let (frame, spec) = (study.frame(), filled.layout.spec);
    let mut facts = vec![text("experiment", &frame.name), text("seed", &frame.seed.to_string())];
    if spec.intervals || spec.has_contrasts() {
        facts.push(("level".into(), Cell::Number(frame.level)));
    }
    match &labels(filled)[..] {
        [] => {}
        [one] => facts.push(text("baseline", one)),
        several => facts.push(text("baselines", &several.join(", "))),
    }
    facts.push(text("tool", TOOL));
    facts.extend(replaced(frame, &spec.workloads));
    facts
}

/// Returns what replaced data of the jobs of workloads, if anything did.
pub fn replaced(frame: &Frame, workloads: &[usize]) -> Option<Fact> {
    let mut words: Vec<String> = Vec::new();
    for facts in workloads.iter().map(|&at| &frame.workloads[at]) {
        let phrases = facts.conditions.iter().flat_map(|stated| &stated.phrases);
        for phrase in phrases.filter(|phrase| !phrase.replaced.is_empty()) {
            let said = format!("{}, {}", facts.name, phrase.text);
            if !words.contains(&said) {
                words.push(said);
            }
        }
    }
    (!words.is_empty()).then(|| ("replaced".into(), Cell::Text(words.join("; "))))
}

/// Returns the definitions of metrics, their good direction, and the meaning of the cells.
pub fn definitions(filled: &Filled<'_>) -> Vec<(String, Clause)> {
    let layout = &filled.layout;
    let metric = |at: usize| {
        let measure = layout.of_metric(at)?;
        let better = match measure.better {
            Better::Lower => "; lower is better",
            Better::Higher => "; higher is better",
            Better::Neither => "",
        };
        let what = Clause::from(format!("{}{better}", measure.definition));
        Some((layout.spoken(Axis::Metric, at), what.in_a_paper(&measure.definition)))
    };
    let metrics = (0..layout.spec.metrics.len()).filter_map(metric);
    let cells = layout.spec.cells.iter().map(|kind| (kind.heading.into(), kind.words.into()));
    metrics.chain(cells).collect()
}

/// Returns what the units of a workload are, and their number, units without a value included; `None` if nothing was replayed.
fn units(filled: &Filled<'_>, study: &Study<'_>, workload: usize) -> Option<WorkloadCondition> {
    let facts = &study.frame().workloads[workload];
    let count = |subject: &CellSubject| {
        let of = study.estimate(&subject.design_point, subject.policy, subject.measure?);
        Some(of.units + of.left_out)
    };
    let here = filled.known().filter(|subject| subject.design_point.workload == workload);
    let counts: SortedSet<usize> = here.filter_map(count).collect();
    let (least, most) = (counts.first()?, counts.last()?);
    let number = if least == most { most.to_string() } else { format!("{least} to {most}") };
    Some(unit_words(facts, &number))
}

/// Returns the words for the units of a workload, given their number.
pub(super) fn unit_words(facts: &WorkloadFacts, number: &str) -> WorkloadCondition {
    let length = match facts.units_length().as_str() {
        "" => String::new(),
        words => format!(" of {words}"),
    };
    let (what, how) = match facts.units {
        UnitKind::One => return "one replay".into(),
        UnitKind::Replications => return format!("{number} replications").into(),
        UnitKind::Windows => ("windows", ", each replayed by itself"),
        UnitKind::Blocks => ("blocks", " of one replay"),
        UnitKind::Draws => ("draws", " from one log, and conditional on it"),
        UnitKind::Shaken => ("shaken copies", " of one log, which are not replications"),
    };
    let shared = format!("{what}{length}{how}");
    let clause = format!("{number} {shared}").into();
    WorkloadCondition { clause, shared, own: format!("{number} {what}") }
}

/// Returns the values of parameters and classes of which the table shows only one.
fn fixed(filled: &Filled<'_>) -> Option<String> {
    let (spec, names) = (filled.layout.spec, filled.layout.names);
    let one = |(at, parameter): (usize, &batchlab_study::experiment::Parameter)| match spec.values[at][..] {
        [only] => {
            let called = |name: &String| spec.called(name).map_or_else(|| name.clone(), str::to_owned);
            Some(format!("{} {}", called(&parameter.name), called(&parameter.values[only])))
        }
        _ => None,
    };
    let mut words: Vec<String> = names.parameters.iter().enumerate().filter_map(one).collect();
    if let [class] = &spec.classes[..]
        && class != super::names::ALL
    {
        words.push(format!("jobs of class {}", spec.called(class).unwrap_or(class)));
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn values(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Clause> {
    let spec = filled.layout.spec;
    let kinds: Vec<UnitKind> = spec.workloads.iter().map(|&at| study.frame().workloads[at].units).collect();
    let of_units = replicated(filled, study);
    let of_blocks = kinds.contains(&UnitKind::Blocks);
    let mut words = Vec::new();
    if spec.cells.iter().any(|kind| kind.is_value()) {
        let means = match spec.pool {
            Pool::Units => "values are means over units",
            Pool::Geometric => "values are geometric means over units",
            Pool::Jobs => {
                "values are over the jobs of all units, each job weighing alike, and have no interval of their own"
            }
        };
        words.extend(of_units.then(|| Clause { defines: "value", ..Clause::prose(means) }));
        let of_blocks = of_blocks && spec.pool == Pool::Units;
        words.extend(
            of_blocks
                .then(|| Clause::prose("of a replay in blocks the mean over blocks, each weighing alike")),
        );
    }
    if spec.intervals && spec.cells.iter().any(|kind| kind.is_value()) {
        let logs = on_logarithms(filled, study);
        let level = percent(study.frame().level);
        words.push(Clause::prose(format!("intervals at {level} % by Student t over units{logs}")));
    }
    words
}

/// Returns on what scale the intervals of values are made, if it is another one than that of the values.
fn on_logarithms(filled: &Filled<'_>, study: &Study<'_>) -> &'static str {
    let pool = filled.layout.spec.pool;
    let method = |subject: &CellSubject| {
        let of = pool.estimate(study, &subject.design_point, subject.policy, subject.measure?);
        of.interval.as_ref().ok().map(|of| of.method)
    };
    let methods: Vec<Method> = filled.known().filter_map(method).collect();
    let is_of_mean = |method: &Method| *method == Method::LogOfMean;
    match (pool, methods.iter().any(is_of_mean), methods.iter().all(is_of_mean)) {
        (Pool::Geometric, ..) => ", on logarithms",
        (_, false, _) => "",
        (_, true, true) => ", on the logarithm of the mean",
        (_, true, false) => ", of waits, slowdowns and the like on the logarithm of the mean",
    }
}

fn contrasts(filled: &Filled<'_>, study: &Study<'_>) -> Option<Vec<Clause>> {
    let spec = filled.layout.spec;
    let with = list(&Some(labels(filled)).filter(|labels| !labels.is_empty())?);
    let mut words = vec![compared_with(filled, study, &with)?];
    if shows_tests(filled) {
        let kinds: SortedSet<&str> = tests(filled).into_iter().map(TestKind::words).collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let what = match spec.quantity() {
            ComparedNumber::Ratio => "that the geometric mean of the ratios is 1",
            ComparedNumber::RatioOfMeans => "that the ratio of means is 1",
            ComparedNumber::Difference => "that the means are the same",
        };
        let p = format!("p of the {}", kinds.join(" or "));
        let text = format!("{p} {what}");
        words.push(Clause { text, paper: Some(p), defines: "p", is_prose: false });
        words.push(Clause::prose(if spec.is_each_alone() {
            "each test as if it were the only one".into()
        } else {
            format!("adjusted by Bonferroni for {} ({})", spec.family_words(), sizes(filled))
        }));
    }
    if shows_intervals(filled) {
        let inferring = filled.families.iter().filter(|family| family.members > 0);
        let levels: SortedSet<String> = inferring.map(|family| level_words(family.level)).collect();
        let levels: Vec<String> = levels.into_iter().collect();
        let methods: SortedSet<&str> = methods(filled).into_iter().map(Method::words).collect();
        let methods: Vec<&str> = methods.into_iter().collect();
        let methods = if methods.is_empty() { "none".into() } else { methods.join(", ") };
        let level = percent(study.frame().level);
        // Said of what is compared, and so never apart from it.
        let told: String = match levels[..] {
            [] => "; none of them has an interval".into(),
            _ if spec.is_each_alone() => {
                format!("; their intervals ({methods}) are at {level} %, each alone")
            }
            _ => format!(
                "; their intervals ({methods}) hold together at {level} %, each at {} %",
                levels.join(" or ")
            ),
        };
        words.last_mut()?.text.push_str(&told);
    }
    Some(words)
}

/// Returns what the cells of a table are compared with, and how units make pairs.
fn compared_with(filled: &Filled<'_>, study: &Study<'_>, with: &str) -> Option<Clause> {
    let spec = filled.layout.spec;
    Some(match spec.baselines.first()? {
        Baseline::Policy(_) => {
            let paired = format!("compared with {with}, paired by unit");
            Clause::prose(format!("{paired}: the same unit is the same jobs")).in_a_paper(paired)
        }
        Baseline::Values(values) => {
            let parameters: Vec<String> =
                values.iter().map(|(at, _)| filled.layout.names.parameters[*at].name.clone()).collect();
            let is_window = |&at: &usize| study.frame().workloads[at].units == UnitKind::Windows;
            let same = if spec.workloads.iter().all(is_window) {
                "is the same window of the log"
            } else {
                "has the same seed"
            };
            Clause::prose(format!(
                "compared with {with} under the same policy, all else being equal, paired by unit: the same unit {same}, and \
                 the same jobs unless they depend on {}",
                list(&parameters)
            ))
        }
    })
}

/// Returns the labels of what cells are compared with; none if no cell compares.
fn labels(filled: &Filled<'_>) -> Vec<String> {
    let spec = filled.layout.spec;
    let compared = spec.baselines.iter().filter(|_| spec.has_contrasts());
    let label = |baseline: &Baseline| {
        let label = baseline.label(filled.layout.names);
        spec.called(&label).map_or(label.clone(), str::to_owned)
    };
    compared.map(label).collect()
}

/// Returns a level in per cent with three digits of its distance to 100 %: 98.33, 99.861.
fn level_words(level: f64) -> String {
    let missing = (1.0 - level) * 100.0;
    let digits = (2.0 - missing.log10().floor()).clamp(0.0, 12.0) as usize;
    let words = format!("{:.digits$}", level * 100.0);
    if words.contains('.') { words.trim_end_matches('0').trim_end_matches('.').into() } else { words }
}

/// Returns the families in which something is tested.
fn tested<'a>(filled: &'a Filled<'_>) -> impl Iterator<Item = &'a Family> {
    filled.families.iter().filter(|family| family.has_tests)
}

/// Returns the numbers of tests in the families, such as "6 tests each".
fn sizes(filled: &Filled<'_>) -> String {
    let sizes: SortedSet<usize> = tested(filled).map(|family| family.members).collect();
    let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    let each = if tested(filled).count() > 1 { " each" } else { "" };
    let tests = if sizes.last() == Some(&1) { "test" } else { "tests" };
    format!("{} {tests}{each}", words.join(" or "))
}

/// Whether a table shows tests against its baseline.
pub(super) fn shows_tests(filled: &Filled<'_>) -> bool {
    let asks = filled.layout.spec.cells.iter().any(|kind| kind.asks == super::Asks::Inference);
    asks && tested(filled).next().is_some()
}

/// Returns the kind of each test against the baseline.
pub(super) fn tests(filled: &Filled<'_>) -> Vec<TestKind> {
    let answers = filled.families.iter().flat_map(|family| &family.answers);
    answers.filter_map(|answer| answer.test.as_ref().ok()).map(|test| test.kind).collect()
}

/// Whether a table shows intervals of contrasts, if there are any.
pub(super) fn shows_intervals(filled: &Filled<'_>) -> bool {
    let spec = filled.layout.spec;
    spec.cells.iter().any(|kind| kind.compares().is_some() && spec.has_interval(kind))
}

/// Returns the method of each printed interval of a contrast.
pub(super) fn methods(filled: &Filled<'_>) -> Vec<Method> {
    let answers = filled.families.iter().flat_map(|family| &family.answers);
    let printed = answers.flat_map(|answer| filled.printed(&answer.contrast));
    printed.filter_map(|of| of.interval.as_ref().ok()).map(|of| of.method).collect()
}

#[cfg(test)]
mod tests {
    use super::level_words;

    #[test]
    fn levels_near_100_keep_their_digits() {
        for (tests, words) in
            [(1.0, "95"), (3.0, "98.33"), (4.0, "98.75"), (36.0, "99.861"), (1000.0, "99.995")]
        {
            assert_eq!(level_words(1.0 - 0.05 / tests), words);
        }
    }
}
