//! Compiles one column of a mapping.

use batchlab_traces::nearest::{meant, nearest};
use regex_lite::Regex;
use toml::{Spanned, Value};

use super::super::amount::{Factor, Unit};
use super::super::error::{MappingError, listed};
use super::super::mapping::{At, Column, Form, MISSING, Meaning, Per, Target, Zero};
use super::super::raw::{RawColumn, RawTarget};
use super::super::target::{Check, Span, To};
use super::super::time_format::{InstantFormat, LengthFormat};
use super::super::words::Words;
use super::Compiler;

impl Compiler<'_> {
    pub(super) fn column(&mut self, raw: &Spanned<RawColumn>) -> Result<Column, MappingError> {
        let column = raw.get_ref();
        let at = self.place(raw)?;
        let label = match (&column.name, &at) {
            (Some(name), _) => name.get_ref().clone(),
            (None, At::Place(at)) => (at + 1).to_string(),
            (None, At::Name(name)) => name.clone(),
        };
        let pattern = column.pattern.as_ref().map(|pattern| self.regex(pattern)).transpose()?;
        let looks = column.looks.as_ref().map(|looks| self.regex(looks)).transpose()?;
        let mut targets = Vec::new();
        let whole = column.target();
        if whole.to.is_some() {
            targets.push(self.target(&whole, None)?);
        } else if column.also.is_empty() && column.group.is_empty() {
            let what = format!("column `{label}` goes nowhere: give `to`, or to = \"ignore\"");
            return Err(self.source.error(&raw.span(), what));
        }
        for also in &column.also {
            targets.push(self.target_at(also, None)?);
        }
        for (name, group) in &column.group {
            let groups: Vec<&str> =
                pattern.iter().flat_map(|pattern| pattern.capture_names().flatten()).collect();
            let found = pattern.iter().flat_map(Regex::capture_names).position(|known| known == Some(name));
            let Some(at) = found else {
                let what = match groups[..] {
                    [] => format!("group `{name}` needs a pattern with (?<{name}>...) in it"),
                    _ => format!(
                        "the pattern has no group `{name}`{}; it has {}",
                        meant(nearest(name, groups.iter().copied())),
                        listed(groups.iter().copied())
                    ),
                };
                return Err(self.source.error(&group.span(), what));
            };
            targets.push(self.target_at(group, Some(at))?);
        }
        let span = column.span.as_ref().map_or(1, |span| *span.get_ref()).max(1);
        let used = targets.iter().any(|target| target.to != To::Ignore);
        Ok(Column { at, span, optional: column.optional, used, looks, pattern, targets, label })
    }

    /// Returns the position of a column: by name if the table has a heading, else by number.
    fn place(&self, raw: &Spanned<RawColumn>) -> Result<At, MappingError> {
        let column = raw.get_ref();
        let called = column.name.as_ref().map_or_else(String::new, |name| format!(" `{}`", name.get_ref()));
        match (&column.at, &column.name) {
            (Some(at), _) if *at.get_ref() == 0 => {
                let what =
                    format!("fill in where column{called} is: at = 1 for the first column of the table");
                Err(self.source.error(&at.span(), what))
            }
            (Some(at), _) => Ok(At::Place(at.get_ref() - 1)),
            (None, Some(name)) if self.raw.heading => Ok(At::Name(name.get_ref().clone())),
            (None, Some(name)) => {
                let what = format!(
                    "where is column{called}? give `at`, or heading = true if the first line of the table names \
                     its columns"
                );
                Err(self.source.error(&name.span(), what))
            }
            (None, None) => Err(self.source.error(&raw.span(), "a column needs `at` or `name`")),
        }
    }

    fn regex(&self, raw: &Spanned<String>) -> Result<Regex, MappingError> {
        let what = |error: regex_lite::Error| format!("no regular expression: {error}");
        Regex::new(raw.get_ref()).map_err(|error| self.source.error(&raw.span(), what(error)))
    }

    fn target_at(&mut self, raw: &Spanned<RawTarget>, group: Option<usize>) -> Result<Target, MappingError> {
        if raw.get_ref().to.is_none() {
            return Err(self.source.error(&raw.span(), "this goes nowhere: give `to`"));
        }
        self.target(raw.get_ref(), group)
    }

    fn target(&mut self, raw: &RawTarget, group: Option<usize>) -> Result<Target, MappingError> {
        let to = match &raw.to {
            Some(to) => self.destination(to)?,
            None => To::Ignore,
        };
        let form = self.form(&to, raw)?;
        let missing = match raw.missing.as_ref().or(self.raw.missing.as_ref()) {
            Some(words) => Words::of(words.iter().map(String::as_str)),
            None => Words::of(MISSING),
        };
        let mut values: Vec<(Box<[u8]>, Meaning)> = Vec::new();
        for (word, value) in &raw.values {
            values.push((word.as_bytes().into(), self.meaning(&to, value)?));
        }
        let others = raw.others.as_ref().map(|others| self.meaning(&to, others)).transpose()?;
        let factor = match &raw.factor {
            None => Factor::ONE,
            Some(factor) => Factor::new(*factor.get_ref()).ok_or_else(|| {
                self.source.error(&factor.span(), "a factor is above zero and below a billion")
            })?,
        };
        let times = raw.times.iter().map(|at| self.reference(raw, at)).collect::<Result<_, _>>()?;
        let resource = self.further(&to, &form, raw.capacity);
        Ok(Target {
            to,
            group,
            form,
            missing,
            never: Words::of(raw.never.iter().map(String::as_str)),
            values,
            others,
            factor,
            times,
            times_default: raw.times_default,
            resource,
        })
    }

    /// Returns the column by whose number another one is multiplied.
    fn reference(&self, raw: &RawTarget, at: &Value) -> Result<At, MappingError> {
        match at {
            Value::Integer(at @ 1..=1_000_000) => Ok(At::Place(*at as usize - 1)),
            Value::String(name) => Ok(At::Name(name.clone())),
            _ => {
                let span = raw.to.as_ref().map_or(0..0, Spanned::span);
                Err(self.source.error(&span, "`times` lists columns by place, from 1, or by name"))
            }
        }
    }

    /// Returns how a text for this destination is read; refuses keys that have no meaning for it.
    fn form(&self, to: &To, raw: &RawTarget) -> Result<Form, MappingError> {
        let is_length = matches!(to, To::Length(_) | To::Check(_));
        let is_amount = matches!(to, To::Memory(_));
        let per_makes_sense = is_amount || *to == To::Length(Span::Cpu);
        for (key, makes_sense) in [
            (raw.format.as_ref(), matches!(to, To::Instant(_))),
            (raw.unit.as_ref(), is_length || is_amount),
            (raw.per.as_ref(), per_makes_sense),
        ] {
            if let (Some(key), false) = (key, makes_sense) {
                let what = format!("`{}` makes no sense for {to}", key.get_ref());
                return Err(self.source.error(&key.span(), what));
            }
        }
        let at = |key: &Option<Spanned<String>>, what| {
            self.source.error(&key.as_ref().map_or(0..0, Spanned::span), what)
        };
        let per = match raw.per.as_ref().map(|per| per.get_ref().as_str()) {
            None | Some("processor") => Per::Processor,
            Some("node") if is_amount => Per::Node,
            Some("job") => Per::Job,
            Some(other) => return Err(at(&raw.per, format!("`{other}` is not one of processor, node, job"))),
        };
        Ok(match to {
            To::Instant(_) => {
                let name = raw.format.as_ref().map_or("epoch", |format| format.get_ref());
                let format = InstantFormat::named(name).map_err(|what| at(&raw.format, what))?;
                if format.is_date() && self.zero == Zero::Own {
                    return Err(at(&raw.format, "dates do not go with zero = \"own\"".into()));
                }
                Form::Instant(format)
            }
            To::Length(_) | To::Check(Check::Wait | Check::Run) => {
                let name = raw.unit.as_ref().map_or("s", |unit| unit.get_ref());
                Form::Length(LengthFormat::named(name).map_err(|what| at(&raw.unit, what))?, per)
            }
            To::Memory(_) => {
                let name = raw.unit.as_ref().map_or("KB", |unit| unit.get_ref());
                Form::Memory(Unit::named(name).map_err(|what| at(&raw.unit, what))?, per)
            }
            _ => Form::Plain,
        })
    }
}
