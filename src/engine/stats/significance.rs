/// The result of a two-sided test.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The probability, if there were no difference, of a statistic at least as far out; in [0, 1].
    pub p: f64,
    /// The test statistic; each test documents its own.
    pub statistic: f64,
    /// Which test it is.
    pub kind: TestKind,
    /// The number of units.
    pub units: usize,
    /// Units left out: differences of 0 in a signed-rank test.
    pub dropped: usize,
    /// Whether the distribution is exact: enumerated or in closed form, neither drawn nor approximated.
    pub exact: bool,
}

/// The kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestKind {
    /// Paired t-test, about the mean difference.
    PairedT,
    /// Paired t-test of logarithms, about the geometric mean of the ratios unit by unit.
    LogPairedT,
    /// Permutation test that flips the signs of differences, about the mean difference.
    SignFlip,
    /// Wilcoxon's signed-rank test, about the median difference.
    Wilcoxon,
    /// `BCa` interval inverted: the level at which it would end at the value of no difference.
    Bca,
}

impl TestKind {
    /// Returns the test in words: "paired t-test".
    pub fn words(self) -> &'static str {
        match self {
            TestKind::PairedT => "paired t-test",
            TestKind::LogPairedT => "paired t-test of logarithms",
            TestKind::SignFlip => "sign-flip permutation test",
            TestKind::Wilcoxon => "Wilcoxon signed-rank test",
            TestKind::Bca => "BCa bootstrap test",
        }
    }
}
