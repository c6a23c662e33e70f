use batchlab_traces::located::{LocatedError, Spanned, keys};
use batchlab_traces::nearest::{meant, nearest};
use regex_lite::Regex;
use toml::de::DeTable;

use super::super::amount::{Factor, MemoryUnit};
use super::super::mapping::{At, MappedColumn, Meaning, Per, TextForm, TextTarget, Zero};
use super::super::raw::{RawColumn, RawTarget};
use super::super::target::{Comparand, DurationTarget, To};
use super::super::time_format::{DurationFormat, InstantFormat};
use super::Compiler;
use super::meaning::meaning;

impl Compiler<'_> {
    pub(super) fn column(&mut self, table: &DeTable<'_>, begin: usize) -> Result<MappedColumn, LocatedError> {
        self.toml.expect_keys(table, &[keys::<RawColumn>(), keys::<RawTarget>()].concat())?;
        let raw: RawColumn = self.toml.part(table, begin)?;
        let whole: RawTarget = self.toml.part(table, begin)?;
        let at = self.place(&raw, begin)?;
        let label = match (&raw.name, &at) {
            (Some(name), _) => name.get_ref().clone(),
            (None, At::Place(at)) => (at + 1).to_string(),
            (None, At::Name(name)) => name.clone(),
        };
        let (pattern, looks) = (raw.pattern.map(|pattern| pattern.0), raw.looks.map(|looks| looks.0));
        let mut targets = Vec::new();
        if whole.to.is_some() {
            targets.push(self.target(whole, None)?);
        } else if raw.also.is_empty() && raw.group.is_empty() {
            let what = format!("column `{label}` goes nowhere: give `to`, or to = \"ignore\"");
            return Err(self.toml.error(begin, what));
        }
        for also in raw.also {
            targets.push(self.target_at(also, None)?);
        }
        for (name, group) in raw.group {
            let at = group_at(pattern.as_ref(), &name).map_err(|what| self.error(&group.span(), what))?;
            targets.push(self.target_at(group, Some(at))?);
        }
        let span = raw.span.map_or(1, |span| span.0 as usize).max(1);
        let used = targets.iter().any(|target| target.to != To::Ignore);
        Ok(MappedColumn { at, span, optional: raw.optional, used, looks, pattern, targets, label })
    }

    /// Returns the position of a column: its number, or its name if the table has a heading.
    fn place(&self, column: &RawColumn, begin: usize) -> Result<At, LocatedError> {
        let called = column.name.as_ref().map_or_else(String::new, |name| format!(" `{}`", name.get_ref()));
        match (&column.at, &column.name) {
            (Some(at), _) if at.get_ref().0 == 0 => {
                let what =
                    format!("fill in where column{called} is: at = 1 for the first column of the table");
                Err(self.error(&at.span(), what))
            }
            (Some(at), _) => Ok(At::Place(at.get_ref().0 as usize - 1)),
            (None, Some(name)) if self.layout.heading => Ok(At::Name(name.get_ref().clone())),
            (None, Some(name)) => {
                let what = format!(
                    "where is column{called}? give `at`, or heading = true if the first line of the table names \
                     its columns"
                );
                Err(self.error(&name.span(), what))
            }
            (None, None) => Err(self.toml.error(begin, "a column needs `at` or `name`")),
        }
    }

    fn target_at(
        &mut self,
        raw: Spanned<RawTarget>,
        group: Option<usize>,
    ) -> Result<TextTarget, LocatedError> {
        if raw.get_ref().to.is_none() {
            return Err(self.error(&raw.span(), "this goes nowhere: give `to`"));
        }
        self.target(raw.into_inner(), group)
    }

    fn target(&mut self, raw: RawTarget, group: Option<usize>) -> Result<TextTarget, LocatedError> {
        let to = match &raw.to {
            Some(to) => self.destination(to)?,
            None => To::Ignore,
        };
        let form = self.form(&to, &raw)?;
        let mut values: Vec<(Box<[u8]>, Meaning)> = Vec::new();
        for (word, value) in &raw.values {
            values.push((word.as_bytes().into(), meaning(self.toml, &to, value)?));
        }
        let others = raw.others.as_ref().map(|others| meaning(self.toml, &to, others)).transpose()?;
        let resource = self.further(&to, &form, raw.capacity.map(|capacity| capacity.0));
        Ok(TextTarget {
            to,
            group,
            form,
            missing: raw.missing.map_or_else(|| self.missing.clone(), |own| own.with(&self.missing)),
            never: raw.never,
            values,
            others,
            factor: raw.factor.unwrap_or(Factor::ONE),
            times: raw.times.map_or_else(Vec::new, |times| times.0),
            times_default: raw.times_default.map(|number| number.0),
            resource,
        })
    }

    fn form(&self, to: &To, raw: &RawTarget) -> Result<TextForm, LocatedError> {
        let is_length = matches!(to, To::Length(_) | To::Check(_));
        let is_amount = matches!(to, To::Memory(_));
        let per_makes_sense = is_amount || *to == To::Length(DurationTarget::Cpu);
        for (at, makes_sense) in [
            (raw.format.as_ref().map(Spanned::span), matches!(to, To::Instant(_))),
            (raw.unit.as_ref().map(Spanned::span), is_length || is_amount),
            (raw.per.as_ref().map(Spanned::span), per_makes_sense),
        ] {
            if let (Some(at), false) = (at, makes_sense) {
                return Err(self.error(&at, format!("`{}` makes no sense for {to}", self.text(&at))));
            }
        }
        let per = raw.per.as_ref().map_or(Per::Processor, |per| *per.get_ref());
        if let (Some(at), Per::Node, false) = (&raw.per, per, is_amount) {
            return Err(self.error(&at.span(), "`per` must be \"processor\" or \"job\" here"));
        }
        let in_unit = |what: String| self.error(&raw.unit.as_ref().map_or(0..0, Spanned::span), what);
        let unit = |usual: &'static str| raw.unit.as_ref().map_or(usual, |unit| unit.get_ref());
        Ok(match to {
            To::Instant(_) => match &raw.format {
                Some(format) if format.get_ref().is_date() && self.zero == Zero::Own => {
                    return Err(self.error(&format.span(), "dates do not go with zero = \"own\""));
                }
                Some(format) => TextForm::Instant(format.get_ref().clone()),
                None => TextForm::Instant(InstantFormat::EPOCH),
            },
            To::Length(_) | To::Check(Comparand::Wait | Comparand::Run) => {
                TextForm::Length(DurationFormat::named(unit("s")).map_err(in_unit)?, per)
            }
            To::Memory(_) => TextForm::Memory(MemoryUnit::named(unit("KB")).map_err(in_unit)?, per),
            _ => TextForm::Plain,
        })
    }
}

fn group_at(pattern: Option<&Regex>, name: &str) -> Result<usize, String> {
    let found = pattern.into_iter().flat_map(Regex::capture_names).position(|known| known == Some(name));
    found.ok_or_else(|| {
        let groups: Vec<&str> =
            pattern.into_iter().flat_map(|pattern| pattern.capture_names().flatten()).collect();
        if groups.is_empty() {
            return format!("group `{name}` needs a pattern with (?<{name}>...) in it");
        }
        let (meant, known) = (meant(nearest(name, groups.iter().copied())), groups.join("`, `"));
        format!("the pattern has no group `{name}`{meant}; it has `{known}`")
    })
}
