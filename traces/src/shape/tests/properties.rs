use proptest::prelude::*;

use super::*;

/// Jobs in any order of submission, some of them at one instant.
fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let job = (0..2_000_000i64, 0..100_000i64, 1..64i64, 1..100_000i64, -1..9i64);
    proptest::collection::vec(job, 1..40)
}

/// Any number that a file can hold.
fn anything() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(i64::MAX),
        Just(i64::MIN),
        Just(i64::MAX / 1_000_000),
        Just(-1),
        0..100i64,
        0..1_000_000_000i64,
        any::<i64>(),
    ]
}

const STEPS_OF_ALL_KINDS: [(&str, &str); 19] = [
    ("filter", "keep = \"procs > 1 or run < 1h\""),
    ("window", "days = [0, 3]\norigin = \"first\""),
    ("window", "days = [-1, 3000000]\norigin = \"midnight\""),
    ("window", "jobs = [2, 3]\nrebase = \"first\""),
    ("split", "jobs = 2"),
    ("split", "days = 300.5"),
    ("merge", "with = \"itself\""),
    ("merge", "with = \"itself\"\nalign = \"calendar\"\nusers = \"same\""),
    ("scale", "interarrival = 1000\nrun = 1000\nsize = 1000\nmachine = 1000"),
    ("scale", "load = 0.001\nround = \"second\""),
    ("shift", "by = \"1000000w\""),
    ("shift", "weekday = \"friday\""),
    ("shake", "submit = \"3000000w\"\nrun = \"3000000w\"\nestimate = 1\nunit = \"tick\""),
    ("sample", "weeks = 4\nweek = \"calendar\"\npartial = true\napart = true"),
    ("estimate", "by = \"phi:0.5\"\nmodal = true\ncap = \"3000000w\""),
    ("estimate", "by = \"tsafrir\""),
    ("arrivals", "load = 0.7"),
    (
        "resource",
        "name = \"x\"\nlaw = \"lognormal\"\nmedian = 1e9\nsigma = 90\nper = \"node\"\ncorrelate = \"run\"\nrho = -1",
    ),
    ("resource", "name = \"x\"\nlaw = \"leinberger\"\nv = 1000\ncount = 3\non = \"requirement\""),
];

fn try_step(kind: &str, parameters: &str, trace: &Trace) -> Option<Trace> {
    let shaped = shape_with(&file(kind, parameters), trace.clone(), 1, &[]).ok()?;
    shaped.logs.into_iter().next().map(|log| log.trace)
}

fn same(one: &Trace, other: &Trace) {
    assert_eq!(one.len(), other.len());
    for field in Field::ALL {
        assert_eq!(shown(one, field), shown(other, field), "{}", field.name());
    }
}

proptest! {
    // Each case takes all steps.
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_log_however_odd_breaks_a_step(
        jobs in proptest::collection::vec((anything(), anything(), anything(), anything(), anything()), 1..8),
        start in anything(),
        seed in any::<u64>(),
    ) {
        let mut trace = log(&jobs);
        trace.header.unix_start_time = Some(start);
        trace.calendar =
            crate::Calendar::from_header(&trace.header, &"".into(), &mut crate::Findings::lenient()).unwrap();
        for (kind, parameters) in STEPS_OF_ALL_KINDS {
            let Ok(shaped) = shape_with(&file(kind, parameters), trace.clone(), seed, &[("itself", trace.clone())])
            else {
                continue;
            };
            for shaped in &shaped.logs {
                let rows = shaped.trace.len();
                prop_assert!(Field::ALL.iter().all(|&field| shaped.trace.column(field).len() == rows), "{kind}");
            }
        }
    }
}

proptest! {
    #[test]
    fn a_window_of_a_window_is_a_window(jobs in jobs(), from in 0..10u32, length in 1..10u32, a in 0..5u32, b in 1..5u32) {
        let trace = log(&jobs);
        for origin in ["zero", "midnight"] {
            let of = |first: u32, end: u32| {
                format!("days = [{first}, {end}]\norigin = \"{origin}\"\nrebase = \"begin\"")
            };
            let twice = try_step("window", &of(from, from + length), &trace)
                .and_then(|window| try_step("window", &of(a, a + b), &window));
            let once = try_step("window", &of(from + a, (from + a + b).min(from + length)), &trace);
            // An end before the beginning is refused: such windows are empty.
            match (twice, once) {
                (Some(twice), Some(once)) => {
                    same(&twice, &once);
                    prop_assert_eq!(twice.header.unix_start_time, once.header.unix_start_time);
                }
                (twice, once) => prop_assert!(twice.is_none() && once.is_none()),
            }
        }
    }

    #[test]
    fn a_window_of_jobs_of_one_is_one(jobs in jobs(), from in 1..20usize, count in 1..20usize, a in 1..10usize, b in 1..10usize) {
        let trace = log(&jobs);
        let of = |from: usize, count: usize| format!("jobs = [{from}, {count}]");
        let twice = try_step("window", &of(from, count), &trace)
            .and_then(|window| try_step("window", &of(a, b), &window));
        let left = (count + 1).saturating_sub(a).min(b);
        let once = (left > 0).then(|| try_step("window", &of(from + a - 1, left), &trace)).flatten();
        match (twice, once) {
            (Some(twice), Some(once)) => same(&twice, &once),
            (twice, once) => prop_assert!(twice.is_none() && once.is_none()),
        }
    }

    #[test]
    fn the_parts_of_a_split_are_all_jobs_once(jobs in jobs(), days in 1..9u32) {
        let trace = log(&jobs);
        let split = format!("days = {days}");
        let shaped = shape_with(&file("split", &split), trace.clone(), 1, &[]).unwrap();
        let mut numbered: Vec<i64> =
            shaped.logs.iter().flat_map(|log| numbers(&log.trace, Field::Job)).collect();
        numbered.sort_unstable();
        prop_assert_eq!(numbered, numbers(&trace, Field::Job));
    }

    #[test]
    fn a_factor_and_its_inverse_restore_a_trace_up_to_rounding(jobs in jobs(), factor in 0.01..100.0f64) {
        let trace = log(&jobs);
        let both = |factor: f64| format!("interarrival = {factor}\nrun = {factor}");
        let there = step("scale", &both(factor), trace.clone());
        let back = step("scale", &both(1.0 / factor), there);
        // Half a tick, stretched back, and half a tick again; floats of these sizes are exact to a tick.
        let allowed = (0.5 / factor + 0.5).ceil() as i64 + 1;
        for field in [Field::Submit, Field::Run, Field::RequestedTime] {
            for (old, new) in trace.column(field).iter().zip(back.column(field).iter()) {
                prop_assert!((old.to_micro() - new.to_micro()).abs() <= allowed, "{} {} {}", field.name(), old, new);
            }
        }
    }

    #[test]
    fn a_size_factor_and_its_inverse_restore_sizes_that_no_bound_cuts(jobs in jobs(), factor in 1.0..20.0f64) {
        let mut trace = log(&jobs);
        trace.header.max_procs = None;
        let there = step("scale", &format!("size = {factor}"), trace.clone());
        let back = step("scale", &format!("size = {}", 1.0 / factor), there);
        let allowed = (0.5 / factor + 0.5).floor() as i64;
        for (old, new) in numbers(&trace, Field::Requested).iter().zip(numbers(&back, Field::Requested)) {
            prop_assert!((old - new).abs() <= allowed, "{old} {new} {factor}");
        }
    }

    #[test]
    fn what_is_merged_is_had_back_by_its_source(one in jobs(), other in jobs()) {
        let (one, other) = (log(&one), log(&other));
        let merge = "with = \"other\"\nusers = \"same\"\nqueues = \"same\"\nnumbers = \"keep\"";
        for (source, log) in [(0, &one), (1, &other)] {
            let text = file("merge", merge) + &file("filter", &format!("keep = \"source = {source}\""));
            let back = shape_with(&text, one.clone(), 1, &[("other", other.clone())]).unwrap();
            let in_order = log.select(&log.by_submit());
            same(&back.logs[0].trace, &in_order);
        }
    }

    #[test]
    fn draws_do_not_change_when_others_are_added_or_jobs_left_out(jobs in jobs(), seed in 0..1000u64, cut in 1..40i64) {
        let draw = |name: &str| file("resource", &format!("name = \"{name}\"\nlaw = \"exponential\"\nmean = 1000000"));
        let drawn = |text: String| shape_with(&text, log(&jobs), seed, &[]).map(|shaped| {
            let trace = &shaped.logs[0].trace;
            numbers(trace, Field::Job).into_iter().zip(resource(trace, "b")).collect::<Vec<_>>()
        });
        let alone = drawn(draw("b")).unwrap();
        let among = drawn([draw("a"), draw("b"), draw("c"), file("shake", "run = 10")].concat()).unwrap();
        prop_assert_eq!(&alone, &among);
        if let Ok(fewer) = drawn(file("filter", &format!("keep = \"job >= {cut}\"")) + &draw("b")) {
            let expected: Vec<(i64, i64)> = alone.into_iter().filter(|(job, _)| *job >= cut).collect();
            prop_assert_eq!(fewer, expected);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_trace_and_no_step_breaks_one(jobs in jobs(), seed in 0..1000u64) {
        let text = [
            file("shake", "submit = 100\nrun = 10\nestimate = 10"),
            file("sample", "weeks = 3\npartial = true"),
            file("arrivals", "gap = 30"),
            file("estimate", "by = \"phi:0.5\"\nmodal = true"),
            file("resource", "name = \"m\"\nlaw = \"lognormal\"\nmedian = 100\nsigma = 2\ncorrelate = \"run\"\nrho = 0.5"),
            file("anonymize", "numbers = \"shuffle\""),
        ].concat();
        let shaped = || shape_with(&text, log(&jobs), seed, &[]).map(|mut shaped| shaped.logs.remove(0).trace);
        let (one, other) = match (shaped(), shaped()) {
            (Ok(one), Ok(other)) => (one, other),
            // Three weeks without a job may be drawn.
            (one, other) => {
                prop_assert_eq!(one.err(), other.err());
                return Ok(());
            }
        };
        same(&one, &other);
        prop_assert_eq!(resource(&one, "m"), resource(&other, "m"));
        prop_assert_eq!(&one.provenance, &other.provenance);
        prop_assert!(numbers(&one, Field::Submit).iter().all(|&submit| submit >= 0));
    }
}
