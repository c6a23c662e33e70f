use batchlab_traces::kinds;
use batchlab_traces::sorted::SortedMap;

use super::Association;

kinds! {
    USAGE_OF_NO_QUEUE: Note "slurm-usage-of-no-queue",
        "{association|associations} with the usage of an instant (sshare), and a log in which all jobs have ended",
        "not used by replays of the log from its beginning: they compute usage from its jobs",
        "batchlab priorities and when take it with the queue of that instant, or with --at";
}

/// What slurmctld has counted as the usage of an association (`sshare`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssociationUsage {
    pub account: String,
    /// The user; `None` for the account itself.
    pub user: Option<String>,
    /// The partition, if the association is about one.
    pub partition: Option<String>,
    /// `RawUsage`, in billing-seconds.
    pub usage: Option<f64>,
    pub effective: Option<f64>,
    /// `FairShare`, the factor of a user.
    pub factor: Option<f64>,
    pub line: usize,
}

/// The usage of the associations of a tree at an instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldUsage {
    /// Of each user; 0 for accounts, and for users whose usage is not stated.
    pub usage: Vec<f64>,
    pub effective: Vec<Option<f64>>,
    /// How many of the users were found.
    pub found: usize,
}

impl ToldUsage {
    /// Returns what `sshare` showed of the associations of a tree; `None` if it showed nothing.
    pub(super) fn of(tree: &[Association], told: &[AssociationUsage]) -> Option<ToldUsage> {
        let index: SortedMap<_, &AssociationUsage> =
            told.iter().map(|one| ((&one.account, &one.user, &one.partition), one)).collect();
        let mut of_tree = ToldUsage::default();
        for one in tree {
            let found = index.get(&(&one.account, &one.user, &one.partition));
            // Without the option that shows them, associations of a partition cannot be told apart.
            let found = found.or_else(|| index.get(&(&one.account, &one.user, &None)));
            let of_user = found.filter(|_| one.user.is_some());
            of_tree.found += usize::from(of_user.is_some());
            of_tree.usage.push(of_user.and_then(|told| told.usage).unwrap_or(0.0));
            of_tree.effective.push(found.and_then(|told| told.effective));
        }
        (of_tree.found > 0).then_some(of_tree)
    }
}
