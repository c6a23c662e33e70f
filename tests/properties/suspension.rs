//! Selective suspension compared with its rule, applied literally second by second.

use std::collections::BTreeMap;

use batchlab::outcome::IntervalKind;
use batchlab::policies::{Event, Needs, Policy, PolicyError, Turn};
use batchlab::traces::reading::Overrun;
use batchlab::traces::{JobId, Time};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, fractions, overruns, samples};
use super::sites::sites;
use crate::lab::{Play, play};

/// Examines every job every second, in whole seconds.
struct Naive {
    /// The ratio, in tenths.
    sf: i64,
    half: bool,
    jobs: BTreeMap<JobId, Job>,
}

/// The second of the last start or the last beginning of waiting, and the wait before it.
#[derive(Clone, Copy)]
struct Job {
    runs: bool,
    since: i64,
    waited: i64,
    estimate: i64,
    procs: i64,
}

impl Job {
    fn wait(&self, now: i64) -> i64 {
        if self.runs { self.waited } else { self.waited + now - self.since }
    }

    /// The factor in tenths, times the estimate of another and its own.
    fn factor(&self, now: i64, other: &Job) -> i64 {
        (self.wait(now) + self.estimate) * other.estimate
    }
}

impl Naive {
    fn now(turn: &Turn<'_>) -> i64 {
        turn.now().ticks() / Time::SECOND.ticks()
    }

    fn learn(&mut self, turn: &Turn<'_>) {
        for &event in turn.events() {
            match event {
                Event::Submitted(id) => {
                    let job = turn.job(id);
                    let estimate = (job.estimate().ticks() / Time::SECOND.ticks()).max(1);
                    let job =
                        Job { runs: false, since: Self::now(turn), waited: 0, estimate, procs: job.procs() };
                    self.jobs.insert(id, job);
                }
                Event::Finished(job) => _ = self.jobs.remove(&job),
                _ => {}
            }
        }
    }

    fn waiting(&self, now: i64) -> Vec<JobId> {
        let mut waiting: Vec<JobId> = self.jobs.keys().copied().filter(|job| !self.jobs[job].runs).collect();
        waiting.sort_by(|a, b| {
            let (x, y) = (&self.jobs[a], &self.jobs[b]);
            y.factor(now, x).cmp(&x.factor(now, y)).then(a.cmp(b))
        });
        waiting
    }

    fn start(&mut self, turn: &mut Turn<'_>, id: JobId) -> Result<(), PolicyError> {
        turn.start(id)?;
        let now = Self::now(turn);
        let job = self.jobs.get_mut(&id).unwrap();
        *job = Job { runs: true, since: now, waited: job.wait(now), ..*job };
        Ok(())
    }

    fn fill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for job in self.waiting(Self::now(turn)) {
            if turn.fits(job) && turn.waiting().any(|waiting| waiting == job) {
                self.start(turn, job)?;
            }
        }
        Ok(())
    }

    /// All jobs that a job may suspend, up to the factor of the last one needed, without the jobs that are not needed.
    fn victims(&self, id: JobId, now: i64, free: i64) -> Option<Vec<JobId>> {
        let job = &self.jobs[&id];
        let may = |other: &Job| {
            let reached = 10 * job.factor(now, other) >= self.sf * other.factor(now, job);
            other.runs && other.since < now && reached && (!self.half || other.procs <= 2 * job.procs)
        };
        let mut all: Vec<JobId> = self.jobs.keys().copied().filter(|other| may(&self.jobs[other])).collect();
        all.sort_by(|a, b| {
            let (x, y) = (&self.jobs[a], &self.jobs[b]);
            x.factor(now, y).cmp(&y.factor(now, x)).then(b.cmp(a))
        });
        let procs =
            |some: &[JobId]| -> i64 { free + some.iter().map(|one| self.jobs[one].procs).sum::<i64>() };
        let enough = (0..=all.len()).find(|&count| procs(&all[..count]) >= job.procs)?;
        let mut some = all[..enough].to_vec();
        for at in (0..enough).rev() {
            let mut without = some.clone();
            without.remove(at);
            if procs(&without) >= job.procs {
                some = without;
            }
        }
        Some(some)
    }
}

impl Policy for Naive {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.learn(turn);
        self.fill(turn)?;
        let now = Self::now(turn);
        for id in self.waiting(now) {
            if self.jobs[&id].since == now {
                continue;
            }
            let Some(victims) = self.victims(id, now, turn.free(0)[0]) else { continue };
            for victim in victims {
                turn.displace(victim, true)?;
                let job = self.jobs.get_mut(&victim).unwrap();
                *job = Job { runs: false, since: now, ..*job };
            }
            self.start(turn, id)?;
        }
        if self.jobs.values().any(|job| !job.runs) {
            turn.wake_at(turn.now() + Time::SECOND)?;
        }
        Ok(())
    }
}

fn times(play_this: &Play, spec: &str) -> (Vec<Time>, Vec<Time>) {
    let (outcome, _) = play(play_this, spec);
    (outcome.start, outcome.end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn it_suspends_as_if_it_looked_every_second(
        sample in samples(),
        overrun in overruns(),
        sf in select(vec![11, 15, 20, 35]),
        half in any::<bool>(),
    ) {
        let scene = sample.play(overrun);
        let mut naive = Naive { sf, half, jobs: BTreeMap::new() };
        let (slow, _) = scene.with(Needs::TIME_SHARING, &mut naive).unwrap();
        let width = if half { "half" } else { "any" };
        let spec = format!("selective-suspension:interval=1,sf={},width={width}", sf as f64 / 10.0);
        prop_assert_eq!((slow.start, slow.end), times(&scene, &spec), "{}", spec);
    }

    #[test]
    fn without_suspending_it_is_first_fit_by_expansion_factor(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        hold in select(vec!["swap", "memory"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let spec = format!("selective-suspension:sf=inf,hold={hold}");
        prop_assert_eq!(times(&scene, &spec), times(&scene, "first-fit:order=expansion"), "{}", events);
    }

    #[test]
    fn without_suspending_it_is_first_fit_on_nodes(
        site in sites(),
        events in event_orders(),
        order in select(vec!["sjf", "drf", "tetris", "fairshare", "expr(-wait)"]),
    ) {
        let scene = site.play(Overrun::Raise).events(events);
        let spec = format!("selective-suspension:sf=inf,order={order}");
        prop_assert_eq!(times(&scene, &spec), times(&scene, &format!("first-fit:order={order}")));
    }

    /// Every job gets its run time to the tick, and at every instant of its life it is in the queue, in memory or running.
    #[test]
    fn nothing_is_lost(
        sample in samples(),
        ticks in fractions(),
        events in event_orders(),
        overrun in overruns(),
        interval in select(vec!["none", "1", "7", "60"]),
        hold in select(vec!["swap", "memory"]),
        more in select(vec!["", "tss=1.5", "limit=2", "order=fairshare", "order=expr(-wait)", "width=any"]),
    ) {
        let scene = Sample::with_fractions(&sample, &ticks).play(overrun).events(events);
        let comma = if more.is_empty() { "" } else { "," };
        let spec = format!("selective-suspension:sf=1.2,interval={interval},hold={hold}{comma}{more}");
        let (outcome, _) = play(&scene, &spec);
        let workload = &scene.scenario.workload;
        for job in workload.jobs() {
            let own = || outcome.intervals.iter().filter(|interval| interval.job == job);
            let length = |kind: IntervalKind| -> i64 {
                own().filter(|own| own.kind == kind).map(|own| (own.to - own.from).ticks()).sum()
            };
            prop_assert_eq!(length(IntervalKind::Run), workload.run(job).ticks(), "{} in {}", spec, events);
            prop_assert!(hold == "memory" || length(IntervalKind::Paused) == 0);
        }
    }
}
