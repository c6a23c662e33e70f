//! Metrics of schedules in which jobs share processors in time, by hand and slice by slice.

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::{IntervalKind, Outcome};
use batchlab::policies::{
    Cycle, Event, Needs, Placement, Policy, PolicyError, Rate, Resume, Share, SwitchCharge, Turn,
};
use batchlab::traces::machine::processors;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Time, Workload};
use proptest::prelude::*;

use crate::lab::{Play, page, play};
use crate::properties::samples::samples;

struct Script<F>(F);

impl<F: FnMut(&mut Turn<'_>) -> Result<(), PolicyError> + Send> Policy for Script<F> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        (self.0)(turn)
    }
}

/// Jobs as (submit, run, processors).
fn scene(machine: Machine, costs: &str, jobs: &[(i64, i64, i64)]) -> Play {
    let job = |&(submit, run, procs): &(i64, i64, i64)| PlainJob {
        user: 1,
        ..PlainJob::secs(submit, run, vec![procs])
    };
    let mut scene = Play::new(machine, Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>()));
    scene.scenario.costs = costs.parse().unwrap();
    scene
}

fn on(columns: std::ops::Range<u32>) -> Placement {
    Placement(columns.map(|node| Share::new(node, 1)).collect())
}

/// Compares metrics with hand-computed values.
#[track_caller]
fn check(scene: &Play, outcome: &Outcome, expected: &[(&str, f64)]) {
    let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
    let measurement = Measurement::new(workload, machine, outcome, MeasureOptions::default()).unwrap();
    let catalogue = Catalogue::new(machine, &[]);
    for &(key, expected) in expected {
        let value = catalogue.find(key).unwrap().value(&measurement).unwrap();
        assert!((value - expected).abs() < 1e-9, "{key}: {value}, not {expected}");
    }
}

fn metric(scene: &Play, outcome: &Outcome, key: &str) -> f64 {
    let (workload, machine) = (&scene.scenario.workload, &scene.scenario.machine);
    let measurement = Measurement::new(workload, machine, outcome, MeasureOptions::default()).unwrap();
    Catalogue::new(machine, &[]).find(key).unwrap().value(&measurement).unwrap_or(0.0)
}

#[test]
fn two_rows_and_a_job_that_waits_for_one_of_them() {
    // Slices of 2 s, of which switches take 0.2. A (2 processors) 0-2, B (1) 2-4, A 4-5.4, its last 1.2 s. C
    // (2), which arrived at 1, then has its second: 5.4-6.6. B is alone: 6.6-8.6, 8.6-9.2.
    let [a, b, c] = [0, 1, 2].map(JobId);
    let scene = scene(Machine::pool(2).unwrap(), "switch=0.1", &[(0, 3, 2), (0, 4, 1), (1, 1, 2)]);
    let slice = Time::from_secs(2);
    let mut gang = Script(|turn: &mut Turn<'_>| {
        if turn.now() == Time::ZERO {
            let rows = vec![vec![a], vec![b]];
            let cycle = Cycle { rows, slice, resume: Resume::First, ..Cycle::default() };
            turn.cycle(&cycle, &[(a, on(0..2)), (b, on(0..1))])?;
        } else if turn.events().contains(&Event::Finished(a)) {
            let rows = vec![vec![c], vec![b]];
            let cycle = Cycle { rows, slice, resume: Resume::First, ..Cycle::default() };
            turn.cycle(&cycle, &[(c, on(0..2))])?;
        }
        Ok(())
    });
    let (outcome, _) = scene.with(Needs::GANG, &mut gang).unwrap();
    let ends: Vec<f64> = outcome.end.iter().map(|end| end.secs()).collect();
    assert_eq!(ends, [5.4, 9.2, 6.6]);
    let capacity = 2.0 * 9.2;
    check(
        &scene,
        &outcome,
        &[
            ("mean_wait", (0.0 + 2.0 + 4.4) / 3.0),
            ("mean_stalled", (2.4 + 3.2 + 0.2) / 3.0),
            ("mean_suspensions", 2.0 / 3.0),
            ("max_suspensions", 1.0),
            ("max_migrations", 0.0),
            ("max_swaps", 0.0),
            ("mean_overhead", (0.4 + 0.6 + 0.2) / 3.0),
            ("mean_normalized_response", (5.4 / 3.0 + 9.2 / 4.0 + 5.6) / 3.0),
            ("mean_slowdown", (5.4 / 3.0 + 9.2 / 4.0 + 5.6) / 3.0),
            ("utilization", (6.0 + 4.0 + 2.0) / capacity),
            ("overhead_share", (2.0 * 0.4 + 0.6 + 2.0 * 0.2) / capacity),
            // A until 5.4, B until 9.2, C from 5.4 to 6.6.
            ("multiprogramming_level", (10.8 + 9.2 + 2.4) / capacity),
            ("max_multiprogramming_level", 1.5),
            // Until 1: 0.8 s of A; B waits.
            ("utilization_window", 1.6 / 2.0),
            ("mean_queue_length", 1.0),
            // C waits from 1 to 5.4. Two slices begin in this time; 6.8 of 8.8 processor-seconds are occupied.
            ("loss_of_capacity", (2.0 + 0.2 * 2.0 * 6.8 / 4.4) / capacity),
        ],
    );
}

#[test]
fn if_only_changed_rows_pay_the_loss_counts_their_costs() {
    // Both rows contain A; B and C alternate at 2, 4 and 6. D waits from 1 on.
    let [a, b, c, d] = [0, 1, 2, 3].map(JobId);
    let mut scene =
        scene(Machine::pool(3).unwrap(), "switch=0.1", &[(0, 10, 1), (0, 3, 1), (0, 3, 1), (1, 1, 3)]);
    scene.scenario.costs.charge = SwitchCharge::Changed;
    let slice = Time::from_secs(2);
    let mut gang = Script(|turn: &mut Turn<'_>| {
        if turn.now() == Time::ZERO {
            let rows = vec![vec![a, b], vec![a, c]];
            let cycle = Cycle { rows, slice, resume: Resume::First, ..Cycle::default() };
            turn.cycle(&cycle, &[(a, on(0..1)), (b, on(1..2)), (c, on(1..2))])?;
        } else if turn.events().contains(&Event::Finished(a)) {
            let cycle = Cycle { rows: vec![vec![d]], slice, resume: Resume::First, ..Cycle::default() };
            turn.cycle(&cycle, &[(d, on(0..3))])?;
        }
        Ok(())
    });
    let (outcome, _) = scene.with(Needs::GANG, &mut gang).unwrap();
    // A pays only at 0 and ends at 10.2. B has 0-2 and 4-5.4, A the rest of its row until 6; C has 2-4 and 6-7.4.
    let ends: Vec<f64> = outcome.end.iter().map(|end| end.secs()).collect();
    assert_eq!(ends, [10.2, 5.4, 7.4, 11.4]);
    // From 1 to 10.2 A runs, B for 1 and 1.4 s, C for 2 and 1.4 s of it; 0.2 s are paid at 2, 4 and 6.
    let lost = 3.0 * 9.2 - 9.2 - 2.4 - 3.4 + 3.0 * 0.2;
    check(&scene, &outcome, &[("loss_of_capacity", lost / (3.0 * 11.4))]);
}

#[test]
fn a_job_that_is_suspended_and_swapped() {
    // Job 1 is swapped out from 30 to 32, when job 2 starts, and swapped in on its four processors from 62 to
    // 64; job 3 has one of them from 52 to 62.
    let page = page(
        4,
        "job submit run estimate procs memory -> start
         1   0      100 100      4     8      -> 0
         2   10     20  20       4     4      -> 32
         3   31     10  10       1     1      -> 52",
    )
    .with("memory", 10);
    let outcome = page.outcome("start", "selective-suspension:interval=none,swap=1KB/s");
    let capacity = 4.0 * 134.0;
    check(
        &page.play(),
        &outcome,
        &[
            ("mean_suspensions", 1.0 / 3.0),
            ("mean_swaps", 1.0 / 3.0),
            ("max_overhead", 4.0),
            ("max_stalled", 34.0),
            ("utilization", (400.0 + 80.0 + 10.0) / capacity),
            ("overhead_share", 4.0 * 2.0 / capacity),
            // On the machine: job 1 until 32 and from 62, job 2 from 32 to 52, job 3 from 52 to 62.
            ("multiprogramming_level", (4.0 * (32.0 + 72.0) + 4.0 * 20.0 + 10.0) / capacity),
            ("max_multiprogramming_level", 1.0),
            // A job waits in the queue from 10 to 62: four processors are idle from 30 to 32, three from 52.
            ("loss_of_capacity", (8.0 + 30.0) / capacity),
        ],
    );
}

#[test]
fn a_job_that_moves_to_another_node() {
    let scene =
        scene(Machine::new(vec![processors()], &[vec![1], vec![1]]).unwrap(), "migrate=2s", &[(0, 10, 1)]);
    let job = JobId(0);
    let mut mover = Script(|turn: &mut Turn<'_>| {
        if turn.now() == Time::ZERO {
            turn.place(job, &on(0..1), Rate::FULL)?;
            turn.wake_at(Time::from_secs(4))?;
        } else if turn.now() == Time::from_secs(4) {
            turn.place(job, &on(1..2), Rate::FULL)?;
        }
        Ok(())
    });
    let (outcome, _) = scene.with(Needs::TIME_SHARING, &mut mover).unwrap();
    check(
        &scene,
        &outcome,
        &[
            ("makespan", 12.0),
            ("max_migrations", 1.0),
            ("max_suspensions", 0.0),
            ("max_overhead", 2.0),
            ("overhead_share", 2.0 / 24.0),
            ("utilization", 10.0 / 24.0),
        ],
    );
}

/// Puts every job in a separate row, with a new cycle at each arrival; `most` is the largest number of rows.
struct Rows {
    most: usize,
    members: Vec<JobId>,
    resume: Resume,
}

impl Policy for Rows {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.members.retain(|&job| turn.ended(job).is_none());
        let waiting: Vec<JobId> = turn.waiting().take(self.most - self.members.len()).collect();
        if waiting.is_empty() {
            return Ok(());
        }
        self.members.extend(&waiting);
        let rows = self.members.iter().map(|&job| vec![job]).collect();
        let procs = |job| turn.job(job).procs() as u32;
        let places: Vec<_> = waiting.iter().map(|&job| (job, on(0..procs(job)))).collect();
        let cycle = Cycle { rows, slice: Time::from_secs(3), resume: self.resume, ..Cycle::default() };
        Ok(turn.cycle(&cycle, &places)?)
    }
}

/// Processors × ticks that jobs held between two instants, according to all their intervals.
fn held(scene: &Play, outcome: &Outcome, from: Time, to: Time) -> i128 {
    let all = outcome.all_intervals();
    let holding = all.iter().filter(|interval| interval.rate > 0.0);
    let inside = holding.map(|interval| {
        let ticks = (interval.to.min(to) - interval.from.max(from)).ticks().max(0);
        i128::from(scene.scenario.workload.procs(interval.job)) * i128::from(ticks)
    });
    inside.sum()
}

/// Zhang's κ, equation 3, times its denominator, interval by interval and slice by slice.
fn lost(scene: &Play, outcome: &Outcome) -> f64 {
    let workload = &scene.scenario.workload;
    let procs = i128::from(scene.scenario.machine.procs());
    let mut events: Vec<Time> =
        workload.jobs().flat_map(|job| [workload.submit(job), outcome.end(job)]).collect();
    events.sort_unstable();
    let mut begins: Vec<(Time, i64)> = Vec::new();
    for epoch in &outcome.epochs {
        let rotation = &epoch.rotation;
        let mut slice = 0;
        while rotation.begin_of(slice) < (epoch.to - epoch.from).ticks() {
            if slice > 0 || rotation.spent == Time::ZERO {
                let begin = epoch.from + Time::from_ticks(rotation.begin_of(slice));
                begins.push((begin, rotation.switch.ticks()));
            }
            slice += 1;
        }
    }
    let mut lost = 0.0;
    for pair in events.windows(2).filter(|pair| pair[0] < pair[1]) {
        let (from, to) = (pair[0], pair[1]);
        let in_rows = |job: JobId| {
            let at = |epoch: &batchlab::outcome::Epoch| epoch.from <= from && from < epoch.to;
            outcome.epochs.iter().filter(at).any(|epoch| epoch.rows.iter().any(|row| row.contains(&job)))
        };
        let waits = |&job: &JobId| workload.submit(job) <= from && outcome.end(job) > from && !in_rows(job);
        if workload.jobs().any(|job| waits(&job)) {
            let length = i128::from((to - from).ticks());
            let occupied = held(scene, outcome, from, to);
            let switches: i64 =
                begins.iter().filter(|(at, _)| from <= *at && *at < to).map(|(_, switch)| switch).sum();
            lost += (procs * length - occupied) as f64 + switches as f64 * occupied as f64 / length as f64;
        }
    }
    lost
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn service_overheads_and_idle_processors_make_the_whole_machine(
        sample in samples(),
        most in 1usize..5,
        switch in prop::sample::select(vec!["0", "0.1", "0.4"]),
        changed in any::<bool>(),
        resume in prop::sample::select(vec![Resume::Continue, Resume::Next]),
    ) {
        let mut scene = sample.play(Overrun::Raise);
        scene.scenario.costs = format!("switch={switch}").parse().unwrap();
        if changed {
            scene.scenario.costs.charge = SwitchCharge::Changed;
        }
        let mut rows = Rows { most, members: Vec::new(), resume };
        let (outcome, _) = scene.with(Needs::GANG, &mut rows).unwrap();
        let workload = &scene.scenario.workload;
        let procs = |job| i128::from(workload.procs(job));
        let first = workload.jobs().map(|job| workload.submit(job)).min().unwrap();
        let last = outcome.end.iter().copied().max().unwrap();
        let capacity = i128::from(scene.scenario.machine.procs()) * i128::from((last - first).ticks());
        let idle = capacity - held(&scene, &outcome, first, last);
        let service: i128 = workload.jobs().map(|job| procs(job) * i128::from(workload.run(job).ticks())).sum();
        let of = |job: JobId| i128::from(outcome.services[job.index()].overhead().ticks());
        let overheads: i128 = workload.jobs().map(|job| procs(job) * of(job)).sum();
        prop_assert!(idle >= 0);
        prop_assert_eq!(service + overheads + idle, capacity);
        if capacity > 0 {
            let share = |key| metric(&scene, &outcome, key);
            prop_assert_eq!(share("utilization"), service as f64 / capacity as f64);
            prop_assert_eq!(share("overhead_share"), overheads as f64 / capacity as f64);
            if !changed {
                let (kappa, expected) = (share("loss_of_capacity"), lost(&scene, &outcome) / capacity as f64);
                prop_assert!((kappa - expected).abs() < 1e-9, "{} and {}", kappa, expected);
            }
        }
        let machine = &scene.scenario.machine;
        let measured = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
        let (backlog, length) = (measured.backlog(), measured.window().ticks() as f64 / 1e6);
        let done = metric(&scene, &outcome, "utilization_window") * machine.procs() as f64 * length;
        let tolerance = 1e-6 * (1.0 + backlog.arrived);
        prop_assert!((backlog.completed - done).abs() < tolerance, "{} and {}", backlog.completed, done);
        prop_assert!(backlog.points.iter().all(|&(_, left)| left > -tolerance), "{:?}", backlog.points);
    }

    /// Jobs that are swapped out do not hold their processors in the meantime.
    #[test]
    fn intervals_add_up_when_jobs_are_suspended(sample in samples(), hold in prop::sample::select(vec!["swap", "memory"])) {
        let scene = sample.play(Overrun::Raise);
        let (outcome, _) = play(&scene, &format!("selective-suspension:sf=1.2,interval=none,hold={hold}"));
        let workload = &scene.scenario.workload;
        let first = workload.jobs().map(|job| workload.submit(job)).min().unwrap();
        let last = outcome.end.iter().copied().max().unwrap();
        let capacity = i128::from(scene.scenario.machine.procs()) * i128::from((last - first).ticks());
        if capacity > 0 {
            let busy = held(&scene, &outcome, first, last) as f64 / capacity as f64;
            let shares = ["utilization", "overhead_share"].map(|key| metric(&scene, &outcome, key));
            prop_assert!((shares[0] + shares[1] - busy).abs() < 1e-12);
            let runs = outcome.intervals.iter().filter(|interval| interval.kind == IntervalKind::Run).count();
            let stops = metric(&scene, &outcome, "mean_suspensions") * workload.len() as f64;
            // Every stretch of a job except its last ends with a suspension; jobs without run time have none.
            prop_assert!(stops.round() as usize <= runs);
            if outcome.services.iter().all(|service| service.suspensions == 0) {
                prop_assert_eq!(stops, 0.0);
            }
        }
    }
}
