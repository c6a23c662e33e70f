//! First fit: every job that fits starts, and no job gets a promise.

use batchlab_traces::Citation;

use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Overtaking, Policy, PolicyError};
use crate::queue::fcfs;
use crate::spec::{BuildError, Params, PolicySpec, Setting};
use crate::support::books::Books;
use crate::support::front::Room;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "first-fit",
    family: "queue order",
    summary: "starts every job that fits, in queue order; reserves nothing, so wide jobs can starve",
    cite: Citation::of("Aida, Kasahara, Narita, JSSPP 1998 (FPFS without a limit on waiting)", &["aida98"]),
    rule: "At every decision the queue is walked in order, and every job that fits into what is free then starts. \
         Nothing is reserved.",
    params: fcfs::SPEC.params,
    needs: Needs::TIERS,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(keeping(FirstFit::<K> { books: Books::new(self.0, setting)?.without_releases() }))
    }
}

struct FirstFit<const K: usize> {
    books: Books<K>,
}

impl<const K: usize> Keeper for FirstFit<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    fn forgets(&self) -> bool {
        true
    }

    fn overtaking(&self) -> Overtaking {
        Overtaking::Always
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if self.books.start_alone(turn)? {
            return Ok(());
        }
        self.books.settle(turn)?;
        let mut from = None;
        loop {
            let room = Room::unreserved(self.books.free(turn));
            let Some(rank) = self.books.first_fitting(turn, from, &room) else { return Ok(()) };
            let placed = self.books.try_start(turn, rank.job(), Why::FirstFit)?;
            from = if placed.is_some() { self.books.queue.onward(rank) } else { Some(rank.next()) };
        }
    }
}
