//! Small random workloads and random specs of registered policies.

use batchlab::policies::costs::CostKind;
use batchlab::policies::spec::{ParamKind, ParamQuantity, ParamSpec, PolicySpec};
use batchlab::policies::support::order::ORDER;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::lab::{Play, overrun, policies};

/// Jobs on a machine, before the rule for overruns is applied.
#[derive(Clone, Debug)]
pub struct Sample {
    pub procs: i64,
    pub jobs: Vec<PlainJob>,
}

/// Up to 40 jobs on up to 16 processors: few distinct times, so that many events coincide; about every fourth
/// job has no run time; estimates are too short, exact and too long.
pub fn samples() -> impl Strategy<Value = Sample> {
    (1i64..=16, 1usize..=40).prop_flat_map(|(procs, jobs)| {
        prop::collection::vec(job(procs), jobs).prop_map(move |jobs| Sample { procs, jobs })
    })
}

fn job(procs: i64) -> impl Strategy<Value = PlainJob> {
    let length = || prop_oneof![2 => Just(0i64), 4 => select(vec![1, 5, 10, 20]), 2 => 0i64..30];
    let submit = prop_oneof![select(vec![0i64, 5, 10, 20]), 0i64..60];
    let size = prop_oneof![Just(1), Just(procs), 1..=procs];
    (submit, length(), prop_oneof![Just(None), length().prop_map(Some)], size, 0i64..3).prop_map(
        |(submit, run, estimate, procs, user)| PlainJob {
            estimate: Time::from_secs(estimate.unwrap_or(run)),
            user,
            ..PlainJob::secs(submit, run, vec![procs])
        },
    )
}

impl Sample {
    pub fn play(&self, rule: Overrun) -> Play {
        self.play_with(rule, 1)
    }

    /// The sample with its processors, and the demand for them, repeated as `kinds` identical resources.
    pub fn play_with(&self, rule: Overrun, kinds: usize) -> Play {
        let repeat = |job: &PlainJob| PlainJob { demand: vec![job.demand[0]; kinds], ..job.clone() };
        let jobs: Vec<PlainJob> = self.jobs.iter().map(|job| overrun(rule, &repeat(job))).collect();
        let resource = |kind| match kind {
            0 => processors(),
            _ => Resource { name: format!("r{kind}"), unit: String::new(), sharing: Sharing::Space },
        };
        let machine = Machine::new((0..kinds).map(resource).collect(), &[vec![self.procs; kinds]]).unwrap();
        Play { overrun: rule, ..Play::new(machine, Workload::from_jobs(&jobs)) }
    }

    /// The sample with fractions of a second added to submit times, run times and estimates.
    pub fn with_fractions(&self, ticks: &[[i64; 3]]) -> Sample {
        let shift = |(job, &[submit, run, estimate]): (&PlainJob, &[i64; 3])| PlainJob {
            submit: job.submit + Time::from_ticks(submit),
            run: job.run + Time::from_ticks(run),
            estimate: job.estimate + Time::from_ticks(estimate),
            ..job.clone()
        };
        Sample { jobs: self.jobs.iter().zip(ticks).map(shift).collect(), ..self.clone() }
    }

    /// The sample with exact estimates of at least one second.
    pub fn exact(&self) -> Sample {
        let exact = |job: &PlainJob| {
            let run = job.run.max(Time::SECOND);
            PlainJob { run, estimate: run, ..job.clone() }
        };
        Sample { jobs: self.jobs.iter().map(exact).collect(), ..self.clone() }
    }
}

/// Fractions of a second for [`Sample::with_fractions`].
pub fn fractions() -> impl Strategy<Value = Vec<[i64; 3]>> {
    let half = || prop_oneof![2 => Just(0), 1 => Just(500_000), 1 => 0i64..1_000_000];
    prop::collection::vec([half(), half(), half()], 40)
}

/// Every event order.
pub fn event_orders() -> impl Strategy<Value = &'static str> {
    select(vec!["batch", "submit-first", "finish-first", "periodic:7"])
}

/// The event orders in which a decision follows every event at its instant.
pub fn prompt_orders() -> impl Strategy<Value = &'static str> {
    select(vec!["batch", "submit-first", "finish-first"])
}

pub fn overruns() -> impl Strategy<Value = Overrun> {
    select(vec![Overrun::Raise, Overrun::Kill, Overrun::Overdue])
}

/// A queue order: by name, or an expression.
pub fn queue_orders() -> impl Strategy<Value = &'static str> {
    let names = ORDER.kind.words().unwrap();
    select(names.into_iter().chain(COMPUTED).collect::<Vec<_>>())
}

/// Orders without a name: with constant and changing scores, with ties, and with undefined scores.
pub const COMPUTED: [&str; 4] = [
    "expr(-wait/estimate)",
    "expr(min(estimate,10)-procs)",
    "expr(if(procs>2,0/0,user))",
    "expr(log10(submit)-if(wait>5,1/0,wait))",
];

/// Options that every backfilling policy takes: candidates, threshold, predictor and corrector.
pub fn options() -> impl Strategy<Value = String> {
    let threshold = select(vec!["none", "0", "5", "20", "expr(if(procs>2,5,2*estimate))"]);
    let corrector = select(vec!["request", "increment", "double"]);
    (queue_orders(), queue_orders(), threshold, predictors(), corrector).prop_map(
        |(order, candidates, threshold, predictor, corrector)| {
            format!(
                "order={order},candidates={candidates},threshold={threshold},\
                 predictor={predictor},corrector={corrector}"
            )
        },
    )
}

/// Predictors by name, and computed ones, some without a value.
pub const PREDICTORS: [&str; 9] = [
    "none",
    "last2",
    "user-mean",
    "quantile:0.1",
    "quantile:0.9",
    "expr(last2)",
    "expr(0.3*estimate)",
    "expr(if(user_jobs>2,1.5*user_mean,0/0))",
    "expr(if(procs>2,1/0,min(last,procs)))",
];

/// Every kind of predictor, as often none as one.
pub fn predictors() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("none"), select(PREDICTORS.to_vec())]
}

/// A spec of every registered policy, each parameter drawn from what it accepts.
pub fn all_specs() -> impl Strategy<Value = Vec<String>> {
    let specs: Vec<PolicySpec> = policies();
    prop::collection::vec(any::<Index>(), 32).prop_map(move |draws| {
        let text = |spec: &PolicySpec| {
            let pairs = spec.params.iter().zip(&draws).map(|(param, draw)| {
                let values = values(param);
                format!("{}={}", param.name, values[draw.index(values.len())])
            });
            format!("{}:{}", spec.name, pairs.collect::<Vec<_>>().join(","))
        };
        specs.iter().map(text).collect()
    })
}

/// Whether a spec is of a policy whose matrix has processors as columns and counts no other resource.
pub fn is_gang(spec: &str) -> bool {
    ["gs:", "bgs:", "mgs:", "mbgs:"].iter().any(|name| spec.starts_with(name))
}

/// Whether a spec may request migrations that take longer than a slice.
pub fn migrates_at_length(spec: &str) -> bool {
    is_gang(spec) && spec.contains(",c=2.5")
}

fn numbers(least: f64, words: &[&str]) -> Vec<String> {
    let numbers = [0.0, 0.5, 3.0].map(|more| (least + more).to_string());
    numbers.into_iter().chain(words.iter().map(|&word| word.to_owned())).collect()
}

const INNER: [&str; 5] = [
    "fcfs",
    "expr(procs-wait)",
    "(easy:order=drf,candidates=sjf)",
    "(first-fit:order=tetris)",
    "conservative",
];

/// Values that a parameter accepts; the default is drawn more often.
pub fn values(param: &ParamSpec) -> Vec<String> {
    let mut values = match param.kind {
        ParamKind::Choice(_) | ParamKind::Idle(_) => {
            param.kind.words().unwrap_or_default().into_iter().map(str::to_owned).collect()
        }
        ParamKind::Order(_) | ParamKind::OrderOr(..) => {
            let names = param.kind.words().unwrap_or_default();
            names.into_iter().chain(COMPUTED).map(str::to_owned).collect()
        }
        ParamKind::Predictor { .. } => PREDICTORS.map(str::to_owned).into(),
        ParamKind::Count { least, infinite } => {
            let mut counts: Vec<String> = (least..least + 4).map(|count| count.to_string()).collect();
            counts.extend(infinite.then(|| "inf".to_owned()));
            counts
        }
        ParamKind::Text => vec!["word".into(), "(a,b)".into()],
        ParamKind::Duration => vec!["none".into(), "0".into(), "5".into(), "20".into()],
        ParamKind::Span { words } => {
            words.iter().copied().chain(["1", "5", "20"]).map(str::to_owned).collect()
        }
        ParamKind::NumberOr { least, words } => numbers(least, words),
        ParamKind::Factor { least, words } => {
            let computed = ["expr(8/procs)", "expr(if(estimate>5,0/0,1))"].map(str::to_owned);
            numbers(least, words).into_iter().chain(computed).collect()
        }
        ParamKind::Cost(CostKind::Switch) => ["scenario", "0", "0.1", "0.5"].map(str::to_owned).into(),
        ParamKind::Cost(CostKind::Migrate) => ["scenario", "0", "1", "2.5"].map(str::to_owned).into(),
        ParamKind::Cost(CostKind::Swap) => ["scenario", "none", "1KB/s"].map(str::to_owned).into(),
        ParamKind::Policy => INNER.map(str::to_owned).into(),
        ParamKind::Limit(_, ParamQuantity::Jobs) => ["1", "2", "3", "inf"].map(str::to_owned).into(),
        // No job of a sample has more than 16 processors.
        ParamKind::Limit(_, ParamQuantity::Procs) => ["16", "20", "inf"].map(str::to_owned).into(),
        ParamKind::WaitLimit => {
            ["none", "0", "5", "20", "expr(2*estimate)", "expr(if(procs>2,5,1/0))"].map(str::to_owned).into()
        }
    };
    let more = values.len() / 2;
    values.extend(std::iter::repeat_n(param.default.to_owned(), more));
    values
}
