use batchlab::experiment::UnitKind;
use batchlab::report::tables::{Axis, Baseline, Form, Names};

use super::{frame, read};
use crate::lab::cases;

fn names() -> Names {
    Names::of(&frame())
}

fn refused(text: &str) -> String {
    read(&format!("name = \"t\"\n{text}"), &names()).unwrap_err()
}

#[test]
fn undeclared_keys_have_defaults() {
    let spec = read("name = \"t\"", &names()).unwrap();
    assert_eq!(spec.rows, [Axis::Workload, Axis::Parameter(0), Axis::Policy]);
    assert_eq!(spec.columns, [Axis::Metric]);
    assert_eq!((spec.metrics.len(), spec.classes.len()), (2, 1));
    assert_eq!(spec.baselines, [Baseline::Policy(0)]);
    assert!(spec.intervals && spec.cells.len() == 1 && !spec.best);
    let one = read("name = \"t\"\nwhere = { load = 0.9 }\nworkloads = \"100% <log>\"", &names()).unwrap();
    assert_eq!((one.rows, one.values), (vec![Axis::Policy], vec![vec![1]]));
    let long = read("name = \"t\"\nform = \"long\"", &names()).unwrap();
    assert_eq!((long.form, long.rows.len(), long.columns.len()), (Form::Long, 5, 0));
}

#[test]
fn unknown_names_are_refused_with_the_nearest_and_the_line() {
    for (text, error) in cases("names") {
        assert!(refused(text).contains(error), "{text}: {}", refused(text));
    }
    let error = read("name = \"../t\"", &names()).unwrap_err();
    assert!(error.contains("becomes a file"), "{error}");
}

#[test]
fn impossible_tables_are_refused_before_anything_runs() {
    for (text, error) in cases("tables") {
        assert!(refused(text).contains(error), "{text}: {}", refused(text));
    }
    let mut names = names();
    names.baseline = None;
    let error = read("name = \"t\"\ncells = [\"value\", \"percent\"]", &names).unwrap_err();
    assert!(error.contains("`percent` compares with a baseline, but the experiment has none"), "{error}");
}

#[test]
fn shaken_and_single_replays_have_no_intervals() {
    let mut names = names();
    names.workloads[0].1 = UnitKind::Shaken;
    for cells in ["\"value\", \"interval\"", "\"p\"", "\"effect\""] {
        let error = read(&format!("name = \"t\"\ncells = [{cells}]"), &names).unwrap_err();
        assert!(error.contains("of KTH_SP2 & co, as input shaking does not give replications"), "{error}");
    }
    assert!(read("name = \"t\"\ncells = [\"sd\", \"range\", \"flips\"]", &names).is_ok());
    assert!(!read("name = \"t\"", &names).unwrap().intervals);
    names.workloads.iter_mut().for_each(|(_, units)| *units = UnitKind::One);
    let error = read("name = \"t\"\ncells = \"sd\"", &names).unwrap_err();
    assert!(error.contains("there is no `sd` of a single replay"), "{error}");
    assert!(read("name = \"t\"\ncells = [\"value\", \"percent\", \"rank\"]", &names).is_ok());
}

#[test]
fn class_as_an_axis_shows_every_class() {
    let names = names();
    let shown = |keys: &str| {
        read(&format!("name = \"t\"\nwhere = {{ load = 0.9 }}\n{keys}"), &names).unwrap().classes
    };
    assert_eq!(shown("columns = [\"class\"]\nmetrics = [\"mean_wait\"]"), ["all", "small"]);
    assert_eq!(shown("rows = [\"workload\", \"policy\", \"class\"]"), ["all", "small"]);
    assert_eq!(shown("columns = [\"class\"]\nclasses = [\"small\"]\nmetrics = [\"mean_wait\"]"), ["small"]);
    assert_eq!(shown(""), ["all"]);
}

/// Values of `load` in the results are `0.7` and `0.9`.
#[test]
fn a_value_is_the_same_number_however_it_is_written() {
    let names = names();
    let at = |value: &str| {
        read(&format!("name = \"t\"\nwhere = {{ load = {value} }}"), &names).map(|of| of.values)
    };
    for same in ["0.9", "0.90", "\"0.9\"", "\"0.900\"", "\"9e-1\"", "[0.9]"] {
        assert_eq!(at(same), Ok(vec![vec![1]]), "{same}");
    }
    assert!(at("\"0.95\"").unwrap_err().contains("unknown `0.95`"));
    assert!(at("\"high\"").unwrap_err().contains("unknown `high`"));
}
