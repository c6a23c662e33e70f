//! Jobs that an announced change of capacity keeps waiting by what they request.

use batchlab_traces::Time;
use batchlab_traces::capacity::Closure;
use batchlab_traces::number::grouped;
use batchlab_traces::sorted::SortedMap;

use crate::lab::scenario::ready_log::Prepared;
use crate::schedule::{InstantDisplay, Length, Occurrence};

/// Returns in words how many jobs request more time than is left, when they are submitted, until the next announced change of
/// capacity that only the second side has: policies that plan by requests let such jobs wait until it has ended, also while
/// processors are idle. `None` if there are no such jobs. O(n log e) for n jobs and e changes.
pub fn reached_by_requests(before: &Prepared, after: &Prepared) -> Option<String> {
    let calendar = after.scenario.capacity.as_ref()?;
    let known = before.scenario.capacity.as_ref().map_or(&[][..], |calendar| &calendar.closures);
    let is_new = |closure: &Closure| !known.iter().any(|known| known.event == closure.event);
    let is_announced = |closure: &Closure| calendar.foreseen_from(closure) <= closure.from;
    let mut changes: SortedMap<Time, &Closure> = SortedMap::new();
    for closure in &calendar.closures {
        if is_announced(closure) && closure.kept_for.is_none() && is_new(closure) {
            changes.entry(closure.event.from).or_insert(closure);
        }
    }
    let begins: Vec<Time> = changes.keys().copied().collect();
    let workload = &after.scenario.workload;
    let (mut jobs, mut longest) = (0_u64, Time::ZERO);
    for job in workload.jobs() {
        let (submitted, estimate) = (workload.submitted(job), workload.estimate(job));
        let next = begins.get(begins.partition_point(|&begin| begin <= submitted));
        if next.is_some_and(|&begin| submitted.saturating_add(estimate) > begin) {
            (jobs, longest) = (jobs + 1, longest.max(estimate));
        }
    }
    let first = changes.values().next().filter(|_| jobs > 0)?;
    let until = match begins.len() {
        1 => Occurrence::of(calendar, first).words(InstantDisplay(after.trace.calendar)),
        several => format!("the next of {} announced changes of capacity", grouped(several as u64)),
    };
    Some(format!(
        "{} of {} jobs request more time than is left, when they are submitted, until {until} (up to {}): a policy that plans by \
         requests lets them wait for its end, so long requests lengthen waits here beside the capacity that is lost",
        grouped(jobs),
        grouped(workload.len() as u64),
        Length(longest),
    ))
}
