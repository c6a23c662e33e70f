//! Aida, Kasahara and Narita 1998, sections 2 and 3.

use std::cmp::Ordering;

use super::{Clock, Job, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

const LIMIT: i64 = 60_000_000;

/// FCFS, MPFS, LPFS, FPFS, FPMPFS: the newcomer goes ahead of jobs that come behind it by `order`, but of none over its
/// limit; then the head starts while it fits or, if the queue is `searched`, each job that fits, up to one over its limit.
fn simulated(jobs: &[Job], order: impl Fn(i64, i64) -> Ordering, searched: bool, limit: i64) -> Vec<i64> {
    let (mut clock, mut queue) = (Clock::new(jobs, vec![256]), Vec::<usize>::new());
    while let Some((now, here)) = clock.next() {
        let is_over = |job: usize| now - jobs[job].submit >= limit;
        for job in here {
            let stays =
                |&other: &usize| is_over(other) || order(jobs[other].needs[0], jobs[job].needs[0]).is_le();
            let at = queue.iter().rposition(stays).map_or(0, |at| at + 1);
            queue.insert(at, job);
        }
        let mut at = 0;
        while at < queue.len() {
            let job = queue[at];
            if clock.fits(job) {
                queue.remove(at);
                clock.start(job, now);
            } else if !searched || is_over(job) {
                break;
            } else {
                at += 1;
            }
        }
    }
    clock.starts
}

/// Backfilling as the paper describes it: FCFS, and jobs that do not delay the head start ahead of it. The plan takes each
/// job to run for a second at least, as the program's plans do.
fn backfilled(jobs: &[Job]) -> Vec<i64> {
    let planned = |job: usize| jobs[job].run.max(1_000_000);
    let (mut clock, mut queue) = (Clock::new(jobs, vec![256]), Vec::<usize>::new());
    while let Some((now, here)) = clock.next() {
        queue.extend(here);
        clock.start_heads(&mut queue, now);
        let Some(&head) = queue.first() else { continue };
        let mut ends: Vec<(i64, usize)> =
            clock.ends.keys().map(|&job| (clock.starts[job] + planned(job), job)).collect();
        ends.sort_unstable();
        let (mut extra, mut shadow) = (clock.free[0] - jobs[head].needs[0], now);
        for (end, job) in ends {
            if extra >= 0 && end > shadow {
                break;
            }
            extra += jobs[job].needs[0];
            shadow = end;
        }
        for job in queue.split_off(1) {
            let (need, in_time) = (jobs[job].needs[0], now + planned(job) <= shadow);
            if clock.fits(job) && (in_time || need <= extra) {
                extra -= if in_time { 0 } else { need };
                clock.start(job, now);
            } else {
                queue.push(job);
            }
        }
    }
    clock.starts
}

#[test]
fn the_schemes_of_aida_are_recomputed() {
    let folder = Folder::new();
    let mut count = 0;
    for seed in ["1", "2"] {
        let options = ["--jobs", "600", "--seed", seed, "--set", "load=0.9"];
        assert_eq!(
            folder.run(&[&["generate", "aida98", "-o", "a.swf", "-q"], &options[..]].concat()).code,
            0
        );
        let jobs = jobs(&folder.read("a.swf"));
        let (desc, asc) = (|one: i64, other: i64| other.cmp(&one), |one: i64, other: i64| one.cmp(&other));
        let by_arrival = |_: i64, _: i64| Ordering::Equal;
        for (policy, starts) in [
            ("fcfs", simulated(&jobs, by_arrival, false, LIMIT)),
            ("mpfs:waitlimit=60", simulated(&jobs, desc, false, LIMIT)),
            ("lpfs:waitlimit=60", simulated(&jobs, asc, false, LIMIT)),
            ("fpfs:waitlimit=60", simulated(&jobs, by_arrival, true, LIMIT)),
            ("fpmpfs:waitlimit=60", simulated(&jobs, desc, true, LIMIT)),
            ("fpmpfs", simulated(&jobs, desc, true, i64::MAX)),
            ("easy", backfilled(&jobs)),
        ] {
            count += equal_starts(
                &jobs,
                &starts,
                &replayed(&folder, "a.swf", &["--estimate", "actual"], policy),
                policy,
            );
        }
    }
    is_stated("aida98", count, "FCFS, MPFS, LPFS, FPFS, FPMPFS and backfilling");
}
