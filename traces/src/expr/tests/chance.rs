//! Draws: the laws they follow, and their independence of other rows.

use super::sample::trace;
use crate::expr::{Expr, Program, Vocabulary};
use crate::provenance::Source;
use crate::trace::TraceBuilder;
use crate::{Column, Field, Findings, Number, Record, RecordSink, Trace};

fn drawing(text: &str, trace: &Trace, seed: u64) -> Program {
    let vocabulary = Vocabulary::trace(trace).drawing(seed, "resource gpu");
    Expr::parse(text).and_then(|expr| expr.compile(&vocabulary)).unwrap_or_else(|error| panic!("{error}"))
}

fn jobs(count: i64) -> Trace {
    let mut trace = trace().select(&vec![0; count as usize]);
    let numbers: Column = (1..=count).map(Number::whole).collect();
    trace.set_column(Field::Job, numbers);
    trace
}

fn mean_and_variance(text: &str) -> (f64, f64) {
    let trace = jobs(20_000);
    let values = drawing(text, &trace, 7).numbers(&trace);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (mean, squares.sum::<f64>() / (values.len() - 1) as f64)
}

#[test]
fn every_law_has_its_mean_and_variance() {
    let half = 0.5f64;
    for (text, mean, variance) in [
        ("uniform(2, 8)", 5.0, 3.0),
        ("normal(0.5, 0.01)", 0.5, 0.01),
        ("normal(1h, 900)", 3600.0, 900.0),
        ("lognormal(0, 0.5)", (half.powi(2) / 2.0).exp(), (half.powi(2).exp() - 1.0) * half.powi(2).exp()),
        ("exponential(1min)", 60.0, 3600.0),
        ("choice(1, 2, 3)", 2.0, 2.0 / 3.0),
        ("uniform(0, 1) - uniform(0, 1)", 0.0, 1.0 / 6.0),
    ] {
        let drawn = mean_and_variance(text);
        // Six standard errors of a mean over 20,000 draws.
        assert!((drawn.0 - mean).abs() < 6.0 * (variance / 20_000.0).sqrt(), "{text}: mean {}", drawn.0);
        assert!((drawn.1 / variance - 1.0).abs() < 0.1, "{text}: variance {}", drawn.1);
    }
}

#[test]
fn a_job_draws_the_same_whatever_other_jobs_there_are() {
    let all = jobs(3000);
    let rows: Vec<u32> = (0..3000).rev().filter(|row| row % 3 == 0).collect();
    let some = all.select(&rows);
    let text = "normal(0, 1) + choice(10, 20) * uniform(0, 1)";
    let (of_all, of_some) = (drawing(text, &all, 1).numbers(&all), drawing(text, &some, 1).numbers(&some));
    for (row, value) in rows.iter().zip(of_some) {
        assert_eq!(value, of_all[*row as usize]);
    }
}

#[test]
fn jobs_without_a_number_draw_by_their_line() {
    let mut all = trace();
    all.set_column(Field::Job, [-1; 4].into_iter().map(Number::whole).collect());
    let values = drawing("uniform(0, 1)", &all, 1).numbers(&all);
    let some = all.select(&[3, 1]);
    assert_eq!(drawing("uniform(0, 1)", &some, 1).numbers(&some), [values[3], values[1]]);
    assert_ne!(values[0], values[1]);
    let mut lineless = TraceBuilder::new();
    (0..2).for_each(|_| lineless.record(&Record::default()));
    let lineless = lineless.finish(all.header.clone(), Source::default(), Findings::lenient()).unwrap();
    let values = drawing("uniform(0, 1)", &lineless, 1).numbers(&lineless);
    assert_ne!(values[0], values[1]);
}

#[test]
fn seeds_streams_and_places_draw_apart() {
    let trace = trace();
    let first = drawing("uniform(0, 1)", &trace, 1).numbers(&trace);
    assert_eq!(drawing("uniform(0, 1)", &trace, 1).numbers(&trace), first);
    assert_ne!(drawing("uniform(0, 1)", &trace, 2).numbers(&trace), first);
    let other = Vocabulary::trace(&trace).drawing(1, "resource memory");
    let other = Expr::parse("uniform(0, 1)").unwrap().compile(&other).unwrap();
    assert_ne!(other.numbers(&trace), first);
    assert!(drawing("uniform(0, 1) = uniform(0, 1)", &trace, 1).bools(&trace).iter().all(|same| !same));
}

#[test]
fn parameters_may_differ_from_job_to_job() {
    let trace = trace();
    let program = drawing("uniform(procs, procs + 1)", &trace, 1);
    assert!(program.draws());
    let floors: Vec<f64> = program.numbers(&trace).iter().map(|value| value.floor()).collect();
    assert_eq!(floors, [4.0, 1.0, 8.0, 32.0]);
}

#[test]
fn a_value_in_the_middle_of_a_chain_is_drawn_once() {
    let trace = jobs(2000);
    let program = drawing("0 <= uniform(0, 1) < 1", &trace, 1);
    assert!(program.bools(&trace).iter().all(|holds| *holds));
    let middle = drawing("0.5 < uniform(0, 1) < 0.5", &trace, 1);
    assert!(middle.bools(&trace).iter().all(|holds| !holds));
}
