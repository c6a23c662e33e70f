//! The statistics that a table shows, as data for those who cite them.

use super::best::tests_of_best;
use super::caption::{methods, shows_intervals, shows_tests, tests};
use super::filled::Filled;
use super::geometric::mean_rows;
use super::layout::TableLayout;
use super::{Names, TableKind, TableSpec};
use batchlab_engine::stats::{Method, TestKind};
use batchlab_study::study::{Pool, Study};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    Test(TestKind),
    Interval(Method),
    /// Bonferroni's adjustment of p-values and intervals.
    Bonferroni,
    /// The geometric mean, over units or workloads.
    GeometricMean,
    /// The warm-up that MSER-5 cuts.
    Mser5,
    /// Mean ranks over logs, with Friedman's and Nemenyi's tests.
    MeanRanks,
    /// The Lorenz curve.
    Lorenz,
    /// Letter values, as boxes.
    LetterValues,
}

/// Returns the statistics that a table for readers shows. O(cells), plus the estimates, contrasts and families
/// that it needs.
pub fn statistics(spec: &TableSpec, study: &Study<'_>) -> Vec<Statistic> {
    match spec.kind {
        TableKind::Values => {}
        TableKind::Users => return vec![Statistic::Lorenz, Statistic::Interval(Method::StudentT)],
        TableKind::Losers => return Vec::new(),
        TableKind::Pareto => {
            return vec![Statistic::Bonferroni, Statistic::Test(TestKind::LogPairedT)];
        }
    }
    let names = Names::of(study.frame());
    let filled = Filled::new(TableLayout::new(spec, &names), study);
    let mut used = Vec::new();
    let mut tested = |kinds: Vec<TestKind>, is_adjusted: bool| {
        used.extend((!kinds.is_empty() && is_adjusted).then_some(Statistic::Bonferroni));
        used.extend(kinds.into_iter().map(Statistic::Test));
    };
    if shows_tests(&filled) {
        tested(tests(&filled), !spec.is_each_alone());
    }
    if spec.best {
        let (kinds, is_adjusted) = tests_of_best(&filled, study);
        tested(kinds, is_adjusted);
    }
    if shows_intervals(&filled) {
        used.extend(methods(&filled).into_iter().map(Statistic::Interval));
    }
    let shows_values = spec.cells.iter().any(|kind| kind.is_value());
    let is_geometric = shows_values && spec.pool == Pool::Geometric
        || spec.geometric && !mean_rows(&filled, study).rows.is_empty();
    used.extend(is_geometric.then_some(Statistic::GeometricMean));
    used
}
