mod hidden;

use super::error::{ExprError, Problem, repeated};
use super::{ExprType, ExprUnit, FIELDS, FieldId, FieldInfo, TableFunction};
use crate::header::{Header, Named};
use crate::nearest::nearest;
use crate::workload::Meanings;
use crate::{Calendar, Machine, Trace};
use hidden::{FUTURE, IN_SCHEDULES, NO_CALENDAR, NO_MEMORY, NOT_NAMED, NOT_OF_JOBS, NOT_OF_POLICIES};

/// The names that an expression may use in one context.
///
/// Created by [`Vocabulary::trace`], [`Vocabulary::jobs`] and [`Vocabulary::policy`], then extended or restricted.
#[must_use]
#[derive(Clone, Debug)]
pub struct Vocabulary {
    place: &'static str,
    columns: Vec<VocabularyEntry>,
    /// `memory` over all processors of a job, if it is a further resource.
    memory: Option<VocabularyEntry>,
    hidden: Vec<(&'static str, &'static str)>,
    queues: Vec<Named>,
    partitions: Vec<Named>,
    pub(super) calendar: Option<Calendar>,
    pub(super) draws: Option<(u64, String)>,
    tables: Vec<&'static TableFunction>,
    pub(super) wait_grows: bool,
}

#[derive(Clone, Debug)]
pub(super) struct VocabularyEntry {
    pub(super) name: String,
    pub(super) id: FieldId,
    pub(super) kind: ExprType,
    /// The factor that converts a value to seconds or KB.
    pub(super) scale: f64,
}

impl Vocabulary {
    /// Returns the names for the rows of a trace: every field, every further column.
    pub fn trace(trace: &Trace) -> Vocabulary {
        let columns = trace.header.resources.iter().map(|resource| (&*resource.name, &*resource.unit));
        Vocabulary {
            place: "a trace",
            columns: entries(columns),
            memory: None,
            hidden: Vec::new(),
            queues: Vec::new(),
            partitions: Vec::new(),
            calendar: None,
            draws: None,
            tables: Vec::new(),
            wait_grows: false,
        }
        .named(&trace.header)
        .dated(trace.calendar)
    }

    /// Returns the names for the jobs of a replay on a machine. [`Vocabulary::named`] and
    /// [`Vocabulary::dated`] add the names and the calendar of their log.
    pub fn jobs(machine: &Machine) -> Vocabulary {
        let resources = machine.resources().iter().skip(1);
        let columns = entries(resources.map(|resource| (&*resource.name, &*resource.unit)));
        let memory = columns.iter().find(|column| column.name == "memory").cloned();
        let hidden = NOT_OF_JOBS.to_vec();
        let base =
            Vocabulary { place: "a job", columns, memory, hidden, ..Vocabulary::trace(&Trace::default()) };
        let base = base.dated(None);
        if base.memory.is_some() { base } else { base.hiding("memory", NO_MEMORY) }
    }

    /// Returns what a policy may know of a waiting job: everything but the future. `wait` is the waiting time so far.
    pub fn policy(machine: &Machine) -> Vocabulary {
        let mut base = Vocabulary { place: "a policy", wait_grows: true, ..Vocabulary::jobs(machine) };
        base.hidden.retain(|(field, _)| *field != "wait");
        NOT_OF_POLICIES.iter().fold(base, |base, field| base.hiding(field, FUTURE))
    }

    /// Returns a vocabulary of named numbers only, each with the word of its unit. Rows are read as
    /// [`FieldId::Resource`], counted from 0 in the order of the names.
    pub fn of_terms(terms: &[(&str, &str)]) -> Vocabulary {
        let base = Vocabulary {
            place: "this expression",
            columns: entries(terms.iter().copied()),
            ..Vocabulary::trace(&Trace::default())
        };
        FIELDS.iter().fold(base, |base, field| base.hiding(field.name, NOT_NAMED))
    }

    /// Adds to the names of jobs their times in a schedule (`wait`, `start`, `end`, `response`), and further
    /// numbers, each with the word of its unit, which rows read as [`FieldId::Resource`] from position
    /// [`Vocabulary::further`] on. A resource of the same name hides a further number.
    pub fn scheduled(mut self, numbers: &[(&str, &str)]) -> Vocabulary {
        self.hidden.retain(|(field, _)| !IN_SCHEDULES.contains(field));
        Vocabulary { place: "a job with a schedule", ..self.with_numbers(numbers) }
    }

    /// Adds further numbers, as [`Vocabulary::scheduled`] does.
    pub fn with_numbers(mut self, numbers: &[(&str, &str)]) -> Vocabulary {
        let from = self.further();
        let numbers = entries(numbers.iter().copied()).into_iter().zip(from..);
        self.columns
            .extend(numbers.map(|(entry, at)| VocabularyEntry { id: FieldId::Resource(at), ..entry }));
        self
    }

    /// Returns the number of further columns or resources.
    pub fn further(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Lets `memory` be the memory stated in the log if the machine has none; it is read as [`FieldId::Memory`].
    pub fn told_memory(mut self) -> Vocabulary {
        self.hidden.retain(|(field, _)| *field != "memory");
        self
    }

    /// Adds the log's names of queues and partitions.
    pub fn named(self, header: &Header) -> Vocabulary {
        Vocabulary { queues: header.queue.clone(), partitions: header.partition.clone(), ..self }
    }

    /// Adds the names and the calendar of a workload's log.
    pub fn meaning(self, meanings: &Meanings) -> Vocabulary {
        let (queues, partitions) = (meanings.queues.clone(), meanings.partitions.clone());
        Vocabulary { queues, partitions, ..self }.dated(meanings.calendar)
    }

    /// Sets the calendar; without one, `hour`, `weekday` and dates are refused.
    pub fn dated(self, calendar: Option<Calendar>) -> Vocabulary {
        let mut base = Vocabulary { calendar, ..self };
        base.hidden.retain(|(field, _)| !["hour", "weekday"].contains(field));
        if calendar.is_some() {
            return base;
        }
        base.hiding("hour", NO_CALENDAR).hiding("weekday", NO_CALENDAR)
    }

    /// Allows draws, from the streams of a seed and a name. The name is that of the step, so that steps do not affect each
    /// other's draws.
    pub fn drawing(self, seed: u64, name: &str) -> Vocabulary {
        Vocabulary { draws: Some((seed, name.into())), ..self }
    }

    /// Allows functions of the whole table.
    pub fn with_tables(mut self, functions: &[&'static TableFunction]) -> Vocabulary {
        self.tables.extend(functions);
        self
    }

    /// Refuses a field of [`FIELDS`], or a name that no further column has, for a reason, a sentence without its full stop.
    pub fn hiding(mut self, field: &'static str, reason: &'static str) -> Vocabulary {
        self.hidden.retain(|(hidden, _)| *hidden != field);
        self.hidden.push((field, reason));
        self
    }

    /// Returns the fields and columns that may be used, by name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let usable = FIELDS.iter().map(|field| field.name).filter(|name| self.reason(name).is_none());
        usable.chain(self.columns.iter().map(|column| &*column.name))
    }

    /// Returns the end of the error of an unknown field: `; it has ...`, with the fields that may be used;
    /// empty for other errors.
    pub(crate) fn offered(&self, error: &ExprError) -> String {
        match error.problem() {
            Problem::UnknownField { .. } => {
                format!("; it has {}", self.names().collect::<Vec<_>>().join(", "))
            }
            _ => String::new(),
        }
    }

    fn reason(&self, field: &str) -> Option<&'static str> {
        self.hidden.iter().find(|(hidden, _)| *hidden == field).map(|found| found.1)
    }

    /// Returns a field of [`FIELDS`].
    pub(super) fn field(&self, name: &str) -> Result<VocabularyEntry, Problem> {
        self.refused(name)?;
        let field = FIELDS.iter().find(|field| field.name == name).ok_or_else(|| self.unknown(name))?;
        let entry = VocabularyEntry { name: name.into(), id: field.id, kind: field.kind, scale: 1.0 };
        match (field.id, &self.memory) {
            (FieldId::Memory, Some(VocabularyEntry { id: FieldId::Resource(at), scale, .. })) => {
                Ok(VocabularyEntry { id: FieldId::PerProcessor(*at), scale: *scale, ..entry })
            }
            _ => Ok(entry),
        }
    }

    pub(super) fn column(&self, name: &str) -> Result<VocabularyEntry, Problem> {
        let found = self.columns.iter().find(|column| column.name == name);
        if found.is_none() {
            self.refused(name)?;
        }
        found.cloned().ok_or_else(|| self.unknown(name))
    }

    fn refused(&self, name: &str) -> Result<(), Problem> {
        match self.reason(name) {
            Some(reason) => Err(Problem::Hidden { field: name.into(), reason: reason.into() }),
            None => Ok(()),
        }
    }

    fn unknown(&self, name: &str) -> Problem {
        let lower = name.to_lowercase();
        let field = FieldInfo::find(&lower).map(|field| field.name);
        let nearest = field.or_else(|| nearest(&lower, self.names()));
        Problem::UnknownField { place: self.place, given: repeated(name), nearest: nearest.map(Into::into) }
    }

    pub(super) fn values(&self, field: &str) -> &[Named] {
        match field {
            "queue" => &self.queues,
            "partition" => &self.partitions,
            _ => &[],
        }
    }

    pub(super) fn table(&self, name: &str) -> Option<&'static TableFunction> {
        self.tables.iter().find(|function| function.name == name).copied()
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().map(|function| function.name)
    }
}

fn entries<'a>(columns: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<VocabularyEntry> {
    let entry = |(at, (name, unit)): (u32, (&str, &str))| {
        let unit = ExprUnit::find(unit);
        VocabularyEntry {
            name: name.into(),
            id: FieldId::Resource(at),
            kind: unit.map_or(ExprType::PLAIN, |unit| unit.kind),
            scale: unit.map_or(1.0, |unit| unit.value(1.0)),
        }
    };
    (0..).zip(columns).map(entry).collect()
}
