//! Queue orders: who is served first.

use batchlab_traces::Time;

use crate::spec::{ParamKind, ParamSpec, Params};
use crate::view::JobView;

/// A queue order: jobs are served by ascending score, ties in the order of submission.
#[derive(Clone, Copy, Debug)]
pub struct OrderSpec {
    /// Name in specs.
    pub name: &'static str,
    /// The score in symbols: w wait so far, r estimate of at least 1 s, n processors, s submit time.
    pub formula: &'static str,
    /// Who defined it.
    pub cite: &'static str,
    /// Whether scores change while jobs wait, so that every decision ranks the queue anew.
    pub changes: bool,
    score: fn(&Subject) -> f64,
}

/// What a score is computed from; times in seconds.
struct Subject {
    wait: f64,
    estimate: f64,
    procs: f64,
    /// Submit time from the origin, and what its logarithm is at zero.
    submit: f64,
    log0: Log0,
}

impl Subject {
    /// The estimate where it divides or is taken the logarithm of: at least one second.
    fn r(&self) -> f64 {
        self.estimate.max(1.0)
    }

    /// The logarithm of the submit time, under the rule for zero.
    fn log_submit(&self) -> f64 {
        match self.log0 {
            Log0::One => self.submit.max(1.0),
            Log0::Tenth => self.submit.max(0.1),
            Log0::PlusOne => self.submit.max(0.0) + 1.0,
        }
        .log10()
    }
}

const fn order(
    name: &'static str,
    formula: &'static str,
    cite: &'static str,
    changes: bool,
    score: fn(&Subject) -> f64,
) -> OrderSpec {
    OrderSpec { name, formula, cite, changes, score }
}

const TANG: &str = "Tang, Lan, Desai, Buettner, Cluster 2009";
const CARASTAN: &str = "Carastan-Santos, de Camargo, SC 2017";
const LELONG: &str = "Lelong, Reis, Trystram, JSSPP 2017";

/// The queue orders: one line each.
pub const ORDERS: &[OrderSpec] = &[
    order("fcfs", "s", "first come, first served", false, |_| 0.0),
    order("sjf", "r", "shortest job first", false, |job| job.estimate),
    order("ljf", "-r", "longest job first", false, |job| -job.estimate),
    order("saf", "n*r", "smallest area first; Lelong et al., JSSPP 2017", false, |job| {
        job.procs * job.estimate
    }),
    order("laf", "-n*r", "largest area first; Lelong et al., JSSPP 2017", false, |job| {
        -job.procs * job.estimate
    }),
    order("sqf", "n", "smallest job first (LPFS of Aida et al. 1998)", false, |job| job.procs),
    order("lqf", "-n", "largest job first (MPFS of Aida et al. 1998)", false, |job| -job.procs),
    order("srf", "r/n", LELONG, false, |job| job.estimate / job.procs),
    order("expansion", "-(w+r)/r", "largest expansion factor first", true, |job| {
        -(job.wait + job.r()) / job.r()
    }),
    order("wfp3", "-n*(w/r)^3", TANG, true, |job| -job.procs * (job.wait / job.r()).powi(3)),
    order("unicef", "-w/(log2(max(n,2))*r)", TANG, true, |job| {
        -job.wait / (job.procs.max(2.0).log2() * job.r())
    }),
    order("f1", "log10(r)*n + 870*log10(s)", CARASTAN, false, |job| {
        job.r().log10() * job.procs + 870.0 * job.log_submit()
    }),
    order("f2", "sqrt(r)*n + 25600*log10(s)", CARASTAN, false, |job| {
        job.r().sqrt() * job.procs + 25_600.0 * job.log_submit()
    }),
    order("f3", "r*n + 6860000*log10(s)", CARASTAN, false, |job| {
        job.r() * job.procs + 6_860_000.0 * job.log_submit()
    }),
    order("f4", "r*sqrt(n) + 530000*log10(s)", CARASTAN, false, |job| {
        job.r() * job.procs.sqrt() + 530_000.0 * job.log_submit()
    }),
];

/// The parameter that names the queue order.
pub const ORDER: ParamSpec = ParamSpec {
    name: "order",
    kind: ParamKind::Order,
    default: "fcfs",
    help: "queue order: who is served, or reserved for, first",
};

/// The parameter that says where F1 to F4 count submit times from.
pub const ORIGIN: ParamSpec = ParamSpec {
    name: "origin",
    kind: ParamKind::Choice(&["zero", "first"]),
    default: "zero",
    help: "f1 to f4 count s from the trace's zero, or from the first submission",
};

/// The parameter that says what log10(s) is at s = 0.
pub const LOG0: ParamSpec = ParamSpec {
    name: "log0",
    kind: ParamKind::Choice(&["one", "tenth", "plus-one"]),
    default: "one",
    help: "f1 to f4 take log10 of max(s, 1), of max(s, 0.1), or of s + 1",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Log0 {
    One,
    Tenth,
    PlusOne,
}

/// A queue order with its options.
#[derive(Clone, Debug)]
pub struct Order {
    spec: &'static OrderSpec,
    from_first: bool,
    first: Option<Time>,
    log0: Log0,
}

impl Order {
    /// Returns the order that a parameter names, with the options of F1 to F4.
    pub fn from_params(params: &Params, key: &str) -> Option<Order> {
        let spec = ORDERS.iter().find(|order| order.name == params.text(key))?;
        let log0 = match params.text(LOG0.name) {
            "tenth" => Log0::Tenth,
            "plus-one" => Log0::PlusOne,
            _ => Log0::One,
        };
        Some(Order { spec, from_first: params.text(ORIGIN.name) == "first", first: None, log0 })
    }

    /// Returns first come, first served.
    pub fn fcfs() -> Order {
        Order { spec: &ORDERS[0], from_first: false, first: None, log0: Log0::One }
    }

    /// Whether scores change while jobs wait.
    pub fn changes(&self) -> bool {
        self.spec.changes
    }

    /// Tells the order of a submission: the first one may be the origin of time.
    pub fn seen(&mut self, submit: Time) {
        self.first.get_or_insert(submit);
    }

    /// Returns the score of a job at an instant; the least is served first.
    pub fn score(&self, job: JobView<'_>, expected: Time, now: Time) -> f64 {
        let origin = self.first.filter(|_| self.from_first).unwrap_or(Time::ZERO);
        let subject = Subject {
            wait: (now - job.submit()).max(Time::ZERO).secs(),
            estimate: expected.secs(),
            procs: job.procs() as f64,
            submit: (job.submit() - origin).secs(),
            log0: self.log0,
        };
        // Adding zero makes -0 and 0 the same score.
        (self.spec.score)(&subject) + 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::{JobId, Workload, workload::PlainJob};

    fn score(name: &str, submit: i64, estimate: i64, procs: i64, now: i64, log0: Log0) -> f64 {
        let job = PlainJob {
            submit: Time::from_secs(submit),
            run: Time::SECOND,
            estimate: Time::from_secs(estimate),
            demand: vec![procs],
            user: 1,
            partition: -1,
        };
        let workload = Workload::from_jobs(&[job]);
        let spec = ORDERS.iter().find(|order| order.name == name).expect("a known order");
        let order = Order { spec, from_first: false, first: None, log0 };
        let view = JobView::new(&workload, JobId(0));
        order.score(view, view.estimate(), Time::from_secs(now))
    }

    #[test]
    fn scores_are_the_published_formulas() {
        let at = |name: &str| score(name, 100, 1000, 4, 600, Log0::One); // waited 500 s
        let close =
            |name: &str, expected: f64| assert!((at(name) - expected).abs() < 1e-9, "{name}: {}", at(name));
        close("fcfs", 0.0);
        close("sjf", 1000.0);
        close("laf", -4000.0);
        close("srf", 250.0);
        close("expansion", -1.5);
        close("wfp3", -4.0 * 0.125);
        close("unicef", -500.0 / (2.0 * 1000.0));
        close("f1", 3.0 * 4.0 + 870.0 * 2.0);
        close("f2", 1000f64.sqrt() * 4.0 + 25_600.0 * 2.0);
        close("f3", 4000.0 + 6_860_000.0 * 2.0);
        close("f4", 2000.0 + 530_000.0 * 2.0);
    }

    #[test]
    fn the_logarithm_of_a_submission_at_zero_follows_the_named_rule() {
        let at = |log0| score("f1", 0, 10, 1, 0, log0);
        assert_eq!((at(Log0::One), at(Log0::PlusOne)), (1.0, 1.0));
        assert!((at(Log0::Tenth) - (1.0 - 870.0)).abs() < 1e-9);
    }

    #[test]
    fn a_serial_job_does_not_divide_unicef_by_zero_and_a_zero_estimate_counts_as_a_second() {
        assert_eq!(score("unicef", 0, 0, 1, 10, Log0::One), -10.0);
        assert_eq!(score("wfp3", 0, 0, 2, 2, Log0::One), -16.0);
    }
}
