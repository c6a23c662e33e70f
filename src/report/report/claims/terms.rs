//! Reading of expressions over values of the results.

use std::fmt;

use batchlab_traces::expr::{Expr, FieldInfo, Vocabulary};
use batchlab_traces::located::Spanned;
use batchlab_traces::located::values::{Ordered, Scalar, Verbatim};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::read::ClaimSection;
use super::{Expression, Term};
use crate::report::tables::{Names, measured, position, value};
use batchlab_study::experiment::ExperimentError;
use batchlab_study::experiment::section::PlacedKey;

type Read<T> = Result<T, ExperimentError>;

/// An expression, or several under the names of the forms that a reader may give the claim.
#[derive(Clone, Debug)]
pub(crate) enum Forms {
    One(String),
    Several(Vec<(String, String)>),
}

impl<'de> Deserialize<'de> for Forms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Forms, D::Error> {
        struct OneOrSeveral;

        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Forms;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression, or { form = expression }")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Forms, E> {
                Ok(Forms::One(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, forms: A) -> Result<Forms, A::Error> {
                let forms = Ordered::<Verbatim>::deserialize(MapAccessDeserializer::new(forms))?;
                Ok(Forms::Several(forms.into_pairs(|form| form.0)))
            }
        }

        deserializer.deserialize_any(OneOrSeveral)
    }
}

/// Reads the forms of `expect` with the names under `let`.
pub(super) fn expressions(
    section: &ClaimSection<'_>,
    names: &Names,
    metric: Option<usize>,
) -> Read<Vec<(String, Expression)>> {
    let forms = match &section.keys.expect {
        Some(Forms::Several(forms)) => forms,
        Some(Forms::One(one)) => {
            return Ok(vec![(String::new(), expression(section, names, metric, one, true)?)]);
        }
        None => return Ok(Vec::new()),
    };
    if forms.len() < 2 {
        return Err(section.wrong("expect", "expect: one formula needs no name: write expect = \"a / b\""));
    }
    let form = |(name, text): &(String, String)| -> Read<(String, Expression)> {
        Ok((name.clone(), expression(section, names, metric, text, false)?))
    };
    let forms = forms.iter().map(form).collect::<Read<Vec<_>>>()?;
    if forms.iter().any(|(_, form)| form.is_condition() != forms[0].1.is_condition()) {
        return Err(section.wrong("expect", "expect: all formulas are conditions, or all are numbers"));
    }
    Ok(forms)
}

/// Reads one expression; `all` is whether it has to use all names under `let`.
fn expression(
    section: &ClaimSection<'_>,
    names: &Names,
    metric: Option<usize>,
    text: &str,
    all: bool,
) -> Read<Expression> {
    let Some(Ordered(lets)) = &section.keys.r#let else {
        let what = "`expect` needs `let`: the numbers that it uses, such as \
                    let = { a = { policy = \"EASY\", metric = \"mean_wait\" } }";
        return Err(section.wrong("expect", what));
    };
    let term = |(name, of): &(Spanned<String>, Spanned<Ordered<Scalar>>)| {
        term(section.key("let").inner(name.get_ref(), of), &of.get_ref().0, names, metric)
    };
    let terms = lets.iter().map(term).collect::<Read<Vec<Term>>>()?;
    let of_terms: Vec<(&str, &str)> =
        terms.iter().map(|term| (term.name.as_str(), names.measures[term.measure].unit.words())).collect();
    let wrong = |error: &dyn fmt::Display| section.wrong("expect", &format!("expect: {error}"));
    let parsed = Expr::parse(text).map_err(|error| wrong(&error))?;
    let unused = terms.iter().zip(lets).find(|(term, _)| all && !parsed.mentions(&term.name));
    if let Some((Term { name, .. }, (_, of))) = unused {
        let key = section.key("let").inner(name, of);
        return Err(key.wrong(&format!("let: `{name}` is not in the expression")));
    }
    let program = parsed.compile(&Vocabulary::of_terms(&of_terms)).map_err(|error| wrong(&error))?;
    let pool = section.keys.pool.unwrap_or_default();
    for term in &terms {
        let of = &names.measures[term.measure];
        pool.check(&names.measures, &of.metric, of.class.as_deref())
            .map_err(|what| section.wrong("pool", &format!("pool: {what}")))?;
    }
    Ok(Expression { text: text.into(), terms, pool, program })
}

/// Reads what a name under `let` stands for.
fn term(
    key: PlacedKey<'_>,
    of: &[(Spanned<String>, Spanned<Scalar>)],
    names: &Names,
    metric: Option<usize>,
) -> Read<Term> {
    let name = key.name();
    let is_name =
        FieldInfo::find(name).is_none() && Expr::parse(name).is_ok_and(|parsed| parsed.mentions(name));
    if !is_name {
        let what = format!("let: `{name}` means something else in expressions: take another name");
        return Err(key.wrong(&what));
    }
    let (mut policy, mut measured, mut workload) = (None, metric, None);
    let mut values = vec![None; names.parameters.len()];
    let parameters = names.parameter_names();
    for (written, given) in of {
        let (inner, Scalar(text)) = (key.inner(written.get_ref(), given), given.get_ref());
        match inner.name() {
            "policy" => policy = Some(position(inner, text, &names.policy_labels())?),
            "metric" => measured = Some(measure(inner, text, names)?),
            "workload" => workload = Some(position(inner, text, &names.workload_names())?),
            parameter => {
                let known = [&["policy", "metric", "workload"], &parameters[..]].concat();
                let at = position(key.inner("let", written), parameter, &known)? - 3;
                values[at] = Some(value(inner, text, &names.parameters[at].values)?);
            }
        }
    }
    let policy = policy.or((names.policies.len() == 1).then_some(0));
    Ok(Term {
        name: name.into(),
        policy: policy.ok_or_else(|| key.wrong(&format!("let: `{name}` needs a policy")))?,
        measure: measured.ok_or_else(|| key.wrong(&format!("let: `{name}` needs a metric")))?,
        workload,
        values,
    })
}

/// Returns the measure of a key: a metric, followed by `@CLASS` for a class.
pub(super) fn measure(key: PlacedKey<'_>, given: &str, names: &Names) -> Read<usize> {
    let known: Vec<&str> = names.measures.iter().map(|measure| measure.key.as_str()).collect();
    measured(key, given, &known)
}
