//! Rules and expectations of a file.

use std::ops::Range;
use std::str::FromStr;

use crate::located::Spanned;

use super::error::RulesError;
use super::expect::{self, Claim, Expectation};
use super::file::{ExpectText, File, RuleText};
use super::phrase::Phrase;
use super::presets::Preset;
use super::target::RuleTarget;
use crate::located::LocatedToml;

/// Rules and expectations, in the order in which they are applied.
/// Read from TOML with [`str::parse`]; [`Rules::apply`] cleans a trace by them, [`Rules::check`] checks
/// whether a trace is as expected.
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
    pub(super) action: Action,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Drops jobs for which a condition holds.
    Drop(Phrase),
    /// Gives fields new values where a condition holds.
    Mend { when: Option<Phrase>, values: Vec<(RuleTarget, Phrase)> },
}

impl Rules {
    /// Returns the rules of a preset.
    ///
    /// # Errors
    /// When no preset has this name.
    pub fn preset(name: &str) -> Result<Rules, RulesError> {
        Preset::find(name)?.text.parse()
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
        let file: File = toml.table(&toml.parse()?, 0)?;
        let reader = Reader { toml };
        let mut rules = Rules::default();
        for preset in &file.presets {
            rules.add(Rules::preset(preset.get_ref())?);
        }
        for rule in &file.rule {
            let line = reader.line(&rule.span());
            let rule = reader.rule(rule.get_ref(), line)?;
            if rules.rules.iter().any(|known| known.id == rule.id) {
                let why = "another rule has this id".into();
                return Err(RulesError::Shape { line, subject: format!("rule `{}`", rule.id), why });
            }
            rules.rules.push(rule);
        }
        for (expect, number) in file.expect.iter().zip(1..) {
            let line = reader.line(&expect.span());
            let expect = reader.expectation(expect.get_ref(), line, number)?;
            if rules.expectations.iter().any(|known| known.id == expect.id) {
                let why = "another expectation has this id".into();
                return Err(RulesError::Shape { line, subject: format!("expectation `{}`", expect.id), why });
            }
            rules.expectations.push(expect);
        }
        Ok(rules)
    }
}

struct Reader<'a> {
    toml: LocatedToml<'a>,
}

impl Reader<'_> {
    /// Returns the line at which a part of the text begins, from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        self.toml.place(span.start).line as usize
    }

    fn phrase(&self, subject: &str, key: &str, text: &Spanned<String>) -> Result<Phrase, RulesError> {
        Phrase::parse(text.get_ref(), self.line(&text.span()), subject, key)
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
                let when = text.when.as_ref().map(|when| self.phrase(&subject, "when", when)).transpose()?;
                let value = |(field, value): (&String, &Spanned<String>)| {
                    Ok((RuleTarget::named(field), self.phrase(&subject, &format!("mend.{field}"), value)?))
                };
                Action::Mend { when, values: mend.iter().map(value).collect::<Result<_, RulesError>>()? }
            }
            _ => return Err(wrong("it needs either `drop = \"...\"` or `mend = { field = \"...\" }`")),
        };
        let (id, because) = (text.id.clone(), text.because.clone());
        let published = text.published.map(|jobs| jobs.0.cast_unsigned());
        Ok(CleaningRule { id, because, published, action })
    }

    fn expectation(&self, text: &ExpectText, line: usize, number: usize) -> Result<Expectation, RulesError> {
        let id = text.id.clone().unwrap_or_else(|| format!("expect-{number}"));
        let subject = format!("expectation `{id}`");
        let phrase = |key: &str, text: &Spanned<String>| self.phrase(&subject, key, text);
        let optional = |key: &str, text: &Option<Spanned<String>>| {
            text.as_ref().map(|text| phrase(key, text)).transpose()
        };
        let mut claims = Vec::new();
        claims.extend(text.count.as_ref().map(|count| Claim::Count { min: count.min, max: count.max }));
        claims.extend(optional("all", &text.all)?.map(Claim::All));
        claims.extend(optional("none", &text.none)?.map(Claim::None));
        claims.extend(optional("any", &text.any)?.map(Claim::Any));
        if let Some(range) = &text.range {
            let limit = |key: &str, limit: &Option<Spanned<super::file::RangeEnd>>| {
                let parse = |limit: &Spanned<super::file::RangeEnd>| {
                    Phrase::parse(&limit.get_ref().0, self.line(&limit.span()), &subject, key)
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
        let within = optional("where", &text.within)?;
        Ok(Expectation { id, because: text.because.clone(), claim, within, on: text.on })
    }
}
