//! `SchedulerParameters`: the two scheduling loops.

mod others;

use super::SlurmVersion;
use batchlab_traces::nearest::{meant, misspelt};
use batchlab_traces::time::Time;

use others::{INDIFFERENT, OF_PREEMPTION, UNSUPPORTED};

/// Slurm's scheduler: the main loop, and the backfill loop beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduler {
    pub main: MainLoop,
    /// The backfill loop; its period is `None` if there is none (`sched/builtin`, `bf_interval=-1`).
    pub backfill: Backfill,
}

/// The main loop, which serves the queue of each partition strictly in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainLoop {
    /// Jobs that a pass after an event tests (`default_queue_depth`).
    pub queue_depth: u64,
    /// Time between passes over the whole queue (`sched_interval`).
    pub interval: Time,
    /// Least time between the passes that submissions cause (`batch_sched_delay`).
    pub batch_delay: Time,
    /// Least time between any two passes (`sched_min_interval`).
    pub least_interval: Time,
    /// Jobs that a pass tests in each partition (`partition_job_depth`); 0 for all.
    pub partition_depth: u64,
    /// Jobs that a pass starts (`sched_max_job_start`); 0 for all.
    pub most_starts: u64,
    /// Whether no job is tried at its submission (`defer`).
    pub defer: bool,
    /// The longest time for which a job waits for nodes on few switches (`max_switch_wait`).
    pub switch_wait: Time,
}

/// The backfill loop, which gives each tested job a reservation at its earliest start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backfill {
    /// Time between the end of a cycle and the next one (`bf_interval`); `None` without backfilling.
    pub interval: Option<Time>,
    /// The grid of reservations (`bf_resolution`).
    pub resolution: Time,
    /// How far ahead reservations may begin (`bf_window`).
    pub window: Time,
    /// Jobs that a cycle tests (`bf_max_job_test`).
    pub most_tests: u64,
    /// Jobs that a cycle starts (`bf_max_job_start`); 0 for all.
    pub most_starts: u64,
    /// Jobs of one user that a cycle tests (`bf_max_job_user`); 0 for all.
    pub per_user: u64,
    /// Jobs of one partition (`bf_max_job_part`); 0 for all.
    pub per_partition: u64,
    /// Jobs of one user in one partition (`bf_max_job_user_part`); 0 for all.
    pub per_user_partition: u64,
    /// Jobs of one association (`bf_max_job_assoc`); 0 for all. It overrides the limit for users.
    pub per_association: u64,
    /// Reservations of one job array (`bf_max_job_array_resv`).
    pub per_array: u64,
    /// Younger jobs get no reservation (`bf_min_age_reserve`).
    pub least_age: Time,
    /// Jobs of a lower priority get no reservation (`bf_min_prio_reserve`).
    pub least_priority: u64,
    /// Jobs of each partition that get a reservation (`bf_job_part_count_reserve`); 0 for all.
    pub reservations_per_partition: u64,
    /// Whether a job holds a reservation in one of its partitions at most (`bf_one_resv_per_job`).
    pub one_reservation: bool,
    /// Slots of the table of reservations (`bf_node_space_size`); 0 for as many as tests.
    pub table_size: u64,
    /// By how much the bins grow in which the ends of running jobs are considered (`bf_window_linear`); 0 for doubling.
    pub bin_step: Time,
    /// How long a cycle computes at a stretch (`bf_yield_interval`), if it is set.
    pub yield_interval: Option<Time>,
    /// How long it sleeps then, while it lets other work in (`bf_yield_sleep`), if it is set.
    pub yield_sleep: Option<Time>,
    /// Whether a cycle goes on after something changed while it slept (`bf_continue`).
    pub goes_on: bool,
}

impl Backfill {
    /// Returns how long a cycle computes at a stretch, and how long it sleeps then; `None` if neither is set, for a cycle at one
    /// instant. The default of each holds if only the other one is set.
    pub fn yields(&self) -> Option<(Time, Time)> {
        let is_set = self.yield_interval.is_some() || self.yield_sleep.is_some();
        let interval = self.yield_interval.unwrap_or(Time::from_secs(2));
        is_set.then(|| (interval, self.yield_sleep.unwrap_or(Time::from_ticks(500_000))))
    }

    /// Returns the most slots of a cycle's table.
    pub fn most_slots(&self) -> u64 {
        if self.table_size > 0 { self.table_size } else { self.most_tests }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterNote {
    /// No such parameter is known; the detail has the nearest one.
    Unknown(String),
    /// The parameter is known and not followed; the detail says what it would change.
    Unsupported(String),
    /// The value is no number, or outside of the parameter's range: the default holds.
    Value(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterFate {
    Followed,
    /// It changes no start.
    Indifferent,
    /// It would change what the text says.
    Unfollowed(&'static str),
    Unknown,
}

/// How the text after `=` is counted.
#[derive(Clone, Copy)]
enum Unit {
    Count,
    Seconds,
    Minutes,
    Microseconds,
    /// No value: the name alone sets 1.
    Flag,
}

struct Known {
    name: &'static str,
    unit: Unit,
    range: (i64, i64),
    set: fn(&mut Scheduler, i64),
}

const fn known(name: &'static str, unit: Unit, range: (i64, i64), set: fn(&mut Scheduler, i64)) -> Known {
    Known { name, unit, range, set }
}

const MANY: i64 = u32::MAX as i64;

/// The parameters that are followed, one line each; old names are beside the new ones, and come first so that new ones win.
#[rustfmt::skip]
const KNOWN: &[Known] = &[
    known("max_job_bf=", Unit::Count, (1, 1_000_000), |s, n| s.backfill.most_tests = n as u64),
    known("default_queue_depth=", Unit::Count, (0, MANY), |s, n| s.main.queue_depth = n as u64),
    known("partition_job_depth=", Unit::Count, (0, MANY), |s, n| s.main.partition_depth = n as u64),
    known("sched_max_job_start=", Unit::Count, (0, MANY), |s, n| s.main.most_starts = n as u64),
    known("max_switch_wait=", Unit::Seconds, (0, MANY), |s, n| s.main.switch_wait = Time::from_ticks(n)),
    known("sched_interval=", Unit::Seconds, (1, MANY), |s, n| s.main.interval = Time::from_ticks(n)),
    known("batch_sched_delay=", Unit::Seconds, (0, MANY), |s, n| s.main.batch_delay = Time::from_ticks(n)),
    known("sched_min_interval=", Unit::Microseconds, (0, MANY), |s, n| s.main.least_interval = Time::from_ticks(n)),
    known("defer", Unit::Flag, (1, 1), |s, _| s.main.defer = true),
    known("bf_interval=", Unit::Seconds, (-1, 10_800), |s, n| s.backfill.interval = (n > 0).then(|| Time::from_ticks(n))),
    known("bf_resolution=", Unit::Seconds, (1, 3600), |s, n| s.backfill.resolution = Time::from_ticks(n)),
    known("bf_window=", Unit::Minutes, (1, 43_200), |s, n| s.backfill.window = Time::from_ticks(n)),
    known("bf_max_job_test=", Unit::Count, (1, 1_000_000), |s, n| s.backfill.most_tests = n as u64),
    known("bf_max_job_start=", Unit::Count, (0, 10_000), |s, n| s.backfill.most_starts = n as u64),
    known("bf_max_job_user=", Unit::Count, (0, MANY), |s, n| s.backfill.per_user = n as u64),
    known("bf_max_job_part=", Unit::Count, (0, MANY), |s, n| s.backfill.per_partition = n as u64),
    known("bf_max_job_user_part=", Unit::Count, (0, MANY), |s, n| s.backfill.per_user_partition = n as u64),
    known("bf_max_job_assoc=", Unit::Count, (0, MANY), |s, n| s.backfill.per_association = n as u64),
    known("bf_max_job_array_resv=", Unit::Count, (0, 1000), |s, n| s.backfill.per_array = n as u64),
    known("bf_min_age_reserve=", Unit::Seconds, (0, 2_592_000), |s, n| s.backfill.least_age = Time::from_ticks(n)),
    known("bf_min_prio_reserve=", Unit::Count, (0, MANY), |s, n| s.backfill.least_priority = n as u64),
    known("bf_job_part_count_reserve=", Unit::Count, (0, 100_000), |s, n| s.backfill.reservations_per_partition = n as u64),
    known("bf_node_space_size=", Unit::Count, (2, 2_000_000), |s, n| s.backfill.table_size = n as u64),
    known("bf_yield_interval=", Unit::Microseconds, (1, 10_000_000), |s, n| s.backfill.yield_interval = Some(Time::from_ticks(n))),
    known("bf_yield_sleep=", Unit::Microseconds, (1, 10_000_000), |s, n| s.backfill.yield_sleep = Some(Time::from_ticks(n))),
    known("bf_one_resv_per_job", Unit::Flag, (1, 1), |s, _| s.backfill.one_reservation = true),
    known("bf_continue", Unit::Flag, (1, 1), |s, _| s.backfill.goes_on = true),
    known("bf_window_linear=", Unit::Seconds, (1, MANY), |s, n| s.backfill.bin_step = Time::from_ticks(n)),
];

impl Scheduler {
    pub fn of_version(version: SlurmVersion) -> Scheduler {
        Scheduler {
            main: MainLoop {
                queue_depth: 100,
                interval: Time::from_secs(60),
                batch_delay: Time::from_secs(3),
                least_interval: Time::from_ticks(2),
                partition_depth: 0,
                most_starts: 0,
                defer: false,
                switch_wait: Time::from_secs(300),
            },
            backfill: Backfill {
                interval: Some(Time::from_secs(30)),
                resolution: Time::from_secs(60),
                window: Time::from_secs(1440 * 60),
                most_tests: if version.from(21, 8) { 500 } else { 100 },
                most_starts: 0,
                per_user: 0,
                per_partition: 0,
                per_user_partition: 0,
                per_association: 0,
                per_array: 20,
                least_age: Time::ZERO,
                least_priority: 0,
                reservations_per_partition: 0,
                one_reservation: false,
                table_size: 0,
                bin_step: Time::ZERO,
                yield_interval: None,
                yield_sleep: None,
                goes_on: false,
            },
        }
    }

    /// Returns the names of all parameters that are known: followed, indifferent in a replay, or not followed.
    pub fn parameters() -> impl Iterator<Item = &'static str> {
        let followed = KNOWN.iter().map(|known| known.name.trim_end_matches('='));
        let others = INDIFFERENT.iter().chain(OF_PREEMPTION).copied();
        followed.chain(others).chain(UNSUPPORTED.iter().map(|(name, _)| *name))
    }

    pub fn parameter(name: &str) -> ParameterFate {
        let name = name.to_ascii_lowercase();
        let of_preemption = OF_PREEMPTION.contains(&&*name);
        if of_preemption || KNOWN.iter().any(|known| known.name.trim_end_matches('=') == name) {
            return ParameterFate::Followed;
        }
        if INDIFFERENT.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            return ParameterFate::Indifferent;
        }
        let unsupported = UNSUPPORTED.iter().find(|(known, _)| *known == name);
        unsupported.map_or(ParameterFate::Unknown, |(_, effect)| ParameterFate::Unfollowed(effect))
    }

    /// Whether a parameter is followed by its value, rather than a flag.
    pub fn takes_value(name: &str) -> bool {
        KNOWN.iter().any(|known| known.name.strip_suffix('=') == Some(name))
    }

    /// Returns what is wrong with the value of a parameter, such as `bf_window=0`.
    pub fn wrong_value(text: &str) -> Option<String> {
        let notes = Scheduler::of_version(SlurmVersion::default()).set(text);
        let wrong = |note| if let ParameterNote::Value(what) = note { Some(what) } else { None };
        notes.into_iter().find_map(wrong)
    }

    /// Sets the parameters of a text, each found anywhere in it by its name, as slurmctld does: `==bf_window=1440` counts.
    /// Returns what is to be said of the others.
    pub fn set(&mut self, text: &str) -> Vec<ParameterNote> {
        let mut notes = Vec::new();
        let lower = text.to_ascii_lowercase();
        for known in KNOWN {
            let Some(value) = found(&lower, known.name) else { continue };
            match known.ticks_or_count(value) {
                Some(number) => (known.set)(self, number),
                None => notes.push(ParameterNote::Value(format!(
                    "{}{value}: from {} to {}",
                    known.name, known.range.0, known.range.1
                ))),
            }
        }
        for token in lower.split(',').map(|token| token.trim().trim_start_matches('=')) {
            let name = token.split('=').next().unwrap_or_default().trim();
            notes.extend(match Scheduler::parameter(name) {
                _ if name.is_empty() => None,
                ParameterFate::Followed | ParameterFate::Indifferent => None,
                ParameterFate::Unfollowed(effect) => {
                    Some(ParameterNote::Unsupported(format!("{token}: {effect}")))
                }
                ParameterFate::Unknown => {
                    let near = misspelt(name, Scheduler::parameters());
                    Some(ParameterNote::Unknown(format!("{name}{}", meant(near))))
                }
            });
        }
        notes
    }
}

impl Default for Scheduler {
    fn default() -> Scheduler {
        Scheduler::of_version(SlurmVersion::default())
    }
}

impl Known {
    /// Returns the value: in ticks if it is a length of time. A text is read as far as it is a number, as `atoi` does.
    fn ticks_or_count(&self, value: &str) -> Option<i64> {
        if matches!(self.unit, Unit::Flag) {
            return Some(1);
        }
        let digits = value.strip_prefix('-').unwrap_or(value);
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        let number: i64 = digits[..end].parse().ok()?;
        let number = if value.starts_with('-') { -number } else { number };
        let (least, most) = self.range;
        let factor = match self.unit {
            Unit::Count | Unit::Microseconds | Unit::Flag => 1,
            Unit::Seconds => Time::SECOND.ticks(),
            Unit::Minutes => 60 * Time::SECOND.ticks(),
        };
        (least..=most).contains(&number).then(|| number * factor)
    }
}

/// Returns the text behind the first occurrence of a name that does not stand within a longer name.
fn found<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(at) = text[from..].find(name) {
        let (begin, end) = (from + at, from + at + name.len());
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let before = text[..begin].bytes().last().is_none_or(|byte| !inner(byte));
        let after = name.ends_with('=') || text[end..].bytes().next().is_none_or(|byte| !inner(byte));
        if before && after {
            return Some(text[end..].split(',').next().unwrap_or_default().trim());
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> (Scheduler, Vec<ParameterNote>) {
        let mut scheduler = Scheduler::default();
        let notes = scheduler.set(text);
        (scheduler, notes)
    }

    #[test]
    fn parameters_are_found_anywhere_in_the_text() {
        let (scheduler, notes) =
            set("=bf_window=4320, BF_interval=10,defer,bf_max_job_user_part=3,bf_continue");
        assert_eq!(notes, []);
        assert_eq!(scheduler.backfill.window, Time::from_secs(4320 * 60));
        assert_eq!(scheduler.backfill.interval, Some(Time::from_secs(10)));
        assert_eq!((scheduler.backfill.per_user_partition, scheduler.backfill.per_user), (3, 0));
        assert!(scheduler.main.defer);
        assert!(!set("defer_batch").0.main.defer);
    }

    #[test]
    fn old_names_and_old_defaults_hold() {
        assert_eq!(set("max_job_bf=70").0.backfill.most_tests, 70);
        assert_eq!(set("max_job_bf=70,bf_max_job_test=80").0.backfill.most_tests, 80);
        let of = |text| Scheduler::of_version(SlurmVersion::parse(text).unwrap()).backfill.most_tests;
        assert_eq!((of("20.11"), of("21.08"), of("25.05")), (100, 500, 500));
        assert_eq!(set("bf_interval=-1").0.backfill.interval, None);
    }

    #[test]
    fn other_parameters_are_told() {
        let notes = set("bf_windows=9,bf_licenses,bf_resolution=9000,preempt_youngest_first,bf_busy_nodes").1;
        assert_eq!(
            notes,
            [
                ParameterNote::Value("bf_resolution=9000: from 1 to 3600".into()),
                ParameterNote::Unknown("bf_windows (did you mean `bf_window`?)".into()),
                ParameterNote::Unsupported("bf_licenses: licences would be reserved, too".into()),
                ParameterNote::Unsupported("bf_busy_nodes: jobs would go to nodes in use first".into()),
            ]
        );
    }
}
