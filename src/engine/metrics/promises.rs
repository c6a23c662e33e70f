//! The first start that a policy promised each job.

use batchlab_support::{Act, Journal};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

/// The first promised start of each job that was promised one.
pub type FirstPromises = SortedMap<JobId, Time>;

/// Returns the first promised starts that a journal records; none without a journal. O(n log n) for n entries.
pub fn first_promises(journal: Option<&Journal>) -> FirstPromises {
    let mut first = SortedMap::new();
    for entry in journal.map_or(&[][..], |journal| &journal.entries) {
        if let Act::Promised(at) = entry.act {
            first.entry(entry.job).or_insert(at);
        }
    }
    first
}
