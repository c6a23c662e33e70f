mod closures;
mod copies;
mod side;

use batchlab_traces::Time;
use batchlab_traces::reading::parse_duration;
use clap::value_parser;

use super::arguments::{FORM, OptionRow, THREADS, arguments, option, place, values};
use super::terminal::form::print_table;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::options::Files;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::settings::measure::MeasureSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::replay::what_if::{Changed, Shaking, what_if_table};
use crate::replay::{ResultRow, tell_rejected};
use closures::reached_by_requests;
use copies::{Copies, ReplayedSide};
use side::{Side, SideOptions, words};

arguments! {
    /// Replay a log before and after a change: a row for each change, with the range over shaken copies of the log
    ///
    /// The options of `replay` describe the system as it is. Each --after lists the options that differ after a change: the
    /// machine, limits, a calendar, another policy, another reading of the log. Both sides replay the same jobs, and the same
    /// copies of the log in which each submission is moved a little. The range of the change over these copies shows how far
    /// the result depends on details of the log that nobody controls. It is no confidence interval: the copies are one log.
    #[command(after_help = "\
Example: batchlab what-if KTH-SP2.swf.gz --after 'more: --procs 128'
         batchlab what-if sacct.gz --classes 'x=user = 12' --after '--limits x.toml'")]
    pub struct WhatIf {
        trace: String = place("trace", "TRACE", "The log: a file, packed or not").reads(),
        after: Vec<String> = option(
            "after", "[NAME:] OPTIONS", "The options that change, as one text; an option of the same name (or one that excludes \
             it) is replaced, a file of --slurm takes the place of those of its kind, and --set changes one setting. Words \
             before the first option are the name of the change. May be given several times, for a row each",
        ).required().hyphens().files(Files::Options),
        before: String =
            option("before", "OPTIONS", "Options that hold before the changes only, as one text")
                .default_unshown("")
                .hyphens()
                .files(Files::Options),
        options: SideOptions,
        plugins: PluginSettings,
        measure: MeasureSettings,
        copies: u32 = option("copies", "N", "Number of shaken copies of the log")
            .default("20")
            .heading("Shaking")
            .by(|arg| arg.value_parser(value_parser!(u32).range(2..=1000))),
        shake: Time =
            option("shake", "TIME", "In the copies, each submission is moved by at most this time; jobs keep their order")
                .default("1m")
                .heading("Shaking"),
        format: String = FORM.heading("Output"),
        threads: Option<usize> = OptionRow { value: "N", ..THREADS }.heading("Output"),
    }
}

/// The metrics of the table, unless others are requested.
const METRICS: &str = "mean_wait,p95_wait,utilization";

impl WhatIf {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let form = TableForm::any(&self.format)?;
        if self.trace == "-" {
            let what = "what-if reads its log more than once: save it to a file instead of standard input";
            return Err(Failure::Usage(what.into()));
        }
        let typed = &self.plugins.typed(registry)?;
        let of_files = &self.plugins.of_files(registry)?;
        let copies = Copies {
            count: self.copies,
            shake: self.shake,
            measure: &self.measure,
            metrics: METRICS,
            threads: self.threads,
        };
        let before = Side::new("before", &self.trace, &self.options.0, &words(&self.before)?)?;
        let changes = self.after.iter().map(|text| Change::of(text)).collect::<Result<Vec<_>, _>>()?;
        let sides = changes.iter().enumerate().map(|(at, change)| self.side(change, &changes[..at]));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let mut first = copies.replay(&before, typed, of_files)?;
        tell::prepared(&first.prepared, before.quiet());
        let (mut metrics, mut after) = (first.metrics.clone(), Vec::new());
        for (side, change) in sides.iter().zip(&changes) {
            let replayed = copies.replay(side, typed, of_files)?;
            if !before.quiet() {
                tell_replaced(side, &change.name);
                tell_new(&first, &replayed, &change.name);
                if let Some(words) = reached_by_requests(&first.prepared, &replayed.prepared) {
                    tell::note(&format!("after {}: {words}", change.name));
                }
            }
            after.push(replayed);
        }
        let sides = [&mut first].into_iter().chain(&mut after).map(|side| &mut side.shaken);
        let mut rows: Vec<&mut ResultRow> =
            sides.flat_map(|side| [&mut side.row].into_iter().chain(&mut side.copies)).collect();
        tell_rejected(&mut metrics, &mut rows);
        let changes = changes.iter().zip(&after);
        let changes = changes.map(|(change, side)| Changed {
            name: &change.name,
            conditions: &side.conditions,
            results: &side.shaken,
        });
        let changes: Vec<Changed<'_>> = changes.collect();
        let measured = (&metrics[..], &first.classes[..]);
        let shaking = Shaking { copies: self.copies, most: self.shake };
        print_table(form, &what_if_table(&first.conditions, measured, &first.shaken, &changes, shaking))
    }

    fn side(&self, change: &Change, earlier: &[Change]) -> Result<Side, Failure> {
        if earlier.iter().any(|known| known.name == change.name) {
            return Err(Failure::Usage(format!("--after has `{}` twice", change.name)));
        }
        Side::new("after", &self.trace, &self.options.0, &change.options)
    }
}

struct Change {
    /// Its name; without one, its options.
    name: String,
    /// Its options as words.
    options: Vec<String>,
}

impl Change {
    fn of(text: &str) -> Result<Change, Failure> {
        let mut name = words(text)?;
        let first = name.iter().position(|word| word.starts_with('-')).unwrap_or(name.len());
        let options = name.split_off(first);
        if options.is_empty() {
            let what =
                format!("--after '{text}' has no option: list those that change, such as '--procs 256'");
            return Err(Failure::Usage(what));
        }
        let name = match name.join(" ").trim_end_matches(':') {
            "" => text.trim().to_owned(),
            name => name.to_owned(),
        };
        Ok(Change { name, options })
    }
}

/// Prints which files of --slurm a side has in the place of which, and those that it keeps.
fn tell_replaced(side: &Side, change: &str) {
    if !side.replaced.is_empty() {
        let files = side.scenario.slurm.words().unwrap_or_default();
        tell::note(&format!("after {change}: --slurm {files} ({} replaced)", side.replaced.join(", ")));
    }
}

/// Prints the findings of one side that the other does not have.
fn tell_new(before: &ReplayedSide, after: &ReplayedSide, change: &str) {
    let known = before.prepared.findings.list();
    let new = after.prepared.findings.list().iter();
    let new: Vec<_> = new.filter(|finding| !known.contains(finding)).collect();
    if !new.is_empty() {
        tell::note(&format!("after {change}:"));
        tell::finding_list(new);
    }
}

values!(Time: shake);

fn shake(text: &str) -> Result<Time, String> {
    let time = parse_duration(text).map_err(|error| error.to_string())?;
    if time >= Time::from_secs(1) { Ok(time) } else { Err("it must be at least 1 s".into()) }
}
