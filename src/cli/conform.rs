mod footprint;
mod page;
mod witness;

use std::cell::Cell;
use std::panic;

use batchlab_policies::external::starts_process;
use batchlab_policies::spec::Chosen;
use batchlab_traces::capacity::Foresight;
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::reading::{Dependencies, Overrun};
use batchlab_traces::{Field, Record};
use clap::builder::PossibleValuesParser;
use clap::{ValueEnum, value_parser};

use super::arguments::{arguments, option, place, values};
use super::terminal::form::{print, print_json};
use super::terminal::progress::Progress;
use super::terminal::text;
use crate::Registry;
use crate::conform::{CHECKS, Case, Kinds, Scenes, Status, Suite, is_of_batsim, junit};
use crate::lab::Failure;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::read_text;
use crate::replay::engine::{Budget, EventOrder};

arguments! {
    /// Check whether a policy keeps to the rules: a built-in policy, a plug-in or your own
    ///
    /// Draws small random logs for all kinds of machines and replays them under the policy. It checks that no
    /// verb is refused, every job is served, the machine could have run every schedule, the same case gives the
    /// same schedule, no decision depends on the future, and no state is left behind. Cases also have calendars of capacity,
    /// dependencies, layouts of jobs and devices of nodes, as far as the policy takes them: a plug-in of kind `policy` takes
    /// calendars if it needs `capacity` or `foresight`, layouts if it needs `layout`, and devices if it needs `devices`. A failed
    /// check is shown by the smallest log found, with the command that repeats it. `batchlab list checks` describes the checks.
    ///
    /// Cases that do not suit the policy (such as nodes, for a policy that needs a pool) are counted as skipped,
    /// with the reason. Exit code 1 if a check fails.
    #[command(after_help = "\
Example: batchlab conform 'exec:(python3 my_easy.py)' --like easy --keep witnesses
         batchlab conform wasm:mine.wasm")]
    pub struct Conform {
        policy: String = place(
            "policy", "SPEC", "The policy, as name:key=value,key=value, or a plug-in: wasm:FILE, so:FILE, exec:(COMMAND)",
        ).policy(),
        like: Option<String> =
            option("like", "SPEC", "Another policy with which it must agree, job by job: starts, ends, nodes").policy(),
        cases: Option<u32> = option(
            "cases", "N", "Number of random cases, at most 1000000: all are held in memory, and another --seed draws others \
             [default: 300, and 30 if each replay starts a process]",
        ).heading("Cases").by(|arg| arg.value_parser(value_parser!(u32).range(1..=1_000_000))),
        seed: u64 = option("seed", "S", "Seed of the cases, and of the replays").default("1").heading("Cases"),
        check: Vec<String> = option("check", "NAME,...", "Only these checks; see `batchlab list checks`")
            .heading("Cases")
            .by(|arg| arg.value_delimiter(',').value_parser(names())),
        on: Option<String> =
            option("on", "LOG", "One case, instead of random ones: a log, packed or not, or - for standard input")
                .excludes(&["cases"])
                .heading("Cases")
                .reads(),
        machine: Option<String> = option(
            "machine", "FILE.toml", "A description of the machine of --on [default: a pool, as the header says]",
        ).requires("on").heading("Cases").reads(),
        calendar: Option<String> = option("calendar", "FILE.toml", "A calendar of capacity for --on")
            .requires("on")
            .heading("Cases")
            .reads(),
        foresight: Foresight = option(
            "foresight", "calendar|none|reservations", "What is known in advance of the changes of --calendar",
        ).default("reservations").requires("calendar").heading("Cases"),
        dependencies: Dependencies =
            option("dependencies", "ignore|log", "Whether jobs of --on wait for others as the log says")
                .default("ignore")
                .requires("on")
                .heading("Cases"),
        layout: Option<LayoutRule> = option(
            "layout", "log|tasks:T|whole-node|pool",
            "How jobs of --on lie on the nodes of --machine [default: tasks, as the machine file says]",
        ).requires("machine").heading("Cases"),
        events: Option<EventOrder> = option(
            "events", "ORDER", "Only this order of simultaneous events: batch, submit-first, finish-first or periodic:S \
             [default: each; with --on batch]",
        ).heading("Cases"),
        overrun: Option<Overrun> = option(
            "overrun", "raise|kill|overdue", "Only this rule for a job that ran longer than its estimate: raise the \
             estimate, kill the job at it, or keep both [default: each; with --on raise]",
        ).heading("Cases"),
        resources: Option<u8> = option(
            "resources", "K", "The most resources that machines have, 1 being the processors alone [default: up to four]",
        ).excludes(&["on"]).heading("Cases").by(|arg| arg.value_parser(value_parser!(u8).range(1..))),
        format: Form = option(
            "format", "FORM", "Form of the output: for people, for programs, or for continuous integration",
        ).default("table").heading("Output"),
        keep: Option<String> =
            option("keep", "DIR", "Write the log, and the machine, of what does not hold into a folder")
                .heading("Output")
                .writes_into(),
        source: SourceSettings,
        limits: LimitSettings,
        plugins: PluginSettings,
    }
}

/// Default number of cases, which take about a second.
const CASES: u32 = 300;

/// Default number of cases if each replay starts a process; these take less than a minute.
const CASES_OF_PROCESSES: u32 = 30;

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// One line per check, and a log for what does not hold
    Table,
    /// JSON
    Json,
    /// `JUnit` XML: a test per check
    Junit,
}

values!(Form, Foresight, Dependencies, LayoutRule, EventOrder, Overrun);

impl Conform {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = self.plugins.typed(registry)?;
        // The command is about a program: one that is not there is a wrong argument, and no input.
        let choose = |spec: &str| {
            registry.choose(spec).map_err(|error| match error.into() {
                Failure::Input(why) => Failure::Usage(why),
                failure => failure,
            })
        };
        let chosen = choose(&self.policy)?;
        let like = self.like.as_deref().map(choose).transpose()?;
        let cases = self.cases(&registry, [Some(&chosen), like.as_ref()])?;
        let bar = (!self.source.quiet).then(|| Progress::of_trials("replaying"));
        let trials = Cell::new(0);
        let progress = || {
            trials.set(trials.get() + 1);
            if let Some(bar) = &bar {
                bar.tell(trials.get());
            }
        };
        let suite = Suite {
            registry: registry.policies(),
            chosen: &chosen,
            like: like.as_ref(),
            cases: &cases,
            seed: self.seed,
            footprint: &footprint::measure,
            progress: &progress,
        };
        let mut report = silently(|| suite.run(&self.check));
        drop(bar);
        let words = [self.plugins.words(), self.limits.words()].concat();
        witness::keep(&mut report, self.keep.as_deref(), &words)?;
        match self.format {
            Form::Table => print(&page::page(&report, text::width()))?,
            Form::Json => print_json(&report)?,
            Form::Junit => print(&junit::conformance(&report))?,
        }
        match report.with(Status::Failed).count() as u64 {
            0 => Ok(()),
            failed => {
                let all = text::counted(report.checks.len() as u64, "check");
                Err(Failure::Check(format!("{} of {all} failed", text::count(failed))))
            }
        }
    }

    fn cases(&self, registry: &Registry, policies: [Option<&Chosen>; 2]) -> Result<Vec<Case>, Failure> {
        let (events, overrun) = (self.events, self.overrun);
        let budget = self.limits.limits().budget(&Budget::of_a_case());
        let Some(path) = &self.on else {
            let all = || policies.into_iter().flatten();
            let mut scenes = Scenes::of(all());
            let hosts_only = all().any(is_of_batsim).then_some(1);
            // Schedulers of Batsim hear of hosts out of service only in simulations that have external events.
            scenes.calendars &= hosts_only.is_none();
            let resources = self.resources.map(usize::from).or(hosts_only);
            let kinds = Kinds { events, overrun, resources, budget, scenes };
            let processes = all().any(|chosen| starts_process(&chosen.canonical()));
            let count = self.cases.unwrap_or(if processes { CASES_OF_PROCESSES } else { CASES });
            let mut cases = kinds.cases(count as usize, self.seed);
            // Batsim has no limits of zero, and ends jobs at their limits.
            for case in
                cases.iter_mut().filter(|case| hosts_only.is_some() && case.overrun == Overrun::Overdue)
            {
                case.overrun = overrun.unwrap_or(Overrun::Kill);
            }
            let records = cases.iter_mut().flat_map(|case| &mut case.records);
            let is_zero = |record: &&mut Record| {
                [Field::RequestedTime, Field::Run].iter().all(|&field| record.get(field).to_micro() <= 0)
            };
            for record in records.filter(is_zero).filter(|_| hosts_only.is_some()) {
                record.set_whole(Field::RequestedTime, 1);
            }
            return Ok(cases);
        };
        let machine = self.machine.as_deref().map(read_text).transpose()?;
        let trace = self.source.read(registry, path)?;
        let (order, overrun) = (events.unwrap_or_default(), overrun.unwrap_or_default());
        let case = Case {
            order,
            overrun,
            budget,
            calendar: self.calendar.as_deref().map(read_text).transpose()?,
            foresight: self.foresight,
            dependencies: self.dependencies,
            layout: self.layout,
            ..Case::of(&trace, machine, self.seed)
        };
        case.play().map_err(|error| Failure::Input(format!("{path}: {error}")))?;
        Ok(vec![case])
    }
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(CHECKS.iter().map(|check| check.name))
}

/// Runs something in which policies may panic, without printing the panic: the report has its message.
fn silently<T>(work: impl FnOnce() -> T) -> T {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = work();
    panic::set_hook(hook);
    done
}
