//! Simulates how often a machine that keeps up is called saturated, and how often one that does not is not.
//!
//! `cargo run --release --example saturation > examples/saturation.md`
//!
//! In each situation, 1,000 logs are drawn; seeds are fixed, so the output is the same each time.
#![expect(clippy::print_stdout, reason = "an example prints")]
#![expect(clippy::unwrap_used, reason = "an example may fail loudly")]

#[path = "saturation/situations.rs"]
mod situations;

use rayon::prelude::*;
use situations::{JOBS, KEPT_UP, OVERLOADED, Situation};

const LOGS: u64 = 1_000;

fn main() {
    println!("# Saturated or not\n");
    println!(
        "Written by `cargo run --release --example saturation > examples/saturation.md` ([source](saturation.rs)).\n"
    );
    println!(
        "Each row: {LOGS} logs of {JOBS} jobs or a few more, with exponential gaps, widths and run times, replayed under EASY on a \
         machine that begins"
    );
    println!("empty. Long jobs run for three tenths of the time from the first submission to the last.\n");
    table(
        "False alarms",
        "The machine keeps up with the arrivals; a log that is called saturated is a false alarm.",
        KEPT_UP,
    );
    println!();
    table(
        "Misses",
        "More work arrives than the machine can do; a log that is not called saturated is a miss.",
        OVERLOADED,
    );
}

fn table(heading: &str, about: &str, situations: &[Situation]) {
    println!("## {heading}\n\n{about}\n");
    println!(
        "| situation | load | logs in which a job waits, % | called saturated, % |\n|---|---:|---:|---:|"
    );
    for situation in situations {
        let judged: Vec<(bool, bool)> =
            (0..LOGS).into_par_iter().map(|number| situation.judged(number)).collect();
        let share = |is: fn(&(bool, bool)) -> bool| {
            format!("{:.1}", 100.0 * judged.iter().filter(|log| is(log)).count() as f64 / LOGS as f64)
        };
        let (waits, saturated) = (share(|log| log.1), share(|log| log.0));
        println!("| {} | {} | {waits} | {saturated} |", situation.name, situation.load);
    }
}
