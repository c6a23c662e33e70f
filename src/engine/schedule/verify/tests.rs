use batchlab_support::journal::Entry;
use batchlab_support::{Act, Journal, Share};
use batchlab_traces::machine::{Resource, Sharing, processors};
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::{promises, verify};
use crate::outcome::{Fate, Interval, IntervalKind, Outcome};
use crate::replay::engine::{EventOrder, Scenario};

fn secs(seconds: i64) -> Time {
    Time::from_secs(seconds)
}

fn plain(submit: i64, run: i64, demand: [i64; 2], partition: i64) -> PlainJob {
    let (submit, run, demand) = (secs(submit), secs(run), demand.to_vec());
    PlainJob { submit, run, estimate: run, demand, user: 1, partition }
}

/// Nodes of 4 processors and 10 of memory.
fn machine(nodes: usize) -> Machine {
    let memory = Resource { name: "memory".into(), unit: "KB".into(), sharing: Sharing::Space };
    Machine::new(vec![processors(), memory], &vec![vec![4, 10]; nodes]).unwrap()
}

/// Jobs as (submit, run, processors, memory) on 4 processors and 10 of memory, submitted in this order.
fn scenario(jobs: &[(i64, i64, i64, i64)]) -> Scenario {
    let job = |&(submit, run, procs, memory): &_| plain(submit, run, [procs, memory], -1);
    Scenario::new(machine(1), Workload::from_jobs(&jobs.iter().map(job).collect::<Vec<_>>()))
}

fn outcome(times: &[(i64, i64)]) -> Outcome {
    Outcome {
        start: times.iter().map(|&(start, _)| secs(start)).collect(),
        end: times.iter().map(|&(_, end)| secs(end)).collect(),
        ..Outcome::default()
    }
}

/// Intervals as (job, from, to, rate), and the first start and last end of each job from them.
fn shared(jobs: usize, intervals: &[(u32, i64, i64, f64)]) -> Outcome {
    let mut outcome = outcome(&vec![(i64::MAX, 0); jobs]);
    for &(job, from, to, rate) in intervals {
        let (from, to, at) = (secs(from), secs(to), job as usize);
        let kind = if rate > 0.0 { IntervalKind::Run } else { IntervalKind::Paused };
        if rate > 0.0 {
            outcome.start[at] = outcome.start[at].min(from);
        }
        outcome.end[at] = outcome.end[at].max(to);
        outcome.intervals.push(Interval { job: JobId(job), from, to, rate, kind });
    }
    outcome
}

fn broken(scenario: &Scenario, outcome: &Outcome) -> Vec<String> {
    verify(scenario, outcome).iter().map(ToString::to_string).collect()
}

#[test]
fn a_schedule_that_holds_has_no_violation() {
    let scenario = scenario(&[(0, 10, 4, 1), (0, 10, 4, 1), (10, 0, 4, 10), (10, 0, 4, 10)]);
    assert_eq!(broken(&scenario, &outcome(&[(0, 10), (10, 20), (10, 10), (10, 10)])), [""; 0]);
}

#[test]
fn every_job_starts_and_ends_after_its_submission_and_for_its_run_time() {
    let scenario = scenario(&[(5, 10, 1, 0), (5, 10, 1, 0), (5, 10, 1, 0), (5, 10, 1, 0)]);
    let mut wrong = outcome(&[(4, 14), (5, 16), (5, 0), (0, 0)]);
    wrong.end[2] = Time::MAX;
    wrong.start[3] = Time::MAX;
    assert_eq!(
        broken(&scenario, &wrong),
        [
            "job 1 at 4 s: it starts at 4 s and enters the queue at 5 s",
            "job 2 at 5 s: it runs for 11 s instead of 10 s",
            "job 3 at 5 s: it starts and never ends",
            "job 4 at 5 s: it is submitted and never starts",
        ]
    );
    assert_eq!(verify(&scenario, &Outcome::default()).len(), 4);
}

#[test]
fn a_killed_job_may_run_for_less_and_never_for_longer() {
    let scenario = scenario(&[(0, 10, 4, 0), (0, 10, 4, 0), (0, 10, 4, 0)]);
    let mut killed = outcome(&[(0, 3), (1, 1), (3, 14)]);
    killed.fate = vec![Fate::Killed; 3];
    assert_eq!(broken(&scenario, &killed), ["job 3 at 3 s: it runs for 11 s instead of 10 s"]);
}

#[test]
fn every_resource_is_watched_at_every_instant() {
    let scenario = scenario(&[(0, 10, 3, 1), (0, 10, 2, 1), (0, 10, 1, 9)]);
    assert_eq!(
        broken(&scenario, &outcome(&[(0, 10), (9, 19), (10, 20)])),
        ["job 2 at 9 s: it needs 2 procs, and 1 are free"]
    );
    assert_eq!(
        broken(&scenario, &outcome(&[(0, 10), (10, 20), (9, 19)])),
        [""; 0],
        "memory 1 + 9 fits, and so do 2 + 1 processors"
    );
    assert_eq!(
        broken(&scenario, &outcome(&[(0, 10), (0, 10), (0, 10)])),
        [
            "job 3 at 0 s: it needs 1 procs, and -1 are free",
            "job 3 at 0 s: it needs 9 memory, and 8 are free"
        ]
    );
}

#[test]
fn a_job_that_takes_no_time_needs_room_beside_those_that_run_across_its_instant() {
    let scenario = scenario(&[(0, 10, 2, 0), (0, 0, 3, 0)]);
    assert_eq!(
        broken(&scenario, &outcome(&[(0, 10), (5, 5)])),
        ["job 2 at 5 s: it needs 3 procs, and 2 are free"]
    );
    for instant in [0, 10] {
        assert_eq!(broken(&scenario, &outcome(&[(0, 10), (instant, instant)])), [""; 0]);
    }
}

#[test]
fn a_cycle_admits_starts_at_its_multiples_only() {
    let order = EventOrder::Periodic(secs(30));
    let scenario = Scenario { order, ..scenario(&[(0, 10, 1, 0), (0, 10, 1, 0)]) };
    assert_eq!(
        broken(&scenario, &outcome(&[(60, 70), (65, 75)])),
        ["job 2 at 65 s: it starts 5 s after a decision; decisions come every 30 s"]
    );
}

#[test]
fn a_paused_job_keeps_its_memory_and_lends_its_processors() {
    let scenario = scenario(&[(0, 10, 4, 6), (0, 10, 4, 5), (0, 0, 1, 5)]);
    let turns = [(0, 0, 5, 1.0), (0, 5, 15, 0.0), (1, 5, 15, 1.0), (0, 15, 20, 1.0), (2, 17, 17, 1.0)];
    assert_eq!(
        broken(&scenario, &shared(3, &turns)),
        [
            "job 2 at 5 s: it needs 5 memory, and 4 are free",
            "job 3 at 17 s: it needs 1 procs, and 0 are free",
            "job 3 at 17 s: it needs 5 memory, and 4 are free",
        ]
    );
}

#[test]
fn rates_add_up_to_the_processors_and_their_work_to_the_run_time() {
    let scenario = scenario(&[(0, 10, 4, 0), (0, 10, 4, 0)]);
    let halves = [(0, 0, 20, 0.5), (1, 0, 20, 0.5)];
    assert_eq!(broken(&scenario, &shared(2, &halves)), [""; 0]);
    let more = [(0, 0, 20, 0.5), (1, 0, 12, 0.75), (1, 12, 14, 0.5)];
    assert_eq!(broken(&scenario, &shared(2, &more)), ["job 2 at 0 s: it needs 3 procs, and 2 are free"]);
    let long = [(0, 0, 10, 1.0), (1, 10, 21, 1.0)];
    assert_eq!(
        broken(&scenario, &shared(2, &long)),
        ["job 2 at 10 s: its intervals do the work of 11 s instead of 10 s"]
    );
    let lost = [(0, 0, 10, 1.0), (1, 10, 13, 1.0), (1, 15, 25, 1.0)];
    assert_eq!(broken(&scenario, &shared(2, &lost)), [""; 0], "what was done by 13 was lost");
}

#[test]
fn intervals_of_a_job_lie_within_it_and_do_not_overlap() {
    let scenario = scenario(&[(0, 10, 1, 0)]);
    let mut wrong = shared(1, &[(0, 0, 6, 1.0), (0, 4, 8, 1.0)]);
    wrong.end[0] = secs(10);
    assert_eq!(
        broken(&scenario, &wrong),
        [
            "job 1 at 4 s: an interval begins at 4 s, before the last one ends at 6 s",
            "job 1 at 10 s: its intervals say 8 s, its start or end is 10 s",
        ]
    );
    wrong.start[0] = secs(1);
    assert!(
        broken(&scenario, &wrong)
            .contains(&"job 1 at 1 s: its intervals say 0 s, its start or end is 1 s".into())
    );
}

#[test]
fn a_promise_is_never_taken_back() {
    let scenario = scenario(&[(0, 10, 4, 0), (0, 10, 4, 0)]);
    let promise = |time: i64, at: i64| {
        let (time, act) = (secs(time), Act::Promised(secs(at)));
        Entry { time, decision: 1, job: JobId(1), act }
    };
    let shown = |entries: Vec<Entry>| -> Vec<String> {
        let journal = Journal { entries, ..Journal::default() };
        let broken = promises(&scenario, &outcome(&[(0, 10), (10, 20)]), &journal);
        broken.iter().map(ToString::to_string).collect()
    };
    assert_eq!(shown(vec![promise(0, 20), promise(5, 10)]), [""; 0]);
    assert_eq!(
        shown(vec![promise(0, 8), promise(5, 10)]),
        [
            "job 2 at 5 s: it is promised a start by 10 s, after one by 8 s",
            "job 2 at 10 s: it starts at 10 s and was promised a start by 8 s",
        ]
    );
}

/// Jobs as (run, processors, memory, partition), all submitted at 0, in tasks of two, on three nodes of 4 processors
/// and 10 of memory each; the first two take partition 1, the third partition 2.
fn on_nodes(jobs: &[(i64, i64, i64, i64)]) -> Scenario {
    let job = |&(run, procs, memory, partition): &_| plain(0, run, [procs, memory], partition);
    let jobs: Vec<PlainJob> = jobs.iter().map(job).collect();
    let machine = machine(3).with_partitions(vec![vec![1], vec![1], vec![2]]).unwrap();
    Scenario::new(machine, Workload::from_jobs(&jobs).in_tasks_of(2))
}

/// Start and end of a job, and its nodes as (node, processors).
type Placed<'a> = ((i64, i64), &'a [(u32, i64)]);

/// Starts and ends with the nodes of each job.
fn placed(jobs: &[Placed<'_>]) -> Outcome {
    let times: Vec<(i64, i64)> = jobs.iter().map(|(times, _)| *times).collect();
    let mut outcome = outcome(&times);
    for (job, (times, nodes)) in jobs.iter().enumerate() {
        let shares: Vec<Share> = nodes.iter().map(|&(node, procs)| Share::new(node, procs)).collect();
        if !shares.is_empty() {
            outcome.places.push(JobId(job as u32), secs(times.0), &shares);
        }
    }
    outcome.places = std::mem::take(&mut outcome.places).settle();
    outcome
}

#[test]
fn every_node_is_watched_in_every_resource() {
    let scenario = on_nodes(&[(10, 4, 4, 1), (10, 4, 4, -1), (5, 2, 9, -1)]);
    let apart = [((0, 10), &[(0, 4)][..]), ((0, 10), &[(1, 4)]), ((0, 5), &[(2, 2)])];
    assert_eq!(broken(&scenario, &placed(&apart)), [""; 0]);
    let beside = [((0, 10), &[(0, 2), (1, 2)][..]), ((0, 10), &[(1, 2), (2, 2)]), ((2, 7), &[(1, 2)])];
    assert_eq!(
        broken(&scenario, &placed(&beside)),
        [
            "job 3 at 2 s: it needs 2 procs on node 1, and 0 are free",
            "job 3 at 2 s: it needs 9 memory on node 1, and 6 are free",
        ]
    );
    let after = [((0, 10), &[(0, 2), (1, 2)][..]), ((0, 10), &[(1, 2), (2, 2)]), ((10, 15), &[(1, 2)])];
    assert_eq!(broken(&scenario, &placed(&after)), [""; 0]);
    // In total all nodes have enough, so no rule is broken.
    assert_eq!(broken(&scenario, &outcome(&[(0, 10), (0, 10), (2, 7)])), [""; 0]);
}

#[test]
fn a_job_that_takes_no_time_needs_room_on_its_nodes() {
    let scenario = on_nodes(&[(10, 4, 0, 1), (0, 2, 0, -1)]);
    let at = |node| placed(&[((0, 10), &[(0, 4)]), ((5, 5), &[(node, 2)])]);
    assert_eq!(broken(&scenario, &at(1)), [""; 0]);
    assert_eq!(broken(&scenario, &at(0)), ["job 2 at 5 s: it needs 2 procs on node 0, and 0 are free"]);
}

#[test]
fn memory_follows_the_processors_of_each_node_rounded_up() {
    // 7 of memory beside three processors: 5 beside two of them, 3 beside one.
    let scenario = on_nodes(&[(10, 3, 7, -1), (10, 2, 6, -1)]);
    let with =
        |nodes: &[(u32, i64)]| broken(&scenario, &placed(&[((0, 10), &[(0, 2), (1, 1)]), ((0, 10), nodes)]));
    assert_eq!(with(&[(1, 2)]), [""; 0]);
    assert_eq!(with(&[(0, 2)]), ["job 2 at 0 s: it needs 6 memory on node 0, and 5 are free"]);
}

#[test]
fn the_nodes_of_a_job_are_there_cover_it_in_whole_tasks_and_take_its_partition() {
    let scenario = on_nodes(&[(10, 5, 0, 1)]);
    let on = |nodes: &[(u32, i64)]| broken(&scenario, &placed(&[((3, 13), nodes)]));
    assert_eq!(on(&[(0, 4), (1, 1)]), [""; 0]);
    assert_eq!(on(&[(0, 2), (1, 3)]), [""; 0], "one task on node 1, and the last one");
    for (nodes, words) in [
        (&[(0, 4)][..], "its nodes have 4 of its 5 processors"),
        (&[(0, 4), (1, 2)], "its nodes have 6 of its 5 processors"),
        (&[(0, 4), (3, 1)], "it is on node 3, and the machine has 3, counted from 0"),
        (&[(0, 4), (2, 1)], "it is of partition 1, and node 2 takes no jobs of that"),
        (&[(0, 2), (0, 2), (1, 1)], "it is on node 0 twice"),
        (&[(0, 4), (1, 1), (2, 0)], "it has 0 processors on node 2"),
        (&[(0, 1), (1, 4)], ""),
    ] {
        let found = on(nodes);
        let expected = format!("job 1 at 3 s: {words}");
        assert!(if words.is_empty() { found.is_empty() } else { found.contains(&expected) }, "{found:?}");
    }
    let odd = on_nodes(&[(10, 6, 0, 1)]);
    assert_eq!(
        broken(&odd, &placed(&[((0, 10), &[(0, 3), (1, 3)])])),
        [
            "job 1 at 0 s: 3 of its processors are on node 0: no whole tasks of 2",
            "job 1 at 0 s: 3 of its processors are on node 1: no whole tasks of 2",
        ]
    );
    let two = on_nodes(&[(10, 5, 0, 1), (10, 2, 0, 1)]);
    assert_eq!(
        broken(&two, &placed(&[((0, 10), &[(0, 4), (1, 1)]), ((0, 10), &[])])),
        ["job 2 at 0 s: it is on no node"]
    );
}

#[test]
fn a_job_that_moves_is_watched_where_it_is() {
    // Job 1 runs until 4 on node 0 and from then on node 1; job 2 takes its place.
    let scenario = on_nodes(&[(10, 4, 0, -1), (6, 4, 0, -1)]);
    let mut outcome = shared(2, &[(0, 0, 4, 1.0), (0, 4, 10, 1.0), (1, 4, 10, 1.0)]);
    let whole = |node| [Share::new(node, 4)];
    outcome.places.push(JobId(0), secs(0), &whole(0));
    outcome.places.push(JobId(0), secs(4), &whole(1));
    outcome.places.push(JobId(1), secs(4), &whole(0));
    outcome.places = std::mem::take(&mut outcome.places).settle();
    assert_eq!(broken(&scenario, &outcome), [""; 0]);
    let mut stays = shared(2, &[(0, 0, 4, 1.0), (0, 4, 10, 1.0), (1, 4, 10, 1.0)]);
    stays.places.push(JobId(0), secs(0), &whole(0));
    stays.places.push(JobId(1), secs(4), &whole(0));
    stays.places = std::mem::take(&mut stays.places).settle();
    assert_eq!(broken(&scenario, &stays), ["job 2 at 4 s: it needs 4 procs on node 0, and 0 are free"]);
}
