//! The free resources of each node that no job has a claim to.

use batchlab_traces::machine::Sharing;
use batchlab_traces::{JobId, Time};

use crate::placement::{Placement, Share};
use crate::support::amounts::{minus, plus, within};
use crate::support::books::Books;
use crate::support::hosts::{Hosts, Offers, free_now};
use crate::support::plan::Reservation;
use crate::support::profile::Slot;
use crate::turn::Turn;
use crate::view::padded;

/// Where a job is to run.
#[derive(Clone, Debug)]
pub enum StartPlace<const K: usize> {
    /// The nodes on which it is suspended.
    Here,
    Reservation(Reservation<K>),
}

impl<const K: usize> StartPlace<K> {
    /// Whether the resources it takes are free now.
    pub fn is_free(&self, books: &Books<K>, turn: &Turn<'_>, job: JobId) -> bool {
        match self {
            StartPlace::Here => Space::<K>::now(turn, &[]).has_time_for(turn, job),
            StartPlace::Reservation(reservation) => books.fits_in(turn, job, reservation),
        }
    }

    fn takes(&self, turn: &Turn<'_>, job: JobId) -> Amounts<K> {
        match self {
            StartPlace::Here => times(turn, job),
            StartPlace::Reservation(Reservation { hosts: Some(choice), .. }) => {
                held(turn, job, &choice.placement)
            }
            StartPlace::Reservation(reservation) => vec![(0, reservation.slot.amount)],
        }
    }
}

pub type Amounts<const K: usize> = Vec<(usize, [i64; K])>;

fn held<const K: usize>(turn: &Turn<'_>, job: JobId, placement: &Placement) -> Amounts<K> {
    let (view, machine) = (turn.job(job), turn.machine());
    let amounts = |share: &Share| {
        let node = share.node as usize;
        (node, view.holds(share, machine.capacity(node), machine.devices()))
    };
    placement.0.iter().map(amounts).collect()
}

/// Returns the time resources that a resident job holds: it gives them back when it is suspended in place.
pub fn times<const K: usize>(turn: &Turn<'_>, job: JobId) -> Amounts<K> {
    let mut amounts = held::<K>(turn, job, &turn.placement(job));
    for (_, amounts) in &mut amounts {
        for (amount, resource) in amounts.iter_mut().zip(turn.machine().resources()) {
            if resource.sharing == Sharing::Space {
                *amount = 0;
            }
        }
        // Devices are held in space.
        amounts[turn.machine().kinds().min(K)..].fill(0);
    }
    amounts
}

pub fn everything<const K: usize>(turn: &Turn<'_>, job: JobId) -> Amounts<K> {
    held(turn, job, &turn.placement(job))
}

/// Free amounts, node by node.
#[derive(Clone, Debug)]
pub struct Space<const K: usize>(Vec<[i64; K]>);

impl<const K: usize> Space<K> {
    /// Returns the amounts that are free now and not claimed. An amount may be negative while claimants wait for other jobs
    /// to leave.
    pub fn now(turn: &Turn<'_>, claims: &[(JobId, StartPlace<K>)]) -> Space<K> {
        let mut space = Space(free_now(turn));
        for (job, place) in claims {
            space.take(&place.takes(turn, *job));
        }
        space
    }

    /// Returns the free amounts of all nodes together.
    pub fn total(&self) -> [i64; K] {
        self.0.iter().fold([0; K], |sum, free| plus(sum, free.map(|amount| amount.max(0))))
    }

    pub fn give(&mut self, amounts: &Amounts<K>) {
        for &(node, amount) in amounts {
            self.0[node] = plus(self.0[node], amount);
        }
    }

    pub fn take(&mut self, amounts: &Amounts<K>) {
        for &(node, amount) in amounts {
            self.0[node] = minus(self.0[node], amount);
        }
    }

    /// Returns a placement on which a waiting job fits now.
    pub fn reservation(&self, turn: &Turn<'_>, hosts: Option<&Hosts>, job: JobId) -> Option<Reservation<K>> {
        let view = turn.job(job);
        let demand = padded(view.demand());
        let hosts = match hosts {
            None if within(&demand, &self.0[0]) => None,
            Some(hosts) if within(&demand, &self.total()) => {
                let free: Vec<[i64; K]> =
                    self.0.iter().map(|free| free.map(|amount| amount.max(0))).collect();
                Some(hosts.choose(turn.machine(), view, Offers { room: &free, free: &free })?)
            }
            _ => return None,
        };
        Some(Reservation { slot: Slot { from: turn.now(), to: Time::MAX, amount: demand }, hosts })
    }

    /// Whether a job suspended in memory can resume where it is.
    pub fn has_time_for(&self, turn: &Turn<'_>, job: JobId) -> bool {
        let needs = times::<K>(turn, job);
        // A resource that the job does not need may have a negative amount.
        needs
            .iter()
            .all(|(node, need)| need.iter().zip(self.0[*node]).all(|(&need, free)| need <= free.max(0)))
    }
}
