use proptest::prelude::*;
use proptest::sample::select;

use std::ops::ControlFlow;

use batchlab::policies::policy::{Late, Overtaking};
use batchlab::policies::{Policy, PolicyError, Turn};
use batchlab::replay::capability;
use batchlab::traces::{JobId, Time};
use batchlab::{Outcome, Registry};

use super::samples::{all_specs, event_orders, is_gang, migrates_at_length, overruns, samples};
use crate::lab::{Play, try_play};

/// A policy that sees the jobs of limits come and go one by one.
struct OneByOne(Box<dyn Policy>);

impl Policy for OneByOne {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.0.decide(turn)
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.0.finish()
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.0.expired(late)
    }

    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.0.in_order(visit);
    }

    fn overtaking(&self) -> Overtaking {
        self.0.overtaking()
    }
}

/// Replays a policy around which limits put jobs aside in groups, and one that sees each job come and go; `None` if the
/// policy does not suit the jobs.
fn both_ways(scene: &Play, spec: &str) -> Option<[Outcome; 2]> {
    let chosen = Registry::builtin().choose(spec).unwrap();
    capability::check_startable(&chosen, &scene.scenario).ok()?;
    let build = || chosen.build(&scene.scenario.setting(scene.overrun)).ok();
    let replay = |policy: &mut dyn Policy| {
        scene.named(&chosen.canonical(), chosen.needs(), policy).map(|(outcome, _)| outcome).unwrap()
    };
    Some([replay(build()?.as_mut()), replay(&mut OneByOne(build()?))])
}

const ASIDE: [&str; 11] = [
    "fcfs",
    "first-fit",
    "easy",
    "easy:candidates=sjf",
    "depth:k=2",
    "conservative:variant=replan",
    "lookahead",
    "lookahead:depth=3,ties=last",
    "selective:xfactor=2,candidates=sjf",
    "bkfl",
    "bkfl:reservations=2",
];

/// Calendars under which wide jobs leave the queue for a while, and come back.
const CALENDARS: [&str; 4] = [
    "",
    "",
    "[[event]]\nkind = \"drain\"\nfrom = 12\nto = 50\nprocs = 1\n",
    "[[event]]\nkind = \"outage\"\nfrom = 7\nto = 40\nprocs = 1\n\
     [[event]]\nkind = \"maintenance\"\nfrom = 60\nto = 90\nprocs = 1\n",
];

/// Limits of each kind, or several of them.
pub fn limits() -> impl Strategy<Value = String> {
    let class = select(vec!["", "user = \"*\"\n", "user = 1\n", "user = [0, 2]\n"]);
    let bound = select(vec![
        "running_jobs = 1\n",
        "running_jobs = 2\nprocs = 16\n",
        "procs = 16\n",
        "procs = 20\nnode_hours = 0.14\n",
        "node_hours = 0.14\n",
    ]);
    let count = select(vec!["", "count = \"eligible\"\n"]);
    let limit =
        (class, bound, count).prop_map(|(class, bound, count)| format!("[[limit]]\n{class}{bound}{count}"));
    prop::collection::vec(limit, 1..4).prop_map(|limits| limits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// The checker finds no job beyond a limit, and every job ends.
    #[test]
    fn every_policy_keeps_to_limits(
        sample in samples(),
        specs in all_specs(),
        limits in limits(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let Some(scene) = sample.play(overrun).events(events).some_limits(&limits) else { return Ok(()) };
        for spec in specs {
            let may_decline = ["variant=fixed", "share=false", "memory=on", "dhc"].iter().any(|word| spec.contains(word))
                || migrates_at_length(&spec) || is_gang(&spec);
            prop_assert!(try_play(&scene, &spec).is_ok() || may_decline, "{}", spec);
        }
    }

    /// Groups of jobs that are shown and hidden as a whole give the schedule of jobs that come and go one by one.
    #[test]
    fn groups_are_the_jobs_in_them(
        sample in samples(),
        specs in all_specs(),
        limits in limits(),
        tiers in select(vec!["", "", "[[class]]\nuser = 1\npriority = 10\n[[class]]\nuser = 2\npriority = -3\n"]),
        (calendar, foresight) in (select(CALENDARS.to_vec()), select(vec!["none", "calendar"])),
        events in event_orders(),
        overrun in overruns(),
        journal in any::<bool>(),
    ) {
        let scene = sample.play(overrun).events(events).priorities(tiers);
        let Some(scene) = scene.some_limits(&limits) else { return Ok(()) };
        let scene = Play { journal, ..scene }.calendar(calendar, foresight);
        for spec in ASIDE.into_iter().chain(specs.iter().map(String::as_str)) {
            let Some([by_group, one_by_one]) = both_ways(&scene, spec) else { continue };
            prop_assert_eq!((&by_group.start, &by_group.end), (&one_by_one.start, &one_by_one.end), "{}", spec);
            prop_assert_eq!(by_group.tallies, one_by_one.tallies, "{}", spec);
        }
    }

    /// Limits that no job reaches change nothing.
    #[test]
    fn wide_limits_change_nothing(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let wide = scene.limits("[[limit]]\nuser = \"*\"\nrunning_jobs = 1000\n[[limit]]\nprocs = 100000");
        for spec in specs {
            let (Ok((free, _)), Ok((within, _))) = (try_play(&scene, &spec), try_play(&wide, &spec)) else {
                continue;
            };
            prop_assert_eq!((&free.start, &free.end), (&within.start, &within.end), "{}", spec);
        }
    }
}
