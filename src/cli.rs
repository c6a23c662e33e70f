//! The command line: one file per verb.

mod check;
mod clean;
mod completions;
mod conform;
mod convert;
mod diff;
mod explain;
mod failure;
mod form;
mod generate;
mod info;
mod interrupt;
mod list;
mod man;
mod measure;
mod plugins;
mod prepare;
mod progress;
mod replay;
mod results;
mod rules;
mod shape;
mod shaping;
mod source;
mod tell;
mod text;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use batchlab_policies::Registry;
use clap::{Command, CommandFactory, Parser, Subcommand};

pub use failure::Failure;

const AFTER_HELP: &str = "\
Results go to standard output, everything else to standard error.
Exit codes: 0 done, 1 a check did not hold, 2 wrong usage, 3 input cannot be used,
4 a policy misbehaved, 130 interrupted.

Example: batchlab generate lublin -o week.swf --jobs 5000
         batchlab info week.swf
         batchlab replay week.swf --policy fcfs --policy easy:order=sjf";

/// The laboratory for batch schedulers: replays HPC workload traces under any scheduling policy.
#[derive(Parser)]
#[command(name = "batchlab", version, propagate_version = true, arg_required_else_help = true)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs", after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

/// The verbs: one line each.
#[derive(Subcommand)]
enum Verb {
    Info(info::InfoVerb),
    Convert(convert::Convert),
    Check(check::Check),
    Clean(clean::Clean),
    Shape(shape::Shape),
    Generate(generate::Generate),
    Replay(Box<replay::Replay>),
    Verify(verify::Verify),
    Diff(diff::Diff),
    Explain(explain::Explain),
    Conform(Box<conform::Conform>),
    List(list::List),
    Completions(completions::Completions),
    Man(man::ManPage),
}

/// Runs the program with a registry of policies: the built-in ones, and any that the caller has added.
pub fn main_with(registry: &Registry) -> ExitCode {
    ExitCode::from(run(registry, std::env::args_os()))
}

/// Runs one command line, the program's name first, and returns its exit code.
///
/// Results go to standard output and everything else to standard error. From then on Ctrl-C ends the process.
pub fn run(registry: &Registry, args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to standard output with code 0, wrong usage to standard error with code 2.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return code;
        }
    };
    interrupt::install();
    let done = match cli.verb {
        Verb::Info(verb) => verb.run(),
        Verb::Convert(verb) => verb.run(),
        Verb::Check(verb) => verb.run(),
        Verb::Clean(verb) => verb.run(),
        Verb::Shape(verb) => verb.run(registry),
        Verb::Generate(verb) => verb.run(),
        Verb::Replay(verb) => verb.run(registry),
        Verb::Verify(verb) => verb.run(registry),
        Verb::Diff(verb) => verb.run(registry),
        Verb::Explain(verb) => verb.run(registry),
        Verb::Conform(verb) => verb.run(registry),
        Verb::List(verb) => verb.run(registry),
        Verb::Completions(verb) => verb.run(),
        Verb::Man(_) => man::ManPage::run(),
    };
    failure::exit_code(done)
}

/// Returns the command line as clap knows it.
fn command() -> Command {
    Cli::command()
}
