use batchlab_policies::spec::Chosen;
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::reading::QueueFrom;
use batchlab_traces::trace::Holds;
use batchlab_traces::{Example, Findings, Provenance, Reading, Trace, kinds};

use crate::lab::Failure;
use crate::lab::settings::ScenarioSettings;
use crate::outcome::StopRule;
use crate::replay::capability;
use crate::replay::conditions::ReplacedFields;
use crate::replay::engine::Scenario;

kinds! {
    STOPPED: Note "replay-stopped",
        "{job|jobs} that the replay does not wait for",
        "jobs that have not ended at the stop are not measured, and which jobs these are depends on the policy: long \
         jobs, wide jobs, postponed jobs. Means over the rest favour policies that leave most work undone, and the \
         actual load is below the offered load (Setia et al. 1999, section 4.2, say so themselves)",
        "--stop all, the default, waits for every job: then all policies serve the same work";
}

pub struct Prepared {
    pub trace: Trace,
    /// Jobs, machine, event order, seed.
    pub scenario: Scenario,
    pub reading: Reading,
    pub findings: Findings,
    /// The origin of the jobs.
    pub provenance: Provenance,
    pub settings: ScenarioSettings,
    /// The calendar of capacity and what policies know of it, if there is one.
    pub calendar: Option<String>,
    /// Whether results depend on which jobs are interactive.
    pub tells_classes_apart: bool,
    /// The jobs whose size or memory is from another field than the rules name.
    pub replaced: ReplacedFields,
}

impl Prepared {
    /// Checks that the jobs provide what policies need, and reports jobs that lack a value that others have.
    pub fn suit<'a>(
        &mut self,
        policies: impl IntoIterator<Item = &'a Chosen> + Clone,
    ) -> Result<(), Failure> {
        for policy in policies.clone() {
            capability::check(policy, &self.scenario)?;
        }
        if policies.clone().into_iter().any(|policy| policy.needs().classes) {
            self.tell_classes_apart();
        }
        Ok(capability::report(policies, &self.scenario, &mut self.findings, &mut self.provenance)?)
    }

    /// Makes the results state which jobs are interactive, because something depends on it.
    pub fn tell_classes_apart(&mut self) {
        if !self.tells_classes_apart {
            self.tells_classes_apart = true;
            let workload = &self.scenario.workload;
            let detail = format!("jobs are interactive by the rule `{}`", workload.interactive_rule());
            self.provenance.step("interactive", detail, workload.interactive_jobs() as u64);
        }
    }

    /// Sets the rule that ends the replay, and reports its consequences.
    ///
    /// # Errors
    /// If no job is awaited by it, or strict reading refuses what it says.
    pub fn stop_by(&mut self, rule: &StopRule) -> Result<(), Failure> {
        let scenario = &mut self.scenario;
        scenario.stop = rule.of(&scenario.workload, &scenario.machine)?;
        let Some(awaited) = scenario.stop.awaited() else { return Ok(()) };
        let (all, words) = (scenario.workload.len(), rule.to_string());
        let others = (all - awaited) as u64;
        self.provenance.step(
            "stop",
            format!("the replay ends with the last of {awaited} jobs: {words}"),
            awaited as u64,
        );
        let (awaited, total) = (grouped(awaited as u64), grouped(all as u64));
        let detail = format!("--stop {words} waits for {awaited} of {total} jobs");
        self.findings.report_many(&STOPPED, others, || Example { place: None, detail })?;
        if *rule == StopRule::LastInteractive {
            self.tell_classes_apart();
        }
        Ok(())
    }

    /// Returns the instant from which jobs wait and the number of jobs that were held back, if the log records these.
    pub fn held(&self) -> Option<String> {
        let held = match self.reading.queue_from {
            QueueFrom::Eligible => self.scenario.workload.held_back(),
            QueueFrom::Submit => Holds::of(&self.trace).count(),
        };
        let jobs = || counted(held, "job");
        (held > 0).then(|| format!("{} ({} held back)", self.reading.queue_from, jobs()))
    }
}
