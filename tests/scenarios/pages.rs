//! The scenarios in `pages/*.txt`: jobs, machines, policies, and the expected start of each job, all computed by hand.
//!
//! ```text
//! # a comment
//! == the name of a scenario
//! job submit run estimate procs -> easy fcfs     the jobs, and their starts in columns, in seconds
//! 1   0      10  10       3     -> 0    0
//! on procs 4; nodes 2; SETTING; …                the machine, and how the following policies are replayed
//! limits                                         a file of limits, priorities or `calendar FORESIGHT`, indented by four spaces
//! easy <- easy:place=best-fit; lookahead         policies give the starts of a column
//! run gs:mpl=2; lookahead                        policies that are checked only by what follows
//! starts 0 10                                    the start of each job
//! ends 10 20                                     the end of each job
//! runs 1: 0-10 30-50                             when a job ran
//! fates finished killed                          how the jobs ended
//! lost 2: 1-10, 1: 0-10                          the runs that were lost, or `none`
//! places 1 at 20: 0 1.2                          the nodes of a job, with the device on each, if it has one
//! swaps 1: 2 of 3 in 4                           how often a job was swapped out, of its suspensions, and the seconds of that
//! tally slipped reservations: 1                  a count of the policy or the engine; `none` tells no counts at all
//! refused fcfs:k=2: why                          the policy is refused with these words; behind `...` with these among others
//! value mean_wait: 7.5                           a metric, or `none`
//! ties scores: 4 of 6                            decisions among equals, of all
//! ```

use std::path::Path;

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::IntervalKind;
use batchlab::replay::engine::Scenario;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{JobId, Time};
use batchlab::{Outcome, Registry};
use rayon::prelude::*;

use crate::lab::{Page, page, try_play};

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

fn refused(page: &Page, line: &str) {
    let (spec, words) = line.split_once(": ").unwrap();
    let error = match Registry::builtin().choose(spec) {
        Ok(_) => try_play(&page.play(), spec).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    let is_so = words.strip_prefix("...").map_or(error == words, |part| error.contains(part));
    assert!(is_so, "{error}");
}

/// Compares an outcome with a line such as `ends 10 20`.
fn check(page: &Page, outcome: &Outcome, line: &str) {
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
        "fates" => {
            let fates = (0..outcome.start.len() as u32).map(|job| outcome.fate(JobId(job)));
            assert_eq!(
                fates.map(|fate| format!("{fate:?}").to_lowercase()).collect::<Vec<_>>().join(" "),
                expected
            );
        }
        "value" => {
            let (key, expected) = expected.split_once(": ").unwrap();
            let Scenario { workload, machine, .. } = page.play().scenario;
            let measured = Measurement::new(&workload, &machine, outcome, MeasureOptions::default()).unwrap();
            let value = Catalogue::new(&machine, &[]).find(key).unwrap().value(&measured);
            assert_eq!(value.map_or("none".to_owned(), |value| value.to_string()), expected);
        }
        "tally" if expected == "none" => assert!(outcome.tallies.is_empty(), "{:?}", outcome.tallies),
        "tally" => {
            let (name, count) = expected.split_once(": ").unwrap();
            assert_eq!(outcome.tallies.get(name), Some(&count.parse().unwrap()));
        }
        _ => assert_eq!(told(outcome, what, expected.split(": ").next().unwrap()), expected),
    }
}

/// What an outcome says about losses, places, swaps or ties, as a page writes it.
fn told(outcome: &Outcome, what: &str, of: &str) -> String {
    let job = |name: &str| JobId(name.parse::<u32>().unwrap() - 1);
    match what {
        "lost" => {
            let runs = outcome.lost.iter().map(|run| (run.job.0 + 1, run.from.secs(), run.to.secs()));
            let runs: Vec<_> = runs.map(|(job, from, to)| format!("{job}: {from}-{to}")).collect();
            if runs.is_empty() { "none".to_owned() } else { runs.join(", ") }
        }
        "places" => {
            let (name, at) = of.split_once(" at ").unwrap();
            let places = outcome.places.at(job(name), Time::from_secs(at.parse().unwrap()));
            let place = places.iter().map(|at| match at.devices {
                0 => at.node.to_string(),
                devices => format!("{}.{devices}", at.node),
            });
            format!("{of}: {}", place.collect::<Vec<_>>().join(" "))
        }
        "swaps" => {
            let service = &outcome.services[job(of).index()];
            format!("{of}: {} of {} in {}", service.swaps, service.suspensions, service.swapping.secs())
        }
        "ties" => {
            let (all, equal) = outcome.ties[of];
            format!("{of}: {equal} of {all}")
        }
        other => panic!("unknown directive {other}"),
    }
}

fn replay(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut table, mut on): (String, Option<Page>) = Default::default();
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, at)) = lines.next() {
        let text = std::iter::from_fn(|| lines.next_if(|(line, _)| line.starts_with("    ")));
        let text: String = text.flat_map(|(line, _)| [line.trim(), "\n"]).collect();
        let step = std::panic::AssertUnwindSafe(|| match line.split_once(' ').unwrap_or((line, "")) {
            ("" | "#" | "==", _) => {}
            _ if line.contains(" <- ") => {
                let (column, specs) = line.split_once(" <- ").unwrap();
                outcomes = specs.split("; ").map(|spec| on.as_ref().unwrap().outcome(column, spec)).collect();
            }
            ("job", _) => table = format!("{line}\n"),
            (number, _) if number.parse::<u32>().is_ok() => {
                table.extend([line, "\n"]);
            }
            ("on", settings) => on = Some(set(&table, settings)),
            ("limits", _) => on = on.take().map(|page| page.limits(&text)),
            ("priorities", _) => on = on.take().map(|page| page.priorities(&text)),
            ("calendar", foresight) => on = on.take().map(|page| page.calendar(foresight, &text)),
            ("refused", words) => refused(on.as_ref().unwrap(), words),
            ("run", specs) => {
                outcomes = specs.split("; ").map(|spec| on.as_ref().unwrap().replay(spec)).collect();
            }
            _ => {
                assert!(!outcomes.is_empty(), "no replay");
                for outcome in &outcomes {
                    check(on.as_ref().unwrap(), outcome, line);
                }
            }
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
