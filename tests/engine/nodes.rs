use std::sync::Arc;

use batchlab::policies::{Needs, Placement, Rate, Reason, Share};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{JobId, Machine, Workload};

use crate::lab::Play;

use super::script::{intervals, on, run, secs, share, times, with_memory};

const A: JobId = JobId(0);
const B: JobId = JobId(1);

fn spread(shares: &[(u32, i64)]) -> Placement {
    Placement(shares.iter().map(|&(node, procs)| Share::new(node, procs)).collect())
}

#[test]
fn a_job_spans_nodes_and_each_of_them_is_watched() {
    let scene = on(Machine::uniform(8, 2).unwrap(), &[(0, 10, 5), (0, 10, 3)]);
    let (outcome, _) = run(&scene, Needs::NONE, |turn| {
        if turn.now() == secs(0) {
            turn.place(A, &spread(&[(0, 4), (1, 1)]), Rate::FULL)?;
            assert_eq!((turn.free(0)[0], turn.free(1)[0]), (0, 3));
            let refused = turn.place(B, &spread(&[(1, 2), (0, 1)]), Rate::FULL).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "cannot place job 2 at 0 s: it needs 1 procs on node 0, where 0 are free"
            );
            assert_eq!(turn.free(1)[0], 3, "a refused placement leaves nothing behind");
            turn.place(B, &Placement::on(1, 3), Rate::FULL)?;
            assert_eq!(turn.placement(A), spread(&[(0, 4), (1, 1)]));
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(times(&outcome), [(0.0, 10.0), (0.0, 10.0)]);
}

#[test]
fn a_job_moves_to_another_node_with_its_progress() {
    // B needs a whole node at 4; A gives up node 0 and continues on node 1.
    let scene = on(Machine::uniform(8, 2).unwrap(), &[(0, 10, 2), (4, 2, 4)]);
    let outcome = share(&scene, |turn| {
        if turn.now() == secs(0) {
            turn.place(A, &Placement::on(0, 2), Rate::FULL)?;
        } else if turn.now() == secs(4) {
            turn.place(A, &spread(&[(1, 1), (0, 1)]), Rate::FULL)?;
            turn.place(A, &Placement::on(1, 2), Rate::FULL)?;
            assert_eq!((turn.free(0)[0], turn.free(1)[0]), (4, 2));
            turn.place(B, &Placement::on(0, 4), Rate::FULL)?;
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 10.0), (4.0, 6.0)]);
    assert_eq!(intervals(&outcome, 0), [(0.0, 4.0, 1.0), (4.0, 10.0, 1.0)]);
}

#[test]
fn a_refused_move_leaves_the_job_where_it_was() {
    let scene = on(Machine::uniform(4, 2).unwrap(), &[(0, 10, 2), (0, 10, 1)]);
    let outcome = share(&scene, |turn| {
        if turn.now() == secs(0) {
            turn.place(A, &Placement::on(0, 2), Rate::FULL)?;
            turn.place(B, &Placement::on(1, 1), Rate::FULL)?;
            let refused = turn.place(A, &Placement::on(1, 2), Rate::FULL).unwrap_err();
            assert!(matches!(refused.reason, Reason::Oversubscribed { node: 1, need: 2, free: 1, .. }));
            assert_eq!((turn.placement(A), turn.free(0)[0]), (Placement::on(0, 2), 0));
        }
        Ok(())
    });
    assert_eq!(times(&outcome), [(0.0, 10.0), (0.0, 10.0)]);
}

#[test]
fn other_resources_follow_the_processors_in_proportion_rounded_up() {
    // 5 of memory for 3 processors: 4 on the node with two of them, 2 on the node with one.
    let scene = with_memory(&[(4, 10), (4, 10)], &[(0, 10, 3, 5)]);
    run(&scene, Needs::NONE, |turn| {
        if turn.now() == secs(0) {
            turn.place(A, &spread(&[(0, 2), (1, 1)]), Rate::FULL)?;
            assert_eq!((turn.free(0), turn.free(1)), (&[2, 6][..], &[3, 8][..]));
        } else {
            assert_eq!((turn.free(0), turn.free(1)), (&[4, 10][..], &[4, 10][..]));
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_placement_covers_the_job_on_nodes_that_exist() {
    let scene = on(Machine::uniform(8, 2).unwrap(), &[(0, 10, 3)]);
    for (wrong, placed) in [
        (vec![(0, 2)], 2),
        (vec![(0, 4)], 4),
        (vec![(2, 3)], 0),
        (vec![(0, 3), (1, 0)], 3),
        (vec![(0, 4), (1, -1)], 4),
        (vec![], 0),
    ] {
        let refused =
            run(&scene, Needs::NONE, |turn| Ok(turn.place(A, &spread(&wrong), Rate::FULL).map(drop)?));
        let error = refused.unwrap_err().to_string();
        let reason = format!("the placement has {placed} of its 3 processors on nodes of this machine");
        assert!(error.ends_with(&reason), "{wrong:?}: {error}");
    }
}

fn refused(scene: &Play, nodes: &[(u32, i64)], reason: &str) {
    let done = run(scene, Needs::NONE, |turn| Ok(turn.place(A, &spread(nodes), Rate::FULL).map(drop)?));
    let error = done.unwrap_err().to_string();
    assert!(error.ends_with(reason), "{nodes:?}: {error}");
}

fn accepted(scene: &Play, nodes: &[(u32, i64)]) {
    run(scene, Needs::NONE, |turn| {
        if turn.now() == secs(0) {
            turn.place(A, &spread(nodes), Rate::FULL)?;
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_task_is_never_split() {
    // Five processors in tasks of two: two tasks of two and one of one.
    let mut scene = on(Machine::uniform(12, 3).unwrap(), &[(0, 10, 5)]);
    scene.scenario.workload = Arc::new((*scene.scenario.workload).clone().in_tasks_of(2));
    for nodes in [&[(0, 4), (1, 1)][..], &[(2, 2), (0, 3)], &[(0, 1), (1, 2), (2, 2)]] {
        accepted(&scene, nodes);
    }
    let mut even = on(Machine::uniform(12, 3).unwrap(), &[(0, 10, 6)]);
    even.scenario.workload = Arc::new((*even.scenario.workload).clone().in_tasks_of(2));
    refused(&even, &[(0, 3), (1, 3)], "3 of its processors on node 0 are not whole tasks of 2");
    refused(&scene, &[(0, 3), (1, 1), (2, 1)], "1 of its processors on node 1 are not whole tasks of 2");
    refused(&scene, &[(0, 2), (1, 2), (0, 1)], "the placement names node 0 more than once");
}

#[test]
fn a_node_takes_jobs_of_its_partitions_only() {
    let machine = || Machine::uniform(8, 2).unwrap().with_partitions(vec![vec![1], vec![2]]).unwrap();
    let job = |partition| {
        let (submit, run) = (secs(0), secs(10));
        let job = PlainJob { submit, run, estimate: run, demand: vec![2], user: 1, partition };
        Play::new(machine(), Workload::from_jobs(&[job]))
    };
    accepted(&job(2), &[(1, 2)]);
    accepted(&job(-1), &[(0, 1), (1, 1)]);
    refused(&job(2), &[(0, 1), (1, 1)], "node 0 takes no jobs of its partition, 2");
}

#[test]
fn without_time_sharing_no_intervals_are_kept() {
    let scene = on(Machine::uniform(8, 2).unwrap(), &[(0, 10, 5)]);
    let place = |turn: &mut batchlab::policies::Turn<'_>| {
        if turn.now() == secs(0) {
            turn.place(A, &spread(&[(0, 4), (1, 1)]), Rate::FULL)?;
        }
        Ok(())
    };
    let (outcome, _) = run(&scene, Needs::NONE, place).unwrap();
    assert!(outcome.intervals.is_empty());
    assert_eq!(outcome.places.only(A, outcome.start(A)), spread(&[(0, 4), (1, 1)]).0);
    assert_eq!(share(&scene, place).intervals.len(), 1);
}
