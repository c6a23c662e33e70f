//! A replay of a stream gives the starts of a replay of the whole log, whatever the sections are.

use batchlab::Registry;
use batchlab::policies::spec::BuildError;
use batchlab::replay::engine::{Done, Run, Stream, replay_stream};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Time, Workload};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{event_orders, overruns, samples};
use crate::lab::{Play, bare, overrun, policies, try_play};

struct Sections {
    left: Vec<Workload>,
    done: Vec<(Time, Time)>,
    /// The most jobs that were in a section at a time.
    most: usize,
}

impl Sections {
    /// The first section, and the others.
    fn of(jobs: &[PlainJob], length: usize) -> (Workload, Sections) {
        let mut left: Vec<Workload> = jobs.chunks(length).map(Workload::from_jobs).collect();
        left.reverse();
        (left.pop().unwrap(), Sections { left, done: Vec::new(), most: 0 })
    }
}

impl Stream for Sections {
    fn more(&mut self) -> Option<Workload> {
        self.left.pop()
    }

    fn done(&mut self, jobs: &Workload, done: &Done) {
        assert_eq!(done.job.index(), self.done.len(), "jobs come back in the order of submission");
        assert!(done.end < done.start || done.end - done.start == jobs.run(done.job));
        self.most = self.most.max(jobs.len());
        self.done.push((done.start, done.end));
    }
}

/// Policies that neither choose nodes nor share time, with options that keep something about single jobs.
fn specs() -> Vec<String> {
    let policies = policies();
    let plain = policies.iter().filter(|spec| !spec.needs.time_sharing).map(bare);
    let further = [
        "easy:predictor=last2,predict=decision",
        "easy:predictor=quantile:0.5,predict=decision",
        "easy:predictor=expr(if(user_jobs>2,user_mean,last))",
        "easy:order=expr(estimate*procs)",
        "easy:threshold=5",
        "limits:user-jobs=2",
    ];
    plain.chain(further.map(str::to_owned)).collect()
}

fn stream(whole: &Play, jobs: &[PlainJob], length: usize, spec: &str) -> Result<Sections, BuildError> {
    let (first, mut sections) = Sections::of(jobs, length);
    let mut scenario = whole.scenario.clone();
    scenario.workload = first.into();
    let chosen = Registry::builtin().choose(spec).unwrap();
    let mut policy = chosen.build(&scenario.setting(whole.overrun))?;
    let name = chosen.canonical();
    replay_stream(&scenario, &name, chosen.needs(), policy.as_mut(), Run::default(), &mut sections).unwrap();
    Ok(sections)
}

proptest! {
    #[test]
    fn a_stream_is_replayed_as_the_whole_log(
        sample in samples(),
        spec in select(specs()),
        length in 1usize..12,
        order in event_orders(),
        rule in overruns(),
    ) {
        let mut jobs: Vec<PlainJob> = sample.jobs.iter().map(|job| overrun(rule, job)).collect();
        jobs.sort_by_key(|job| job.submit);
        let whole = sample.play(rule).events(order);
        let streamed = stream(&whole, &jobs, length, &spec);
        match (try_play(&whole, &spec), streamed) {
            (Ok((outcome, _)), Ok(sections)) => {
                let expected: Vec<(Time, Time)> = outcome.start.into_iter().zip(outcome.end).collect();
                prop_assert_eq!(sections.done, expected, "{}", spec);
            }
            (Err(_), Err(_)) => {}
            (whole, streamed) => prop_assert!(false, "{spec}: {:?}, {:?}", whole.err(), streamed.err()),
        }
    }
}

#[test]
fn every_policy_replays_a_stream_without_asking_about_jobs_that_have_gone() {
    // Bursts that leave the machine empty in between, with jobs that end as they start.
    let job = |at: i64| {
        let run = Time::from_secs(at * 7 % 4);
        PlainJob {
            estimate: run + Time::from_secs(at % 3),
            user: at % 4,
            ..PlainJob::new(Time::from_secs(at / 9 * 9), run, vec![1 + at % 3])
        }
    };
    let jobs: Vec<PlainJob> = (0..90).map(job).collect();
    let whole = Play::new(batchlab::traces::Machine::pool(4).unwrap(), Workload::from_jobs(&jobs));
    for order in ["batch", "submit-first"] {
        let whole = whole.events(order);
        for spec in specs() {
            let Ok((outcome, _)) = try_play(&whole, &spec) else { continue };
            let sections = stream(&whole, &jobs, 5, &spec).unwrap();
            let expected: Vec<(Time, Time)> = outcome.start.into_iter().zip(outcome.end).collect();
            assert_eq!(sections.done, expected, "{spec}");
        }
    }
}

#[test]
fn a_section_holds_the_jobs_alive_and_those_to_come() {
    // A job every second, each alone on the machine for a second: two or three are alive at a time.
    let job = |at: i64| PlainJob { user: 1, ..PlainJob::secs(at, 1, vec![1]) };
    let jobs: Vec<PlainJob> = (0..1000).map(job).collect();
    let whole = Play::new(batchlab::traces::Machine::pool(1).unwrap(), Workload::from_jobs(&jobs));
    let sections = stream(&whole, &jobs, 10, "easy").unwrap();
    assert_eq!(sections.done.len(), 1000);
    assert!(sections.most <= 13, "{} jobs in a section", sections.most);
}
