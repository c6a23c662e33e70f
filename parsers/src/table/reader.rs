use batchlab_traces::header::ColumnScope;
use batchlab_traces::workload::CONSTRAINT;
use batchlab_traces::{Header, Kind, Time};

use super::fill::{Filler, Scratch};
use super::kinds;
use super::mapping::{At, MappedColumn, Mapping, Zero};
use super::split::LineCells;
use super::target::To;
use crate::clock::LocalClock;
use crate::entry::Name;
use crate::error::{ReadError, Result};
use crate::explain::Explanation;
use crate::formats::FormatSpec;
use crate::lines::Line;
use crate::normal::{LogPlan, Normaliser};
use crate::pass::{LineReader, Pass};
use crate::reporter::{Reporter, quoted};

/// The most comment lines that are kept as notes.
const NOTES: usize = 50;

/// The most bytes that are kept of a note.
const NOTE: usize = 1000;

pub(super) fn read(pass: &mut Pass<'_>, mapping: &Mapping, format: &'static FormatSpec) -> Result<Header> {
    let clock = LocalClock::new(pass.options.zone, mapping.facts.zone);
    let plan = LogPlan {
        header: mapping.facts.header.clone(),
        zone: Some(clock.zone()),
        further_queues: mapping.facts.queues.clone(),
        relative: mapping.facts.zero == Zero::Own,
        ..LogPlan::default()
    };
    let mut normaliser = Normaliser::new(plan);
    let mut handles = Vec::new();
    for (resource, capacity) in &mapping.resources {
        let handle = normaliser.column(&resource.name, &resource.unit, resource.scope);
        if let Some(column) = normaliser.columns().get_mut(handle) {
            column.capacity = *capacity;
        }
        handles.push(handle);
    }
    let columns = mapping.columns.clone();
    let mut targets = columns.iter().flat_map(|column| &column.targets);
    let memory = targets.find(|target| matches!(target.to, To::Memory(_)) && target.resource.is_some());
    let memory = memory.and_then(|target| target.resource).map(|at| handles[at]);
    let locations = columns
        .iter()
        .map(|column| column.pattern.as_ref().map(regex_lite::Regex::capture_locations))
        .collect();
    let filler = Filler { layout: &mapping.layout, zero: mapping.facts.zero, columns, handles, memory };
    let mut table = Table {
        mapping,
        filler,
        scratch: Scratch { locations, ..Scratch::default() },
        cells: LineCells::default(),
        normaliser,
        clock,
        gpu: None,
        constraint: None,
        heading: None,
        names: Vec::new(),
        skipped: 0,
        format,
        jobs: 0,
        odd: 0,
    };
    pass.lines(&mut table)?;
    let (odd, jobs) = (table.odd, table.jobs);
    if pass.options.mapping.is_none() && odd > jobs - odd {
        let why = format!("{odd} of its {jobs} lines of jobs have another number of columns");
        return Err(not_table(&pass.reporter, format, why));
    }
    pass.finish(table.normaliser, Some(&table.clock), format, "it has no line of jobs")
}

struct Table<'m> {
    mapping: &'m Mapping,
    filler: Filler<'m>,
    scratch: Scratch,
    cells: LineCells,
    normaliser: Normaliser,
    clock: LocalClock,
    /// The further column for GPUs, once a job has requested some.
    gpu: Option<usize>,
    /// The further column for constraints, once a job has one.
    constraint: Option<usize>,
    heading: Option<Vec<u8>>,
    names: Vec<String>,
    skipped: u32,
    format: &'static FormatSpec,
    jobs: u64,
    /// Number of jobs with another number of columns than described.
    odd: u64,
}

impl LineReader for Table<'_> {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NO_JOB];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let layout = &self.mapping.layout;
        if self.skipped < layout.skip {
            self.skipped += 1;
            return Ok(());
        }
        if layout.is_comment(line.bytes) {
            if self.normaliser.is_empty() {
                self.note(line.bytes);
            }
            return Ok(());
        }
        self.cells.split(line.bytes, layout.separator, layout.quoted);
        if self.cells.open {
            reporter.report(&kinds::OPEN_QUOTE, line, line.bytes, |text| text)?;
        }
        if layout.heading {
            match &self.heading {
                None => return self.take_heading(line, reporter),
                Some(heading) if heading[..] == *line.bytes => {
                    return Ok(reporter.report(&kinds::HEADING_AGAIN, line, line.bytes, |text| text)?);
                }
                Some(_) => {}
            }
        }
        self.job(line, reporter, explained)
    }
}

impl Table<'_> {
    fn job(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let layout = &self.mapping.layout;
        let (count, fits) = (self.cells.len(), layout.allows(self.cells.len()));
        if !fits && layout.leave_out {
            return Ok(reporter.report_at(&kinds::LEFT_OUT, line.number, || columns(count))?);
        }
        let (filler, cells) = (&self.filler, &self.cells);
        let is_job = if fits { !filler.tells_other(line, cells) } else { filler.tells_job(line, cells) };
        if !is_job {
            return Ok(reporter.report(&kinds::NO_JOB, line, line.bytes, |text| text)?);
        }
        self.jobs += 1;
        self.odd += u64::from(!fits);
        let mut draft = self.filler.fill(line, &self.cells, &mut self.scratch, &mut self.clock, reporter)?;
        if !fits {
            reporter.report_at(&kinds::COLUMN_COUNT, line.number, || columns(count))?;
        }
        self.mapping.constants.iter().for_each(|constant| constant.apply(&mut draft));
        for (what, here, there) in draft.checks() {
            let Some((here, there)) = here.zip(there) else { continue };
            if here.ticks().abs_diff(there.ticks()) > Time::SECOND.ticks() as u64 {
                let detail = || format!("{what} {here} s, {there} s by the other columns");
                reporter.report_at(&kinds::CHECK_DIFFERS, line.number, detail)?;
            }
        }
        let mut entry = draft.entry(line.number, std::mem::take(&mut self.scratch.extra));
        for constant in &self.mapping.constants {
            let further = constant.resource.zip(constant.amount());
            entry.extra.extend(further.map(|(at, amount)| (self.filler.handles[at], amount)));
        }
        if self.scratch.gpus > 0 {
            let gpu = *self.gpu.get_or_insert_with(|| self.normaliser.column("gpu", "", ColumnScope::Pool));
            entry.extra.push((gpu, self.scratch.gpus));
        }
        if !self.scratch.constraint.is_empty() {
            let at = *self.constraint.get_or_insert_with(|| self.normaliser.named_column(CONSTRAINT));
            let number = self.normaliser.number(at, Name::of(&self.scratch.constraint));
            entry.extra.push((at, number));
        }
        self.normaliser.entry(&entry, reporter)?;
        self.scratch.extra = entry.extra;
        self.explain(line, explained);
        Ok(())
    }

    fn take_heading(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>) -> Result {
        self.heading = Some(line.bytes.to_vec());
        let text =
            |at| String::from_utf8_lossy(self.cells.get(line.bytes, at).unwrap_or_default()).into_owned();
        self.names = (0..self.cells.len()).map(text).collect();
        // Resolves a position; returns the name if the heading does not have it.
        let place = |at: &mut At| {
            let At::Name(name) = at else { return None };
            let Some(place) = self.names.iter().position(|known| known == name) else {
                return Some(name.clone());
            };
            *at = At::Place(place);
            None
        };
        let mut known = 0;
        for column in &mut self.filler.columns {
            for target in &mut column.targets {
                target.times.iter_mut().for_each(|at| drop(place(at)));
            }
            match place(&mut column.at) {
                Some(_) if column.optional => {}
                Some(name) => {
                    reporter.report_at(&kinds::MISSING_COLUMN, line.number, || format!("`{name}`"))?;
                }
                None => known += 1,
            }
        }
        if known == 0 {
            let why = format!("its heading has none of the columns: {}", quoted(line.bytes));
            return Err(not_table(reporter, self.format, why));
        }
        Ok(())
    }

    /// Keeps a comment before the first job as a note.
    fn note(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        // The comment sign is not part of the text, unless it is a word.
        let text = line.trim_ascii_start();
        let sign = text.iter().take_while(|byte| byte.is_ascii_punctuation()).count();
        let text = text[sign..].trim_ascii();
        let notes = &mut self.normaliser.plan().header.notes;
        if text.is_empty() || notes.len() >= NOTES {
            return;
        }
        notes.push(String::from_utf8_lossy(&text[..text.len().min(NOTE)]).into_owned());
    }

    fn explain(&self, line: &Line<'_>, explained: &mut Explanation) {
        let Some(explained) = explained.line(line.number) else { return };
        for at in 0..self.cells.len() {
            let text = self.cells.get(line.bytes, at).unwrap_or_default();
            let covers = |column: &&MappedColumn| match column.at {
                At::Place(place) => (place..place + column.span).contains(&at),
                At::Name(_) => false,
            };
            let column = self.filler.columns.iter().find(covers);
            let name = match (self.names.get(at), column) {
                (Some(name), _) => name.clone(),
                (None, Some(column)) => column.label.clone(),
                (None, None) => (at + 1).to_string(),
            };
            let to = column.map(|column| {
                let to = column.targets.iter().map(|target| match (&target.to, target.resource) {
                    (To::Memory(_), Some(_)) => format!("{}, memory", target.to),
                    (to, _) => to.to_string(),
                });
                to.collect::<Vec<_>>().join(", ")
            });
            explained.cell(name, text, to.unwrap_or_else(|| "not used".into()));
        }
    }
}

fn not_table(reporter: &Reporter<'_>, format: &'static FormatSpec, why: String) -> ReadError {
    let (name, looked_for) = (reporter.file.to_string(), format.looks_like);
    ReadError::NotFormat { name, format: format.name, why, looked_for }
}

fn columns(count: usize) -> String {
    format!("{count} {}", if count == 1 { "column" } else { "columns" })
}
