mod page;

use batchlab_parsers::{Output, swf};
use batchlab_traces::models::{self, jann};
use batchlab_traces::{Trace, describe};

use super::arguments::{WRITTEN_SWF, arguments, option, place, switch};
use super::terminal::form::{OutputForm, print, print_json};
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::settings::limits::LimitSettings;

arguments! {
    /// Generate a synthetic log from a workload model
    ///
    /// The same arguments give the same bytes; the file's header says how it was made. The models and their
    /// settings: `batchlab list models`, and `batchlab list models NAME` for one in full.
    #[command(after_help = "\
Example: batchlab generate lublin -o week.swf --jobs 5000 --procs 128 --set load=1.2
         batchlab generate lublin --describe")]
    pub struct Generate {
        model: String = place("model", "MODEL", "The model; see `batchlab list models`"),
        output: Option<String> = WRITTEN_SWF.required_unless("describe"),
        describe: bool =
            switch("describe", "Print what the workload looks like to standard output, instead of writing it")
                .excludes(&["output"]),
        format: OutputForm = option("format", "FORM", "Form of the description: for people, or for programs")
            .default("table")
            .requires("describe"),
        jobs: Option<u32> = option("jobs", "N", "Number of jobs [default: the model's]").heading("Model"),
        procs: Option<u32> = option("procs", "P", "Processors of the machine [default: the model's]").heading("Model"),
        seed: u64 = option("seed", "S", "Seed of all random numbers").default("1").heading("Model"),
        log: Option<String> = option(
            "log", "FILE", "The log to fit to, for models that need one: a file, packed or not, or - for standard input",
        ).heading("Model").reads(),
        set: Vec<String> =
            option("set", "KEY=VALUE", "A setting of the model, such as load=1.2; may be given several times")
                .heading("Model"),
        limits: LimitSettings,
        source: SourceSettings,
    }
}

impl Generate {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let model = models::find(&self.model)?;
        let output = self.output.as_deref().unwrap_or("-");
        let writing = |error| Failure::writing(output, error);
        // The output is opened first, so that a wrong name is found before time is spent on drawing.
        let out = if self.describe { None } else { Some(Output::create(output).map_err(writing)?) };
        let log = self.log.as_deref().map(|path| self.source.read(registry, path)).transpose()?;
        let (of_jobs, of_procs) = model.default_size(log.as_ref());
        let (jobs, procs) = (self.jobs.unwrap_or(of_jobs), self.procs.unwrap_or(of_procs));
        self.limits.limits().check_jobs(jobs)?;
        let trace = model.generate_from(log.as_ref(), jobs, procs, self.seed, &self.set)?;
        self.tell_fit(log.as_ref(), &trace);
        let Some(mut out) = out else {
            return match self.format {
                OutputForm::Table => print(&page::page(&describe(&trace))),
                OutputForm::Json => print_json(&describe(&trace)),
            };
        };
        swf::write(&trace, &mut out).and_then(|()| out.commit()).map_err(writing)?;
        if !self.source.quiet {
            let (jobs, procs) = (text::counted(jobs, "job"), text::counted(procs, "processor"));
            let (name, seed) = (model.name, self.seed);
            tell::note(&format!("{jobs} for {procs} drawn from {name} (seed {seed}) to {output}"));
            tell::note(page::page(&describe(&trace)).trim_end());
        }
        Ok(())
    }

    /// Reports findings about the log, and the quality of the fit.
    fn tell_fit(&self, log: Option<&Trace>, trace: &Trace) {
        let Some(log) = log.filter(|_| !self.source.quiet) else { return };
        tell::findings(&log.findings);
        for note in trace.header.notes.iter().filter(|note| note.starts_with(jann::FIT_NOTE)) {
            tell::note(note);
        }
    }
}
