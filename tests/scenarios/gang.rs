//! Gang scheduling after Zhang et al. 2000: jobs take turns, row by row.

use crate::lab::{page, play};

/// Jobs reach the waiting threshold in cycles without an event, and go first from then on. Reservations keep the order in
/// which they were made, whether they are computed at once, as for a journal, or when they are needed.
#[test]
fn reservations_keep_the_order_in_which_they_were_made() {
    let spec = "bgs:mpl=3,slice=20,cs=0.5,after-event=next,inflate=mpl+cs,order=saf,threshold=20";
    let log = page(
        7,
        "job submit run estimate procs -> bgs
         1   0      1   1        1     -> 0
         2   0      1   1        7     -> 7
         3   0      1   1        3     -> 0
         4   0      5   5        1     -> 0
         5   1      1   1        1     -> 14
         6   5      0   0        1     -> 14
         7   5      0   20       5     -> 49
         8   5      5   5        7     -> 60
         9   5      20  20       1     -> 14
         10  5      0   0        1     -> 14
         11  5      5   5        7     -> 77
         12  5      1   1        1     -> 14
         13  5      0   5        1     -> 14
         14  8      0   0        1     -> 14
         15  15     0   0        1     -> 21",
    )
    .events("periodic:7");
    let outcome = log.outcome("bgs", spec);
    let mut journalled = log.play();
    journalled.journal = true;
    assert_eq!(play(&journalled, spec).0.start, outcome.start);
}
