//! What is known of a candidate after some units: a mean of numbers, one for each unit, with its standard error.

use batchlab_engine::stats::student;

/// The mean of the groups' means, a group being a workload at a point of the sweep, and the standard error of that mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitScore {
    pub mean: f64,
    /// `None` with fewer than two units in a group.
    pub error: Option<f64>,
    pub units: usize,
    freedom: f64,
}

impl UnitScore {
    /// Pools numbers by their group; `None` without a number. A number that is infinite, such as that of a unit on which a
    /// candidate failed, makes the mean infinite. O(n).
    pub fn of(numbers: impl Iterator<Item = (usize, f64)>) -> Option<UnitScore> {
        let mut groups: Vec<Vec<f64>> = Vec::new();
        for (group, number) in numbers {
            if groups.len() <= group {
                groups.resize(group + 1, Vec::new());
            }
            groups[group].push(number);
        }
        groups.retain(|group| !group.is_empty());
        let number = groups.len() as f64;
        let means: Vec<f64> =
            groups.iter().map(|group| group.iter().sum::<f64>() / group.len() as f64).collect();
        let variance = |(group, mean): (&Vec<f64>, &f64)| {
            let squares: f64 = group.iter().map(|one| (one - mean).powi(2)).sum();
            (group.len() > 1).then(|| squares / (group.len() - 1) as f64 / group.len() as f64)
        };
        let error = groups.iter().zip(&means).map(variance).sum::<Option<f64>>();
        let units: usize = groups.iter().map(Vec::len).sum();
        (units > 0).then(|| UnitScore {
            mean: means.iter().sum::<f64>() / number,
            error: error.map(|sum| sum.sqrt() / number).filter(|error| error.is_finite()),
            units,
            freedom: units as f64 - number,
        })
    }

    /// Returns the end of the interval that the mean stays below in this share of cases, such as .95; `None` without an error.
    pub fn upper(&self, share: f64) -> Option<f64> {
        Some(self.mean + student::quantile(share, self.freedom) * self.error?)
    }

    /// Returns the ends of the mean's interval at a level such as .95; `None` without an error.
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        let upper = self.upper(f64::midpoint(1.0, level))?;
        Some([2.0 * self.mean - upper, upper])
    }

    /// Whether the mean is shown to lie above 0, one-sided, at this level such as .99.
    pub fn is_above_zero(&self, level: f64) -> bool {
        if self.mean == f64::INFINITY {
            return true;
        }
        self.error.is_some_and(|error| self.mean - student::quantile(level, self.freedom) * error > 0.0)
    }

    /// Returns the distance from 0 of a mean over `units` units that a two-sided test at this level shows in four of five cases;
    /// `None` without an error.
    pub fn detectable(&self, units: usize, level: f64) -> Option<f64> {
        let groups = self.units as f64 - self.freedom;
        let freedom = units as f64 - groups;
        let quantile = |share: f64| student::quantile(share, freedom);
        let error = self.error? * (self.units as f64 / units as f64).sqrt();
        (freedom >= 1.0).then(|| (quantile(1.0 - (1.0 - level) / 2.0) + quantile(0.8)) * error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(numbers: &[(usize, f64)]) -> UnitScore {
        UnitScore::of(numbers.iter().copied()).unwrap()
    }

    #[test]
    fn groups_weigh_the_same_however_many_units_they_have() {
        let score = score(&[(0, 1.0), (0, 3.0), (0, 2.0), (2, 6.0), (2, 10.0)]);
        assert_eq!((score.mean, score.units), (5.0, 5));
        // Variances of the groups' means: 1/3 and 4.
        assert!((score.error.unwrap() - (1.0f64 / 3.0 + 4.0).sqrt() / 2.0).abs() < 1e-12);
    }

    #[test]
    fn one_number_has_no_error_and_a_failure_is_infinite() {
        let one = score(&[(0, 2.0)]);
        assert_eq!((one.error, one.upper(0.95), one.is_above_zero(0.9)), (None, None, false));
        let failed = score(&[(0, 2.0), (0, f64::INFINITY)]);
        assert!(failed.mean.is_infinite() && failed.error.is_none() && failed.is_above_zero(0.99));
        assert_eq!(UnitScore::of(std::iter::empty()), None);
    }

    #[test]
    fn the_bound_is_that_of_students_t() {
        let score = score(&[(0, 1.0), (0, 2.0), (0, 3.0)]);
        // t(.95; 2) = 2.919986, error 1/sqrt(3)
        assert!((score.upper(0.95).unwrap() - (2.0 + 2.919_986 / 3f64.sqrt())).abs() < 1e-5);
        assert!(!score.is_above_zero(0.99) && score.is_above_zero(0.95));
    }

    #[test]
    fn more_units_show_less() {
        let score = score(&[(0, -0.1), (0, 0.1), (0, 0.0), (0, 0.05)]);
        let at = |units| score.detectable(units, 0.95).unwrap();
        assert!(at(4) > at(16) && at(16) > at(64));
        // t(.975; 15) + t(.8; 15) = 2.13145 + .86624
        let sd = score.error.unwrap() * 2.0;
        assert!((at(16) - (2.131_45 + 0.866_24) * sd / 4.0).abs() < 1e-5);
    }
}
