//! Time of expressions over a million jobs, compared with the same condition written in Rust.
//!
//! Best of several runs, including the result vector. `cargo bench --bench expressions`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its table and stops at surprises"
)]

use std::hint::black_box;
use std::time::Instant;

use batchlab::traces::expr::{Expr, Vocabulary};
use batchlab::traces::{Field, Trace, models};

const JOBS: u32 = 1_000_000;

const RUNS: usize = 5;

const TEXTS: [&str; 6] = [
    "run > 4h and procs = 1",
    "user in (1, 5, 17, 30..40) or not known(run)",
    "-((wait/estimate)^3*procs)",
    "sqrt(estimate) * procs + 25600 * log10(max(submit, 1))",
    "estimate ^ 1.5",
    "normal(0.5, 0.01)",
];

fn main() {
    let settings = ["users=300", "estimates=phi:0.2"];
    let trace = models::find("lublin").unwrap().generate(JOBS, 1024, 1, &settings).unwrap();
    let hand = measure("by hand: run > 14400 && procs == 1", || by_hand(&trace));
    for text in TEXTS {
        let vocabulary = Vocabulary::trace(&trace).drawing(1, "bench");
        let program = Expr::parse(text).and_then(|expr| expr.compile(&vocabulary)).unwrap();
        let time = measure(text, || program.numbers(&trace));
        println!("{:>67.2} times the loop by hand", time / hand);
    }
}

fn by_hand(trace: &Trace) -> Vec<f64> {
    let holds = |row: usize| {
        let procs = trace.get(row, Field::Requested).truncated();
        trace.get(row, Field::Run).to_micro() > 14_400_000_000 && procs == 1
    };
    (0..trace.len()).map(|row| f64::from(u8::from(holds(row)))).collect()
}

/// Prints the best time per job and returns it, seconds.
fn measure(name: &str, run: impl Fn() -> Vec<f64>) -> f64 {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        assert_eq!(black_box(run()).len(), JOBS as usize);
        start.elapsed().as_secs_f64()
    });
    let best = times.fold(f64::INFINITY, f64::min) / f64::from(JOBS);
    println!("{name:<58} {:>6.2} ns a job", best * 1e9);
    best
}
