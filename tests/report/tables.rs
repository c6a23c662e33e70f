use batchlab::metrics::{Catalogue, MeasureOptions, lower_bounds};
use batchlab::replay::{ResultRow, RowKind, class_table, replay_table};
use batchlab::table::{Style, Table, TimeUnit, writer};

use super::{Replay, zhang};
use crate::metrics::schedule::Schedule;

fn table() -> Table {
    let replay = Replay::new();
    let metrics = replay.metrics("mean_wait,max_wait,mean_bsld,makespan,utilization");
    replay_table(&replay.conditions, &metrics, &replay.rows(&metrics, &[]), TimeUnit::Seconds)
}

fn written(table: &Table, format: &str, style: Style) -> String {
    (writer(format).unwrap().write)(table, &style).into()
}

#[test]
fn on_a_terminal() {
    let expected = include_str!("golden/replay.txt");
    assert_eq!(written(&table(), "table", Style { width: 70, ..Style::default() }), expected);
}

#[test]
fn the_default_columns_fit_a_hundred_characters() {
    let procs = 100;
    let options = MeasureOptions::default();
    let mut rows = Vec::new();
    let mut metrics = Vec::new();
    for (label, name) in [
        ("easy", "easy.submit-first"),
        ("easy:candidates=sjf,predictor=last2,corrector=increment", "easy-plus-plus.submit-first"),
    ] {
        let Some(schedule) = Schedule::reference(&format!("KTH-SP2-1996-derived.{name}"), procs) else {
            return;
        };
        metrics = Catalogue::new(&schedule.machine, &[]).for_table();
        let measurement = schedule.measure(options);
        rows.push(ResultRow::measure(label, RowKind::Policy, &measurement, &metrics, &[]));
        let bounds = lower_bounds(&schedule.workload, &schedule.machine, options, &metrics).unwrap();
        rows.push(ResultRow::bounds(bounds));
    }
    rows.remove(1);
    let mut conditions = Replay::new().conditions;
    conditions.procs = procs;
    let table = replay_table(&conditions, &metrics, &rows, TimeUnit::Seconds);
    let text = written(&table, "table", Style::default());
    let grid = text.split_once("\n\n").unwrap().1.split("\n\n").next().unwrap();
    let expected = include_str!("golden/default-columns.txt");
    assert_eq!(grid, expected);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn colour_is_only_around_the_best() {
    let plain = written(&table(), "table", Style::default());
    assert!(!plain.contains('\u{1b}'));
    let coloured = written(&table(), "table", Style { colour: true, ..Style::default() });
    assert_eq!(coloured.matches("\u{1b}[1m").count(), 5, "{coloured}");
    let mut stripped = coloured;
    for code in ["\u{1b}[1m", "\u{1b}[32m", "\u{1b}[39m", "\u{1b}[22m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn in_markdown() {
    let expected = include_str!("golden/replay.md");
    assert_eq!(written(&table(), "markdown", Style::default()), expected);
}

#[test]
fn in_latex() {
    let expected = include_str!("golden/replay.tex");
    assert_eq!(written(&table(), "latex", Style::default()), expected);
}

#[test]
fn in_csv() {
    let expected = include_str!("golden/replay.csv");
    assert_eq!(written(&table(), "csv", Style::default()), expected);
}

#[test]
fn in_json() {
    let json: serde_json::Value = serde_json::from_str(&written(&table(), "json", Style::default())).unwrap();
    assert_eq!(json["rows"][0]["policy"], "fcfs");
    assert_eq!(json["rows"][0]["mean_wait"], 11_880);
    assert!(json["rows"][3]["utilization"].is_null());
    assert_eq!(json["columns"][1]["better"], "lower");
    assert_eq!(json["conditions"]["procs"], 64);
}

#[test]
fn by_classes() {
    let replay = Replay::new();
    let metrics = replay.metrics("jobs,mean_wait,makespan");
    let rows = replay.rows(&metrics, &zhang());
    let table = class_table(&replay.conditions, &metrics, &rows, &zhang(), TimeUnit::Hours);
    let expected = include_str!("golden/classes.txt");
    assert_eq!(written(&table, "table", Style::default()), expected);
}
