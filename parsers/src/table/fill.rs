//! Fills a draft from the cells of a line.

use batchlab_traces::notation::Bound;
use batchlab_traces::{Refusal, Time};
use regex_lite::CaptureLocations;

use super::draft::Draft;
use super::kinds;
use super::mapping::{At, LineFormat, MappedColumn, Per, TextForm, TextTarget, Zero};
use super::nodespec::node_spec;
use super::read::Said;
use super::split::LineCells;
use super::target::To;
use super::time_format::Instant;
use crate::clock::LocalClock;
use crate::entry::Name;
use crate::lines::Line;
use crate::normal::{LARGEST_IDENTITY, Names, WORDS};
use crate::reporter::Reporter;

/// The rules for filling drafts, shared by a whole log.
pub(super) struct Filler<'m> {
    pub(super) layout: &'m LineFormat,
    pub(super) zero: Zero,
    pub(super) columns: Vec<MappedColumn>,
    /// Handles of the normaliser's further columns, in the order of the mapping's.
    pub(super) handles: Vec<usize>,
    /// The further column for the memory of whole jobs, if there is one.
    pub(super) memory: Option<usize>,
}

/// Buffers that are reused for each line.
#[derive(Default)]
pub(super) struct Scratch {
    /// Positions of the groups in each column's pattern.
    pub(super) locations: Vec<Option<CaptureLocations>>,
    /// Further columns of the line.
    pub(super) extra: Vec<(usize, i64)>,
    pub(super) constraint: Vec<u8>,
    pub(super) gpus: i64,
    /// The jobs whose numbers are words, or too large to be kept.
    pub(super) jobs: WordJobs,
}

/// Numbers for jobs that a table names by words.
pub(super) struct WordJobs(Names);

impl Default for WordJobs {
    fn default() -> WordJobs {
        WordJobs(Names::new(&[("", WORDS)], false))
    }
}

impl WordJobs {
    /// Returns the number of a job that is not written as a plain number; `None` if the text names none.
    fn number(&mut self, text: &[u8]) -> Option<i64> {
        let plain =
            batchlab_traces::notation::whole(text).filter(|number| (0..=LARGEST_IDENTITY).contains(number));
        let is_word = || !text.starts_with(b"-") && text.iter().any(u8::is_ascii_alphanumeric);
        plain.or_else(|| is_word().then(|| self.0.number(Name::Text(text))))
    }
}

impl Filler<'_> {
    pub(super) fn fill<'a>(
        &'a self,
        line: &'a Line<'_>,
        cells: &'a LineCells,
        scratch: &mut Scratch,
        clock: &mut LocalClock,
        reporter: &mut Reporter<'_>,
    ) -> Result<Draft<'a>, Refusal> {
        let mut draft = Draft::default();
        scratch.extra.clear();
        scratch.constraint.clear();
        scratch.gpus = 0;
        let Scratch { locations, extra, constraint, gpus, jobs } = scratch;
        for (column, locations) in self.columns.iter().zip(locations) {
            let At::Place(at) = column.at else { continue };
            if !column.used {
                continue;
            }
            let Some(text) = cells.run(line.bytes, at, column.span) else { continue };
            let matched = matches(column, text, locations);
            if !matched && !column.targets.iter().all(|target| target.group.is_none()) && !text.is_empty() {
                let detail = |text: String| format!("{text} in column `{}`", column.label);
                reporter.report(&kinds::NO_MATCH, line, text, detail)?;
            }
            let mut told = false;
            for target in &column.targets {
                let groups = locations.as_ref().filter(|_| matched);
                let Some(part) = part(target.group, text, groups) else { continue };
                let said = target.read(part, line.bytes, cells, self.layout.comma);
                let mut sink = Sink { draft: &mut draft, extra, constraint, gpus, handles: &self.handles };
                let detail = |text: String| format!("{text} as {} in column `{}`", target.to, column.label);
                match said {
                    // A cell with several destinations is reported once.
                    Said::Garbage | Said::Word if told => {}
                    Said::Garbage if target.to == To::Job && jobs.number(part).is_some() => {
                        sink.draft.number = jobs.number(part);
                        if sink.draft.number != batchlab_traces::notation::whole(part) {
                            reporter.report(&kinds::NAMED_JOB, line, part, detail)?;
                        }
                    }
                    Said::Garbage => {
                        told = true;
                        reporter.report(&kinds::BAD_CELL, line, part, detail)?;
                    }
                    Said::Word => {
                        told = true;
                        reporter.report(&kinds::UNKNOWN_WORD, line, part, detail)?;
                    }
                    Said::Instant(instant) => {
                        let time = self.time(instant, line, part, clock, reporter)?;
                        if let Some(time) = time {
                            sink.instant(target, time);
                        }
                    }
                    Said::Text(text) if target.to == To::NodeSpec => {
                        if !sink.node_spec(target, text) {
                            reporter.report(&kinds::BAD_CELL, line, part, detail)?;
                        }
                    }
                    said => sink.value(target, said),
                }
            }
        }
        draft.settle();
        if let (Some(at), Some(total)) = (self.memory, draft.total_memory()) {
            extra.push((at, total));
        }
        Ok(draft)
    }

    /// Returns an instant of a cell; `None` if its zone is unclear, which is reported.
    fn time(
        &self,
        instant: Instant,
        line: &Line<'_>,
        cell: &[u8],
        clock: &mut LocalClock,
        reporter: &mut Reporter<'_>,
    ) -> Result<Option<Time>, Refusal> {
        Ok(Some(match (instant, self.zero) {
            (Instant::Read(stamp), _) => clock.instant(stamp, line.number, reporter)?,
            (Instant::Counted(micros), Zero::At(zero)) => Time::from_ticks(micros.saturating_add(zero)),
            (Instant::Counted(micros), _) => Time::from_ticks(micros),
            (Instant::Zoned(micros, zone), _) => {
                let time = clock.instant_called(micros, zone);
                if time.is_none() {
                    let detail = |text: String| format!("`{}` of {text}", zone.letters());
                    reporter.report(&kinds::ZONE_UNCLEAR, line, cell, detail)?;
                }
                return Ok(time);
            }
        }))
    }

    pub(super) fn tells_job(&self, line: &Line<'_>, cells: &LineCells) -> bool {
        self.identities(line, cells).any(|said| matches!(said, Some(Said::Number(_) | Said::Instant(_))))
    }

    /// Whether the cells of a line give neither a job number nor a time, and some of them is missing or of another form: not only
    /// marked unknown.
    pub(super) fn tells_other(&self, line: &Line<'_>, cells: &LineCells) -> bool {
        let is_other = |said| matches!(said, Some(Said::Garbage | Said::Word) | None);
        !self.tells_job(line, cells) && self.identities(line, cells).any(is_other)
    }

    /// Returns the readings of the job-number and time columns; `None` if the line has no such column.
    fn identities<'a>(
        &'a self,
        line: &'a Line<'_>,
        cells: &'a LineCells,
    ) -> impl Iterator<Item = Option<Said<'a>>> {
        self.columns.iter().flat_map(move |column| {
            let place = if let At::Place(at) = column.at { Some(at) } else { None };
            let text = place.and_then(|at| cells.run(line.bytes, at, column.span));
            let tells = |target: &&TextTarget| {
                matches!(target.to, To::Job | To::Instant(_)) && target.group.is_none()
            };
            let comma = self.layout.comma;
            let read = move |target: &'a TextTarget| Some(target.read(text?, line.bytes, cells, comma));
            // A column missing from the heading is not a problem of the line.
            let targets = if place.is_some() { &column.targets[..] } else { &[] };
            targets.iter().filter(tells).map(read)
        })
    }
}

/// Whether a column has a pattern that matches; keeps the positions of its groups.
fn matches(column: &MappedColumn, text: &[u8], locations: &mut Option<CaptureLocations>) -> bool {
    let (Some(pattern), Some(locations)) = (&column.pattern, locations) else { return false };
    std::str::from_utf8(text).is_ok_and(|text| pattern.captures_read(locations, text).is_some())
}

/// Returns what a target takes of a cell: all, or a group of the pattern that the cell matches.
fn part<'a>(group: Option<usize>, text: &'a [u8], groups: Option<&CaptureLocations>) -> Option<&'a [u8]> {
    let Some(group) = group else { return Some(text) };
    groups?.get(group).map(|(from, to)| &text[from..to])
}

/// Receives the values of a line.
struct Sink<'s, 'a> {
    draft: &'s mut Draft<'a>,
    extra: &'s mut Vec<(usize, i64)>,
    constraint: &'s mut Vec<u8>,
    gpus: &'s mut i64,
    handles: &'s [usize],
}

impl<'a> Sink<'_, 'a> {
    fn instant(&mut self, target: &TextTarget, time: Time) {
        if let To::Instant(event) = target.to {
            // Beyond this bound, sums of times overflow.
            let bounded =
                Some(time).filter(|&time| time < Time::FARTHEST && Time::ZERO - Time::FARTHEST < time);
            *self.draft.instant(event) = bounded;
        }
    }

    fn value(&mut self, target: &TextTarget, said: Said<'a>) {
        let draft = &mut *self.draft;
        let per = match target.form {
            TextForm::Length(_, per) | TextForm::Memory(_, per) => per,
            _ => Per::Processor,
        };
        match (&target.to, said) {
            (_, Said::Never) => draft.never_started = true,
            (_, Said::State { status, waiting }) => {
                draft.status = Some(status);
                draft.never_started |= waiting;
            }
            (To::Name(at), Said::Text(text)) => draft.names[*at] = Name::of(text),
            (To::Constraint, Said::Text(text)) => self.constraint.extend_from_slice(text),
            (To::Job, Said::Number(number)) => draft.number = Some((number / 1_000_000) as i64),
            (To::Length(span), Said::Number(number)) => {
                if let Some(time) = length(number) {
                    draft.length(*span, time, per);
                }
            }
            (_, Said::Unlimited) => draft.requested_time = Some(Bound::Unlimited),
            (To::Check(check), Said::Number(number)) => *draft.check(*check) = length(number),
            (To::Procs(procs), Said::Number(number)) => *draft.procs(*procs) = Some(whole(number)),
            (To::Memory(memory), Said::Number(number)) => *draft.memory(*memory) = Some((number, per)),
            (To::Resource(resource), Said::Number(number)) => {
                let amount = whole(number);
                if resource.name == "nodes" {
                    draft.nodes = Some(amount);
                }
                self.extra.extend(target.resource.map(|at| (self.handles[at], amount)));
            }
            _ => {}
        }
    }

    /// Takes a node specification; returns whether the text is one.
    fn node_spec(&mut self, target: &TextTarget, text: &[u8]) -> bool {
        let (Some(spec), Some(at)) = (node_spec(text), target.resource) else { return false };
        self.draft.nodes = Some(spec.nodes);
        self.extra.push((self.handles[at - 2], spec.nodes));
        self.extra.extend(spec.ppn.map(|ppn| (self.handles[at - 1], ppn)));
        self.extra.push((self.handles[at], spec.exclusive.into()));
        *self.gpus = spec.gpus;
        *self.constraint = spec.constraint;
        true
    }
}

/// Rounds up to whole units; the range was checked when the number was read.
fn whole(micro: i128) -> i64 {
    super::amount::whole_up(micro) as i64
}

fn length(micro: i128) -> Option<Time> {
    let farthest = i128::from(Time::FARTHEST.ticks());
    (micro.abs() < farthest).then(|| Time::from_ticks(micro as i64))
}
