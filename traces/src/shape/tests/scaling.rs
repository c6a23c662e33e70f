use super::*;

fn jobs() -> Trace {
    log(&[(100, 60, 3, 90, 1), (200, 7, 64, 30, 1), (400, 0, 1, 10, 2)])
}

#[test]
fn gaps_are_counted_from_the_first_submission() {
    assert_eq!(numbers(&step("scale", "interarrival = 0.5", jobs()), Field::Submit), [100, 150, 250]);
    let load = step("scale", "load = 3", jobs());
    assert_eq!(shown(&load, Field::Submit), ["100", "133.333333", "200"]);
    assert_eq!(numbers(&step("scale", "load = 3\nround = 'second'", jobs()), Field::Submit), [100, 133, 200]);
    assert_eq!(numbers(&load, Field::Wait), [-1, -1, -1]);
    let expected = "scale: 2 of 3 jobs changed; recorded waits set to unknown (load=3)";
    assert_eq!(words("scale", "load = 3", jobs()), expected);
}

#[test]
fn run_times_and_requests_are_scaled_together_for_the_jobs_that_are_meant() {
    let scaled = step("scale", "run = 1.5\nwhere = 'user = 1'", jobs());
    assert_eq!(shown(&scaled, Field::Run), ["90", "10.5", "0"]);
    assert_eq!(numbers(&scaled, Field::RequestedTime), [135, 45, 10]);
}

#[test]
fn sizes_round_halves_up_and_stay_between_one_and_the_machine() {
    let sizes = |parameters: &str| numbers(&step("scale", parameters, jobs()), Field::Requested);
    assert_eq!(sizes("size = 0.5"), [2, 32, 1]);
    assert_eq!(sizes("size = 2"), [6, 64, 2]);
    assert_eq!(sizes("size = 2\nmachine = 2"), [6, 128, 2]);
    let words = words("scale", "size = 2", jobs());
    assert!(
        words.contains("2 of 3 jobs changed, 1 of them cut to between 1 processor and the machine"),
        "{words}"
    );
}

#[test]
fn the_machine_is_that_of_the_header() {
    let scaled = step("scale", "machine = 0.25", jobs());
    let count = |counted: &Option<RemarkedCount>| counted.as_ref().map(|counted| counted.count);
    assert_eq!((count(&scaled.header.max_procs), count(&scaled.header.max_nodes)), (Some(16), Some(2)));
    assert_eq!(numbers(&scaled, Field::Wait), [5, 5, 5], "jobs are as they were");
}

#[test]
fn what_means_nothing_is_refused() {
    let trace = jobs;
    assert!(refusal("scale", "", trace()).contains("needs something to scale"));
    assert!(
        refusal("scale", "load = 2\ninterarrival = 2", trace())
            .contains("`interarrival` has no effect with load")
    );
    assert!(refusal("scale", "load = 2\nwhere = 'true'", trace()).contains("`where` has no effect"));
    assert!(refusal("scale", "run = 0", trace()).contains("a factor from 0.000001"));
}
