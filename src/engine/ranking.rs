//! The priorities of the jobs that wait at an instant under Slurm, with the factors that they consist of: what `sprio -l` shows, and
//! where that differs.
#![allow(missing_docs)] // Fields have the names of columns of `sprio` and of the tables.

mod compare;
mod last;
mod queue;
mod shares;
mod table;

pub use compare::{Beside, Difference, FactorAgreement, Known, PriorityComparison, compare};
pub use last::last_computed;
pub use queue::{JobPriority, RankedQueue};
pub use shares::{ShareComparison, compare_shares};
pub use table::priorities_table;
