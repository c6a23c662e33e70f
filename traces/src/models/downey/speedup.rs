/// A job's speedup: Downey's function of average parallelism A and its variance sigma.
///
/// A hypothetical profile of parallelism with these two moments gives, for sigma up to 1,
/// S(n) = An / (A + σ(n−1)/2) up to n = A and An / (σ(A−1/2) + n(1−σ/2)) up to n = 2A−1; for sigma from 1,
/// S(n) = nA(σ+1) / (σ(n+A−1) + A) up to n = A+Aσ−σ; and S(n) = A beyond (Downey 1997, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speedup {
    /// Average parallelism, at least 1.
    pub(super) average: f64,
    /// Variance of the parallelism, at least 0.
    pub(super) sigma: f64,
}

impl Speedup {
    /// Returns the speedup on n processors, n ≥ 1. Continuous, S(1) = 1, S(n) ≤ n, S(n) ≤ A.
    pub(super) fn on(self, n: f64) -> f64 {
        let Speedup { average: a, sigma } = self;
        if n >= self.saturation() {
            return a;
        }
        if sigma > 1.0 {
            n * a * (sigma + 1.0) / (sigma * (n + a - 1.0) + a)
        } else if n <= a {
            a * n / (a + sigma * (n - 1.0) / 2.0)
        } else {
            a * n / (sigma * (a - 0.5) + n * (1.0 - sigma / 2.0))
        }
    }

    /// Returns the number of processors from which the speedup is A.
    fn saturation(self) -> f64 {
        let Speedup { average: a, sigma } = self;
        if sigma == 0.0 {
            a
        } else if sigma <= 1.0 {
            2.0 * a - 1.0
        } else {
            a + a * sigma - sigma
        }
    }

    /// Returns the knee, the n at which S(n)²/n, speedup times efficiency, is greatest.
    ///
    /// Each branch of S is rational with one term in n in the denominator, so S²/n rises until that term
    /// equals the sum of the others, and falls beyond.
    fn knee(self) -> f64 {
        let Speedup { average: a, sigma } = self;
        if sigma == 0.0 {
            a
        } else if sigma <= 1.0 {
            (sigma * (a - 0.5) / (1.0 - sigma / 2.0)).clamp(a, (2.0 * a - 1.0).max(a))
        } else {
            (a - 1.0 + a / sigma).min(self.saturation())
        }
    }
}

/// The rule by which a moldable job gets its processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SpeedupRule {
    Average,
    Knee,
    /// The most processors that it can use.
    Saturation,
    Fixed(u32),
}

impl SpeedupRule {
    /// Parses `average`, `knee`, `saturation` or a number of processors.
    pub(super) fn parse(text: &str) -> Option<SpeedupRule> {
        match text {
            "average" => Some(SpeedupRule::Average),
            "knee" => Some(SpeedupRule::Knee),
            "saturation" => Some(SpeedupRule::Saturation),
            _ => text.parse().ok().filter(|&procs| procs > 0).map(SpeedupRule::Fixed),
        }
    }

    /// Returns the processors of a job on a machine: rounded to the nearest whole number from 1 to the machine's.
    pub(super) fn processors(self, speedup: Speedup, machine: u32) -> u32 {
        let wanted = match self {
            SpeedupRule::Average => speedup.average,
            SpeedupRule::Knee => speedup.knee(),
            SpeedupRule::Saturation => speedup.saturation(),
            SpeedupRule::Fixed(procs) => procs.into(),
        };
        wanted.round().clamp(1.0, machine.into()) as u32
    }
}
