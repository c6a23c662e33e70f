//! Whether decisions depend on the future.

use batchlab_support::spec::Chosen;
use batchlab_traces::reading::Overrun;
use batchlab_traces::{JobId, Time, Workload};

use super::Check;
use crate::conform::attempt::{Miss, Play, Trial};
use crate::conform::same::both;
use batchlab_engine::outcome::Outcome;
use batchlab_engine::replay::engine::Scenario;

pub const CHECK: Check = Check {
    name: "blind",
    what: "the run time of a job does not influence decisions before it ends, unless the policy declares \
        that it uses it (clairvoyance)",
    how: "on every fourth case: at some instants of the schedule the run times of all jobs that have not ended by then \
          are made as short, and as long, as they can be; the case is replayed, and up to the instant nothing may \
          change",
    run: |suite, tally| {
        tally.each(suite.chosen, suite.every(4), |chosen, play| {
            if chosen.needs().clairvoyance {
                return Err(Miss::Skipped("it declares that it looks at run times".into()));
            }
            trial(chosen, play)
        });
    },
};

/// The instants that are tested, spread over the starts.
const INSTANTS: usize = 3;

const WAYS: [(&str, Way); 2] = [("short", shortest), ("long", longest)];

type Way = fn(&RunBounds<'_>) -> Time;

struct RunBounds<'a> {
    workload: &'a Workload,
    job: JobId,
    /// The longest time that it has been on the machine without a break by the instant; negative if it has not been.
    since: Time,
    overrun: Overrun,
}

fn trial(chosen: &Chosen, play: &Play) -> Trial {
    let Ok(seen) = play.replay(chosen)?.outcome else {
        return Err(Miss::Skipped("its replay does not come to an end".into()));
    };
    let workload = &play.scenario.workload;
    let seen = seen.with_identities_of_log(workload);
    for at in instants(workload, &seen) {
        for (name, way) in WAYS {
            let runs: Vec<Time> = workload.jobs().map(|job| changed(play, &seen, job, at, way)).collect();
            if workload.jobs().zip(&runs).all(|(job, &run)| run == workload.run(job)) {
                continue;
            }
            let scenario = Scenario { workload: workload.with_runs(runs).into(), ..play.scenario.clone() };
            // A policy that fails with other run times fails on a case of its own.
            let Ok(other) = (Play { scenario, overrun: play.overrun }).replay(chosen)?.outcome else {
                continue;
            };
            let other = other.with_identities_of_log(workload);
            let parted = |&job: &JobId| parts(&seen, &other, job, at);
            if let Some(job) = workload.jobs().find(parted) {
                return Err(Miss::Broken(format!(
                    "up to {at} s it decides otherwise when the jobs that have not ended by then run as {name} as they \
                     can: job {}, {}",
                    workload.number(job),
                    both(&seen, &other, job)
                )));
            }
        }
    }
    Ok(())
}

fn instants(workload: &Workload, outcome: &Outcome) -> Vec<Time> {
    let mut starts: Vec<Time> = workload.jobs().map(|job| outcome.start(job)).collect();
    starts.sort_unstable();
    starts.dedup();
    let count = starts.len();
    let mut chosen: Vec<Time> =
        (0..INSTANTS).filter_map(|at| starts.get((2 * at + 1) * count / (2 * INSTANTS)).copied()).collect();
    chosen.dedup();
    chosen
}

/// Returns the changed run time of a job: its own, if it has ended by the instant.
fn changed(play: &Play, seen: &Outcome, job: JobId, at: Time, way: Way) -> Time {
    let workload = &play.scenario.workload;
    if seen.end(job) <= at {
        return workload.run(job);
    }
    // A job that lost its work did not end while it was on the machine before.
    let runs = seen.lost.iter().filter(|run| run.job == job && run.from < at);
    let longest_lost = runs.map(|run| run.to.min(at) - run.from).max();
    let since = longest_lost.map_or(at - seen.start(job), |lost| lost.max(at - seen.start(job)));
    way(&RunBounds { workload, job, since, overrun: play.overrun })
}

/// Returns the shortest run time with which a job would not have ended by the instant.
fn shortest(bounds: &RunBounds<'_>) -> Time {
    bounds.workload.run(bounds.job).min(bounds.since.max(Time::ZERO) + Time::SECOND)
}

/// Returns the longest run time that the rule for overruns allows.
fn longest(bounds: &RunBounds<'_>) -> Time {
    let (run, estimate) = (bounds.workload.run(bounds.job), bounds.workload.estimate(bounds.job));
    match bounds.overrun {
        Overrun::Overdue => run.max(estimate).saturating_add(Time::from_secs(60)),
        Overrun::Raise | Overrun::Kill if estimate > bounds.since => estimate,
        // Only a job that was paused can have been on the machine for longer than its estimate; it keeps its run time.
        Overrun::Raise | Overrun::Kill => run,
    }
}

/// Whether a job starts or ends differently, or on other nodes, up to an instant.
fn parts(seen: &Outcome, other: &Outcome, job: JobId, at: Time) -> bool {
    let unlike = |one: Time, two: Time| one != two && one.min(two) <= at;
    let start = seen.start(job);
    !starts(seen, job, at).eq(starts(other, job, at))
        || unlike(seen.end(job), other.end(job))
        || start <= at
            && start == other.start(job)
            && seen.places.at(job, start) != other.places.at(job, start)
}

/// Returns when a job started up to an instant, including runs that lost their work.
fn starts(outcome: &Outcome, job: JobId, at: Time) -> impl Iterator<Item = Time> {
    let lost = outcome.lost.iter().filter(move |run| run.job == job).map(|run| run.from);
    lost.chain([outcome.start(job)]).filter(move |&start| start <= at)
}

#[cfg(test)]
mod tests {
    use batchlab_policies::Registry;
    use batchlab_support::policy::PolicyError;
    use batchlab_support::{Needs, Policy, PolicySpec, Turn};

    use super::*;
    use crate::conform::cases;

    /// A policy that starts, of all jobs that fit, the one with the shortest run time.
    struct Seer;

    impl Policy for Seer {
        fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
            loop {
                let fits = turn.waiting().filter(|&job| turn.fits(job));
                let Some(next) = fits.min_by_key(|&job| turn.oracle().map(|oracle| oracle.run(job))) else {
                    return Ok(());
                };
                turn.start(next)?;
            }
        }
    }

    const SEER: PolicySpec = PolicySpec {
        name: "seer",
        family: "tests",
        summary: "the shortest job first, as it will turn out",
        cite: batchlab_traces::Citation::foreign("this test"),
        rule: "",
        params: &[],
        needs: Needs { clairvoyance: true, ..Needs::POOL },
        build: |_, _| Ok(Box::new(Seer)),
    };

    #[test]
    fn who_looks_at_run_times_is_seen_and_who_does_not_is_not() {
        let mut registry = Registry::builtin();
        registry.register(SEER).unwrap();
        let tries = |spec: &str| -> Vec<Trial> {
            let chosen = registry.choose(spec).unwrap();
            cases(40, 1).iter().map(|case| trial(&chosen, &case.play().unwrap())).collect()
        };
        let found =
            |trials: &[Trial]| trials.iter().filter(|trial| matches!(trial, Err(Miss::Broken(_)))).count();
        let (seer, easy) = (tries("seer"), tries("easy:predictor=last2"));
        assert!(found(&seer) > 5, "{seer:?}");
        assert_eq!(found(&easy), 0, "{easy:?}");
    }

    #[test]
    fn run_times_are_changed_within_what_is_told() {
        for case in cases(40, 2) {
            let play = case.play().unwrap();
            let workload = &play.scenario.workload;
            let easy = Registry::builtin().choose("easy").unwrap();
            let seen = play.replay(&easy).unwrap().outcome.unwrap();
            for at in instants(workload, &seen) {
                for (_, way) in WAYS {
                    for job in workload.jobs() {
                        let run = changed(&play, &seen, job, at, way);
                        let ended = seen.end(job) <= at;
                        assert!(if ended {
                            run == workload.run(job)
                        } else {
                            seen.start(job) + run > at || seen.start(job) > at
                        });
                        assert!(run <= workload.estimate(job) || play.overrun == Overrun::Overdue);
                    }
                }
            }
        }
    }
}
