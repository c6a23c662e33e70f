//! The scenarios in `pages/*.txt`: jobs, machines, policies, and the expected start of each job, all computed by hand.
//!
//! ```text
//! # a comment
//! == the name of a scenario
//! job submit run estimate procs -> easy fcfs     the jobs, and their starts in columns, in seconds
//! 1   0      10  10       3     -> 0    0
//! on procs 4; nodes 2; SETTING; …                the machine, and how the following policies are replayed
//! limits                                         a file of limits, priorities or `calendar FORESIGHT`, indented by four spaces
//! easy <- easy:place=best-fit                    a policy gives the starts of a column
//! run gs:mpl=2                                   a policy that is checked only by what follows
//! starts 0 10                                    the start of each job
//! ends 10 20                                     the end of each job
//! runs 1: 0-10 30-50                             when a job ran
//! tally slipped reservations: 1                  a count of the policy or the engine
//! ```

use std::path::Path;

use batchlab::Outcome;
use batchlab::outcome::IntervalKind;
use batchlab::traces::reading::Overrun;
use rayon::prelude::*;

use crate::lab::{Page, page};

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// The table on a machine with these settings, which `;` separates.
fn set(table: &str, settings: &str) -> Page {
    let mut settings = settings.split("; ").map(|setting| setting.split_once(' ').unwrap_or((setting, "")));
    let procs = settings.next().filter(|(name, _)| *name == "procs").expect("procs first").1;
    let page = page(procs.parse().unwrap(), table);
    settings.fold(page, |page, (name, value)| match (name, value) {
        ("nodes", count) => page.nodes(count.parse().unwrap()),
        ("node", each) => {
            let nodes: Vec<Vec<i64>> = each.split(" / ").map(numbers).collect();
            page.unequal(&nodes.iter().map(Vec::as_slice).collect::<Vec<_>>())
        }
        ("partitions", each) => {
            let nodes: Vec<Vec<i64>> = each.split(" / ").map(numbers).collect();
            page.partitions(&nodes.iter().map(Vec::as_slice).collect::<Vec<_>>())
        }
        ("tasks", of) => page.tasks_of(of.strip_prefix("of ").unwrap().parse().unwrap()),
        ("devices", device) => {
            let (resource, size) = device.split_once(' ').unwrap();
            page.devices(resource, size.parse().unwrap())
        }
        ("by", "node") => page.by_node(),
        ("slurm", "") => page.slurm(),
        ("events", order) => page.events(order),
        ("overrun", "kill") => page.overrun(Overrun::Kill),
        ("overrun", "overdue") => page.overrun(Overrun::Overdue),
        ("interactive", condition) => page.interactive(condition),
        (resource, amount) => page.with(resource, amount.parse().unwrap()),
    })
}

/// Compares an outcome with a line such as `ends 10 20`.
fn check(outcome: &Outcome, line: &str) {
    let (what, expected) = line.split_once(' ').unwrap();
    match what {
        "starts" => {
            let starts: Vec<f64> = outcome.start.iter().map(|start| start.secs()).collect();
            assert_eq!(starts, numbers::<f64>(expected));
        }
        "ends" => {
            let ends: Vec<f64> = outcome.end.iter().map(|end| end.secs()).collect();
            assert_eq!(ends, numbers::<f64>(expected));
        }
        "runs" => {
            let (job, expected) = expected.split_once(": ").unwrap();
            let all = outcome.all_intervals();
            let own = all
                .iter()
                .filter(|part| (part.job.0 + 1).to_string() == job && part.kind == IntervalKind::Run);
            let own: Vec<String> =
                own.map(|part| format!("{}-{}", part.from.secs(), part.to.secs())).collect();
            assert_eq!(own.join(" "), expected);
        }
        "tally" => {
            let (name, count) = expected.split_once(": ").unwrap();
            assert_eq!(outcome.tallies.get(name), Some(&count.parse().unwrap()));
        }
        other => panic!("unknown directive {other}"),
    }
}

/// Replays all scenarios of a file; a failure names the line.
fn replay(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut table, mut on): (String, Option<Page>) = Default::default();
    let mut outcome: Option<Outcome> = None;
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, at)) = lines.next() {
        let text = std::iter::from_fn(|| lines.next_if(|(line, _)| line.starts_with("    ")));
        let text: String = text.flat_map(|(line, _)| [line.trim(), "\n"]).collect();
        let step = std::panic::AssertUnwindSafe(|| match line.split_once(' ').unwrap_or((line, "")) {
            ("" | "#" | "==", _) => {}
            _ if line.contains(" <- ") => {
                let (column, spec) = line.split_once(" <- ").unwrap();
                outcome = Some(on.as_ref().unwrap().outcome(column, spec));
            }
            ("job", _) => table = format!("{line}\n"),
            (number, _) if number.parse::<u32>().is_ok() => {
                table.extend([line, "\n"]);
            }
            ("on", settings) => on = Some(set(&table, settings)),
            ("limits", _) => on = on.take().map(|page| page.limits(&text)),
            ("priorities", _) => on = on.take().map(|page| page.priorities(&text)),
            ("calendar", foresight) => on = on.take().map(|page| page.calendar(foresight, &text)),
            ("run", spec) => outcome = Some(on.as_ref().unwrap().replay(spec)),
            _ => check(outcome.as_ref().unwrap(), line),
        });
        if let Err(panic) = std::panic::catch_unwind(step) {
            eprintln!("{}:{at}: {line}", path.display());
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn jobs_start_when_the_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/pages");
    let pages: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.par_iter().for_each(|page| replay(page));
}
