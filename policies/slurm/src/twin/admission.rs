//! How a job enters the queue: its nodes, limit and rank as the loops see them.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_contract::turn::Turn;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Layout, Time};

use super::node_set::NodeSet;
use super::nodes::{Space, Spaces, TaskShape};
use super::queue::{Het, Waiting};
use super::reservations::AdvanceReservations;
use crate::site::{ChangedJob, Precedence, Scheduler, SlurmSite};

/// The number of the first partition in which no job of the log ran.
const BEYOND: i64 = 1 << 41;

pub(super) struct Admission {
    site: Arc<SlurmSite>,
    partitions: SortedMap<i64, Arc<NodeSet>>,
    /// Which jobs come before others because they may preempt them.
    precedence: Arc<Precedence>,
    /// The longest time for which a job waits for nodes on few switches.
    switch_wait: Time,
    has_cycles: bool,
    /// Whether jobs that got fewer processors than they asked for are tried as they asked: so the closed loop does.
    asks: bool,
}

impl Admission {
    pub(super) fn new(
        site: &Arc<SlurmSite>,
        rules: &Scheduler,
        precedence: &Arc<Precedence>,
        asks: bool,
    ) -> Admission {
        Admission {
            partitions: SortedMap::new(),
            precedence: precedence.clone(),
            switch_wait: rules.main.switch_wait,
            has_cycles: rules.backfill.interval.is_some(),
            asks,
            site: site.clone(),
        }
    }

    /// Returns why slurmctld refuses a job in all its partitions, if it does: it is heterogeneous, and there are no cycles
    /// (`_sched_backfill` in `proc_req.c`), or it is too large for what any switch reaches.
    pub(super) fn refuses<'a>(
        &self,
        mut partitions: impl Iterator<Item = &'a Arc<Waiting>>,
        nodes: &Space,
    ) -> Option<&'static str> {
        let first = partitions.next()?;
        if first.het.is_some() && !self.has_cycles {
            return Some("a component of a heterogeneous job, which needs sched/backfill");
        }
        let reaches = |job: &Arc<Waiting>| nodes.reaches(job, &job.nodes);
        let is_too_large = self.has_switches() && !reaches(first) && !partitions.any(reaches);
        is_too_large.then_some("too large for what any switch reaches")
    }

    fn has_switches(&self) -> bool {
        self.site.system.topology.is_some()
    }

    /// Returns until when a job waits for nodes below few switches, if it asks for them: for as long as it asks from its submission
    /// on, at most `max_switch_wait`.
    pub(super) fn choosy_until(&self, turn: &Turn<'_>, job: JobId) -> Option<Time> {
        let wish = self.site.switches(turn.job(job)).filter(|_| self.has_switches())?;
        let wait = wish.patience.map_or(self.switch_wait, |patience| patience.min(self.switch_wait));
        Some(turn.job(job).submitted().saturating_add(wait))
    }

    /// Returns a job as the loops see it, in each partition in which it may run, still without a priority. If its reservation is over,
    /// or too small for it, it waits as a job without a reservation.
    pub(super) fn waiting(
        &mut self,
        turn: &Turn<'_>,
        (job, changed): (JobId, ChangedJob),
        reservations: &AdvanceReservations,
        spaces: &mut Spaces,
    ) -> Vec<Waiting> {
        let named = self.site.reservation(turn.job(job));
        let reservation = named.filter(|&at| !reservations.is_over(at, turn.now()));
        let most = self.site.nodes_asked(turn.job(job)).1;
        let mut all = Vec::new();
        let qos = changed.qos.or_else(|| self.site.qos(turn.job(job)));
        for (place, partition) in (0..).zip(self.partitions_of(turn.job(job), changed)) {
            let reserved = reservation.map(|at| (at, reservations.nodes(at)));
            let mut waiting = self.waiting_in(turn, job, (partition, qos), reserved, spaces);
            if reservation.is_some() && !spaces.all().reaches(&waiting, &waiting.nodes) {
                waiting = self.waiting_in(turn, job, (partition, qos), None, spaces);
            }
            if most > waiting.asked {
                waiting.asked = spaces.all().least_nodes(&waiting, most);
            }
            all.push(Waiting { place, ..waiting });
        }
        all
    }

    /// Returns the partitions in which a job waits: of several that it named, the partitions whose limits of time and nodes allow what
    /// it asks for (`job_limits_check`).
    fn partitions_of(&self, job: JobView<'_>, changed: ChangedJob) -> Vec<Option<usize>> {
        let site = &self.site;
        if changed.partition.is_some() {
            return vec![changed.partition];
        }
        let allows = |&at: &usize| {
            let partition = &site.system.partitions[at];
            let asked = site.asked_nodes(job).unwrap_or(1);
            partition.max_time.most().is_none_or(|most| job.estimate() <= most)
                && partition.max_nodes.is_none_or(|most| asked <= most)
        };
        let several: Vec<Option<usize>> =
            site.partitions(job).iter().copied().filter(allows).map(Some).collect();
        if several.is_empty() { vec![site.partition(job)] } else { several }
    }

    fn nodes_in(
        &mut self,
        turn: &Turn<'_>,
        job: JobView<'_>,
        partition: Option<usize>,
    ) -> (i64, Arc<NodeSet>) {
        let (machine, site) = (turn.machine(), &self.site);
        let is_one = site.partitions(job).is_empty() && partition == site.partition(job);
        let number = if is_one { Some(job.partition()) } else { partition.and_then(|at| site.number_of(at)) };
        let key = number.unwrap_or(BEYOND + partition.map_or(0, |at| at as i64));
        let made = || match (number, partition) {
            (None, Some(at)) => {
                let nodes = &site.system.partitions[at].nodes;
                NodeSet::of(machine.nodes(), |node| nodes.binary_search(&node).is_ok())
            }
            _ => NodeSet::of(machine.nodes(), |node| !machine.is_partitioned() || machine.admits(node, key)),
        };
        (key, self.partitions.entry(key).or_insert_with(|| Arc::new(made())).clone())
    }

    /// Returns a job as the loops see it in a partition, in a reservation or in none.
    fn waiting_in(
        &mut self,
        turn: &Turn<'_>,
        job: JobId,
        (partition, qos): (Option<usize>, Option<usize>),
        reservation: Option<(usize, &NodeSet)>,
        spaces: &mut Spaces,
    ) -> Waiting {
        let (machine, view) = (turn.machine(), turn.job(job));
        let (key, all) = self.nodes_in(turn, view, partition);
        let site = &self.site;
        let of_system = partition.map(|at| &site.system.partitions[at]);
        let nodes = match reservation.map(|(_, nodes)| nodes) {
            None if !turn.has_constraints() => all,
            within => Arc::new(NodeSet::of(machine.nodes(), |node| {
                all.has(node) && view.admitted(machine, node) && within.is_none_or(|within| within.has(node))
            })),
        };
        let asked = site.nodes_asked(view).0;
        let group =
            |nodes: &Vec<usize>| NodeSet::of(machine.nodes(), |node| nodes.binary_search(&node).is_ok());
        let groups = site.groups(view).iter().map(group).collect();
        let select = &site.system.select;
        let of_partition = of_system.is_some_and(|partition| partition.least_loaded);
        let is_choosy = self.choosy_until(turn, job).is_some_and(|until| until > turn.now());
        let most_leaves = site.switches(view).map(|wish| if is_choosy { wish.most } else { i64::MAX });
        let class = site.precedence_class(qos, partition);
        let whole = if self.asks { site.asked_whole(view) } else { None };
        let (layout, shape) = match whole {
            Some(asked) => in_processors(view, asked),
            None => (view.layout(), TaskShape::of(view.layout(), view.demand())),
        };
        let field = spaces.field(&Arc::new(shape), &nodes);
        Waiting {
            job,
            place: 0,
            order: self.site.order(view),
            submit: view.submitted(),
            entered: view.submit(),
            class,
            level: self.precedence.level(class),
            tier: of_system.map_or(1, |partition| partition.tier),
            sees: of_system.map_or(1, |known| if known.exclusive { i64::MIN } else { known.tier }),
            bars: of_system.map_or(
                1,
                |known| {
                    if known.exclusive || known.keeps() { i64::MAX } else { known.tier }
                },
            ),
            priority: 0,
            partition: key,
            in_partition: partition,
            qos,
            reservation: reservation.map(|(at, _)| at),
            nodes,
            groups,
            limit: limit(site, view, partition),
            layout,
            asked,
            most_leaves,
            least_loaded: !select.whole_nodes && (select.least_loaded || of_partition),
            owns: of_system.is_some_and(|partition| partition.exclusive_user),
            field,
            user: view.user(),
            association: site.association(view),
            array: site.array(view),
            behind: site.tasks_behind(view),
            het: self.het(view),
        }
    }

    /// Returns the heterogeneous job that a job is a component of, if it has others.
    fn het(&self, job: JobView<'_>) -> Option<Het> {
        let (number, count) = self.site.components(job)?;
        (count > 1).then_some(Het { number, count })
    }

    /// Returns a limit as the loops count it, at most that of a partition.
    pub(super) fn within(&self, partition: Option<usize>, limit: Time) -> Time {
        within(&self.site, partition, limit)
    }

    pub(super) fn partition_nodes(&self, job: &Waiting) -> Arc<NodeSet> {
        self.partitions.get(&job.partition).unwrap_or(&job.nodes).clone()
    }
}

/// Returns the limit of a job that estimates its run time, as the loops count it: in whole minutes, at most that of its partition.
pub(super) fn limit(site: &SlurmSite, job: JobView<'_>, partition: Option<usize>) -> Time {
    let minute = Time::from_secs(60);
    let minutes = (job.estimate().ticks() + minute.ticks() - 1).div_euclid(minute.ticks()).max(1);
    within(site, partition, Time::from_ticks(minutes.saturating_mul(minute.ticks())))
}

fn within(site: &SlurmSite, partition: Option<usize>, limit: Time) -> Time {
    let partition = partition.map(|at| &site.system.partitions[at]);
    let limit =
        partition.and_then(|partition| partition.max_time.most()).map_or(limit, |most| limit.min(most));
    limit.clamp(Time::SECOND, Time::from_secs(366 * 86_400))
}

/// Returns the layout of a job that asks for processors, with a least number on each node, and the shape of its tasks.
fn in_processors(job: JobView<'_>, (procs, least): (i64, i64)) -> (Layout, TaskShape) {
    let mut demand = job.demand().to_vec();
    demand[0] = procs;
    let layout = Layout::of_tasks(procs, 1);
    (layout, TaskShape::of(layout, &demand).at_least(least))
}
