//! Leinberger, Karypis and Kumar 1999, section 3: EASY backfilling with K resources, and whom it takes.

use super::{Clock, Job, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

const ALL: i64 = 1_000_000;

/// The score of a candidate, given what is in use; the lowest goes first, among equals the first in the queue.
type Score = fn(&[i64], &[i64]) -> f64;

/// FF: the first.
fn first(_: &[i64], _: &[i64]) -> f64 {
    0.0
}

/// BB without its factor for fullness: the greatest use over the mean use.
fn balance(used: &[i64], need: &[i64]) -> f64 {
    let sums: Vec<i64> = used.iter().zip(need).map(|(used, need)| used + need).collect();
    let (sum, most) = (sums.iter().sum::<i64>(), *sums.iter().max().unwrap());
    if sum == 0 { 1.0 } else { most as f64 * sums.len() as f64 / sum as f64 }
}

/// BB as printed.
fn product(used: &[i64], need: &[i64]) -> f64 {
    let sum: i64 = used.iter().chain(need).sum();
    balance(used, need) * (1.0 - sum as f64 / (ALL * used.len() as i64) as f64)
}

/// BL with w = 1: how many resources are used less than the one of which the job needs most.
fn lowest(used: &[i64], need: &[i64]) -> f64 {
    let most = need.iter().max().unwrap();
    let mut order: Vec<usize> = (0..used.len()).collect();
    order.sort_by_key(|&at| used[at]);
    order.iter().position(|&at| need[at] == *most).unwrap() as f64
}

fn simulated(jobs: &[Job], score: Score) -> Vec<i64> {
    let kinds = jobs[0].needs.len();
    let (mut clock, mut queue) = (Clock::new(jobs, vec![ALL; kinds]), Vec::<usize>::new());
    while let Some((now, here)) = clock.next() {
        queue.extend(here);
        clock.start_heads(&mut queue, now);
        let Some(&head) = queue.first() else { continue };
        // The reservation of the head: the first end at which it fits, and what is left beside it.
        let mut ends: Vec<i64> = clock.ends.values().copied().collect();
        ends.sort_unstable();
        let beside = |end: i64| -> Vec<i64> {
            let given = |kind: usize| {
                clock
                    .ends
                    .iter()
                    .filter(|(_, at)| **at <= end)
                    .map(move |(&job, _)| jobs[job].needs[kind])
                    .sum::<i64>()
            };
            (0..kinds).map(|kind| clock.free[kind] + given(kind) - jobs[head].needs[kind]).collect()
        };
        let shadow = ends.into_iter().find(|&end| beside(end).iter().all(|&left| left >= 0)).unwrap();
        let mut extra = beside(shadow);
        loop {
            let used: Vec<i64> = clock.free.iter().map(|free| ALL - free).collect();
            let keeps = |job: usize| {
                now + jobs[job].run <= shadow
                    || jobs[job].needs.iter().zip(&extra).all(|(need, left)| need <= left)
            };
            let candidates = queue[1..].iter().copied().filter(|&job| clock.fits(job) && keeps(job));
            let best = candidates.min_by(|&one, &other| {
                score(&used, &jobs[one].needs).total_cmp(&score(&used, &jobs[other].needs))
            });
            let Some(job) = best else { break };
            if now + jobs[job].run > shadow {
                extra.iter_mut().zip(&jobs[job].needs).for_each(|(left, need)| *left -= need);
            }
            queue.retain(|&other| other != job);
            clock.start(job, now);
        }
    }
    clock.starts
}

const STEPS: &str = include_str!("steps.toml");

#[test]
fn the_heuristics_of_leinberger_are_recomputed_for_four_resources() {
    let folder = Folder::new();
    let mut count = 0;
    for seed in ["1", "2"] {
        let options = ["--jobs", "600", "--procs", "128", "--seed", seed, "--set", "repeats=off"];
        assert_eq!(
            folder.run(&[&["generate", "feitelson97", "-o", "a.swf", "-q"], &options[..]].concat()).code,
            0
        );
        folder.write("steps.toml", STEPS);
        assert_eq!(
            folder.run(&["shape", "a.swf", "--steps", "steps.toml", "-o", "b.swf", "--seed", seed]).code,
            0
        );
        let jobs = jobs(&folder.read("b.swf"));
        let policies: [(&str, Score); 4] = [
            ("ff-easy", first),
            ("bb-easy:fullness=off", balance),
            ("bb-easy", product),
            ("bl-easy", lowest),
        ];
        for (policy, score) in policies {
            let theirs = replayed(&folder, "b.swf", &["--estimate", "actual"], policy);
            count += equal_starts(&jobs, &simulated(&jobs, score), &theirs, policy);
        }
    }
    is_stated(
        "leinberger99",
        count,
        "FF-EASY, BB-EASY (printed and without its factor) and BL-EASY with K = 4",
    );
}
