use batchlab_traces::machine::has_room;
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::Foretold;
use crate::replay::engine::Scenario;

/// Returns the jobs that start in none of the replays, with what each of them waits for in vain. O(jobs · nodes).
pub fn never_start(scenario: &Scenario, policy: &str, foretold: &[Foretold]) -> SortedMap<JobId, String> {
    let (workload, machine) = (&scenario.workload, &scenario.machine);
    let never: Vec<JobId> =
        foretold.iter().filter(|foretold| !foretold.starts_at_all()).map(|foretold| foretold.job).collect();
    let room = if never.is_empty() { Vec::new() } else { in_service_for_good(scenario) };
    let why = |&job: &JobId| {
        let vain = || depends_on(workload, job, &never);
        let why = match too_little(machine, workload, job, &room).or_else(vain) {
            Some(why) => why,
            None => format!("{policy} leaves it waiting after all other jobs have ended"),
        };
        (job, why)
    };
    never.iter().map(why).collect()
}

fn in_service_for_good(scenario: &Scenario) -> Vec<Vec<i64>> {
    let machine = &scenario.machine;
    let mut room: Vec<Vec<i64>> = (0..machine.nodes()).map(|node| machine.amounts(node)).collect();
    let closures = scenario.capacity.iter().flat_map(|calendar| &calendar.closures);
    for closure in closures.filter(|closure| closure.to == Time::MAX && closure.kept_for.is_none()) {
        for (left, out) in room[closure.node].iter_mut().zip(&closure.amounts) {
            *left -= out;
        }
    }
    room
}

/// Returns in words that what is in service for good does not hold a job, if that is so.
fn too_little(machine: &Machine, workload: &Workload, job: JobId, room: &[Vec<i64>]) -> Option<String> {
    let takes = |node| workload.admits(machine, job, node);
    if has_room(machine, workload.demand(job), &workload.layout(job), takes, room) {
        return None;
    }
    let in_service: i64 = (0..room.len()).filter(|&node| takes(node)).map(|node| room[node][0]).sum();
    let asked = counted(workload.procs(job) as u64, "processor");
    let left = grouped(in_service.max(0) as u64);
    Some(format!("too little is in service: it requests {asked}, and {left} that it may use are in service"))
}

fn depends_on(workload: &Workload, job: JobId, never: &[JobId]) -> Option<String> {
    let condition = workload.condition(job)?;
    let first = condition.on.iter().find(|before| never.contains(&before.on))?;
    Some(format!("it waits for job {}, which does not start", workload.number(first.on)))
}
