//! The schemes of Aida et al. 1998: sorted and searched queues, limits on waiting.

use batchlab::Registry;
use batchlab::policies::spec::Setting;
use batchlab::traces::Machine;

use crate::lab::page;

#[test]
fn five_schemes_serve_the_same_queue() {
    // At 10 jobs 2 to 5 wait, and all four processors are free.
    let page = page(
        4,
        "job submit run estimate procs -> fcfs mpfs lpfs fpfs fpmpfs
         1   0      10  10       4     -> 0    0    0    0    0
         2   1      10  10       3     -> 10   15   15   10   15
         3   2      5   5        4     -> 20   10   30   30   10
         4   3      5   5        2     -> 25   25   10   20   25
         5   4      20  20       1     -> 25   25   10   10   15",
    );
    page.gives("fcfs", "fcfs")
        .gives("fcfs", "fpfs:waitlimit=0")
        .gives("mpfs", "mpfs")
        .gives("lpfs", "lpfs")
        .gives("lpfs", "fplpfs")
        .gives("fpfs", "fpfs")
        .gives("fpmpfs", "fpmpfs")
        .by_node()
        .gives("mpfs", "mpfs")
        .gives("fpmpfs", "fpmpfs:place=best-fit");
}

#[test]
fn the_limit_is_reached_when_the_wait_equals_it() {
    // At 10 job 2 has waited 9 s: at a limit of 9 it stops the search before job 4, at 10 it does not yet.
    page(
        2,
        "job submit run estimate procs -> after-0 after-9 after-10
         1   0      20  20       1     -> 0       0       0
         2   1      5   5        2     -> 20      20      20
         3   9      1   1        1     -> 25      9       9
         4   10     5   5        1     -> 25      25      10",
    )
    .gives("after-0", "fpfs:waitlimit=0")
    .gives("after-9", "fpfs:waitlimit=9")
    .gives("after-10", "fpfs:waitlimit=10s")
    .gives("after-10", "fpfs:waitlimit=10min");
}

#[test]
fn an_arrival_stops_behind_a_job_over_its_limit_which_is_not_promoted() {
    // At 4 job 2 has waited 3 s and job 3 passes it permanently. At 6 job 2 has waited 5 s and job 4 stays
    // behind it.
    page(
        4,
        "job submit run estimate procs -> never after-5
         1   0      20  20       4     -> 0     0
         2   1      5   5        1     -> 40    30
         3   4      10  10       4     -> 20    20
         4   6      10  10       4     -> 30    35",
    )
    .gives("never", "mpfs")
    .gives("never", "fpmpfs")
    .gives("after-5", "mpfs:waitlimit=5")
    .gives("after-5", "fpmpfs:waitlimit=5");
}

#[test]
fn least_first_is_the_mirror_image() {
    // Job 4 would fit beside job 3 at 20; job 2, which is over its limit and ahead of it, does not fit.
    page(
        4,
        "job submit run estimate procs -> never after-5
         1   0      20  20       4     -> 0     0
         2   1      5   5        4     -> 30    30
         3   4      10  10       1     -> 20    20
         4   6      10  10       1     -> 20    35",
    )
    .gives("never", "lpfs")
    .gives("never", "fplpfs")
    .gives("after-5", "lpfs:waitlimit=5")
    .gives("after-5", "fplpfs:waitlimit=5");
}

#[test]
fn behind_a_job_over_its_limit_the_queue_is_sorted_separately() {
    // At 6 job 2 is over its limit: job 5 stops behind it, ahead of job 4, and job 6 stays at the tail. At 7
    // job 7 passes jobs 6 and 4 and stops behind job 5. The sizes from the head are 5 3 | 4 4 2 1; without a
    // limit 5 4 4 3 2 1.
    page(
        8,
        "job submit run estimate procs -> never after-5
         1   0      50  50       8     -> 0     0
         2   1      10  10       3     -> 70    50
         3   2      10  10       5     -> 50    50
         4   5      10  10       2     -> 70    70
         5   6      10  10       4     -> 60    60
         6   6      10  10       1     -> 70    70
         7   7      10  10       4     -> 60    60",
    )
    .gives("never", "mpfs")
    .gives("after-5", "mpfs:waitlimit=5");
}

#[test]
fn an_arrival_finds_its_place_when_it_arrives_even_if_decisions_come_later() {
    // Decisions at 0, 10, 20. At 6 job 2 has waited 4 s of its 5: job 3 passes it, although the decision
    // comes at 10.
    page(
        2,
        "job submit run estimate procs -> start
         1   0      20  20       2     -> 0
         2   2      5   5        1     -> 30
         3   6      10  10       2     -> 20
         4   8      10  10       2     -> 40",
    )
    .events("periodic:10")
    .gives("start", "mpfs:waitlimit=5");
}

#[test]
fn without_rescan_a_search_passes_over_the_job_behind_one_that_it_starts() {
    // At 10 job 2 starts and job 3 moves up into its place: the next place is job 4's, whether it is over its
    // limit or not.
    page(
        3,
        "job submit run estimate procs -> text figure
         1   0      10  10       3     -> 0    0
         2   1      10  10       1     -> 10   10
         3   2      10  10       2     -> 10   20
         4   3      10  10       2     -> 20   10",
    )
    .gives("text", "fpfs")
    .gives("figure", "fpfs:rescan=false")
    .gives("figure", "fpfs:rescan=false,waitlimit=0")
    .gives("text", "lpfs:rescan=false");
}

#[test]
fn the_search_of_figure_10_restarts_at_once() {
    // Job 3 is skipped once, and found when the routine's outer loop comes to it again.
    page(
        3,
        "job submit run estimate procs -> start
         1   0      10  10       3     -> 0
         2   1      10  10       1     -> 10
         3   2      10  10       1     -> 10
         4   3      10  10       1     -> 10",
    )
    .gives("start", "fpfs")
    .gives("start", "fpfs:rescan=false");
}

#[test]
fn a_limit_may_be_computed_from_what_is_known_of_a_job() {
    // Job 2 may wait twice its estimate of 20 s: at 40 it has waited 39 s, at 41 its 40.
    page(
        2,
        "job submit run estimate procs -> own never
         1   0      50  50       1     -> 0   0
         2   1      10  20       2     -> 50  50
         3   40     1   1        1     -> 40  40
         4   41     5   5        1     -> 60  41",
    )
    .gives("own", "fpfs:waitlimit=expr(2*estimate)")
    .gives("own", "fpfs:waitlimit=expr(if(procs>1,40,2h))")
    .gives("never", "fpfs:waitlimit=expr(if(procs>2,1,1/0))")
    .gives("never", "fpfs:waitlimit=expr(sqrt(0-procs))");
}

#[test]
fn a_job_over_its_limit_may_lack_another_resource() {
    // Job 2 lacks memory until 20; from 6 on no job passes it.
    page(
        4,
        "job submit run estimate procs memory -> never after-5
         1   0      20  20       1     8      -> 0     0
         2   1      5   5        1     5      -> 20    20
         3   2      3   3        1     1      -> 2     2
         4   6      3   3        1     1      -> 6     20",
    )
    .with("memory", 10)
    .gives("never", "fpfs")
    .gives("after-5", "fpfs:waitlimit=5");
}

#[test]
fn a_job_over_its_limit_may_lack_a_node() {
    // Each node has two of four processors free: four in all, and none for job 3, a task of three.
    page(
        4,
        "job submit run estimate procs -> never after-5
         1   0      20  20       2     -> 0     0
         2   0      20  20       2     -> 0     0
         3   1      5   5        3     -> 20    20
         4   2      2   2        1     -> 2     2
         5   6      2   2        1     -> 6     20",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("never", "fpfs:place=worst-fit")
    .gives("after-5", "fpfs:place=worst-fit,waitlimit=5")
    .gives("after-5", "fplpfs:place=worst-fit,waitlimit=5");
}

#[test]
fn values_that_a_limit_must_not_use_are_refused_with_the_reason() {
    let machine = Machine::pool(4).unwrap();
    let refused = |spec: &str| {
        let chosen = Registry::builtin().choose(spec).map_err(|error| error.to_string())?;
        chosen.build(&Setting::new(&machine)).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(
        refused("fpfs:waitlimit=expr(run)").unwrap_err(),
        "`waitlimit=expr(run)`: `run` cannot be used here: a policy cannot see what happens after its decision; it \
         knows `estimate`"
    );
    for (expression, reason) in [
        ("wait", "has not waited yet"),
        ("hour", "the log does not say when its zero was"),
        ("procs>2", "is a condition"),
        ("estimate*estimate", "a limit on waiting is a time, and this is"),
        ("10*estimat", "did you mean `estimate`"),
        ("10*", ""),
    ] {
        let error = refused(&format!("fpfs:waitlimit=expr({expression})")).unwrap_err();
        assert!(error.contains(reason), "{expression}: {error}");
    }
    assert_eq!(
        refused("mpfs:waitlimit=soon").unwrap_err(),
        "`waitlimit=soon`: waitlimit takes a time such as 600, 10min, none, or expr(...) as in expr(10*estimate)"
    );
    let canonical = |spec| Registry::builtin().choose(spec).unwrap().canonical();
    assert_eq!(canonical("lpfs:rescan=true,waitlimit=expr(10*estimate)"), "lpfs:waitlimit=expr(10*estimate)");
}
