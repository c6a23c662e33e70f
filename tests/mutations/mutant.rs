//! EASY with one mistake, built from the same parts as the correct one.

use batchlab::policies::policy::PolicyError;
use batchlab::policies::spec::Params;
use batchlab::policies::support::books::Books;
use batchlab::policies::support::front::Room;
use batchlab::policies::support::releases::{ExtraRule, Shadow};
use batchlab::policies::{Policy, Setting, Turn, Why};
use batchlab::traces::{Machine, Time};

/// A mistake found in implementations of EASY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// No mistake: the definition.
    None,
    /// Candidates must end by the shadow time; extra processors are not used.
    NoExtraProcessors,
    /// Extra processors are not reduced when they are given out.
    ExtraNotReduced,
    /// Candidates must end before the shadow time.
    StrictlyBefore,
    /// Of several ends at the shadow time, only those up to the first that lets the head fit are counted.
    TiesNotGrouped,
}

pub struct Mutant {
    mistake: Mistake,
    books: Books<1>,
}

impl Mutant {
    pub fn new(mistake: Mistake) -> Mutant {
        let params = Params::check("mutant", &[], &[]).unwrap();
        let pool = Machine::pool(1).unwrap();
        Mutant { mistake, books: Books::new(&params, &Setting::new(&pool)).unwrap() }
    }

    fn backfill(&mut self, turn: &mut Turn<'_>, shadow: Shadow<1>) -> Result<(), PolicyError> {
        let window = shadow.at - turn.now();
        let [mut extra] = shadow.extra;
        let mut from = None;
        loop {
            let room = Room::unreserved([turn.free(0)[0]]);
            let Some(rank) = self.books.queue.find(from, &room) else { return Ok(()) };
            from = Some(rank.next());
            let job = turn.job(rank.job());
            let (procs, lasts) = (job.procs(), job.estimate().max(Time::SECOND));
            let in_time =
                if self.mistake == Mistake::StrictlyBefore { lasts < window } else { lasts <= window };
            let beside = self.mistake != Mistake::NoExtraProcessors && procs <= extra;
            if !in_time && !beside {
                continue;
            }
            if !in_time && self.mistake != Mistake::ExtraNotReduced {
                extra -= procs;
            }
            self.books.start(turn, rank.job(), Why::Unstated)?;
        }
    }
}

impl Policy for Mutant {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.books.settle(turn)?;
        self.books.start_heads(turn)?;
        let Some(head) = self.books.queue.head() else { return Ok(()) };
        let rule = match self.mistake {
            Mistake::TiesNotGrouped => ExtraRule::First,
            _ => ExtraRule::All,
        };
        let (free, need) = ([turn.free(0)[0]], turn.job(head).demands());
        match self.books.running.shadow(turn.now(), free, need, rule) {
            Some(shadow) => self.backfill(turn, shadow),
            None => Err(PolicyError::Books { job: head, what: "it never fits" }),
        }
    }
}
