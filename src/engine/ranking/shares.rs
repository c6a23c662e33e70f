use batchlab_slurm::site::{AssociationUsage, SlurmSite};
use batchlab_slurm::twin::Ranking;
use batchlab_traces::sorted::SortedMap;
use serde::Serialize;

/// How closely usage and fair share are those that `sshare` told.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ShareComparison {
    /// Users in accounts whose usage is compared.
    pub compared: u64,
    /// How many have the usage within a hundredth, or one unit.
    pub usage_within_1_percent: u64,
    /// The largest difference of usage, in billing-seconds.
    pub largest_usage: f64,
    /// Users whose factor is compared: those that have one here and there.
    pub factors: u64,
    /// How many have the same factor.
    pub equal: u64,
    /// The largest difference of factors.
    pub largest: f64,
    /// The associations that `sshare` told alone.
    pub only_in_sshare: u64,
}

/// By how much factors differ that are shown with six decimals.
const ROUNDED: f64 = 1.5e-6;

/// Compares the usage and the factors of users with those that `sshare` told.
pub fn compare_shares(site: &SlurmSite, ranking: &Ranking<'_>, told: &[AssociationUsage]) -> ShareComparison {
    // The tree begins with the associations of the files, and may have pseudonyms in the place of their names.
    let named = |at: usize| site.system.associations.get(at).or_else(|| site.tree.get(at));
    let index: SortedMap<_, usize> = (0..site.tree.len())
        .filter_map(|at| named(at).map(|one| ((&one.account, &one.user, &one.partition), at)))
        .collect();
    let mut comparison = ShareComparison::default();
    for one in told.iter().filter(|one| one.user.is_some()) {
        let Some(&at) = index.get(&(&one.account, &one.user, &one.partition)) else {
            comparison.only_in_sshare += 1;
            continue;
        };
        if let Some((here, there)) = ranking.usage(at).zip(one.usage) {
            let apart = (here - there).abs();
            comparison.compared += 1;
            comparison.usage_within_1_percent += u64::from(apart <= (there / 100.0).max(1.0));
            comparison.largest_usage = comparison.largest_usage.max(apart);
        }
        if let Some((here, there)) = ranking.fairshare(at).zip(one.factor) {
            let apart = (here - there).abs();
            comparison.factors += 1;
            comparison.equal += u64::from(apart <= ROUNDED);
            comparison.largest = comparison.largest.max(apart);
        }
    }
    comparison
}
