//! Multi-capacity bin-packing, with scores computed by hand.
//!
//! On most pages, jobs 1 and 2 are pinned to nodes by their partitions, so that the nodes differ. Nodes have
//! 4 processors, 8 of memory and 16 of disk: requests are written in sixteenths, (p, m, d).

use crate::lab::page;

#[test]
fn the_queue_is_ranked_by_the_match_with_all_nodes() {
    // At 2 memory is freer on node 0, processors on node 1: all scores are 0. At 10 node 0 is empty, and node
    // 1 has 3/4 and 2/8: scores are p/4 - m/8, for job 3 1 - 3/4, for job 4 1 - 1/4.
    let page = page(
        4,
        "job submit run estimate procs memory partition -> mcbp bkfl
         1   0      10  10       4     2      1         -> 0    0
         2   0      100 100      1     6      2         -> 0    0
         3   1      20  20       4     6      -1        -> 30   10
         4   2      20  20       4     2      -1        -> 10   30",
    )
    .with("memory", 8)
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .tasks_of(4);
    // Jobs 1 and 2 have equal scores on the empty machine at 0, jobs 3 and 4 at 2.
    let outcome = page.gives("bkfl", "bkfl").outcome("mcbp", "mcbp");
    assert_eq!(outcome.ties["queue scores"], (6, 4));
}
