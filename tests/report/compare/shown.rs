//! The content of tables, and their notes.

use batchlab::experiment::UnitKind;
use batchlab::metrics::Domain;
use batchlab::table::{Cell, Table};

use super::{expected, frame, made, notes_of};

fn column(table: &Table, key: &str) -> usize {
    let ends = format!("_{key}");
    let of = |is_it: &dyn Fn(&str) -> bool| table.columns.iter().position(|column| is_it(&column.key));
    of(&|known| known == key).or_else(|| of(&|known| known.ends_with(&ends))).unwrap()
}

fn number(table: &Table, row: usize, key: &str) -> f64 {
    match table.rows[row].cells[column(table, key)] {
        Cell::Number(number) => number,
        ref other => panic!("{key} of row {row} is {other:?}"),
    }
}

#[test]
fn numbers_stand_where_the_axes_say() {
    let table = made(
        "name = \"t\"\nrows = [\"load\", \"workload\"]\ncolumns = [\"policy\"]\nmetrics = \"mean_wait\"\n\
         cells = [\"value\", \"difference\"]",
        &frame(),
    );
    assert_eq!(table.rows.len(), 4);
    assert_eq!(table.rows[3].cells[..2], ["0.9", "100% <log>"].map(|text| Cell::Text(text.into())));
    let waits = &expected()["estimates"][1];
    assert!((number(&table, 3, "sjf #1|x") - waits[1]["value"].as_f64().unwrap()).abs() < 1e-9);
    let difference = expected()["contrasts"][2]["difference"].as_f64().unwrap();
    assert!((number(&table, 3, "sjf #1|x_difference") - difference).abs() < 1e-9);
    assert_eq!(table.rows[3].cells[column(&table, "EASY_difference")], Cell::Empty);
    assert_eq!(table.columns[2].groups, ["EASY"]);
}

#[test]
fn metrics_over_rows_are_printed_in_their_own_units() {
    let table = made(
        "name = \"t\"\nrows = [\"metric\", \"workload\"]\ncolumns = [\"policy\"]\nwhere = { load = 0.9 }\n\
         cells = [\"value\", \"interval\"]",
        &frame(),
    );
    let text = |row: usize, at: usize| match &table.rows[row].cells[at] {
        Cell::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!([text(0, 0), text(2, 0)], ["mean wait (s)", "utilization (%)"]);
    assert_eq!([text(0, 2), text(2, 2)], ["6,350.9", "73.50"]);
    assert_eq!(text(2, 3), "[69.40, 77.60]");
    assert_eq!(table.rows[3].cells[6], Cell::Empty);
}

#[test]
fn the_best_is_bold_and_differences_that_are_not_shown_are_noted() {
    let table = made(
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\npolicies = [\"EASY\", \"$cons\"]\nbest = true",
        &frame(),
    );
    // EASY waits least on the first workload, $cons on the second; neither difference is shown to be significant.
    let bests: Vec<(usize, usize)> = table.marks.keys().copied().collect();
    assert_eq!(bests, [(0, 2), (3, 2)]);
    assert!(table.marks.values().all(|mark| mark.best && mark.footnotes == [0]));
    assert!(
        table.footnotes[0]
            .starts_with("not shown to be better than the second (paired t-test of logarithms at 95 %")
    );
    let clear = made("name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\nbest = true", &frame());
    assert!(clear.marks.values().all(|mark| mark.best && mark.footnotes.is_empty()), "{:?}", clear.marks);
}

#[test]
fn why_a_test_is_missing_stands_below() {
    let mut frame = frame();
    frame.rows.retain(|row| row.unit < Some(5));
    let table = made(
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\ncells = [\"value\", \"p\"]\nbest = true",
        &frame,
    );
    assert_eq!(table.footnotes, ["not tested: 5 units are too few: 6 are needed"]);
    assert_eq!(table.marks.values().filter(|mark| !mark.footnotes.is_empty()).count(), 4);
    let expected =
        "bold: the best value; whether it is better than the second is not tested: 5 units are too few";
    assert!(notes_of(&table).iter().any(|note| note.starts_with(expected)), "{:?}", notes_of(&table));
}

#[test]
fn ratios_alone_name_the_values_that_they_are_of() {
    let table = made(
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\ncells = [\"ratio\", \"interval\", \"p\"]",
        &frame(),
    );
    assert!(
        notes_of(&table).contains(&"EASY, mean wait (s): KTH_SP2 & co: 6,351; 100% <log>: 112.0".to_owned()),
        "{:?}",
        notes_of(&table)
    );
    let caption = table.conditions().join("\n");
    assert!(
        caption.contains("p of the paired t-test of logarithms that the geometric mean of the ratios is 1"),
        "{caption}"
    );
    assert!(
        caption.contains("their intervals (Student t on logarithms) hold together at 95 %, each at 97.5 %"),
        "{caption}"
    );
}

/// Cells, the test, and the numbers that have an interval.
#[test]
fn the_first_of_several_comparisons_is_tested_and_has_the_interval() {
    let cases = [
        (
            &["percent", "ratio_of_means", "p"][..],
            "that the geometric mean of the ratios is 1",
            &["percent"][..],
        ),
        (&["ratio_of_means", "difference", "verdict"], "that the ratio of means is 1", &["ratio_of_means"]),
        (&["difference", "p"], "that the means are the same", &["difference"]),
        (&["verdict"], "that the geometric mean of the ratios is 1", &["value"]),
        // Nothing is tested: nothing can contradict.
        (&["ratio", "ratio_of_means"], "compared with EASY", &["ratio", "ratio_of_means"]),
    ];
    for (cells, words, with) in cases {
        let quoted: Vec<String> = cells.iter().map(|cell| format!("\"{cell}\"")).collect();
        let cells = format!("cells = [{}, \"interval\"]", quoted.join(", "));
        let spec = format!("name = \"t\"\nwhere = {{ load = 0.9 }}\nmetrics = \"mean_wait\"\n{cells}");
        let table = made(&spec, &frame());
        assert!(table.conditions().join("\n").contains(words), "{cells}: {:?}", table.conditions());
        let intervals: Vec<&str> = table
            .columns
            .iter()
            .filter_map(|column| column.key.strip_suffix("_interval"))
            .map(|key| key.strip_prefix("mean_wait_").unwrap_or("value"))
            .collect();
        assert_eq!(intervals, with, "{cells}");
    }
}

#[test]
fn raw_p_values_alone_stand_beside_intervals_of_each_test_alone() {
    let spec =
        "name = \"t\"\nmetrics = \"mean_wait\"\ncells = [\"ratio\", \"interval\", \"p_raw\", \"p_signs\"]";
    let table = made(spec, &frame());
    let caption = table.conditions().join("\n");
    assert!(caption.contains("each test as if it were the only one"), "{caption}");
    assert!(caption.contains("(Student t on logarithms) are at 95 %, each alone"), "{caption}");
    let signs = expected()["contrasts"][0]["ratio_signs"].as_f64().unwrap();
    assert!((number(&table, 4, "mean_wait_p_signs") - signs).abs() < 1e-12);
}

/// One window makes most of the mean, and turns the means round.
#[test]
fn where_a_unit_makes_the_mean_both_answers_are_given() {
    let mut frame = frame();
    for row in &mut frame.rows {
        let base = if row.unit == Some(0) { 10_000.0 } else { 100.0 + f64::from(row.unit.unwrap()) };
        let times = match (row.policy, row.unit) {
            (1, Some(0)) => 1.5,
            (1, Some(unit)) => 0.6 + 0.01 * f64::from(unit),
            _ => 1.0,
        };
        row.values[0] = Some(base * times);
    }
    let spec = "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\npolicies = [\"EASY\", \"sjf #1|x\"]\n";
    let notes = |cells: &str| notes_of(&made(&format!("{spec}cells = [{cells}]"), &frame)).join("\n");
    let both = "a typical unit (geometric mean of the ratios) and means (units with large values weigh most) give \
                different answers: sjf #1|x: \u{d7} 0.712, \u{d7} 1.442, one unit 97 % of a sum";
    assert!(notes("\"ratio\", \"p\"").contains(both), "{}", notes("\"ratio\", \"p\""));
    assert!(notes("\"ratio_of_means\"").contains(both));
    assert!(!notes("\"ratio\", \"ratio_of_means\"").contains("typical unit"));
}

#[test]
fn families_have_the_stated_size() {
    let level = |family: &str| {
        let cells = "cells = [\"difference\", \"interval\", \"p\"]\nmetrics = \"mean_wait\"";
        let table = made(&format!("name = \"t\"\n{cells}\nfamily = \"{family}\""), &frame());
        table.conditions().iter().find(|line| line.contains("adjusted by Bonferroni")).unwrap().clone()
    };
    assert!(level("measure").contains("those of one metric in this table (8 tests)"), "{}", level("measure"));
    for point in ["point", "site"] {
        assert!(level(point).contains("(2 tests each)"), "{}", level(point));
    }
    let usual = made("name = \"t\"\ncells = [\"p\"]\nmetrics = \"mean_wait\"", &frame());
    assert!(
        usual
            .conditions()
            .join(" ")
            .contains("those of one metric at one workload and point of the sweep (2 tests each)")
    );
}

#[test]
fn units_left_out_are_counted_in_words() {
    let table = made(
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\nclasses = [\"all\", \"small\"]",
        &frame(),
    );
    let expected = "units in which a value is undefined are left out: class small, KTH_SP2 & co: 1 of 8";
    assert!(notes_of(&table).contains(&expected.to_owned()), "{:?}", notes_of(&table));
}

#[test]
fn shaken_input_shows_its_spread() {
    let mut frame = frame();
    frame.workloads[0].units = UnitKind::Shaken;
    let table = made(
        "name = \"t\"\nworkloads = \"KTH_SP2 & co\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\n\
         cells = [\"value\", \"sd\", \"range\", \"flips\", \"rank\", \"first\", \"units\"]",
        &frame,
    );
    assert!(table.conditions()[0].contains("8 shaken copies of 7 d of one log, which are not replications"));
    assert_eq!(number(&table, 2, "mean_wait_flips"), 0.375);
    assert_eq!([0, 1, 2].map(|row| number(&table, row, "mean_wait_rank")), [2.0, 1.0, 3.0]);
    let range = &table.rows[1].cells[column(&table, "mean_wait_range")];
    assert_eq!(*range, Cell::Interval(1845.27, 8882.08));
}

/// The caution depends on the metric and the number of units; of a sample without the rare large unit it says the same.
#[test]
fn intervals_that_cover_less_than_they_claim_come_with_a_caution() {
    let spec = "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\npolicies = \"EASY\"\n\
                workloads = \"100% <log>\"\nrows = \"policy\"";
    let told = |domain: Domain| {
        let mut frame = frame();
        frame.measures[0].domain = domain;
        let table = made(spec, &frame);
        let method = table.conditions().iter().find_map(|line| line.split(" by ").nth(1)).unwrap().to_owned();
        (method, notes_of(&table).iter().filter(|note| note.starts_with("caution: 95 % intervals")).count())
    };
    let on_logs = "Student t over units, on the logarithm of the mean".to_owned();
    assert_eq!(told(Domain::NotNegative).0, on_logs);
    assert_eq!(told(Domain::Any), ("Student t over units".into(), 1));
    assert_eq!(told(Domain::Share), ("Student t over units".into(), 0));
}

/// Ratios of the windows rise from the first to the last, so that neighbours are alike; those of replications are in no order.
#[test]
fn windows_in_a_row_whose_neighbours_are_alike_count_as_fewer() {
    let mut frame = frame();
    for row in frame.rows.iter_mut().filter(|row| row.policy == 1) {
        row.values[0] = Some(1000.0 * 1.05_f64.powi(row.unit.unwrap() as i32));
    }
    for row in frame.rows.iter_mut().filter(|row| row.policy == 0) {
        row.values[0] = Some(1000.0);
    }
    let table = made(
        "name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\ncells = [\"ratio\", \"interval\", \"p\"]\n\
         policies = [\"EASY\", \"sjf #1|x\"]",
        &frame,
    );
    let note = notes_of(&table).join("\n");
    let note = note.lines().find(|note| note.contains("neighbouring units are alike")).unwrap();
    assert!(
        note.ends_with("at most \u{3c1} = 0.60, with which 8 units count as 2.0 (KTH_SP2 & co, sjf #1|x)"),
        "{note}"
    );
    let width = |row: usize| match table.rows[row].cells[column(&table, "ratio_interval")] {
        Cell::Interval(low, high) => (high / low).ln(),
        _ => panic!("no interval"),
    };
    assert!((width(1) / width(3) - 2.0).abs() < 1e-9, "{} {}", width(1), width(3));
    let p = |row: usize| number(&table, row, "p");
    assert!(p(1) > p(3), "{} {}", p(1), p(3));
}

/// A unit without a wait has no logarithm: among geometric means the ratio of means has a sign.
#[test]
fn a_ratio_of_means_among_geometric_ones_has_a_sign() {
    let mut frame = frame();
    let first = frame.rows.iter_mut().find(|row| row.point == [1] && row.policy == 1).unwrap();
    first.values[0] = Some(0.0);
    let table =
        made("name = \"t\"\nwhere = { load = 0.9 }\nmetrics = \"mean_wait\"\ncells = [\"percent\"]", &frame);
    let at = table.footnotes.iter().position(|note| note.starts_with("ratio of means: ")).unwrap();
    let marked: Vec<_> = table.marks.iter().filter(|(_, mark)| mark.footnotes.contains(&at)).collect();
    assert_eq!(marked.len(), 1, "{:?}", table.marks);
    assert_eq!(*marked[0].0, (1, column(&table, "percent")));
}
