use std::fmt;

use batchlab_support::journal::Why;
use batchlab_traces::Time;
use batchlab_traces::number::counted;

use batchlab_traces::workload::Milestone;

use super::{Awaited, Ending, Explanation, Holder, Lost, Obstacle, Overtaker};
use crate::schedule::NodeList;
use crate::schedule::occurrence::{InstantDisplay, Length, Occurrence};

/// The most overtaking jobs that are listed individually.
const LISTED: usize = 10;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wait, until) = (self.start - self.submit, self.start);
        write!(
            f,
            "job {}: {}, estimate {} s; submitted at {} s, ",
            self.number,
            counted(self.procs, "processor"),
            self.estimate,
            self.submitted
        )?;
        if self.submitted < self.submit {
            write!(f, "eligible at {} s, ", self.submit)?;
        }
        match self.ending {
            Ending::Started => {
                writeln!(f, "started at {until} s after a wait of {wait} s")?;
                writeln!(f, "started because {}", Reason(self.why))?;
            }
            Ending::Rejected("") => writeln!(f, "turned away at {until} s; the policy gave no reason")?,
            Ending::Rejected(reason) => writeln!(f, "turned away at {until} s: {reason}")?,
            Ending::Cancelled => writeln!(f, "cancelled by its user at {until} s, while it waited")?,
            Ending::Stopped => {
                writeln!(f, "still waiting after {wait} s, when the replay was stopped at {until} s")?;
            }
            Ending::Later => return write!(f, "after the stop of the replay"),
        }
        if !self.nodes.is_empty() {
            writeln!(f, "on nodes (node:processors) {}", NodeList(&self.nodes))?;
        }
        self.write_awaited(f)?;
        let found = &self.found;
        writeln!(
            f,
            "on arrival: {} running, {} free, {} with {} waiting",
            counted(found.running, "job"),
            counted(found.free, "processor"),
            counted(found.waiting, "job"),
            counted(found.waiting_procs, "processor")
        )?;
        if let Some(drawing) = &self.drawing {
            writeln!(f, "the matrix from then on, slices from 0, jobs by processor, a prime for a replica:")?;
            drawing.lines().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        for Lost { from, to, event } in &self.lost {
            write!(f, "ran from {from} s to {to} s, and lost its work")?;
            match event {
                Some(event) => writeln!(f, " to {}", event.words(InstantDisplay(self.calendar)))?,
                None => writeln!(f)?,
            }
        }
        self.write_obstacles(f)?;
        for Holder { number, procs, time } in &self.holders {
            writeln!(f, "  meanwhile job {number} held {} for {time} s", counted(*procs, "processor"))?;
        }
        write!(f, "{}", self.preemptions)?;
        self.write_promises(f)?;
        self.write_overtakers(f)
    }
}

impl Explanation {
    fn events(&self, events: &[Occurrence]) -> String {
        let words: Vec<String> =
            events.iter().map(|event| event.words(InstantDisplay(self.calendar))).collect();
        words.join(", and ")
    }

    fn write_obstacles(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (obstacle, time) in &self.kept_by {
            match obstacle {
                Obstacle::Constraint => self.write_constraint(f, *time)?,
                Obstacle::Limit(limit) => {
                    let limit = self.limits.get(limit).map_or("a limit", String::as_str);
                    writeln!(f, "held back {} by {limit}", Length(*time))?;
                }
                Obstacle::OutOfService(events) => writeln!(
                    f,
                    "waited {} while too little was in service for it: {}",
                    Length(*time),
                    self.events(events)
                )?,
                Obstacle::Foreseen(events) => writeln!(
                    f,
                    "waited {} for {}: it fitted, and by its estimate it would not have ended before",
                    Length(*time),
                    self.events(events)
                )?,
                Obstacle::NoRoom => writeln!(f, "{time} s: too little was free for it")?,
                Obstacle::Scattered => {
                    writeln!(
                        f,
                        "{time} s: enough was free for it, and not on nodes that could take its tasks"
                    )?;
                }
                Obstacle::HeldBack => {
                    writeln!(
                        f,
                        "{time} s: it would have fitted; the room was kept for the queue order or a reservation"
                    )?;
                }
            }
        }
        Ok(())
    }

    fn write_awaited(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (awaited, time) in &self.awaited {
            write!(f, "waited {} ", Length(*time))?;
            match *awaited {
                Awaited::Job { number, milestone, delay, is_any } => {
                    let which =
                        if is_any { "one of the jobs on which it depends" } else { "on which it depends" };
                    let did = match (milestone, delay.ticks()) {
                        (Milestone::Start, 0) => "started",
                        (Milestone::End, 0) => "ended",
                        (Milestone::Start, _) => "had started",
                        (Milestone::End, _) => "had ended",
                    };
                    f.write_str("until ")?;
                    if delay.ticks() > 0 {
                        write!(f, "{} after ", Length(delay))?;
                    }
                    writeln!(f, "job {number}, {which}, {did}")?;
                }
                Awaited::Throttle { at_most } => writeln!(
                    f,
                    "for the throttle of its array, which lets {} in at a time",
                    counted(at_most, "task")
                )?,
            }
        }
        Ok(())
    }

    fn write_constraint(&self, f: &mut fmt::Formatter<'_>, time: Time) -> fmt::Result {
        let single =
            |text: &&str| text.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
        let nodes = match self.constraint.as_deref() {
            Some(feature) if single(&feature) => format!("with the feature {feature}"),
            Some(constraint) => format!("that meets {constraint}"),
            None => "of its partition".into(),
        };
        let (had, what) = if self.is_one_task { ("no node", "it") } else { ("too few nodes", "its tasks") };
        let nodes = if self.is_one_task { nodes } else { nodes.replace("that meets", "that meet") };
        writeln!(f, "waited {}: {had} {nodes} had room for {what}", Length(time))
    }

    fn write_promises(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(last)) = (self.promises.first(), self.promises.last()) else {
            return writeln!(f, "it was promised no start");
        };
        write!(f, "promised at {} s to start by {} s", first.0, first.1)?;
        if self.promises.len() > 1 {
            write!(
                f,
                "; {} times another start, in the end, at {} s, by {} s",
                self.promises.len() - 1,
                last.0,
                last.1
            )?;
        }
        if self.ending != Ending::Started {
            return writeln!(f);
        }
        let late = self.start - first.1;
        match late.ticks() {
            0 => writeln!(f, "; it started then"),
            1.. => writeln!(f, "; it started {late} s later than first promised"),
            _ => writeln!(f, "; it started {} s earlier than first promised", first.1 - self.start),
        }
    }

    fn write_overtakers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "overtaken by {} submitted later", counted(self.overtakers.len(), "job"))?;
        for overtaker in self.overtakers.iter().take(LISTED) {
            let Overtaker { number, procs, estimate, start, why } = overtaker;
            write!(
                f,
                "\n  job {number} at {start} s: {}, estimate {estimate} s: {}",
                counted(*procs, "processor"),
                Reason(*why)
            )?;
        }
        if self.overtakers.len() > LISTED {
            write!(f, "\n  and {} more", self.overtakers.len() - LISTED)?;
        }
        Ok(())
    }
}

/// A rule in words, to follow "because" or a colon.
struct Reason(Why);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Why::Unstated => f.write_str("the policy gave no reason"),
            Why::Head => f.write_str("it was first in the queue and fitted"),
            Why::FirstFit => f.write_str("it fitted, and nothing is reserved"),
            Why::EndsByShadow { shadow } => {
                write!(f, "it fitted and was expected to end by the head's shadow time, {shadow} s")
            }
            Why::Extra { shadow } => {
                write!(
                    f,
                    "it fitted into the processors that the head would not need at its shadow time, {shadow} s"
                )
            }
            Why::Profile => f.write_str("the profile of reservations had room for it from then on"),
            Why::Reserved => f.write_str("its reservation fell due"),
            Why::Kept => f.write_str("it fitted into the reservation that the calendar keeps for its class"),
            Why::Suspending => f.write_str("jobs of lower priority were suspended for it"),
            Why::Lent => f.write_str("it fitted into what suspended jobs of lower tiers had given back"),
            Why::WithinSlack => f.write_str("it fitted, and in the plan it delayed no job beyond its slack"),
        }
    }
}
