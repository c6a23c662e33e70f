//! The demand of a row, and the machine size that it requires.

use super::occupancy::peak;
use super::{ReadingError, drops};
use crate::header::RemarkedCount;
use crate::reading::{Memory, Reading, Size};
use crate::{Example, Field, Findings, Machine, Trace};

/// Returns the processors of a row by a rule: those of the field that the rule names, otherwise of the other
/// field; `None` if neither is positive.
pub fn size(trace: &Trace, rule: Size, row: usize) -> Option<i64> {
    let fields = match rule {
        Size::Requested => [Field::Requested, Field::Allocated],
        Size::Allocated => [Field::Allocated, Field::Requested],
    };
    fields.into_iter().map(|field| trace.get(row, field).truncated()).find(|&procs| procs > 0)
}

/// Returns the fewest processors of this many equal nodes on which the largest job fits.
pub(crate) fn procs_of_nodes(nodes: i64, largest: i64) -> i64 {
    let each = largest.div_euclid(nodes) + i64::from(largest % nodes > 0);
    nodes.saturating_mul(each.max(1)).min(Machine::MOST_PROCS)
}

/// Returns the processors that the header of a log states, itself or by its nodes, for a largest job; never fewer than the log's own
/// schedule had in use at once.
pub(crate) fn stated_procs(trace: &Trace, largest: Option<i64>) -> Option<i64> {
    let header = &trace.header;
    let usable =
        |counted: &Option<RemarkedCount>| counted.as_ref().map(|of| of.count).filter(|&count| count > 0);
    usable(&header.max_procs).or_else(|| {
        let largest = largest.max(Some(peak(trace)).filter(|&peak| peak > 0));
        let of_nodes = || Some(procs_of_nodes(usable(&header.max_nodes)?, largest.unwrap_or(1)));
        of_nodes().or(largest)
    })
}

/// How much more than requested the jobs of a log were allocated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverAllocation {
    /// Jobs that were allocated more processors than they requested.
    pub more: u64,
    /// Jobs whose requested and allocated processors and run time are known.
    pub of: u64,
    /// Work by allocated processors, divided by work by requested ones.
    pub factor: f64,
}

impl OverAllocation {
    /// The ratio of work at which a replay by requested processors becomes misleading.
    const MUCH: f64 = 1.5;

    /// Sums over some rows, each with the processors that its job needs; `None` if no row has both sizes.
    pub fn of(trace: &Trace, rows: impl IntoIterator<Item = (usize, i64)>) -> Option<OverAllocation> {
        let (mut more, mut of, mut asked_work, mut given_work) = (0, 0, 0_i128, 0_i128);
        for (row, asked) in rows {
            let given = trace.get(row, Field::Allocated).truncated();
            let run = trace.time(row, Field::Run).ticks();
            if asked > 0 && given > 0 && run > 0 {
                of += 1;
                more += u64::from(given > asked);
                asked_work += i128::from(asked) * i128::from(run);
                given_work += i128::from(given) * i128::from(run);
            }
        }
        (of > 0).then(|| OverAllocation { more, of, factor: given_work as f64 / asked_work as f64 })
    }

    /// Whether a replay by requested processors leaves idle a large part of the machine that was in use.
    pub fn is_much_more(&self) -> bool {
        self.factor >= OverAllocation::MUCH
    }
}

/// Returns the size of the machine that a trace ran on: `MaxProcs` of its header; otherwise, with a finding, that of
/// `MaxNodes` nodes on which the largest job fits, or the size of the largest job; never fewer processors than the log's own
/// schedule had in use at once. Sizes beyond [`Machine::MOST_PROCS`] are ignored. O(n log n).
pub fn machine_size(trace: &Trace, reading: &Reading, findings: &mut Findings) -> Result<i64, ReadingError> {
    let usable = |procs: &i64| (1..=Machine::MOST_PROCS).contains(procs);
    if let Some(procs) = trace.header.max_procs.as_ref().map(|procs| procs.count).filter(usable) {
        return Ok(procs);
    }
    let sizes = (0..trace.len()).filter_map(|row| size(trace, reading.size, row));
    let largest = sizes.filter(usable).max();
    let peak = Some(peak(trace)).filter(usable).filter(|&peak| Some(peak) > largest);
    let largest = peak.or(largest);
    let nodes = trace.header.max_nodes.as_ref().map(|nodes| nodes.count).filter(usable);
    if let Some(nodes) = nodes {
        let procs = procs_of_nodes(nodes, largest.unwrap_or(1));
        let detail = || Example::of(format!("{nodes} nodes, {procs} processors"));
        findings.report(&drops::SIZE_OF_NODES, detail)?;
        return Ok(procs);
    }
    let largest = largest.ok_or(ReadingError::NoMachineSize)?;
    let detail = || match peak {
        Some(peak) => {
            format!("{peak} processors were in use at once, more than the largest job of these has")
        }
        None => format!("the largest job has {largest} processors"),
    };
    findings.report(&drops::NO_MACHINE_SIZE, || Example::of(detail()))?;
    Ok(largest)
}

/// Returns the amount of a further resource of a machine, by its index, that a row holds; `None` if unknown.
pub(super) fn demand_of(
    trace: &Trace,
    machine: &Machine,
    reading: &Reading,
    (row, procs): (usize, i64),
    kind: usize,
) -> Option<i64> {
    let name = &machine.resources()[kind].name;
    let of = |name: &str| demand(trace, reading, row, procs, name);
    let Some(sum) = machine.sums().iter().find(|sum| sum.name == *name) else { return of(name) };
    let parts = sum.of.iter().map(|(name, weight)| of(name).unwrap_or(0).saturating_mul(*weight));
    Some(parts.fold(0, i64::saturating_add))
}

/// Returns the amount of a further resource that a row holds; `None` if unknown.
pub(super) fn demand(
    trace: &Trace,
    reading: &Reading,
    row: usize,
    procs: i64,
    resource: &str,
) -> Option<i64> {
    if let Some(column) = trace.resource(resource) {
        return Some(column.whole(row)).filter(|&amount| amount >= 0);
    }
    if resource != "memory" {
        return None;
    }
    let fields = match reading.memory {
        Memory::Requested => [Field::RequestedMemory, Field::UsedMemory],
        Memory::Used => [Field::UsedMemory, Field::RequestedMemory],
    };
    let per_proc =
        fields.into_iter().map(|field| trace.get(row, field).to_micro()).find(|&micro| micro > 0)?;
    // A decimal is rounded up to the whole unit: a job never holds less than it requested.
    let amount = (i128::from(per_proc) * i128::from(procs) + 999_999).div_euclid(1_000_000);
    Some(amount.min(i128::from(i64::MAX)) as i64)
}
