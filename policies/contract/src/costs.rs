//! What switching, migrating and swapping cost. Costs belong to the scenario, and the engine charges them,
//! so that no policy can forget one.

use std::fmt;
use std::str::FromStr;

use crate::words;
use batchlab_traces::machine::Amount;
use batchlab_traces::reading::parse_duration;
use batchlab_traces::time::TICKS_PER_SECOND;
use batchlab_traces::{JobId, Machine, Time, Workload};

/// The value of a parameter that leaves a cost to the scenario.
pub const SCENARIO: &str = "scenario";

/// A kind of cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostKind {
    /// A share of a slice.
    Switch,
    /// A time.
    Migrate,
    /// A rate.
    Swap,
}

/// Which jobs pay for a context switch at the beginning of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwitchCharge {
    /// All jobs of the row (Zhang et al. 2000, equation 3: T · CS · s · n).
    #[default]
    All,
    /// The jobs that did not run in the slice just before on the same processors.
    Changed,
}

/// How jobs pay for the migrations of an event: two readings of equations 4 and 5 of Zhang et al. 2000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MigrationCharge {
    /// By the difference between the matrix before the event and after it: a job pays C at most once.
    #[default]
    Event,
    /// Each migration by itself, also if a later one of the same event moves its jobs again.
    Step,
}

words!(MigrationCharge { Event = "event", Step = "step" });

/// What switching, migrating and swapping cost in a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Share of a slice that a context switch takes.
    pub switch: Portion,
    /// Which jobs pay for it.
    pub charge: SwitchCharge,
    /// Checkpoint and restart of a job that moves to other processors; each is half of this time.
    pub migrate: Time,
    /// How jobs pay for it.
    pub migrate_charge: MigrationCharge,
    /// Bytes per second that each processor swaps of its part of a job; `None` means that swapping takes no time.
    pub swap: Option<i64>,
    /// Whether a first load takes as long as swapping in.
    pub first_load: bool,
}

/// A share below 1, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Portion(u32);

/// The costs that a policy's own parameters state, in place of the scenario's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatedCosts {
    /// Share of a slice.
    pub switch: Option<Portion>,
    /// Which jobs pay for a switch.
    pub charge: Option<SwitchCharge>,
    /// Checkpoint and restart.
    pub migrate: Option<Time>,
    /// How jobs pay for it.
    pub migrate_charge: Option<MigrationCharge>,
    /// Rate of swapping; `Some(None)` means that it takes no time.
    pub swap: Option<Option<i64>>,
    /// Rate of swapping if neither the parameters nor the scenario state one.
    pub swap_else: Option<i64>,
    /// Whether first loads take time.
    pub first_load: Option<bool>,
}

impl Portion {
    const WHOLE: i64 = 1_000_000;

    /// Returns the share of a length of time, to the nearest tick.
    pub fn of(self, length: Time) -> Time {
        let parts = i128::from(length.ticks()) * i128::from(self.0);
        Time::from_ticks(((parts + i128::from(Portion::WHOLE / 2)) / i128::from(Portion::WHOLE)) as i64)
    }

    /// Returns the share as a fraction.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / Portion::WHOLE as f64
    }
}

/// Reads a share from 0 to below 1, in whole millionths.
impl FromStr for Portion {
    type Err = ();

    fn from_str(text: &str) -> Result<Portion, ()> {
        let share: f64 = text.parse().map_err(|_| ())?;
        let parts = (share * Portion::WHOLE as f64).round();
        if (0.0..Portion::WHOLE as f64).contains(&parts) { Ok(Portion(parts as u32)) } else { Err(()) }
    }
}

impl CostKind {
    /// Returns the name of the cost in `--cost`.
    pub const fn name(self) -> &'static str {
        match self {
            CostKind::Switch => "switch",
            CostKind::Migrate => "migrate",
            CostKind::Swap => "swap",
        }
    }

    /// Returns the form of its values, in words.
    pub const fn expected(self) -> &'static str {
        match self {
            CostKind::Switch => "a share of a slice from 0 to below 1, such as 0.05",
            CostKind::Migrate => "a time such as 30, 30s or 1min",
            CostKind::Swap => "a rate such as 20MB/s, or none",
        }
    }

    /// Whether a parameter may have this value.
    pub(crate) fn accepts(self, value: &str) -> bool {
        value == SCENARIO || self.stated(value).is_some()
    }

    /// Returns the costs that the value of a parameter states; none if it leaves them to the scenario.
    pub(crate) fn states(self, value: &str) -> StatedCosts {
        self.stated(value).unwrap_or(StatedCosts::NONE)
    }

    /// Reads a cost; `None` if the value is invalid.
    fn stated(self, value: &str) -> Option<StatedCosts> {
        let nothing = StatedCosts::NONE;
        Some(match self {
            CostKind::Switch => StatedCosts { switch: Some(value.parse().ok()?), ..nothing },
            CostKind::Migrate => {
                let time = parse_duration(value).ok().filter(|&time| time >= Time::ZERO)?;
                StatedCosts { migrate: Some(time), ..nothing }
            }
            CostKind::Swap if value == "none" => StatedCosts { swap: Some(None), ..nothing },
            CostKind::Swap => StatedCosts { swap: Some(Some(rate(value)?)), ..nothing },
        })
    }
}

/// Reads bytes per second in `20MB/s`.
fn rate(text: &str) -> Option<i64> {
    let amount: Amount = text.strip_suffix("/s")?.trim_end().parse().ok()?;
    amount.has_unit().then_some(amount.in_units_of("b")?).filter(|&rate| rate > 0)
}

impl StatedCosts {
    /// States no cost.
    pub const NONE: StatedCosts = StatedCosts {
        switch: None,
        charge: None,
        migrate: None,
        migrate_charge: None,
        swap: None,
        swap_else: None,
        first_load: None,
    };

    /// Returns the costs stated by either; this one takes precedence.
    #[must_use]
    pub const fn and(self, other: StatedCosts) -> StatedCosts {
        macro_rules! either {
            ($field:ident) => {
                if self.$field.is_some() { self.$field } else { other.$field }
            };
        }
        StatedCosts {
            switch: either!(switch),
            charge: either!(charge),
            migrate: either!(migrate),
            migrate_charge: either!(migrate_charge),
            swap: either!(swap),
            swap_else: either!(swap_else),
            first_load: either!(first_load),
        }
    }
}

impl Costs {
    /// Returns these costs, replaced where a policy's parameters state others.
    #[must_use]
    pub fn under(self, stated: StatedCosts) -> Costs {
        Costs {
            switch: stated.switch.unwrap_or(self.switch),
            charge: stated.charge.unwrap_or(self.charge),
            migrate: stated.migrate.unwrap_or(self.migrate),
            migrate_charge: stated.migrate_charge.unwrap_or(self.migrate_charge),
            swap: stated.swap.unwrap_or(self.swap.or(stated.swap_else)),
            first_load: stated.first_load.unwrap_or(self.first_load),
        }
    }

    /// Returns how long it takes to swap a job out, or in: all its processors transfer their parts at the same time.
    pub fn swap_time(&self, machine: &Machine, workload: &Workload, job: JobId) -> Time {
        let (Some(rate), Some(memory)) = (self.swap, workload.memory(machine, job)) else {
            return Time::ZERO;
        };
        let unit = machine.resource("memory").map_or("KB", |kind| machine.resources()[kind].unit.as_str());
        let one = format!("1{}", if unit.is_empty() || unit == "-" { "KB" } else { unit });
        let size = one.parse::<Amount>().ok().and_then(|one| one.in_units_of("b")).unwrap_or(1024);
        let bytes = i128::from(memory) * i128::from(size) * i128::from(TICKS_PER_SECOND);
        let each = i128::from(workload.procs(job).max(1)) * i128::from(rate);
        let ticks = (bytes + each - 1) / each;
        Time::from_ticks(ticks.min(i128::from(Time::FARTHEST.ticks())) as i64)
    }
}

/// An invalid list of costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a cost: {expected}")]
pub struct CostsError {
    given: String,
    expected: String,
}

/// Reads `switch=0.05,migrate=30s,swap=20MB/s`, each at most once, in any order.
impl FromStr for Costs {
    type Err = CostsError;

    fn from_str(text: &str) -> Result<Costs, CostsError> {
        let kinds = [CostKind::Switch, CostKind::Migrate, CostKind::Swap];
        let mut said = StatedCosts::NONE;
        let mut seen: Vec<CostKind> = Vec::new();
        for part in text.split(',') {
            let error = |expected: &str| CostsError { given: part.into(), expected: expected.into() };
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let Some(kind) = kinds.into_iter().find(|kind| kind.name() == name.trim()) else {
                return Err(error("name them as in switch=0.05,migrate=30s,swap=20MB/s"));
            };
            if seen.contains(&kind) {
                return Err(error("it is given twice"));
            }
            seen.push(kind);
            let expected = format!("{} takes {}", kind.name(), kind.expected());
            said = said.and(kind.stated(value.trim()).ok_or_else(|| error(&expected))?);
        }
        Ok(Costs::default().under(said))
    }
}

/// Writes the costs that are not zero, as `--cost` takes them; `none` if all are zero.
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.switch > Portion::default() {
            parts.push(format!("switch={}", self.switch.to_f64()));
            if self.charge == SwitchCharge::Changed {
                parts.push("charge=changed".into());
            }
        }
        if self.migrate > Time::ZERO {
            parts.push(format!("migrate={}s", self.migrate));
            if self.migrate_charge == MigrationCharge::Step {
                parts.push("migrate-charge=step".into());
            }
        }
        if let Some(rate) = self.swap {
            parts.push(shown_rate(rate));
            if self.first_load {
                parts.push("first load too".into());
            }
        }
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join(","))
    }
}

/// Writes a rate in the largest unit that divides it.
fn shown_rate(rate: i64) -> String {
    let units = [(1_i64 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"), (1, "B")];
    let (size, unit) = units.into_iter().find(|(size, _)| rate % size == 0).unwrap_or((1, "B"));
    format!("swap={}{unit}/s", rate / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_and_written_alike() {
        for text in
            ["switch=0.05,migrate=30s,swap=20MB/s", "migrate=0.5s", "swap=1536KB/s", "switch=0.000001"]
        {
            assert_eq!(text.parse::<Costs>().unwrap().to_string(), text);
        }
        assert_eq!("swap=none,switch=0".parse::<Costs>().unwrap().to_string(), "none");
        let costs: Costs = "switch=0.05".parse().unwrap();
        assert_eq!(costs.switch.of(Time::from_secs(200)), Time::from_secs(10));
    }

    #[test]
    fn what_is_no_cost_is_refused_with_what_would_be() {
        let said = |text: &str| text.parse::<Costs>().unwrap_err().to_string();
        assert_eq!(
            said("switch=1"),
            "`switch=1` is not a cost: switch takes a share of a slice from 0 to below 1, such as 0.05"
        );
        assert_eq!(said("swap=20"), "`swap=20` is not a cost: swap takes a rate such as 20MB/s, or none");
        assert_eq!(
            said("migrate=-1"),
            "`migrate=-1` is not a cost: migrate takes a time such as 30, 30s or 1min"
        );
        assert_eq!(
            said("cs=0.1"),
            "`cs=0.1` is not a cost: name them as in switch=0.05,migrate=30s,swap=20MB/s"
        );
        assert_eq!(said("switch=0,switch=0"), "`switch=0` is not a cost: it is given twice");
    }

    #[test]
    fn parameters_stand_in_place_of_the_scenario() {
        let scenario: Costs = "switch=0.05,swap=5MB/s".parse().unwrap();
        let stated = CostKind::Switch.states("0.01").and(CostKind::Swap.states("none"));
        assert_eq!(scenario.under(stated).to_string(), "switch=0.01");
        assert_eq!(scenario.under(CostKind::Switch.states("scenario")), scenario);
        let fallback = StatedCosts { swap_else: Some(20 << 20), ..StatedCosts::NONE };
        assert_eq!(scenario.under(fallback).swap, Some(5 << 20));
        assert_eq!(Costs::default().under(fallback).to_string(), "swap=20MB/s");
    }
}
