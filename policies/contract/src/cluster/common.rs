//! What both paths have: the machine, the workload, the states of its jobs, and what is free. The plain path is here as well: a
//! pool whose jobs run from start to end at full speed.

use std::borrow::Cow;
use std::sync::Arc;

use batchlab_traces::machine::{Sharing, members};
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::cover::expect_cover;
use super::room::{Room, WHOLE};
use super::states::{State, States};
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;

pub(super) struct Common {
    machine: Arc<Machine>,
    workload: Arc<Workload>,
    jobs: States,
    room: Room,
    /// Whether jobs that are suspended in place give back a resource; empty if no job may be.
    releases: Box<[bool]>,
}

impl Common {
    pub(super) fn new(machine: Arc<Machine>, workload: Arc<Workload>, plain: bool) -> Common {
        let (room, jobs) = (Room::new(&machine, plain), States::new(workload.len()));
        Common { machine, workload, jobs, room, releases: Box::default() }
    }

    /// Goes on with the next section of a stream. O(jobs of the section).
    pub(super) fn go_on(&mut self, workload: Arc<Workload>) {
        let Some(first) = workload.jobs().next() else { return };
        self.jobs.go_on(first, workload.len());
        self.workload = workload;
    }

    pub(super) fn open(&mut self) {
        self.workload = Arc::new(self.workload.before_entries());
    }

    pub(super) fn admit(&mut self, of: &Workload, job: JobId, now: Time) -> JobId {
        Arc::make_mut(&mut self.workload).enter(of, job, now)
    }

    #[inline]
    pub(super) fn machine(&self) -> &Machine {
        &self.machine
    }

    #[inline]
    pub(super) fn workload(&self) -> &Arc<Workload> {
        &self.workload
    }

    #[inline]
    pub(super) fn jobs(&self) -> &States {
        &self.jobs
    }

    #[inline]
    pub(super) fn jobs_mut(&mut self) -> &mut States {
        &mut self.jobs
    }

    #[inline]
    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    #[inline]
    pub(super) fn start_plain(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.jobs.expect(job, State::Waiting)?;
        let demand = self.workload.demand(job);
        if let Err(kind) = self.room.take(demand) {
            return Err(Reason::Oversubscribed {
                resource: self.machine.resources()[kind].name.clone(),
                node: 0,
                need: demand[kind],
                free: self.room.at(kind),
            });
        }
        self.jobs.enter(job, Rate::FULL, now);
        Ok(())
    }

    #[inline]
    pub(super) fn give_back_plain(&mut self, job: JobId) {
        self.room.give(self.workload.demand(job));
    }

    pub(super) fn expect_cover(&self, job: JobId, at: &Placement) -> Result<(), Reason> {
        expect_cover(&self.machine, &self.workload, job, at)
    }

    /// Takes what a job needs on the nodes of a placement, at a rate.
    pub(super) fn take(&mut self, job: JobId, at: &Placement, rate: Rate) -> Result<(), Reason> {
        let parts = self.parts(job, at, rate);
        let width = self.machine.width();
        self.room.take_parts(&parts).map_err(|(at, parts)| Reason::Oversubscribed {
            resource: self.machine.name_of(at % width).to_owned(),
            node: at / width,
            need: ((parts + WHOLE - 1) / WHOLE) as i64,
            free: self.room.at(at),
        })
    }

    /// Frees what a job held on the nodes of a placement, at a rate.
    pub(super) fn give(&mut self, job: JobId, at: &Placement, rate: Rate) {
        let parts = self.parts(job, at, rate);
        self.room.give_parts(&parts);
    }

    /// Returns the parts of each resource that a job takes on the nodes of a placement, by node and resource as in the free
    /// amounts. A job at rate 0 takes nothing of what suspended jobs give back.
    fn parts(&self, job: JobId, at: &Placement, rate: Rate) -> Vec<(usize, i128)> {
        let machine = &self.machine;
        let mut takes = Vec::with_capacity(at.0.len() * machine.width());
        for share in &at.0 {
            let first = share.node as usize * machine.width();
            let whole = machine.devices().filter(|_| share.devices != 0);
            for (kind, resource) in machine.resources().iter().enumerate() {
                if rate == Rate::PAUSED && self.releases.get(kind) == Some(&true) {
                    continue;
                }
                let capacity = machine.capacity(share.node as usize)[kind];
                let mut amount = self.workload.held_on(job, kind, share.procs, capacity);
                let parts = match resource.sharing {
                    Sharing::Space => WHOLE,
                    Sharing::Time => i128::from(rate.parts()),
                };
                if let Some(devices) = whole.filter(|devices| devices.resource() == kind) {
                    amount = devices.held(amount);
                    let each = i128::from(amount.min(devices.size())) * WHOLE;
                    takes.extend(members(share.devices).map(|device| (first + devices.index(device), each)));
                }
                takes.push((first + kind, i128::from(amount) * parts));
            }
        }
        takes
    }

    /// Returns a placement with devices on each node: the devices that it names if they suit the job, otherwise chosen free
    /// devices. Without devices on the machine, it is the same placement.
    pub(super) fn with_devices<'a>(
        &self,
        job: JobId,
        at: &'a Placement,
    ) -> Result<Cow<'a, Placement>, Reason> {
        let Some(devices) = self.machine.devices() else { return Ok(Cow::Borrowed(at)) };
        let kind = devices.resource();
        let mut at = Cow::Borrowed(at);
        for index in 0..at.0.len() {
            let share = at.0[index];
            let node = share.node as usize;
            let capacity = self.machine.capacity(node);
            let need = self.workload.held_on(job, kind, share.procs, capacity[kind]);
            if share.devices != 0 && devices.suits(share.devices, need, capacity) {
                continue;
            }
            let mut room = self.room.of(node).to_vec();
            let chosen = devices.choose(need, &room);
            devices.limit(&mut room);
            let resource = || self.machine.resources()[kind].name.clone();
            let full = || Reason::Oversubscribed { resource: resource(), node, need, free: room[kind] };
            let chosen = chosen.ok_or_else(full)?;
            if chosen != share.devices {
                at.to_mut().0[index].devices = chosen;
            }
        }
        Ok(at)
    }

    /// Returns the amounts that a job holds on a node of a placement: one per resource, then one per device.
    pub(super) fn needs_on(&self, job: JobId, share: &Share) -> Vec<i64> {
        let mut needs = vec![0; self.machine.width()];
        let capacity = self.machine.capacity(share.node as usize);
        self.workload.hold(job, (share.procs, share.devices), capacity, self.machine.devices(), &mut needs);
        needs
    }

    pub(super) fn free_more(&mut self, at: usize, amount: i64) {
        self.room.more(at, amount);
    }

    /// From now on jobs may be suspended in place, and give back these resources and all that are shared in time.
    pub(super) fn let_suspend(&mut self, releases: &[bool]) {
        let sharing = self.machine.resources().iter().map(|resource| resource.sharing);
        let is_given = |(&given, sharing)| given || sharing == Sharing::Time;
        self.releases = releases.iter().zip(sharing).map(is_given).collect();
    }

    /// Returns the amounts that a job with these shares would give back if it were suspended in place, by node and resource as in
    /// the free amounts.
    pub(super) fn released(&self, job: JobId, shares: &[Share]) -> Vec<(usize, i64)> {
        let Some(&device) = self.releases.get(self.machine.devices().map_or(0, |devices| devices.resource()))
        else {
            return Vec::new();
        };
        let is_released = |kind: usize| self.releases.get(kind).copied().unwrap_or(device);
        let of_share = |share: &Share| {
            let first = share.node as usize * self.machine.width();
            let amounts = self.needs_on(job, share).into_iter().enumerate();
            let released = amounts.filter(|&(kind, amount)| amount > 0 && is_released(kind));
            released.map(move |(kind, amount)| (first + kind, amount)).collect::<Vec<_>>()
        };
        shares.iter().flat_map(of_share).collect()
    }
}
