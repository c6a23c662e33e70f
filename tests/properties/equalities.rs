//! Policies that are equal by definition.

use batchlab::Outcome;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{Field, JobId, Time};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{event_orders, fractions, options, overruns, prompt_orders, queue_orders, samples};
use crate::lab::{Play, play};

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    let (Outcome { start, .. }, _) = play(scene, spec);
    start
}

/// Built-in orders, with the expressions of their formulas.
const FORMULAS: [(&str, &str); 15] = [
    ("fcfs", "expr(0)"),
    ("sjf", "expr(estimate)"),
    ("ljf", "expr(-estimate)"),
    ("saf", "expr(procs*estimate)"),
    ("laf", "expr(-procs*estimate)"),
    ("sqf", "expr(procs)"),
    ("lqf", "expr(-procs)"),
    ("srf", "expr(estimate/procs)"),
    ("expansion", "expr(-(wait+max(estimate,1))/max(estimate,1))"),
    ("wfp3", "expr(-((wait/max(estimate,1))^3*procs))"),
    ("unicef", "expr(-wait/(log2(max(procs,2))*max(estimate,1)))"),
    ("f1", "expr(log10(max(estimate,1))*procs+870*log10(max(submit,1)))"),
    ("f2", "expr(sqrt(max(estimate,1))*procs+25600*log10(max(submit,1)))"),
    ("f3", "expr(max(estimate,1)*procs+6860000*log10(max(submit,1)))"),
    ("f4", "expr(max(estimate,1)*sqrt(procs)+530000*log10(max(submit,1)))"),
];

const SERVING: [&str; 12] = [
    "fcfs",
    "first-fit",
    "easy",
    "depth:k=2",
    "conservative",
    "conservative:variant=replan",
    "selective",
    "slack",
    "relaxed",
    "lookahead",
    "ff-easy",
    "bl-easy",
];

/// Policies that try the jobs behind a reservation in a candidate order.
const TRYING: [&str; 6] = ["easy", "depth:k=2", "selective", "slack", "relaxed", "lookahead"];

/// Options of every policy that serves jobs in a queue order.
fn serving_options() -> impl Strategy<Value = &'static str> {
    select(vec![
        "threshold=none",
        "threshold=5",
        "predictor=last2",
        "threshold=20,predictor=last2,corrector=double",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn a_depth_of_one_is_easy(
        sample in samples(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let easy = starts(&scene, &format!("easy:{options}"));
        prop_assert_eq!(easy, starts(&scene, &format!("depth:k=1,{options}")), "{} in {}", options, events);
    }

    /// With fractional times, ends can be closer together than the second that an overdue job is expected to last.
    #[test]
    fn a_depth_of_one_is_easy_with_fractional_times(
        sample in samples(),
        ticks in fractions(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        let easy = starts(&scene, &format!("easy:{options}"));
        prop_assert_eq!(easy, starts(&scene, &format!("depth:k=1,{options}")), "{} in {}", options, events);
    }

    #[test]
    fn an_infinite_depth_is_conservative_with_replanning(
        sample in samples(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let depth = starts(&scene, &format!("depth:k=inf,order={order}"));
        prop_assert_eq!(depth, starts(&scene, &format!("conservative:variant=replan,order={order}")));
    }

    #[test]
    fn more_reservations_than_jobs_are_as_good_as_infinitely_many(
        sample in samples(),
        options in options(),
        events in prompt_orders(),
    ) {
        let scene = sample.play(Overrun::Raise).events(events);
        let all = starts(&scene, &format!("depth:k=41,{options}"));
        prop_assert_eq!(all, starts(&scene, &format!("depth:k=inf,{options}")), "{}", options);
    }

    /// If no job ends early, there is no hole to move into.
    #[test]
    fn the_conservative_variants_coincide_with_exact_estimates(sample in samples(), events in prompt_orders()) {
        let scene = sample.exact().play(Overrun::Raise).events(events);
        let fixed = starts(&scene, "conservative:variant=fixed");
        for variant in ["compress", "replan"] {
            let spec = format!("conservative:variant={variant}");
            prop_assert_eq!(&fixed, &starts(&scene, &spec), "{} in {}", variant, events);
        }
    }

    /// On one processor no job can pass a head that does not fit.
    #[test]
    fn on_a_serial_machine_backfilling_is_fcfs(sample in samples(), overrun in overruns()) {
        let mut serial = sample;
        serial.procs = 1;
        serial.jobs.iter_mut().for_each(|job| job.demand = vec![1]);
        let scene = serial.play(overrun);
        let fcfs = starts(&scene, "fcfs");
        for spec in ["first-fit", "easy", "depth:k=2", "easy:extra=first"] {
            prop_assert_eq!(&fcfs, &starts(&scene, spec), "{}", spec);
        }
    }

    /// A built-in order equals the expression of its formula.
    #[test]
    fn a_named_order_is_the_expression_of_its_formula(
        sample in samples(),
        ticks in fractions(),
        order in select(FORMULAS.to_vec()),
        queue in queue_orders(),
        options in serving_options(),
        events in event_orders(),
        overrun in overruns(),
        name in select(SERVING.to_vec()),
        tries in select(TRYING.to_vec()),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        let with = |order: &str| starts(&scene, &format!("{name}{}order={order},{options}", separator(name)));
        prop_assert_eq!(with(order.0), with(order.1), "{} {:?} {} in {}", name, order, options, events);
        let candidates = |order: &str| {
            let tried = format!("{tries}{}order={queue},candidates={order},{options}", separator(tries));
            starts(&scene, &tried)
        };
        let (named, computed) = (candidates(order.0), candidates(order.1));
        prop_assert_eq!(named, computed, "{} {} {:?} {} in {}", tries, queue, order, options, events);
    }

    /// Alone, an order is first come, first served in that order.
    #[test]
    fn an_order_alone_is_the_queue_served_in_it(
        sample in samples(),
        order in select(FORMULAS.to_vec()),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let named = starts(&scene, &format!("fcfs:order={}", order.0));
        prop_assert_eq!(&named, &starts(&scene, order.1), "{} in {}", order.1, events);
        let within = format!("limits:policy={},user-jobs=40", order.1);
        prop_assert_eq!(&named, &starts(&scene, &within), "{} in {}", within, events);
    }

    /// A computed threshold that has the same length for all jobs.
    #[test]
    fn a_computed_threshold_that_is_the_same_for_all_is_the_plain_one(
        sample in samples(),
        ticks in fractions(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
        name in select(SERVING.to_vec()),
        threshold in select(vec![("none", "expr(1/0)"), ("0", "expr(0)"), ("5", "expr(5s)"), ("20", "expr(20+0*estimate)")]),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        let with = |threshold: &str| {
            starts(&scene, &format!("{name}{}order={order},threshold={threshold}", separator(name)))
        };
        prop_assert_eq!(with(threshold.0), with(threshold.1), "{} {} {:?} in {}", name, order, threshold, events);
    }

    /// A computed factor that has the same size for all jobs.
    #[test]
    fn a_computed_factor_that_is_the_same_for_all_is_the_plain_one(
        sample in samples(),
        options in serving_options(),
        events in event_orders(),
        overrun in overruns(),
        (plain, computed) in select(vec![
            ("selective:xfactor=1", "selective:xfactor=expr(1)"),
            ("selective:xfactor=1.5", "selective:xfactor=expr(1.5*procs/procs)"),
            ("selective:xfactor=inf", "selective:xfactor=expr(0/0)"),
            ("slack:factor=0", "slack:factor=expr(-procs)"),
            ("slack:factor=2", "slack:factor=expr(2)"),
            ("slack:factor=1,of=estimate", "slack:factor=expr(min(1,procs)),of=estimate"),
        ]),
    ) {
        let scene = sample.play(overrun).events(events);
        let with = |spec: &str| starts(&scene, &format!("{spec},{options}"));
        prop_assert_eq!(with(plain), with(computed), "{} {} in {}", computed, options, events);
    }

    /// With one user, all shares are equal.
    #[test]
    fn with_one_user_shares_are_first_come_first_served(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        name in select(vec!["fcfs", "first-fit", "easy", "depth:k=2", "conservative"]),
    ) {
        let mut alone = sample;
        alone.jobs.iter_mut().for_each(|job| job.user = 7);
        let scene = alone.play(overrun).events(events);
        let with = |order: &str| starts(&scene, &format!("{name}{}order={order}", separator(name)));
        for order in ["drf", "fairshare"] {
            prop_assert_eq!(with("fcfs"), with(order), "{} in {}", order, events);
        }
    }

    /// With one resource, the job that uses most of the free resource is the largest. A walk that restarts
    /// after each start passes over the same jobs as one that continues.
    #[test]
    fn with_one_resource_tetris_takes_the_largest_first(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        name in select(vec!["fcfs", "first-fit", "easy", "depth:k=1", "depth:k=2", "depth:k=inf"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let with = |order: &str| starts(&scene, &format!("{name}{}order={order}", separator(name)));
        prop_assert_eq!(with("lqf"), with("tetris"), "{} in {}", name, events);
        let candidates = |order: &str| starts(&scene, &format!("easy:order=sjf,candidates={order}"));
        prop_assert_eq!(candidates("lqf"), candidates("tetris"), "candidates in {}", events);
    }

    #[test]
    fn limits_that_are_never_reached_change_nothing(
        sample in samples(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        for inner in [format!("easy:{options}"), format!("depth:k=2,{options}"), "conservative".into()] {
            let plain = starts(&scene, &inner);
            for limits in ["", ",user-jobs=40,partition-procs=640,group-jobs=40"] {
                let limited = starts(&scene, &format!("limits:policy=({inner}){limits}"));
                prop_assert_eq!(&plain, &limited, "{}{} in {}", inner, limits, events);
            }
        }
    }

    /// For any inner policy, no user has more than the limits allow at any instant.
    #[test]
    fn limits_hold_at_every_instant(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        most in 1usize..4,
        inner in select(vec!["fcfs", "first-fit", "easy", "(depth:k=2,order=drf)", "conservative"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let spec = format!("limits:policy={inner},user-jobs={most}");
        let (outcome, _) = play(&scene, &spec);
        let workload = &scene.scenario.workload;
        for at in workload.jobs().map(|job| outcome.start(job)) {
            let runs = |job: &JobId| outcome.start(*job) <= at && at < outcome.end(*job);
            for user in 0..3 {
                let of_user = |job: &JobId| workload.attribute(*job, Field::User) == user;
                let running = workload.jobs().filter(of_user).filter(runs).count();
                prop_assert!(running <= most, "{} at {} in {}", spec, at, events);
            }
        }
    }
}

/// The separator before the next parameter of a spec.
fn separator(spec: &str) -> char {
    if spec.contains(':') { ',' } else { ':' }
}
