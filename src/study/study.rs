//! What the results show: estimates, contrasts with a baseline, families of tests, rankings.
//!
//! A [`Study`] reads a [`crate::experiment::Frame`] and computes with [`batchlab_engine::stats`]; each result is
//! computed once. Policies are compared in pairs by unit, as the same unit has the same jobs. What cannot be
//! computed is a [`Reason`] in words.

mod across;
mod comparison;
mod contrast;
pub mod copies;
mod crossing;
pub mod dominance;
mod estimate;
pub mod fairness;
mod family;
pub mod multiverse;
pub mod pitfalls;
mod pool;
mod question;
mod ranking;
mod reason;
pub mod who;

pub use across::Across;
pub use comparison::{ComparedNumber, Comparison};
pub use contrast::{Contrast, ContrastResult};
pub use crossing::{Crossed, CrossingQuestion, Ends};
pub use estimate::Estimate;
pub use family::{Answer, Family, pairs};
pub use pool::Pool;
pub use question::{Question, Side};
pub use ranking::{Ranking, best_in_a_typical_unit};
pub use reason::Reason;

use std::sync::{Arc, Mutex, PoisonError};

use batchlab_traces::seed;
use batchlab_traces::sorted::SortedMap;

use crate::experiment::{DesignPoint, Frame};

/// A frame with all results computed from it so far.
#[derive(Debug)]
pub struct Study<'a> {
    frame: &'a Frame,
    /// The number of missing replays and of all replays, if some are missing.
    part: Option<(usize, usize)>,
    estimates: Memo<(DesignPoint, usize, usize), Estimate>,
    contrasts: Memo<(Question, u64), Contrast>,
}

type Memo<K, V> = Mutex<SortedMap<K, Arc<V>>>;

impl<'a> Study<'a> {
    pub fn new(frame: &'a Frame) -> Study<'a> {
        Study { frame, part: None, estimates: Mutex::default(), contrasts: Mutex::default() }
    }

    /// Records that replays are missing; tables then say so.
    #[must_use]
    pub fn missing(self, missing: usize, all: usize) -> Study<'a> {
        Study { part: (missing > 0).then_some((missing, all)), ..self }
    }

    pub fn part(&self) -> Option<(usize, usize)> {
        self.part
    }

    pub fn frame(&self) -> &'a Frame {
        self.frame
    }

    /// Returns the estimate of a policy at a design point by a measure, at the frame's level. O(units) the first time.
    pub fn estimate(&self, design_point: &DesignPoint, policy: usize, measure: usize) -> Arc<Estimate> {
        let work = || Estimate::new(self.frame, design_point, policy, measure);
        once(&self.estimates, (design_point.clone(), policy, measure), work)
    }

    /// Returns the contrast that is in question, with intervals at a level. O(units) the first time, and of up to 14 units all
    /// their sign patterns.
    pub fn contrast(&self, question: &Question, level: f64) -> Arc<Contrast> {
        let work = || Contrast::new(self.frame, question, level);
        once(&self.contrasts, (question.clone(), level.to_bits()), work)
    }

    pub(super) fn named_seed(&self, names: &[String]) -> u64 {
        seed::unit(&mut seed::stream(self.frame.seed, &names.join("\n"))).to_bits()
    }
}

/// Returns the value under a key, computing it if necessary; no lock is held during the computation.
fn once<K: Ord, V>(memo: &Memo<K, V>, key: K, work: impl FnOnce() -> V) -> Arc<V> {
    // A thread that panicked left only complete entries, as each is inserted in one step.
    let known =
        |memo: &Memo<K, V>| memo.lock().unwrap_or_else(PoisonError::into_inner).get(&key).map(Arc::clone);
    if let Some(value) = known(memo) {
        return value;
    }
    let value = Arc::new(work());
    let mut memo = memo.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(memo.entry(key).or_insert(value))
}
