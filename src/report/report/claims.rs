//! Claims about results: statements of a paper or of the experiment's author, checked against the measured values.
//!
//! A [`ClaimSpec`] is read from `[[claim]]` and checked against the experiment's names before anything runs;
//! checking it against a [`batchlab_study::study::Study`] gives a [`Verdict`] with its reasons in figures.
//!
//! ```toml
//! [[claim]]
//! says = "BGS has a lower slowdown than GS at every load"
//! source = "Zhang et al. 2000, table 1"
//! metric = "mean_bsld"                # of all that name no other; with `@CLASS` for a class
//! order = ["BGS", "GS"]               # ascending, at every workload and point of the sweep ...
//! where = { load = [0.8, 0.9] }       # ... that `workloads` and `where` leave
//! shown = true                        # by the paired test, too [false]
//!
//! [[claim]]
//! says = "the slowdown rises with the load"
//! metric = "mean_bsld"
//! rises_with = "load"                 # or falls_with; for each of `policies`
//! strict = true                       # and never stays the same [false]
//!
//! [[claim]]
//! says = "backfilling nearly halves the slowdown"
//! metric = "mean_bsld"
//! let = { a = { policy = "BGS", load = 0.9 }, b = { policy = "GS", load = 0.9 } }
//! expect = "a / b"                    # or a condition, such as "a < b", without a value
//! value = 0.58                        # as published, or [0.5, 0.6]; `asserted = 0.58` for a number of your own
//! tolerance = "15%"                   # or a number; or within = "interval", or within = "draw" and runs = N
//! part_of = "table1"                  # a part of that claim, which counts in its place
//! cell = { table = "Table 1", row = "w = 4", column = "BGS" }
//!
//! [[claim]]
//! says = "the mean slowdown is known within 10 %"
//! metric = "mean_bsld"
//! let = { a = { policy = "BGS", load = 0.9 } }
//! expect = "a"
//! half_width = "10%"                  # of the number; or a number: half of its interval is no wider
//!
//! [[claim]]
//! name = "table1"
//! says = "the slowdowns of Table 1 come out"
//! parts_hold = "80%"                  # of the decided claims that are part of it
//!
//! [[claim]]
//! says = "migration does not make gang scheduling with backfilling worse"
//! metric = "mean_bsld"
//! order = ["MBGS", "<=", "BGS"]       # or "=": see `Relation`
//! tolerance = "5%"                    # of the second [0]
//!
//! [[claim]]
//! says = "the machine is not overloaded"
//! uncheckable = "the paper does not give the arrival rate"
//! ```

mod checked;
mod draw;
mod expression;
mod figure;
mod half_width;
mod measured;
mod order;
mod part_of;
mod parts_hold;
mod places;
mod published;
mod read;
mod spec;
mod steps;
mod table;
mod terms;
mod trend;

pub use checked::{Cause, Checked, ClaimPart, Survival, TableCell, Verdict};
pub use expression::{Expression, Term};
pub use figure::figures;
pub use half_width::HalfWidth;
pub use measured::{Draws, Measured, NumberForm, as_published};
pub use order::{Order, Relation};
pub use part_of::{SEPARATOR, check_all, roots, statements};
pub use parts_hold::PartsHold;
pub use places::ClaimScope;
pub use published::{Allowed, Published, StatedNumber};
pub use read::{SECTION, unnamed};
pub use spec::{Assertion, CauseSpec, ClaimSpec, in_words};
pub use steps::Steps;
pub use table::{intervals, table};
pub use trend::Trend;

/// File name, without the ending, of the table of claims.
pub const NAME: &str = "claims";
