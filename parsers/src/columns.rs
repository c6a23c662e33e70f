//! The further columns that several formats share; each is created when the first job has an amount for it.

use batchlab_traces::Number;
use batchlab_traces::header::ColumnScope;
use batchlab_traces::workload::CONSTRAINT;
use batchlab_traces::workload::layout_columns::{EVEN_GPU, EVEN_MEMORY};

use crate::entry::{AccountingEntry, Name};
use crate::normal::Normaliser;

/// A further column that several formats share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Nodes of the job.
    Nodes,
    /// Processors on each node of the job, if the number is the same on all of them.
    Ppn,
    /// Requested memory of the whole job, KB.
    Memory,
    /// Requested GPUs.
    Gpu,
    /// 1 if the job has its nodes to itself.
    Exclusive,
    /// 1 if each of the job's nodes has the same part of its memory.
    EvenMemory,
    /// 1 if each of the job's nodes has the same number of GPUs.
    EvenGpu,
    /// Seconds from submission until the job was eligible to start, if it was held or waited for other jobs.
    Eligible,
}

/// Name, unit and scope of each column, in the order of [`Shared`].
const COLUMNS: [(&str, &str, ColumnScope); 8] = [
    ("nodes", "", ColumnScope::Job),
    ("ppn", "", ColumnScope::Job),
    ("memory", "KB", ColumnScope::Pool),
    ("gpu", "", ColumnScope::Pool),
    ("exclusive", "", ColumnScope::Job),
    (EVEN_MEMORY, "", ColumnScope::Job),
    (EVEN_GPU, "", ColumnScope::Job),
    ("eligible", "s", ColumnScope::Job),
];

/// Handles of the shared columns that this log has needed so far.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    handles: [Option<usize>; COLUMNS.len()],
    constraint: Option<usize>,
}

impl Columns {
    /// Stores an amount in a job's entry; the first amount of a column creates the column.
    pub fn put(
        &mut self,
        column: Shared,
        amount: Option<i64>,
        entry: &mut AccountingEntry<'_>,
        normaliser: &mut Normaliser,
    ) {
        let Some(amount) = amount.filter(|&amount| amount >= 0) else { return };
        let (name, unit, scope) = COLUMNS[column as usize];
        let handle =
            *self.handles[column as usize].get_or_insert_with(|| normaliser.column(name, unit, scope));
        entry.extra.push((handle, amount));
    }

    /// Stores what a job asks of its nodes, unless the text is empty.
    pub fn put_constraint(
        &mut self,
        asked: &[u8],
        extra: &mut Vec<(usize, i64)>,
        normaliser: &mut Normaliser,
    ) {
        if !asked.is_empty() {
            let at = *self.constraint.get_or_insert_with(|| normaliser.named_column(CONSTRAINT));
            extra.push((at, normaliser.number(at, Name::of(asked))));
        }
    }
}

/// Divides an amount equally among `parts`, to the millionth: for example a job's memory or CPU time among
/// its processors. Returns `None` if `parts` is missing or not positive.
pub fn share(amount: Number, parts: Option<i64>) -> Option<Number> {
    let parts = parts.filter(|&parts| parts > 0)?;
    Some(Number::from_micro(amount.to_micro() / parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::LogPlan;

    #[test]
    fn a_column_is_there_from_its_first_amount_on() {
        let (mut columns, mut normaliser) = (Columns::default(), Normaliser::new(LogPlan::default()));
        let mut entry = AccountingEntry::default();
        columns.put(Shared::Gpu, None, &mut entry, &mut normaliser);
        assert_eq!(normaliser.columns().len(), 0);
        columns.put(Shared::Memory, Some(7), &mut entry, &mut normaliser);
        columns.put(Shared::Gpu, Some(0), &mut entry, &mut normaliser);
        columns.put(Shared::Memory, Some(8), &mut entry, &mut normaliser);
        assert_eq!(entry.extra, [(0, 7), (1, 0), (0, 8)]);
        let names: Vec<&str> = normaliser.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["memory", "gpu"]);
    }

    #[test]
    fn shares_are_exact_to_the_millionth() {
        assert_eq!(share(Number::whole(10), Some(4)).map(|share| share.to_string()).as_deref(), Some("2.5"));
        assert_eq!(share(Number::whole(10), Some(0)), None);
        assert_eq!(share(Number::whole(10), None), None);
    }
}
