//! The works that policies, models, metrics and statistics come from.

use std::sync::LazyLock;

use serde::Deserialize;

use super::work::PublishedWork;
use crate::report::tables::Statistic;
use batchlab_engine::stats::{Method, TestKind};

#[derive(Deserialize)]
struct Works {
    work: Vec<PublishedWork>,
}

/// The works that the program has, which tests read: the file is part of it.
static WORKS: LazyLock<Vec<PublishedWork>> = LazyLock::new(|| {
    toml::from_str(include_str!("works.toml")).map_or_else(|_| Vec::new(), |Works { work }| work)
});

/// All works, in the order of their families.
pub fn all() -> impl Iterator<Item = &'static PublishedWork> {
    WORKS.iter()
}

pub fn find(key: &str) -> Option<&'static PublishedWork> {
    all().find(|work| work.key == key)
}

/// Returns the works on the statistics that tables show, each once, in the order of [`all`].
pub fn of_statistics(used: &[Statistic]) -> Vec<&'static PublishedWork> {
    let keys: Vec<&str> = used.iter().filter_map(|of| work_on(*of)).collect();
    all().filter(|work| keys.contains(&work.key.as_str())).collect()
}

/// Returns the key of the work on a statistic; `None` for what textbooks have.
pub fn work_on(statistic: Statistic) -> Option<&'static str> {
    match statistic {
        Statistic::Bonferroni => Some("dunn61"),
        Statistic::GeometricMean => Some("fleming86"),
        Statistic::Mser5 => Some("white97"),
        Statistic::MeanRanks => Some("demsar06"),
        Statistic::Lorenz => Some("lorenz05"),
        Statistic::LetterValues => Some("hofmann17"),
        Statistic::Test(TestKind::SignFlip) => Some("fisher35"),
        Statistic::Test(TestKind::Wilcoxon) => Some("wilcoxon45"),
        Statistic::Test(TestKind::Bca) | Statistic::Interval(Method::Bca) => Some("efron87"),
        Statistic::Interval(Method::Fieller) => Some("fieller54"),
        Statistic::Interval(Method::BlockBootstrap) => Some("kuensch89"),
        Statistic::Test(_) | Statistic::Interval(_) => None,
    }
}

/// Returns the works that the description of a plug-in names in words, clause by clause, and the clauses
/// that name no known work. Everything else cites by key.
pub fn named(cite: &str) -> (Vec<&'static PublishedWork>, Vec<String>) {
    let (mut works, mut others): (Vec<&'static PublishedWork>, _) = (Vec::new(), Vec::new());
    for clause in cite.split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
        let clause = clause.split_whitespace().collect::<Vec<_>>().join(" ");
        let found: Vec<&PublishedWork> = all().filter(|work| work.is_named_in(&clause)).collect();
        if found.is_empty() {
            others.push(clause);
        }
        for work in found {
            if !works.iter().any(|known| known.key == work.key) {
                works.push(work);
            }
        }
    }
    (works, others)
}
