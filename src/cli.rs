//! The command line: one file per verb.

mod completions;
mod convert;
mod diff;
mod explain;
mod failure;
mod generate;
mod interrupt;
mod prepare;
mod progress;
mod replay;
mod source;
mod tell;
mod text;

use std::process::ExitCode;

use batchlab_policies::Registry;
use clap::{Command, CommandFactory, Parser, Subcommand};

pub use failure::Failure;

/// The laboratory for batch schedulers: replays HPC workload traces under any scheduling policy.
#[derive(Parser)]
#[command(name = "batchlab", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

/// The verbs: one line each.
#[derive(Subcommand)]
enum Verb {
    Convert(convert::Convert),
    Generate(generate::Generate),
    Replay(Box<replay::Replay>),
    Diff(diff::Diff),
    Explain(explain::Explain),
    Completions(completions::Completions),
}

/// Runs the program with a registry of policies: the built-in ones, and any that the caller has added.
pub fn main_with(registry: &Registry) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to standard output with code 0, wrong usage to standard error with code 2.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    interrupt::install();
    let done = match cli.verb {
        Verb::Convert(verb) => verb.run(),
        Verb::Generate(verb) => verb.run(),
        Verb::Replay(verb) => verb.run(registry),
        Verb::Diff(verb) => verb.run(),
        Verb::Explain(verb) => verb.run(registry),
        Verb::Completions(verb) => verb.run(),
    };
    failure::exit_code(done)
}

/// Returns the command line as clap knows it.
fn command() -> Command {
    Cli::command()
}
