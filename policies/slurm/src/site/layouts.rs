//! How jobs lie on the nodes of an installation: by tasks, cores, sockets or whole nodes.

use std::num::NonZeroI64;

use batchlab_contract::JobView;
use batchlab_traces::asked::{ASKED_EACH, ASKED_OVER};
use batchlab_traces::machine::{Fit, Resource};
use batchlab_traces::workload::{MEMORY, layout_columns};
use batchlab_traces::{Column, JobId, Layout, Machine, Trace, Workload};

use super::SlurmSite;
use super::blocks::{Block, Blocks, CoreRequest};
use super::jobs::count;
use super::memory::widened;

/// The resources that the jobs of a log asked for by an amount on each node.
struct OnEach<'a> {
    /// Resources of the machine, by position.
    columns: Vec<(usize, &'a Column)>,
    over: Option<&'a Column>,
}

impl<'a> OnEach<'a> {
    fn of(trace: &'a Trace, machine: &Machine) -> OnEach<'a> {
        let column = |(kind, resource): (usize, &Resource)| {
            // A sum counts as the resource that it mostly consists of.
            let sum = machine.sums().iter().find(|sum| sum.name == resource.name);
            let name = sum.and_then(|sum| sum.of.first()).map_or(&resource.name, |(name, _)| name);
            let name = name.split(':').next().unwrap_or_default();
            Some((kind, trace.resource(&format!("{ASKED_EACH}{name}"))?))
        };
        let columns = machine.resources().iter().enumerate().skip(1).filter_map(column).collect();
        OnEach { columns, over: trace.resource(ASKED_OVER) }
    }

    /// Returns the layout of a row's job with its amounts on each node.
    fn applied(&self, row: usize, layout: Layout) -> Layout {
        let told = self.columns.iter().filter(|(_, column)| column.whole(row) > 0);
        let over = self.over.map_or(1, |column| column.whole(row));
        layout.on_each(told.fold(0, |bits, &(kind, _)| bits | 1 << kind), over)
    }
}

/// Returns the same jobs, laid out as Slurm may place them, and with what they hold: whole cores or sockets.
pub(super) fn laid_out(site: &SlurmSite, workload: Workload, trace: &Trace, fit: &Fit<'_>) -> Workload {
    let workload = widened(site, workload, trace, fit.machine());
    let alone = trace.resource(layout_columns::EXCLUSIVE);
    let rules = LayoutRules { site, blocks: Blocks::of(&site.system) };
    let layout = |job: JobId| {
        let view = JobView::new(&workload, job);
        let partition = site.partition(view).map(|at| &site.system.partitions[at]);
        let is_exclusive = partition.is_some_and(|partition| partition.exclusive)
            || alone.is_some_and(|column| column.whole(view.row()) > 0);
        match (site.system.select.whole_nodes, is_exclusive) {
            (true, false) => workload.layout(job),
            (true, true) => workload.layout(job).exclusively(),
            (false, true) => rules.alone(view, fit),
            (false, false) => rules.in_blocks(view),
        }
    };
    let each = OnEach::of(trace, fit.machine());
    let layouts = workload.jobs().map(|job| each.applied(workload.row(job), layout(job)));
    let layouts: Vec<Layout> = layouts.collect();
    if rules.blocks.are_single() {
        return workload.laid_out(&layouts);
    }
    rules.holding(workload, &layouts, fit.machine()).laid_out(&layouts)
}

struct LayoutRules<'a> {
    site: &'a SlurmSite,
    blocks: Blocks,
}

impl LayoutRules<'_> {
    /// Returns the layout of a job that gets processors, or the cores and sockets that they are in.
    fn in_blocks(&self, job: JobView<'_>) -> Layout {
        let (block, largest) = self.blocks.get(self.site.partition(job));
        let site = self.site.of(job);
        let (procs, task) = (job.procs(), count(site.task).max(1));
        let even = self.spread(job, task);
        if block.procs == 1 {
            // Slurm may give a job of several processors for each task fewer than it asked for, and any number on each node.
            let task = if procs == count(site.procs) { task } else { 1 };
            return even.unwrap_or_else(|| Layout::of_tasks(procs, task));
        }
        let nodes = even.as_ref().map_or(count(site.asked), Layout::count);
        let request = CoreRequest {
            procs,
            task: task.min(procs.max(1)),
            of_core: self.of_core(job),
            nodes,
            is_even: even.is_some(),
            is_given: self.is_given(job, block),
        };
        request.layout(block, largest)
    }

    /// Returns how many processors of each core a job may use, 0 for all of them.
    fn of_core(&self, job: JobView<'_>) -> i64 {
        let site = self.site.of(job);
        let single = if self.site.system.select.one_task { count(site.task).max(1) } else { 0 };
        site.of_core.map_or(single, NonZeroI64::get)
    }

    /// Whether the size of a job is what it got, in whole blocks: by the reading, or as a log tells it of a running job. A job
    /// that uses some processors of its cores gets more than it asks for.
    fn is_given(&self, job: JobView<'_>, block: Block) -> bool {
        let site = self.site.of(job);
        let uses_some = block.usable(self.of_core(job)) < block.procs;
        let is_whole = site.given == site.procs && count(site.given) % block.procs == 0;
        job.procs() != count(site.procs) || uses_some && is_whole
    }

    /// Returns the same jobs with the processors of their layouts, and with memory for each that they can use if they asked for it
    /// by processors.
    fn holding(&self, workload: Workload, layouts: &[Layout], machine: &Machine) -> Workload {
        let memory = machine.resource(MEMORY);
        let share = |job: JobId, procs: i64| {
            let job = JobView::new(&workload, job);
            let (asked, (block, _)) = (job.procs(), self.blocks.get(self.site.partition(job)));
            let usable = procs / block.procs * block.usable(self.of_core(job));
            let has_more = procs != asked && !self.is_given(job, block);
            (has_more && self.site.has_memory_each(job)).then_some((usable.max(asked), asked))
        };
        let held = workload.jobs().zip(layouts).map(|(job, layout)| {
            let procs = layout.task * layout.tasks + layout.rest * layout.rests;
            (procs, share(job, procs))
        });
        let held: Vec<(i64, Option<(i64, i64)>)> = held.collect();
        let first = workload.jobs().next().map_or(0, |job| job.0);
        workload.with_demands(|job, demand| {
            let (procs, share) = held[(job.0 - first) as usize];
            demand[0] = procs;
            if let (Some(kind), Some((usable, asked))) = (memory, share) {
                let amount = (i128::from(demand[kind]) * i128::from(usable) + i128::from(asked) - 1)
                    / i128::from(asked.max(1));
                demand[kind] = i64::try_from(amount).unwrap_or(i64::MAX);
            }
        })
    }

    /// Returns the layout of a job alone on its nodes: on the number that it asked for; of several numbers, on the least that
    /// suffices.
    fn alone(&self, job: JobView<'_>, fit: &Fit<'_>) -> Layout {
        let site = self.site.of(job);
        let Some(asked) = site.asked.map(NonZeroI64::get) else { return job.layout().exclusively() };
        let on = |nodes| Layout::on_nodes(job.procs(), nodes, 1).exclusively();
        let takes = |node| job.admitted(fit.machine(), node);
        let suffices = |layout: &Layout| fit.misfit(job.demand(), layout, takes).is_none();
        let most = count(site.asked_most).min(fit.machine().nodes() as i64);
        (asked..=most).map(on).find(suffices).unwrap_or_else(|| on(asked))
    }

    /// Returns the layout of a job that asked for a number of tasks on each node (`--ntasks-per-node`), if it has that number on each.
    fn spread(&self, job: JobView<'_>, task: i64) -> Option<Layout> {
        let per_node = self.site.of(job).per_node?.get();
        let (procs, each) = (job.procs(), per_node.checked_mul(task)?);
        let nodes = procs / each;
        let is_even = procs % each == 0 && self.site.asked_nodes(job).is_none_or(|asked| asked == nodes);
        is_even.then(|| Layout::on_nodes(procs, nodes, 1))
    }
}
