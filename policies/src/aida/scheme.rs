//! The common parts of the schemes: a queue, sorted or not, and the jobs tried at each decision.

use batchlab_traces::{Citation, Time};

use super::line::{SortedQueue, Sorting};
use crate::event::Event;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{Build, BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting};
use crate::support::hosts::{Hosts, PLACE};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::starts::{free_in_all, start_now};
use crate::support::wait_limit::{WAITLIMIT, WaitLimit};
use crate::tally;
use crate::turn::Turn;

/// Returns the registry entry of a scheme that searches behind a job that does not fit.
pub const fn spec(name: &'static str, summary: &'static str, rule: &'static str, build: Build) -> PolicySpec {
    with(name, summary, rule, &[WAITLIMIT, RESCAN, PLACE], build)
}

/// Returns the registry entry of a scheme that serves only the head of its queue.
pub const fn head_spec(
    name: &'static str,
    summary: &'static str,
    rule: &'static str,
    build: Build,
) -> PolicySpec {
    with(name, summary, rule, &[WAITLIMIT, IDLE_RESCAN, PLACE], build)
}

const fn with(
    name: &'static str,
    summary: &'static str,
    rule: &'static str,
    params: &'static [ParamSpec],
    build: Build,
) -> PolicySpec {
    PolicySpec {
        name,
        family: "Aida 1998",
        summary,
        cite: Citation::of("Aida, Kasahara, Narita, JSSPP 1998", &["aida98"]),
        rule,
        params,
        needs: Needs::NONE,
        build,
    }
}

const RESCAN: ParamSpec = ParamSpec {
    name: "rescan",
    kind: ParamKind::Choice(&["true", "false"]),
    default: "true",
    help: "false: a search passes over the job behind one that it starts, as Figure 10 does; it then begins \
        again",
    ..ParamSpec::PLAIN
};

const IDLE_RESCAN: ParamSpec = ParamSpec {
    kind: ParamKind::Idle(&["true", "false"]),
    help: "no effect: only the head of the queue is tried, so no search passes over a job; accepted for all schemes",
    ..RESCAN
};

/// One of the schemes of Table 1.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    sorting: Sorting,
    /// Whether jobs behind one that does not fit are tried.
    searches: bool,
}

impl Scheme {
    pub const MPFS: Scheme = Scheme { sorting: Sorting::MostFirst, searches: false };
    pub const LPFS: Scheme = Scheme { sorting: Sorting::LeastFirst, searches: false };
    pub const FPFS: Scheme = Scheme { sorting: Sorting::Arrival, searches: true };
    pub const FPMPFS: Scheme = Scheme { sorting: Sorting::MostFirst, searches: true };
    pub const FPLPFS: Scheme = Scheme { sorting: Sorting::LeastFirst, searches: true };
}

/// Creates the policy that follows a scheme.
pub fn build(scheme: Scheme, params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    for_kinds(setting, &Make { scheme, params })
}

struct Make<'a> {
    scheme: Scheme,
    params: &'a Params,
}

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(Box::new(Dispatcher::<K> {
            line: SortedQueue::new(self.scheme.sorting),
            limit: WaitLimit::from_params(self.params, WAITLIMIT.name, setting)?,
            searches: self.scheme.searches,
            skips: !self.params.is_on(&RESCAN)?,
            hosts: setting.by_node.then(|| Hosts::from_params(self.params)).transpose()?,
            settled: None,
        }))
    }
}

struct Dispatcher<const K: usize> {
    line: SortedQueue<K>,
    limit: WaitLimit,
    searches: bool,
    skips: bool,
    hosts: Option<Hosts>,
    /// The instant of the last decision.
    settled: Option<Time>,
}

impl<const K: usize> Policy for Dispatcher<K> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.settle(turn);
        if !self.searches {
            return self.start_heads(turn);
        }
        while self.search(turn)? && self.skips {}
        Ok(())
    }
}

impl<const K: usize> Dispatcher<K> {
    /// Inserts the jobs that have arrived since the last decision.
    fn settle(&mut self, turn: &Turn<'_>) {
        let now = turn.now();
        for &event in turn.events() {
            match event {
                Event::Submitted(job) | Event::Displaced(job) => {
                    let view = turn.job(job);
                    // If decisions come later than arrivals, a job takes its place as of its arrival; a job
                    // that was submitted earlier but held back takes its place now.
                    let arrived_since = self.settled.is_none_or(|settled| view.submit() > settled);
                    let arrival = if arrived_since { view.submit() } else { now };
                    self.line.age(arrival, |job| turn.job(job));
                    let due = self.limit.reached(view, view.estimate());
                    self.line.insert(view, due, |job| turn.job(job));
                }
                Event::Killed(job) => {
                    self.line.remove(turn.job(job));
                }
                Event::Finished(_)
                | Event::Released(_)
                | Event::Suspended(_)
                | Event::Resumed(_)
                | Event::Loaded(_)
                | Event::Woke(_)
                | Event::Capacity(_) => {}
            }
        }
        self.line.age(now, |job| turn.job(job));
        self.settled = Some(now);
    }

    fn start_heads(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        while let Some(head) = self.line.head() {
            if start_now::<K>(self.hosts.as_ref(), turn, head.job(), Why::Head)?.is_none() {
                break;
            }
            self.line.remove(turn.job(head.job()));
        }
        Ok(())
    }

    /// Searches the queue once; returns whether a job was started.
    fn search(&mut self, turn: &mut Turn<'_>) -> Result<bool, PolicyError> {
        let (mut from, mut started) = (None, false);
        while let Some(place) = self.line.find(from, &free_in_all(turn)) {
            let job = place.job();
            from = Some(place.next());
            if start_now::<K>(self.hosts.as_ref(), turn, job, Why::FirstFit)?.is_some() {
                self.line.remove(turn.job(job));
                started = true;
                if self.skips {
                    let Some(skipped) = self.line.at_or_after(place) else { break };
                    from = Some(skipped.next());
                }
            } else if self.line.is_over(job) {
                turn.tally(tally::STOPPED);
                break;
            }
        }
        Ok(started)
    }
}
