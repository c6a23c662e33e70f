//! The replays of one side: of the log, and of its shaken copies.

use std::sync::atomic::{AtomicU64, Ordering};

use batchlab_traces::seed::stream;
use batchlab_traces::shape::{Context, Steps};
use batchlab_traces::{Time, Trace};
use chacha20::rand_core::Rng;
use rayon::prelude::*;

use super::side::Side;
use crate::Registry;
use crate::cli::terminal::progress::Progress;
use crate::lab::Failure;
use crate::lab::replays::result_tables::{catalogue, conditions};
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::measure::MeasureSettings;
use crate::metrics::{Class, Metric};
use crate::replay::comparison::{ComparedPolicy, Comparison};
use crate::replay::what_if::ShakenRow;
use crate::replay::{Conditions, ResultRow};

/// How each side is replayed and measured.
pub struct Copies<'a> {
    pub count: u32,
    /// The farthest that a submission is moved.
    pub shake: Time,
    pub measure: &'a MeasureSettings,
    /// The metrics, unless others are requested.
    pub metrics: &'a str,
    pub threads: Option<usize>,
}

pub struct ReplayedSide {
    pub prepared: Prepared,
    pub conditions: Conditions,
    pub metrics: Vec<Metric>,
    pub classes: Vec<Class>,
    pub shaken: ShakenRow,
}

impl Copies<'_> {
    /// Replays a side; `typed` has the policies of specs on the command line, `of_files` those of files.
    pub fn replay(
        &self,
        side: &Side,
        typed: &Registry,
        of_files: &Registry,
    ) -> Result<ReplayedSide, Failure> {
        let policy = typed.choose(&side.spec())?;
        let (scenario, choice) = (&side.scenario, side.scenario.choice()?);
        let trace = scenario.shaped(of_files, &choice, || scenario.cleaned(of_files))?;
        let trace = scenario.marked(trace)?;
        let mut prepared = scenario.prepare_marked(trace.clone(), &choice)?;
        prepared.suit([&policy])?;
        let (catalogue, vocabulary) = catalogue(of_files, &prepared, self.measure)?;
        let metrics = self.measure.metrics_or(&catalogue, self.metrics)?;
        let classes = self.measure.classes(&vocabulary)?;
        let compared = ComparedPolicy { policy, clairvoyant: false };
        let row = |prepared: &Prepared| -> Result<ResultRow, Failure> {
            let comparison = Comparison {
                scenario: &prepared.scenario,
                policies: of_files.policies(),
                overrun: prepared.reading.overrun,
                metrics: &metrics,
                classes: &classes,
                options: self.measure.options(),
            };
            let mut rows = comparison.run(std::slice::from_ref(&compared), &|_, _| {}, &|_, _| Ok(()))?;
            rows.pop().unwrap_or(Err(Failure::ClosedPipe))
        };
        let progress = (!side.quiet()).then(|| Progress::of_replays("replaying", 1 + self.count as usize));
        let done = AtomicU64::new(0);
        let replay = |copy: u32| {
            let row = match copy {
                0 => row(&prepared),
                _ => row(&scenario.prepare_marked(self.shaken(&trace, scenario.seed, copy)?, &choice)?),
            };
            if let Some(progress) = &progress {
                progress.tell(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            row
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = pool.build().map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
        let mut rows =
            pool.install(|| (0..=self.count).into_par_iter().map(replay).collect::<Result<Vec<_>, _>>())?;
        let (row, jobs) = (rows.remove(0), prepared.scenario.workload.len());
        let conditions = conditions(&prepared, self.measure);
        let shaken = ShakenRow { row, copies: rows, jobs };
        Ok(ReplayedSide { prepared, conditions, metrics, classes, shaken })
    }

    /// Returns the copy of a number from 1; copies of a number are the same on both sides.
    fn shaken(&self, trace: &Trace, seed: u64, copy: u32) -> Result<Trace, Failure> {
        let text = format!("[[step]]\nkind = \"shake\"\nsubmit = {}\n", self.shake.secs());
        let steps = Steps::parse(&text, "--shake")?;
        let seed = stream(seed, &format!("what-if copy {copy}")).next_u64();
        let none = |_: &str| Err("a copy is made of one log".into());
        let unmeasured = |_: &Trace, _: &_| Err("a copy is not calibrated".into());
        let context = Context { seed, log: &none, measure: &unmeasured };
        let shaped = steps.apply(trace.clone(), &context)?;
        let one = shaped.logs.into_iter().next().map(|log| log.trace);
        one.ok_or_else(|| Failure::Input("shaking leaves no log".into()))
    }
}
