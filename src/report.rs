//! Tables and summaries: what is said about results, and in which form.
//!
//! A [`Table`] is data; [`WRITERS`] turn it into text, one file and one line each. Every table carries the
//! [`Conditions`] under which it was made. The same table gives the same bytes.

pub mod compare;
pub mod conditions;
mod json;
pub mod junit;
pub mod number;
pub mod replay;
pub mod summary;
pub mod table;
pub mod writers;

pub use conditions::Conditions;
pub use number::{Format, TimeUnit};
pub use replay::{ResultRow, RowKind, class_table, replay_table};
pub use summary::Summary;
pub use table::{Align, Cell, Column, Fact, Mark, Row, Table};
pub use writers::{Style, UnknownFormat, WRITERS, WriterSpec, writer};
