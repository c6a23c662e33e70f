//! Mean waits of replayed weeks, whose intensity of submissions carries over from week to week.

use batchlab::Registry;
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::replay::engine::replay;
use batchlab::replay::{Run, Scenario};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload, seed};
use chacha20::ChaCha12Rng;
use rayon::prelude::*;

use super::draws::{exponential, normal};

/// Weeks of a log.
const WEEKS: u64 = 4_000;
/// Jobs in a week, on average.
const JOBS: f64 = 250.0;
const WEEK: f64 = 7.0 * 86_400.0;
const PROCS: i64 = 128;
/// Offered load, on average.
const LOAD: f64 = 0.7;
/// Standard deviation of the logarithm of the intensity.
const SIGMA: f64 = 0.35;

/// Returns the mean waits of weeks in a row under some policies, each week replayed by itself. The logarithm of the intensity is a
/// first-order autoregression with this coefficient. Weeks in which no job waits are left out.
pub fn weeks(carried: f64, policies: [&str; 2]) -> Vec<[f64; 2]> {
    let mut stream = seed::stream(0, &format!("intensity {carried}"));
    let mut intensity = normal(&mut stream);
    let intensities: Vec<f64> = (0..WEEKS)
        .map(|_| {
            intensity = carried * intensity + (1.0 - carried * carried).sqrt() * normal(&mut stream);
            (SIGMA * intensity - SIGMA * SIGMA / 2.0).exp()
        })
        .collect();
    let week = |(number, &intensity): (usize, &f64)| {
        let jobs = jobs(&mut seed::stream(number as u64, &format!("week {carried}")), intensity);
        policies.map(|policy| mean_wait(&jobs, policy))
    };
    let all: Vec<[f64; 2]> = intensities.par_iter().enumerate().map(week).collect();
    all.into_iter().filter(|waits| waits.iter().all(|wait| *wait > 0.0)).collect()
}

/// Sessions of alike jobs: exponential gaps between sessions, lognormal run times, widths that are powers of two.
fn jobs(stream: &mut ChaCha12Rng, intensity: f64) -> Vec<PlainJob> {
    let (mut at, mut jobs) = (0.0, Vec::new());
    // The mean of a session is five jobs, of widths 1 to 32 10.5 processors.
    let run = LOAD * PROCS as f64 * WEEK / (JOBS * 10.5);
    loop {
        at += exponential(stream) * 5.0 * WEEK / (JOBS * intensity);
        if at >= WEEK {
            return jobs;
        }
        let wide = 1_i64 << (6.0 * seed::unit(stream)) as u32;
        let typical = run * (1.1 * normal(stream) - 0.605).exp();
        let factor = 1.0 + 9.0 * seed::unit(stream);
        for _ in 0..=(4.0 * exponential(stream)).round() as usize {
            let run = (typical * (0.5 * normal(stream) - 0.125).exp()).clamp(1.0, 2.0 * 86_400.0);
            jobs.push(PlainJob {
                estimate: Time::from_secs_f64(run * factor),
                user: 1,
                ..PlainJob::new(Time::from_secs(at as i64), Time::from_secs_f64(run), vec![wide])
            });
        }
    }
}

fn mean_wait(jobs: &[PlainJob], policy: &str) -> f64 {
    let scenario = Scenario::new(Machine::pool(PROCS).unwrap(), Workload::from_jobs(jobs));
    let chosen = Registry::builtin().choose(policy).unwrap();
    let mut built = chosen.build(&scenario.setting(Overrun::Raise)).unwrap();
    let outcome = replay(&scenario, policy, chosen.needs(), built.as_mut(), Run::default()).unwrap().0;
    let Scenario { workload, machine, .. } = &scenario;
    let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
    Catalogue::new(machine, &[]).find("mean_wait").unwrap().value(&measurement).unwrap_or(0.0)
}
