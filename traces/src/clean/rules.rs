use std::str::FromStr;

use serde::de::DeserializeOwned;
use toml::de::DeTable;

use super::error::RulesError;
use super::expect::{self, Claim, Expectation};
use super::file::{ExpectText, Head, RuleText, TABLES};
use super::phrase::Phrase;
use super::presets::Preset;
use super::target::RuleTarget;
use crate::located::{LocatedError, LocatedToml, Spanned};

/// Rules and expectations, in the order in which they are applied. Read from TOML with [`str::parse`]; [`Rules::apply`] cleans a
/// trace by them, [`Rules::check`] checks whether a trace is as expected.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) rules: Vec<CleaningRule>,
    pub(super) expectations: Vec<Expectation>,
}

/// A rule: which jobs it drops or mends, and why.
#[derive(Clone, Debug)]
pub struct CleaningRule {
    /// Its name, unique in the file.
    pub id: String,
    /// The reason for the rule.
    pub because: String,
    /// The number of jobs that its publication states, if any.
    pub published: Option<u64>,
    /// Whether it is of a preset, whose publication is about a version of one log.
    pub is_preset: bool,
    pub(super) action: Action,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Drop(Phrase),
    Mend { when: Option<Phrase>, values: Vec<(RuleTarget, Phrase)> },
}

impl Rules {
    /// Returns the rules of a preset.
    pub fn preset(name: &str) -> Result<Rules, RulesError> {
        let mut rules: Rules = Preset::find(name)?.text.parse()?;
        rules.rules.iter_mut().for_each(|rule| rule.is_preset = true);
        Ok(rules)
    }

    /// Returns the rules, in the order in which they are applied.
    pub fn rules(&self) -> &[CleaningRule] {
        &self.rules
    }

    /// Returns the number of expectations.
    pub fn expectations(&self) -> usize {
        self.expectations.len()
    }

    fn add(&mut self, other: Rules) {
        self.rules.extend(other.rules);
        self.expectations.extend(other.expectations);
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let toml = LocatedToml::new(text, "");
        let table = toml.parse()?;
        let mut errors: Vec<RulesError> = Vec::new();
        let known = [&["presets"][..], &TABLES].concat();
        errors.extend(toml.expect_keys(&table, &known).err().map(RulesError::from));
        let head: Head = toml.part(&table, 0).map_err(|error| errors.push(error.into())).unwrap_or_default();
        let [rule, expect] = TABLES.map(|key| toml.list(&table, key));
        let reader = Reader { toml };
        let mut rules = Rules::default();
        for preset in &head.presets {
            match Rules::preset(preset.get_ref()) {
                Ok(preset) => rules.add(preset),
                Err(error) => errors.push(error),
            }
        }
        for (table, at) in rule.map_err(|error| errors.push(error.into())).unwrap_or_default() {
            let line = reader.line(at);
            match reader.read(table, at).and_then(|text| reader.rule(&text, line)) {
                Ok(rule) if rules.rules.iter().any(|known| known.id == rule.id) => {
                    let (subject, why) = (format!("rule `{}`", rule.id), "another rule has this id".into());
                    errors.push(RulesError::Shape { line, subject, why });
                }
                Ok(rule) => rules.rules.push(rule),
                Err(error) => errors.push(error),
            }
        }
        let expect = expect.map_err(|error| errors.push(error.into())).unwrap_or_default();
        for ((table, at), number) in expect.into_iter().zip(1..) {
            let line = reader.line(at);
            match reader.read(table, at).and_then(|text| reader.expectation(&text, line, number)) {
                Ok(expect) if rules.expectations.iter().any(|known| known.id == expect.id) => {
                    let subject = format!("expectation `{}`", expect.id);
                    let why = "another expectation has this id".into();
                    errors.push(RulesError::Shape { line, subject, why });
                }
                Ok(expect) => rules.expectations.push(expect),
                Err(error) => errors.push(error),
            }
        }
        RulesError::all(errors).map(|()| rules)
    }
}

struct Reader<'a> {
    toml: LocatedToml<'a>,
}

impl Reader<'_> {
    /// Returns the line of a byte of the text, from 1.
    fn line(&self, at: usize) -> usize {
        self.toml.place(at).line as usize
    }

    fn read<T: DeserializeOwned>(&self, table: &DeTable<'_>, at: usize) -> Result<T, RulesError> {
        let located = |error: LocatedError| RulesError::from(error);
        let all = |errors: Vec<LocatedError>| RulesError::Several(errors.into_iter().map(located).collect());
        self.toml.table_or_all(table, at).map_err(all)
    }

    fn phrase(&self, subject: &str, key: &str, text: &Spanned<String>) -> Result<Phrase, RulesError> {
        Phrase::parse(text.get_ref(), self.line(text.span().start), subject, key)
    }

    fn rule(&self, text: &RuleText, line: usize) -> Result<CleaningRule, RulesError> {
        let subject = format!("rule `{}`", text.id);
        let wrong = |why: &str| RulesError::Shape { line, subject: subject.clone(), why: why.into() };
        if text.id.trim().is_empty() || text.because.trim().is_empty() {
            return Err(wrong("`id` and `because` must say something"));
        }
        let action = match (&text.drop, &text.mend) {
            (Some(_), None) if text.when.is_some() => {
                return Err(wrong("`when` goes with `mend`; a drop has its condition in `drop`"));
            }
            (Some(drop), None) => Action::Drop(self.phrase(&subject, "drop", drop)?),
            (None, Some(mend)) if !mend.is_empty() => {
                let when = text.when.as_ref().map(|when| self.phrase(&subject, "when", when)).transpose();
                let value = |(field, value): (&String, &Spanned<String>)| {
                    Ok((RuleTarget::named(field), self.phrase(&subject, &format!("mend.{field}"), value)?))
                };
                let (values, mut errors) = parted(mend.iter().map(value));
                let when = when.map_err(|error| errors.push(error)).unwrap_or_default();
                RulesError::all(errors)?;
                Action::Mend { when, values }
            }
            _ => return Err(wrong("it needs either `drop = \"...\"` or `mend = { field = \"...\" }`")),
        };
        let (id, because) = (text.id.clone(), text.because.clone());
        let published = text.published.map(|jobs| jobs.0.cast_unsigned());
        Ok(CleaningRule { id, because, published, is_preset: false, action })
    }

    fn expectation(&self, text: &ExpectText, line: usize, number: usize) -> Result<Expectation, RulesError> {
        let id = text.id.clone().unwrap_or_else(|| format!("expect-{number}"));
        let subject = format!("expectation `{id}`");
        let phrase = |key: &str, text: &Spanned<String>| self.phrase(&subject, key, text);
        let mut errors = Vec::new();
        let mut optional = |key: &str, text: &Option<Spanned<String>>| {
            let parsed = text.as_ref().map(|text| phrase(key, text)).transpose();
            parsed.map_err(|error| errors.push(error)).unwrap_or_default()
        };
        let mut claims = Vec::new();
        claims.extend(text.count.as_ref().map(|count| Claim::Count { min: count.min, max: count.max }));
        claims.extend(optional("all", &text.all).map(Claim::All));
        claims.extend(optional("none", &text.none).map(Claim::None));
        claims.extend(optional("any", &text.any).map(Claim::Any));
        let within = optional("where", &text.within);
        RulesError::all(errors)?;
        if let Some(range) = &text.range {
            let limit = |key: &str, limit: &Option<Spanned<super::file::RangeEnd>>| {
                let parse = |limit: &Spanned<super::file::RangeEnd>| {
                    Phrase::parse(&limit.get_ref().0, self.line(limit.span().start), &subject, key)
                };
                limit.as_ref().map(parse).transpose()
            };
            let of = phrase("range.of", &range.of)?;
            let (min, max) = (limit("range.min", &range.min)?, limit("range.max", &range.max)?);
            claims.push(Claim::Range(Box::new(expect::ExpectedRange { of, min, max })));
        }
        let wrong = |why: &str| RulesError::Shape { line, subject: subject.clone(), why: why.into() };
        let one = claims.pop().filter(|_| claims.is_empty());
        let claim = one.ok_or_else(|| wrong("it needs one of `count`, `all`, `none`, `any` and `range`"))?;
        if matches!(&claim, Claim::Range(range) if range.min.is_none() && range.max.is_none()) {
            return Err(wrong("`range` needs `min` or `max`"));
        }
        Ok(Expectation { id, because: text.because.clone(), claim, within, on: text.on })
    }
}

/// Returns what results have, and their errors.
fn parted<T>(results: impl Iterator<Item = Result<T, RulesError>>) -> (Vec<T>, Vec<RulesError>) {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    results.for_each(|result| match result {
        Ok(value) => values.push(value),
        Err(error) => errors.push(error),
    });
    (values, errors)
}
