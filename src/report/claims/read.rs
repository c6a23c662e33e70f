//! Reading of a declared claim.

use super::terms::{expressions, measure};
use super::{Allowed, Assertion, CauseSpec, ClaimScope, ClaimSpec, Order, Published, Relation, Trend};
use crate::experiment::keys::key;
use crate::experiment::sweep::READING;
use crate::experiment::{ExperimentError, Section, SectionSpec};
use crate::report::tables::{Names, position, positions, values};

/// `[[claim]]`.
pub static SECTION: SectionSpec = SectionSpec {
    name: "claim",
    summary: "a claim of a paper or of its author; it asserts exactly one of order, rises_with, falls_with, \
        expect and uncheckable",
    example: "[[claim]]\nsays = \"backfilling nearly halves the slowdown\"\nlet = { a = { policy = \"EASY\", metric = \
              \"mean_bsld\" },\n        b = { policy = \"FCFS\", metric = \"mean_bsld\" } }\nexpect = \"a / b\"\nvalue = \
              0.58\ntolerance = \"15%\"",
    keys: &[
        key("name", "text", "claim-N", "its name"),
        key("says", "text", "", "the claim in words"),
        key("source", "text", "", "who made the claim, and where"),
        key("metric", "metric", "", "of all that name no other; with @CLASS for a class"),
        key("workloads", "list", "all", "where it is made"),
        key("where", "{ parameter = value }", "all values", "at which points it is made"),
        key(
            "order",
            "list",
            "",
            "labels of policies, ascending by the metric; \"<=\" (not above) or \"=\" between two of them in place of \
                \"<\": [\"A\", \"<=\", \"B\"]",
        ),
        key(
            "shown",
            "true or false",
            "false",
            "with order: each step has to be shown, < by its test, <= and = by an interval within the tolerance; with expect: \
                a condition in nearly all resamples of the units, a number with its whole interval; what is not shown and \
                not contradicted is open",
        ),
        key("rises_with", "parameter", "", "the metric rises with it"),
        key("falls_with", "parameter", "", "the metric falls with it"),
        key("policies", "list", "all", "with rises_with or falls_with: of which policies"),
        key("strict", "true or false", "false", "with rises_with or falls_with: it never stays the same"),
        key(
            "expect",
            "expression, or { form = expression }",
            "",
            "a condition such as a < b, or a number that value is compared with; of several forms each is a reading",
        ),
        key(
            "let",
            "{ name = { ... } }",
            "",
            "what the names of expect are: policy, metric, workload, parameters; one that names no value of a parameter \
                is evaluated at each",
        ),
        key(
            "pool",
            "units, geometric or jobs",
            "units",
            "with expect: how units make the numbers, as in [[table]]",
        ),
        key("value", "number", "", "with expect: what was published"),
        key(
            "tolerance",
            "number or per cent",
            "0 with order",
            "with value: how far off it may be; with order: how far apart policies with <= or = may be",
        ),
        key("within", "interval", "", "with value: it lies in the interval of what was measured"),
        key("readings", "list", "all", "the readings under which it is made"),
        key(
            "cause",
            "{ says = text, with = reading, without = reading }",
            "",
            "what decides whether it holds: it holds with one reading and not without, and both are checked",
        ),
        key("uncheckable", "text", "", "why nothing can check the claim: it is listed with the reason"),
    ],
};
/// The assertions that a claim can make, each with its additional keys.
const ASSERTIONS: [(&str, &[&str]); 5] = [
    ("order", &["shown", "tolerance"]),
    ("rises_with", &["policies", "strict"]),
    ("falls_with", &["policies", "strict"]),
    ("expect", &["let", "pool", "value", "tolerance", "within", "shown"]),
    ("uncheckable", &[]),
];

type Read<T> = Result<T, ExperimentError>;

impl ClaimSpec {
    /// Reads and checks all claims of a file.
    ///
    /// # Errors
    /// As [`ClaimSpec::read`], and if two claims have the same name.
    pub fn read_all(whole: &Section<'_>, names: &Names) -> Read<Vec<ClaimSpec>> {
        let mut specs: Vec<ClaimSpec> = Vec::new();
        for section in whole.sections("claim", "[[claim]]")? {
            let mut spec = ClaimSpec::read(&section, names)?;
            if spec.name.is_empty() {
                spec.name = format!("claim-{}", specs.len() + 1);
            }
            if specs.iter().any(|known| known.name == spec.name) {
                return Err(section.wrong("name", &format!("there are two claims `{}`", spec.name)));
            }
            specs.push(spec);
        }
        Ok(specs)
    }

    /// Reads and checks a `[[claim]]` using names only; nothing needs to have run.
    ///
    /// # Errors
    /// Unknown keys and names, with suggestions; a claim that asserts nothing, or two things. Each error gives
    /// the line.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<ClaimSpec> {
        SECTION.check(section)?;
        let kind = kind(section)?;
        let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
        let mut places = ClaimScope {
            workloads: positions(section, "workloads", &workloads)?,
            values: values(section, names)?,
        };
        if section.has("readings") {
            let at = names.parameters.iter().position(|of| of.name == READING);
            let at =
                at.ok_or_else(|| section.wrong("readings", "readings: the experiment has no [[reading]]"))?;
            let known: Vec<&str> = names.parameters[at].values.iter().map(String::as_str).collect();
            places.values[at] = positions(section, "readings", &known)?;
        }
        let metric = section.text("metric")?.map(|key| measure(section, &key, names)).transpose()?;
        let one = |asserts| vec![(String::new(), asserts)];
        let forms = match kind {
            "order" => one(Assertion::Order(order(section, names, metric)?)),
            "expect" => expected(section, names, metric)?,
            "uncheckable" => one(Assertion::Uncheckable(uncheckable(section)?)),
            _ => one(Assertion::Trend(trend(section, kind, names, metric)?)),
        };
        let cause = cause(section, names, &places, &forms)?;
        Ok(ClaimSpec {
            name: section.text("name")?.unwrap_or_default(),
            says: section.needed("says")?,
            source: section.text("source")?,
            places,
            forms,
            cause,
        })
    }
}

/// Returns what a claim asserts; refuses two assertions at once, and keys that belong to another assertion.
fn kind(section: &Section<'_>) -> Read<&'static str> {
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

fn needed(section: &Section<'_>, metric: Option<usize>) -> Read<usize> {
    metric.ok_or_else(|| section.error("the claim needs `metric`"))
}

/// Returns the reason why nothing can check a claim; refuses keys that say where and by what it is checked.
fn uncheckable(section: &Section<'_>) -> Read<String> {
    match ["metric", "workloads", "where"].into_iter().find(|key| section.has(key)) {
        Some(key) => Err(section.wrong(key, &format!("`{key}` does not go with `uncheckable`"))),
        None => section.needed("uncheckable"),
    }
}

fn order(section: &Section<'_>, names: &Names, metric: Option<usize>) -> Read<Order> {
    let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    let wrong = |what: String| Err(section.wrong("order", &format!("order: {what}")));
    let (mut policies, mut relations) = (Vec::new(), Vec::new());
    for word in section.texts("order")?.unwrap_or_default() {
        let sign = Relation::WORDS.iter().find(|(sign, _)| *sign == word && !labels.contains(sign));
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
        policies.push(position(section, "order", &word, &labels)?);
    }
    if !policies.is_empty() && relations.len() == policies.len() {
        return wrong("a sign stands between two policies, and the last one has no policy after it".into());
    }
    if policies.len() < 2 {
        return wrong("an order has two policies or more".into());
    }
    if let Some(twice) = (1..policies.len()).find(|&at| policies[..at].contains(&policies[at])) {
        return wrong(format!("`{}` is listed twice", labels[policies[twice]]));
    }
    let shown = section.truth("shown")?.unwrap_or(false);
    if section.has("tolerance") && relations.iter().all(|relation| *relation == Relation::Below) {
        return Err(section
            .wrong("tolerance", "tolerance: with `order` it is about `<=` and `=`, and there are none"));
    }
    let margin = tolerance(section)?.unwrap_or(Allowed::Relative(0.0));
    Ok(Order { measure: needed(section, metric)?, policies, relations, margin, shown })
}

fn trend(section: &Section<'_>, key: &'static str, names: &Names, metric: Option<usize>) -> Read<Trend> {
    let known: Vec<&str> = names.parameters.iter().map(|of| of.name.as_str()).collect();
    let parameter = section.needed(key)?;
    let parameter = position(section, key, &parameter, &known)?;
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
    steps.sort_by(|one, other| one.0.total_cmp(&other.0));
    let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    Ok(Trend {
        measure: needed(section, metric)?,
        policies: positions(section, "policies", &labels)?,
        parameter,
        steps,
        falls: key == "falls_with",
        strict: section.truth("strict")?.unwrap_or(false),
    })
}

fn expected(section: &Section<'_>, names: &Names, metric: Option<usize>) -> Read<Vec<(String, Assertion)>> {
    let forms = expressions(section, names, metric)?;
    let is_condition = forms.iter().all(|(_, form)| form.is_condition());
    let shown = section.truth("shown")?.unwrap_or(false);
    let Some(value) = section.number("value")? else {
        if let Some(key) = ["tolerance", "within"].into_iter().find(|key| section.has(key)) {
            return Err(section.wrong(key, &format!("`{key}` needs `value`, what was published")));
        }
        if !is_condition {
            let what =
                "expect: a number needs `value`, what was published; or make it a condition, as in `a < b`";
            return Err(section.wrong("expect", what));
        }
        let condition = |(name, form)| (name, Assertion::Condition(form, shown));
        return Ok(forms.into_iter().map(condition).collect());
    };
    if is_condition {
        return Err(section.wrong("value", "value: a condition has none; it holds or it does not"));
    }
    let allowed = allowed(section, value)?;
    let published =
        |(name, expression)| (name, Assertion::Published(Published { expression, value, allowed, shown }));
    Ok(forms.into_iter().map(published).collect())
}

/// Reads the supposed cause: its readings are among those of the claim, or forms of it.
fn cause(
    section: &Section<'_>,
    names: &Names,
    places: &ClaimScope,
    forms: &[(String, Assertion)],
) -> Read<Option<CauseSpec>> {
    let Some(cause) = section.section("cause", "cause")? else { return Ok(None) };
    cause.known(&["says", "with", "without"])?;
    let of_readings = names.parameters.iter().zip(&places.values).find(|(of, _)| of.name == READING);
    let readings = of_readings.map_or_else(Vec::new, |(parameter, values)| {
        values.iter().map(|&at| parameter.values[at].as_str()).collect()
    });
    let forms = forms.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty());
    let known: Vec<&str> = readings.into_iter().chain(forms).collect();
    let reading = |key: &str| -> Read<String> {
        let given = cause.needed(key)?;
        position(&cause, key, &given, &known)?;
        Ok(given)
    };
    Ok(Some(CauseSpec { says: cause.needed("says")?, with: reading("with")?, without: reading("without")? }))
}

fn allowed(section: &Section<'_>, value: f64) -> Read<Allowed> {
    let within = section.one_of("within", &[("interval", Allowed::Interval)])?;
    match (tolerance(section)?, within) {
        (Some(_), Some(_)) => {
            Err(section.wrong("within", "`tolerance` and `within` are two claims: write two"))
        }
        (None, None) => Err(section.error("`value` needs `tolerance`, or within = \"interval\"")),
        (Some(Allowed::Relative(_)), None) if value == 0.0 => {
            Err(section.wrong("tolerance", "tolerance: there is no share of 0; give a number"))
        }
        (Some(allowed), None) | (None, Some(allowed)) => Ok(allowed),
    }
}

/// Returns the tolerance: a number, or a share.
fn tolerance(section: &Section<'_>) -> Read<Option<Allowed>> {
    let Some(text) = section.scalar("tolerance")? else { return Ok(None) };
    let allowed = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| Allowed::Relative(percent / 100.0)),
        None => text.trim().parse().map(Allowed::Absolute),
    };
    match allowed {
        Ok(Allowed::Relative(most) | Allowed::Absolute(most)) if most >= 0.0 && most.is_finite() => {
            Ok(allowed.ok())
        }
        _ => {
            Err(section.wrong("tolerance", "`tolerance` must be a number from 0, or per cent as in \"15%\""))
        }
    }
}
