use super::demand::{demand_of, size};
use super::layouts::{Layouts, Told};
use super::sites::Constraints;
use crate::machine::{Fit, Machine, Misfit};
use crate::{Field, Layout, Reading, Trace};

pub(super) struct MachineFit<'a> {
    trace: &'a Trace,
    machine: &'a Machine,
    reading: &'a Reading,
    fit: Fit<'a>,
    layouts: Layouts<'a>,
    constraints: Constraints<'a>,
}

impl<'a> MachineFit<'a> {
    pub(super) fn new(trace: &'a Trace, machine: &'a Machine, reading: &'a Reading) -> MachineFit<'a> {
        let layouts = Layouts::new(trace, machine, reading.layout);
        MachineFit {
            trace,
            machine,
            reading,
            fit: Fit::new(machine),
            layouts,
            constraints: Constraints::new(trace, machine),
        }
    }

    pub(super) fn constraints(&self) -> &Constraints<'a> {
        &self.constraints
    }

    /// Whether nodes take the partition of a row's job, but none of these meets its constraint.
    pub(super) fn is_constrained(&self, row: usize) -> bool {
        let partition = self.partition(row);
        (0..self.machine.nodes()).any(|node| self.machine.admits(node, partition))
    }

    pub(super) fn has_layouts(&self) -> bool {
        self.layouts.any()
    }

    pub(super) fn layout(&self, row: usize, procs: i64) -> Told {
        self.layouts.of(row, procs, self.partition(row))
    }

    /// Returns why a row's job never fits the machine; an unknown amount counts as zero.
    pub(super) fn misfit(&self, row: usize, procs: i64) -> Option<Misfit> {
        let (partition, Told { layout, .. }) = (self.partition(row), self.layout(row, procs));
        let takes = |node| self.machine.admits(node, partition) && self.constraints.admit(row, node);
        if self.machine.kinds() == 1 {
            return self.fit.misfit(&[procs], &layout, takes);
        }
        self.fit.misfit(&self.demands(row, procs), &layout, takes)
    }

    /// Returns the reason why a row's job does not fit the machine, if so.
    pub(super) fn words(&self, row: usize) -> Option<String> {
        let machine = self.machine;
        let procs = size(self.trace, self.reading.size, row)?;
        let misfit = self.misfit(row, procs)?;
        let demands = self.demands(row, procs);
        let layout @ Layout { task, .. } = self.layout(row, procs).layout;
        let of_partition = match self.partition(row) {
            partition if partition >= 0 && machine.is_partitioned() => format!(" of partition {partition}"),
            _ => String::new(),
        };
        Some(match misfit {
            Misfit::Total { resource: 0 } => {
                format!(" of {procs} processors on a machine of {}", machine.procs())
            }
            Misfit::Total { resource } => {
                let [need, total] = [demands[resource], machine.total(resource)]
                    .map(|amount| machine.shown(resource, amount).to_string());
                format!(
                    " needs {need} of {}, and the machine has {total}",
                    machine.resources()[resource].name
                )
            }
            Misfit::Partition => of_partition,
            Misfit::Task { resource: Some(0) } => format!("{of_partition} in tasks of {task} processors"),
            Misfit::Task { resource: Some(resource) } => {
                let (name, whole) =
                    (&machine.resources()[resource].name, machine.shown(resource, demands[resource]));
                format!("{of_partition} needs {whole} of {name} for {procs} processors, in tasks of {task}")
            }
            Misfit::Task { resource: None } => {
                format!("{of_partition}: no node has all that a task of {task} processors needs")
            }
            Misfit::Tasks { hold, tasks } => {
                format!(
                    "{of_partition} is {tasks} tasks of {task} processors{}, and the nodes hold {hold} of them",
                    if layout.per_node == 1 { ", each on a node of its own" } else { "" }
                )
            }
        })
    }

    fn partition(&self, row: usize) -> i64 {
        self.trace.get(row, Field::Partition).truncated()
    }

    fn demands(&self, row: usize, procs: i64) -> Vec<i64> {
        let of = |kind| demand_of(self.trace, self.machine, self.reading, (row, procs), kind).unwrap_or(0);
        let further = (1..self.machine.kinds()).map(of);
        std::iter::once(procs).chain(further).collect()
    }
}
