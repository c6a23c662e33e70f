//! Policies that reserve for some jobs, relax reservations, or pack: limits, and the promises they keep.

use batchlab::Outcome;
use batchlab::policies::Act;
use batchlab::schedule::verify::promises;
use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{
    Sample, event_orders, fractions, options, overruns, prompt_orders, queue_orders, samples,
};
use crate::lab::{Play, play};

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    let (Outcome { start, .. }, _) = play(scene, spec);
    start
}

/// Returns the broken promises of a replay, and the number of all promises.
fn broken(scene: &Play, spec: &str) -> (Vec<String>, usize) {
    let scene = Play { journal: true, ..scene.clone() };
    let (outcome, journal) = play(&scene, spec);
    let made = journal.entries.iter().filter(|entry| matches!(entry.act, Act::Promised(_))).count();
    let broken = promises(&scene.scenario, &outcome, &journal);
    (broken.iter().map(ToString::to_string).collect(), made)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_head_that_may_not_be_delayed_at_all_is_that_of_easy(
        sample in samples(),
        ticks in fractions(),
        whole in any::<bool>(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let sample = if whole { sample } else { sample.with_fractions(&ticks) };
        let scene = sample.play(overrun).events(events);
        let easy = starts(&scene, &format!("easy:{options}"));
        prop_assert_eq!(easy, starts(&scene, &format!("relaxed:omega=0,{options}")), "{} in {}", options, events);
    }

    #[test]
    fn reservations_for_all_jobs_are_an_infinite_depth(
        sample in samples(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let depth = starts(&scene, &format!("depth:k=inf,{options}"));
        prop_assert_eq!(&depth, &starts(&scene, &format!("selective:xfactor=1,{options}")), "{} in {}", options, events);
    }

    #[test]
    fn without_slack_all_jobs_are_replanned(
        sample in samples(),
        options in options(),
        of in select(vec!["wait", "estimate"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let depth = starts(&scene, &format!("depth:k=inf,{options}"));
        let slack = starts(&scene, &format!("slack:factor=0,of={of},{options}"));
        prop_assert_eq!(&depth, &slack, "{} in {}", options, events);
    }

    #[test]
    fn without_reservations_every_job_that_fits_starts(
        sample in samples(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let first_fit = starts(&scene, &format!("first-fit:order={order}"));
        for spec in ["selective:xfactor=inf", "relaxed:omega=inf"] {
            prop_assert_eq!(&first_fit, &starts(&scene, &format!("{spec},order={order}")), "{} in {}", spec, events);
        }
    }

    /// One by one, candidates of one processor each fill as many processors as any set of them.
    #[test]
    fn lookahead_over_serial_candidates_is_easy(
        sample in samples(),
        wide in prop::collection::vec(any::<bool>(), 40),
        order in queue_orders(),
        candidates in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        // A set is chosen at once, so an order that changes with every start is evaluated once per decision.
        prop_assume!(!["drf", "tetris"].contains(&candidates));
        let mut sample: Sample = sample;
        for (job, &wide) in sample.jobs.iter_mut().zip(&wide) {
            job.demand = vec![if wide { sample.procs } else { 1 }];
        }
        let scene = sample.play(overrun).events(events);
        let options = format!("order={order},candidates={candidates}");
        let easy = starts(&scene, &format!("easy:{options}"));
        for depth in ["inf", "40"] {
            let spec = format!("lookahead:depth={depth},{options}");
            prop_assert_eq!(&easy, &starts(&scene, &spec), "{} in {}", spec, events);
        }
    }

    #[test]
    fn a_depth_beyond_the_queue_is_infinite(sample in samples(), options in options(), events in event_orders()) {
        let scene = sample.play(Overrun::Raise).events(events);
        let all = starts(&scene, &format!("lookahead:depth=inf,{options}"));
        for depth in [39, 40, 50] {
            prop_assert_eq!(&all, &starts(&scene, &format!("lookahead:depth={depth},{options}")), "{}", options);
        }
    }

    /// The head starts by its first limit, and the limit never moves later.
    #[test]
    fn promises_to_the_head_are_kept(
        sample in samples(),
        candidates in queue_orders(),
        policy in select(vec!["relaxed:omega=0.3", "relaxed", "relaxed:omega=4", "lookahead", "lookahead:depth=2", "lookahead:ties=slowdown"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let comma = if policy.contains(':') { "," } else { ":" };
        let spec = format!("{policy}{comma}candidates={candidates}");
        prop_assert_eq!(broken(&sample.play(overrun), &spec).0, Vec::<String>::new());
    }

    /// With exact estimates no job starts later than its first planned start plus its slack.
    #[test]
    fn no_job_is_delayed_beyond_its_slack(
        sample in samples(),
        factor in select(vec!["0", "0.4", "1", "7"]),
        of in select(vec!["wait", "estimate"]),
        candidates in queue_orders(),
        events in prompt_orders(),
    ) {
        let scene = sample.exact().play(Overrun::Raise).events(events);
        let spec = format!("slack:factor={factor},of={of},candidates={candidates}");
        prop_assert_eq!(broken(&scene, &spec).0, Vec::<String>::new(), "{}", spec);
    }

    /// A machine of one chosen node is a pool, and resources needed in equal amounts act as one.
    #[test]
    fn nodes_and_resources_that_make_no_difference_make_none(
        sample in samples(),
        options in options(),
        policy in select(vec!["relaxed:", "selective:", "selective:xfactor=2,", "slack:", "slack:of=estimate,"]),
        events in event_orders(),
        overrun in overruns(),
        kinds in 2usize..=4,
    ) {
        let pool = sample.play(overrun).events(events);
        let spec = format!("{policy}{options}");
        let expected = starts(&pool, &spec);
        let node = Play { by_node: true, general: true, ..pool };
        prop_assert_eq!(&expected, &starts(&node, &spec), "{} on a node in {}", spec, events);
        let more = sample.play_with(overrun, kinds).events(events);
        prop_assert_eq!(&expected, &starts(&more, &spec), "{} with {} resources in {}", spec, kinds, events);
    }
}
