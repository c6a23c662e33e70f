//! Jobs that take processors from running jobs of lower tiers, around any policy that serves a queue in tiers.

mod claims;
mod victims;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use batchlab_traces::machine::take_room;
use batchlab_traces::priorities::PriorityTable;
use batchlab_traces::{JobId, Time};

use crate::event::Event;
use crate::journal::Preemption;
use crate::policy::{Late, Policy, PolicyError};
use crate::turn::Turn;
pub(crate) use claims::Claims;
use claims::{add_shares, free_rooms};
use victims::Victims;

/// Returns a policy whose waiting jobs may take processors from running ones.
///
/// After each decision the waiting jobs are tried in the order in which the policy serves them, as long as they may
/// preempt and there is room for them: what is free, what jobs under notice will leave, and then what further victims
/// would. The victims of a job are running jobs of lower tiers, the lowest tier first, then the latest start first; only as
/// many as needed, and none if all of them together do not suffice. They lose their processors after their grace time.
/// Until then room is *kept* for the jobs that will get them: a start of another job of the same tier or a lower one that
/// would take it is void, and the policy decides again without that job, as under a limit on running jobs. A job under
/// notice leaves even if the job that asked for it starts elsewhere.
///
/// A decision costs O(v · nodes) for v possible victims while a job waits that may preempt, and nothing otherwise.
pub fn within<'a>(policy: &'a mut dyn Policy, table: &Arc<PriorityTable>) -> Box<dyn Policy + 'a> {
    Box::new(Preempting {
        inner: policy,
        table: table.clone(),
        eager: BTreeSet::new(),
        victims: Victims::default(),
        asked: (Time::ZERO, BTreeSet::new()),
    })
}

struct Preempting<'a> {
    inner: &'a mut dyn Policy,
    table: Arc<PriorityTable>,
    /// The waiting jobs that may preempt.
    eager: BTreeSet<JobId>,
    victims: Victims,
    /// The jobs that got victims at an instant: each gets some once at each instant, so that a policy that does not start
    /// it cannot repeat this forever.
    asked: (Time, BTreeSet<JobId>),
}

impl Policy for Preempting<'_> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut events = turn.events().to_vec();
        self.learn(turn, &events);
        let mut readmitted = BTreeSet::new();
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
            self.ask(turn)?;
            events.extend(turn.readmit(&mut readmitted).into_iter().map(Event::Submitted));
            if events.is_empty() {
                return Ok(());
            }
        }
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.inner.finish()
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.inner.expired(late)
    }
}

impl Preempting<'_> {
    /// Takes note of events.
    fn learn(&mut self, turn: &mut Turn<'_>, events: &[Event]) {
        for &event in events {
            match event {
                Event::Submitted(job) | Event::Displaced(job) => {
                    self.victims.remove(job);
                    turn.claims().forget(job);
                    if self.table.standing(turn.workload(), job).preempts.is_some() {
                        self.eager.insert(job);
                    }
                }
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    self.victims.remove(job);
                    turn.claims().forget(job);
                    self.eager.remove(&job);
                }
                Event::Loaded(_) | Event::Woke(_) | Event::Capacity(_) => {}
            }
        }
    }

    /// Takes note of the jobs that the policy has started in this decision, or rejected.
    fn note_starts(&mut self, turn: &mut Turn<'_>) {
        let served: Vec<JobId> = turn.rejected().chain(turn.placed()).collect();
        for job in served {
            self.eager.remove(&job);
            turn.claims().served(job);
            let standing = self.table.standing(turn.workload(), job);
            if let Some(how) = standing.preempted.filter(|_| turn.can_be_preempted(job)) {
                self.victims.add(job, standing.tier, turn.now(), how);
            }
        }
    }

    /// Keeps room for the jobs that may preempt, in the order of the queue, and finds victims for them.
    fn ask(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        if self.asked.0 != now {
            self.asked = (now, BTreeSet::new());
        }
        let mut claims = Vec::new();
        let mut notices: Vec<(JobId, Preemption)> = Vec::new();
        let mut wake: Option<Time> = None;
        if !self.eager.is_empty() {
            let mut leaving: BTreeSet<JobId> = turn.claims().leaving().clone();
            let Preempting { inner, table, victims, asked, .. } = self;
            let (mut coming, cluster) = turn.coming();
            let (machine, workload) = (cluster.machine(), cluster.workload());
            let free = free_rooms(cluster);
            inner.in_order(&mut |job| {
                let Some(below) = table.standing(workload, job).preempts else {
                    return ControlFlow::Break(());
                };
                // A job that fits now waits for reasons of the policy.
                if claims.is_empty() && take_room(machine, workload, job, &mut free.clone()) {
                    return ControlFlow::Break(());
                }
                if !take_room(machine, workload, job, &mut coming) {
                    if asked.1.contains(&job) {
                        return ControlFlow::Break(());
                    }
                    let Some(found) = victims.find(cluster, job, below, &leaving, &coming, now) else {
                        wake = victims.next_eligible(below, &leaving, now);
                        return ControlFlow::Break(());
                    };
                    asked.1.insert(job);
                    for (victim, how) in found {
                        add_shares(cluster, victim, &mut coming);
                        leaving.insert(victim);
                        let at = now.saturating_add(how.grace);
                        notices.push((victim, Preemption { by: job, how: how.preempted, at }));
                    }
                    take_room(machine, workload, job, &mut coming);
                }
                claims.push(job);
                ControlFlow::Continue(())
            });
        }
        turn.claims().claim(claims);
        for (job, preemption) in notices {
            turn.claims().leaves(job);
            turn.preempt(job, preemption);
        }
        match wake {
            Some(at) => Ok(turn.wake_at(at)?),
            None => Ok(()),
        }
    }
}
