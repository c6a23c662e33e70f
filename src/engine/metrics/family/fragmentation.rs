//! Fragmentation: what is free on nodes and of no use to the jobs of the workload.

use std::cmp::Reverse;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Citation, JobId, Machine, Time, Workload};

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::Unit;

/// The share of what is free that a job of the workload cannot use, as expected over its jobs.
///
/// Weng et al. define it for the GPUs of a node n and a class m of jobs: `F_n(m)` is all that is free on the node if a task of
/// the class does not fit there or needs no GPU, else what is free on devices that have less room than the task needs of one
/// (at most a device). Here a class is what a task needs of a node, with the nodes on which it may be, and its weight is the
/// number of the replay's jobs in it. Another resource has no devices: of it everything is of use where a task fits that
/// needs some. What is out of service is not free.
pub static FRAGMENTATION: MetricSpec = MetricSpec {
    name: "fragmentation",
    unit: Unit::Fraction,
    domain: Domain::Share,
    definition: "free processors on nodes where a task of a job does not fit, over all free processors, both over the \
                 measured time and over all jobs, each as one task; of a resource also what is free where a task needs \
                 none of it, and on devices with less room than it needs of one; on machines with nodes, with the 512 \
                 most frequent kinds of tasks",
    cite: Citation::of("Weng et al. 2023, section 3.2", &["weng23"]),
    compute: Compute::PerResource(fragmentation),
    ..MetricSpec::OF_REPLAY
};

const MOST_CLASSES: usize = 512;

fn fragmentation(measurement: &Measurement<'_>, resource: usize) -> Option<f64> {
    let (machine, outcome) = (measurement.machine(), measurement.outcome());
    let known = !machine.is_pool() && !outcome.shares_time() && !outcome.places.is_empty();
    if !known || resource >= machine.kinds() {
        return None;
    }
    let window = measurement.window();
    let (from, to) = (window.from, window.to);
    let nodes = Nodes::new(measurement, resource);
    let jobs: i128 = nodes.classes.iter().map(|class| i128::from(class.jobs)).sum();
    let (mut lost, mut free) = (0.0, 0.0);
    let mut add = |nodes: &Nodes<'_>, begin: Time, end: Time| {
        let length = (end.min(to) - begin.max(from)).ticks().max(0) as f64;
        lost += nodes.lost.iter().sum::<i128>() as f64 * length;
        free += (nodes.free_in_all * jobs) as f64 * length;
    };
    sweep(measurement, nodes, &mut add);
    (free > 0.0).then(|| lost / free)
}

/// Passes every length of time in which nothing changes to `held`, with the nodes as they are then. O(events · classes).
fn sweep<'a>(
    measurement: &'a Measurement<'_>,
    mut nodes: Nodes<'a>,
    held: &mut impl FnMut(&Nodes<'_>, Time, Time),
) {
    let (machine, outcome) = (measurement.machine(), measurement.outcome());
    let mut changes: Vec<(Time, bool, Change<'_>)> = Vec::new();
    for job in measurement.replayed().filter(|job| job.end > job.start) {
        changes.push((job.start, true, Change::Job(job.job, job.start)));
        changes.push((job.end, false, Change::Job(job.job, job.start)));
    }
    let closures = measurement.capacity().map_or(&[][..], |calendar| &calendar.closures);
    // What a reservation keeps is free for its jobs.
    for closure in closures.iter().filter(|closure| closure.kept_for.is_none()) {
        changes.push((closure.from, true, Change::Out(closure.node, &closure.amounts)));
        changes.push((closure.to, false, Change::Out(closure.node, &closure.amounts)));
    }
    // What is given back at an instant is free before anything is taken.
    changes.arrange_by_key(|&(at, takes, _)| (at, takes));
    let mut since = measurement.window().from;
    let mut amounts = vec![0; machine.width()];
    for (at, takes, change) in changes {
        if at > since {
            held(&nodes, since, at);
            since = at;
        }
        let sign = if takes { -1 } else { 1 };
        match change {
            Change::Out(node, out) => nodes.change(node, sign, out),
            Change::Job(job, start) => {
                for share in outcome.places.at(job, start) {
                    let node = share.node as usize;
                    if node < machine.nodes() {
                        let here = (share.procs, share.devices);
                        let (workload, capacity) = (measurement.workload(), machine.capacity(node));
                        workload.hold(job, here, capacity, machine.devices(), &mut amounts);
                        nodes.change(node, sign, &amounts);
                        amounts.fill(0);
                    }
                }
            }
        }
    }
    held(&nodes, since, Time::MAX);
}

enum Change<'a> {
    /// A job, which started at an instant, comes or goes.
    Job(JobId, Time),
    /// Amounts of a node go out of service, or come back.
    Out(usize, &'a [i64]),
}

struct Class {
    job: JobId,
    /// What a task needs of each resource of a node.
    needs: Vec<i64>,
    exclusive: bool,
    jobs: u64,
}

struct Nodes<'a> {
    workload: &'a Workload,
    machine: &'a Machine,
    resource: usize,
    classes: Vec<Class>,
    free: Vec<Vec<i64>>,
    free_in_all: i128,
    /// Σ over classes of jobs × what is free of the resource on the node and of no use to them.
    lost: Vec<i128>,
}

impl<'a> Nodes<'a> {
    /// Returns the empty machine.
    fn new(measurement: &'a Measurement<'_>, resource: usize) -> Nodes<'a> {
        let (workload, machine) = (measurement.workload(), measurement.machine());
        let jobs = measurement.replayed().map(|job| job.job);
        let mut nodes = Nodes {
            workload,
            machine,
            resource,
            classes: classes(workload, machine, jobs),
            free: (0..machine.nodes()).map(|node| machine.amounts(node)).collect(),
            free_in_all: i128::from(machine.total(resource)),
            lost: vec![0; machine.nodes()],
        };
        for node in 0..machine.nodes() {
            nodes.lost[node] = nodes.lost_on(node);
        }
        nodes
    }

    fn change(&mut self, node: usize, sign: i64, amounts: &[i64]) {
        self.free_in_all -= i128::from(self.free[node][self.resource].max(0));
        for (free, amount) in self.free[node].iter_mut().zip(amounts) {
            *free += sign * amount;
        }
        self.free_in_all += i128::from(self.free[node][self.resource].max(0));
        self.lost[node] = self.lost_on(node);
    }

    fn lost_on(&self, node: usize) -> i128 {
        let lost = |class: &Class| i128::from(class.jobs) * i128::from(self.unusable(node, class));
        self.classes.iter().map(lost).sum()
    }

    fn unusable(&self, node: usize, class: &Class) -> i64 {
        let (free, need) = (&self.free[node], class.needs[self.resource]);
        let all = free[self.resource].max(0);
        if need == 0 || !self.fits(node, class) {
            return all;
        }
        let Some(devices) = self.machine.devices().filter(|devices| devices.resource() == self.resource)
        else {
            return 0;
        };
        let too_little = |free: &&i64| (1..need.min(devices.size())).contains(*free);
        free[self.machine.kinds()..].iter().filter(too_little).sum()
    }

    fn fits(&self, node: usize, class: &Class) -> bool {
        let capacity = self.machine.capacity(node);
        let mut room = self.free[node].clone();
        if let Some(devices) = self.machine.devices() {
            devices.limit(&mut room);
        }
        self.workload.admits(self.machine, class.job, node)
            && class.needs.iter().zip(&room).all(|(need, room)| need <= room)
            && (!class.exclusive || capacity.iter().zip(&self.free[node]).all(|(all, free)| free >= all))
    }
}

fn classes(workload: &Workload, machine: &Machine, jobs: impl Iterator<Item = JobId>) -> Vec<Class> {
    let mut known: SortedMap<(Vec<i64>, bool, i64, u32), Class> = SortedMap::new();
    for job in jobs {
        let layout = workload.layout(job);
        let needs: Vec<i64> = (0..workload.kinds())
            .map(|kind| {
                let need = workload.held(job, kind, layout.task);
                let devices = machine.devices().filter(|devices| devices.resource() == kind);
                devices.map_or(need, |devices| devices.held(need))
            })
            .collect();
        let partition = if machine.is_partitioned() { workload.admission(job) } else { -1 };
        let exclusive = layout.exclusive;
        let key = (needs.clone(), exclusive, partition, workload.site(job));
        known.entry(key).or_insert(Class { job, needs, exclusive, jobs: 0 }).jobs += 1;
    }
    let mut classes: Vec<Class> = known.into_values().collect();
    classes.arrange_by_key(|class| Reverse(class.jobs));
    classes.truncate(MOST_CLASSES);
    classes
}

#[cfg(test)]
mod tests {
    use batchlab_support::Share;
    use batchlab_traces::machine::{Resource, Sharing, processors};
    use batchlab_traces::workload::PlainJob;

    use super::*;
    use crate::metrics::options::MeasureOptions;
    use crate::outcome::Outcome;

    /// Two nodes with two devices of 1000 and 8 processors each; jobs of (submit, run, processors, of devices).
    fn two_nodes(jobs: &[(i64, i64, i64, i64)]) -> (Machine, Workload) {
        let gpu = Resource { name: "gpu".into(), unit: String::new(), sharing: Sharing::Space };
        let machine = Machine::new(vec![processors(), gpu], &[vec![8, 2000], vec![8, 2000]]).unwrap();
        let job =
            |&(submit, run, procs, gpu): &(i64, i64, i64, i64)| PlainJob::secs(submit, run, vec![procs, gpu]);
        let jobs: Vec<PlainJob> = jobs.iter().map(job).collect();
        let workload = Workload::from_jobs(&jobs).in_tasks_of(8);
        (machine.with_devices(1, 1000).unwrap(), workload)
    }

    #[test]
    fn what_no_task_can_use_is_lost() {
        // From 0 to 10 s the first job has 600 of device 0 of node 0, and 4 processors. Free: 400 and 1000 on node 0, 1000
        // and 1000 on node 1. From 10 to 20 s all 4000 are free.
        //  600 of a device, 4 processors: 400 is too little; 0 later.
        //  2000, 1 processor: 1400 on node 0, where it does not fit; 0 later.
        //  no device, 1 processor: all that is free, 3400; 4000 later.
        //  100, 8 processors: 1400 on node 0, for want of processors; 0 later.
        let (machine, workload) =
            two_nodes(&[(0, 10, 4, 600), (20, 1, 1, 2000), (20, 1, 1, 0), (20, 1, 8, 100)]);
        let mut outcome =
            Outcome { start: vec![Time::ZERO; 4], end: vec![Time::ZERO; 4], ..Outcome::default() };
        let share = |node, procs, devices| Share { devices, ..Share::new(node, procs) };
        for (job, shares) in
            [[share(0, 4, 1)], [share(0, 1, 3)], [share(0, 1, 0)], [share(1, 8, 1)]].iter().enumerate()
        {
            let start = workload.submit(JobId(job as u32));
            outcome.start[job] = start;
            outcome.end[job] = start + workload.run(JobId(job as u32));
            outcome.places.push(JobId(job as u32), start, shares);
        }
        outcome.places = std::mem::take(&mut outcome.places).settle();
        let measurement = Measurement::new(&workload, &machine, &outcome, MeasureOptions::default()).unwrap();
        let lost = f64::from(400 + 1400 + 3400 + 1400 + 4000) / f64::from(4 * (3400 + 4000));
        assert_eq!(fragmentation(&measurement, 1), Some(lost));
        // Processors: 12 are free, then 16. Only the job of 8 cannot use the 4 on node 0; the job of 2000 neither, as it has
        // no devices there.
        assert_eq!(fragmentation(&measurement, 0), Some(f64::from(4 + 4) / f64::from(4 * (12 + 16))));
        assert_eq!(fragmentation(&measurement, 2), None);
    }
}
