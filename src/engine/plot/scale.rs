//! Scales: map values to positions along an axis.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    is_log: bool,
}

impl Scale {
    /// Returns a scale on which equal distances are equal differences. A range that is empty or not finite is
    /// replaced by one of length 1.
    pub fn linear(from: f64, to: f64) -> Scale {
        let from = if from.is_finite() { from } else { 0.0 };
        let to = if to.is_finite() && to > from { to } else { from + 1.0 };
        Scale { from, to, is_log: false }
    }

    /// Returns a scale on which equal distances are equal ratios. A range that is empty, not finite or not
    /// above zero is replaced by a decade.
    pub fn log(from: f64, to: f64) -> Scale {
        let from = if from.is_finite() && from > 0.0 { from } else { 1.0 };
        let to = if to.is_finite() && to > from { to } else { from * 10.0 };
        Scale { from, to, is_log: true }
    }

    pub fn from(&self) -> f64 {
        self.from
    }

    pub fn to(&self) -> f64 {
        self.to
    }

    /// Whether equal distances are equal ratios.
    pub fn is_log(&self) -> bool {
        self.is_log
    }

    /// Returns the position of a value: 0 at the beginning of the axis, 1 at its end. Values outside of the
    /// axis are placed at the nearer end.
    pub fn position(&self, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let value = value.clamp(self.from, self.to);
        if self.is_log {
            (value / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        }
    }

    /// Returns values at equal distances from the beginning to the end.
    pub fn steps(&self, count: usize) -> impl Iterator<Item = f64> + use<> {
        let Scale { from, to, is_log } = *self;
        (0..=count).map(move |at| {
            let share = at as f64 / count.max(1) as f64;
            if is_log { from * (to / from).powf(share) } else { from + (to - from) * share }
        })
    }
}
