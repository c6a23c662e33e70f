//! The search for a policy: which numbers, choices and formulas of a spec make a goal best, and what of it holds on units that
//! the search has not seen.
//!
//! A [`SearchSpace`] says which texts may stand in braces of a spec. A [`Goal`] says what is better: one number of a unit, relative to
//! the baseline, for each objective and constraint. A [`Evaluator`] has the loaded units, and replays a spec on one of them; what
//! was replayed is known from then on. A search proposes candidates and is told how they did; a race finds that out with
//! few replays, as all candidates meet the same units. [`Tuning`] puts these together: units are divided into those on which
//! candidates are *fitted*, those on which one of the fitted is *chosen*, and those that only *judge* it, which are not
//! replayed here: the experiment that the caller makes of the result does that, once.
//!
//! Why three parts: the best of many candidates owes a part of its lead to the units on which it was found to be the best (the
//! winner's curse), so neither that lead nor that of the chosen one is an estimate. Results depend on the seed and on the budget,
//! and not on threads.

mod budget;
mod candidate;
mod dependence;
mod evaluator;
mod formula;
mod goal;
mod judged;
mod keys;
mod race;
mod score;
mod search;
mod space;
mod split;
mod tuning;

pub use budget::Budget;
pub use candidate::{Candidate, CandidateScores, scores};
pub use dependence::{Lean, leanings};
pub use evaluator::{Evaluation, Evaluator};
pub use goal::{Constraint, Goal, GoalError, Objective, measures_of};
pub use judged::JudgedStanding;
pub use keys::{Pool, SPACE, TUNE, TuneFile, TuneKeys};
pub use score::UnitScore;
pub use search::SearchKind;
pub use space::{Genome, SearchSpace, SpaceError};
pub use split::{Split, UnitRole};
pub use tuning::{Found, SearchProgress, Tuning};
