use std::path::PathBuf;

use batchlab_parsers::Output;
use batchlab_policies::external::Opens;
use clap::ValueEnum;

use super::arguments::{QUIET, arguments, option, place, values};
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::lab::Failure;
use crate::report::citation::{Bibliography, artifact};
use crate::report::statistics;
use crate::study::Study;

arguments! {
    /// Print what a publication that uses results must cite, and pack the results for artifact evaluation
    ///
    /// References are those of the policies, orders, models, steps, rules and metrics of the experiment, and of
    /// the statistics that its tables show; for each log, the people to acknowledge according to its header, and
    /// its SHA-256. The archive has the experiment, its seeds and results, tables, plots, kept schedules,
    /// references, and the commands that reproduce all of it.
    #[command(after_help = "\
Example: batchlab cite easy-or-conservative-results --zip artifact.zip > citation.bib
         batchlab cite results --format text")]
    pub struct Cite {
        folder: PathBuf = place("folder", "DIR", "The folder of results").reads(),
        zip: Option<String> = option("zip", "FILE.zip", "Write an archive of the folder").writes(),
        format: Form = option("format", "FORM", "Form of the references: for typesetting programs, or for people")
            .default("bibtex"),
        quiet: bool = QUIET,
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Entries for BibTeX, in UTF-8
    Bibtex,
    /// References, logs and acknowledgements as text
    Text,
}

values!(Form);

impl Cite {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        // The folder records the descriptions of plug-ins, so nothing that it names needs to be loaded.
        let registry = &registry.clone().opening(Opens::Nothing);
        let folder = Folder::new(&self.folder);
        let contents = folder.open()?;
        let frame = contents.frame();
        let statistics = statistics(&contents, &Study::new(&frame))?;
        let bibliography = Bibliography::of(&contents, registry, &statistics);
        if let Some(file) = &self.zip {
            self.pack(file, &folder, &contents, &bibliography)?;
        }
        if !self.quiet {
            for what in &bibliography.unknown {
                tell::note(&format!("no citation for {what}"));
            }
        }
        print(&match self.format {
            Form::Bibtex => bibliography.bibtex(),
            Form::Text => bibliography.text(),
        })
    }

    fn pack(
        &self,
        file: &str,
        folder: &Folder,
        contents: &Contents,
        bibliography: &Bibliography,
    ) -> Result<(), Failure> {
        if file == "-" {
            return Err(Failure::Usage("--zip: standard output is for the references; name a file".into()));
        }
        let missing = contents.missing().len() as u64;
        if missing > 0 {
            return Err(Failure::Input(format!(
                "{} of the results are missing; `batchlab run --resume` runs them",
                text::counted(missing, "replay")
            )));
        }
        let names = artifact::files(folder).map_err(|error| Failure::Input(error.to_string()))?;
        let writing = |error| Failure::writing(file, error);
        let mut output = Output::create(file).map_err(writing)?;
        artifact::write(folder, names, contents, bibliography, &mut output).map_err(writing)?;
        output.commit().map_err(writing)?;
        if !self.quiet {
            tell::note(&format!("the artifact is in {file}"));
        }
        Ok(())
    }
}
