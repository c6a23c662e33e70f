//! Backfilling with lookahead (LOS): starts the set of waiting jobs that uses the most processors now.
//!
//! Shmueli, Feitelson (JSSPP 2003; JPDC 65(9), 2005): as EASY, but the jobs that start beside the head's reservation are
//! chosen as a set by dynamic programming instead of one by one, so that each decision maximises utilisation.
//!
//! * Heads start while they fit. The first head that does not fit gets a reservation as under `easy`: shadow
//!   time, extra processors (all ends at the shadow time count).
//! * The set is chosen from the first `depth` jobs behind the head in candidate order. It fits into the free
//!   processors, and its jobs that outlast the shadow time fit into the extra processors; among all such
//!   sets it uses the most processors. Jobs beyond the depth are not considered. The paper of 2005 finds a
//!   depth of 50 as good as any larger one. This does not hold for long queues:
//!   `batchlab replay SDSC-BLUE-2000-derived.swf.gz` gives a mean wait of 9,689 s with it, 7,639 s with
//!   `depth=inf`, and 7,870 s under `easy`.
//! * `ties` decides among sets that use equally many processors. `first`: the set that comes first in
//!   candidate order, that is, the set with the first job if any has it, then with the second, and so on.
//!   `slowdown`: the set with the largest sum of expected slowdowns, (wait + estimate) / estimate of each
//!   job, in millionths, with an estimate of at least a second; among equal sums the first in candidate
//!   order. The paper of 2005 found this choice better than all others; that its slowdown is this one is
//!   this project's reading. `last`: the mirror image of `first`, the set with the last job if any has it,
//!   and so on. A table that is filled in candidate order, overwrites equal values and is read back from its
//!   last row gives this set.
//!
//! The set uses at least as many processors as `easy` would use at the same decision, and the promise to the
//! head is the same. With candidates of one processor each the policy is `easy`.
//!
//! For one resource on a pool: with several resources there is no single number to maximise, and the
//! processors of nodes do not add up.
//!
//! A decision costs O(depth · log n) for n waiting jobs. With c candidates that fit, f free and e extra processors,
//! choosing the set costs at most O(c · f) (see the module `packing`); with `ties=slowdown` O(c · f · e).

mod packing;

use batchlab_traces::{Citation, JobId, Time};

use crate::cluster::Placed;
use crate::journal::Why;
use crate::needs::Needs;
use crate::policy::{Policy, PolicyError};
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, PolicySpec, Setting, Words};
use crate::support::books::{Books, CANDIDATES};
use crate::support::estimates::CORRECTOR;
use crate::support::front::Room;
use crate::support::keeper::{Keeper, keeping};
use crate::support::order::ORDER;
use crate::support::params::{ORDERED, params};
use crate::support::predictor::PREDICTOR;
use crate::support::queue::THRESHOLD;
use crate::support::releases::{ExtraRule, Shadow};
use crate::turn::Turn;
use crate::view::{JobView, padded};
use crate::words;
use packing::{Amounts, Item, best};

/// The policy's entry in the registry: name, rule, parameters, constructor.
pub const SPEC: PolicySpec = PolicySpec {
    name: "lookahead",
    family: "backfilling",
    summary: "as easy, but starts the set of waiting jobs that uses the most processors now, by dynamic \
        programming",
    cite: Citation::of("Shmueli, Feitelson, JSSPP 2003; JPDC 65(9), 2005 (LOS)", &["shmueli03", "shmueli05"]),
    rule: "Heads start while they fit. Behind the head that does not, dynamic programming over the first \
        waiting jobs finds the set that uses most processors now and leaves the head's shadow time alone: \
        jobs that end by then take free processors only, longer jobs take extra processors too.",
    params: params![&[DEPTH, TIES, ORDER, CANDIDATES, THRESHOLD, PREDICTOR, CORRECTOR], ORDERED],
    needs: Needs { pool: true, ..Needs::TIERS },
    build,
};

const DEPTH: ParamSpec = ParamSpec {
    name: "depth",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "50",
    help: "lookahead: how many jobs behind the head are looked at, in candidate order",
    ..ParamSpec::PLAIN
};

const TIES: ParamSpec = ParamSpec {
    name: "ties",
    kind: ParamKind::Choice(Ties::WORDS),
    default: "first",
    help: "among sets that use equally many processors: the first in candidate order, the largest sum of \
        expected slowdowns, or the last in candidate order",
    ..ParamSpec::PLAIN
};

fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let reason = if setting.by_node {
        "on nodes free processors do not add up"
    } else if setting.machine.kinds() > 1 {
        "with several resources no single number can be maximized"
    } else {
        let depth = params.count(DEPTH.name).and_then(|depth| usize::try_from(depth).ok());
        let books = Books::new(params, setting)?;
        return Ok(keeping(Lookahead {
            books,
            depth: depth.unwrap_or(usize::MAX),
            ties: params.word(&TIES)?,
        }));
    };
    Err(BuildError::Unfit(format!("lookahead packs the processors of a pool: {reason}; use easy or depth")))
}

struct Lookahead {
    books: Books<1>,
    depth: usize,
    ties: Ties,
}

/// Which set is chosen among those that use equally many processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ties {
    First,
    Slowdown,
    Last,
}

words!(Ties { First = "first", Slowdown = "slowdown", Last = "last" });

impl Keeper for Lookahead {
    type Books = Books<1>;

    fn books(&mut self) -> &mut Books<1> {
        &mut self.books
    }

    fn forgets(&self) -> bool {
        true
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.books.settle(turn)?;
        self.books.start_heads(turn)?;
        let Some(head) = self.books.queue.head() else { return Ok(()) };
        let free = padded(turn.free(0));
        if self.books.candidates().find(None, &Room::unreserved(free)).is_none() {
            return Ok(());
        }
        let need = turn.job(head).demands();
        match self.books.running.shadow(turn.now(), padded(&turn.balance(0)), need, ExtraRule::All) {
            Some(shadow) => self.backfill(turn, head, shadow),
            None => Err(PolicyError::Books { job: head, what: "all running jobs' ends do not make it fit" }),
        }
    }
}

impl Lookahead {
    /// Starts the best set. If a started job ends within this instant, the other jobs are chosen again with its room.
    fn backfill(&mut self, turn: &mut Turn<'_>, head: JobId, shadow: Shadow<1>) -> Result<(), PolicyError> {
        turn.promise(head, shadow.at);
        let mut extra = shadow.extra[0];
        'again: loop {
            let free = turn.free(0)[0];
            let left = Amounts { procs: free, extra };
            let (jobs, items) = self.look_ahead(turn, head, shadow.at, left);
            for at in self.choose(&items, left) {
                let shadow = shadow.at;
                let why = if items[at].takes.extra == 0 {
                    Why::EndsByShadow { shadow }
                } else {
                    Why::Extra { shadow }
                };
                if self.books.start(turn, jobs[at], why)? != Placed::Holds {
                    continue 'again;
                }
                extra -= items[at].takes.extra;
            }
            return Ok(());
        }
    }

    /// Returns the positions of the items in the best set, ascending.
    fn choose(&self, items: &[Item], left: Amounts) -> Vec<usize> {
        if self.ties != Ties::Last {
            return best(items, left);
        }
        let mirrored: Vec<Item> = items.iter().rev().copied().collect();
        best(&mirrored, left).into_iter().rev().map(|at| items.len() - 1 - at).collect()
    }

    /// Returns the jobs within the lookahead depth that fit into the remaining room, in candidate order, each with the
    /// processors and the extra processors that it takes.
    fn look_ahead(
        &self,
        turn: &Turn<'_>,
        head: JobId,
        shadow: Time,
        left: Amounts,
    ) -> (Vec<JobId>, Vec<Item>) {
        let candidates = self.books.candidates();
        let (mut jobs, mut items) = (Vec::new(), Vec::new());
        let room = Room { free: [left.procs], window: shadow - turn.now(), extra: [left.extra] };
        // If the depth covers all candidates, jobs that do not fit need not be counted.
        let counts = self.depth < candidates.len();
        let (mut looked_at, mut from) = (0, None);
        while looked_at < self.depth {
            let next = match from {
                Some(from) if counts => candidates.at_or_after(from),
                None if counts => candidates.first(),
                from => candidates.find(from, &room),
            };
            let Some(rank) = next else { break };
            from = Some(rank.next());
            let (job, view) = (rank.job(), turn.job(rank.job()));
            if job == head {
                continue;
            }
            looked_at += 1;
            let procs = view.procs();
            let stay = self.books.stay(view);
            let ends_in_time = stay <= room.window;
            let takes = Amounts { procs, extra: if ends_in_time { 0 } else { procs } };
            if takes.procs <= left.procs && takes.extra <= left.extra {
                jobs.push(job);
                items.push(Item {
                    takes,
                    worth: if self.ties == Ties::Slowdown { slowdown(turn, view, stay) } else { 0 },
                });
            }
        }
        (jobs, items)
    }
}

/// Returns the slowdown, in millionths, that a job can expect if it starts now.
fn slowdown(turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> i128 {
    let response = (turn.now() - job.submit()).saturating_add(stay);
    i128::from(response.ticks()) * 1_000_000 / i128::from(stay.ticks())
}
