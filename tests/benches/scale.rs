//! Growth of the time of every policy with the length of an overloaded log.
//!
//! `cargo bench --bench scale [-- NAME…]` replays 5, 10, 20 and 40 thousand jobs of the lublin model at a load of 8, once with
//! exact estimates and once with estimates of four times the run time: under each policy of `list policies`, EASY in each order
//! and with each predictor, and some policies within limits, beside calendars, with preemption, on nodes and with four resources.
//! With names, only cases whose name contains one of them. About all jobs of a log wait at its end, so an exponent of 1 is a
//! constant cost for each job, and 2 is a cost that grows with the queue. The baseline is FCFS on the longest log that the case
//! got to, replayed in the same run. A case is left out of logs for which it would take longer than [`growth::PATIENCE`].
//!
//! Exponents above [`growth::STEEP`] are named with their cause below the table. `-- --save FILE` keeps all exponents,
//! `-- --against FILE` compares them with those of another commit: one that has risen by [`kept::RISE`] fails the bench.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its table and stops at surprises"
)]

#[path = "scale/cases.rs"]
mod cases;
#[path = "scale/growth.rs"]
mod growth;
#[path = "scale/kept.rs"]
mod kept;

use batchlab::replay::engine::Scenario;
use batchlab::traces::models;
use batchlab::traces::reading::Estimate;
use growth::Growth;
use kept::Kept;

const JOBS: [u32; 4] = [5_000, 10_000, 20_000, 40_000];

fn main() -> std::process::ExitCode {
    let kept = Kept::from_args(std::env::args().skip(1));
    println!(
        "| case | estimates | {} | exponent | times FCFS | decisions | µs/decision |",
        JOBS.map(|jobs| format!("{jobs} jobs, s")).join(" | ")
    );
    println!("|---|---|{}---:|---:|---:|---:|", "---:|".repeat(JOBS.len()));
    let traces = JOBS.map(|jobs| {
        models::find("lublin").unwrap().generate(jobs, 128, 5, &["load=1.3", "users=50"]).unwrap()
    });
    let mut grown = Vec::new();
    let cases = cases::all();
    for (estimates, estimate) in [("exact", Estimate::Actual), ("factor:4", Estimate::Factor(4.0))] {
        let plain = traces.each_ref().map(|trace| cases::plain(trace, estimate));
        let baselines = plain.each_ref().map(growth::baseline);
        for case in cases.iter().filter(|case| kept.is_meant(&case.name)) {
            let scenarios: Vec<Scenario> = plain.iter().map(|plain| (case.setting)(plain)).collect();
            let growth = Growth::of(case, estimates, &scenarios);
            println!("{}", growth.row(&baselines));
            grown.push(growth);
        }
    }
    growth::print_steep(&grown);
    kept.conclude(&grown)
}
