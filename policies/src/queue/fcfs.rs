//! Strict queue order: the head blocks every job behind it.

use batchlab_traces::Citation;

use crate::needs::Needs;
use crate::policy::{Overtaking, Policy, PolicyError};
use crate::spec::{BuildError, ParamSpec, Params, PolicySpec, Setting};
use crate::support::books::Books;
use crate::support::keeper::{Keeper, keeping};
use crate::support::kinds::{ForKinds, for_kinds};
use crate::support::order::ORDER;
use crate::support::params::{BOOKED, params};
use crate::turn::Turn;

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "fcfs",
    family: "queue order",
    summary: "starts jobs in queue order; the first that does not fit blocks all jobs behind it",
    cite: Citation::of("Feitelson, Rudolph, Schwiegelshohn, Sevcik, Wong, JSSPP 1997", &["feitelson97"]),
    rule: "At every decision the first job of the queue order starts, again and again, until it does not fit. No job \
         behind it starts before it.",
    params: PARAMS,
    needs: Needs::TIERS,
    build: |params, setting| for_kinds(setting, &Make(params)),
};

const PARAMS: &[ParamSpec] = params![&[ORDER], BOOKED];

struct Make<'a>(&'a Params);

impl ForKinds for Make<'_> {
    fn build<const K: usize>(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        Ok(keeping(Fcfs::<K> { books: Books::new(self.0, setting)?.without_releases() }))
    }
}

struct Fcfs<const K: usize> {
    books: Books<K>,
}

impl<const K: usize> Keeper for Fcfs<K> {
    type Books = Books<K>;

    fn books(&mut self) -> &mut Books<K> {
        &mut self.books
    }

    fn forgets(&self) -> bool {
        true
    }

    fn overtaking(&self) -> Overtaking {
        Overtaking::Never
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if self.books.start_alone(turn)? {
            return Ok(());
        }
        self.books.settle(turn)?;
        self.books.start_heads(turn)
    }
}
