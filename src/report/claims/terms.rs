//! Reading of expressions over values of the results.

use batchlab_traces::expr::{Expr, FieldInfo, Vocabulary};

use super::{Expression, Term};
use crate::experiment::{ExperimentError, Section};
use crate::report::tables::{Names, position, value};
use crate::study::Pool;

type Read<T> = Result<T, ExperimentError>;

/// Reads `expect` with the names under `let`: an expression, or several under the names of the forms that a reader may
/// give the claim.
pub(super) fn expressions(
    section: &Section<'_>,
    names: &Names,
    metric: Option<usize>,
) -> Read<Vec<(String, Expression)>> {
    let forms = if section.is_table("expect") { section.section("expect", "expect")? } else { None };
    let Some(forms) = forms else {
        let one = expression(section, names, metric, &section.needed("expect")?, true)?;
        return Ok(vec![(String::new(), one)]);
    };
    let keys = forms.keys();
    if keys.len() < 2 {
        return Err(section.wrong("expect", "expect: one formula needs no name: write expect = \"a / b\""));
    }
    let form = |name: &str| -> Read<(String, Expression)> {
        Ok((name.to_owned(), expression(section, names, metric, &forms.needed(name)?, false)?))
    };
    let forms = keys.into_iter().map(form).collect::<Read<Vec<_>>>()?;
    if forms.iter().any(|(_, form)| form.is_condition() != forms[0].1.is_condition()) {
        return Err(section.wrong("expect", "expect: all formulas are conditions, or all are numbers"));
    }
    Ok(forms)
}

/// Reads one expression; `all` is whether it has to use all names under `let`.
fn expression(
    section: &Section<'_>,
    names: &Names,
    metric: Option<usize>,
    text: &str,
    all: bool,
) -> Read<Expression> {
    let Some(lets) = section.section("let", "let")? else {
        let what = "`expect` needs `let`: the numbers that it uses, such as \
                    let = { a = { policy = \"EASY\", metric = \"mean_wait\" } }";
        return Err(section.wrong("expect", what));
    };
    let terms =
        lets.keys().into_iter().map(|name| term(&lets, name, names, metric)).collect::<Read<Vec<Term>>>()?;
    let of_terms: Vec<(&str, &str)> =
        terms.iter().map(|term| (term.name.as_str(), names.measures[term.measure].unit.words())).collect();
    let wrong = |error: &dyn std::fmt::Display| section.wrong("expect", &format!("expect: {error}"));
    let parsed = Expr::parse(text).map_err(|error| wrong(&error))?;
    if let Some(unused) = terms.iter().find(|term| all && !parsed.mentions(&term.name)) {
        return Err(lets.wrong(&unused.name, &format!("let: `{}` is not in the expression", unused.name)));
    }
    let program = parsed.compile(&Vocabulary::of_terms(&of_terms)).map_err(|error| wrong(&error))?;
    let pool = section.one_of("pool", &Pool::WORDS)?.unwrap_or_default();
    for term in &terms {
        let of = &names.measures[term.measure];
        pool.check(&names.measures, &of.metric, of.class.as_deref())
            .map_err(|what| section.wrong("pool", &format!("pool: {what}")))?;
    }
    Ok(Expression { text: text.into(), terms, pool, program })
}

fn term(lets: &Section<'_>, name: &str, names: &Names, metric: Option<usize>) -> Read<Term> {
    let is_name =
        FieldInfo::find(name).is_none() && Expr::parse(name).is_ok_and(|parsed| parsed.mentions(name));
    if !is_name {
        let what = format!("let: `{name}` means something else in expressions: take another name");
        return Err(lets.wrong(name, &what));
    }
    let Some(section) = lets.section(name, "a name under let")? else {
        return Err(lets.wrong(name, &format!("let: `{name}` needs a policy and a metric")));
    };
    let parameters: Vec<&str> = names.parameters.iter().map(|of| of.name.as_str()).collect();
    section.known(&[&["policy", "metric", "workload"], &parameters[..]].concat())?;
    let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
    let policy = match (section.text("policy")?, &labels[..]) {
        (Some(label), _) => position(&section, "policy", &label, &labels)?,
        (None, [_]) => 0,
        (None, _) => return Err(section.error(&format!("let: `{name}` needs a policy"))),
    };
    let measure = match (section.text("metric")?, metric) {
        (Some(key), _) => measure(&section, &key, names)?,
        (None, Some(metric)) => metric,
        (None, None) => return Err(section.error(&format!("let: `{name}` needs a metric"))),
    };
    let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
    let workload = section.text("workload")?;
    let workload = workload.map(|given| position(&section, "workload", &given, &workloads)).transpose()?;
    let value = |at: usize| -> Read<Option<usize>> {
        let known: Vec<&str> = names.parameters[at].values.iter().map(String::as_str).collect();
        let given = section.scalar(parameters[at])?;
        given.map(|given| value(&section, parameters[at], &given, &known)).transpose()
    };
    let values = (0..parameters.len()).map(value).collect::<Read<Vec<Option<usize>>>>()?;
    Ok(Term { name: name.into(), policy, measure, workload, values })
}

/// Returns the measure of a key: a metric, followed by `@CLASS` for a class.
pub(super) fn measure(section: &Section<'_>, key: &str, names: &Names) -> Read<usize> {
    let known: Vec<&str> = names.measures.iter().map(|measure| measure.key.as_str()).collect();
    position(section, "metric", key, &known)
}
