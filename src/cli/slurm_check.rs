mod jobs;
mod settings;
mod sides;
mod taken;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use batchlab_policies::JobView;
use batchlab_policies::spec::Chosen;
use batchlab_slurm::check::{BAND, ReplayScatter, SlurmCheck as Check};
use batchlab_slurm::site::StartLoop;
use batchlab_slurm::twin::{Judgement, NodeRun, Recorded, Shadow, divide};
use batchlab_traces::number::grouped;
use batchlab_traces::reading::Overrun;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time, Workload};
use rayon::prelude::*;

use super::arguments::{arguments, option, switch, values};
use super::terminal::form::{print, print_json};
use super::terminal::progress::Progress;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::ScenarioSettings;
use crate::metrics::recorded_schedule;
use crate::outcome::Outcome;
use crate::replay::engine::{self, Run, Scenario};
use crate::replay::slurm_check::{check, drawn};
use jobs::Starts;
use sides::Sides;
use taken::TakenByItself;

arguments! {
    /// Compare a replay under Slurm's loops with what Slurm really did
    ///
    /// Two measures, since one start at another second changes all starts after it. *Open loop*: the whole log is replayed, and
    /// starts are compared job by job. *Closed loop*: each job starts when it really did, and each loop is asked at its own instants,
    /// in the state that really was, what it would start. A real start agrees if the loops make it within a cycle of the real
    /// instant, neither earlier nor later (`closed_loop_agreement`); beside it are the share that they make however early
    /// (`closed_loop_found`), and the share of their starts that is real (`closed_loop_precision`). Jobs have the processors there that
    /// they got: of several for each task, Slurm gives some jobs fewer than they asked for. A start that comes later there than
    /// really, as a reservation, a closure or other jobs keep it away, is not tested (`closed_loop_tested`).
    ///
    /// A log has whole seconds, and slurmctld's clock ticks once a second: a submission just before or after a tick may change
    /// all that follows. --draws tells how far such chance moves the replayed waits; a real wait among them is no error.
    /// The log needs the real starts (any log of Slurm's accounting has them). Jobs wait for those that they depend on, and leave as
    /// they were cancelled, as the log tells, unless --dependencies or --cancel say otherwise. A folder of slurm-collect may stand for
    /// the log and for --slurm.
    #[command(mut_arg("trace", |trace| trace.required(false).required_unless_present("settings")))]
    #[command(after_help = "\
Example: batchlab slurm-check site --jobs starts.csv
         batchlab slurm-check --settings --slurm slurm.conf")]
    pub struct SlurmCheck {
        scenario: ScenarioSettings,
        taken: TakenByItself,
        policy: String = option(
            "policy", "SPEC", "The policy, if its parameters are to differ from those of the files",
        ).default("slurm").policy(),
        require: Vec<(String, f64)> = option(
            "require", "KEY=LEAST",
            "The least value of a share or of rank_correlation, such as within_60s=0.9; below it the exit code is 1",
        ),
        draws: u64 = option(
            "draws", "N", "Replay the log this many times more, with what it leaves out drawn (parts of seconds, phases of \
             slurmctld's loops), to see how far chance alone moves the waits; with 19 or more, a range that holds 90 % of them",
        ).default("0"),
        jobs: Option<String> = option(
            "jobs", "OUT.csv", "Write a row for each start: when it really was, in the open loop, and when the loops would make \
             it in the closed loop; whether they agree, else why they do not start the job; on which nodes",
        ).heading("Output").writes(),
        settings: bool = switch(
            "settings", "List each setting of the files of --slurm instead, with whether a replay follows it, and what it would \
             change otherwise; needs no log",
        ).requires("slurm"),
        format: String = option(
            "format", "FORM", "Form of the output: table or json; with --settings markdown, latex, html or csv, too",
        ).default("table").heading("Output"),
    }
}

impl SlurmCheck {
    pub fn run(mut self, registry: &Registry) -> Result<(), Failure> {
        if self.settings {
            return settings::print(&self.scenario.slurm, &self.format);
        }
        if !["table", "json"].contains(&self.format.as_str()) {
            let what = format!("--format {}: table or json; the others are for --settings", self.format);
            return Err(Failure::Usage(what));
        }
        self.taken.take(&mut self.scenario)?;
        let specs = self.scenario.slurm.policies(std::slice::from_ref(&self.policy));
        let chosen = registry.choose(&specs[0])?;
        let choice = self.scenario.choice()?;
        let trace = self.scenario.shaped(registry, &choice, || self.scenario.cleaned(registry))?;
        let mut sides = Sides::prepare(&mut self.scenario, trace, self.taken.joins_runs(), &choice)?;
        sides.open.suit([&chosen])?;
        let (prepared, got) = (&sides.open, &sides.got);
        let scenario = &prepared.scenario;
        let workload = &*scenario.workload;
        let real = self.real(prepared)?;
        tell::prepared(prepared, self.scenario.source.quiet);
        let setting = scenario.setting(prepared.reading.overrun);
        let mut policy = chosen.build(&setting)?;
        let spec = chosen.canonical();
        let (replayed, _) = engine::replay(scenario, &spec, chosen.needs(), policy.as_mut(), Run::default())?;
        let recorded = self.recorded(&sides)?;
        let shadow = closed(&chosen, (got, &sides.stacked()), prepared.reading.overrun, &recorded)?;
        let interval = shadow.interval();
        let judgement = shadow.judgement();
        let judged = shadow.judged().cloned().collect();
        let starts = Starts { sides: &sides, judged };
        if let Some(path) = &self.jobs {
            starts.write(path, &replayed)?;
        }
        let mut check = check(workload, &real, (workload, replayed), judgement, interval);
        check.drawn = ReplayScatter::of(&self.drawn(registry, prepared, &real, (judgement, interval))?);
        if self.format == "json" {
            print_json(&check)?;
        } else {
            print(&table(&check, interval, (workload, &starts)))?;
        }
        let values = serde_json::to_value(&check).unwrap_or_default();
        for (key, least) in &self.require {
            let Some(value) = values.get(key).and_then(serde_json::Value::as_f64) else {
                return Err(Failure::Usage(format!("--require {key}: no such measure")));
            };
            if value < *least {
                return Err(Failure::Check(format!("{key} is {value:.4}, and at least {least} is required")));
            }
        }
        Ok(())
    }

    fn real(&self, prepared: &Prepared) -> Result<Outcome, Failure> {
        recorded_schedule(&prepared.trace, &prepared.scenario.workload, &prepared.reading)
            .map_err(|reason| Failure::Input(format!("{}: {reason}", self.scenario.trace)))
    }

    /// Returns what the log of the closed loop tells of its jobs.
    fn recorded(&self, sides: &Sides) -> Result<Recorded, Failure> {
        let (runs, jobs) = (sides.runs(), &sides.got.workload);
        let (real, workload) = (self.real(runs)?, &runs.scenario.workload);
        let mut starts = vec![Time::ZERO; runs.trace.len()];
        workload.jobs().for_each(|job| starts[workload.row(job)] = real.start(job));
        let mut cancelled = vec![false; runs.trace.len()];
        jobs.jobs().for_each(|job| cancelled[jobs.row(job)] = jobs.patience(job).is_some());
        Ok(Recorded { starts, by: StartLoop::of(&runs.trace), cancelled, ..Recorded::default() })
    }

    /// Replays the log with drawn parts of seconds and phases of loops, each time with another seed.
    fn drawn(
        &self,
        registry: &Registry,
        prepared: &Prepared,
        real: &Outcome,
        (judgement, interval): (Judgement, Time),
    ) -> Result<Vec<Check>, Failure> {
        let spec = self.scenario.slurm.policies(std::slice::from_ref(&self.policy)).remove(0);
        let separator = if spec.contains(':') { ',' } else { ':' };
        let chosen = registry.choose(&format!("{spec}{separator}clock=ticks"))?;
        let progress =
            (!self.scenario.source.quiet).then(|| Progress::of_replays("drawing", self.draws as usize));
        let done = AtomicU64::new(0);
        let replay = |draw: u64| -> Result<Check, Failure> {
            let seed = prepared.scenario.seed.wrapping_add(draw);
            let of_log = &prepared.scenario.workload;
            let workload = Arc::new(drawn(of_log, seed));
            let scenario = Scenario { workload, seed, ..prepared.scenario.clone() };
            let mut policy = chosen.build(&scenario.setting(prepared.reading.overrun))?;
            let (replayed, _) = engine::replay(
                &scenario,
                &chosen.canonical(),
                chosen.needs(),
                policy.as_mut(),
                Run::default(),
            )?;
            if let Some(progress) = &progress {
                progress.tell(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            Ok(check(of_log, real, (&scenario.workload, replayed), judgement, interval))
        };
        (1..=self.draws).into_par_iter().map(replay).collect()
    }
}

/// The most jobs on nodes of which it is sought how many processors each had on them.
const DIVIDED: usize = 300_000;

/// How often the closed loop runs for each order of the starts of a second: from the second time on with the processors divided as the
/// run before suggests.
const DIVISIONS: usize = 3;

/// Runs the closed loop, with the jobs as the engine has them (`stacked`). Accounting does not tell how many processors of a job are on
/// each of its nodes: where starts do not fit, the loop runs again with numbers with which they do, as far as they are found.
fn closed(
    chosen: &Chosen,
    (got, stacked): (&Scenario, &Scenario),
    overrun: Overrun,
    recorded: &Recorded,
) -> Result<Shadow, Failure> {
    let run = |recorded: Recorded| -> Result<Shadow, Failure> {
        let mut shadow = Shadow::new(chosen, &got.setting(overrun), recorded)?;
        engine::replay(stacked, &chosen.canonical(), Shadow::NEEDS, &mut shadow, Run::default())?;
        Ok(shadow)
    };
    let displaced = |shadow: &Shadow| shadow.judgement().displaced;
    let mut best: Option<Shadow> = None;
    let mut known = run(recorded.clone())?;
    // Processors that several jobs share cannot be divided among them.
    if got.workload.len() > DIVIDED || got.machine != stacked.machine {
        return Ok(known);
    }
    for nth in 1..2 * DIVISIONS {
        if displaced(&known) == 0 {
            return Ok(known);
        }
        let is_plain = nth == DIVISIONS;
        let procs = if is_plain { SortedMap::new() } else { divided(got, recorded, &known) };
        let last = std::mem::replace(
            &mut known,
            run(Recorded { procs, spread_last: nth >= DIVISIONS, ..recorded.clone() })?,
        );
        best = Some(best.filter(|best| displaced(best) <= displaced(&last)).unwrap_or(last));
    }
    Ok(best.filter(|best| displaced(best) <= displaced(&known)).unwrap_or(known))
}

/// Returns how many processors jobs had on each of their nodes, by their rows, beginning with those of a loop that did not know.
fn divided(got: &Scenario, recorded: &Recorded, plain: &Shadow) -> SortedMap<usize, Vec<(usize, i64)>> {
    let (workload, machine) = (&got.workload, &got.machine);
    let Some(site) = &got.slurm else { return SortedMap::new() };
    let run = |job: JobId| -> Option<NodeRun> {
        let view = JobView::new(workload, job);
        let (row, told) = (view.row(), site.ran_on(view)?);
        let from = *recorded.starts.get(row)?;
        let span = (from, from.saturating_add(workload.run(job)));
        let alone = view.layout().exclusive;
        let whole = || told.iter().map(|&node| (node, machine.capacity(node)[0])).collect();
        let of_loop = plain.placed().get(&row).filter(|procs| procs.iter().map(|(node, _)| node).eq(told));
        let procs =
            if alone { whole() } else { of_loop.cloned().unwrap_or_else(|| evenly(view.procs(), told)) };
        (workload.patience(job).is_none()).then_some(NodeRun {
            row,
            span,
            procs,
            is_known: alone || told.len() == 1,
        })
    };
    let mut runs: Vec<NodeRun> = workload.jobs().filter_map(run).collect();
    let capacity: Vec<i64> = (0..machine.nodes()).map(|node| machine.capacity(node)[0]).collect();
    divide(&mut runs, &capacity);
    runs.into_iter().map(|run| (run.row, run.procs)).collect()
}

/// Divides processors evenly among nodes, the first ones having one more.
fn evenly(procs: i64, nodes: &[usize]) -> Vec<(usize, i64)> {
    let count = nodes.len().max(1) as i64;
    let of = |(at, &node): (i64, &usize)| (node, procs / count + i64::from(at < procs % count));
    (0..).zip(nodes).map(of).collect()
}

values!((String, f64): require);

fn require(text: &str) -> Result<(String, f64), String> {
    let (key, least) = text.split_once('=').ok_or("it must be KEY=LEAST, such as within_60s=0.9")?;
    let least = least.parse().map_err(|_| format!("`{least}` is not a number"))?;
    Ok((key.into(), least))
}

fn table(check: &Check, interval: Time, (workload, starts): (&Workload, &Starts<'_>)) -> String {
    let share = |value: f64| format!("{:.1} %", 100.0 * value);
    let rows = [
        ("jobs compared", grouped(check.jobs)),
        ("starts within 1 s", share(check.within_1s)),
        ("starts within 5 s", share(check.within_5s)),
        ("starts within 60 s", share(check.within_60s)),
        ("starts within one cycle", format!("{} ({interval} s)", share(check.within_bf_interval))),
        ("mean wait, real", format!("{:.1} s", check.mean_wait_real)),
        ("mean wait, replayed", format!("{:.1} s", check.mean_wait_replayed)),
        ("rank correlation of waits", format!("{:.3}", check.rank_correlation)),
        ("closed loop: starts tested", grouped(starts.tested())),
        ("closed loop: postponed", grouped(check.closed_loop_postponed)),
        ("closed loop: starts agreed", share(check.closed_loop_agreement)),
        ("closed loop: found", share(check.closed_loop_found)),
        ("closed loop: precision", share(check.closed_loop_precision)),
        ("closed loop: on the same nodes", share(check.closed_loop_nodes)),
        ("closed loop: unstarted", grouped(check.closed_loop_unstarted)),
        ("closed loop: displaced", grouped(check.closed_loop_displaced)),
    ];
    let mut rows: Vec<(String, String)> = rows.map(|(name, value)| (name.to_owned(), value)).into();
    rows.extend(starts.summary());
    if let Some(drawn) = check.drawn {
        let wait = format!("{:.1} ± {:.1} s", drawn.drawn_mean_wait, drawn.drawn_mean_wait_sd);
        rows.extend([
            ("drawn: starts within 60 s".into(), share(drawn.drawn_within_60s)),
            ("drawn: mean wait".into(), wait),
            ("drawn: below the real wait".into(), share(drawn.drawn_below_real)),
        ]);
        let band = drawn.drawn_band.map_or("19 draws or more".to_owned(), |[low, high]| {
            let holds = (low..=high).contains(&check.mean_wait_real);
            format!("{low:.1} to {high:.1} s, {}", if holds { "real inside" } else { "real outside" })
        });
        rows.push((format!("drawn: {:.0} % of mean waits", 100.0 * BAND), band));
    }
    let parting = match check.first_parting {
        None => "no start differs by more than 1 s".to_owned(),
        Some(parting) => format!(
            "first parting: job {} started at {} s, and in the replay at {} s",
            workload.number(parting.job),
            parting.real,
            parting.replayed
        ),
    };
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name:<34}{value:>16}\n")).collect();
    format!("{}{parting}\n", lines.concat())
}
