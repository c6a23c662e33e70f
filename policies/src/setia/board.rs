//! The board: the mapping of jobs to controllers, slots and processors, and their resources there.

use std::cmp::Reverse;
use std::ops::Range;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Machine};
use rustc_hash::FxHashMap;

use super::alternates::{Alternates, Ranked, SlotRow};
use super::buddies::{Buddies, Controller};
use super::slots::Slots;
use crate::cluster::columns::Columns;
use crate::support::spaces::{PerProcessor, Spaces};
use crate::view::JobView;

/// Which controllers of a job's level are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Map {
    #[default]
    LeastLoadedFeasible,
    LeastLoadedOnly,
}

/// Which processors of a block a smaller job gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubBlockRule {
    #[default]
    Lowest,
    /// The processors with the most free memory, among equals the lowest.
    MostFree,
}

/// Where a job that was swapped out is mapped again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReturnRule {
    #[default]
    Any,
    Same,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub slots: Option<u64>,
    /// The most batch jobs that hold memory on a processor; `None` for any number.
    pub batch: Option<u64>,
    pub map: Map,
    pub within: SubBlockRule,
    pub returns: ReturnRule,
    pub alternate: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockRequest {
    procs: usize,
    need: PerProcessor,
    batch: bool,
    partition: i64,
    /// The only controller and processors that it may have.
    former: Option<(Controller, Vec<usize>)>,
}

/// The place of a job.
#[derive(Clone, Debug)]
pub struct Home {
    controller: Controller,
    slot: usize,
    columns: Columns,
    request: BlockRequest,
    /// Its position in the order of arrival on the board.
    rank: u64,
}

/// The mapping of jobs to controllers, slots and processors. A job stays where it is mapped until it leaves.
#[derive(Clone, Debug)]
pub struct Board {
    rules: Rules,
    slots: Slots,
    spaces: Spaces,
    batch: Vec<u64>,
    /// The machine, if some of its processors take only jobs of certain partitions.
    partitioned: Option<Machine>,
    homes: SortedMap<JobId, Home>,
    ranks: u64,
    /// Slot by slot, the jobs that are mapped there, and the jobs that run.
    rows: Vec<SlotRow>,
    alternates: Alternates,
    rows_of: FxHashMap<JobId, Vec<u32>>,
    /// The jobs whose rows have changed since the last [`Board::fill`].
    moved: SortedSet<JobId>,
    /// Requests that failed since the last departure, by level and class, without those that exceed another one.
    unmet: SortedMap<(u32, bool), Vec<BlockRequest>>,
}

impl Home {
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    pub fn request(&self) -> &BlockRequest {
        &self.request
    }

    /// Returns the request of the job when it was swapped out.
    pub fn into_request(self, returns: ReturnRule) -> BlockRequest {
        let former = match returns {
            ReturnRule::Any => None,
            ReturnRule::Same => Some((self.controller, self.columns.iter().collect())),
        };
        BlockRequest { former, ..self.request }
    }
}

impl BlockRequest {
    pub fn is_batch(&self) -> bool {
        self.batch
    }
}

impl Board {
    pub fn new(machine: &Machine, rules: Rules) -> Board {
        Board {
            rules,
            slots: Slots::new(Buddies::new(machine.nodes()), rules.slots),
            spaces: Spaces::new(machine),
            batch: vec![0; machine.nodes()],
            partitioned: machine.is_partitioned().then(|| machine.clone()),
            homes: SortedMap::new(),
            ranks: 0,
            rows: Vec::new(),
            alternates: Alternates::new(machine.nodes()),
            rows_of: FxHashMap::default(),
            moved: SortedSet::new(),
            unmet: SortedMap::new(),
        }
    }

    /// Returns the request of a job that has been swapped out.
    pub fn request_again(&self, home: Home) -> BlockRequest {
        home.into_request(self.rules.returns)
    }

    /// Whether a job may have room because another one has been placed.
    pub fn may_make_room(&self) -> bool {
        self.rules.map == Map::LeastLoadedOnly
    }

    pub fn request(&self, job: JobView<'_>, batch: bool) -> BlockRequest {
        let procs = usize::try_from(job.procs()).unwrap_or(usize::MAX);
        BlockRequest { procs, need: self.spaces.need(job), batch, partition: job.partition(), former: None }
    }

    /// Returns why a job does not fit on the empty machine, if so: no block of its level has enough processors with enough
    /// memory.
    pub fn misfit(&self, request: &BlockRequest) -> Option<&'static str> {
        if self.controllers(request).next().is_none() {
            return Some("larger than the largest block of buddies");
        }
        let fits = self.controllers(request).any(|controller| self.could_take(controller, request));
        (!fits).then_some("with more memory per processor than their processors have")
    }

    /// Maps a job to a controller, a slot and processors, and takes its resources there, or does nothing.
    ///
    /// Among the controllers of level ⌈log2 n⌉ (all of them, or those with a free slot and with memory on n
    /// processors) the least loaded is chosen, the leftmost of equals, with the first slot in which its
    /// block is free. O(controllers of the level + processors + slots).
    pub fn place(&mut self, job: JobId, request: &BlockRequest) -> Option<&Home> {
        let kind = (Buddies::level_of(request.procs), request.batch);
        if self.unmet.get(&kind).is_some_and(|unmet| unmet.iter().any(|unmet| self.is_harder(request, unmet)))
        {
            return None;
        }
        let Some((controller, columns)) = self.choose(request) else {
            let mut unmet = self.unmet.remove(&kind).unwrap_or_default();
            unmet.retain(|known| !self.is_harder(known, request));
            unmet.push(request.clone());
            self.unmet.insert(kind, unmet);
            return None;
        };
        let slot = self.slots.first_free(controller)?;
        self.slots.put(slot, controller);
        self.spaces.take(columns.iter(), &request.need);
        self.count(&columns, request, true);
        if self.may_make_room() {
            // Another controller may be the least loaded now.
            self.unmet.clear();
        }
        self.rows.resize_with(self.slots.len(), || SlotRow::new(self.batch.len()));
        let row = &mut self.rows[slot];
        row.own.push((self.ranks, job));
        row.free.take(&columns);
        row.has_changed = true;
        self.alternates.enter((self.ranks, job), &columns);
        let home = Home { controller, slot, columns, request: request.clone(), rank: self.ranks };
        self.ranks += 1;
        self.homes.insert(job, home);
        self.homes.get(&job)
    }

    /// Removes a job; its block, slot and memory become free. Returns where it was.
    pub fn leave(&mut self, job: JobId) -> Option<Home> {
        let home = self.homes.remove(&job)?;
        self.slots.take_out(home.slot, home.controller);
        let row = &mut self.rows[home.slot];
        row.own.retain(|&(_, other)| other != job);
        row.free.add(&home.columns);
        row.has_changed = true;
        while self.rows.len() > self.slots.len()
            && let Some(row) = self.rows.pop()
        {
            let (rows_of, moved) = (&mut self.rows_of, &mut self.moved);
            note_changes(rows_of, moved, self.rows.len(), &row.filled, &[]);
        }
        self.alternates.leave((home.rank, job), &home.columns);
        self.spaces.give_back(home.columns.iter(), &home.request.need);
        self.count(&home.columns, &home.request, false);
        self.unmet.clear();
        Some(home)
    }

    pub fn home(&self, job: JobId) -> Option<&Home> {
        self.homes.get(&job)
    }

    pub fn homes(&self) -> impl Iterator<Item = (JobId, &Home)> {
        self.homes.iter().map(|(&job, home)| (job, home))
    }

    /// Fills the rows with the jobs that can run, a row for each slot: each job runs in the row of its slot, and in other
    /// rows as an alternate if the rules say so. Returns the jobs whose rows have changed since the last call, in the order
    /// of submission, each with all its rows, ascending; none for a job that does not run.
    pub fn fill(&mut self, can_run: impl Fn(JobId) -> bool) -> Vec<(JobId, Vec<u32>)> {
        let idle: SortedSet<JobId> = self.homes().map(|(job, _)| job).filter(|&job| !can_run(job)).collect();
        let Board { rules, rows, alternates, homes, rows_of, moved, .. } = self;
        let columns = |job: JobId| &homes[&job].columns;
        alternates.fill(rows, rules.alternate, &idle, columns, |row, before, now| {
            note_changes(rows_of, moved, row, before, now);
        });
        let moved = std::mem::take(&mut self.moved).into_iter();
        moved.map(|job| (job, self.rows_of.get(&job).cloned().unwrap_or_default())).collect()
    }

    /// Returns the number of rows up to the last in which a job runs.
    pub fn height(&self) -> usize {
        self.rows.iter().rposition(|row| !row.filled.is_empty()).map_or(0, |last| last + 1)
    }

    fn controllers(&self, request: &BlockRequest) -> impl Iterator<Item = Controller> + use<> {
        self.slots.buddies().controllers(Buddies::level_of(request.procs))
    }

    fn choose(&self, request: &BlockRequest) -> Option<(Controller, Columns)> {
        if let Some((controller, columns)) = &request.former {
            let is_free = columns.iter().all(|&column| self.has_room(column, request));
            let columns = Columns::of(self.batch.len(), columns.iter().copied());
            return (is_free && self.slots.has_room(*controller)).then_some((*controller, columns));
        }
        match self.rules.map {
            Map::LeastLoadedFeasible => {
                let free = |controller| {
                    Some(self.columns_in(controller, request)?).filter(|_| self.slots.has_room(controller))
                };
                self.least_loaded(request, free)
            }
            Map::LeastLoadedOnly => {
                let could = |controller| self.could_take(controller, request).then_some(());
                let (controller, ()) = self.least_loaded(request, could)?;
                let columns = self.columns_in(controller, request)?;
                self.slots.has_room(controller).then_some((controller, columns))
            }
        }
    }

    /// Returns the least loaded controller, the leftmost of equals, for which a condition holds.
    fn least_loaded<T>(
        &self,
        request: &BlockRequest,
        accepts: impl Fn(Controller) -> Option<T>,
    ) -> Option<(Controller, T)> {
        let mut best: Option<(usize, Controller, T)> = None;
        for controller in self.controllers(request) {
            let load = self.slots.load(controller);
            if best.as_ref().is_none_or(|(least, ..)| load < *least)
                && let Some(with) = accepts(controller)
            {
                best = Some((load, controller, with));
                if load == 0 {
                    break;
                }
            }
        }
        best.map(|(_, controller, with)| (controller, with))
    }

    /// Whether a controller's block has enough processors for a job on the empty machine.
    fn could_take(&self, controller: Controller, request: &BlockRequest) -> bool {
        let usable = self.usable(controller.block(), request);
        usable.take(request.procs).count() == request.procs
    }

    /// Returns the processors that a job gets in a controller's block now; `None` if there is no room.
    fn columns_in(&self, controller: Controller, request: &BlockRequest) -> Option<Columns> {
        let usable = self.usable(controller.block(), request);
        let room = |column: &usize| self.has_room(*column, request);
        let chosen: Vec<usize> = match self.rules.within {
            SubBlockRule::Lowest => usable.take(request.procs).take_while(room).collect(),
            SubBlockRule::MostFree => {
                let mut free: Vec<usize> = usable.filter(room).collect();
                free.sort_by_key(|&column| Reverse(self.spaces.free(column)));
                free.truncate(request.procs);
                free
            }
        };
        (chosen.len() == request.procs).then(|| Columns::of(self.batch.len(), chosen))
    }

    /// Returns the processors of a block that take jobs of its partition and whose total memory suffices.
    fn usable(&self, block: Range<usize>, request: &BlockRequest) -> impl Iterator<Item = usize> {
        block.filter(|&column| {
            let takes = |machine: &Machine| machine.admits(column, request.partition);
            self.spaces.could_hold(column, &request.need) && self.partitioned.as_ref().is_none_or(takes)
        })
    }

    fn has_room(&self, column: usize, request: &BlockRequest) -> bool {
        let another = !request.batch || self.rules.batch.is_none_or(|most| self.batch[column] < most);
        another && self.spaces.has_room(column, &request.need)
    }

    /// Whether a job cannot be placed because another one, which asks for no more, could not be placed.
    fn is_harder(&self, request: &BlockRequest, than: &BlockRequest) -> bool {
        let level = |request: &BlockRequest| Buddies::level_of(request.procs);
        let alike = self.spaces.is_alike() && self.partitioned.is_none();
        let more = level(request) == level(than)
            && request.procs >= than.procs
            && request.batch == than.batch
            && than.former.is_none()
            && than.need.is_within(&request.need);
        request == than || alike && more
    }

    fn count(&mut self, columns: &Columns, request: &BlockRequest, comes: bool) {
        for column in columns.iter().filter(|_| request.batch) {
            let jobs = &mut self.batch[column];
            *jobs = if comes { *jobs + 1 } else { *jobs - 1 };
        }
    }
}

/// Records that a row runs other jobs than before.
fn note_changes(
    rows_of: &mut FxHashMap<JobId, Vec<u32>>,
    moved: &mut SortedSet<JobId>,
    row: usize,
    before: &[Ranked],
    now: &[Ranked],
) {
    let row = row as u32;
    for gone in before.iter().filter(|job| now.binary_search(job).is_err()) {
        if let Some(rows) = rows_of.get_mut(&gone.1) {
            rows.retain(|&other| other != row);
            if rows.is_empty() {
                rows_of.remove(&gone.1);
            }
        }
        moved.insert(gone.1);
    }
    for come in now.iter().filter(|job| before.binary_search(job).is_err()) {
        let rows = rows_of.entry(come.1).or_default();
        rows.insert(rows.partition_point(|&other| other < row), row);
        moved.insert(come.1);
    }
}

#[cfg(test)]
mod tests;
