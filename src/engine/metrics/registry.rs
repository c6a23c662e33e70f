//! All built-in metrics, one line each, and those that a user's crate adds.

use super::spec::{Compute, MetricSpec};
use super::statistic::Statistic;
use super::{family, own};

/// All built-in families of metrics, in the order of lists and files.
pub static METRICS: &[&MetricSpec] = &[
    &family::counts::JOBS,
    &family::counts::USERS,
    &family::counts::KILLED,
    &family::counts::REJECTED,
    &family::wait::WAIT,
    &family::response::RESPONSE,
    &family::stalled::STALLED,
    &family::suspensions::SUSPENSIONS,
    &family::lost_work::SUSPENDED,
    &family::migrations::MIGRATIONS,
    &family::swaps::SWAPS,
    &family::overhead::OVERHEAD,
    &family::slowdown::SLOWDOWN,
    &family::normalized_response::NORMALIZED_RESPONSE,
    &family::bounded_slowdown::BSLD,
    &family::bounded_slowdown::RMS_BSLD,
    &family::slowdown_variants::BSLD_RAW,
    &family::slowdown_variants::BSLD_YUAN,
    &family::slowdown_variants::BSLD_PP,
    &family::weighted_response::WEIGHTED_RESPONSE,
    &family::weighted_response::WEIGHTED_RESPONSE_MEAN,
    &family::makespan::MAKESPAN,
    &family::utilization::UTILIZATION,
    &family::utilization::UTILIZATION_WINDOW,
    &family::utilization::OFFERED_LOAD,
    &family::loss_of_capacity::LOSS_OF_CAPACITY,
    &family::lost_work::LOST_WORK,
    &family::fragmentation::FRAGMENTATION,
    &family::overhead_share::OVERHEAD_SHARE,
    &family::multiprogramming_level::MULTIPROGRAMMING_LEVEL,
    &family::multiprogramming_level::MAX_MULTIPROGRAMMING_LEVEL,
    &family::queue_length::MEAN_QUEUE_LENGTH,
    &family::queue_length::MAX_QUEUE_LENGTH,
    &family::queue_length::MEAN_QUEUE_LENGTH_MAKESPAN,
    &family::queue_length::MAX_QUEUE_LENGTH_MAKESPAN,
    &family::jobs_in_system::MEAN_JOBS_IN_SYSTEM,
    &family::jobs_in_system::MEAN_JOBS_IN_SYSTEM_MAKESPAN,
    &family::throughput::THROUGHPUT,
    &family::throughput::THROUGHPUT_MAKESPAN,
    &family::overtakes::OVERTAKES,
    &family::jain::JAIN,
    &family::unfairness::UNFAIRNESS_ALL,
    &family::unfairness::UNFAIRNESS_HIT,
    &family::unfairness::SHARE_HIT,
    &family::promised::PROMISED_SHARE,
    &family::promised::MEAN_PROMISE_ERROR,
    &family::promised::MEDIAN_PROMISE_ERROR,
    &family::promised::MEAN_PROMISE_DELAY,
    &family::accuracy::ACCURACY,
    &family::accuracy::UNDERPREDICTED_SHARE,
    &family::accuracy::OVERPREDICTED_SHARE,
    &family::tallies::SLIPPED_RESERVATIONS,
    &family::tallies::STOPPED_SEARCHES,
    &family::tallies::HELD_BACK_JOBS,
    &family::tallies::SCORE_TIES,
    &family::tallies::HOST_TIES,
    &family::tallies::QUEUE_TIES,
    &family::backlog::COMPLETION,
    &family::backlog::BACKLOG_GROWTH,
    &family::backlog::BACKLOG_GROWTH_LOW,
    &family::backlog::LEAST_BACKLOG,
    &family::top_shares::TOP_JOBS_WAIT,
    &family::top_shares::TOP_JOBS_BSLD,
    &family::top_shares::TOP_USER_WAIT,
    &family::top_shares::TOP_USER_BSLD,
    &family::top_shares::TOP_WEEK_WAIT,
    &family::top_shares::TOP_WEEK_BSLD,
    &own::OWN,
];

/// Keys of the metrics that findings read; every experiment measures them in addition to those asked for.
///
/// They show whether the same jobs were measured (`jobs`, `rejected`), whether the machine kept up (offered load,
/// utilization, completed work, growth and least of the backlog), and which users, weeks and jobs make the means.
pub const DIAGNOSTICS: &[&str] = &[
    "jobs",
    "rejected",
    "offered_load",
    "utilization_window",
    "completion",
    "backlog_growth",
    "backlog_growth_low",
    "least_backlog",
    "top_jobs_wait",
    "top_jobs_bsld",
    "top_user_wait",
    "top_user_bsld",
    "top_week_wait",
    "top_week_bsld",
];

/// A set of metrics by name: the built-in ones, and those registered by a user's crate.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    registered: Vec<&'static MetricSpec>,
}

/// Why a metric cannot be registered.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    #[error("a metric called `{0}` is registered already")]
    Taken(&'static str),
    #[error("`{0}` names no metric: lower-case letters, digits and `_` make a name")]
    Name(&'static str),
    #[error("the metric `{name}` would have the key `{key}`, which is one of the metric `{of}`")]
    Key { name: &'static str, key: String, of: &'static str },
}

impl Metrics {
    /// Returns the built-in metrics.
    pub fn builtin() -> Metrics {
        Metrics::default()
    }

    /// Adds a family of metrics.
    pub fn register(&mut self, spec: &'static MetricSpec) -> Result<(), MetricError> {
        let name = spec.name;
        let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(fits) {
            return Err(MetricError::Name(name));
        }
        for known in self.specs() {
            if known.name == name {
                return Err(MetricError::Taken(name));
            }
            if let Some(key) = Keys::of(spec).shared_with(&Keys::of(known)) {
                return Err(MetricError::Key { name, key, of: known.name });
            }
        }
        self.registered.push(spec);
        Ok(())
    }

    /// Returns all families, the built-in ones first, in the order of lists and files.
    pub fn specs(&self) -> impl Iterator<Item = &'static MetricSpec> {
        METRICS.iter().copied().chain(self.registered.iter().copied())
    }
}

struct Keys {
    fixed: Vec<String>,
    /// The beginning of keys that end in the name of a resource or variant.
    open: Option<String>,
}

impl Keys {
    fn of(spec: &MetricSpec) -> Keys {
        let (name, open) = (spec.name.to_owned(), || Some(format!("{}_", spec.name)));
        match spec.compute {
            Compute::PerJob(_) => {
                let fixed = Statistic::ALL.iter().map(|statistic| format!("{}_{name}", statistic.name()));
                Keys { fixed: fixed.collect(), open: None }
            }
            Compute::Value(_) | Compute::Promised(_) => Keys { fixed: vec![name], open: None },
            Compute::PerResource(_) => Keys { fixed: vec![name], open: open() },
            Compute::PerFairStart(_) => Keys { fixed: Vec::new(), open: open() },
            Compute::Own => Keys { fixed: Vec::new(), open: None },
        }
    }

    /// Returns a key, or the beginning of keys, that both families have or may have.
    fn shared_with(&self, other: &Keys) -> Option<String> {
        let begins =
            |key: &str, open: &Option<String>| open.as_ref().is_some_and(|open| key.starts_with(open));
        let fixed = self.fixed.iter().find(|key| other.fixed.contains(key) || begins(key, &other.open));
        let theirs = || other.fixed.iter().find(|key| begins(key, &self.open));
        let open = || {
            let open = self.open.as_ref()?;
            let nested =
                begins(open, &other.open) || other.open.as_ref().is_some_and(|key| key.starts_with(open));
            nested.then(|| format!("{open}..."))
        };
        fixed.or_else(theirs).cloned().or_else(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::spec::{Bound, Domain, Scope};
    use crate::table::{Better, Unit};

    const NONE: MetricSpec = MetricSpec {
        name: "none",
        unit: Unit::Ratio,
        better: Better::Neither,
        domain: Domain::Any,
        scope: Scope::Jobs,
        bound: Bound::None,
        in_summary: false,
        definition: "nothing",
        cite: batchlab_traces::Citation::foreign("this test"),
        compute: Compute::Value(|_| None),
    };
    const PER_RESOURCE: Compute = Compute::PerResource(|_, _| None);

    fn refused(spec: &'static MetricSpec) -> String {
        let mut metrics = Metrics::builtin();
        metrics.register(&NONE).unwrap();
        metrics.register(spec).unwrap_err().to_string()
    }

    #[test]
    fn registered_metrics_stand_behind_the_built_in_ones() {
        let mut metrics = Metrics::builtin();
        metrics.register(&NONE).unwrap();
        assert_eq!(metrics.specs().count(), METRICS.len() + 1);
        assert_eq!(metrics.specs().last().map(|spec| spec.name), Some("none"));
        assert_eq!(Metrics::builtin().specs().count(), METRICS.len());
    }

    #[test]
    fn names_that_are_taken_or_none_are_refused() {
        const WAIT: MetricSpec = MetricSpec { name: "wait", ..NONE };
        const LIST: MetricSpec = MetricSpec { name: "a,b", ..NONE };
        const UPPER: MetricSpec = MetricSpec { name: "Wait", ..NONE };
        assert_eq!(refused(&WAIT), "a metric called `wait` is registered already");
        assert_eq!(refused(&NONE), "a metric called `none` is registered already");
        assert!(refused(&LIST).starts_with("`a,b` names no metric: "));
        assert!(refused(&UPPER).starts_with("`Wait` names no metric: "));
    }

    #[test]
    fn a_key_has_one_meaning_on_every_machine() {
        const MEAN: MetricSpec = MetricSpec { name: "mean_wait", ..NONE };
        const GPU: MetricSpec = MetricSpec { name: "utilization_gpu", ..NONE };
        const SHARE: MetricSpec = MetricSpec { name: "share", compute: PER_RESOURCE, ..NONE };
        const HIT: MetricSpec = MetricSpec { name: "share_hit_by", compute: PER_RESOURCE, ..NONE };
        let shared = |name, key, of| {
            format!("the metric `{name}` would have the key `{key}`, which is one of the metric `{of}`")
        };
        assert_eq!(refused(&MEAN), shared("mean_wait", "mean_wait", "wait"));
        assert_eq!(refused(&GPU), shared("utilization_gpu", "utilization_gpu", "utilization"));
        assert_eq!(refused(&SHARE), shared("share", "share_...", "share_hit"));
        assert_eq!(refused(&HIT), shared("share_hit_by", "share_hit_by", "share_hit"));
    }
}
