//! `--limit KEY=VALUE`: limits on the resources that the program may take.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::number::grouped;
use batchlab_traces::reading::parse_duration;

use crate::lab::Failure;
use crate::replay::engine::{Budget, Interrupt, TimeLimit};

struct LimitSpec {
    key: &'static str,
    value: &'static str,
    help: &'static str,
    set: fn(&mut Limits, &str) -> Result<(), String>,
}

/// The limits: one line each. Only the command line sets them; an experiment file has no key for any.
const LIMITS: &[LimitSpec] = &[
    LimitSpec {
        key: "decisions",
        value: "N",
        help: "the most decisions of a replay in a row without an arrival, a start, an end or a change of rate [default: \
               10000000, for conform 1000000]",
        set: |limits, value| whole(value).map(|most| limits.decisions = Some(most)),
    },
    LimitSpec {
        key: "work",
        value: "N",
        help: "the most work in such decisions in a row, in units of about half a microsecond: a call of a plug-in counts 2 \
               (so, wasm), 60 (exec) or 10 (python), and more with its message and its fuel [default: 5000000, for conform 1000000]",
        set: |limits, value| whole(value).map(|most| limits.work = Some(most)),
    },
    LimitSpec {
        key: "record",
        value: "MIB",
        help: "the most MiB of memory that intervals, slices, places and postponed ends take in a replay in which a policy \
               suspends, resumes or slows jobs down [default: 1024, for conform 64]",
        set: |limits, value| {
            let bytes = whole(value)?.checked_mul(1 << 20).ok_or("it must be below 17592186044416")?;
            limits.record = Some(bytes);
            Ok(())
        },
    },
    LimitSpec {
        key: "time",
        value: "TIME",
        help: "the most time that each replay may take on the clock; results then depend on the machine [default: none]",
        set: |limits, value| time(value).map(|most| limits.time = Some(most)),
    },
    LimitSpec {
        key: "jobs",
        value: "N",
        help: "the most jobs that a model draws [default: 20000000]",
        set: |limits, value| whole(value).map(|most| limits.jobs = Some(most)),
    },
    LimitSpec {
        key: "replays",
        value: "N",
        help: "the most replays of an experiment [default: 1000000]",
        set: |limits, value| whole(value).map(|most| limits.replays = Some(most)),
    },
];

/// The default limit on the jobs that a model draws: more than any log of the archive has.
const MOST_JOBS: u64 = 20_000_000;

const MOST_REPLAYS: u64 = 1_000_000;

/// The least memory in bytes that a job takes while it is drawn, measured on a million jobs of `downey97`.
const BYTES_OF_A_JOB: u64 = 60;

/// The limits set by the user; `None` means the default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    decisions: Option<u64>,
    work: Option<u64>,
    /// In bytes.
    record: Option<u64>,
    time: Option<TimeLimit>,
    jobs: Option<u64>,
    replays: Option<u64>,
    interrupt: Interrupt,
}

#[derive(Clone, Debug, Default)]
pub struct LimitSettings {
    limit: Vec<Pair>,
    /// The request of a caller to abandon replays; no option makes it.
    pub interrupt: Interrupt,
}

#[derive(Clone, Debug)]
struct Pair {
    key: &'static str,
    value: String,
}

impl LimitSettings {
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        self.limit.push(pair(text)?);
        Ok(())
    }

    /// Returns the limits; if a key is given twice, the last value counts.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits { interrupt: self.interrupt.clone(), ..Limits::default() };
        for Pair { key, value } in &self.limit {
            // The values were checked when they were parsed.
            let _ = spec(key).map(|spec| (spec.set)(&mut limits, value));
        }
        limits
    }

    /// Returns the options in the form in which they are typed.
    pub fn words(&self) -> Vec<String> {
        let words = |pair: &Pair| ["--limit".to_owned(), format!("{}={}", pair.key, pair.value)];
        self.limit.iter().flat_map(words).collect()
    }
}

impl Limits {
    /// Returns the budget of a replay; `default` applies if the user set no limit.
    pub fn budget(&self, default: &Budget) -> Budget {
        let &Budget { decisions, work, record, time, .. } = default;
        Budget {
            decisions: self.decisions.unwrap_or(decisions),
            work: self.work.unwrap_or(work),
            record: self.record.unwrap_or(record),
            time: self.time.or(time),
            interrupt: self.interrupt.clone(),
        }
    }

    /// Checks that a model may draw this number of jobs, before it begins.
    pub fn check_jobs(&self, jobs: u32) -> Result<(), Failure> {
        let (jobs, most) = (u64::from(jobs), self.jobs.unwrap_or(MOST_JOBS));
        if jobs <= most {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{} jobs would take {:.0} GB of memory at least, and at most {} are drawn; --limit jobs={jobs} allows them",
            grouped(jobs),
            (jobs * BYTES_OF_A_JOB) as f64 / 1e9,
            grouped(most),
        )))
    }

    pub fn most_replays(&self) -> u64 {
        self.replays.unwrap_or(MOST_REPLAYS)
    }
}

fn spec(key: &str) -> Option<&'static LimitSpec> {
    LIMITS.iter().find(|spec| spec.key == key)
}

pub fn help() -> String {
    let line = |LimitSpec { key, value, help, .. }: &LimitSpec| format!("{key}={value}: {help}");
    let first = "Upper limit on what the program may use; may be given several times:".to_owned();
    [first].into_iter().chain(LIMITS.iter().map(line)).collect::<Vec<_>>().join("\n")
}

fn pair(text: &str) -> Result<Pair, String> {
    let known = || LIMITS.iter().map(|spec| spec.key);
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not KEY=VALUE"))?;
    let spec = spec(key).ok_or_else(|| {
        let meant = meant(nearest(key, known()));
        format!("unknown limit `{key}`{meant}; known are {}", known().collect::<Vec<_>>().join(", "))
    })?;
    (spec.set)(&mut Limits::default(), value)?;
    Ok(Pair { key: spec.key, value: value.into() })
}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "it must be a whole number from 1".into())
}

fn time(text: &str) -> Result<TimeLimit, String> {
    let most = parse_duration(text).map_err(|error| error.to_string())?;
    if most.ticks() <= 0 {
        return Err("it must be above zero".into());
    }
    Ok(TimeLimit { most, clock })
}

/// Returns the time since the first call.
fn clock() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Time;

    use super::*;

    fn limits(texts: &[&str]) -> Result<Limits, String> {
        let limit = texts.iter().map(|text| pair(text)).collect::<Result<_, _>>()?;
        Ok(LimitSettings { limit, ..LimitSettings::default() }.limits())
    }

    #[test]
    fn what_is_not_limited_is_at_the_default() {
        let budget = |texts: &[&str]| limits(texts).unwrap().budget(&Budget::of_a_case());
        assert_eq!(budget(&[]).decisions, 1_000_000);
        assert!(budget(&["decisions=7"]).time.is_none());
        assert_eq!((budget(&["decisions=7"]).work, budget(&["work=5"]).work), (1_000_000, 5));
        assert_eq!((budget(&[]).record, budget(&["record=3"]).record), (64 << 20, 3 << 20));
        let both = budget(&["decisions=7", "time=2min", "decisions=9"]);
        assert_eq!((both.decisions, both.time.unwrap().most), (9, Time::from_secs(120)));
    }

    #[test]
    fn what_jobs_take_is_told_before_they_are_drawn() {
        let limits = |texts: &[&str]| limits(texts).unwrap();
        assert!(limits(&[]).check_jobs(20_000_000).is_ok());
        let refused = limits(&[]).check_jobs(u32::MAX).unwrap_err();
        assert_eq!(
            (refused.code(), refused.to_string().as_str()),
            (
                2,
                "4,294,967,295 jobs would take 258 GB of memory at least, and at most 20,000,000 are drawn; --limit \
                 jobs=4294967295 allows them"
            )
        );
        assert!(limits(&["jobs=4294967295"]).check_jobs(u32::MAX).is_ok());
        assert!(limits(&["jobs=10"]).check_jobs(11).is_err());
        assert_eq!((limits(&[]).most_replays(), limits(&["replays=5"]).most_replays()), (1_000_000, 5));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let error = |text| limits(&[text]).unwrap_err();
        assert_eq!(error("decisions"), "`decisions` is not KEY=VALUE");
        assert!(
            error("decision=7")
                .starts_with("unknown limit `decision` (did you mean `decisions`?); known are")
        );
        assert_eq!(error("decisions=0"), "it must be a whole number from 1");
        assert_eq!(error("record=17592186044416"), "it must be below 17592186044416");
        assert_eq!(error("time=0"), "it must be above zero");
    }
}
