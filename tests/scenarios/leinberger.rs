//! Backfilling with K resources: FF, BL and BB of Leinberger et al.

use crate::lab::page;

#[test]
fn equal_scores_are_served_in_queue_order_and_counted() {
    // Both lead to 0.7, 0.8 and 0.9 in some order. Added as floating-point numbers in the order of the
    // resources, these give two different sums.
    for [three, four] in [["3     4      5", "5     4      3"], ["5     4      3", "3     4      5"]] {
        let outcome = page(
            10,
            &format!(
                "job submit run estimate procs memory licence -> start
                 1   0      100 100      4     4      4       -> 0
                 2   1      10  10       10    1      1       -> 100
                 3   2      90  90       {three}              -> 2
                 4   2      90  90       {four}               -> 110"
            ),
        )
        .with("memory", 10)
        .with("licence", 10)
        .outcome("start", "bb-easy");
        assert_eq!(outcome.ties["scores"], (1, 1));
    }
}
