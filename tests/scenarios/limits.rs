//! Limits on users and partitions around a policy; starts computed by hand.

use crate::lab::page;

#[test]
fn a_user_has_a_limited_number_of_jobs_at_a_time() {
    page(
        4,
        "job submit run estimate procs user -> one two
         1   0      100 100      1     1    -> 0   0
         2   1      10  10       1     1    -> 100 1
         3   2      10  10       1     2    -> 2   2
         4   3      10  10       1     1    -> 110 11",
    )
    .gives("one", "limits:policy=fcfs,user-jobs=1")
    .gives("two", "limits:policy=fcfs,user-jobs=2")
    .gives("two", "limits:policy=(limits:policy=fcfs,user-jobs=2),user-jobs=3")
    .gives("one", "limits:policy=(limits:policy=conservative,user-jobs=2),user-jobs=1")
    .events("submit-first")
    .gives("one", "limits:policy=easy,user-jobs=1")
    .gives("two", "limits:policy=easy,user-jobs=2")
    .events("periodic:1")
    .gives("one", "limits:policy=easy,user-jobs=1");
}

#[test]
fn a_job_over_a_limit_holds_no_reservation() {
    // Under EASY head 2 gets all processors at 100, and job 3 would delay it. Job 2 is over its limit until
    // 100, so it is not the head.
    page(
        4,
        "job submit run estimate procs user -> easy limited
         1   0      100 100      3     1    -> 0    0
         2   1      10  10       4     1    -> 100  502
         3   2      500 500      1     2    -> 110  2",
    )
    .gives("easy", "easy")
    .gives("easy", "limits")
    .gives("limited", "limits:user-jobs=1")
    .gives("limited", "limits:policy=(conservative),user-procs=4");
}

#[test]
fn a_narrow_job_does_not_pass_a_wide_one_of_its_user() {
    // Job 3 would be within the limit of four processors beside job 1; it waits behind job 2.
    page(
        8,
        "job submit run estimate procs user -> start
         1   0      100 100      3     1    -> 0
         2   1      10  10       3     1    -> 100
         3   2      10  10       1     1    -> 100
         4   3      10  10       3     2    -> 3",
    )
    .gives("start", "limits:policy=first-fit,user-procs=4");
}

#[test]
fn a_partition_has_a_limited_number_of_jobs_at_a_time() {
    page(
        8,
        "job submit run estimate procs user partition -> start
         1   0      50  50       1     1    1         -> 0
         2   1      10  10       1     1    1         -> 50
         3   2      10  10       1     1    2         -> 2
         4   3      10  10       1     2    1         -> 60
         5   4      10  10       1     2    -1        -> 4
         6   5      10  10       1     3    -1        -> 14",
    )
    .gives("start", "limits:policy=fcfs,partition-jobs=1")
    .gives("start", "limits:policy=fcfs,partition-procs=1");
}

#[test]
fn a_job_that_waits_for_one_limit_does_not_exhaust_another() {
    // Job 2 waits because of its user's limit and leaves partition 2 to job 3; from 50 on it waits because of
    // the partition.
    page(
        8,
        "job submit run estimate procs user partition -> start
         1   0      50  50       1     1    1         -> 0
         2   1      10  10       1     1    2         -> 102
         3   2      100 100      1     2    2         -> 2",
    )
    .gives("start", "limits:policy=fcfs,user-jobs=1,partition-jobs=1");
}
