use batchlab_traces::JobId;

use super::hosts::{Choice, Hosts, Offers, free_now};
use crate::cluster::Placed;
use crate::journal::Why;
use crate::placement::Rate;
use crate::policy::PolicyError;
use crate::tally;
use crate::turn::Turn;
use crate::view::padded;

/// Starts a waiting job if it fits into the free resources; returns `None` if it does not. Without a rule of host selection
/// the job starts on the pool.
#[inline]
pub fn start_now<const K: usize>(
    hosts: Option<&Hosts>,
    turn: &mut Turn<'_>,
    job: JobId,
    why: Why,
) -> Result<Option<Placed>, PolicyError> {
    match hosts {
        None if turn.fits(job) => Ok(Some(turn.start_as(job, why)?)),
        None => Ok(None),
        Some(hosts) => match choose_now::<K>(hosts, turn, job) {
            Some(choice) => start_on(turn, job, &choice, why).map(Some),
            None => Ok(None),
        },
    }
}

/// Starts a waiting job on the nodes chosen for it, and counts the choices.
pub fn start_on(turn: &mut Turn<'_>, job: JobId, choice: &Choice, why: Why) -> Result<Placed, PolicyError> {
    let placed = turn.place_as(job, &choice.placement, Rate::FULL, why)?;
    if choice.choices > 0 {
        turn.tied(tally::HOST_CHOICES, choice.choices.into(), choice.ties.into());
    }
    Ok(placed)
}

/// Chooses nodes for a job by the free resources; `None` if it does not fit.
pub fn choose_now<const K: usize>(hosts: &Hosts, turn: &Turn<'_>, job: JobId) -> Option<Choice> {
    if !has_room_now::<K>(hosts, turn, job) {
        return None;
    }
    let free = free_now::<K>(turn);
    hosts.choose(turn.machine(), turn.job(job), Offers { room: &free, free: &free })
}

#[inline]
pub fn free_in_all<const K: usize>(turn: &Turn<'_>) -> [i64; K] {
    if turn.machine().nodes() == 1 {
        return padded(turn.free(0));
    }
    let mut free = [0; K];
    for &(node, nodes) in turn.alike() {
        for (sum, amount) in free.iter_mut().zip(turn.free(node as usize)) {
            *sum += amount * i64::from(nodes);
        }
    }
    free
}

/// Whether some node may have room for a whole task of a job now. Most waiting jobs have room nowhere, and a few nodes
/// suffice to see this.
#[inline]
pub fn may_have_room(turn: &Turn<'_>, job: JobId) -> bool {
    let view = turn.job(job);
    let (demand, layout) = (view.demand(), view.layout());
    turn.roomiest().iter().any(|&node| layout.fitting(layout.task, demand, turn.free(node as usize)) > 0)
}

pub fn has_room_now<const K: usize>(hosts: &Hosts, turn: &Turn<'_>, job: JobId) -> bool {
    let (view, machine) = (turn.job(job), turn.machine());
    if !may_have_room(turn, job) {
        return false;
    }
    let tasks = hosts.tasks(machine, view);
    let mut left = tasks.layout().tasks;
    let mut suffices = |node: u32, nodes: u32| {
        let node = node as usize;
        let whole = tasks.whole_on::<K>(node, &padded(turn.room(node)));
        left = left.saturating_sub(whole.saturating_mul(nodes.into()));
        left <= 0
    };
    // Jobs that need whole nodes, and nodes that do not take all jobs, are looked at one by one.
    if tasks.layout().exclusive || !view.is_free_of_constraints(machine) {
        return (0..machine.nodes() as u32).any(|node| suffices(node, 1));
    }
    turn.alike().iter().any(|&(node, nodes)| suffices(node, nodes))
}
