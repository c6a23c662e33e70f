use batchlab::schedule::verify::promises;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{all_specs, event_orders, fractions, options, overruns, samples};
use super::sites::sites;
use crate::lab::{bare, play, policies, try_play};

pub const KINDS: [&str; 3] = [
    "\"outage\"",
    "\"reservation\"\nuser = [1, 2]",
    "\"reservation\"\nuser = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]",
];

/// Events of the whole pool or of a processor, each with what becomes of its jobs and when it is known; some are
/// reservations for users.
fn calendars() -> impl Strategy<Value = String> {
    let jobs = select(vec!["requeue", "kill", "drain"]);
    let known = select(vec!["true", "false", "5", "20"]);
    let part = select(vec!["", "procs = 1\n"]);
    let kind = select(KINDS.to_vec());
    let event = (0i64..60, 1i64..40, part, jobs, known, kind).prop_map(|(from, length, part, jobs, known, kind)| {
        let to = from + length;
        format!("[[event]]\nkind = {kind}\nfrom = {from}\nto = {to}\n{part}jobs = \"{jobs}\"\nknown = {known}\n")
    });
    prop::collection::vec(event, 1..4).prop_map(|events| events.concat())
}

/// Specs that decline calendars, with the reason: they suspend or move jobs.
fn declines(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default();
    policies().iter().any(|known| known.name == name && known.needs.time_sharing)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The checker finds nothing against what is in service at each instant, and every job ends.
    #[test]
    fn every_policy_keeps_to_the_calendar(
        sample in samples(),
        specs in all_specs(),
        calendar in calendars(),
        foresight in select(vec!["calendar", "none", "reservations"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events).calendar(&calendar, foresight);
        for spec in specs {
            let may_decline = declines(&spec)
                || ["variant=fixed", "share=false", "memory=on", "extra=", "commit=true"].iter().any(|word| spec.contains(word));
            let played = try_play(&scene, &spec);
            prop_assert!(played.is_ok() || may_decline, "{}: {:?}", spec, played.err());
        }
    }

    /// On nodes, the last one goes out of service; the checker looks at every node.
    #[test]
    fn on_nodes_every_policy_keeps_to_the_calendar(
        site in sites(),
        (from, length) in (0i64..60, 1i64..40),
        jobs in select(vec!["requeue", "kill", "drain"]),
        known in select(vec!["true", "false", "5"]),
        foresight in select(vec!["calendar", "none", "reservations"]),
        kind in select(KINDS.to_vec()),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events);
        let nodes = scene.scenario.machine.nodes();
        let part = if nodes > 1 { format!("nodes = {}\n", nodes - 1) } else { String::new() };
        let to = from + length;
        let calendar = format!(
            "[[event]]\nkind = {kind}\nfrom = {from}\nto = {to}\n{part}jobs = \"{jobs}\"\nknown = {known}\n"
        );
        let scene = scene.calendar(&calendar, foresight);
        for spec in policies() {
            let played = try_play(&scene, &bare(&spec));
            prop_assert!(played.is_ok() || nodes > 1 || spec.name == "lookahead" || declines(spec.name), "{}: {:?}", spec.name, played.err());
        }
    }

    /// Where all is known, no job of a policy that plans ahead runs into a closure, and no promise is broken.
    #[test]
    fn what_is_known_interrupts_no_job_and_delays_no_reservation(
        sample in samples(),
        calendar in calendars(),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let mut scene = sample.play(overrun).calendar(&calendar, "calendar");
        scene.journal = true;
        for spec in policies().iter().filter(|spec| spec.needs.foresees) {
            let Ok((outcome, _)) = try_play(&scene, &bare(spec)) else { continue };
            let interrupted = outcome.tallies.keys().any(|what| what.contains("by the calendar"));
            prop_assert!(!interrupted, "{}: {:?}", spec.name, outcome.tallies);
        }
        for spec in ["easy", "conservative", "conservative:variant=fixed"] {
            let (outcome, journal) = play(&scene, spec);
            let broken: Vec<String> =
                promises(&scene.scenario, &outcome, &journal).iter().map(ToString::to_string).collect();
            prop_assert_eq!(broken, Vec::<String>::new(), "{}", spec);
        }
    }

    /// EASY on a pool asks the running jobs and the closures; a depth of one has a profile of both.
    #[test]
    fn beside_closures_a_depth_of_one_is_easy(
        sample in samples(),
        ticks in fractions(),
        options in options(),
        calendar in calendars(),
        foresight in select(vec!["calendar", "none", "reservations"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events).calendar(&calendar, foresight);
        let starts = |spec: String| try_play(&scene, &spec).map(|(outcome, _)| (outcome.start, outcome.end));
        let (easy, depth) = (starts(format!("easy:{options}")), starts(format!("depth:k=1,{options}")));
        prop_assert_eq!(easy.map_err(|error| error.to_string()), depth.map_err(|error| error.to_string()), "{}", options);
    }

    /// Events after the last end change nothing, whether or not policies know of them.
    #[test]
    fn events_after_the_end_change_nothing(
        sample in samples(),
        specs in all_specs(),
        foresight in select(vec!["none", "reservations"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let late = scene.calendar("[[event]]\nkind = \"outage\"\nfrom = 1e6\nto = 2e6\n", foresight);
        for spec in specs {
            let (Ok((free, _)), Ok((within, _))) = (try_play(&scene, &spec), try_play(&late, &spec)) else {
                continue;
            };
            prop_assert_eq!((&free.start, &free.end), (&within.start, &within.end), "{}", spec);
        }
    }
}
