//! The free amounts, processor by processor, of resources that a job holds as long as it is resident: memory.

use batchlab_traces::Machine;
use batchlab_traces::machine::Sharing;

use crate::view::JobView;

/// Free amounts of space resources on a machine with one node per processor, for policies that run jobs in
/// turns: all resident jobs of a processor hold their memory there, regardless of which job runs.
///
/// Queries and changes are O(resources) per processor.
#[derive(Clone, Debug)]
pub struct Spaces {
    /// The machine's resources besides the processors, and whether a resident job that does not run holds them.
    kinds: Vec<(usize, bool)>,
    capacity: Vec<i64>,
    free: Vec<i64>,
    /// Whether all processors have the same capacities.
    alike: bool,
}

/// The amount of each resource that a job needs on each of its processors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PerProcessor(Box<[i64]>);

impl PerProcessor {
    /// Whether this need exceeds another one in no resource.
    #[inline]
    pub fn is_within(&self, other: &PerProcessor) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one <= other)
    }
}

impl Spaces {
    pub fn new(machine: &Machine) -> Spaces {
        let kinds = machine.resources().iter().enumerate().skip(1);
        let kinds: Vec<(usize, bool)> =
            kinds.map(|(kind, resource)| (kind, resource.sharing == Sharing::Space)).collect();
        let on = |node| kinds.iter().map(move |&(kind, _)| machine.capacity(node)[kind]).collect::<Vec<_>>();
        let alike = (1..machine.nodes()).all(|node| machine.capacity(node) == machine.capacity(0));
        let capacity: Vec<i64> = (0..machine.nodes()).flat_map(on).collect();
        Spaces { kinds, free: capacity.clone(), capacity, alike }
    }

    #[inline]
    pub fn is_alike(&self) -> bool {
        self.alike
    }

    /// Returns the amounts that a job needs on each of its processors: its demand divided evenly, rounded up.
    #[inline]
    pub fn need(&self, job: JobView<'_>) -> PerProcessor {
        PerProcessor(self.kinds.iter().map(|&(kind, _)| job.held(kind, 1)).collect())
    }

    /// Whether an otherwise empty processor has enough for a need.
    #[inline]
    pub fn could_hold(&self, column: usize, need: &PerProcessor) -> bool {
        self.on(&self.capacity, column).iter().zip(&need.0).all(|(has, need)| need <= has)
    }

    /// Whether a processor has enough free for a need. Time resources are not checked: the running job has them.
    #[inline]
    pub fn has_room(&self, column: usize, need: &PerProcessor) -> bool {
        let mut needs = self.on(&self.free, column).iter().zip(&need.0).zip(&self.kinds);
        needs.all(|((free, need), (_, held))| need <= free || !held)
    }

    /// Returns the free amounts of a processor, per resource in the machine's order, without the processors themselves.
    #[inline]
    pub fn free(&self, column: usize) -> &[i64] {
        self.on(&self.free, column)
    }

    /// A job is placed; takes its amounts.
    pub fn take(&mut self, columns: impl IntoIterator<Item = usize>, need: &PerProcessor) {
        self.change(columns, need, -1);
    }

    /// A job has left, or its swapping out is over; gives its amounts back.
    pub fn give_back(&mut self, columns: impl IntoIterator<Item = usize>, need: &PerProcessor) {
        self.change(columns, need, 1);
    }

    fn change(&mut self, columns: impl IntoIterator<Item = usize>, need: &PerProcessor, sign: i64) {
        let width = self.kinds.len();
        for column in columns {
            let free = &mut self.free[column * width..(column + 1) * width];
            for ((free, need), (_, held)) in free.iter_mut().zip(&need.0).zip(&self.kinds) {
                *free += if *held { sign * need } else { 0 };
            }
        }
    }

    #[inline]
    fn on<'a>(&self, amounts: &'a [i64], column: usize) -> &'a [i64] {
        let width = self.kinds.len();
        &amounts[column * width..(column + 1) * width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::machine::{Resource, processors};
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{JobId, Workload};

    fn machine(memory: &[i64]) -> Machine {
        let resource = |name: &str, sharing| Resource { name: name.into(), unit: String::new(), sharing };
        let resources =
            vec![processors(), resource("memory", Sharing::Space), resource("bandwidth", Sharing::Time)];
        let nodes: Vec<Vec<i64>> = memory.iter().map(|&memory| vec![1, memory, 4]).collect();
        Machine::new(resources, &nodes).unwrap()
    }

    fn jobs(demands: &[[i64; 3]]) -> Workload {
        let job = |demand: &[i64; 3]| PlainJob::secs(0, 1, demand.to_vec());
        Workload::from_jobs(&demands.iter().map(job).collect::<Vec<_>>())
    }

    #[test]
    fn resident_jobs_of_a_processor_hold_their_memory_together_and_share_the_rest_in_time() {
        let mut spaces = Spaces::new(&machine(&[10, 10]));
        // On each of two processors 4.5 of memory, rounded up, and 4 of bandwidth.
        let workload = jobs(&[[2, 9, 8], [1, 5, 4], [1, 6, 1], [1, 0, 5]]);
        let need = |job| spaces.need(JobView::new(&workload, JobId(job)));
        let [both, small, large, wide] = [0, 1, 2, 3].map(need);
        assert!(spaces.is_alike() && spaces.has_room(0, &both));
        spaces.take([0, 1], &both);
        assert_eq!(spaces.free(1), [5, 4]);
        assert!(spaces.has_room(1, &small) && !spaces.has_room(1, &large));
        assert!(spaces.could_hold(1, &large) && !spaces.could_hold(1, &wide));
        spaces.take([1], &small);
        assert_eq!((spaces.free(0), spaces.free(1)), (&[5, 4][..], &[0, 4][..]));
        spaces.give_back([0, 1], &both);
        assert!(spaces.has_room(0, &large) && !spaces.has_room(1, &large));
    }

    #[test]
    fn processors_may_differ_and_there_may_be_nothing_to_hold() {
        let spaces = Spaces::new(&machine(&[10, 3]));
        let workload = jobs(&[[1, 5, 0], [1, 2, 0]]);
        let need = |job| spaces.need(JobView::new(&workload, JobId(job)));
        assert!(!spaces.is_alike());
        assert!(spaces.could_hold(0, &need(0)) && !spaces.could_hold(1, &need(0)));
        assert!(need(1).is_within(&need(0)) && !need(0).is_within(&need(1)));
        let bare = Spaces::new(&Machine::uniform(4, 4).unwrap());
        assert!(bare.is_alike() && bare.has_room(3, &bare.need(JobView::new(&workload, JobId(0)))));
    }
}
