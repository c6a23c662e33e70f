//! Which processors jobs have, and which of them run where jobs of several tiers share processors (`SUSPEND,GANG`).
//!
//! Source: `gang.c` of Slurm 22.05: running jobs cast shadows on the partitions of lower tiers, and jobs in a shadow are
//! suspended until it is gone. Processors are numbered node by node; a job gets the first ones, as on nodes of one socket.

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

type Mask = Vec<u64>;

#[derive(Clone, Debug)]
pub struct Gang {
    procs: Vec<i64>,
    members: SortedMap<JobId, Member>,
    on: Vec<Vec<JobId>>,
}

#[derive(Clone, Debug)]
struct Member {
    tier: i64,
    /// Up to which tier jobs leave its processors alone: its own, or any.
    bars: i64,
    cores: SortedMap<u32, Mask>,
    limit: Time,
    /// When it reaches its limit, as slurmctld has it: the instant does not move while the job is suspended.
    end: Time,
    runs: bool,
    /// When it last started or resumed, and for how long it had run before.
    since: Time,
    before: Time,
}

/// Where a job belongs among the tiers.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub tier: i64,
    pub bars: i64,
    /// It gets processors that no job in the way of this tier has.
    pub beside: i64,
}

/// The jobs that stop, and the jobs that go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GangTurn {
    pub stop: Vec<JobId>,
    pub go_on: Vec<JobId>,
}

fn meets(one: &Mask, other: &Mask) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

fn unite(one: &mut Mask, other: &Mask) {
    one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
}

impl Gang {
    pub fn new(procs: Vec<i64>) -> Gang {
        let on = vec![Vec::new(); procs.len()];
        Gang { procs, members: SortedMap::new(), on }
    }

    fn empty(&self, node: u32) -> Mask {
        vec![0; (self.procs[node as usize].max(1) as usize).div_ceil(64)]
    }

    /// Returns the processors of a node that jobs in the way of some tier have.
    fn taken(&self, node: u32, from_tier: i64) -> Mask {
        let mut taken = self.empty(node);
        let above = self.there(node).filter(|(_, member, _)| member.bars >= from_tier);
        above.for_each(|(.., cores)| unite(&mut taken, cores));
        taken
    }

    /// Returns the jobs on a node, each with its processors there.
    fn there(&self, node: u32) -> impl Iterator<Item = (JobId, &Member, &Mask)> {
        self.on[node as usize].iter().filter_map(move |&job| {
            let member = self.members.get(&job)?;
            Some((job, member, member.cores.get(&node)?))
        })
    }

    /// Puts a job on its first open processors of each node, for as long as its limit.
    pub fn start(
        &mut self,
        job: JobId,
        nodes: impl Iterator<Item = (u32, i64)>,
        Place { tier, bars, beside }: Place,
        now: Time,
        limit: Time,
    ) {
        let mut cores = SortedMap::new();
        for (node, procs) in nodes {
            let taken = self.taken(node, beside);
            let mut own = self.empty(node);
            let all = 0..self.procs[node as usize].max(0) as usize;
            let open = all.filter(|core| taken[core / 64] >> (core % 64) & 1 == 0);
            open.take(procs.max(0) as usize).for_each(|core| own[core / 64] |= 1 << (core % 64));
            cores.insert(node, own);
            self.on[node as usize].push(job);
        }
        let member =
            Member { tier, bars, cores, limit, end: now + limit, runs: true, since: now, before: Time::ZERO };
        self.members.insert(job, member);
    }

    pub fn end(&mut self, job: JobId) -> Vec<u32> {
        let Some(member) = self.members.remove(&job) else { return Vec::new() };
        let nodes: Vec<u32> = member.cores.into_keys().collect();
        for &node in &nodes {
            self.on[node as usize].retain(|&other| other != job);
        }
        nodes
    }

    pub fn nodes(&self, job: JobId) -> Vec<u32> {
        self.members.get(&job).map(|member| member.cores.keys().copied().collect()).unwrap_or_default()
    }

    pub fn on(&self, nodes: &[u32]) -> SortedSet<JobId> {
        nodes.iter().flat_map(|&node| self.on[node as usize].iter().copied()).collect()
    }

    pub fn limit_at(&self, job: JobId) -> Option<Time> {
        self.members.get(&job).map(|member| member.end)
    }

    /// Returns how many processors of a node count as a job's for jobs of a tier; 0 if the job is not in their way. A processor that
    /// several jobs have counts for the job that reaches its limit last.
    pub fn counted(&self, job: JobId, node: u32, for_tier: i64) -> i64 {
        let Some(member) = self.members.get(&job).filter(|member| member.bars >= for_tier) else { return 0 };
        let Some(own) = member.cores.get(&node) else { return 0 };
        let mut later = self.empty(node);
        let is_later = |&(other, known, _): &(JobId, &Member, &Mask)| {
            known.bars >= for_tier && (known.end, other) > (member.end, job)
        };
        self.there(node).filter(is_later).for_each(|(.., cores)| unite(&mut later, cores));
        own.iter().zip(&later).map(|(own, later)| i64::from((own & !later).count_ones())).sum()
    }

    /// Stops the jobs that a running job of a higher tier has a processor of, and lets the others go on: from the highest tier
    /// down. O(jobs · their nodes).
    pub fn turn(&mut self, now: Time) -> GangTurn {
        let mut by_tier: Vec<(i64, JobId)> =
            self.members.iter().map(|(&job, known)| (known.tier, job)).collect();
        by_tier.sort_unstable_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut shadow: SortedMap<u32, Mask> = SortedMap::new();
        let mut turn = GangTurn::default();
        for tier in by_tier.chunk_by(|one, other| one.0 == other.0) {
            let mut cast: Vec<JobId> = Vec::new();
            for &(_, job) in tier {
                let Some(member) = self.members.get_mut(&job) else { continue };
                let in_shadow = member
                    .cores
                    .iter()
                    .any(|(node, own)| shadow.get(node).is_some_and(|dark| meets(own, dark)));
                if in_shadow && member.runs {
                    member.before += now - member.since;
                    turn.stop.push(job);
                } else if !in_shadow && !member.runs {
                    member.since = now;
                    member.end = now + (member.limit - member.before).max(Time::ZERO);
                    turn.go_on.push(job);
                }
                member.runs = !in_shadow;
                if !in_shadow {
                    cast.push(job);
                }
            }
            for (node, own) in cast.iter().flat_map(|job| &self.members[job].cores) {
                match shadow.get_mut(node) {
                    Some(dark) => unite(dark, own),
                    None => _ = shadow.insert(*node, own.clone()),
                }
            }
        }
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: i64) -> Time {
        Time::from_secs(secs)
    }

    fn turn(stop: &[JobId], go_on: &[JobId]) -> GangTurn {
        GangTurn { stop: stop.to_vec(), go_on: go_on.to_vec() }
    }

    fn place(tier: i64, bars: i64, beside: i64) -> Place {
        Place { tier, bars, beside }
    }

    const JOBS: [JobId; 4] = [JobId(0), JobId(1), JobId(2), JobId(3)];

    #[test]
    fn a_job_in_the_shadow_of_a_higher_tier_stops_until_it_is_gone() {
        let [low, other, normal, urgent] = JOBS;
        let mut gang = Gang::new(vec![8, 8]);
        // Of two nodes of 8 processors, low has 4 of node 0, other 4 of node 1.
        gang.start(low, [(0, 4)].into_iter(), place(1, 1, 1), at(0), at(60));
        gang.start(other, [(1, 4)].into_iter(), place(1, 1, 1), at(0), at(60));
        assert_eq!(gang.turn(at(0)), turn(&[], &[]));
        // A job of tier 2 on all of node 0 and half of node 1: its processors there begin with the first one.
        gang.start(normal, [(0, 8), (1, 4)].into_iter(), place(2, 2, 2), at(10), at(100));
        assert_eq!(gang.turn(at(10)), turn(&[low, other], &[]));
        // One of tier 3 on one processor of node 0: the job of tier 2 stops, and its shadow on node 1 is gone.
        gang.start(urgent, [(0, 1)].into_iter(), place(3, 3, 3), at(20), at(30));
        assert_eq!(gang.turn(at(20)), turn(&[normal], &[other]));
        assert_eq!(gang.limit_at(other), Some(at(70)), "it had run for 10 of its 60 seconds");
        gang.end(urgent);
        assert_eq!(gang.turn(at(50)), turn(&[other], &[normal]));
        gang.end(normal);
        assert_eq!(gang.turn(at(60)), turn(&[], &[low, other]));
    }

    #[test]
    fn a_processor_counts_for_the_job_that_reaches_its_limit_last() {
        let [low, _, normal, _] = JOBS;
        let mut gang = Gang::new(vec![8]);
        gang.start(low, [(0, 6)].into_iter(), place(1, 1, 1), at(0), at(60));
        gang.start(normal, [(0, 4)].into_iter(), place(2, 2, 2), at(0), at(30));
        let counted = |tier| (gang.counted(low, 0, tier), gang.counted(normal, 0, tier));
        assert_eq!((counted(1), counted(2)), ((6, 0), (0, 4)));
    }

    #[test]
    fn processors_that_no_job_has_come_first_if_there_are_enough() {
        let [low, _, normal, _] = JOBS;
        let mut gang = Gang::new(vec![8]);
        gang.start(low, [(0, 4)].into_iter(), place(1, 1, 1), at(0), at(60));
        gang.start(normal, [(0, 4)].into_iter(), place(2, 2, 1), at(0), at(30));
        assert_eq!(gang.turn(at(0)), turn(&[], &[]), "beside the job of the lower tier");
    }
}
