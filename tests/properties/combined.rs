//! Calendars, dependencies, layouts, limits and preemption together, under every built-in policy.

use batchlab::Outcome;
use batchlab::outcome::Fate;
use batchlab::schedule::verify::promises;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::capacity::KINDS;
use super::dependent::{Draw, dependent, draws, throttled};
use super::limits::limits;
use super::priorities::priorities;
use super::samples::{event_orders, overruns};
use super::sites::{Site, sites};
use crate::lab::{Play, bare, play, policies, try_play};

/// One to three events of some of the nodes, each with what becomes of its jobs and when it is known.
pub fn calendars() -> impl Strategy<Value = Vec<Event>> {
    let jobs = select(vec!["requeue", "kill", "drain"]);
    let known = select(vec!["true", "false", "5", "20"]);
    let event = (0i64..60, 1i64..40, any::<(u8, u8)>(), jobs, known);
    prop::collection::vec(event, 1..4)
}

/// Beginning, length, first and last node, what becomes of jobs, when it is known.
pub type Event = (i64, i64, (u8, u8), &'static str, &'static str);

pub fn calendar(scene: &Play, events: &[Event]) -> String {
    let count = scene.scenario.machine.nodes();
    let event = |&(from, length, (first, more), jobs, known): &Event| {
        let first = usize::from(first) % count;
        let last = (first + usize::from(more) % 3).min(count - 1);
        let part = if count > 1 { format!("nodes = \"{first}-{last}\"\n") } else { String::new() };
        let to = from + length;
        format!(
            "[[event]]\nkind = \"outage\"\nfrom = {from}\nto = {to}\n{part}jobs = \"{jobs}\"\nknown = {known}\n"
        )
    };
    events.iter().map(event).collect()
}

/// Specs that decline calendars or machines with nodes, with the reason in the registry.
fn may_decline(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default();
    let known = policies().into_iter().find(|known| known.name == name);
    known.is_some_and(|known| {
        let needs = known.needs;
        needs.time_sharing || needs.pool || needs.processors
    })
}

/// The scene with priorities; suspended jobs give back the first resource beside the processors, too, if there is one.
fn preempting(scene: &Play, priorities: &str, more: bool) -> Play {
    let machine = &scene.scenario.machine;
    let named = machine.resources().get(1).filter(|_| more).map(|resource| resource.name.clone());
    let releases = named.map(|name| format!("releases = [\"procs\", \"{name}\"]\n"));
    scene.priorities(&(releases.unwrap_or_default() + priorities))
}

fn scene(site: &Site, rule: Overrun, draws: &[Option<Draw>], throttle: (usize, usize, usize)) -> Play {
    let (first, step, at_most) = throttle;
    throttled(&dependent(&site.play(rule), draws, 0), first, step, at_most)
}

fn everybody_left(scene: &Play, outcome: &Outcome) -> bool {
    let left = |job| outcome.ended(job).is_some() || outcome.fate(job) == Fate::Rejected;
    scene.scenario.workload.jobs().all(left)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Every replay is checked by `verify`: nodes, tasks, what is in service, entries into the queue, limits.
    #[test]
    fn every_policy_keeps_all_rules_at_once(
        site in sites(),
        draws in draws(),
        throttle in (0_usize..4, 1_usize..4, 1_usize..4),
        events in calendars(),
        limits in prop::option::of(limits()),
        foresight in select(vec!["calendar", "none", "reservations"]),
        order in event_orders(),
        overrun in overruns(),
    ) {
        let scene = scene(&site, overrun, &draws, throttle).events(order);
        let scene = scene.calendar(&calendar(&scene, &events), foresight);
        let scene = limits.and_then(|limits| scene.some_limits(&limits)).unwrap_or(scene);
        for spec in policies() {
            match try_play(&scene, &bare(&spec)) {
                Ok((outcome, _)) => prop_assert!(everybody_left(&scene, &outcome), "{}", spec.name),
                Err(error) => prop_assert!(may_decline(spec.name), "{}: {error}", spec.name),
            }
        }
    }

    /// So it is with preemption, where policies take it; reservations of the calendar are for user 1.
    #[test]
    fn every_policy_with_a_queue_keeps_them_with_preemption(
        site in sites(),
        draws in draws(),
        throttle in (0_usize..4, 1_usize..4, 1_usize..4),
        events in calendars(),
        kind in select(KINDS.to_vec()),
        limits in prop::option::of(limits()),
        (priorities, more) in (priorities(), any::<bool>()),
        foresight in select(vec!["calendar", "none", "reservations"]),
        order in event_orders(),
        overrun in overruns(),
    ) {
        let scene = scene(&site, overrun, &draws, throttle).events(order);
        let calendar = calendar(&scene, &events).replacen("\"outage\"", kind, 1);
        let scene = scene.calendar(&calendar, foresight);
        let scene = limits.and_then(|limits| scene.some_limits(&limits)).unwrap_or(scene);
        let scene = preempting(&scene, &priorities, more);
        for spec in policies().iter().filter(|spec| spec.needs.tiers) {
            match try_play(&scene, &bare(spec)) {
                Ok((outcome, _)) => prop_assert!(everybody_left(&scene, &outcome), "{}", spec.name),
                Err(error) => prop_assert!(may_decline(spec.name), "{}: {error}", spec.name),
            }
        }
    }

    /// Where all events are known, no job of a policy that plans ahead runs into one, and no promise is broken.
    #[test]
    fn what_is_known_interrupts_and_delays_nothing(
        site in sites(),
        draws in draws(),
        throttle in (0_usize..4, 1_usize..4, 1_usize..4),
        events in calendars(),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let scene = scene(&site, overrun, &draws, throttle);
        let mut scene = scene.calendar(&calendar(&scene, &events), "calendar");
        scene.journal = true;
        for spec in policies().iter().filter(|spec| spec.needs.foresees) {
            let Ok((outcome, _)) = try_play(&scene, &bare(spec)) else { continue };
            let interrupted = outcome.tallies.keys().any(|what| what.contains("by the calendar"));
            prop_assert!(!interrupted, "{}: {:?}", spec.name, outcome.tallies);
        }
        for spec in ["easy", "conservative", "conservative:variant=fixed"] {
            let (outcome, journal) = play(&scene, spec);
            let scenario = scene.scenario.of_outcome(&outcome);
            let broken: Vec<String> =
                promises(&scenario, &outcome, &journal).iter().map(ToString::to_string).collect();
            prop_assert_eq!(broken, Vec::<String>::new(), "{}", spec);
        }
    }
}
