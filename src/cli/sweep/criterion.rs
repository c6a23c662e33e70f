use std::fmt;
use std::str::FromStr;

use crate::metrics::MeasureKey;

/// A metric and its bound: `mean_bsld <= 20`.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    pub metric: String,
    /// The class of jobs; `None` for all.
    pub class: Option<String>,
    pub bound: f64,
}

impl Criterion {
    /// Returns the key of the measure: that of the metric, followed by `@CLASS` for the jobs of a class.
    pub fn measure(&self) -> String {
        MeasureKey { metric: &self.metric, class: self.class.as_deref() }.to_string()
    }
}

impl FromStr for Criterion {
    type Err = String;

    fn from_str(text: &str) -> Result<Criterion, String> {
        let wrong = || {
            format!(
                "`{text}` is not METRIC <= BOUND, such as `mean_bsld <= 20`: a metric that grows with the \
                    load must stay below"
            )
        };
        let (measure, bound) = text.split_once("<=").ok_or_else(wrong)?;
        let bound: f64 = bound.trim().parse().map_err(|_| wrong())?;
        if bound <= 0.0 || !bound.is_finite() {
            return Err("the bound must be above 0: the curve is read in logarithms".into());
        }
        let MeasureKey { metric, class } = MeasureKey::parse(measure);
        let is_key = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        if !is_key(metric) || class.is_some_and(|class| !is_key(class)) {
            return Err(wrong());
        }
        Ok(Criterion { metric: metric.into(), class: class.map(Into::into), bound })
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} <= {}", self.measure(), self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_a_class_and_a_bound() {
        let criterion: Criterion = "mean_bsld@small<=20".parse().unwrap();
        assert_eq!((criterion.metric.as_str(), criterion.class.as_deref()), ("mean_bsld", Some("small")));
        assert_eq!(criterion.to_string(), "mean_bsld@small <= 20");
        for wrong in ["mean_bsld", "mean_bsld >= 20", "mean_bsld <= many", "<= 20", "a b <= 20", "a@ <= 20"] {
            assert!(wrong.parse::<Criterion>().unwrap_err().contains("METRIC <= BOUND"), "{wrong}");
        }
        assert!("mean_bsld <= 0".parse::<Criterion>().unwrap_err().contains("above 0"));
    }
}
