//! Logs of which it is known whether the machine keeps up with them, and how they are judged.

use batchlab::Registry;
use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::replay::engine::replay;
use batchlab::replay::{Run, Scenario};
use batchlab::stats::saturation::is_saturated;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload, seed};
use chacha20::ChaCha12Rng;

/// A kind of logs: jobs on a machine that begins empty.
pub struct Situation {
    pub name: &'static str,
    /// Work that arrives from the first submission to the last, divided by what the machine could do in that time.
    pub load: f64,
    /// The mean run time, as a share of the time from the first submission to the last.
    run: f64,
    /// The mean number of jobs that are submitted at once.
    burst: f64,
    /// Whether nights and weekends have a fifth of the submissions.
    has_nights: bool,
    is_serial: bool,
}

const WIDE: Situation = Situation {
    name: "wide, short jobs",
    load: 0.7,
    run: 0.02,
    burst: 1.0,
    has_nights: false,
    is_serial: false,
};
const LONG: Situation = Situation { name: "long jobs", run: 0.3, ..WIDE };

/// The machine keeps up.
pub const KEPT_UP: &[Situation] = &[
    Situation { name: "long serial jobs, of which none waits", load: 0.5, is_serial: true, ..LONG },
    Situation { load: 0.5, ..LONG },
    LONG,
    Situation { load: 0.85, ..LONG },
    Situation { name: "jobs of a tenth of the log", run: 0.1, ..WIDE },
    WIDE,
    Situation { load: 0.85, ..WIDE },
    Situation { name: "bursts of wide, short jobs", burst: 20.0, ..WIDE },
    Situation { name: "bursts of jobs of a tenth of the log", burst: 20.0, run: 0.1, ..WIDE },
    Situation { name: "days, nights and weekends", has_nights: true, ..WIDE },
];

/// More work arrives than the machine can do.
pub const OVERLOADED: &[Situation] = &[
    Situation { load: 1.1, ..WIDE },
    Situation { load: 1.3, ..WIDE },
    Situation { name: "jobs of a tenth of the log", run: 0.1, load: 1.3, ..WIDE },
    Situation { load: 1.5, ..LONG },
    Situation { load: 2.0, ..LONG },
    Situation { name: "bursts of wide, short jobs", burst: 20.0, load: 1.3, ..WIDE },
    Situation { name: "bursts of wide, short jobs", burst: 20.0, load: 2.0, ..WIDE },
    Situation { name: "days, nights and weekends", has_nights: true, load: 1.3, ..WIDE },
];

pub const JOBS: usize = 300;
/// The seconds from the first submission to the last, about: four weeks.
const SPAN: f64 = 28.0 * DAY;
const DAY: f64 = 86_400.0;
const PROCS: i64 = 256;

impl Situation {
    /// Draws a log, replays it under EASY, and returns whether the replay is called saturated, and whether a job waits.
    pub fn judged(&self, number: u64) -> (bool, bool) {
        let scenario = self.log(number);
        let chosen = Registry::builtin().choose("easy").unwrap();
        let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).unwrap();
        let outcome = replay(&scenario, "easy", chosen.needs(), policy.as_mut(), Run::default()).unwrap().0;
        let Scenario { workload, machine, .. } = &scenario;
        let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
        let catalogue = Catalogue::new(machine, &[]);
        let value = |key: &str| catalogue.find(key).unwrap().value(&measurement).unwrap();
        let [completion, low, least] = ["completion", "backlog_growth_low", "least_backlog"].map(value);
        (is_saturated(completion, low, least), value("max_wait") > 0.0)
    }

    /// Returns exponential run times and widths, the run times scaled so that the load is exactly that of the situation.
    fn log(&self, number: u64) -> Scenario {
        let stream = &mut seed::stream(number, &format!("{} {}", self.name, self.load));
        let width = self.load / self.run / JOBS as f64 * PROCS as f64;
        let procs = if self.is_serial { (PROCS as f64 / width) as i64 } else { PROCS };
        let (mut at, mut jobs) = (0.0, Vec::new());
        while jobs.len() < JOBS {
            at += exponential(stream, SPAN / JOBS as f64 * self.burst);
            while self.has_nights && is_off(at) && seed::unit(stream) < 0.8 {
                at += 3_600.0;
            }
            let at_once = if self.burst > 1.0 { exponential(stream, self.burst) } else { 1.0 };
            for _ in 0..at_once.ceil() as usize {
                let run = exponential(stream, self.run * SPAN);
                let wide = (exponential(stream, width).ceil() as i64).clamp(1, PROCS / 2);
                jobs.push(PlainJob {
                    estimate: Time::from_secs_f64(run * (1.0 + 2.0 * seed::unit(stream))),
                    user: 1,
                    ..PlainJob::new(
                        Time::from_secs(at as i64),
                        Time::from_secs_f64(run),
                        vec![if self.is_serial { 1 } else { wide }],
                    )
                });
            }
        }
        let span = jobs.last().map_or(1.0, |job| job.submit.secs()).max(1.0);
        let work: f64 = jobs.iter().map(|job| job.demand[0] as f64 * job.run.secs()).sum();
        let factor = self.load * procs as f64 * span / work;
        let scaled = |time: Time| Time::from_secs_f64((time.secs() * factor).max(1.0));
        for job in &mut jobs {
            (job.run, job.estimate) = (scaled(job.run), scaled(job.estimate));
        }
        Scenario::new(Machine::pool(procs).unwrap(), Workload::from_jobs(&jobs))
    }
}

/// Whether an instant is in a night or on a weekend.
fn is_off(at: f64) -> bool {
    at / DAY % 1.0 < 0.35 || at / DAY % 7.0 > 5.0
}

fn exponential(stream: &mut ChaCha12Rng, mean: f64) -> f64 {
    -mean * (1.0 - seed::unit(stream)).ln()
}
