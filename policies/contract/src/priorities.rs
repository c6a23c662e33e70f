//! Jobs that take processors from running jobs of lower tiers, around any policy that serves a queue in tiers.

mod asking;
pub(crate) mod claims;
mod suspensions;
mod victims;

use std::sync::Arc;

use batchlab_traces::priorities::PriorityTable;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use crate::event::Event;
use crate::policy::{Aside, Policy, PolicyError};
use crate::turn::Turn;
use crate::wrapper::{Wrapped, Wrapper};
use asking::{Asking, Grants};
use victims::Victims;

/// Returns a policy whose waiting jobs may take processors from running ones.
///
/// After each decision the waiting jobs are tried in the order in which the policy serves them, as long as they may preempt
/// and there is room for them: free capacity, capacity that jobs under notice will leave, and then capacity that further
/// victims would leave. The victims of a job are running jobs of lower tiers, the lowest tier first, then the latest start
/// first; only as many as needed, and none if all of them together do not suffice. They lose their processors after their
/// grace time. Until then room is *kept* for the jobs that will get them: a start of another job of the same tier or a lower
/// one that would take this room is void, and the policy decides again without the other job, as under a limit on running
/// jobs. A job under notice leaves even if the job that asked for its place starts elsewhere.
///
/// A victim may be *suspended* in place, as with Slurm's `PreemptMode=SUSPEND,GANG`. For the policy it still holds its
/// processors, and is expected to end later. The resources that it gave back are lent only to jobs that may preempt it: this
/// wrapper starts such jobs there ([`Policy::take_over`]), and resumes the suspended job as soon as no such job holds or
/// awaits what it needs. So no job of its own tier or a lower one can come before it. A job that would be suspended at the
/// instant of its start waits again instead.
///
/// A job that all victims together do not help waits for other running jobs to end. Behind it the walk goes on as the policy
/// allows ([`Policy::overtaking`]): not at all, or for jobs that are expected to end before it is expected to have room;
/// past at most 16 such jobs.
///
/// A decision costs O(v · nodes) for v possible victims while a job that may preempt waits, and nothing otherwise; and O(r
/// log r · nodes) for r running jobs for each job that cannot be helped.
pub fn within<'a>(policy: &'a mut dyn Policy, table: &Arc<PriorityTable>) -> Box<dyn Policy + 'a> {
    Box::new(Wrapped(Preempting {
        inner: policy,
        table: table.clone(),
        eager: SortedSet::new(),
        victims: Victims::default(),
        takers: SortedSet::new(),
        asked: (Time::ZERO, SortedSet::new()),
    }))
}

struct Preempting<'a> {
    inner: &'a mut dyn Policy,
    table: Arc<PriorityTable>,
    /// The waiting jobs that may preempt.
    eager: SortedSet<JobId>,
    victims: Victims,
    /// The jobs on the machine that may preempt others.
    takers: SortedSet<JobId>,
    /// The jobs that got victims at an instant: each gets some once at each instant, so that a policy that does not start
    /// it cannot repeat this forever.
    asked: (Time, SortedSet<JobId>),
}

impl Wrapper for Preempting<'_> {
    fn inner(&self) -> &dyn Policy {
        self.inner
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.inner
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut events = turn.events().to_vec();
        self.learn(turn, &events);
        let (mut readmitted, mut declined) = (SortedSet::new(), SortedSet::new());
        loop {
            loop {
                self.inner.decide(&mut turn.told(&events))?;
                self.note_starts(turn);
                // For the policy these jobs have left the queue; policies around it hear so here.
                events = turn.claims().take_voided().into_iter().map(Event::Killed).collect();
                if events.is_empty() {
                    break;
                }
            }
            while self.ask(turn, &mut declined)? {
                self.note_starts(turn);
            }
            suspensions::resume(turn, &self.table, &self.takers, &mut events)?;
            self.learn(turn, &events);
            events.extend(turn.readmit(&mut readmitted).into_iter().map(Event::Submitted));
            if events.is_empty() {
                return Ok(());
            }
        }
    }

    /// Jobs come and go one by one, because room that is kept hides jobs, too.
    fn aside(&mut self) -> Option<&mut dyn Aside> {
        None
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        self.inner.take_over(turn, job, room)
    }
}

impl Preempting<'_> {
    fn learn(&mut self, turn: &mut Turn<'_>, events: &[Event]) {
        for &event in events {
            match event {
                Event::Submitted(job) | Event::Displaced(job) => {
                    self.victims.remove(job);
                    self.takers.remove(&job);
                    turn.claims().forget(job);
                    if self.table.standing(turn.workload(), job).preempts.is_some() {
                        self.eager.insert(job);
                    }
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    self.victims.remove(job);
                    self.takers.remove(&job);
                    turn.claims().forget(job);
                    self.eager.remove(&job);
                }
                Event::Suspended(job) => {
                    self.victims.remove(job);
                    turn.claims().forget(job);
                }
                Event::Resumed(job) => {
                    let standing = self.table.standing(turn.workload(), job);
                    if let (Some(how), Some(start)) = (standing.preempted, turn.started(job)) {
                        self.victims.add(job, standing.tier, start, how);
                    }
                }
                Event::Loaded(_) | Event::Woke(_) | Event::Capacity(_) => {}
            }
        }
    }

    fn note_starts(&mut self, turn: &mut Turn<'_>) {
        let served: Vec<JobId> = turn.rejected().chain(turn.placed()).collect();
        for job in served {
            self.eager.remove(&job);
            turn.claims().served(job);
            let standing = self.table.standing(turn.workload(), job);
            if standing.preempts.is_some() && turn.can_be_preempted(job) {
                self.takers.insert(job);
            }
            if let Some(how) = standing.preempted.filter(|_| turn.can_be_preempted(job)) {
                self.victims.add(job, standing.tier, turn.now(), how);
            }
        }
    }

    /// Keeps room for the jobs that may preempt, in the order of the queue, and finds victims for them. Returns whether one
    /// of them has started in resources that suspended jobs gave back; jobs in `declined`, which the policy has refused to
    /// start there, are passed over.
    fn ask(&mut self, turn: &mut Turn<'_>, declined: &mut SortedSet<JobId>) -> Result<bool, PolicyError> {
        let now = turn.now();
        if self.asked.0 != now {
            self.asked = (now, SortedSet::new());
        }
        let mut grants = Grants::default();
        if !self.eager.is_empty() {
            let Preempting { inner, table, victims, asked, .. } = self;
            let overtaking = inner.overtaking();
            let mut asking =
                Asking::new((turn.stage(), now), (table, victims), overtaking, &mut asked.1, declined);
            inner.in_order(&mut |job| asking.visit(job));
            grants = asking.grants();
        }
        let Grants { claims, notices, wake, over } = grants;
        turn.claims().claim(claims);
        for (job, preemption) in notices {
            turn.claims().leaves(job, preemption.how);
            turn.preempt(job, preemption);
        }
        if let Some(at) = wake {
            turn.wake_at(at)?;
        }
        let Some((job, room)) = over else { return Ok(false) };
        if !self.inner.take_over(turn, job, &room)? {
            declined.insert(job);
        }
        Ok(true)
    }
}
