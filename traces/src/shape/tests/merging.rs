use super::*;

fn two() -> [(&'static str, Trace); 1] {
    let mut other = log(&[(5, 10, 2, 20, 1), (15, 10, 2, 20, 3)]);
    other.header.unix_start_time = Some(MONDAY - 10);
    [("b.swf", other)]
}

fn merge(parameters: &str, trace: Trace) -> Trace {
    let shaped = shape_with(&file("merge", &format!("with = 'b.swf'\n{parameters}")), trace, 1, &two());
    shaped.unwrap().logs.remove(0).trace
}

fn first() -> Trace {
    log(&[(0, 10, 1, 20, 1), (5, 10, 1, 20, 2), (20, 10, 1, 20, 1)])
}

#[test]
fn jobs_come_in_the_order_of_submission_with_their_source() {
    let merged = merge("", first());
    assert_eq!(numbers(&merged, Field::Submit), [0, 5, 5, 15, 20]);
    assert_eq!(resource(&merged, "source"), [0, 0, 1, 1, 0]);
    assert_eq!(numbers(&merged, Field::Job), [1, 2, 3, 4, 5]);
    assert_eq!(numbers(&merged, Field::User), [1, 2, 4, 6, 1], "the other log's users are others");
    let count = |counted: &Option<RemarkedCount>| counted.as_ref().map(|counted| counted.count);
    assert_eq!((count(&merged.header.max_procs), merged.header.max_jobs), (Some(128), Some(5)));
    assert_eq!(merged.header.computer.as_deref(), Some("small"));
}

#[test]
fn users_may_be_the_same_and_machines_the_largest() {
    let merged = merge("users = 'same'\nqueues = 'same'\nmachine = 'max'\nsource = 'none'", first());
    assert_eq!(numbers(&merged, Field::User), [1, 2, 1, 3, 1]);
    assert_eq!(merged.header.max_procs.as_ref().map(|procs| procs.count), Some(64));
    assert_eq!(merged.header.resources, []);
}

#[test]
fn calendars_are_put_together_at_the_earliest_start() {
    let merged = merge("align = 'calendar'\nnumbers = 'keep'", first());
    assert_eq!(numbers(&merged, Field::Submit), [5, 10, 15, 15, 30]);
    assert_eq!(numbers(&merged, Field::Job), [1, 1, 2, 2, 3]);
    assert_eq!(merged.header.unix_start_time, Some(MONDAY - 10));
}

#[test]
fn columns_that_a_log_lacks_are_unknown_and_different_ones_clash() {
    let gpus = |unit: &str, trace| {
        step("resource", &format!("name = 'gpu'\nunit = '{unit}'\nlaw = 'constant'\nvalue = 2"), trace)
    };
    let merged = merge("", gpus("card", first()));
    assert_eq!(resource(&merged, "gpu"), [2, 2, -1, -1, 2]);
    let other = [("b.swf", gpus("slice", first()))];
    let clash = shape_with(&file("merge", "with = ['b.swf']"), gpus("card", first()), 1, &other);
    let clash = clash.err().unwrap();
    assert!(clash.to_string().contains("the logs declare `gpu` differently"), "{clash}");
    let twice = [file("merge", "with = 'b.swf'"), file("merge", "with = 'b.swf'")].concat();
    let error = shape_with(&twice, first(), 1, &two()).err().unwrap().to_string();
    assert_eq!(
        error,
        "steps.toml:4:1: step `merge`: there is a column `source` already; set another `source`"
    );
}

#[test]
fn a_log_that_cannot_be_read_is_named_with_the_step() {
    let error = shape_with(&file("merge", "with = 'c.swf'"), first(), 1, &two()).err().unwrap();
    assert!(!error.is_usage());
    assert_eq!(error.to_string(), "steps.toml:1:1: step `merge`: cannot read c.swf");
}
