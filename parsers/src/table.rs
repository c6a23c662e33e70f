//! Tables: one job a line, what the columns are is said by a mapping file.
//!
//! A mapping file is TOML. The keys of the file:
//!
//! | key | meaning |
//! |---|---|
//! | `separator` | `blank` (runs of blanks and tabs; the default), `tab`, or one character |
//! | `quoted` | whether cells stand in double quotes, with `""` for one; so unless told where `,` separates |
//! | `comment` | list of beginnings of lines that are none of the table; those before the first job become notes |
//! | `skip` | lines to leave out at the top |
//! | `heading` | whether the first line names the columns |
//! | `columns`, `columns_at_least` | how many columns a line has |
//! | `other_counts` | `keep` (read as far as the line goes; the default) or `leave_out` lines with others |
//! | `missing` | list of texts that stand for nothing; by default the empty one, `-1`, `-`, `?`, `NULL`, `None` ... |
//! | `decimal` | `.` or `,` |
//! | `zone` | zone of the log's clock, where times are dates without offset |
//! | `zero` | what instants that are numbers count from: epoch seconds, a date, or `"own"` if nobody knows; 1970 |
//! | `[machine]` | for the header: `computer installation acknowledge information conversion nodes procs runtime memory queues notes` |
//! | `[queues]` | numbers of queues: `interactive = 0` |
//! | `[[column]]` | one each |
//! | `[[constant]]` | `to` and `value`: the same for all jobs, unless a column says otherwise |
//!
//! The keys of a column: where it is, `at` (from 1) or, with a heading, `name`; `span` (so many columns are one
//! text: a date and a time); `optional` (it may be missing from the heading); `looks` (a regular expression, only
//! for telling the format of a file); and where it goes:
//!
//! | key | meaning |
//! |---|---|
//! | `to` | `job submit start end wait run allocated requested cpu requested_time used_memory requested_memory status user group executable queue partition nodes ppn node_spec`, `resource NAME [UNIT] [pool\|node\|job]`, `check wait`, `check run`, `ignore` |
//! | `format` | of instants: `epoch epoch_ms epoch_us iso us_date`, or a pattern of strftime |
//! | `unit` | of lengths of time: `us ms s min h d clock`; of memory: `B KB MB GB TB suffixed` |
//! | `per` | memory for each `processor` (the default), `node` or `job`; CPU time for each `processor` or `job` |
//! | `factor` | a number to multiply with: 8 processors a node, thousandths |
//! | `times`, `times_default` | further columns to multiply with, and the number that stands for a missing one |
//! | `missing` | as above, for this column |
//! | `never` | texts that say that the job never started |
//! | `values`, `others` | what words stand for: `{ Completed = "completed" }`; and all others |
//! | `capacity` | how much of a resource the machine has |
//!
//! The words for a status are `completed failed cancelled running waiting unknown`. A column can go to several
//! places: `also` lists tables of these keys, `pattern` is a regular expression whose named groups go where
//! `group.NAME` says: `pattern = '^q(?<fat>f?)(?<nodes>\d+)(?<length>[sml])$'`.
//!
//! Amounts of processors and resources are rounded up to whole ones. Memory that is that of a node or a job also
//! goes to a further column `memory` (KB of the whole job), so that nothing is lost by dividing it. Two columns for
//! one destination and one column described twice are refused.

mod amount;
mod compile;
mod constant;
mod draft;
mod error;
mod fill;
mod likeness;
mod mapping;
mod moment;
mod nodespec;
mod raw;
mod read;
mod reader;
mod split;
mod target;
#[cfg(test)]
mod tests;

pub mod kinds;
pub mod paragon;
pub mod shipped;

pub use error::MappingError;
pub use mapping::Mapping;
pub use shipped::{MAPPING, mapping_file, takes_mapping};
