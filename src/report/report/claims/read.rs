//! Reading of a declared claim.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::expr::{Expr, Vocabulary};
use batchlab_traces::located::Spanned;
use batchlab_traces::located::values::{Ordered, Scalar, Scalars, Text, Texts, Verbatim, Whole};
use serde::Deserialize;

use super::part_of::check_parents;
use super::terms::{Forms, expressions, measure};
use super::{
    Allowed, Assertion, CauseSpec, ClaimScope, ClaimSpec, HalfWidth, Order, PartsHold, Published, Relation,
    StatedNumber, TableCell, Trend, in_words,
};
use crate::report::tables::{Names, position, positions, values};
use batchlab_study::experiment::keys::section;
use batchlab_study::experiment::sweep::READING;
use batchlab_study::experiment::{ExperimentError, Section};
use batchlab_study::study::Pool;

section! {
    /// a claim of a paper or of its author; it asserts exactly one of order, rises_with, falls_with,
    /// expect, parts_hold and uncheckable
    "claim" => ClaimKeys, SECTION;
    "[[claim]]\nsays = \"backfilling nearly halves the slowdown\"\nlet = { a = { policy = \"EASY\", metric = \
     \"mean_bsld\" },\n        b = { policy = \"FCFS\", metric = \"mean_bsld\" } }\nexpect = \"a / b\"\nvalue = \
     0.58\ntolerance = \"15%\""
    /// its name
    name: Option<Verbatim> = "text", "claim-N";
    /// the claim in words
    says: Verbatim = "text";
    /// which of the points that were replayed it leaves out, and why; the page says so behind the words
    left_out: Option<Verbatim> = "text";
    /// who made the claim, and where
    source: Option<Verbatim> = "text";
    /// of all that name no other; with @CLASS for a class
    metric: Option<Verbatim> = "metric";
    /// where it is made
    workloads: Option<Texts> = "list", "all";
    /// at which points it is made
    r#where: Option<Ordered<Scalars>> = "{ parameter = value }", "all values";
    /// labels of policies, ascending by the metric; "<=" (not above) or "=" between two of them in place of
    /// "<": ["A", "<=", "B"]
    order: Option<Texts> = "list";
    /// with order: each step has to be shown, < by its test, <= and = by an interval within the tolerance; with rises_with
    /// and falls_with: each step by the paired test of its two points, and only a step that is shown to go the other way
    /// contradicts; with expect: a condition in nearly all resamples of the units, a number with its whole interval; what
    /// is not shown and not contradicted is open
    shown: Option<bool> = "true or false", "false";
    /// the metric rises with it
    rises_with: Option<Verbatim> = "parameter";
    /// the metric falls with it
    falls_with: Option<Verbatim> = "parameter";
    /// with rises_with or falls_with: of which policies; with order: all of them that the order does not have are above its last one,
    /// so that order = ["A"] says that A is the lowest
    policies: Option<Texts> = "list", "all";
    /// with rises_with or falls_with: it never stays the same
    strict: Option<bool> = "true or false", "false";
    /// a condition such as a < b, or a number that value or asserted is compared with, or whose interval has a half_width; of
    /// several forms each is a reading
    expect: Option<Forms> = "expression, or { form = expression }";
    /// what the names of expect are: policy, metric, workload, parameters; one that names no value of a parameter
    /// is evaluated at each
    r#let: Option<Ordered<Ordered<Scalar>>> = "{ name = { ... } }";
    /// with expect: how units make the numbers, as in [[table]]
    pool: Option<Pool> = "units, geometric or jobs", "units";
    /// with expect: what was published, or a formula of numbers that were; a range has no tolerance, as its ends are the limits
    value: Option<Scalars> = "number, formula such as \"270.31 / 324.58\", or range such as [0.1, 0.4]";
    /// with expect: what the claim's author asserts where nothing was published; it goes with the keys of value, but for cell
    asserted: Option<Scalars> = "number, formula or range";
    /// with expect: how far the ends of the number's interval may be apart, halved; per cent are of the number
    half_width: Option<Scalar> = "number or per cent";
    /// with value: how far off it may be; with order: how far apart policies with <= or = may be
    tolerance: Option<Scalar> = "number or per cent", "0 with order";
    /// with value: it lies in the interval of the mean that was measured, or where a single draw lies (prediction interval,
    /// of logarithms for one draw if all units are above 0)
    within: Option<Within> = "interval or draw";
    /// with within = "draw": what was published is the mean of this number of draws
    runs: Option<Whole<1>> = "whole number", "1";
    /// with value: the cell of the paper's table that has it; a paper's page shows such tables with what was measured
    cell: Option<CellKeys> = "{ table = text, row = text, column = text }";
    /// at least this share of the decided claims that are part_of this one hold
    parts_hold: Option<Scalar> = "per cent";
    /// a part of that statement, which counts in its place; EXPERIMENT/NAME for one of another experiment of a paper
    part_of: Option<Verbatim> = "name of a claim";
    /// the readings under which it is made
    readings: Option<Texts> = "list", "all";
    /// what decides whether it holds: it holds with one reading and not without, and both are checked
    cause: Option<CauseKeys> = "{ says = text, with = reading, without = reading }";
    /// why nothing can check the claim: it is listed with the reason
    uncheckable: Option<Verbatim> = "text";
}

/// What a published value lies within.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Within {
    Interval,
    Draw,
}

/// The keys of a cell of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CellKeys {
    table: Text,
    row: Text,
    column: Text,
}

/// The keys of a supposed cause.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CauseKeys {
    says: Verbatim,
    with: Spanned<Verbatim>,
    without: Spanned<Verbatim>,
}

/// A claim with the values of its keys.
pub(super) type ClaimSection<'a> = Section<'a, ClaimKeys>;

/// The assertions that a claim can make, each with its additional keys.
const ASSERTIONS: [(&str, &[&str]); 6] = [
    ("order", &["policies", "shown", "tolerance"]),
    ("rises_with", &["policies", "strict", "shown"]),
    ("falls_with", &["policies", "strict", "shown"]),
    (
        "expect",
        &["let", "pool", "value", "asserted", "half_width", "tolerance", "within", "runs", "cell", "shown"],
    ),
    ("parts_hold", &[]),
    ("uncheckable", &[]),
];

type Read<T> = Result<T, ExperimentError>;

impl ClaimSpec {
    /// Reads and checks all claims of a file. Refuses unknown keys and names, with suggestions; a claim that asserts nothing, or
    /// two things; two claims with the same name.
    pub fn read_all(whole: &Section<'_>, names: &Names) -> Read<Vec<ClaimSpec>> {
        let (mut specs, mut sections): (Vec<ClaimSpec>, Vec<ClaimSection<'_>>) = (Vec::new(), Vec::new());
        let mut errors = Vec::new();
        for (at, section) in whole.sections("claim")?.into_iter().enumerate() {
            let read = section.read().and_then(|section| Ok((ClaimSpec::read(&section, names)?, section)));
            let (mut spec, section) = match read {
                Ok(read) => read,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            if spec.name.is_empty() {
                spec.name = unnamed(at);
            }
            if specs.iter().any(|known| known.name == spec.name) {
                errors.push(section.wrong("name", &format!("there are two claims `{}`", spec.name)));
            }
            specs.push(spec);
            sections.push(section);
        }
        if let Some(errors) = ExperimentError::all(errors) {
            return Err(errors);
        }
        check_parents(&specs, &sections)?;
        Ok(specs)
    }

    /// Checks the keys of a `[[claim]]`, before anything is known of logs and results.
    pub fn check_keys(section: &Section<'_>) -> Read<()> {
        section.read::<ClaimKeys>().map(|_| ())
    }

    /// Checks a `[[claim]]` using names only; nothing needs to have run.
    fn read(section: &ClaimSection<'_>, names: &Names) -> Read<ClaimSpec> {
        let keys = &section.keys;
        let kind = kind(section)?;
        let mut places = ClaimScope {
            workloads: positions(section.key("workloads"), keys.workloads.as_ref(), &names.workload_names())?,
            values: values(section.key("where"), keys.r#where.as_ref(), names)?,
        };
        if keys.readings.is_some() {
            let at = names.parameters.iter().position(|of| of.name == READING);
            let at =
                at.ok_or_else(|| section.wrong("readings", "readings: the experiment has no [[reading]]"))?;
            let known: Vec<&str> = names.parameters[at].values.iter().map(String::as_str).collect();
            places.values[at] = positions(section.key("readings"), keys.readings.as_ref(), &known)?;
        }
        let metric = keys.metric.as_ref();
        let metric = metric.map(|metric| measure(section.key("metric"), &metric.0, names)).transpose()?;
        let one = |asserts| vec![(String::new(), asserts)];
        let forms = match kind {
            "order" => one(Assertion::Order(order(section, names, metric)?)),
            "expect" => expected(section, names, metric)?,
            "uncheckable" => one(Assertion::Uncheckable(uncheckable(section)?)),
            "parts_hold" => one(Assertion::PartsHold(parts_hold(section)?)),
            _ => one(Assertion::Trend(trend(section, kind, names, metric)?)),
        };
        let cause = cause(section, names, &places, &forms)?;
        let text = |text: &Option<Verbatim>| text.as_ref().map(|text| text.0.clone());
        Ok(ClaimSpec {
            name: text(&keys.name).unwrap_or_default(),
            says: in_words(&keys.says.0, keys.left_out.as_ref()),
            source: text(&keys.source),
            part_of: text(&keys.part_of),
            cell: cell(section)?,
            places,
            forms,
            cause,
        })
    }
}

/// Returns the name of a claim without one, by its position.
pub fn unnamed(at: usize) -> String {
    format!("claim-{}", at + 1)
}

/// Returns what a claim asserts; refuses two assertions at once, and keys that belong to another assertion.
fn kind(section: &ClaimSection<'_>) -> Read<&'static str> {
    let given: Vec<&(&str, &[&str])> = ASSERTIONS.iter().filter(|(key, _)| section.has(key)).collect();
    let [(key, more)] = given[..] else {
        let known = ASSERTIONS.map(|(key, _)| format!("`{key}`")).join(", ");
        let Some((second, _)) = given.get(1) else {
            return Err(section.error(&format!("the claim asserts nothing: it needs one of {known}")));
        };
        let what = format!("`{second}` and `{}` are two claims: write two", given[0].0);
        return Err(section.wrong(second, &what));
    };
    let others = ASSERTIONS.iter().flat_map(|(_, more)| more.iter());
    match others.filter(|other| !more.contains(other)).find(|other| section.has(other)) {
        Some(other) => Err(section.wrong(other, &format!("`{other}` does not go with `{key}`"))),
        None => Ok(key),
    }
}

fn needed(section: &ClaimSection<'_>, metric: Option<usize>) -> Read<usize> {
    metric.ok_or_else(|| section.error("the claim needs `metric`"))
}

/// Refuses keys that say where and by what a claim is checked.
fn without_places(section: &ClaimSection<'_>, kind: &str) -> Read<()> {
    match ["metric", "workloads", "where"].into_iter().find(|key| section.has(key)) {
        Some(key) => Err(section.wrong(key, &format!("`{key}` does not go with `{kind}`"))),
        None => Ok(()),
    }
}

/// Returns the reason why nothing can check a claim.
fn uncheckable(section: &ClaimSection<'_>) -> Read<String> {
    without_places(section, "uncheckable")?;
    Ok(section.keys.uncheckable.clone().map_or_else(String::new, |why| why.0))
}

/// Returns the share of its parts that has to hold.
fn parts_hold(section: &ClaimSection<'_>) -> Read<PartsHold> {
    without_places(section, "parts_hold")?;
    let Scalar(text) = section.keys.parts_hold.clone().unwrap_or(Scalar(String::new()));
    let percent = text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok());
    match percent {
        Some(percent) if percent > 0.0 && percent <= 100.0 => Ok(PartsHold { share: percent / 100.0 }),
        _ => Err(section.wrong("parts_hold", "`parts_hold` must be per cent up to 100, as in \"80%\"")),
    }
}

/// Returns the cell of the paper's table that has the published value.
fn cell(section: &ClaimSection<'_>) -> Read<Option<TableCell>> {
    let Some(CellKeys { table, row, column }) = section.keys.cell.clone() else { return Ok(None) };
    if !section.has("value") {
        return Err(section.wrong("cell", "`cell` needs `value`, what was published"));
    }
    Ok(Some(TableCell { table: table.0, row: row.0, column: column.0 }))
}

fn order(section: &ClaimSection<'_>, names: &Names, metric: Option<usize>) -> Read<Order> {
    let labels = names.policy_labels();
    let wrong = |what: String| Err(section.wrong("order", &format!("order: {what}")));
    let (mut policies, mut relations) = (Vec::new(), Vec::new());
    for word in section.keys.order.iter().flat_map(|order| &order.0) {
        if word.contains(['<', '>'])
            && !labels.contains(&word.as_str())
            && Relation::WORDS.iter().all(|(sign, _)| sign != word)
        {
            return wrong(
                "it is a list of labels, ascending by the metric, such as [\"EASY\", \"FCFS\"]".into(),
            );
        }
        let sign = Relation::WORDS.iter().find(|(sign, _)| sign == word && !labels.contains(sign));
        if let Some((sign, relation)) = sign {
            if policies.is_empty() || relations.len() == policies.len() {
                return wrong(format!("`{sign}` stands between two policies"));
            }
            relations.push(*relation);
            continue;
        }
        if relations.len() < policies.len() {
            relations.push(Relation::Below);
        }
        policies.push(position(section.key("order"), word, &labels)?);
    }
    let mut chain = policies.len();
    if !policies.is_empty() && relations.len() == policies.len() {
        return wrong("a sign stands between two policies, and the last one has no policy after it".into());
    }
    if let Some(others) = &section.keys.policies {
        let listed = positions(section.key("policies"), Some(others), &labels)?;
        let others: Vec<usize> = listed.into_iter().filter(|other| !policies.contains(other)).collect();
        policies.extend(&others);
        relations.extend(others.iter().map(|_| Relation::Below));
        chain = policies.len() - others.len();
    }
    if policies.len() < 2 || chain == 0 {
        return wrong("an order has two policies or more, or one that is below all other `policies`".into());
    }
    if let Some(twice) = (1..chain).find(|&at| policies[..at].contains(&policies[at])) {
        return wrong(format!("`{}` is listed twice", labels[policies[twice]]));
    }
    let shown = section.keys.shown.unwrap_or(false);
    if section.keys.tolerance.is_some() && relations.iter().all(|relation| *relation == Relation::Below) {
        return Err(section
            .wrong("tolerance", "tolerance: with `order` it is about `<=` and `=`, and there are none"));
    }
    let margin = tolerance(section)?.unwrap_or(Allowed::Relative(0.0));
    Ok(Order { measure: needed(section, metric)?, policies, chain, relations, margin, shown })
}

fn trend(section: &ClaimSection<'_>, key: &'static str, names: &Names, metric: Option<usize>) -> Read<Trend> {
    let falls = key == "falls_with";
    let known = names.parameter_names();
    let given = if falls { &section.keys.falls_with } else { &section.keys.rises_with };
    let given = given.as_ref().map_or("", |given| &given.0);
    let parameter = position(section.key(key), given, &known)?;
    let number = |(at, value): (usize, &String)| match value.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((number, at)),
        _ => {
            let what =
                format!("{key}: `{value}` of `{}` is not a number to rise or fall with", known[parameter]);
            Err(section.wrong(key, &what))
        }
    };
    let values = &names.parameters[parameter].values;
    let mut steps = values.iter().enumerate().map(number).collect::<Read<Vec<(f64, usize)>>>()?;
    steps.arrange_by(|one, other| one.0.total_cmp(&other.0));
    let policies = section.keys.policies.as_ref();
    Ok(Trend {
        measure: needed(section, metric)?,
        policies: positions(section.key("policies"), policies, &names.policy_labels())?,
        parameter,
        steps,
        falls,
        strict: section.keys.strict.unwrap_or(false),
        shown: section.keys.shown.unwrap_or(false),
    })
}

fn expected(
    section: &ClaimSection<'_>,
    names: &Names,
    metric: Option<usize>,
) -> Read<Vec<(String, Assertion)>> {
    let forms = expressions(section, names, metric)?;
    let is_condition = forms.iter().all(|(_, form)| form.is_condition());
    let shown = section.keys.shown.unwrap_or(false);
    let given: Vec<&str> =
        ["value", "asserted", "half_width"].into_iter().filter(|key| section.has(key)).collect();
    if let [first, second, ..] = given[..] {
        let what = format!("`{second}` and `{first}` are two claims: write two");
        return Err(section.wrong(second, &what));
    }
    let is_compared = section.has("value") || section.has("asserted");
    if let Some(key) =
        ["tolerance", "within", "runs"].into_iter().find(|key| !is_compared && section.has(key))
    {
        return Err(section.wrong(key, &format!("`{key}` needs `value`, what was published")));
    }
    let Some(&key) = given.first() else {
        if !is_condition {
            let what = "expect: a number needs `value`, what was published (`asserted` if nothing was), or \
                `half_width`; or make it a condition, as in `a < b`";
            return Err(section.wrong("expect", what));
        }
        let condition = |(name, form)| (name, Assertion::Condition(form, shown));
        return Ok(forms.into_iter().map(condition).collect());
    };
    if is_condition {
        return Err(section.wrong(key, &format!("{key}: a condition has none; it holds or it does not")));
    }
    let keys = &section.keys;
    let Some(Scalars(texts)) = keys.value.as_ref().or(keys.asserted.as_ref()) else {
        if shown {
            return Err(section.wrong("shown", "`shown` does not go with `half_width`"));
        }
        let most = deviation(section, "half_width", section.keys.half_width.as_ref())?;
        let most = most.unwrap_or(Allowed::Relative(0.0));
        let precise = |(name, expression)| (name, Assertion::HalfWidth(HalfWidth { expression, most }));
        return Ok(forms.into_iter().map(precise).collect());
    };
    let stated = stated(section, key, texts)?;
    let allowed = allowed(section, &stated)?;
    let published = |(name, expression)| {
        (name, Assertion::Published(Published { expression, stated: stated.clone(), allowed, shown }))
    };
    Ok(forms.into_iter().map(published).collect())
}

/// Reads a number that was published or is asserted, or the ends of a range: as such, or as formulas.
fn stated(section: &ClaimSection<'_>, key: &str, texts: &[String]) -> Read<StatedNumber> {
    let wrong = |what: &str| section.wrong(key, &format!("{key}: {what}"));
    let number = |text: &String| {
        if let Ok(value) = text.trim().parse::<f64>() {
            return Ok(value);
        }
        let program = Expr::parse(text).and_then(|formula| formula.number(&Vocabulary::of_terms(&[])));
        let value = program.map_err(|error| wrong(&error.to_string()))?.constant();
        value.filter(|value| value.is_finite()).ok_or_else(|| wrong(&format!("`{text}` is not a number")))
    };
    let (value, to) = match texts.iter().map(number).collect::<Read<Vec<f64>>>()?[..] {
        [value] => (value, None),
        [low, high] if low < high => (low, Some(high)),
        _ => return Err(wrong("give a number, or the two ends of a range, the lower one first")),
    };
    let is_formula = texts.iter().any(|text| text.trim().parse::<f64>().is_err());
    let formula = is_formula.then(|| texts.join(" to "));
    Ok(StatedNumber { value, to, formula, is_asserted: key == "asserted" })
}

/// Reads the supposed cause: its readings are among those of the claim, or forms of it.
fn cause(
    section: &ClaimSection<'_>,
    names: &Names,
    places: &ClaimScope,
    forms: &[(String, Assertion)],
) -> Read<Option<CauseSpec>> {
    let Some(cause) = &section.keys.cause else { return Ok(None) };
    let of_readings = names.parameters.iter().zip(&places.values).find(|(of, _)| of.name == READING);
    let readings = of_readings.map_or_else(Vec::new, |(parameter, values)| {
        values.iter().map(|&at| parameter.values[at].as_str()).collect()
    });
    let forms = forms.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty());
    let known: Vec<&str> = readings.into_iter().chain(forms).collect();
    let reading = |key: &str, given: &Spanned<Verbatim>| -> Read<String> {
        let Verbatim(name) = given.get_ref();
        position(section.key("cause").inner(key, given), name, &known)?;
        Ok(name.clone())
    };
    Ok(Some(CauseSpec {
        says: cause.says.0.clone(),
        with: reading("with", &cause.with)?,
        without: reading("without", &cause.without)?,
    }))
}

fn allowed(section: &ClaimSection<'_>, stated: &StatedNumber) -> Read<Allowed> {
    let runs = section.keys.runs;
    let within = match section.keys.within {
        Some(Within::Draw) => {
            let runs = runs.map_or(Ok(1), |Whole(runs)| u32::try_from(runs));
            Some(Allowed::Draw(runs.map_err(|_| section.wrong("runs", "`runs` is too large"))?))
        }
        _ if runs.is_some() => return Err(section.wrong("runs", "`runs` needs within = \"draw\"")),
        within => within.map(|_| Allowed::Interval),
    };
    match (tolerance(section)?, within) {
        (Some(_), _) if stated.to.is_some() => {
            Err(section.wrong("tolerance", "`tolerance` does not go with a range, whose ends are the limits"))
        }
        (None, None) if stated.to.is_some() => Ok(Allowed::Absolute(0.0)),
        (Some(_), Some(_)) => {
            Err(section.wrong("within", "`tolerance` and `within` are two claims: write two"))
        }
        (None, None) => Err(section.error("`value` needs `tolerance`, or within = \"draw\" or \"interval\"")),
        (Some(Allowed::Relative(_)), None) if stated.value == 0.0 => {
            Err(section.wrong("tolerance", "tolerance: there is no share of 0; give a number"))
        }
        (Some(allowed), None) | (None, Some(allowed)) => Ok(allowed),
    }
}

/// Returns the tolerance: a number, or a share.
fn tolerance(section: &ClaimSection<'_>) -> Read<Option<Allowed>> {
    deviation(section, "tolerance", section.keys.tolerance.as_ref())
}

/// Returns how far off something may be: a number, or a share.
fn deviation(section: &ClaimSection<'_>, key: &str, given: Option<&Scalar>) -> Read<Option<Allowed>> {
    let Some(Scalar(text)) = given else { return Ok(None) };
    let allowed = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| Allowed::Relative(percent / 100.0)),
        None => text.trim().parse().map(Allowed::Absolute),
    };
    match allowed {
        Ok(Allowed::Relative(most) | Allowed::Absolute(most)) if most >= 0.0 && most.is_finite() => {
            Ok(allowed.ok())
        }
        _ => Err(section.wrong(key, &format!("`{key}` must be a number from 0, or per cent as in \"15%\""))),
    }
}
