//! Distributed hierarchical control with long-term scheduling of memory.

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{Citation, JobId, Time};

use super::board::{BlockRequest, Board, Home};
use super::lines::{LongTermQueue, ServiceRank};
use super::options::{
    ALTERNATE, B, D, DECAY, MAP, MEMORY, ORDER, RETURN, SERVICE, SLICE, SMF, SWAP_OUT, SmallestMemory, TL,
    WITHIN, quantum, rules,
};
use super::service::{Service, ServiceUnit};
use crate::cluster::State;
use crate::costs::StatedCosts;
use crate::cycle::{CycleChanges, Resume};
use crate::event::Event;
use crate::needs::Needs;
use crate::placement::{Placement, Share};
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, Params, PolicySpec, Setting};
use crate::support::costs::{CS, CS_CHARGE, SWAP, SWAP_IN_FIRST};
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
///
/// # Which variant
/// Distributed hierarchical control is defined by Feitelson and Rudolph (Computer 23(5), 1990): a tree of
/// controllers over buddies of processors, each job mapped to a controller at the level that its size
/// requires. Setia, Squillante and Naik use the mapping of Feitelson's *Packing Schemes for Gang Scheduling*
/// (JSSPP 1996) without further description. The variant here: all trees share the slots of one matrix. A
/// job of n processors goes to the least loaded controller of level ⌈log2 n⌉, the leftmost of equals, and
/// into the first slot in which its block is free. A controller's load is the number of slots in which some
/// of its block is in use. In its slot the job has the block to itself; processors that it leaves idle, like
/// all idle processors of a slot, go to *alternates*, jobs of other slots all of whose processors are idle
/// there. A mapped job never moves, and slots are never repacked. A machine whose
/// number of processors is no power of two is cut into the largest aligned blocks, each the root of a tree.
///
/// # Long-term scheduling
/// Setia et al. 1999, section 4.2; choices that it leaves open are parameters. A job gets processors, slot
/// and memory together and loses them together: at its end, or when its swapping out is over. Events are
/// handled in the order in which they happened: a newcomer is tried at once, before the waiting jobs, and
/// after a departure both queues are examined in full.
pub const SPEC: PolicySpec = PolicySpec {
    name: "dhc",
    family: "gang scheduling",
    summary: "gangs on buddy blocks take turns in shared slots; jobs wait for memory on processors in two \
        long-term queues",
    cite: Citation::of(
        "Setia, Squillante, Naik, The Impact of Job Memory Requirements on Gang-Scheduling Performance, 1999; mapping: \
         Feitelson, Rudolph, Computer 23(5), 1990, and Feitelson, JSSPP 1996",
        &["setia99", "feitelson90", "feitelson96"],
    ),
    rule: "Processors are cut into aligned blocks of powers of two, each a tree of buddies. A job goes to \
         the least loaded block of the smallest size that holds it, where memory on each of its processors \
         and a slot allow it, into the first slot in which that block is free, and stays. Slots take turns; \
         processors idle in a slot run alternates. A newcomer is tried at once; one that does not fit joins \
         the interactive or the batch queue, which are examined in full, interactive first, whenever a job \
         leaves. With tl a batch job that has executed so long is swapped out and waits, least accumulated \
         service first, which is halved every decay. A job larger than the largest block, or with more \
         memory than its processors have, is turned away.",
    params: &[
        ORDER,
        SMF,
        D,
        B,
        TL,
        DECAY,
        SWAP_OUT,
        RETURN,
        SERVICE,
        SWAP,
        SWAP_IN_FIRST,
        SLICE,
        CS,
        CS_CHARGE,
        MAP,
        WITHIN,
        ALTERNATE,
        MEMORY,
    ],
    needs: Needs {
        classes: true,
        costs: StatedCosts { swap_else: Some(SWAP_RATE), ..StatedCosts::NONE },
        ..Needs::GANG
    },
    build,
};

/// Bytes per second and processor (Setia et al. 1999, section 4.1).
const SWAP_RATE: i64 = 20 << 20;

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let memory = params.is_on(&MEMORY)?;
    let unfit = |why: &str| Err(BuildError::Unfit(format!("dhc: {why}")));
    match setting.machine.resource("memory") {
        None if memory => {
            return unfit(
                "the machine has no memory to hold jobs in; give it some, as in --capacity memory=..., or say memory=off",
            );
        }
        Some(_) if !memory => {
            return unfit(
                "memory=off is for machines without a memory limit; leave memory out of --capacity",
            );
        }
        _ => {}
    }
    let (tl, decay) = quantum(params);
    Ok(Box::new(Dhc {
        board: Board::new(setting.machine, rules(params)?),
        slice: params.duration(SLICE.name).unwrap_or(Time::SECOND),
        lines: Default::default(),
        smallest: SmallestMemory::from_params(params, setting.machine)?,
        tl,
        always: params.is(&SWAP_OUT, "always")?,
        service: Service::new(decay),
        unit: params.word(&SERVICE)?,
        placed: SortedMap::new(),
        wakes: SortedSet::new(),
    }))
}

struct Dhc {
    board: Board,
    slice: Time,
    /// The long-term queues: interactive, batch.
    lines: [LongTermQueue<Kind>; 2],
    smallest: Option<SmallestMemory>,
    tl: Option<Time>,
    /// Whether a quantum ends even if no job waits.
    always: bool,
    /// The service of batch jobs, if they have a quantum.
    service: Service,
    unit: ServiceUnit,
    /// The executed time of each batch job with a quantum when it was placed.
    placed: SortedMap<JobId, Time>,
    wakes: SortedSet<Time>,
}

/// The request of a waiting job. After a job without room, the next job with a different request is asked; if a placement
/// may make room for others, each job is asked.
type Kind = (BlockRequest, Option<JobId>);

impl Policy for Dhc {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if self.service.pass(turn.now(), |job| turn.executed(job)) {
            let service = |job| served(&self.service, self.unit, turn, job);
            self.lines[1].rank_by(service);
        }
        let newly = self.answer(turn)?;
        self.end_quanta(turn)?;
        self.take_turns(turn, &newly)?;
        self.ask(turn)
    }
}

impl Dhc {
    /// Handles the events in the order in which they happened. Returns the jobs that have been mapped.
    fn answer(&mut self, turn: &mut Turn<'_>) -> Result<Vec<JobId>, PolicyError> {
        let (mut newly, mut departed) = (Vec::new(), false);
        for &event in turn.events() {
            match event {
                Event::Submitted(job) => {
                    if std::mem::take(&mut departed) {
                        self.examine(turn, &mut newly);
                    }
                    self.arrive(turn, job, &mut newly)?;
                }
                Event::Displaced(job) => departed |= self.come_back(turn, job),
                Event::Released(job) | Event::Finished(job) | Event::Killed(job) => {
                    departed |= self.depart(job);
                }
                Event::Suspended(_)
                | Event::Resumed(_)
                | Event::Loaded(_)
                | Event::Woke(_)
                | Event::Capacity(_) => {}
            }
        }
        if departed {
            self.examine(turn, &mut newly);
        }
        Ok(newly)
    }

    /// Tries a newcomer at once; without room it joins the end of its queue.
    fn arrive(&mut self, turn: &mut Turn<'_>, job: JobId, newly: &mut Vec<JobId>) -> Result<(), PolicyError> {
        let batch = !turn.job(job).is_interactive();
        let request = self.board.request(turn.job(job), batch);
        if let Some(why) = self.board.misfit(&request) {
            return Ok(turn.reject_as(job, why)?);
        }
        if batch && self.tl.is_some() {
            self.service.open(job);
        }
        if self.board.place(job, &request).is_some() {
            self.mapped(turn, job, newly);
        } else {
            self.join(turn, job, request);
        }
        Ok(())
    }

    /// A batch job has been swapped out: its resources are free, and it waits again.
    fn come_back(&mut self, turn: &Turn<'_>, job: JobId) -> bool {
        let Some(home) = self.board.leave(job) else { return false };
        let request = self.board.request_again(home);
        self.join(turn, job, request);
        true
    }

    /// A job has ended; returns whether this frees any resources.
    fn depart(&mut self, job: JobId) -> bool {
        self.service.close(job);
        self.placed.remove(&job);
        self.lines.iter_mut().for_each(|line| _ = line.leave(job));
        self.board.leave(job).is_some()
    }

    fn join(&mut self, turn: &Turn<'_>, job: JobId, request: BlockRequest) {
        let memory = self.smallest.map_or(0, |smallest| smallest.of(turn.job(job)));
        let service = served(&self.service, self.unit, turn, job);
        let line = &mut self.lines[usize::from(request.is_batch())];
        let alone = self.board.may_make_room().then_some(job);
        line.join(job, (request, alone), service, memory);
    }

    /// Examines both queues in full, interactive jobs first.
    fn examine(&mut self, turn: &Turn<'_>, newly: &mut Vec<JobId>) {
        for class in 0..self.lines.len() {
            let mut behind = None;
            loop {
                let (line, board) = (&self.lines[class], &mut self.board);
                let place =
                    |(rank, (request, _)): &(ServiceRank, &Kind)| board.place(rank.job, request).is_some();
                let Some(rank) = line.heads(behind).find(place).map(|(rank, _)| rank) else { break };
                self.lines[class].leave(rank.job);
                self.mapped(turn, rank.job, newly);
                behind = Some(rank);
            }
        }
    }

    fn mapped(&mut self, turn: &Turn<'_>, job: JobId, newly: &mut Vec<JobId>) {
        let batch = self.board.home(job).is_some_and(|home| home.request().is_batch());
        if batch && self.tl.is_some() {
            self.placed.insert(job, turn.executed(job));
        }
        newly.push(job);
    }

    /// Swaps out the batch jobs whose long-term quantum is over.
    fn end_quanta(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(tl) = self.tl else { return Ok(()) };
        if !self.always && self.lines.iter().all(LongTermQueue::is_empty) {
            return Ok(());
        }
        let over = |(&job, &before): (&JobId, &Time)| turn.executed(job) - before >= tl;
        let due: Vec<JobId> = self.placed.iter().filter(|&entry| over(entry)).map(|(&job, _)| job).collect();
        for job in due {
            turn.displace(job, true)?;
            self.placed.remove(&job);
        }
        Ok(())
    }

    fn take_turns(&mut self, turn: &mut Turn<'_>, newly: &[JobId]) -> Result<(), PolicyError> {
        let places: Vec<(JobId, Placement)> =
            newly.iter().filter_map(|&job| self.board.home(job).map(|home| (job, placement(home)))).collect();
        let can_run = |job: JobId| match turn.state(job) {
            State::Resident => !turn.is_swapping(job),
            _ => places.iter().any(|(new, _)| *new == job) && !turn.must_load(job),
        };
        let mut jobs = self.board.fill(can_run);
        // A job that has left the machine or is being swapped is in no row any more.
        let stays = |job: JobId| turn.state(job) == State::Resident && !turn.is_swapping(job);
        jobs.retain(|(job, rows)| !rows.is_empty() || stays(*job));
        if places.is_empty() && jobs.is_empty() {
            return Ok(());
        }
        let (rows, slice) = (self.board.height(), self.slice);
        let changes = CycleChanges { rows, jobs, slice, resume: Resume::default(), checkpoints: Vec::new() };
        Ok(turn.change_cycle(&changes, &places)?)
    }

    /// Requests a decision when a quantum may be over, and when service is halved while batch jobs run.
    fn ask(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (Some(tl), now) = (self.tl, turn.now()) else { return Ok(()) };
        let over = |(&job, &before): (&JobId, &Time)| {
            let left = turn.executed(job) - before < tl;
            turn.reaches(job, before.saturating_add(tl)).filter(|_| left)
        };
        let quantum = self.placed.iter().filter_map(over).min();
        let halving = self.service.next_halving(now).filter(|_| !self.placed.is_empty());
        self.wakes = self.wakes.split_off(&now.saturating_add(Time::TICK));
        for at in [quantum, halving].into_iter().flatten().filter(|&at| at > now) {
            if self.wakes.insert(at) {
                turn.wake_at(at)?;
            }
        }
        Ok(())
    }
}

/// Returns the accumulated service of a job, by which it is ranked.
fn served(service: &Service, unit: ServiceUnit, turn: &Turn<'_>, job: JobId) -> Time {
    unit.of(service.of(job, turn.executed(job)), turn.job(job).procs())
}

fn placement(home: &Home) -> Placement {
    Placement(home.columns().iter().map(|column| Share::new(column as u32, 1)).collect())
}
