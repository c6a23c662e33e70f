//! Machines with nodes: tasks are whole on one node, reservations are placements.

use batchlab::traces::JobId;

use crate::lab::page;

#[test]
fn a_part_of_a_device_is_on_one_device() {
    // Jobs 1 to 4 leave 400 of each device free, 1600 in all: job 5 waits for 600, job 6 fits beside job 1.
    let six = page(
        8,
        "job submit run estimate procs gpu  -> fits easy
         1   0      100 100      1     600  -> 0    0
         2   0      100 100      1     600  -> 0    0
         3   0      100 100      1     600  -> 0    0
         4   0      50  50       1     600  -> 0    0
         5   1      10  10       1     600  -> 50   50
         6   2      10  10       1     400  -> 2    2
         7   3      10  10       1     2000 -> 100  100",
    )
    .unequal(&[&[4, 2000], &[4, 2000]])
    .devices("gpu", 1000)
    .tasks_of(4);
    let outcome = six.outcome("fits", "first-fit");
    let devices = |job: u32| {
        outcome
            .places
            .at(JobId(job), outcome.start(JobId(job)))
            .iter()
            .map(|at| (at.node, at.devices))
            .collect::<Vec<_>>()
    };
    assert_eq!([0, 1, 2, 3].map(devices), [[(0, 1)], [(0, 2)], [(1, 1)], [(1, 2)]].map(Vec::from));
    assert_eq!((devices(4), devices(5), devices(6)), (vec![(1, 2)], vec![(0, 1)], vec![(0, 3)]));
    let specs = ["easy", "conservative", "depth:k=2", "selective"];
    specs.into_iter().fold(six, |six, spec| six.gives("easy", spec));
}
