//! How units are divided into those for fitting, choosing and judging.

use batchlab_engine::stats::MIN_UNITS;

/// What a unit serves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitRole {
    Fit,
    Choose,
    /// Never replayed by a search.
    Judge,
}

/// The shares of the units, in their order, so that what judges comes last in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split([f64; 3]);

impl Default for Split {
    fn default() -> Split {
        Split([0.5, 0.25, 0.25])
    }
}

impl Split {
    /// The least units of a workload: four that fit, two that choose, and as many that judge as a test needs.
    pub const LEAST: usize = 6 + MIN_UNITS;

    /// Returns a split in shares that are above 0; `None` if they are not, or do not add to 1.
    pub fn of(shares: &[f64]) -> Option<Split> {
        let shares: [f64; 3] = shares.try_into().ok()?;
        let is_split =
            shares.iter().all(|share| *share > 0.0) && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        is_split.then_some(Split(shares))
    }

    /// Returns the role of each of `units` units; with fewer than [`Split::LEAST`] none judges.
    pub fn roles(&self, units: usize) -> Vec<UnitRole> {
        let share = |share: f64, least: usize| ((share * units as f64).round() as usize).max(least);
        let judged = share(self.0[2], MIN_UNITS).min(units.saturating_sub(6));
        let chosen = share(self.0[1], 2).min(units.saturating_sub(judged + 4));
        let fitted = units - judged - chosen;
        let role = |unit: usize| match unit {
            _ if unit < fitted => UnitRole::Fit,
            _ if unit < fitted + chosen => UnitRole::Choose,
            _ => UnitRole::Judge,
        };
        (0..units).map(role).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(split: Split, units: usize) -> [usize; 3] {
        let roles = split.roles(units);
        assert!(roles.is_sorted());
        [UnitRole::Fit, UnitRole::Choose, UnitRole::Judge]
            .map(|role| roles.iter().filter(|one| **one == role).count())
    }

    #[test]
    fn units_are_divided_in_their_order() {
        assert_eq!(counts(Split::default(), 40), [20, 10, 10]);
        assert_eq!(counts(Split::of(&[0.2, 0.2, 0.6]).unwrap(), 20), [4, 4, 12]);
        assert_eq!(counts(Split::of(&[0.98, 0.01, 0.01]).unwrap(), 40), [32, 2, 6]);
        assert_eq!(counts(Split::default(), Split::LEAST), [4, 2, 6]);
        assert_eq!(counts(Split::default(), 3), [3, 0, 0]);
    }

    #[test]
    fn shares_are_three_and_add_to_one() {
        assert!(
            [&[0.5, 0.5][..], &[0.5, 0.5, 0.5], &[1.0, 0.0, 0.0]]
                .iter()
                .all(|shares| Split::of(shares).is_none())
        );
    }
}
