//! How the jobs of a log lie on the nodes of an installation, and which of them lie nowhere.

use std::collections::HashMap;
use std::sync::Arc;

use super::blocks::report_blocks;
use super::layouts::laid_out;
use super::{SlurmSite, SlurmSystem};
use batchlab_contract::JobView;
use batchlab_traces::finding::{Example, Findings};
use batchlab_traces::kinds;
use batchlab_traces::layout::Layout;
use batchlab_traces::machine::{Fit, Machine};
use batchlab_traces::number::counted;
use batchlab_traces::provenance::Provenance;
use batchlab_traces::trace::Trace;
use batchlab_traces::workload::{JobId, ReadingError, Workload};

kinds! {
    UNPLACEABLE: Loud "slurm-job-oversized",
        "{job|jobs} that the empty nodes of {its|their} partition cannot hold as {it asks|they ask}: by nodes, tasks on each \
         node, processors of a task, or whole nodes",
        "dropped, as Slurm refuses such {a job|jobs}; every result shifts with {it|them}",
        "give the slurm.conf of the time of the log";
}

/// What decides whether a job fits: its partition, its constraint, the nodes that it asks for, its layout and its demand.
type Shape = (i64, i64, (i64, i64), Layout, Vec<i64>);

/// Returns the jobs laid out as an installation may place them, with the cores or sockets that they hold, without the jobs that the
/// empty machine cannot hold in this way. Where Slurm allocates processors, these are tasks that go to any nodes: what a log tells of
/// their nodes is what became of them. Jobs with `--exclusive`, and jobs in partitions with `OverSubscribe=EXCLUSIVE`, have their
/// nodes to themselves.
pub fn placed(
    system: &Arc<SlurmSystem>,
    workload: Workload,
    trace: &Trace,
    machine: &Machine,
    findings: &mut Findings,
    provenance: &mut Provenance,
) -> Result<Workload, ReadingError> {
    let site = SlurmSite::of_shapes(system.clone(), &workload, trace);
    let fit = Fit::new(machine);
    let workload = laid_out(&site, workload, trace, &fit);
    report_blocks(system, findings)?;
    if site.has_blocks {
        workload.compare_given(trace, machine, findings, provenance)?;
    }
    let misfits = misfits(&site, &workload, &fit);
    for (job, why) in &misfits {
        let place = Some(trace.place(workload.row(*job)));
        let detail = format!("job {}{why}", workload.number(*job));
        findings.report(&UNPLACEABLE, || Example { place, detail })?;
    }
    let dropped = misfits.len() as u64;
    let admissions: Vec<i64> = (0..trace.len()).map(|row| site.admission(row)).collect();
    let workload = workload.with_admissions(&admissions);
    if dropped == 0 {
        return Ok(workload);
    }
    let words = format!("{}: {}", UNPLACEABLE.what(dropped), UNPLACEABLE.done(dropped));
    provenance.step(UNPLACEABLE.code, words, dropped);
    if misfits.len() == workload.len() {
        return Err(ReadingError::NoJobs { rows: trace.len() });
    }
    let mut drops = vec![false; workload.len()];
    for (job, _) in &misfits {
        drops[job.index()] = true;
    }
    Ok(workload.without(&drops))
}

/// Returns the jobs that the empty machine cannot hold as they ask, with the reason. O(nodes) for each shape of a job that
/// is not loose processors; the reading of the log has dropped the loose jobs that do not fit.
fn misfits(site: &SlurmSite, workload: &Workload, fit: &Fit<'_>) -> Vec<(JobId, String)> {
    let mut known: HashMap<Shape, Option<String>> = HashMap::new();
    let mut misfits = Vec::new();
    for job in workload.jobs() {
        let view = JobView::new(workload, job);
        let (layout, asked) = (view.layout(), site.nodes_asked(view));
        if layout.is_loose() && asked.0 == 0 && site.groups(view).is_empty() {
            continue;
        }
        let (partition, constraint) = site.named(view);
        let shape = (partition, constraint, asked, layout, view.demand().to_vec());
        let why = known.entry(shape).or_insert_with(|| misfit(site, view, fit));
        misfits.extend(why.clone().map(|why| (job, why)));
    }
    misfits
}

/// Returns why the empty machine cannot hold a job as it asks, in words that follow its name; `None` if it can.
fn misfit(site: &SlurmSite, job: JobView<'_>, fit: &Fit<'_>) -> Option<String> {
    let (layout, (least, most)) = (job.layout(), site.nodes_asked(job));
    let demand = job.demand();
    let admits = |node| job.admitted(fit.machine(), node);
    let fits = |within: Option<&Vec<usize>>| {
        let takes = |node| admits(node) && within.is_none_or(|within| within.binary_search(&node).is_ok());
        if least == 0 {
            return fit.misfit(demand, &layout, takes).is_none();
        }
        let room = fit.roomiest(demand, &layout, most, takes);
        room.nodes >= least && layout.is_enough(room.whole, room.beside)
    };
    let groups = site.groups(job);
    let found = if groups.is_empty() { fits(None) } else { groups.iter().any(|group| fits(Some(group))) };
    (!found).then(|| {
        let room = fit.roomiest(demand, &layout, i64::MAX, admits);
        let asks = asks(&layout, (least, most));
        format!("{asks}; the nodes with room for a task ({}) have room for {}", room.nodes, room.whole)
    })
}

/// Returns what a job asks for, in words that follow its name.
fn asks(layout: &Layout, (least, most): (i64, i64)) -> String {
    let Layout { task, per_node, exclusive, .. } = *layout;
    let count = layout.count();
    let nodes = match (per_node == 1, least) {
        (true, _) => ", each on a node of its own".into(),
        (false, 0) => String::new(),
        (false, _) if most > least => format!(" on {least} to {most} nodes"),
        (false, _) => format!(" on {}", counted(least, "node")),
    };
    let alone = if exclusive { ", with no other job there" } else { "" };
    let (tasks, task) = (counted(count, "task"), counted(task, "processor"));
    format!(" asks for {tasks} of {task}{nodes}{alone}")
}
