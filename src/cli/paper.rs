mod new;
mod shipped;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command, Error};

use self::shipped::{SHIPPED, shipped};
use super::arguments::{Argument, Arguments, QUIET, THREADS, arguments, option, place, switch};
use super::run::end::tables_of_part;
use super::terminal::form::print;
use super::terminal::tell::{self, Terminal};
use crate::Registry;
use crate::experiment::{ExperimentError, LogFolders, profile_names, with_profile};
use crate::lab::Failure;
use crate::lab::experiments::{Conducted, ExperimentRun};
use crate::lab::observer::Observed;
use crate::lab::settings::RunSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::read_text;
use crate::paper::{
    self, EXPERIMENTS, FILE, Made, Outcome, PAGES, Paper, Part, RequiredLog, StatedClaim, experiment_name,
};
use crate::parsers::OutputFolder;
use crate::report::claims::Checked;
use crate::report::page::PaperFigure;
use crate::report::{Report, ReportSection, publish};
use crate::study::Study;
use crate::table::writer;
use new::NewPaper;

arguments! {
    /// Reproduce a paper: run its experiments, judge its claims, and write a page about both
    ///
    /// A paper is a folder with paper.toml and experiment files; the program carries several, which this verb lists when it
    /// gets no name. Each claim has its source and its tolerance; it holds, holds under some readings of what the paper leaves
    /// open, does not hold, is open (too few units, with the number that would do), or cannot be checked. What came out is the
    /// result: the exit code is 0 whatever the verdicts are. After an interruption the same command goes on.
    #[command(subcommands = [NewPaper::augment_args(Command::new("new"))])]
    #[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
    #[command(after_help = "Example: batchlab paper aida98 --quick
         batchlab paper new mine")]
    pub struct PaperVerb {
        command: Option<NewPaper>,
        papers: Vec<String> =
            place("papers", "NAME|FOLDER", "Papers that the program carries, or folders").reads(),
        all: bool = switch("all", "All papers that the program carries, and a summary").excludes(&["papers"]),
        quick: bool = switch(
            "quick", "A few seconds: [profile.quick] of the experiments, on generated workloads only",
        ).excludes(&["profile"]),
        profile: Option<String> = option(
            "profile", "NAME",
            "The profile of the experiments; full for their own sizes [default: recorded, if an experiment has it]",
        ),
        logs: Vec<PathBuf> = option(
            "logs", "DIR", "A folder with logs, which are known by their hashes, whatever their names; may be given several times",
        ).reads(),
        out: PathBuf =
            option("out", "DIR", "The folder of the pages and results, a folder in it for each paper")
                .default("papers")
                .writes_into(),
        threads: Option<usize> = THREADS,
        quiet: bool = QUIET,
        limits: LimitSettings,
        plugins: PluginSettings,
    }
}

/// `batchlab paper new`, which has arguments of its own.
impl Arguments for Option<NewPaper> {
    fn arguments() -> Vec<Argument> {
        Vec::new()
    }

    fn of(matches: &ArgMatches) -> Result<Option<NewPaper>, Error> {
        matches.subcommand().map(|(_, matches)| NewPaper::of(matches)).transpose()
    }
}

struct Found {
    name: String,
    folder: PathBuf,
    /// The folder of its pages and results.
    results: PathBuf,
    paper: Paper,
    experiments: Vec<PaperExperiment>,
}

struct PaperExperiment {
    name: String,
    /// Its file as the user knows it.
    file: String,
    /// Its text, with the profile that is run.
    text: String,
    claims: Vec<StatedClaim>,
}

impl PaperVerb {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if let Some(new) = &self.command {
            return new.run();
        }
        if self.papers.is_empty() && !self.all {
            return list();
        }
        let of_files = self.plugins.of_files(registry)?;
        let names: Vec<String> = if self.all {
            SHIPPED.iter().map(|(name, _)| (*name).into()).collect()
        } else {
            self.papers.clone()
        };
        let mut summary: Vec<String> = Vec::new();
        for name in &names {
            let found = self.find(name)?;
            let parts = self.parts(&found, &of_files)?;
            let made = Made { command: self.command(name, &found), is_quick: self.quick };
            let page = paper::markdown(&found.paper, &parts, &made);
            let pages = [page, paper::html(&found.paper, &parts, &made)];
            for (name, text) in PAGES.iter().zip(pages) {
                self.results().put_text(Path::new(&found.name).join(name), &text)?;
            }
            let lines = paper::summary(&found.paper, &parts, &made).into_iter();
            summary.extend(lines.map(|line| format!("{}: {line}\n", found.name)));
            summary.push(format!("{}: {}\n", found.name, found.results.join(PAGES[0]).display()));
        }
        print(&summary.concat())
    }

    /// Returns a paper by its name or folder. The files of a paper that the program carries are written to the folder of
    /// its results.
    fn find(&self, name: &str) -> Result<Found, Failure> {
        let path = Path::new(name);
        let (name, results, folder) = if path.join(FILE).is_file() {
            let name = own_name(path)?;
            let results = self.out.join(&name);
            if is_same_folder(&results, path) {
                return Err(Failure::Usage(format!(
                    "{} is the folder of the paper itself, whose files the results would replace; name another with --out",
                    results.display()
                )));
            }
            self.check_results(path)?;
            (name.to_string_lossy().into_owned(), results, path.to_path_buf())
        } else {
            let (name, files) = shipped(name).map_err(|unknown| not_there(path, unknown))?;
            let results = self.out.join(name);
            let folder = results.join(EXPERIMENTS);
            for (file, text) in *files {
                self.results().put_text(Path::new(name).join(EXPERIMENTS).join(file), text)?;
            }
            ((*name).to_owned(), results, folder)
        };
        let file = folder.join(FILE);
        let wrong = |error: ExperimentError| Failure::Usage(error.to_string());
        let paper = Paper::read(&own_text(&file)?, &file.display().to_string()).map_err(wrong)?;
        let experiments = paper.experiments.iter().map(|file| self.experiment(&folder, file));
        let experiments = experiments.collect::<Result<Vec<PaperExperiment>, Failure>>()?;
        let stated: Vec<(String, Vec<StatedClaim>)> =
            experiments.iter().map(|of| (of.name.clone(), of.claims.clone())).collect();
        paper.check(&stated).map_err(wrong)?;
        Ok(Found { name, folder, results, paper, experiments })
    }

    fn results(&self) -> OutputFolder {
        OutputFolder::new(&self.out)
    }

    /// Checks the folder of results if it lies in that of the paper, which someone else may have made: no link leads out of it.
    fn check_results(&self, paper: &Path) -> Result<(), Failure> {
        let (Ok(paper), Ok(out)) = (fs::canonicalize(paper), std::path::absolute(&self.out)) else {
            return Ok(());
        };
        if let Ok(within) = out.strip_prefix(&paper) {
            OutputFolder::new(&paper).own(within)?;
        }
        Ok(())
    }

    fn experiment(&self, folder: &Path, file: &str) -> Result<PaperExperiment, Failure> {
        let path = folder.join(file);
        let shown = path.display().to_string();
        let text = self.text(own_text(&path)?, &shown)?;
        let claims = StatedClaim::all(&text, &shown).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(PaperExperiment { name: experiment_name(file).into(), file: shown, text, claims })
    }

    /// Runs the experiments of a paper.
    fn parts(&self, found: &Found, registry: &Registry) -> Result<Vec<Part>, Failure> {
        let mut parts = Vec::new();
        for PaperExperiment { name, file, text, claims } in &found.experiments {
            let (claims, outcome) = match self.obstacle(text, &found.folder, registry) {
                Some(why) => (claims.iter().map(Checked::from).collect(), Outcome::Left { why }),
                None => {
                    if !self.quiet {
                        tell::note(&format!("{}: {name}", found.name));
                    }
                    let out = self.results().own(Path::new(&found.name).join(name))?;
                    let (claims, figures) = self.outcome((name, file), &out, text.clone(), registry)?;
                    let of_trial = |claim: Checked| if self.quick { claim.of_trial() } else { claim };
                    (claims.into_iter().map(of_trial).collect(), Outcome::Ran { figures })
                }
            };
            parts.push(Part { name: name.clone(), readings: Part::readings(text), claims, outcome });
        }
        Ok(parts)
    }

    /// Returns the text of an experiment with the profile that is run.
    fn text(&self, text: String, file: &str) -> Result<String, Failure> {
        let wrong = |error: ExperimentError| Failure::Usage(error.to_string());
        let known = profile_names(&text, file).map_err(wrong)?;
        let wanted = match &self.profile {
            Some(name) => name.as_str(),
            None if self.quick => "quick",
            None => "recorded",
        };
        if known.iter().any(|name| name == wanted) {
            with_profile(&text, file, wanted).map_err(wrong)
        } else {
            Ok(text)
        }
    }

    /// Returns why an experiment cannot be run here.
    fn obstacle(&self, text: &str, folder: &Path, registry: &Registry) -> Option<String> {
        let logs = RequiredLog::all(text);
        if self.quick && logs.iter().any(|log| !log.is_beside(folder)) {
            return Some("a quick run has generated workloads only, and this needs a log".into());
        }
        let catalogue = registry.catalogue();
        let folders = LogFolders::new(&[self.logs(), catalogue.folders()].concat());
        let absence = |log: &RequiredLog| log.absence(folder, &folders, catalogue);
        let absent: Vec<String> = logs.iter().filter_map(absence).collect();
        (!absent.is_empty()).then(|| absent.join(", "))
    }

    /// Returns the folders of logs: those given, and that of shared traces beside this one.
    fn logs(&self) -> Vec<PathBuf> {
        self.logs.iter().cloned().chain([PathBuf::from("../shared/traces")]).collect()
    }

    /// Runs an experiment, and returns its claims and figures.
    fn outcome(
        &self,
        (name, file): (&str, &str),
        out: &Path,
        text: String,
        registry: &Registry,
    ) -> Result<(Vec<Checked>, Vec<PaperFigure>), Failure> {
        let settings = RunSettings {
            out: Some(out.into()),
            resume: true,
            threads: self.threads,
            logs: self.logs(),
            quiet: self.quiet,
            ..RunSettings::default()
        };
        let run = ExperimentRun {
            experiment: file.into(),
            settings,
            limits: self.limits.clone(),
            observer: Observed::by(Terminal),
            options: self.plugins.words(),
            progress: None,
        };
        let mut outcome = None;
        let conducted = run.conduct_to(registry, registry, text, &mut |folder, contents| {
            if !contents.missing().is_empty() {
                return tables_of_part(folder, contents, writer(&run.settings.format)?);
            }
            let frame = contents.frame();
            let study = Study::new(&frame);
            let report = Report::of(folder, contents, &study, registry.policies())?;
            publish(folder, &report)?;
            let plots = report.sections.iter().filter(|of| matches!(of, ReportSection::Plots(_)));
            let figures = plots.flat_map(ReportSection::plots).filter_map(|plot| PaperFigure::of(name, plot));
            outcome = Some((report.claims().to_vec(), figures.collect()));
            Ok(())
        })?;
        if let Conducted::Ran(failures) = conducted {
            tell::all(failures)?;
        }
        outcome.ok_or_else(|| Failure::Input(format!("{file}: the experiment has no results")))
    }

    /// Returns the command that makes the page: of a name or folder as it was given.
    fn command(&self, given: &str, found: &Found) -> String {
        let quick = if self.quick { " --quick" } else { "" };
        let profile =
            self.profile.as_ref().map_or_else(String::new, |profile| format!(" --profile {}", word(profile)));
        let mut required = found.experiments.iter().flat_map(|of| RequiredLog::all(&of.text));
        let wants_logs = !self.logs.is_empty() && required.any(|log| !log.is_beside(&found.folder));
        let logs = if wants_logs { " --logs DIR" } else { "" };
        format!("batchlab paper {}{quick}{profile}{logs}", word(given))
    }
}

/// Returns why a paper is not there: the folder has no description, or there is no such name.
fn not_there(path: &Path, unknown: String) -> Failure {
    let shown = path.display();
    if path.is_dir() {
        return Failure::Usage(format!(
            "the folder {shown} has no {FILE}: it gives title, reference, says, found and experiments, which are the names of \
             experiment files beside it"
        ));
    }
    if path.is_file() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return Failure::Usage(format!(
            "{shown} is a file: name the folder of the paper, {}",
            folder.display()
        ));
    }
    Failure::Usage(unknown)
}

/// Returns the name of a folder, which that of its results has too.
fn own_name(path: &Path) -> Result<OsString, Failure> {
    let whole =
        fs::canonicalize(path).map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let name = whole.file_name().filter(|name| !name.to_string_lossy().contains(char::is_control));
    name.map(OsStr::to_os_string).ok_or_else(|| {
        Failure::Usage(format!("{}: the folder of a paper needs a name in one line", path.display()))
    })
}

/// Whether two paths lead to the same folder.
fn is_same_folder(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Returns a word as a shell reads it.
fn word(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.into(), Into::into)
}

fn list() -> Result<(), Failure> {
    let width = SHIPPED.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for (name, files) in SHIPPED {
        let about = files.iter().find(|(file, _)| *file == FILE).map_or("", |(_, about)| about);
        let paper = Paper::read(about, name).map_err(|error| Failure::Usage(error.to_string()))?;
        lines.push(format!("{name:width$}  {}\n", paper.title));
    }
    print(&lines.concat())
}

/// Returns the text of a file of a paper's folder, which no link leads out of.
fn own_text(file: &Path) -> Result<String, Failure> {
    let shown = file.display();
    if fs::symlink_metadata(file).is_ok_and(|there| there.is_symlink()) {
        return Err(Failure::Usage(format!("{shown} is a link; the files of a paper are in its own folder")));
    }
    read_text(file)
}
