//! Cautions against the simulations that they quote.

use batchlab::stats::Method;
use batchlab::stats::caution::{self, CAUTIONS};

/// Rows (situation, method, per cent covered) of the recorded run.
fn recorded() -> Vec<(String, String, f64)> {
    let page = include_str!("../../policies/examples/coverage.md");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        Some(((*cells.get(1)?).to_owned(), (*cells.get(2)?).to_owned(), cells.get(3)?.parse().ok()?))
    };
    let table = page.split("## Saturation").next().unwrap();
    table.lines().filter_map(row).collect()
}

#[test]
fn cautions_quote_the_recorded_run() {
    let rows = recorded();
    assert!(rows.len() > 30);
    for caution in CAUTIONS {
        let row = rows.iter().find(|row| row.0 == caution.situation && row.1 == caution.method);
        assert_eq!(row.map(|row| row.2), Some(caution.covered), "{caution:?}");
    }
}

#[test]
fn what_covers_too_little_has_a_caution() {
    for (situation, method, covered) in recorded() {
        if covered < 93.0 && method != "Student t over values" {
            let told = CAUTIONS.iter().any(|caution| {
                caution.method == method && (caution.situation == situation || caution.covered <= covered)
            });
            assert!(told, "{method} covers {covered} % of {situation}");
        }
    }
}

#[test]
fn a_caution_is_that_of_as_many_units_or_the_next_number() {
    let normal = caution::find(Method::Bca, 12, Some(0.1)).unwrap();
    assert_eq!((normal.units, normal.skewed), (20, false));
    let skewed = caution::find(Method::Bca, 12, Some(2.0)).unwrap();
    assert_eq!((skewed.units, skewed.skewed), (20, true));
    assert!(skewed.covered < normal.covered && skewed.words().contains("BCa bootstrap"));
    assert_eq!(caution::find(Method::StudentT, 10, Some(0.5)), None);
    assert_eq!(caution::find(Method::StudentT, 10, None), None);
    assert_eq!(caution::find(Method::StudentT, 10, Some(-1.5)).unwrap().units, 10);
    assert_eq!(caution::find(Method::StudentT, 10_000, Some(3.0)), None);
    assert_eq!(caution::find(Method::Fieller, 6, Some(3.0)), None);
    assert!(caution::find(Method::BatchMeans { batches: 6 }, 6, None).is_some());
}

#[test]
fn skewness_is_that_of_its_definition() {
    // scipy.stats.skew([1, 2, 3, 10]) = 1.0182337649086284.
    let of = caution::skewness(&[1.0, 2.0, 3.0, 10.0]).unwrap();
    assert!((of - 1.018_233_764_908_628_4).abs() < 1e-12, "{of}");
    assert_eq!(caution::skewness(&[2.0, 2.0]), None);
}
