//! How the time of a case grows.

use std::time::{Duration, Instant};

use batchlab::replay::engine::{Run, Scenario, replay};
use batchlab::traces::reading::Overrun;
use batchlab::{Outcome, Registry};

use super::JOBS;
use super::cases::Case;

/// A case is left out of a log for which it would take longer than this if its time went on growing as before.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Exponents above this are named with their cause.
pub const STEEP: f64 = 1.3;

/// Replays of a log: short ones are repeated, and the least time counts.
const REPLAYS: [(f64, usize); 2] = [(0.1, 5), (1.0, 3)];

/// Why the time of a case grows faster than its log, by what its name contains; the first that fits is meant.
const CAUSES: &[(&str, &str)] = &[
    (
        "1500 node hours",
        "a policy that remembers waiting jobs sees each come and go as running jobs use up their hours second by second",
    ),
    (
        "within",
        "the policy's own growth, and the jobs that limits show and hide; hidden jobs leave holes in a plan",
    ),
    ("slack", "for each candidate all waiting jobs are planned again, until one exceeds its limit"),
    ("selective-suspension", "at each sweep the waiting jobs are compared with the running ones"),
    ("selective", "each decision reserves again for each job over the threshold"),
    ("replan", "all reservations are made again when something did not go as planned"),
    ("fixed", "each waiting job has a reservation in the plan, which grows as the queue does"),
    (
        "conservative",
        "after an early end, all classes of jobs that the hole may admit are asked, and jobs that move are planned again",
    ),
    ("ff-cons", "as conservative"),
    ("limits", "as the policy within them"),
    ("bf", "the standing reservations are compared with the queue, or made again, at each decision"),
    ("bgs", "reservations in each row of the matrix are made again"),
    ("bb-easy", "each candidate that fits is scored"),
    ("mcbp", "waiting jobs are scored by what is free"),
    ("bkfl", "waiting jobs are scored by what is free"),
    ("dhc", "each decision fills the rows again in which jobs or alternates changed"),
    (
        "first-fit with K = 4",
        "the index has only the smallest need of each resource in a range, and searches ranges in vain",
    ),
    ("depth", "each of k reservations searches the queue, with corners that exclude less as the queue grows"),
    ("relaxed", "the search of the queue: corners exclude less as it grows"),
    ("easy", "the search of the queue: corners exclude less as it grows, and orders that change are sorted"),
];

/// The times of a case on logs that grow.
pub struct Growth {
    pub name: String,
    /// Jobs, seconds and decisions of each replay.
    timed: Vec<(f64, f64, u64)>,
    /// Why the policy cannot work in this setting.
    declined: Option<String>,
    shown: [String; 2],
}

impl Growth {
    pub fn of(case: &Case, estimates: &str, scenarios: &[Scenario]) -> Growth {
        let (mut timed, mut declined): (Vec<(f64, f64, u64)>, _) = (Vec::new(), None);
        for scenario in scenarios {
            let jobs = scenario.workload.len() as f64;
            if expected(&timed, jobs).is_some_and(|seconds| seconds > PATIENCE.as_secs_f64()) {
                break;
            }
            match time(scenario, &case.spec) {
                Ok((seconds, decisions)) => timed.push((jobs, seconds, decisions)),
                Err(error) => {
                    declined = Some(error);
                    break;
                }
            }
        }
        let shown = [case.name.clone(), estimates.to_owned()];
        Growth { name: shown.join(" "), timed, declined, shown }
    }

    pub fn exponent(&self) -> Option<f64> {
        let [.., before, last] = &self.timed[..] else { return None };
        Some((last.1 / before.1).ln() / (last.0 / before.0).ln())
    }

    pub fn seconds(&self) -> f64 {
        self.timed.last().map_or(0.0, |timed| timed.1)
    }

    /// Returns its row of the table; `baselines` are the seconds of FCFS.
    pub fn row(&self, baselines: &[f64]) -> String {
        let [name, estimates] = &self.shown;
        if let Some(reason) = &self.declined {
            return format!("| {name} | {estimates} | declined: {reason} |");
        }
        let seconds =
            |index: usize| self.timed.get(index).map_or("left out".into(), |timed| format!("{:.3}", timed.1));
        let cells: Vec<String> = (0..JOBS.len()).map(seconds).collect();
        let exponent = self.exponent().map_or(String::new(), |exponent| format!("{exponent:.2}"));
        let &(_, last, decisions) = self.timed.last().unwrap();
        let (ratio, micros) = (last / baselines[self.timed.len() - 1], last * 1e6 / decisions as f64);
        format!(
            "| {name} | {estimates} | {} | {exponent} | {ratio:.0} | {decisions} | {micros:.1} |",
            cells.join(" | ")
        )
    }
}

/// Prints the cases whose exponent is high, each with its cause.
pub fn print_steep(grown: &[Growth]) {
    println!("\nExponents above {STEEP}:\n");
    for growth in grown {
        let Some(exponent) = growth.exponent().filter(|&exponent| exponent > STEEP) else { continue };
        let cause = CAUSES.iter().find(|(part, _)| growth.name.contains(part));
        println!(
            "* {} ({exponent:.2}): {}",
            growth.name,
            cause.map_or("**no cause is known**", |(_, cause)| cause)
        );
    }
}

pub fn baseline(scenario: &Scenario) -> f64 {
    time(scenario, "fcfs").unwrap().0
}

/// Returns how long a replay of so many jobs would take if its time grew as before, at least with their number.
fn expected(timed: &[(f64, f64, u64)], jobs: f64) -> Option<f64> {
    let &(of, seconds, _) = timed.last()?;
    let exponent = match timed {
        [.., before, last] => ((last.1 / before.1).ln() / (last.0 / before.0).ln()).max(1.0),
        _ => 2.0,
    };
    Some(seconds * (jobs / of).powf(exponent))
}

/// Returns the least seconds of some replays, and the decisions of one.
fn time(scenario: &Scenario, spec: &str) -> Result<(f64, u64), String> {
    let mut least = f64::INFINITY;
    let mut decisions = 0;
    for done in 1.. {
        let begin = Instant::now();
        decisions = run(scenario, spec)?.decisions;
        least = least.min(begin.elapsed().as_secs_f64());
        if REPLAYS.iter().all(|&(below, replays)| least >= below || done >= replays) {
            break;
        }
    }
    Ok((least, decisions))
}

fn run(scenario: &Scenario, spec: &str) -> Result<Outcome, String> {
    let chosen = Registry::builtin().choose(spec).map_err(|error| error.to_string())?;
    let mut policy = chosen.build(&scenario.setting(Overrun::Raise)).map_err(|error| error.to_string())?;
    let replayed = replay(scenario, spec, chosen.needs(), policy.as_mut(), Run::default());
    replayed.map(|(outcome, _)| outcome).map_err(|error| error.to_string())
}
