use batchlab_traces::limits::LimitedQuantity;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Workload};
use rustc_hash::FxHashMap;

use super::share::LimitUsage;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Stand {
    /// The class within which amounts are added.
    pub class: usize,
    /// How much the job counts.
    pub amount: i128,
    /// Whether the limit may hold the job back.
    pub binds: bool,
}

/// How a job stands under each limit; `None` for limits that do not apply to it.
pub(super) type Stands = Box<[Option<Stand>]>;

/// Waiting jobs that stand alike under each limit: all of them may start now, or none; the amounts of limits on processor-time are
/// left out if the policy shows parts of groups.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub stands: Stands,
    /// The jobs that the policy has in its queue one by one.
    pub loose: SortedSet<JobId>,
    /// The other jobs: the policy has put them aside as a group, or does not see them.
    pub bound: SortedSet<JobId>,
    /// Whether the policy has the bound jobs in its queue.
    pub is_open: bool,
    /// Whether the groups that the policy sees include this one.
    pub is_listed: bool,
    /// The limits that hold the bound jobs back.
    pub parked: SortedSet<usize>,
    /// The part that the policy sees of an open group, under limits on processor-time.
    pub part: Option<ShownPart>,
}

#[derive(Debug, Default)]
pub(super) struct ShownPart {
    /// The most processor-time of a job that the policy sees.
    pub reach: i128,
    /// All jobs by processor-time.
    pub works: SortedSet<(i128, JobId)>,
}

impl ShownPart {
    /// Whether a job requests more processor-time than the one amount, and at most the other.
    pub fn has_between(&self, least: i128, most: i128) -> bool {
        self.works.range((least + 1, JobId(0))..).next().is_some_and(|&(work, _)| work <= most)
    }

    /// Whether the policy does not see all jobs.
    pub fn hides_some(&self) -> bool {
        self.works.last().is_some_and(|&(work, _)| work > self.reach)
    }
}

impl Group {
    /// Whether the policy sees a job, of which the group knows the processor-time.
    pub fn shows(&self, job: JobId, work: i128) -> bool {
        self.is_open && self.part.as_ref().is_none_or(|part| work <= part.reach) || self.loose.contains(&job)
    }

    pub fn is_shown(&self) -> bool {
        !self.loose.is_empty() || self.is_open && !self.bound.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.loose.is_empty() && self.bound.is_empty()
    }

    /// Returns the limits that may hold the jobs back, each with the class and the amount.
    pub fn bounds(&self) -> impl Iterator<Item = (usize, usize, i128)> + '_ {
        let binding = |(at, stand): (usize, &Option<Stand>)| {
            let stand = stand.filter(|stand| stand.binds)?;
            Some((at, stand.class, stand.amount))
        };
        self.stands.iter().enumerate().filter_map(binding)
    }
}

/// The groups of waiting jobs; the numbers of groups that were dropped are used again.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    by_stands: FxHashMap<Stands, usize>,
    /// The group of each job, and the processor-time of the job.
    group_of: FxHashMap<JobId, (usize, i128)>,
    spare: Vec<usize>,
    stands: Vec<Option<Stand>>,
    /// Whether the policy shows parts of groups.
    pub in_parts: bool,
}

impl Groups {
    pub fn of(&self, job: JobId) -> Option<usize> {
        self.group_of.get(&job).map(|&(at, _)| at)
    }

    /// Whether a job requests more processor-time than the policy sees of its group.
    pub fn is_beyond_reach(&self, job: JobId) -> bool {
        let is_beyond =
            |&(at, work): &(usize, i128)| self.all[at].part.as_ref().is_some_and(|part| work > part.reach);
        self.group_of.get(&job).is_some_and(is_beyond)
    }

    /// Whether the policy sees a waiting job.
    pub fn shows(&self, job: JobId) -> bool {
        self.group_of.get(&job).is_some_and(|&(at, work)| self.all[at].shows(job, work))
    }

    pub fn get(&self, at: usize) -> &Group {
        &self.all[at]
    }

    pub fn get_mut(&mut self, at: usize) -> &mut Group {
        &mut self.all[at]
    }

    /// Returns the number of the group that a job belongs to from now on; the caller adds it to one of its sets.
    pub fn join(&mut self, shares: &[LimitUsage], workload: &Workload, job: JobId) -> usize {
        self.stands.clear();
        self.stands.extend(shares.iter().map(|share| share.stand(workload, job)));
        let mut work = None;
        for (share, stand) in shares.iter().zip(self.stands.iter_mut().flatten()) {
            if self.in_parts && share.limit.quantity == LimitedQuantity::Work {
                let amount = std::mem::take(&mut stand.amount);
                work = work.or(stand.binds.then_some(amount));
            }
        }
        let at = match self.by_stands.get(self.stands.as_slice()) {
            Some(&at) => at,
            None => self.add(self.stands.as_slice().into()),
        };
        if let Some(work) = work {
            self.all[at].part.get_or_insert_default().works.insert((work, job));
        }
        self.group_of.insert(job, (at, work.unwrap_or(0)));
        at
    }

    fn add(&mut self, stands: Stands) -> usize {
        let at = self.spare.pop().unwrap_or(self.all.len());
        if at == self.all.len() {
            self.all.push(Group::default());
        }
        self.all[at] = Group { stands: stands.clone(), ..Group::default() };
        self.by_stands.insert(stands, at);
        at
    }

    pub fn leave(&mut self, job: JobId) -> Option<(usize, bool)> {
        let (at, work) = self.group_of.remove(&job)?;
        let group = &mut self.all[at];
        let shown = group.shows(job, work);
        if let Some(part) = &mut group.part {
            part.works.remove(&(work, job));
        }
        if !group.loose.remove(&job) {
            group.bound.remove(&job);
        }
        Some((at, shown))
    }

    /// Drops a group that is empty, and is in no set of a limit.
    pub fn drop_empty(&mut self, at: usize) {
        if self.all[at].is_empty() && self.by_stands.remove(&self.all[at].stands).is_some() {
            self.spare.push(at);
        }
    }
}
