use super::*;

fn estimates(parameters: &str, jobs: &[Job]) -> Vec<i64> {
    numbers(&step("estimate", parameters, log(jobs)), Field::RequestedTime)
}

const JOBS: [Job; 4] =
    [(0, 100, 1, 200, 1), (1, 301, 1, 90_000, 1), (2, 90_000, 1, -1, 1), (3, -1, 1, 50, 2)];

#[test]
fn estimates_are_made_from_run_times_where_these_are_known() {
    assert_eq!(estimates("by = 'actual'", &JOBS), [100, 301, 90_000, 50]);
    assert_eq!(estimates("by = 'factor:1.5'", &JOBS), [150, 452, 135_000, 50]);
    assert_eq!(
        estimates("by = 'factor:2'\nwhere = 'run < 200 and known(run)'", &JOBS),
        [200, 90_000, -1, 50]
    );
    assert_eq!(estimates("by = 'factor:3'\ncap = '1h'", &JOBS), [300, 903, 90_000, 50]);
}

#[test]
fn modal_values_are_reached_upwards() {
    assert_eq!(estimates("modal = true", &JOBS), [300, 2 * 86_400, -1, 300]);
    let own = "by = 'actual'\nmodal = true\nvalues = [100, '5m']";
    assert_eq!(estimates(own, &JOBS), [100, 600, 90_000, 50]);
}

#[test]
fn phi_is_exact_for_its_share_and_never_below_the_run_time() {
    let jobs: Vec<Job> = (0..4000).map(|at| (at, 1000, 1, -1, 1)).collect();
    let made = estimates("by = 'phi:0.3'", &jobs);
    let exact = made.iter().filter(|&&estimate| estimate == 1000).count();
    // 4000 draws of probability .3: within four standard deviations, 116.
    assert!((1084..=1316).contains(&exact), "{exact}");
    assert!(made.iter().all(|&estimate| estimate >= 1000));
    // The median factor is (1 - .3)/(1 - .5) = 1.4.
    let mut sorted = made;
    sorted.sort_unstable();
    assert!((1340..1460).contains(&sorted[2000]), "{}", sorted[2000]);
}

#[test]
fn tsafrirs_estimates_are_few_round_and_those_of_a_replay_with_the_same_seed() {
    let trace = log(&(0..2000).map(|at| (at, at * 37 % 280, 1, -1, 1)).collect::<Vec<_>>());
    let shaped = step("estimate", "by = 'tsafrir:18h'", trace.clone());
    let made = numbers(&shaped, Field::RequestedTime);
    assert!(made.iter().zip(numbers(&trace, Field::Run)).all(|(&estimate, run)| estimate >= run));
    let mut values = made.clone();
    values.sort_unstable();
    values.dedup();
    assert!(values.len() < 80 && values.last() == Some(&64_800), "{values:?}");
    let at_most = made.iter().filter(|&&estimate| estimate == 64_800).count();
    assert!(at_most > 200, "the longest is the most popular: {at_most}");
    let reading = crate::Reading { estimate: "tsafrir:18h".parse().unwrap(), ..crate::Reading::default() };
    let machine = crate::Machine::pool(64).unwrap();
    let mut ignored = (crate::Findings::lenient(), crate::Provenance::default());
    let replayed = crate::Workload::read(&trace, &machine, &reading, &mut ignored.0, &mut ignored.1).unwrap();
    let replayed: Vec<i64> = replayed.jobs().map(|job| replayed.estimate(job).ticks() / 1_000_000).collect();
    assert_eq!(made, replayed);
    let words = words("estimate", "by = 'tsafrir:1h'", many(2000));
    assert!(
        words.contains("; the longest is 3600 s, as given, and the run time is the estimate of "),
        "{words}"
    );
}

#[test]
fn nothing_to_do_is_refused() {
    let error = refusal("estimate", "", submitted(&[0]));
    assert!(error.contains("step `estimate` needs by, modal or cap"), "{error}");
    let error = refusal("estimate", "by = 'phi:1'", submitted(&[0]));
    assert!(error.starts_with("steps.toml:3:6: `by` must be requested, actual"), "{error}");
}
