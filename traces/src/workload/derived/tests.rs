//! A job keeps all its values in every workload that is made of others.

use super::*;
use crate::workload::{PlainJob, Standing};
use crate::{Layout, Machine, Number};

/// Returns jobs each of which has a value of its own in every column.
fn jobs(numbers: Range<i64>) -> Workload {
    let plain = |at: i64| PlainJob {
        estimate: Time::from_secs(200 + at),
        user: 400 + at,
        partition: 500 + at,
        ..PlainJob::secs(10 * at, 100 + at, vec![1 + at, 300 + at])
    };
    let mut jobs = Workload::from_jobs(&numbers.clone().map(plain).collect::<Vec<_>>());
    jobs.numbers = numbers.clone().map(Number::whole).collect();
    jobs.rows = numbers.clone().map(Number::whole).collect();
    jobs.submitted = numbers.clone().map(|at| Time::from_secs(10 * at - 1)).collect();
    jobs.memory = numbers.clone().map(|at| 600 + at).collect();
    jobs.patience = numbers.clone().map(|at| Time::from_secs(700 + at)).collect();
    jobs.tiers = numbers.clone().map(|at| at as i32).collect();
    jobs.admissions = numbers.clone().map(|at| 900 + at).collect();
    for at in numbers.clone() {
        jobs.layouts.push(Layout { per_node: 800 + at, ..Layout::of_tasks(1 + at, 1) });
    }
    let machine = Machine::uniform(64 * NODES as i64, NODES).unwrap();
    let sites: Vec<[usize; 1]> = numbers.map(|at| [at as usize]).collect();
    let bound: Vec<(JobId, &[usize])> = jobs.jobs().zip(&sites).map(|(job, on)| (job, &on[..])).collect();
    jobs.bound(&machine, bound).with_interactive(&"user > 405".parse().unwrap(), &machine).unwrap()
}

const NODES: usize = 32;

/// Returns all values of a job except its entry into the queue.
fn said(of: &Workload, job: JobId) -> String {
    let Workload { submit: _, seen: _, submitted, run, estimate: _, demand: _, rows, numbers, .. } = of;
    let at = of.position(job);
    let attributes: Vec<i64> = of.attributes.iter().map(|column| column.whole(at)).collect();
    let admitted: Vec<usize> = (0..NODES).filter(|&node| of.sites.admit(at, node)).collect();
    let times = (submitted[at], run[at], of.estimate(job), of.patience(job));
    let classes = (of.tier(job), of.admission(job));
    let known = (numbers.whole(at), rows.whole(at), of.demand(job), attributes, of.memory[at], classes);
    format!("{times:?} {known:?} {:?} {admitted:?} {}", of.layout(job), of.is_interactive(job))
}

/// Checks that each job has the values that it had in the workloads that it comes from.
fn holds(derived: &Workload, from: &[&Workload], count: usize) {
    assert_eq!(derived.len(), count);
    for job in derived.jobs() {
        let mut jobs = from.iter().flat_map(|of| of.jobs().map(move |job| (of, job)));
        let (of, before) = jobs.find(|(of, before)| of.number(*before) == derived.number(job)).unwrap();
        assert_eq!(said(derived, job), said(of, before));
    }
}

#[test]
fn a_job_keeps_every_value_in_windows_sections_entries_and_standings() {
    let all = jobs(1..21);
    let drops: Vec<bool> = (0..20).map(|at| at % 3 == 0).collect();
    holds(&all.without(&drops), &[&all], 13);
    holds(&all.section(5..9), &[&all], 4);
    let more = jobs(21..31);
    let next = all.onward(JobId(15), &more);
    assert_eq!(next.jobs().next(), Some(JobId(15)));
    holds(&next, &[&all, &more], 15);
    holds(&next.onward(JobId(28), &jobs(1..2)), &[&next, &all], 3);
    let mut entered = all.before_entries();
    for job in [3, 0, 7, 12].map(JobId) {
        entered.enter(&all, job, Time::from_secs(1000));
    }
    holds(&entered, &[&all], 4);
    assert!(entered.jobs().all(|job| entered.seen(job) == Time::from_secs(1000)));
    let ends: Vec<Time> = all.jobs().map(|job| all.submit(job) + Time::from_secs(35)).collect();
    let starts: Vec<Time> = all.jobs().map(|job| all.submit(job) + Time::from_secs(15)).collect();
    let standing = Standing::at(&all, &starts, &ends, Time::from_secs(100));
    let stood = all.standing(&standing);
    assert!(stood.jobs().all(|job| stood.patience(job).is_none()), "jobs of a standing are not cancelled");
    let patient = Workload { patience: Vec::new(), ..all.clone() };
    holds(&stood, &[&patient], standing.running.len() + standing.waiting.len() + standing.coming.len());
}

#[test]
fn columns_that_only_some_jobs_have_are_filled_for_the_others() {
    let plain = |at: i64| PlainJob::new(Time::from_secs(at), Time::SECOND, vec![4, 1]);
    let bare = Workload::from_jobs(&[plain(0), plain(1)]);
    let full = jobs(5..7);
    let both = bare.onward(JobId(0), &full);
    let of = |job: u32| JobId(job);
    assert_eq!([both.submitted(of(1)), both.submitted(of(2))], [1, 49].map(Time::from_secs));
    assert_eq!([both.told_memory(of(1)), both.told_memory(of(2))], [None, Some(605)]);
    assert_eq!([both.patience(of(0)), both.patience(of(3))], [None, Some(Time::from_secs(706))]);
    assert_eq!([both.tier(of(0)), both.tier(of(2))], [0, 5]);
    assert_eq!((both.layout(of(0)), both.layout(of(3)).per_node), (Layout::of_tasks(4, 1), 806));
    assert_eq!([0, 1, 2, 3].map(|job| both.is_interactive(of(job))), [false, false, false, true]);
    let admits = |job: u32, node: usize| both.sites.admit(both.position(of(job)), node);
    assert_eq!([admits(0, 9), admits(2, 9), admits(2, 5)], [true, false, true]);
    let none = bare.onward(JobId(1), &bare);
    assert!(none.submitted.is_empty() && none.layouts.is_empty() && none.tiers.is_empty());
}

#[test]
fn other_run_times_are_not_other_estimates() {
    let plain = |at: i64| PlainJob::new(Time::from_secs(at), Time::from_secs(60 + at), vec![1]);
    let exact = Workload::from_jobs(&[plain(0), plain(1)]);
    let times =
        |jobs: &Workload| jobs.jobs().map(|job| (jobs.run(job), jobs.estimate(job))).collect::<Vec<_>>();
    let secs = |run, estimate| (Time::from_secs(run), Time::from_secs(estimate));
    assert_eq!(times(&exact), [secs(60, 60), secs(61, 61)]);
    let shorter = exact.with_runs(vec![Time::from_secs(5), Time::from_secs(6)]);
    assert_eq!(times(&shorter), [secs(5, 60), secs(6, 61)]);
    assert_eq!(times(&shorter.clairvoyant()), [secs(5, 5), secs(6, 6)]);
    let both = exact.onward(JobId(1), &shorter);
    assert_eq!(times(&both), [secs(61, 61), secs(5, 60), secs(6, 61)]);
}
