//! The changes of a calendar file, resolved for a machine and a log.

use super::file::{Announced, CalendarEvent, OutOfService};
use super::outages::Instant;
use super::overlaps::disjoint;
use super::{
    AdvanceReservation, CalendarError, CalendarFile, CapacityCalendar, Closure, EventTime, Foresight,
    KeptFor, StatedEvent,
};
use crate::class::{JobClass, NO_CLASS};
use crate::machine::{Fit, Machine};
use crate::nearest::{meant, nearest};
use crate::{Calendar, Example, Findings, Provenance, Refusal, SourcePlace, Time, Trace, Workload, kinds};

kinds! {
    PAST_EVENT: Note "calendar-beside-log",
        "{closure|closures} that {ends|end} before the first submission or {begins|begin} after the last",
        "{it|they} can change little or nothing",
        "compare the calendar's times with the period of the log (`batchlab info LOG`); texts are on the site's \
         clock, numbers are seconds from the log's zero";
    IDLE_RESERVATION: Note "reservation-idle",
        "{reservation|reservations} for jobs of which the log has none",
        "nothing starts in {it|them}",
        "compare the names and numbers with those of `batchlab info LOG`";
    BEYOND_CALENDAR: Warning "job-beyond-calendar",
        "{job|jobs} submitted when less is left of the machine for good than {it needs|they need}",
        "dropped",
        "give the calendar's event an end (`to`), or leave the jobs out with a `filter` step";
}

pub(super) const MOST: usize = 1_000_000;

/// Why a calendar does not suit a log or a machine.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    #[error(transparent)]
    File(#[from] CalendarError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("each of the {0} jobs is too large for what the calendar leaves of the machine")]
    NoJobs(usize),
}

impl CalendarFile {
    /// Resolves the events for a machine and a log, and drops the jobs that could never start because of events without an end.
    ///
    /// # Errors
    /// When a node or a resource does not exist, a time cannot be determined, an event ends before it begins, or strict
    /// reading refuses a finding.
    pub fn apply(
        &self,
        workload: Workload,
        trace: &Trace,
        machine: &Machine,
        foresight: Foresight,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<(Workload, CapacityCalendar), Unsuited> {
        let calendar = workload.meanings().calendar;
        let first = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        let last = workload.jobs().last().map_or(Time::ZERO, |job| workload.submit(job));
        let mut all: Vec<(Closure, SourcePlace)> = Vec::new();
        let mut reservations = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let parts = event.part.amounts(machine, event.holders.is_some())?;
            let reservation = match &event.holders {
                None => None,
                Some(class) => {
                    reservations.push(reservation(class, &workload, trace, findings)?);
                    Some(reservations.len() - 1)
                }
            };
            for (from, to) in event.intervals(calendar.as_ref(), last)? {
                if to <= first || from > last {
                    findings.report(&PAST_EVENT, || Example::at(&event.place, format!("from {from} s")))?;
                }
                let known = match event.announced {
                    Announced::Never => Time::MAX,
                    Announced::AtFirst => Time::from_ticks(i64::MIN),
                    Announced::Before(length) => from - length,
                };
                let evicted = event.evicted;
                let kept_for = reservation.map(|reservation| KeptFor { reservation, until: to });
                all.extend(parts.iter().map(|(node, amounts)| {
                    let (node, amounts) = (*node, amounts.clone());
                    let event_time = EventTime { index, from, to };
                    let closure =
                        Closure { from, to, node, amounts, evicted, known, kept_for, event: event_time };
                    (closure, event.place.clone())
                }));
                if all.len() > MOST {
                    return Err(CalendarError { place: event.place.clone(), what: too_many() }.into());
                }
            }
        }
        let stated = |event: &CalendarEvent| StatedEvent { kind: event.kind, place: event.place.clone() };
        let mut events: Vec<StatedEvent> = self.events.iter().map(stated).collect();
        for log in &self.logs {
            all.extend(log.closures(machine, calendar.as_ref(), (first, last), &mut events, findings)?);
        }
        let closures = disjoint(all, machine, findings)?;
        let calendar = CapacityCalendar { closures, reservations, foresight, events };
        let workload = calendar.without_misfits(workload, trace, machine, findings, provenance)?;
        Ok((workload, calendar))
    }
}

fn reservation(
    class: &JobClass,
    workload: &Workload,
    trace: &Trace,
    findings: &mut Findings,
) -> Result<AdvanceReservation, Unsuited> {
    let classes = class.of_jobs(workload, trace)?;
    let holders: Vec<bool> = classes.iter().map(|&class| class != NO_CLASS).collect();
    if !holders.contains(&true) {
        findings.report(&IDLE_RESERVATION, || Example::at(&class.place, class.words.clone()))?;
    }
    Ok(AdvanceReservation::new(holders, class.words.clone()))
}

impl CapacityCalendar {
    /// Drops jobs that are submitted after all closures without an end have begun, and that do not fit what these closures
    /// leave of the machine.
    fn without_misfits(
        &self,
        workload: Workload,
        trace: &Trace,
        machine: &Machine,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<Workload, Unsuited> {
        let forever = |closure: &&Closure| closure.to == Time::MAX;
        let Some(begin) = self.closures.iter().filter(forever).map(|closure| closure.from).max() else {
            return Ok(workload);
        };
        let mut left: Vec<Vec<i64>> =
            (0..machine.nodes()).map(|node| machine.capacity(node).to_vec()).collect();
        for closure in self.closures.iter().filter(forever) {
            for (left, out) in left[closure.node].iter_mut().zip(&closure.amounts) {
                *left -= out;
            }
        }
        let fit = Fit::of_rest(machine, left.into());
        let misfit = |job| {
            let takes = |node| workload.admits(machine, job, node);
            workload.submit(job) >= begin
                && fit.misfit(workload.demand(job), &workload.layout(job), takes).is_some()
        };
        let drops: Vec<bool> = workload.jobs().map(misfit).collect();
        let dropped = drops.iter().filter(|&&dropped| dropped).count();
        if dropped == 0 {
            return Ok(workload);
        }
        for (job, _) in workload.jobs().zip(&drops).filter(|(_, dropped)| **dropped) {
            let detail = || format!("job {}: {} processors", workload.number(job), workload.procs(job));
            let place = trace.place(workload.row(job));
            findings.report(&BEYOND_CALENDAR, || Example::at(&place, detail()))?;
        }
        provenance.step("calendar", "jobs too large for what is left of the machine dropped", dropped as u64);
        if dropped == workload.len() {
            return Err(Unsuited::NoJobs(dropped));
        }
        Ok(workload.without(&drops))
    }
}

impl OutOfService {
    /// Returns what goes out of service on each node. A reservation of processors of a pool keeps the same share of every
    /// other resource, rounded down, so that its jobs take nothing from the others.
    fn amounts(&self, machine: &Machine, is_kept: bool) -> Result<Vec<(usize, Vec<i64>)>, CalendarError> {
        let whole = |node: usize| (node, machine.amounts(node));
        match self {
            OutOfService::Machine => Ok((0..machine.nodes()).map(whole).collect()),
            OutOfService::Nodes(ranges, place) => {
                let wrong = |what: String| CalendarError { place: place.clone(), what };
                if machine.is_pool() {
                    return Err(wrong(
                        "the machine is a pool, which has no nodes: give `procs = N`, or nodes with --nodes N or \
                         --machine FILE"
                            .into(),
                    ));
                }
                let mut nodes = Vec::new();
                for &(first, last) in ranges {
                    if last >= machine.nodes() {
                        let most = machine.nodes() - 1;
                        return Err(wrong(format!(
                            "node {last} does not exist: the machine has nodes 0 to {most}"
                        )));
                    }
                    nodes.extend(first..=last);
                }
                nodes.sort_unstable();
                nodes.dedup();
                Ok(nodes.into_iter().map(whole).collect())
            }
            OutOfService::Amount(name, amount, place) => {
                let wrong = |what: String| CalendarError { place: place.clone(), what };
                let Some(kind) = machine.resource(name).or((name == "procs").then_some(0)) else {
                    let names = machine.resources().iter().map(|resource| resource.name.as_str());
                    let meant = meant(nearest(name, names.clone()));
                    let names: Vec<&str> = names.collect();
                    return Err(wrong(format!(
                        "the machine has no resource `{name}`{meant}; it has {}",
                        names.join(", ")
                    )));
                };
                if !machine.is_pool() {
                    return Err(wrong(format!(
                        "the machine has nodes: give `nodes`; an amount of {name} over all nodes has no place"
                    )));
                }
                if *amount > machine.total(kind) {
                    let has = machine.total(kind);
                    return Err(wrong(format!(
                        "the machine has {has} {name}, and {amount} cannot go out of service"
                    )));
                }
                if is_kept && kind > 0 {
                    return Err(wrong(format!(
                        "a reservation keeps `procs` or `nodes`; jobs that need no {name} would wait for nothing: give \
                         kind = \"capacity\" for a cap on {name}"
                    )));
                }
                let share =
                    |total: i64| i128::from(total) * i128::from(*amount) / i128::from(machine.procs());
                let mut amounts = vec![0; machine.kinds()];
                if is_kept {
                    amounts = machine.capacity(0).iter().map(|&total| share(total) as i64).collect();
                }
                amounts[kind] = *amount;
                Ok(vec![(0, amounts)])
            }
        }
    }
}

impl CalendarEvent {
    /// Returns the beginning and the end of each occurrence.
    fn intervals(&self, calendar: Option<&Calendar>, last: Time) -> Result<Vec<(Time, Time)>, CalendarError> {
        let at = |(instant, place): &(Instant, SourcePlace), later: i64| instant.time(later, calendar, place);
        let until = match &self.until {
            Some(until) => at(until, 0)?,
            None => last,
        };
        let mut intervals = Vec::new();
        let mut later = 0;
        loop {
            let from = at(&self.from, later)?;
            let to = self.to.as_ref().map_or(Ok(Time::MAX), |to| at(to, later))?;
            if to <= from {
                let place = self.to.as_ref().map_or(&self.place, |(_, place)| place).clone();
                let what = if to == from {
                    "the event ends when it begins"
                } else {
                    "the event ends before it begins"
                };
                return Err(CalendarError { place, what: what.into() });
            }
            if let Some((_, place)) = self.until.as_ref().filter(|_| later == 0 && until < from) {
                let what = "`until` is before the event first begins: events that recur begin up to then";
                return Err(CalendarError { place: place.clone(), what: what.into() });
            }
            if later > 0 && from > until {
                return Ok(intervals);
            }
            intervals.push((from, to));
            let Some(every) = self.every else { return Ok(intervals) };
            if self.to.is_none() {
                let what = "the event recurs and has no `to`: give the end of its first time";
                return Err(CalendarError { place: self.place.clone(), what: what.into() });
            }
            if to - from > every {
                let what = "the event recurs before it is over: give a shorter time from `from` to `to`, or a longer \
                            `every`";
                return Err(CalendarError { place: self.place.clone(), what: what.into() });
            }
            if intervals.len() > MOST {
                return Ok(intervals);
            }
            // Recurring events follow the site's clock through daylight saving.
            later += every.ticks() / Time::SECOND.ticks();
        }
    }
}

/// Describes a calendar that is too long.
pub(super) fn too_many() -> String {
    format!("the calendar has more than {MOST} closures of nodes; limit `every` by `until`")
}
