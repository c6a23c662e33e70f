//! The definition of a model, and the conversion of its jobs to a trace.

use super::estimates::{self, EstimateModel};
use super::users::{self, Users};
use super::{ModelError, ModelSettings, Param, header};
use crate::provenance::Source;
use crate::reading::Size;
use crate::trace::{Trace, TraceBuilder};
use crate::workload::{size, stated_procs};
use crate::{Citation, Field, Findings, Number, Record, RecordSink, Time, status};

/// A model: its name, source and parameters, and the function that draws.
#[derive(Clone, Copy, Debug)]
pub struct ModelSpec {
    /// The name by which users select it.
    pub name: &'static str,
    /// What it models, in one sentence without a full stop.
    pub summary: &'static str,
    /// The publication and, if it was used, the authors' program.
    pub cite: Citation,
    /// Default number of jobs; 0 for that of the log it is fitted to.
    pub jobs: u32,
    /// Default number of processors; 0 for that of the log it is fitted to.
    pub procs: u32,
    /// Whether it is fitted to a log.
    pub fitted: Fitted,
    /// Its own parameters; see [`ModelSpec::parameters`] for all.
    pub params: &'static [Param],
    /// Draws the jobs. [`ModelSpec::generate`] converts them to a trace.
    pub draw: fn(&Request<'_>) -> Result<GeneratedJobs, ModelError>,
}

/// Whether a model is fitted to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitted {
    /// It has its own parameters and takes no log.
    Never,
    /// It is fitted to a log if one is given, and has its own parameters otherwise.
    Optionally,
    /// It requires a log.
    Always,
}

/// A request to draw from a model.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Number of jobs, at least 1.
    pub jobs: u32,
    /// Processors of the machine, at least 1.
    pub procs: u32,
    /// Seed of all draws.
    pub seed: u64,
    /// The settings.
    pub settings: &'a ModelSettings,
    /// The log that the model is fitted to; see [`ModelSpec::fitted`].
    pub log: Option<&'a Trace>,
}

/// A class of jobs, which becomes a queue of the log.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelClass {
    pub queue: i64,
    pub name: &'static str,
    pub parameters: String,
}

impl ModelClass {
    /// Returns the class of a model with a single class, with all settings.
    pub(super) fn only(request: &Request<'_>, params: &[Param]) -> ModelClass {
        ModelClass { queue: 1, name: "batch", parameters: request.settings.summary(params) }
    }
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawnJob {
    pub submit: Time,
    pub run: Time,
    pub procs: i64,
    /// Memory, KB per processor; 0 if the model does not define it.
    pub memory: i64,
    /// Index into [`GeneratedJobs::classes`].
    pub class: u32,
    /// The program that it is an execution of, from 1; 0 if the model does not define it.
    pub executable: u32,
    /// The number, from 1, of the job whose end the user awaited before submitting this one; 0 for none.
    pub preceding: u32,
    /// Whole seconds after that.
    pub think: u32,
}

/// The result of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeneratedJobs {
    /// The jobs in the order of submission.
    pub jobs: Vec<DrawnJob>,
    /// The classes of jobs.
    pub classes: Vec<ModelClass>,
    /// The longest run time the model can draw, seconds, if it is bounded.
    pub max_runtime: Option<i64>,
    /// Notes for readers of the log on how it was drawn.
    pub notes: Vec<String>,
    /// Φ of the model's own requested times, which are used unless `estimates` is set.
    pub phi: Option<f64>,
}

impl ModelSpec {
    /// Returns its own parameters, then the parameters common to all models.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().chain(&estimates::PARAMS).chain(&users::PARAMS)
    }

    /// Returns the default numbers of jobs and processors of a workload: the model's own, or those of the
    /// log that it is fitted to.
    pub fn default_size(&self, log: Option<&Trace>) -> (u32, u32) {
        let of_log = |log: &Trace| {
            let largest = (0..log.len()).filter_map(|row| size(log, Size::Requested, row)).max();
            let procs = stated_procs(log, largest);
            let procs = procs.and_then(|procs| u32::try_from(procs).ok()).unwrap_or(0);
            (u32::try_from(log.len()).unwrap_or(u32::MAX), procs)
        };
        match log {
            Some(log) if self.jobs == 0 => of_log(log),
            _ => (self.jobs, self.procs),
        }
    }

    /// Generates a workload from a model without a log; see [`ModelSpec::generate_from`].
    pub fn generate<S: AsRef<str>>(
        &self,
        jobs: u32,
        procs: u32,
        seed: u64,
        settings: &[S],
    ) -> Result<Trace, ModelError> {
        self.generate_from(None, jobs, procs, seed, settings)
    }

    /// Generates a workload: the same bytes for the same arguments. O(n), and O(m log m) in the log's jobs.
    ///
    /// Settings have the form `key=value`. The trace has the size in fields 5 and 8, memory (if the model
    /// defines it) in fields 7 and 10, status 1, wait time unknown, and the class as queue; its header says that it is synthetic and how it was made.
    ///
    /// # Errors
    /// When no job or processor is requested, a required log is missing or unusable, or a setting is
    /// unknown, out of range or without effect.
    pub fn generate_from<S: AsRef<str>>(
        &self,
        log: Option<&Trace>,
        jobs: u32,
        procs: u32,
        seed: u64,
        settings: &[S],
    ) -> Result<Trace, ModelError> {
        match (self.fitted, log) {
            (Fitted::Always, None) => return Err(ModelError::NoLog { model: self.name }),
            (Fitted::Never, Some(_)) => return Err(ModelError::IdleLog { model: self.name }),
            _ => {}
        }
        if jobs == 0 {
            return Err(ModelError::Nothing("job"));
        }
        if procs == 0 {
            return Err(ModelError::Nothing("processor"));
        }
        let params: Vec<&'static Param> = self.parameters().collect();
        let settings = ModelSettings::parse(self.name, &params, settings)?;
        let request = Request { jobs, procs, seed, settings: &settings, log };
        let drawn = (self.draw)(&request)?;
        let estimates = EstimateModel::new(&settings, drawn.phi)?;
        let requested = estimates.draw(&drawn, seed)?;
        let mut builder = TraceBuilder::new();
        write(&drawn, &request, requested.as_deref(), &mut builder);
        let source =
            Source { name: self.name.into(), format: "model".into(), sha256: String::new(), bytes: 0 };
        let header = header::describe(self, &request, &drawn);
        let mut trace = builder.finish(header, source, Findings::lenient())?;
        trace.provenance.step("generate", header::command(self, &request), u64::from(jobs));
        Ok(trace)
    }
}

/// Writes the jobs as records. Estimates and users, which the model does not draw, are drawn by class, so
/// that a change of one class does not affect another.
fn write(
    drawn: &GeneratedJobs,
    request: &Request<'_>,
    requested: Option<&[Time]>,
    sink: &mut impl RecordSink,
) {
    let by_class = |class: &ModelClass| Users::new(request.settings, request.seed, class.name);
    let mut users: Vec<_> = drawn.classes.iter().map(by_class).collect();
    let mut record = Record::default();
    let known = |number: u32| if number == 0 { -1 } else { i64::from(number) };
    for (at, job) in drawn.jobs.iter().enumerate() {
        let class = job.class as usize;
        record.set_whole(Field::Job, at as i64 + 1);
        record.set(Field::Submit, Number::from_micro(job.submit.ticks()));
        record.set(Field::Run, Number::from_micro(job.run.ticks()));
        record.set_whole(Field::Allocated, job.procs);
        record.set_whole(Field::Requested, job.procs);
        let memory = if job.memory == 0 { -1 } else { job.memory };
        record.set_whole(Field::UsedMemory, memory);
        record.set_whole(Field::RequestedMemory, memory);
        if let Some(requested) = requested {
            record.set(Field::RequestedTime, Number::from_micro(requested[at].ticks()));
        }
        record.set_whole(Field::Status, status::COMPLETED);
        let (user, group) = users[class].draw();
        record.set_whole(Field::User, user);
        record.set_whole(Field::Group, group);
        record.set_whole(Field::Executable, known(job.executable));
        record.set_whole(Field::Queue, drawn.classes[class].queue);
        record.set_whole(Field::Preceding, known(job.preceding));
        record.set_whole(Field::Think, if job.preceding == 0 { -1 } else { i64::from(job.think) });
        sink.record(&record);
    }
}
