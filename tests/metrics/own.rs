//! Metrics of a user's own, by expression.

use batchlab::metrics::{Catalogue, Class, MeasureOptions, Metric};
use batchlab::table::Unit;
use batchlab::traces::expr::Vocabulary;

use super::schedule::Schedule;

/// Four processors; waits of 0, 90, 0 and 0 s, responses of 100, 140, 40 and 40 s; users 0, 1, 2 and 0.
fn blocked_head() -> Schedule {
    // (submit, start, end, processors)
    Schedule::new(4, &[(0, 0, 100, 2), (10, 100, 150, 4), (20, 20, 60, 2), (160, 160, 200, 1)])
}

fn metric(schedule: &Schedule, definition: &str) -> Result<Metric, String> {
    let list = format!("own={definition}");
    let vocabulary = Vocabulary::jobs(&schedule.machine);
    let catalogue = Catalogue::new(&schedule.machine, &[]).defining(&list, &vocabulary);
    Ok(catalogue.map_err(|error| error.to_string())?.select(&list).unwrap().remove(0))
}

fn value(schedule: &Schedule, definition: &str) -> Option<f64> {
    metric(schedule, definition).unwrap().value(&schedule.measure(MeasureOptions::default()))
}

#[test]
fn statistics_of_expressions_over_a_blocked_head() {
    let schedule = blocked_head();
    for (definition, expected) in [
        ("mean(wait)", 22.5),
        ("sum(wait)", 90.0),
        ("max(response)", 140.0),
        ("share(wait = 0)", 0.75),
        ("share(wait < 1min and procs > 1)", 0.5),
        // Waits per processor of 0, 22.5, 0 and 0 s.
        ("mean(wait / procs)", 5.625),
        ("max(wait / procs)", 22.5),
        ("p50(end)", 125.0),
        ("median(end - start)", 45.0),
        ("sum(run * procs)", 100.0 * 2.0 + 50.0 * 4.0 + 40.0 * 2.0 + 40.0),
        ("mean(if(user = 0, response, 0))", 35.0),
        // Slowdowns of 1, 2.8, 1 and 1.
        ("mean(slowdown)", 1.45),
        ("max(bsld)", 2.8),
        ("share(bsld > 2)", 0.25),
        ("sum(stalled)", 0.0),
    ] {
        assert_eq!(value(&schedule, definition), Some(expected), "{definition}");
    }
    assert_eq!(value(&schedule, "mean(predicted)"), None, "no policy planned this schedule");
}

#[test]
fn expressions_of_a_quantity_are_the_metric_of_it() {
    let schedule = Schedule::new(
        8,
        &[(0, 3, 17, 2), (1, 9, 10, 8), (5, 17, 90, 3), (5, 17, 18, 1), (7, 90, 101, 7), (20, 101, 104, 1)],
    );
    for (definition, key) in [
        ("mean(wait)", "mean_wait"),
        ("sd(wait)", "sd_wait"),
        ("var(response)", "var_response"),
        ("p95(bsld)", "p95_bsld"),
        ("p50(slowdown)", "median_slowdown"),
        ("cv(response)", "cv_response"),
    ] {
        assert_eq!(value(&schedule, definition), schedule.metric(key), "{definition}");
        assert_eq!(
            metric(&schedule, definition).unwrap().unit(),
            Catalogue::new(&schedule.machine, &[]).find(key).unwrap().unit()
        );
    }
}

#[test]
fn jobs_without_a_finite_value_are_left_out_and_a_class_has_its_own_value() {
    // The second job has a run time of 0.
    let schedule = Schedule::new(4, &[(0, 0, 100, 2), (10, 100, 100, 4), (20, 70, 120, 2)]);
    assert_eq!(value(&schedule, "mean(wait / run)"), Some(0.5));
    assert_eq!(value(&schedule, "share(run = 0)"), Some(1.0 / 3.0));
    let large = Class::of("large", "procs = 4", &Vocabulary::jobs(&schedule.machine)).unwrap();
    let measurement = schedule.measure(MeasureOptions::default()).of_class(&large);
    assert_eq!(metric(&schedule, "mean(wait)").unwrap().value(&measurement), Some(90.0));
    assert_eq!(metric(&schedule, "mean(wait / run)").unwrap().value(&measurement), None);
}

#[test]
fn units_and_definitions_follow_the_expression() {
    let schedule = blocked_head();
    for (definition, unit, words) in [
        ("mean( wait/procs )", Unit::Seconds, "mean(wait / procs) over the measured jobs"),
        ("share(wait<600)", Unit::Fraction, "share(wait < 600) over the measured jobs"),
        ("var(wait)", Unit::SecondsSquared, "var(wait) over the measured jobs"),
        ("max(procs)", Unit::Ratio, "max(procs) over the measured jobs"),
    ] {
        let metric = metric(&schedule, definition).unwrap();
        assert_eq!((metric.unit(), metric.definition().as_str()), (unit, words));
    }
}

#[test]
fn errors_say_what_a_definition_needs() {
    let schedule = blocked_head();
    let error = |list: &str| {
        let vocabulary = Vocabulary::jobs(&schedule.machine);
        Catalogue::new(&schedule.machine, &[]).defining(list, &vocabulary).unwrap_err().to_string()
    };
    assert_eq!(
        error("a=wait"),
        "a: a definition is STATISTIC(EXPRESSION), such as mean(wait / procs) or share(wait < 10min)"
    );
    assert!(
        error("a=maen(wait)")
            .starts_with("a: there is no statistic `maen` (did you mean `mean`?); there are mean, sd"),
        "{}",
        error("a=maen(wait)")
    );
    assert_eq!(error("mean_wait=mean(run)"), "a metric called `mean_wait` is there already");
    assert_eq!(error("a=mean(run),a=max(run)"), "a metric called `a` is there already");
    assert_eq!(
        error("A b=mean(run)"),
        "`A b` names no metric: lower-case letters, digits and `_` make a name"
    );
    assert_eq!(
        error("mean_wait, share(queue = 1)"),
        "`share(queue = 1)` needs a name: NAME=share(queue = 1)"
    );
    assert_eq!(
        error("a=mean(wiat / procs)"),
        "a:\nwiat / procs\n^^^^\na job with a schedule has no field `wiat` (did you mean `wait`?)"
    );
    assert!(error("a=mean(wait < 600)").contains("this is a condition, and a number is needed"));
    assert!(error("a=share(wait)").contains("this is a time, and a condition is needed"));
    assert!(error("a=mean(status)").contains("only the log records it"));
}
