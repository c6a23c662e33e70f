//! The workload of Zhang et al. 2000 without its log: what sections 2.2 and 5.6 of the paper state, and
//! moments of logs of similar machines for what they do not.
//!
//! Stated: sizes from 1 to 256 of 320 nodes, in classes whose upper end is a power of two; 30 % of the jobs
//! are above 32 nodes and do more than 80 % of the work; the median run time of workload 5 is 680 s. Not
//! stated: the moments of run times and interarrival times of each class, the shares of the single classes,
//! and how many sizes are not powers of two. The default moments are calibrated: with them slowdowns under four policies
//! are near those of six of the nine workloads of Table 1. SP2 logs vary more: the run times of SDSC and KTH have the
//! coefficients of variation 2.1 and 2.3 (skewness 2.6, 5.7), their interarrival times by class 1.7 to 3.3 (3.6 to 8.2).

use crate::models::jann::{ClassFit, Fit, HyperErlang, Matched, Ranges};
use crate::models::{ModelError, ModelParamKind, ModelSettings, Param, Request};

/// The largest size of a job, whatever the machine.
const LARGEST: i64 = 256;

/// Shares of the classes up to 1, 2, 4, 8, 16 and 32 nodes among small jobs, relative to each other.
const SMALL_SHARES: [f64; 6] = [12.0, 6.0, 8.0, 12.0, 14.0, 18.0];

/// Shares of the classes up to 64, 128 and 256 nodes among large jobs, relative to each other.
const LARGE_SHARES: [f64; 3] = [15.0, 9.0, 6.0];

/// Weights of sizes are whole numbers: one in a million of a class.
const WEIGHTS: f64 = 1e6;

/// The highest order that is tried.
const MAX_ORDER: u32 = 1000;

/// The largest size of a small job.
const SMALL: i64 = 32;

pub(super) const PARAMS: [Param; 12] = [
    Param::of("large", ModelParamKind::Number { least: 0.0, most: 1.0 }, "0.3")
        .help("without a log: share of the jobs above 32 nodes; the paper's 0.3 gives them 82 % of the work"),
    Param::of("powers", ModelParamKind::Number { least: 0.0, most: 1.0 }, "0.5").help(
        "without a log: share of the jobs of a class whose size is its upper end, a power of two; the sizes \
         of the other jobs are uniform in the class (the paper does not state it)",
    ),
    Param::of("run-median", ModelParamKind::Number { least: 1.0, most: 1e6 }, "453.333")
        .help("without a log: median run time of workload 0, seconds; 680 s in workload 5, divided by 1.5"),
    Param::of("run-growth", ModelParamKind::Number { least: 0.1, most: 10.0 }, "1.05").help(
        "without a log: factor of the mean run time from a class to the next larger one (calibrated; the \
         paper states only that large jobs do more than 80 % of the work)",
    ),
    Param::of("run-cv", ModelParamKind::Number { least: 0.1, most: 20.0 }, "2.5").help(
        "without a log: coefficient of variation of the run times of a class up to 32 nodes (calibrated; \
         SP2 logs of SDSC and KTH have 2.1 and 2.3)",
    ),
    Param::of("run-skew", ModelParamKind::Number { least: -10.0, most: 1000.0 }, "4").help(
        "without a log: skewness of the run times of a class up to 32 nodes (calibrated; these logs have \
         2.6 and 5.7)",
    ),
    Param {
        default: "1.2",
        ..large("run-cv-large", "without a log: run-cv of the classes above 32 nodes (calibrated)")
    },
    Param {
        default: "2.2",
        ..large("run-skew-large", "without a log: run-skew of the classes above 32 nodes (calibrated)")
    },
    Param::of("gap-cv", ModelParamKind::Number { least: 0.1, most: 20.0 }, "1.25").help(
        "without a log: coefficient of variation of the interarrival times of a class (calibrated; the \
         classes of these logs have 1.7 to 3.3)",
    ),
    Param::of("gap-skew", ModelParamKind::Number { least: -10.0, most: 1000.0 }, "2.5").help(
        "without a log: skewness of the interarrival times of a class (calibrated; the classes of these \
         logs have 3.6 to 8.3)",
    ),
    large("gap-cv-large", "without a log: gap-cv of the classes above 32 nodes"),
    large("gap-skew-large", "without a log: gap-skew of the classes above 32 nodes"),
];

/// Returns a moment of the classes above 32 nodes.
const fn large(name: &'static str, help: &'static str) -> Param {
    let kind = ModelParamKind::Form {
        expected: "small, for that of the smaller classes, or a number from -10 to 1000",
        valid: |text| {
            text == "small" || text.parse().is_ok_and(|number: f64| (-10.0..=1000.0).contains(&number))
        },
    };
    Param { name, kind, default: "small", help }
}

/// Returns the classes as if they had been fitted to the log of the paper. Mean interarrival times are
/// relative to each other: the generator divides them so that the load is that of the settings.
pub(super) fn fit(request: &Request<'_>) -> Result<Fit, ModelError> {
    let settings = request.settings;
    let runs = [law(settings, ["run-cv", "run-skew"])?, law(settings, ["run-cv-large", "run-skew-large"])?];
    let gaps = [law(settings, ["gap-cv", "gap-skew"])?, law(settings, ["gap-cv-large", "gap-skew-large"])?];
    let shares = shares(settings, i64::from(request.procs))?;
    let growth = settings.amount("run-growth");
    let smallest = smallest_mean(&runs, &shares, growth, settings.amount("run-median"));
    let mut mean_run = smallest;
    let mut classes = Vec::new();
    for (most, share) in shares {
        let (least, _) = Ranges::Powers.of(most);
        let top = most.min(request.procs.into());
        if share > 0.0 {
            let of_class = usize::from(most > SMALL);
            classes.push(ClassFit {
                least,
                most,
                pooled: Vec::new(),
                jobs: (share * WEIGHTS).round() as u64,
                sizes: sizes(least, top, settings.amount("powers")),
                interarrival: scaled(&gaps[of_class], 1.0 / share),
                service: scaled(&runs[of_class], mean_run),
            });
        }
        mean_run *= growth;
    }
    Ok(Fit { classes, left_out: 0 })
}

/// Returns the classes in words, for readers of the log.
pub(super) fn notes(fit: &Fit) -> Vec<String> {
    let mut notes =
        vec!["interarrival times below have the mean 1 over all jobs, before the load is set".into()];
    for ClassFit { least, most, jobs, interarrival, service, .. } in &fit.classes {
        let share = *jobs as f64 / WEIGHTS;
        notes.push(format!(
            "{least}-{most} processors: share {share:.6}; interarrival: {}; run time: {}",
            interarrival.law, service.law
        ));
    }
    notes
}

/// Returns the greatest size of each class that has a size on a machine, with its share of the jobs. Fails when the machine is
/// too small for the only jobs, which are large.
fn shares(settings: &ModelSettings, procs: i64) -> Result<Vec<(i64, f64)>, ModelError> {
    let large = settings.amount("large");
    let of = |shares: &[f64], part: f64| {
        let sum: f64 = shares.iter().sum();
        shares.iter().map(|share| share / sum * part).collect::<Vec<_>>()
    };
    let shares = [of(&SMALL_SHARES, 1.0 - large), of(&LARGE_SHARES, large)].concat();
    let tops = std::iter::successors(Some(1), |top| Some(top * 2)).take_while(|&top| top <= LARGEST);
    let on_machine = |most: i64| Ranges::Powers.of(most).0 <= procs;
    let all: Vec<(i64, f64)> = tops.zip(shares).filter(|&(most, _)| on_machine(most)).collect();
    let sum: f64 = all.iter().map(|(_, share)| share).sum();
    if sum == 0.0 {
        let expected = format!("below 1 on a machine of {procs} processors");
        return Err(ModelError::Unfit { key: "large".into(), value: large, expected });
    }
    Ok(all.into_iter().map(|(most, share)| (most, share / sum)).collect())
}

/// Returns sizes from `least` to `top` with their weights: the share `powers` of the jobs has the size `top`, the sizes of
/// the other jobs are uniform.
fn sizes(least: i64, top: i64, powers: f64) -> Vec<(i64, u64)> {
    let each = (1.0 - powers) / (top - least + 1) as f64;
    let weight = |size| if size == top { powers + each } else { each };
    (least..=top).map(|size| (size, (weight(size) * WEIGHTS).round() as u64)).collect()
}

/// Returns the law of mean 1 with a coefficient of variation and a skewness.
fn law(settings: &ModelSettings, [cv, skew]: [&str; 2]) -> Result<HyperErlang, ModelError> {
    let [spread, skewness] = [cv, skew].map(|key| moment(settings, key));
    let second = 1.0 + spread * spread;
    let third = skewness * spread.powi(3) + 3.0 * second - 2.0;
    HyperErlang::matching([1.0, second, third], MAX_ORDER).ok_or_else(|| ModelError::Unfit {
        key: skew.into(),
        value: skewness,
        // For a mean and a deviation, a law of two values, one of them 0, has the least skewness.
        expected: format!("larger than {:.6} with {cv}={spread}", spread - 1.0 / spread),
    })
}

/// Returns a moment; the value `small` stands for that of the parameter of the same name without `-large`.
fn moment(settings: &ModelSettings, key: &str) -> f64 {
    match settings.value(key) {
        "small" => settings.amount(key.trim_end_matches("-large")),
        number => number.parse().unwrap_or(f64::NAN),
    }
}

fn scaled(law: &HyperErlang, mean: f64) -> Matched {
    let law = HyperErlang { lambda1: law.lambda1 / mean, lambda2: law.lambda2 / mean, ..*law };
    Matched { values: 0, asked: law.moments(), law, achieved: law.moments() }
}

/// Returns the mean run time of the smallest class at which the run times of all jobs have the given median, by bisection;
/// `laws` are those of small and of large jobs.
fn smallest_mean(laws: &[HyperErlang; 2], shares: &[(i64, f64)], growth: f64, median: f64) -> f64 {
    let below = |mean: f64| -> f64 {
        let class = |(rank, &(most, share)): (i32, &(i64, f64))| {
            share * laws[usize::from(most > SMALL)].cdf(median / (mean * growth.powi(rank)))
        };
        (0..).zip(shares).map(class).sum()
    };
    let (mut least, mut most) = (median * 1e-12, median * 1e12);
    for _ in 0..200 {
        let mean = (least * most).sqrt();
        if below(mean) > 0.5 {
            least = mean;
        } else {
            most = mean;
        }
    }
    (least * most).sqrt()
}
