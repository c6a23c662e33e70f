//! How long an expression takes over a million jobs; a figure to read, nothing to assert.

use std::time::Instant;

use super::sample::trace;
use crate::expr::{Expr, Vocabulary};
use crate::{Column, Field, Number};

/// Run it alone, optimised: `cargo test --release -p batchlab-traces speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
fn a_million_jobs() {
    const JOBS: i64 = 1_000_000;
    let mut trace = trace().select(&vec![0; JOBS as usize]);
    let column =
        |value: fn(i64) -> i64| -> Column { (0..JOBS).map(|job| Number::whole(value(job))).collect() };
    trace.set_column(Field::Job, column(|job| job + 1));
    trace.set_column(Field::Submit, column(|job| job * 60));
    trace.set_column(Field::Run, column(|job| job * 7919 % 100_000));
    trace.set_column(Field::Requested, column(|job| if job % 5 == 0 { -1 } else { job % 64 }));
    trace.set_column(Field::Allocated, column(|job| job % 64 + 1));
    for text in [
        "run > 4h and procs = 1",
        "run > 4h and requested_procs = 1",
        "user in (1, 5, 17, 30..40) or not known(run)",
        "-((wait/estimate)^3*procs)",
        "sqrt(estimate) * procs + 25600 * log10(max(submit, 1))",
        "estimate ^ 1.5",
        "hour >= 7 and weekday < 5",
        "normal(0.5, 0.01)",
    ] {
        let vocabulary = Vocabulary::trace(&trace).drawing(1, "speed");
        let program = Expr::parse(text).and_then(|expr| expr.compile(&vocabulary)).unwrap();
        let times = (0..5).map(|_| {
            let start = Instant::now();
            assert_eq!(program.numbers(&trace).len(), JOBS as usize);
            start.elapsed()
        });
        let best = times.min().unwrap_or_default();
        println!("{:8.2} ns a job  {text}", best.as_secs_f64() * 1e9 / JOBS as f64);
    }
}
