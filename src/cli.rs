//! The command line: one file per verb.

mod failure;
mod prepare;
mod replay;

use std::process::ExitCode;

use batchlab_policies::Registry;
use clap::{Parser, Subcommand};

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
    Replay(replay::Replay),
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
    let done = match cli.verb {
        Verb::Replay(verb) => verb.run(registry),
    };
    failure::exit_code(done)
}
