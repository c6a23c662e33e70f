//! Tests of the pitfalls that the setting of a workload shows, which is otherwise that of an experiment without pitfalls.

use batchlab_engine::info::StatusCount;
use batchlab_engine::metrics::{Cooldown, Warmup};
use batchlab_traces::Time;
use batchlab_traces::reading::{Estimate, Overrun};

use crate::study::pitfalls::sample::{Experiment, parameter};
use crate::study::pitfalls::{Overruns, WorkloadSetting};

/// Asserts that a setting shows this pitfall alone, and how its text ends.
#[track_caller]
fn shows(code: &str, end: &str, set: impl FnOnce(&mut WorkloadSetting)) {
    let told = Experiment::prepared(set).only(code);
    assert!(told.ends_with(end), "{told}");
}

#[track_caller]
fn hides(code: &str, set: impl FnOnce(&mut WorkloadSetting)) {
    assert_eq!(Experiment::prepared(set).told(code), "");
}

#[test]
fn what_the_jobs_are() {
    let statuses = || {
        [(0, 8_000), (1, 18_000), (5, 2_000)].map(|(code, count)| StatusCount {
            code,
            name: "".into(),
            count,
        })
    };
    let end = "\n  A: 8,000 failed and 2,000 cancelled jobs among 28,000 (36 %)";
    shows("failed-jobs", end, |of| of.statuses = statuses().into());
    hides("failed-jobs", |of| (of.statuses, of.wanted_statuses) = (statuses().into(), vec![1]));
    let flurry = "user 92: 1,203 of 1,350 jobs in 2.1 days, from 100 s on";
    shows("flurries", &format!("\n  A: {flurry}"), |of| of.flurries = (1, vec![flurry.into()]));
    let end = format!("\n  A: 4 flurries, such as {flurry}");
    shows("flurries", &end, |of| of.flurries = (4, vec![flurry.into()]));
    let ignored = ["gpu", "memory (given for 12,000 jobs)"].map(String::from);
    let end = "\n  A: not on the machine: gpu, memory (given for 12,000 jobs)";
    shows("ignored-resources", end, |of| of.ignored = ignored.into());
    let end = "\n  A: 1,234 jobs outlive the request (overrun = kill): they end at their estimates";
    shows("overruns", end, |of| of.overruns = Overruns { jobs: 1_234, rule: Overrun::Kill });
    let end = "their estimates are raised to the run times";
    shows("overruns", end, |of| of.overruns = Overruns { jobs: 9, rule: Overrun::Raise });
    shows("zero-run-jobs", "\n  A: 420 of 60,000 jobs take no time, tau = 10 s", |of| of.zero_runs = 420);
    shows("zero-run-jobs", "\n  A: 1 of 60,000 jobs takes no time, tau = 10 s", |of| of.zero_runs = 1);
}

#[test]
fn whether_a_log_is_cleaned() {
    let name = || "KTH-2.swf".to_owned();
    let end = "\n  A: KTH-2.swf: no rules, and its name does not say that it is cleaned";
    shows("uncleaned-log", end, |of| of.cleaning.name = name());
    hides("uncleaned-log", |of| (of.cleaning.name, of.cleaning.rules) = (name(), vec!["flurry-1".into()]));
    hides("uncleaned-log", |of| (of.cleaning.name, of.is_model) = (name(), true));
}

/// The header and the log itself are witnesses.
#[test]
fn the_size_of_the_machine() {
    let end = "A: 84 processors, the header says 100, the largest job asks for 100, at most 99 were in use";
    shows("machine-size", end, |of| of.machine.procs = 84);
    let smaller = Experiment::prepared(|of| of.machine.procs = 84);
    assert!(smaller.only("machine-size").starts_with("WARNING[machine-size]: "));
    let end = ", 1 job dropped as too large";
    shows("machine-size", end, |of| (of.machine.procs, of.machine.dropped) = (84, 1));
    let end = "A: 100 processors, as the header says, the largest job asks for 100, at most 89 were in use";
    shows("machine-size", end, |of| of.machine.peak = Some(89));
    hides("machine-size", |of| of.machine.peak = Some(101));
}

#[test]
fn what_the_estimates_are() {
    let end = "\n  A: estimates are 2 \u{d7} the run time";
    shows("multiple-estimates", end, |of| of.estimates.mode = Estimate::Factor(2.0));
    let end = "estimates are 1.50 \u{d7} the run time";
    shows("multiple-estimates", end, |of| of.estimates.multiple = Some(1.5));
    let end = "A: 60,000 of the 60,000 jobs have no request in the log: their run times stand in for it";
    shows("perfect-estimates", end, |of| (of.estimates.exact, of.estimates.missing) = (1.0, 60_000));
    let end = "of 97 % of the 60,000 jobs are their run times";
    shows("perfect-estimates", end, |of| of.estimates.exact = 0.97);
    let end = "A: estimate = phi:0.2: the 20 most used estimates cover 3.1 % of the jobs";
    shows("smooth-estimates", end, |of| {
        (of.estimates.mode, of.estimates.modal) = (Estimate::Phi(0.2), 0.031);
    });
    hides("smooth-estimates", |of| (of.estimates.mode, of.estimates.modal) = (Estimate::Requested, 0.031));
}

#[test]
fn exact_estimates_beside_others_are_a_reading() {
    let mut asked = Experiment::prepared(|of| of.estimates.mode = Estimate::Actual);
    let end = "\n  A: estimate = actual: every job's estimate is its run time";
    assert!(asked.only("perfect-estimates").ends_with(end));
    asked.frame.parameters.push(parameter("estimate", &["requested", "actual"]));
    asked.frame.rows.iter_mut().for_each(|row| row.point.push(0));
    assert_eq!(asked.told("perfect-estimates"), "");
}

#[test]
fn how_jobs_arrive() {
    let poisson = |of: &mut WorkloadSetting, daily| {
        (of.arrivals.cv, of.arrivals.autocorrelation, of.arrivals.daily) = (Some(1.02), Some(-0.011), daily);
    };
    let end = "A: interarrival times have a coefficient of variation of 1.02 and an autocorrelation of -0.01; the time of day \
               is unknown";
    shows("poisson-arrivals", end, |of| poisson(of, None));
    let end = "the busiest hour has 1.04 times the jobs of a mean hour";
    shows("poisson-arrivals", end, |of| poisson(of, Some((1.04, 0.97))));
    hides("poisson-arrivals", |of| poisson(of, Some((2.0, 0.3))));
    let end = "A: load \u{d7} 1.20: a day of the log lasts 20 h, and its busiest hour has 2 times the jobs of a mean hour";
    shows("scaled-interarrivals", end, |of| of.shaping.load = 1.2);
    let end = "a day of the log lasts 20 h";
    shows("scaled-interarrivals", end, |of| (of.shaping.load, of.arrivals.daily) = (1.2, None));
    // Without a daily cycle there is nothing to break.
    let model = |of: &mut WorkloadSetting, daily| {
        (of.shaping.load, of.is_model, of.arrivals.daily) = (1.2, true, daily);
    };
    hides("scaled-interarrivals", |of| model(of, None));
    hides("scaled-interarrivals", |of| model(of, Some((1.1, 0.9))));
    let end = "\n  A: run times and requests are multiplied by 1.25";
    shows("scaled-run-times", end, |of| of.shaping.runs = 1.25);
    shows("static-workload", "\n  A: 60,000 jobs submitted at one instant", |of| {
        of.arrivals.are_at_once = true;
    });
}

#[test]
fn what_is_left_out() {
    let end = "jobs that end after the last submission left out";
    shows("trimmed-by-policy", end, |of| of.measure.cooldown = Cooldown::LastSubmission);
    let end = "\n  A: no warm-up, jobs submitted in the last 1 d left out; each window begins with an empty machine";
    shows("untrimmed", end, |of| {
        of.measure.warmup = Warmup::None;
    });
    let prefix = Time::from_secs(3_600);
    hides("untrimmed", |of| (of.measure.warmup, of.measure.prefix) = (Warmup::None, prefix));
    shows("untrimmed", "simulated, not measured, no warm-up, no cool-down", |of| {
        (of.measure.warmup, of.measure.prefix, of.measure.cooldown) = (Warmup::None, prefix, Cooldown::None);
    });
}
