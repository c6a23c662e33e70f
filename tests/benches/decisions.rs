//! Cost of a decision with about 10², 10³ and 10⁴ waiting jobs, for each policy.

use std::time::{Duration, Instant};

use batchlab::policies::policy::{Late, PolicyError};
use batchlab::policies::{Event, Policy, Registry, Turn};
use batchlab::replay::engine::{ReplayError, Run, Scenario, replay};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload, seed};
use chacha20::rand_core::Rng;

use super::{median, scenario};

/// Specs besides the first policy of each family, whose decisions have a different cost.
const FURTHER: [&str; 5] =
    ["easy:candidates=sjf", "easy:order=wfp3", "depth:k=8", "conservative", "conservative:variant=replan"];

/// Machines of 128 processors: name, number of further resources, nodes, processors per task.
const MACHINES: [(&str, usize, usize, i64); 3] =
    [("pool", 0, 1, 1), ("pool, K = 4", 3, 1, 1), ("16 nodes", 0, 16, 4)];

/// Decisions that are not timed: the first of them handles the whole backlog.
const BEFORE: usize = 20;
const TIMED: usize = 400;
/// A replay is stopped after this time if at least one decision was timed.
const PATIENCE: Duration = Duration::from_secs(5);
/// A backlog whose first decisions would take longer than this is left out.
const TOO_LONG: Duration = Duration::from_secs(120);

pub fn growth() {
    println!("\n## Growth of the cost of a decision with the queue, median of up to {TIMED} decisions\n");
    println!("| policy | machine | waiting | decisions | µs/decision | ratio to the row before |");
    println!("|---|---|---:|---:|---:|---:|");
    for spec in representatives() {
        for (machine, more, nodes, task) in MACHINES {
            let mut before: Option<(f64, Duration)> = None;
            for waiting in [100u32, 1000, 10_000] {
                // The cost of the first decisions is at most quadratic in the backlog.
                if before.is_some_and(|(_, took)| took * 100 > TOO_LONG) {
                    println!("| {spec} | {machine} | {waiting} | left out | | |");
                    break;
                }
                let scenario = backlog(waiting, more, nodes, task);
                let Some((cost, first)) = measure(&scenario, &spec) else {
                    println!("| {spec} | {machine} | declined | | | |");
                    break;
                };
                let micros = median(cost.iter().map(|took| took.as_secs_f64() * 1e6).collect());
                let ratio = before.map_or_else(String::new, |(before, _)| format!("{:.1}", micros / before));
                println!("| {spec} | {machine} | {waiting} | {} | {micros:.2} | {ratio} |", cost.len());
                before = Some((micros, first));
            }
        }
    }
}

/// Built-in orders and the expressions of their formulas: one with changing scores, one with constant scores.
const COMPUTED: [(&str, &str); 2] = [
    ("easy:order=wfp3", "easy:order=expr(-((wait/max(estimate,1))^3*procs))"),
    ("easy:candidates=sjf", "easy:candidates=expr(estimate)"),
];

/// Rounds in which a built-in order and its expression are timed in turn.
const ROUNDS: usize = 5;

pub fn orders() {
    println!(
        "\n## Cost of a decision by a built-in order and by expression, pool, median of {ROUNDS} medians\n"
    );
    println!("| built in | expression | waiting | built in, µs | expression, µs | ratio |");
    println!("|---|---|---:|---:|---:|---:|");
    for (named, computed) in COMPUTED {
        for waiting in [100u32, 1000, 10_000] {
            let scenario = backlog(waiting, 0, 1, 1);
            let micros = |spec: &str| {
                let (cost, _) = measure(&scenario, spec).unwrap();
                median(cost.iter().map(|took| took.as_secs_f64() * 1e6).collect())
            };
            let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (micros(named), micros(computed))).collect();
            let ours = median(rounds.iter().map(|round| round.0).collect());
            let theirs = median(rounds.iter().map(|round| round.1).collect());
            let ratio = median(rounds.iter().map(|(ours, theirs)| theirs / ours).collect());
            println!("| {named} | {computed} | {waiting} | {ours:.2} | {theirs:.2} | {ratio:.2} |");
        }
    }
}

/// The first policy of each family, and specs that behave differently.
fn representatives() -> Vec<String> {
    let registry = Registry::builtin();
    let mut families: Vec<&str> = Vec::new();
    let mut specs: Vec<String> = Vec::new();
    for spec in registry.specs() {
        if !families.contains(&spec.family) {
            families.push(spec.family);
            specs.push(spec.name.into());
        }
        specs.extend(
            FURTHER.iter().filter(|text| text.split(':').next() == Some(spec.name)).map(|&text| text.into()),
        );
    }
    specs
}

/// Times the decisions of a policy until there are enough. Returns their times and the time of the untimed
/// decisions before them; `None` if the policy cannot work on this machine.
fn measure(scenario: &Scenario, spec: &str) -> Option<(Vec<Duration>, Duration)> {
    let chosen = Registry::builtin().choose(spec).unwrap();
    let policy = chosen.build(&scenario.setting(Overrun::Raise)).ok()?;
    let (began, first) = (Instant::now(), Duration::ZERO);
    let mut timed = Timed { policy, began, decisions: 0, first, took: Vec::new() };
    match replay(scenario, spec, chosen.needs(), &mut timed, Run::default()) {
        Ok(_) | Err(ReplayError::Policy { error: PolicyError::Failed(_), .. }) => {}
        Err(error) => panic!("{spec}: {error}"),
    }
    Some((timed.took, timed.first))
}

/// Ends the replay when enough decisions with an ended job have been timed.
struct Timed {
    policy: Box<dyn Policy>,
    began: Instant,
    decisions: usize,
    /// Time of the decisions that are not timed.
    first: Duration,
    took: Vec<Duration>,
}

impl Policy for Timed {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let ended = turn.events().iter().any(|event| matches!(event, Event::Finished(_)));
        let begin = Instant::now();
        self.policy.decide(turn)?;
        let took = begin.elapsed();
        self.decisions += 1;
        if self.decisions == BEFORE {
            self.first = self.began.elapsed();
        } else if ended && self.decisions > BEFORE {
            self.took.push(took);
        }
        if self.took.len() >= TIMED || !self.took.is_empty() && self.began.elapsed() > self.first + PATIENCE {
            return Err(PolicyError::Failed("enough".into()));
        }
        Ok(())
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.policy.expired(late)
    }
}

/// Submits `waiting` jobs at once, then one job each time the machine has done an average job's work. Jobs
/// have 1 to 32 processors, up to two hours, estimates of one to three times the run time, and up to a
/// quarter of each further resource.
fn backlog(waiting: u32, more: usize, nodes: usize, task: i64) -> Scenario {
    let mut stream = seed::stream(1, "backlog");
    let mut uniform = move |below: u64| (stream.next_u64() % below) as i64;
    let gap = Time::from_secs(16 * 3660 / 128);
    let draw = |index: u32| {
        let run = 60 + uniform(7200);
        PlainJob {
            submit: Time::from_ticks(i64::from((index + 1).saturating_sub(waiting)) * gap.ticks()),
            run: Time::from_secs(run),
            estimate: Time::from_secs(run * (1 + uniform(3))),
            demand: std::iter::once(1 + uniform(32)).chain((0..more).map(|_| uniform(250))).collect(),
            user: 1 + uniform(20),
            partition: -1,
        }
    };
    let jobs: Vec<PlainJob> = (0..waiting + 4 * TIMED as u32).map(draw).collect();
    let further = (0..more).map(|kind| Resource {
        name: format!("r{kind}"),
        unit: String::new(),
        sharing: Sharing::Space,
    });
    let amounts = std::iter::once(128 / nodes as i64).chain((0..more).map(|_| 1000)).collect::<Vec<i64>>();
    let machine = Machine::new(std::iter::once(processors()).chain(further).collect(), &vec![amounts; nodes]);
    scenario(Workload::from_jobs(&jobs).in_tasks_of(task), machine.unwrap())
}
