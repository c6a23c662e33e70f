mod draws;
mod edit;

pub(super) use draws::Draws;

use crate::number::{Number, counted};
use crate::{Field, Time, Trace, status};

/// A trace during shaping: its rows have permanent keys, regardless of what else is chosen or drawn.
///
/// A row's key is its position in the original trace, so that a draw keyed by it is the same whether or not
/// other rows were dropped before.
#[must_use]
#[derive(Clone, Debug)]
pub(super) struct ShapedTrace {
    pub trace: Trace,
    keys: Vec<u64>,
    /// The number of jobs that lost the job they had to wait for.
    pub orphans: u64,
}

impl ShapedTrace {
    pub fn new(trace: Trace) -> ShapedTrace {
        let keys = (0..trace.len() as u64).collect();
        ShapedTrace { trace, keys, orphans: 0 }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.trace.len()
    }

    /// Returns the number of rows in words: "28,489 jobs".
    pub fn total(&self) -> String {
        counted(self.len(), "job")
    }

    pub fn rows(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    pub fn key(&self, row: u32) -> u64 {
        self.keys[row as usize]
    }

    /// Returns the submission of a row; `None` if it is unknown.
    pub fn submit(&self, row: u32) -> Option<Time> {
        self.time(row, Field::Submit)
    }

    /// Returns a time of a row; `None` if it is unknown.
    pub fn time(&self, row: u32, field: Field) -> Option<Time> {
        Some(self.trace.time(row as usize, field)).filter(|&time| time >= Time::ZERO)
    }

    /// Returns the first submission; `None` if none is known.
    pub fn first_submit(&self) -> Option<Time> {
        self.rows().filter_map(|row| self.submit(row)).min()
    }

    /// Returns the rows with a known submission, in the order of submission, ties in the order of the file.
    pub fn by_submit(&self) -> Vec<u32> {
        let mut rows = self.trace.by_submit();
        rows.retain(|&row| self.submit(row).is_some());
        rows
    }

    /// Returns the size of a row: requested processors, otherwise allocated ones.
    pub fn procs(&self, row: u32) -> Option<i64> {
        crate::workload::size(&self.trace, crate::reading::Size::Requested, row as usize)
    }

    /// Returns the processors of the machine: `MaxProcs`, otherwise the fewest processors of `MaxNodes` equal nodes on which
    /// the largest job fits, otherwise the size of the largest job; without `MaxProcs` never fewer than were in use at once.
    pub fn machine_procs(&self) -> Option<i64> {
        let largest = self.rows().filter_map(|row| self.procs(row)).max();
        crate::workload::stated_procs(&self.trace, largest)
    }

    /// Returns the number of nodes that the processors of a row fill, with `MaxProcs` / `MaxNodes`
    /// processors, rounded up, per node; one if the header does not state it.
    pub fn nodes(&self, row: u32) -> i64 {
        let count =
            |counted: &Option<crate::header::RemarkedCount>| counted.as_ref().map_or(0, |of| of.count);
        let (procs, nodes) = (count(&self.trace.header.max_procs), count(&self.trace.header.max_nodes));
        let up = |many: i64, parts: i64| many.saturating_add(parts - 1) / parts;
        let per_node = if procs > 0 && nodes > 0 { up(procs, nodes) } else { 1 };
        self.procs(row).map_or(0, |procs| up(procs, per_node))
    }

    /// Returns some of the rows, in the given order. Jobs whose predecessor is not among them have none.
    pub fn select(&self, rows: &[u32]) -> ShapedTrace {
        let keys = rows.iter().map(|&row| self.key(row)).collect();
        let mut chosen = ShapedTrace { trace: self.trace.select(rows), keys, orphans: self.orphans };
        if rows.len() < self.len() {
            chosen.orphans += chosen.orphan();
        }
        chosen.recount();
        chosen
    }

    /// Returns rows that may occur several times, each with the number of its copy: copies are separate
    /// jobs, with their own draws.
    pub fn select_copies(&self, rows: &[(u32, u64)]) -> ShapedTrace {
        let chosen: Vec<u32> = rows.iter().map(|&(row, _)| row).collect();
        let keys = rows.iter().map(|&(row, copy)| draws::derived(self.key(row), copy)).collect();
        let mut copies = ShapedTrace { trace: self.trace.select(&chosen), keys, orphans: self.orphans };
        copies.recount();
        copies
    }

    /// Returns a trace that was made from this one and others, with a key for each of its rows.
    pub fn continued(&self, trace: Trace, keys: Vec<u64>) -> ShapedTrace {
        assert_eq!(trace.len(), keys.len(), "a key for each row");
        ShapedTrace { trace, keys, orphans: self.orphans }
    }

    /// Returns the key for draws of a row of another log; logs are counted from 1.
    pub fn derived_key(row: u32, log: usize) -> u64 {
        draws::derived(u64::from(row), log as u64)
    }

    fn recount(&mut self) {
        let codes = self.trace.column(Field::Status).iter().map(Number::truncated);
        let jobs = codes.filter(|&code| !status::is_part(code)).count();
        let header = &mut self.trace.header;
        header.max_records = header.max_records.map(|_| self.keys.len() as i64);
        header.max_jobs = header.max_jobs.map(|_| jobs as i64);
    }

    /// Removes references to predecessors that were dropped, and returns how many there were.
    fn orphan(&mut self) -> u64 {
        if self.trace.column(Field::Preceding).constant().is_some_and(Number::is_unknown) {
            return 0;
        }
        let numbers: crate::sorted::SortedSet<i64> =
            self.trace.column(Field::Job).iter().map(Number::truncated).collect();
        let alone: Vec<bool> = (self.trace.column(Field::Preceding).iter())
            .map(|number| !number.is_unknown() && !numbers.contains(&number.truncated()))
            .collect();
        for field in [Field::Preceding, Field::Think] {
            self.map(field, |row, number| if alone[row as usize] { Number::UNKNOWN } else { number });
        }
        alone.iter().filter(|&&alone| alone).count() as u64
    }
}
