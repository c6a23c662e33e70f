//! Random tiers and preemption under every policy that takes them.

use batchlab::outcome::{Fate, IntervalKind};
use batchlab::traces::{JobId, Time};
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, all_specs, event_orders, overruns, samples};
use super::sites::sites;
use crate::lab::{bare, policies, try_play};

/// Three classes, by user, with any tier and any rule of preemption.
pub fn priorities() -> impl Strategy<Value = String> {
    let tier = select(vec!["", "priority = 10\n", "priority = -10\n", "priority = 3\n"]);
    let preempts = select(vec!["", "preempts = true\n", "preempts = -5\n"]);
    let preempted = select(vec![
        "",
        "preempted = \"requeue\"\n",
        "preempted = \"requeue\"\ngrace = 5\n",
        "preempted = \"requeue\"\ngrace = 3\nexempt = 4\n",
        "preempted = \"cancel\"\n",
        "preempted = \"cancel\"\ngrace = 7\n",
        "preempted = \"suspend\"\n",
        "preempted = \"suspend\"\n",
        "preempted = \"suspend\"\ngrace = 3\nexempt = 4\n",
    ]);
    let class = (tier, preempts, preempted).prop_map(|parts| format!("{}{}{}", parts.0, parts.1, parts.2));
    // A job of a tier below -5 cannot preempt below -5 only.
    let class = class.prop_filter("tier below its threshold", |class| {
        !(class.contains("priority = -10") && class.contains("preempts = -5"))
    });
    prop::collection::vec(class, 3).prop_map(|classes| {
        let of_user = |(user, class): (usize, String)| match class.as_str() {
            "" => String::new(),
            _ => format!("[[class]]\nuser = {user}\n{class}"),
        };
        classes.into_iter().enumerate().map(of_user).collect::<Vec<_>>().concat()
            + "[[class]]\nuser = 9\npriority = 1\n"
    })
}

/// Whether a policy takes no tiers.
fn declines(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default();
    name != "limits" && policies().iter().any(|known| known.name == name && !known.needs.tiers)
}

/// The urgent jobs, of user 0, take processors from those of user 2.
fn urgent(grace: i64) -> String {
    format!(
        "[[class]]\nuser = 0\npriority = 10\npreempts = true\n\
         [[class]]\nuser = [1, 2]\npriority = -10\npreempted = \"requeue\"\ngrace = {grace}\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// The checker finds nothing, lost runs included, and every job ends.
    #[test]
    fn every_policy_with_a_queue_takes_tiers_and_preemption(
        sample in samples(),
        specs in all_specs(),
        priorities in priorities(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events).priorities(&priorities);
        for spec in specs {
            let may_decline = declines(&spec)
                || ["variant=fixed", "share=false", "memory=on", "extra=", "keep=true"].iter().any(|word| spec.contains(word));
            let played = try_play(&scene, &spec);
            prop_assert!(played.is_ok() || may_decline, "{}: {:?}", spec, played.err());
        }
    }

    /// No work is lost where jobs are only suspended: every job does the work of its run time, and ends.
    #[test]
    fn suspended_jobs_do_all_their_work(
        sample in samples(),
        specs in all_specs(),
        (grace, exempt) in (0i64..6, 0i64..6),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let priorities = format!(
            "[[class]]\nuser = 0\npriority = 10\npreempts = true\n\
             [[class]]\nuser = 1\npreempts = true\npreempted = \"suspend\"\ngrace = {grace}\n\
             [[class]]\nuser = 2\npriority = -10\npreempted = \"suspend\"\nexempt = {exempt}\n"
        );
        let scene = sample.play(overrun).events(events).priorities(&priorities);
        for spec in specs {
            let Ok((outcome, _)) = try_play(&scene, &spec) else { continue };
            if !outcome.shares_time() {
                continue;
            }
            let workload = &scene.scenario.workload;
            let mut work = vec![Time::ZERO; workload.len()];
            for interval in outcome.all_intervals().iter().filter(|interval| interval.kind == IntervalKind::Run) {
                work[interval.job.index()] += interval.to - interval.from;
            }
            for job in workload.jobs().filter(|&job| outcome.fate(job) == Fate::Finished) {
                let done = outcome.lost.iter().all(|run| run.from == run.to);
                prop_assert!(done && work[job.index()] == workload.run(job), "{}: job {}", spec, workload.number(job));
            }
        }
    }

    /// On nodes with partitions the checker looks at every node.
    #[test]
    fn on_nodes_too(
        site in sites(),
        priorities in priorities(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events).priorities(&priorities);
        for spec in policies().iter().filter(|spec| spec.needs.tiers && !spec.needs.pool) {
            let played = try_play(&scene, &bare(spec));
            prop_assert!(played.is_ok() || spec.name == "mcbp" || spec.name == "bkfl", "{}: {:?}", spec.name, played.err());
        }
    }

    /// Beside limits and a calendar, too.
    #[test]
    fn beside_limits_and_calendars(
        sample in samples(),
        priorities in priorities(),
        limits in select(vec!["[[limit]]\nuser = \"*\"\nrunning_jobs = 2\n", "[[limit]]\nuser = 1\nprocs = 16\ncount = \"eligible\"\n"]),
        (from, length) in (0i64..60, 1i64..40),
        kind in select(vec!["outage", "drain", "maintenance"]),
        events in event_orders(),
    ) {
        let calendar = format!("[[event]]\nkind = \"{kind}\"\nfrom = {from}\nto = {}\nprocs = 1\n", from + length);
        let overrun = batchlab::traces::reading::Overrun::Raise;
        let scene = sample.play(overrun).events(events).limits(limits).priorities(&priorities).calendar(&calendar, "none");
        for spec in policies().iter().filter(|spec| spec.needs.tiers) {
            let played = try_play(&scene, &bare(spec));
            prop_assert!(played.is_ok(), "{}: {:?}", spec.name, played.err());
        }
    }

    /// All other jobs can be preempted: the head of the urgent jobs, under a policy that starts heads while they fit, waits
    /// for its grace time, and then only for other urgent jobs.
    #[test]
    fn no_urgent_job_waits_for_jobs_that_can_be_preempted(
        sample in samples(),
        spec in select(vec!["fcfs", "easy", "first-fit", "depth:k=1", "conservative", "conservative:variant=replan", "relaxed"]),
        grace in select(vec![0i64, 5]),
        events in select(vec!["batch", "submit-first", "finish-first"]),
    ) {
        let Sample { procs, .. } = sample;
        let scene = sample.play(batchlab::traces::reading::Overrun::Raise).events(events).priorities(&urgent(grace));
        let (outcome, _) = try_play(&scene, spec).unwrap();
        let workload = &scene.scenario.workload;
        let urgent: Vec<JobId> = workload.jobs().filter(|&job| workload.tier(job) == 10).collect();
        for &job in &urgent {
            let notice = workload.submit(job) + Time::from_secs(grace);
            // Urgent jobs that ran or waited while it waited.
            let (start, mut others) = (outcome.start(job), Vec::new());
            for &other in urgent.iter().filter(|&&other| other != job) {
                if outcome.end(other) >= workload.submit(job) && workload.submit(other) <= start {
                    others.push(other);
                }
            }
            let alone: i64 = others.iter().map(|&other| workload.procs(other)).sum();
            prop_assert!(
                start <= notice || alone + workload.procs(job) > procs,
                "{}: job {} waits from {} to {}", spec, workload.number(job), workload.submit(job), start
            );
        }
    }

    /// Where no job can be preempted the schedule is that of the tiers alone.
    #[test]
    fn without_victims_there_are_only_tiers(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let tiers = "[[class]]\nuser = 0\npriority = 10\n[[class]]\nuser = 1\npriority = -10\n";
        // No job runs long enough to be preempted.
        let preempting = "[[class]]\nuser = 0\npriority = 10\npreempts = true\n[[class]]\nuser = 1\npriority = -10\n\
                          preempted = \"requeue\"\nexempt = 1_000_000_000\n";
        let scene = sample.play(overrun).events(events);
        let (tiered, with) = (scene.priorities(tiers), scene.priorities(preempting));
        for spec in specs {
            let (Ok((tiered, _)), Ok((with, _))) = (try_play(&tiered, &spec), try_play(&with, &spec)) else { continue };
            prop_assert_eq!((&tiered.start, &tiered.end), (&with.start, &with.end), "{}", spec);
        }
    }
}
