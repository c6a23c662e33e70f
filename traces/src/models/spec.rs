//! What a model is, and how its jobs become a trace.

use super::error::ModelError;
use super::estimates::{self, Estimates};
use super::header;
use super::param::Param;
use super::settings::Settings;
use super::users::{self, Users};
use crate::field::Field;
use crate::finding::Findings;
use crate::nearest::nearest;
use crate::provenance::Source;
use crate::record::{Record, RecordSink};
use crate::trace::{Trace, TraceBuilder};

/// A model: its name, its source, its parameters, and how it draws.
#[derive(Clone, Copy, Debug)]
pub struct ModelSpec {
    /// The name it is asked for by.
    pub name: &'static str,
    /// What it models, in one sentence without a full stop.
    pub summary: &'static str,
    /// The publication and, if it was followed, the authors' program.
    pub cite: &'static str,
    /// Number of jobs where none is given.
    pub jobs: u32,
    /// Number of processors where none is given.
    pub procs: u32,
    /// Its own parameters; see [`ModelSpec::parameters`] for all.
    pub params: &'static [Param],
    /// Draws the jobs. [`ModelSpec::generate`] makes a trace of them.
    pub draw: fn(&Request<'_>) -> Result<Drawn, ModelError>,
}

/// What a model is asked to draw.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Number of jobs, at least 1.
    pub jobs: u32,
    /// Processors of the machine, at least 1.
    pub procs: u32,
    /// Seed of all draws.
    pub seed: u64,
    /// What was set.
    pub settings: &'a Settings,
}

/// A class of jobs: it becomes a queue of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The queue's number.
    pub queue: i64,
    /// The queue's name.
    pub name: &'static str,
    /// The parameters that its jobs were drawn with.
    pub parameters: String,
}

/// A job as a model draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnJob {
    /// Submit time, seconds from the start of the workload.
    pub submit: i64,
    /// Run time, seconds.
    pub run: i64,
    /// Processors.
    pub procs: i64,
    /// Index into [`Drawn::classes`].
    pub class: usize,
}

/// What a model drew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// The jobs in the order of submission.
    pub jobs: Vec<DrawnJob>,
    /// The classes of jobs.
    pub classes: Vec<Class>,
    /// The longest run time the model can draw, seconds, if it is bounded.
    pub max_runtime: Option<i64>,
    /// What a reader of the log should know about how it was drawn.
    pub notes: Vec<String>,
}

impl ModelSpec {
    /// Returns its own parameters, then those that every model has.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Param> {
        self.params.iter().chain(&estimates::PARAMS).chain(&users::PARAMS)
    }

    /// Generates a workload: the same bytes for the same arguments. O(n).
    ///
    /// Settings have the form `key=value`. The trace has the size in fields 5 and 8, status 1, wait time
    /// unknown, and the class as queue; its header says that it is synthetic and how it was made.
    ///
    /// # Errors
    /// When no job or processor is asked for, or a setting is unknown, out of range or without effect.
    pub fn generate<S: AsRef<str>>(
        &self,
        jobs: u32,
        procs: u32,
        seed: u64,
        settings: &[S],
    ) -> Result<Trace, ModelError> {
        if jobs == 0 {
            return Err(ModelError::Nothing("job"));
        }
        if procs == 0 {
            return Err(ModelError::Nothing("processor"));
        }
        let params: Vec<&'static Param> = self.parameters().collect();
        let settings = Settings::parse(self.name, &params, settings)?;
        let request = Request { jobs, procs, seed, settings: &settings };
        let estimates = Estimates::new(&settings)?;
        let drawn = (self.draw)(&request)?;
        let mut builder = TraceBuilder::new();
        write(&drawn, &request, estimates, &mut builder);
        let source =
            Source { name: self.name.into(), format: "model".into(), sha256: String::new(), bytes: 0 };
        let header = header::describe(self, &request, &drawn);
        let mut trace = builder.finish(header, source, Findings::lenient())?;
        trace.provenance.step("generate", header::command(self, &request), u64::from(jobs));
        Ok(trace)
    }
}

/// Returns a model by name.
///
/// # Errors
/// [`ModelError::UnknownModel`], which names the models there are.
pub fn find(name: &str) -> Result<&'static ModelSpec, ModelError> {
    let names = || super::MODELS.iter().map(|model| model.name);
    super::MODELS.iter().find(|model| model.name == name).ok_or_else(|| ModelError::UnknownModel {
        given: name.into(),
        nearest: nearest(name, names()),
        known: names().collect::<Vec<_>>().join(", "),
    })
}

/// Writes the jobs as records. What is not the model's (estimates, users) is drawn by class, so that the
/// jobs of one class stay as they are whatever happens to another.
fn write(drawn: &Drawn, request: &Request<'_>, estimates: Estimates, sink: &mut impl RecordSink) {
    let by_class = |class: &Class| {
        (estimates.drawer(request.seed, class.name), Users::new(request.settings, request.seed, class.name))
    };
    let mut extras: Vec<_> = drawn.classes.iter().map(by_class).collect();
    let mut record = Record::default();
    for (job, number) in drawn.jobs.iter().zip(1..) {
        let (estimate, user) = &mut extras[job.class];
        record.set_whole(Field::Job, number);
        record.set_whole(Field::Submit, job.submit);
        record.set_whole(Field::Run, job.run);
        record.set_whole(Field::Allocated, job.procs);
        record.set_whole(Field::Requested, job.procs);
        record.set_whole(Field::RequestedTime, estimate.draw(job.run));
        record.set_whole(Field::Status, 1);
        record.set_whole(Field::User, user.draw());
        record.set_whole(Field::Queue, drawn.classes[job.class].queue);
        sink.record(&record);
    }
}
