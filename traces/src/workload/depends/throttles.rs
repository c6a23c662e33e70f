//! Arrays with a limit on the tasks that may be in the system at the same time.

use crate::field::Field;
use crate::sorted::SortedMap;
use crate::trace::{ARRAY_LIMIT, Trace};

pub(super) struct Array {
    /// The most of its tasks in the system.
    pub at_most: usize,
    /// The positions of its tasks, in the order of the tasks.
    pub tasks: Vec<usize>,
}

/// Returns the arrays with a throttle among the rows to replay. The rest of a pending array, which is a row without a number
/// of a task, may state it for the tasks that ran; of different throttles of an array, the largest counts. O(n log n).
pub(super) fn arrays(trace: &Trace, rows: &[u32]) -> Vec<Array> {
    let value = |name: &str, row: usize| trace.stated(row, name);
    if trace.resource(ARRAY_LIMIT).is_none() {
        return Vec::new();
    }
    let mut limits: SortedMap<i64, i64> = SortedMap::new();
    for row in 0..trace.len() {
        if let Some(limit) = value(ARRAY_LIMIT, row).filter(|&limit| limit > 0) {
            let array = value("array", row).or_else(|| value("id", row));
            let array = array.unwrap_or_else(|| trace.get(row, Field::Job).truncated());
            let known = limits.entry(array).or_default();
            *known = limit.max(*known);
        }
    }
    let mut tasks: SortedMap<i64, Vec<(i64, i64, usize)>> = SortedMap::new();
    for (at, &row) in rows.iter().enumerate() {
        let row = row as usize;
        if let Some(array) = value("array", row).filter(|array| limits.contains_key(array)) {
            let submit = trace.time(row, Field::Submit).ticks();
            let task = value("array_task", row).unwrap_or(-1);
            tasks.entry(array).or_default().push((submit, task, at));
        }
    }
    let array = |(array, mut tasks): (i64, Vec<(i64, i64, usize)>)| {
        tasks.sort_unstable();
        let at_most = usize::try_from(limits[&array]).unwrap_or(usize::MAX);
        Array { at_most, tasks: tasks.into_iter().map(|(.., at)| at).collect() }
    };
    tasks.into_iter().map(array).filter(|array| array.tasks.len() > array.at_most).collect()
}

/// Returns the number of tasks that wait for others of their array.
pub(super) fn held_back(arrays: &[Array]) -> u64 {
    arrays.iter().map(|array| array.tasks.len().saturating_sub(array.at_most) as u64).sum()
}
