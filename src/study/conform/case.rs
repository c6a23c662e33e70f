//! A case: a log, a machine, and the options of the replay.

use std::error::Error;

use batchlab_parsers::swf;
use batchlab_traces::capacity::{CalendarFile, Foresight};
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::machine::{MachineChoice, MachineFile};
use batchlab_traces::provenance::Source;
use batchlab_traces::reading::{Dependencies, Overrun};
use batchlab_traces::trace::TraceBuilder;
use batchlab_traces::{Findings, Header, Provenance, Reading, Record, RecordSink, Trace, Workload};

use super::attempt::Play;
use batchlab_engine::replay::engine::{Budget, EventOrder, Scenario};

/// Jobs as records of a log, a machine, and the options of the replay: all of it can be given on a command
/// line, so that every result can be reproduced there.
#[derive(Clone, Debug)]
pub struct Case {
    /// The machine as the log's header describes it: processors and resources.
    pub header: Header,
    pub records: Vec<Record>,
    pub machine: Option<String>,
    /// The calendar file, if capacity comes and goes.
    pub calendar: Option<String>,
    /// What is known in advance of the changes of the capacity.
    pub foresight: Foresight,
    pub dependencies: Dependencies,
    /// The rule by which jobs lie on nodes; without one, tasks as the machine file says.
    pub layout: Option<LayoutRule>,
    pub order: EventOrder,
    pub overrun: Overrun,
    pub seed: u64,
    pub budget: Budget,
}

impl Case {
    /// Returns the case of a log, with a machine file or on the pool of its header: event order `batch`, estimates raised.
    pub fn of(trace: &Trace, machine: Option<String>, seed: u64) -> Case {
        let record = |row| {
            let mut record = Record::default();
            trace.record(row, &mut record);
            record
        };
        Case {
            header: trace.header.clone(),
            records: (0..trace.len()).map(record).collect(),
            machine,
            calendar: None,
            foresight: Foresight::default(),
            dependencies: Dependencies::default(),
            layout: None,
            order: EventOrder::Batch,
            overrun: Overrun::Raise,
            seed,
            budget: Budget::of_a_case(),
        }
    }

    /// Reads the log for the machine, as a replay does.
    pub fn play(&self) -> Result<Play, Box<dyn Error>> {
        let trace = self.trace()?;
        let file =
            self.machine.as_deref().map(|text| MachineFile::parse(text, "the machine file")).transpose()?;
        let task_procs = file.as_ref().and_then(MachineFile::task_procs).unwrap_or(1);
        let layout = self.layout.unwrap_or(LayoutRule::Tasks(task_procs));
        let (overrun, dependencies, seed) = (self.overrun, self.dependencies, self.seed);
        let reading = Reading { overrun, layout, dependencies, seed, ..Reading::default() };
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let choice = MachineChoice { file, ..MachineChoice::default() };
        let machine = choice.machine(&trace, &reading, &mut findings)?;
        let mut workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance)?;
        let mut capacity = None;
        if let Some(text) = &self.calendar {
            let file = CalendarFile::parse(text, "the calendar")?;
            let applied =
                file.apply(workload, &trace, &machine, self.foresight, &mut findings, &mut provenance)?;
            workload = applied.0;
            capacity = (!applied.1.closures.is_empty()).then(|| applied.1.into());
        }
        let scenario = Scenario {
            capacity,
            order: self.order,
            budget: self.budget.clone(),
            seed: self.seed,
            ..Scenario::new(machine, workload)
        };
        Ok(Play { scenario, overrun: self.overrun })
    }

    /// Returns the log as text.
    pub fn swf(&self) -> Result<String, Box<dyn Error>> {
        let mut text = Vec::new();
        swf::write(&self.trace()?, &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn trace(&self) -> Result<Trace, Box<dyn Error>> {
        let mut builder = TraceBuilder::new();
        for record in &self.records {
            builder.record(record);
        }
        let source = Source { name: "case".into(), format: "swf".into(), sha256: String::new(), bytes: 0 };
        Ok(builder.finish(self.header.clone(), source, Findings::lenient())?)
    }
}

#[cfg(test)]
mod tests {
    use batchlab_parsers::{Input, Options, read_trace};

    use super::*;
    use crate::conform::cases;

    #[test]
    fn a_case_written_down_is_the_same_case() {
        for case in cases(80, 3) {
            let text = case.swf().unwrap();
            let trace = read_trace(Input::from_bytes("case.swf", text.clone()), &Options::default()).unwrap();
            assert!(trace.findings.list().is_empty(), "{:?} in\n{text}", trace.findings.list());
            let again = Case {
                order: case.order,
                overrun: case.overrun,
                ..Case::of(&trace, case.machine.clone(), 3)
            };
            let [one, other] = [&case, &again].map(|case| case.play().unwrap().scenario);
            assert_eq!(one.machine, other.machine, "\n{text}");
            assert_eq!(one.workload.len(), case.records.len(), "every job fits\n{text}");
            for job in one.workload.jobs() {
                let about = |of: &Scenario| {
                    let workload = &of.workload;
                    let times = (workload.submit(job), workload.run(job), workload.estimate(job));
                    (times, workload.demand(job).to_vec(), workload.told_memory(job), workload.number(job))
                };
                assert_eq!(about(&one), about(&other), "\n{text}");
            }
        }
    }
}
