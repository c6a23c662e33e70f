use std::sync::Arc;

use crate::arrange::Arrange as _;
use crate::constraint::Constraint;
use crate::header::Named;
use crate::sorted::{SortedMap, SortedSet};
use crate::{Column, Machine, Trace};

/// The column of a trace with the number of each job's constraint, declared with the scope `job`; notes of the header such
/// as `constraint 2: v100&ib` say what the numbers mean.
pub const CONSTRAINT: &str = "constraint";

/// Returns the constraint of a row of a trace, as its log states it.
pub fn constraint(trace: &Trace, row: usize) -> Option<String> {
    let number = trace.job_column(CONSTRAINT)?.whole(row);
    trace.header.noted(CONSTRAINT).find(|noted| noted.number == number).map(|noted| noted.name)
}

/// The nodes on which each job may be.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    /// For each set, whether it has each node.
    sets: Vec<Arc<[bool]>>,
    /// The set of each job, from 1; 0 is all nodes. Empty if every job may be anywhere.
    of_job: Vec<u32>,
}

impl Sites {
    /// Whether every job may be on any node.
    pub(super) fn is_empty(&self) -> bool {
        self.of_job.is_empty()
    }

    /// Whether the job at a position may be on a node.
    #[inline]
    pub(super) fn admit(&self, at: usize, node: usize) -> bool {
        match self.of_job.get(at) {
            None | Some(0) => true,
            Some(&set) => self.sets[set as usize - 1][node],
        }
    }

    /// Keeps the job at a position, of `jobs` in all, on these nodes of a machine.
    pub(super) fn bind(&mut self, at: usize, jobs: usize, on: &[usize], machine: &Machine) {
        let mut set = vec![false; machine.nodes()];
        for &node in on.iter().filter(|&&node| node < machine.nodes()) {
            set[node] = true;
        }
        self.sets.push(set.into());
        self.of_job.resize(jobs, 0);
        self.of_job[at] = self.sets.len() as u32;
    }

    /// Returns the set of the job at a position, from 1; 0 is all nodes.
    pub(super) fn set(&self, at: usize) -> u32 {
        self.of_job.get(at).copied().unwrap_or(0)
    }

    /// Returns the same sets of nodes without jobs; jobs that are added later find their sets among them.
    pub(super) fn without_jobs(&self) -> Sites {
        Sites { sets: self.sets.clone(), of_job: Vec::new() }
    }

    /// Appends the jobs at some positions of another workload, behind `before` jobs. A set of nodes that is not the same at
    /// the same index here is copied. O(jobs log sets).
    pub(super) fn append(&mut self, before: usize, other: &Sites, positions: &[usize]) {
        if self.of_job.is_empty() && other.of_job.is_empty() {
            return;
        }
        self.of_job.resize(before, 0);
        let mut here: SortedMap<u32, u32> = SortedMap::new();
        for set in positions.iter().map(|&at| other.set(at)) {
            let known = match here.get(&set) {
                _ if set == 0 => 0,
                Some(&known) => known,
                None if self.has(set, other) => set,
                None => {
                    self.sets.push(other.sets[set as usize - 1].clone());
                    self.sets.len() as u32
                }
            };
            here.insert(set, known);
            self.of_job.push(known);
        }
    }

    /// Whether a set of another workload is the same here.
    fn has(&self, set: u32, other: &Sites) -> bool {
        let at = set as usize - 1;
        self.sets.get(at).is_some_and(|known| Arc::ptr_eq(known, &other.sets[at]))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowConstraint {
    Nothing,
    /// It cannot be read, or the machine has no features.
    Unread,
    /// The nodes of this set, from 1.
    Set(u32),
}

pub(super) struct Constraints<'a> {
    column: Option<&'a Column>,
    /// The set of each number of the column, sorted by number.
    numbers: Vec<(i64, RowConstraint)>,
    sets: Vec<Vec<bool>>,
    /// Features that constraints name and no node has.
    unknown: Vec<String>,
}

impl<'a> Constraints<'a> {
    pub(super) fn new(trace: &'a Trace, machine: &Machine) -> Constraints<'a> {
        let column = trace.job_column(CONSTRAINT).filter(|_| !machine.is_pool());
        let mut read = Constraints { column, numbers: Vec::new(), sets: Vec::new(), unknown: Vec::new() };
        if column.is_none() {
            return read;
        }
        let all: SortedSet<&str> =
            (0..machine.nodes()).flat_map(|node| machine.features(node)).map(String::as_str).collect();
        let known = |feature: &str| all.contains(feature);
        for Named { number, name } in trace.header.noted(CONSTRAINT) {
            let asked = match Constraint::parse(&name).filter(|_| machine.has_features()) {
                None => RowConstraint::Unread,
                Some(constraint) => {
                    let holds = |node| constraint.holds(machine.features(node), &known);
                    read.sets.push((0..machine.nodes()).map(holds).collect());
                    let unknown = constraint.features().into_iter().filter(|&feature| !known(feature));
                    read.unknown.extend(unknown.map(str::to_owned));
                    RowConstraint::Set(read.sets.len() as u32)
                }
            };
            read.numbers.push((number, asked));
        }
        read.numbers.arrange_by_key(|&(number, _)| number);
        read.unknown.sort_unstable();
        read.unknown.dedup();
        read
    }

    pub(super) fn any(&self) -> bool {
        self.column.is_some()
    }

    pub(super) fn of(&self, row: usize) -> RowConstraint {
        let Some(number) = self.column.map(|column| column.whole(row)).filter(|&number| number > 0) else {
            return RowConstraint::Nothing;
        };
        let at = self.numbers.binary_search_by_key(&number, |&(number, _)| number);
        at.map_or(RowConstraint::Unread, |at| self.numbers[at].1)
    }

    pub(super) fn admit(&self, row: usize, node: usize) -> bool {
        match self.of(row) {
            RowConstraint::Set(set) => self.sets[set as usize - 1][node],
            RowConstraint::Nothing | RowConstraint::Unread => true,
        }
    }

    pub(super) fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Returns the sites of some rows; none if all may be anywhere.
    pub(super) fn sites(&self, rows: &[u32]) -> Sites {
        let set = |&row: &u32| match self.of(row as usize) {
            RowConstraint::Set(set) => set,
            RowConstraint::Nothing | RowConstraint::Unread => 0,
        };
        let of_job: Vec<u32> = if self.any() { rows.iter().map(set).collect() } else { Vec::new() };
        if of_job.iter().all(|&set| set == 0) {
            return Sites::default();
        }
        Sites { sets: self.sets.iter().map(|set| set.as_slice().into()).collect(), of_job }
    }
}
