//! The search for a policy: it finds the numbers, choices and formulas of a spec that make a goal best, on units that it divides
//! so that others judge the result.
//!
//! A [`SearchSpace`] says which texts may stand in braces of a spec. A [`Goal`] says what is better: one number of a unit, relative to
//! the baseline, for each objective and constraint. An [`Evaluator`] has the loaded units, replays a spec on one of them, and
//! remembers each replay. A search proposes candidates and learns from their order; a race finds that order with few replays, as
//! all candidates meet the same units. [`Tuning`] puts these together: candidates are *fitted* on some units, one of the best is
//! *chosen* on others, and the remaining units *judge* it. The units that judge are not replayed here: the caller makes an
//! experiment of the result, which replays them once.
//!
//! Why three parts: the best of many candidates owes a part of its lead to the units on which it was found (the winner's curse), so
//! that its ratios in fitting and in choosing are no estimates. Results depend on the seed and the budget, not on threads. A search
//! may be divided into islands, whose candidates do not depend on each other, so that each can run on a machine of its own.

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
