//! `--limit KEY=VALUE`: what the program may take at most.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::reading::parse_duration;
use clap::Args;

use crate::engine::{Budget, TimeLimit};

/// A limit that `--limit` sets.
struct LimitSpec {
    key: &'static str,
    /// What stands for the value in the help.
    value: &'static str,
    /// What is limited, and the default.
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
        key: "time",
        value: "TIME",
        help: "the most time that each replay may take on the clock; results then depend on the machine [default: none]",
        set: |limits, value| time(value).map(|most| limits.time = Some(most)),
    },
];

/// What was limited; what was not is at its default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    decisions: Option<u64>,
    time: Option<TimeLimit>,
}

/// The option.
#[derive(Args, Clone, Debug, Default)]
pub struct LimitArgs {
    #[arg(long = "limit", value_name = "KEY=VALUE", value_parser = pair, help = help(), help_heading = "Limits")]
    limit: Vec<Pair>,
}

/// A limit as it was typed, checked.
#[derive(Clone, Debug)]
struct Pair {
    key: &'static str,
    value: String,
}

impl LimitArgs {
    /// Returns what was limited; of a key that was given twice the last value counts.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for Pair { key, value } in &self.limit {
            // Checked when it was parsed.
            let _ = spec(key).map(|spec| (spec.set)(&mut limits, value));
        }
        limits
    }

    /// Returns the options as they are typed.
    pub fn words(&self) -> Vec<String> {
        let words = |pair: &Pair| ["--limit".to_owned(), format!("{}={}", pair.key, pair.value)];
        self.limit.iter().flat_map(words).collect()
    }
}

impl Limits {
    /// Returns what a replay may take, where `default` is what it may take otherwise.
    pub fn budget(&self, default: Budget) -> Budget {
        Budget { decisions: self.decisions.unwrap_or(default.decisions), time: self.time.or(default.time) }
    }
}

fn spec(key: &str) -> Option<&'static LimitSpec> {
    LIMITS.iter().find(|spec| spec.key == key)
}

fn help() -> String {
    let line = |LimitSpec { key, value, help, .. }: &LimitSpec| format!("{key}={value}: {help}");
    let first = "What the program may take at most; may be given several times:".to_owned();
    [first].into_iter().chain(LIMITS.iter().map(line)).collect::<Vec<_>>().join("\n")
}

fn pair(text: &str) -> Result<Pair, String> {
    let known = || LIMITS.iter().map(|spec| spec.key);
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no KEY=VALUE"))?;
    let spec = spec(key).ok_or_else(|| {
        let meant = meant(nearest(key, known()));
        format!("there is no limit `{key}`{meant}; known are {}", known().collect::<Vec<_>>().join(", "))
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

/// Returns the time since this was asked first.
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
        Ok(LimitArgs { limit }.limits())
    }

    #[test]
    fn what_is_not_limited_is_at_the_default() {
        let budget = |texts: &[&str]| limits(texts).unwrap().budget(Budget::of_a_case());
        assert_eq!(budget(&[]).decisions, 1_000_000);
        assert!(budget(&["decisions=7"]).time.is_none());
        let both = budget(&["decisions=7", "time=2min", "decisions=9"]);
        assert_eq!((both.decisions, both.time.unwrap().most), (9, Time::from_secs(120)));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        let error = |text| limits(&[text]).unwrap_err();
        assert_eq!(error("decisions"), "`decisions` is no KEY=VALUE");
        assert!(
            error("decision=7")
                .starts_with("there is no limit `decision` (did you mean `decisions`?); known are")
        );
        assert_eq!(error("decisions=0"), "it must be a whole number from 1");
        assert_eq!(error("time=0"), "it must be above zero");
    }
}
