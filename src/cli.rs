//! The command line: one file per verb.

mod arguments;
mod check;
mod cite;
mod clean;
mod collected;
mod completions;
mod conform;
mod convert;
mod diff;
mod explain;
mod fetch;
mod generate;
mod hints;
mod info;
mod list;
mod man;
mod merge;
mod open;
mod outputs;
mod paper;
mod priorities;
mod replay;
mod report;
mod run;
mod serve;
mod shape;
mod slurm;
mod slurm_check;
mod slurm_collect;
mod sweep;
mod table;
mod terminal;
mod tune;
mod verify;
mod what_if;
mod when;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Arg, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::Registry;
use crate::catalogue::Catalogue;
use crate::lab::Failure;
use crate::lab::logs::redact;
use arguments::{Argument, Arguments, arguments, switch, with_formats};
use terminal::{interrupt, tell};

const AFTER_HELP: &str = "\
Results go to standard output, everything else to standard error.
Exit codes: 0 done, 1 a check did not hold, 2 wrong usage, 3 input cannot be used,
4 a policy misbehaved, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).

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
    #[command(flatten)]
    redacting: Redacting,
}

arguments! {
    struct Redacting {
        redact: bool = switch("redact", redact::HELP)
            .heading("Output")
            .by(|arg| arg.global(true).long_help(redact::LONG_HELP)),
    }
}

macro_rules! verbs {
    ($($verb:ident($arguments:ty),)+) => {
        #[derive(Subcommand)]
        enum Verb {
            $($verb($arguments),)+
        }

        impl Verb {
            /// The arguments of each verb, in the order of the verbs.
            const ARGUMENTS: &[fn() -> Vec<Argument>] = &[$(<$arguments as Arguments>::arguments),+];

            fn run(self, registry: &Registry) -> Result<(), Failure> {
                match self {
                    $(Verb::$verb(verb) => verb.run(registry),)+
                }
            }
        }
    };
}

// One line each.
verbs! {
    Info(info::InfoVerb),
    Convert(convert::Convert),
    Fetch(fetch::Fetch),
    Check(check::CheckCommand),
    Clean(clean::Clean),
    Shape(shape::ShapeCommand),
    Generate(generate::Generate),
    Replay(Box<replay::Replay>),
    Run(run::Run),
    Sweep(Box<sweep::SweepCommand>),
    Tune(tune::Tune),
    WhatIf(Box<what_if::WhatIf>),
    When(Box<when::When>),
    Priorities(Box<priorities::Priorities>),
    Merge(merge::Merge),
    Paper(paper::PaperVerb),
    Report(report::ReportVerb),
    Slurm(slurm::Slurm),
    SlurmCheck(Box<slurm_check::SlurmCheck>),
    SlurmCollect(slurm_collect::SlurmCollect),
    Cite(cite::Cite),
    Table(table::TableVerb),
    Verify(verify::Verify),
    Diff(diff::Diff),
    Explain(explain::Explain),
    Open(open::Open),
    Conform(Box<conform::Conform>),
    Serve(serve::Serve),
    List(list::List),
    Completions(completions::Completions),
    Man(man::ManPage),
}

/// Runs the program with a registry: the built-in policies, formats and metrics, and any that the caller has
/// added.
pub fn main_with(registry: &Registry) -> ExitCode {
    ExitCode::from(run(registry, std::env::args_os()))
}

/// Runs one command line, whose first argument is the program's name, and returns its exit code.
///
/// Results go to standard output and everything else to standard error. After this call Ctrl-C, SIGTERM and
/// SIGHUP end the process, and on Linux it adopts orphans: see `interrupt::install`.
pub fn run(registry: &Registry, args: impl IntoIterator<Item = OsString>) -> u8 {
    run_as(registry, args, true)
}

/// As [`run()`], within a program that goes on afterwards and handles signals itself.
pub fn run_within(registry: &Registry, args: impl IntoIterator<Item = OsString>) -> u8 {
    run_as(registry, args, false)
}

fn run_as(registry: &Registry, args: impl IntoIterator<Item = OsString>, has_signals: bool) -> u8 {
    // A program that embeds this one may have a catalogue of its own.
    let of_user = || Catalogue::of_user(|name| std::env::var_os(name));
    let catalogue = registry.catalogue();
    let catalogue = if catalogue.has_cache() { catalogue.clone() } else { of_user() };
    let registry = &registry.clone().with_catalogue(catalogue);
    let args: Vec<OsString> = args.into_iter().collect();
    let (cli, checked) = match parse(registry, args.iter().cloned()) {
        Ok(parsed) => parsed,
        Err(mut error) => {
            hints::improve(&mut error, &verbs());
            // Help goes to standard output with code 0, wrong usage to standard error with code 2.
            if error.use_stderr() {
                let _ = error.print();
                let told = collected::log_told(&error, &args);
                if let Some(told) = told.or_else(|| hints::policy_told(registry, &error, &args)) {
                    tell::note(&told);
                }
                return 2;
            }
            let printed = error.print().and_then(|()| std::io::Write::flush(&mut std::io::stdout()));
            return tell::exit_code(printed.map_err(|error| Failure::writing("-", error)));
        }
    };
    if has_signals {
        interrupt::install();
    }
    if cli.redacting.redact {
        redact::switch_on();
    }
    if checked.is_err() {
        return tell::exit_code(checked);
    }
    tell::exit_code(cli.verb.run(registry))
}

fn verbs() -> Vec<String> {
    Cli::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect()
}

/// Parses the arguments, and checks that no output is an input.
fn parse(
    registry: &Registry,
    args: impl IntoIterator<Item = OsString>,
) -> Result<(Cli, Result<(), Failure>), clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let is_short = args.iter().any(|arg| arg == "-h");
    let mut command = if is_short { shortened(command(registry)) } else { command(registry) };
    let mut matches = command.try_get_matches_from_mut(args)?;
    let checked = outputs::check(&command, &matches);
    let mut cli = Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
    let checked = checked.map(|inputs| {
        if let Verb::Replay(verb) = &mut cli.verb {
            verb.reads(inputs);
        }
    });
    Ok((cli, checked))
}

/// Returns the command line for clap; `--from` accepts the formats of the registry.
fn command(registry: &Registry) -> Command {
    Cli::command().mut_subcommands(|verb| with_formats(registry, verb))
}

/// The most options of a verb of which `-h` shows all.
const FEW: usize = 12;

/// Returns the command line as `-h` shows it: examples first, and where there are many options those that most people need.
fn shortened(command: Command) -> Command {
    let mut arguments = Verb::ARGUMENTS.iter();
    command.mut_arg("redact", |arg| arg.hide(true)).mut_subcommands(|verb| {
        let of_verb = arguments.next().map_or_else(Vec::new, |make| make());
        let options = of_verb.iter().filter(|argument| !argument.arg.is_positional()).count();
        let is_hidden = |arg: &Arg| {
            let is_rare = |known: &Argument| !known.is_common && known.arg.get_id() == arg.get_id();
            options > FEW && !arg.is_positional() && of_verb.iter().any(is_rare)
        };
        let told = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = told.split("Example: ").nth(1).unwrap_or_default();
        let lines: Vec<String> = examples.lines().map(|line| format!("  {}", line.trim_start())).collect();
        let all = format!("`batchlab help {}` says more, and has all {options} options.", verb.get_name());
        let verb = verb.before_help(format!("Examples:\n{}", lines.join("\n"))).after_help(all);
        verb.mut_args(|arg| {
            let hidden = is_hidden(&arg);
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let is_many = arg.get_possible_values().len() > FEW;
            let has_long_name = arg.get_value_names().is_some_and(|names| names[0].len() > FEW);
            let arg = if is_many { arg.hide_possible_values(true) } else { arg };
            let arg = if has_long_name { arg.value_name("VALUE") } else { arg };
            arg.help(clause(&help)).help_heading(None::<&str>).hide(hidden)
        })
    })
}

/// Returns the beginning of a text, which fits a line.
fn clause(text: &str) -> String {
    const ROOM: usize = 64;
    let cut = |text: &str, ends: &[&str]| {
        let places = ends.iter().filter_map(|end| text.find(end));
        places.min().map_or(text, |place| &text[..place]).to_owned()
    };
    let first = cut(text, &["; ", ". ", ": ", " ["]);
    if first.len() > ROOM { cut(&first, &[" (", ", "]) } else { first }
}
