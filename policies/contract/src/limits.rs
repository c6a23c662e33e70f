//! Limits on what users, groups and partitions may have on the machine: a policy around another.
//!
//! Limits count admitted jobs, not only running ones, so that the jobs that a user may run do not depend on the order in
//! which jobs are examined. A job that waits for its user's limit does not use up a limit of its partition.

mod gate;
mod groups;
pub(crate) mod guard;
mod running;
mod share;

use batchlab_traces::limits::{Counted, LimitTable};
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Citation, JobId};

use crate::event::Event;
use crate::facts::Fact;
use crate::journal::{Act, HeldBy};
use crate::needs::Needs;
use crate::policy::{Aside, Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamQuantity, ParamSpec, Params, PolicySpec, Setting};
use crate::tally;
use crate::turn::Turn;
use crate::wrapper::{Wrapped, Wrapper};
use gate::Gate;
use running::Running;

/// Passes jobs to another policy while they are within limits.
///
/// A job is *admitted* from the moment at which the inner policy learns of it until it ends. Limits hold for admitted jobs: each
/// user, group or partition has a greatest number of jobs, and of processors in total. Thus running jobs are within the limits
/// too. A job that would exceed a limit waits outside: it holds no reservation, is no backfilling candidate, and its arrival
/// causes no decision of the inner policy. Outside, jobs of the same user (group, partition) whose limit is exhausted wait in the
/// order of submission: a narrow job does not pass a wide one.
///
/// These are the throttling policies `MAXJOB` and `MAXPROC` of Maui (Jackson, Snell, Clement, JSSPP 2001; the administrator's
/// guide, section 6.2). Maui counts active jobs and checks at each start, so that any of a user's jobs may use the limit; here,
/// as with an idle-job limit of the same size, the job submitted first uses it. Each value is the same for all users; `inf`, the
/// default, is no limit, and without any limit the schedule is that of the inner policy. A job that alone exceeds a limit could
/// never start and is refused before the replay.
///
/// O(log n) per event; an end that makes room under an exhausted limit costs one walk of the names (users, or
/// users and partitions, …) that have jobs outside.
pub const SPEC: PolicySpec = PolicySpec {
    name: "limits",
    family: "limits",
    summary: "passes jobs to another policy while their user, group and partition are within limits",
    cite: Citation::of("Jackson, Snell, Clement, JSSPP 2001 (MAXJOB, MAXPROC)", &["jackson01"]),
    rule: "A job is admitted from the moment when the inner policy sees it until it ends. The admitted jobs \
        of each user, group and partition stay within the limits; a job beyond a limit waits outside: it \
        holds no reservation, and the inner policy does not see it. Outside, jobs that wait for the same \
        user's (group's, partition's) limit are admitted in the order of submission. Jobs of no known user \
        count as those of one.",
    params: PARAMS,
    needs: Needs::NONE,
    build,
};

const PARAMS: &[ParamSpec] = &[
    POLICY,
    limit("user-jobs", Fact::User, ParamQuantity::Jobs, "admitted jobs of one user"),
    limit("user-procs", Fact::User, ParamQuantity::Procs, "processors of the admitted jobs of one user"),
    limit("group-jobs", Fact::Group, ParamQuantity::Jobs, "admitted jobs of one group"),
    limit("group-procs", Fact::Group, ParamQuantity::Procs, "processors of the admitted jobs of one group"),
    limit("partition-jobs", Fact::Partition, ParamQuantity::Jobs, "admitted jobs of one partition"),
    limit(
        "partition-procs",
        Fact::Partition,
        ParamQuantity::Procs,
        "processors of the admitted jobs of one partition",
    ),
];

const POLICY: ParamSpec = ParamSpec {
    name: "policy",
    kind: ParamKind::Policy,
    default: "easy",
    help: "the policy that schedules the jobs within the limits",
    ..ParamSpec::PLAIN
};

const fn limit(name: &'static str, fact: Fact, bound: ParamQuantity, help: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Limit(fact, bound), default: "inf", help, ..ParamSpec::PLAIN }
}

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let Some(inner) = params.policy(POLICY.name) else {
        return Err(BuildError::Unfit("limits: no policy is named to work within them".into()));
    };
    let gates: Vec<Gate> = PARAMS.iter().filter_map(|param| Gate::from_param(param, params)).collect();
    let inner = inner.build(setting)?;
    if gates.is_empty() {
        return Ok(inner);
    }
    Ok(Box::new(Wrapped(Limits::new(inner, gates))))
}

/// Returns a policy that keeps to the limits of a table. Limits that count eligible jobs hold jobs outside its queue; limits
/// that count running jobs hide the jobs that may not start. `preempt` says whether jobs may preempt others, `parts` whether groups
/// may be shown in part: there is one decision an instant, and decisions are not recorded.
pub fn within<'a>(
    policy: &'a mut dyn Policy,
    table: &LimitTable,
    [preempt, parts]: [bool; 2],
) -> Box<dyn Policy + 'a> {
    let mut policy: Box<dyn Policy + 'a> = Box::new(Wrapped(Borrowed(policy)));
    if table.counts(Counted::Running) {
        policy = Box::new(Wrapped(Running::new(policy, table, [preempt, parts])));
    }
    let eligible = table.limits.iter().enumerate().filter(|(_, limit)| limit.counted == Counted::Eligible);
    let gates: Vec<Gate> = eligible.map(Gate::of_table).collect();
    if gates.is_empty() {
        return policy;
    }
    Box::new(Wrapped(Limits::new(policy, gates)))
}

struct Borrowed<'a>(&'a mut dyn Policy);

impl Wrapper for Borrowed<'_> {
    fn inner(&self) -> &dyn Policy {
        self.0
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.0
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.0.decide(turn)
    }

    fn aside(&mut self) -> Option<&mut dyn Aside> {
        self.0.aside()
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        self.0.take_over(turn, job, room)
    }
}

struct Limits<'a> {
    inner: Box<dyn Policy + 'a>,
    gates: Vec<Gate>,
    /// Jobs that wait for a limit, by the names to which the limits apply: if the first job of a list may not enter, none may.
    outside: SortedMap<Vec<i64>, SortedSet<JobId>>,
    /// Jobs passed to the inner policy.
    admitted: SortedSet<JobId>,
    /// If decisions are recorded: the jobs outside, with the limits recorded for them.
    noted: SortedMap<JobId, HeldBy>,
}

impl Wrapper for Limits<'_> {
    fn inner(&self) -> &dyn Policy {
        self.inner.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.inner.as_mut()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut events = self.screen(turn);
        if events.is_empty() && !turn.events().is_empty() {
            // Nothing has happened that concerns the inner policy.
            self.note(turn);
            return Ok(());
        }
        loop {
            self.note(turn);
            self.inner.decide(&mut turn.screened(&events, &self.admitted))?;
            events = self.without_rejected(turn);
            if events.is_empty() {
                return Ok(());
            }
        }
    }

    /// A job that leaves or returns changes what is admitted.
    fn aside(&mut self) -> Option<&mut dyn Aside> {
        None
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        self.inner.take_over(&mut turn.screened(&[], &self.admitted), job, room)
    }
}

impl<'a> Limits<'a> {
    fn new(inner: Box<dyn Policy + 'a>, gates: Vec<Gate>) -> Limits<'a> {
        let (outside, admitted, noted) = (SortedMap::new(), SortedSet::new(), SortedMap::new());
        Limits { inner, gates, outside, admitted, noted }
    }

    /// Records the limits that hold jobs back, for jobs where they have changed.
    fn note(&mut self, turn: &mut Turn<'_>) {
        if !turn.is_journalled() {
            return;
        }
        let mut held = SortedMap::new();
        for &job in self.outside.values().flatten() {
            let limit = self.gates.iter().find(|gate| gate.is_exhausted(turn.job(job)));
            held.extend(limit.map(|gate| (job, gate.held_by)));
        }
        for &job in self.noted.keys().filter(|job| !held.contains_key(job)) {
            turn.note(job, Act::Admitted);
        }
        for (&job, &limit) in held.iter().filter(|(job, limit)| self.noted.get(job) != Some(limit)) {
            turn.note(job, Act::HeldBack(limit));
        }
        self.noted = held;
    }

    /// Returns the events for the inner policy: arrivals over a limit are withheld until they are within it.
    fn screen(&mut self, turn: &mut Turn<'_>) -> Vec<Event> {
        let mut events = Vec::with_capacity(turn.events().len());
        let mut reopened = false;
        for &event in turn.events() {
            match event {
                // If a start did not count, limits on running jobs around this policy submit the job again.
                Event::Submitted(job) if self.admitted.contains(&job) => {}
                Event::Submitted(job) => {
                    if self.may_enter(turn, job) {
                        self.enter(turn, job);
                    } else {
                        let names = self.gates.iter().map(|gate| gate.name(turn.job(job))).collect();
                        self.outside.entry(names).or_default().insert(job);
                        turn.tally(tally::HELD_BACK);
                        continue;
                    }
                }
                Event::Killed(job) if self.withdraw(turn, job) => {
                    reopened = true;
                    continue;
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    reopened |= self.leave(turn, job);
                }
                Event::Displaced(_)
                | Event::Suspended(_)
                | Event::Resumed(_)
                | Event::Loaded(_)
                | Event::Woke(_)
                | Event::Capacity(_) => {}
            }
            events.push(event);
        }
        if reopened {
            self.let_in(turn, &mut events);
        }
        events
    }

    /// Removes jobs rejected by the inner policy, which causes no event, from the limits; returns the
    /// arrivals of jobs that are within the limits now.
    fn without_rejected(&mut self, turn: &Turn<'_>) -> Vec<Event> {
        let mut events = Vec::new();
        let mut reopened = false;
        for job in turn.rejected() {
            reopened |= self.leave(turn, job);
        }
        if reopened {
            self.let_in(turn, &mut events);
        }
        events
    }

    /// Removes a job that waits outside; returns whether it did.
    fn withdraw(&mut self, turn: &Turn<'_>, job: JobId) -> bool {
        let names: Vec<i64> = self.gates.iter().map(|gate| gate.name(turn.job(job))).collect();
        let Some(jobs) = self.outside.get_mut(&names) else { return false };
        let waited = jobs.remove(&job);
        if jobs.is_empty() {
            self.outside.remove(&names);
        }
        waited
    }

    /// Removes a job from the admitted jobs; returns whether an exhausted limit has room again.
    fn leave(&mut self, turn: &Turn<'_>, job: JobId) -> bool {
        let mut reopened = false;
        if self.admitted.remove(&job) {
            let view = turn.job(job);
            for gate in &mut self.gates {
                reopened |= gate.leave(view);
            }
        }
        reopened
    }

    /// Admits jobs that are within the limits again, in the order of submission: O((names + admitted) log names).
    fn let_in(&mut self, turn: &Turn<'_>, events: &mut Vec<Event>) {
        self.gates.iter_mut().for_each(Gate::reopen);
        let first = |(names, jobs): (&Vec<i64>, &SortedSet<JobId>)| Some((*jobs.first()?, names.clone()));
        let mut heads: SortedMap<JobId, Vec<i64>> = self.outside.iter().filter_map(first).collect();
        while let Some((job, names)) = heads.pop_first() {
            if !self.may_enter(turn, job) {
                continue;
            }
            self.enter(turn, job);
            events.push(Event::Submitted(job));
            let Some(jobs) = self.outside.get_mut(&names) else { continue };
            jobs.remove(&job);
            match jobs.first() {
                Some(&next) => drop(heads.insert(next, names)),
                None => drop(self.outside.remove(&names)),
            }
        }
    }

    /// Whether a job is within all limits and no job waits ahead of it; limits that it would exceed are
    /// exhausted from now on. A job behind others exhausts no limit: it is not its turn.
    fn may_enter(&mut self, turn: &Turn<'_>, job: JobId) -> bool {
        let view = turn.job(job);
        if self.gates.iter().any(|gate| gate.is_exhausted(view)) {
            return false;
        }
        let mut within = true;
        for gate in &mut self.gates {
            within &= gate.admits(view);
        }
        within
    }

    fn enter(&mut self, turn: &Turn<'_>, job: JobId) {
        let view = turn.job(job);
        for gate in &mut self.gates {
            gate.enter(view);
        }
        self.admitted.insert(job);
    }
}
