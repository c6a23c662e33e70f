//! Accounting of the SDSC Intel Paragon, as far as its format is known.
//!
//! Source: the logs SDSC-Par-1995-0 and SDSC-Par-1996-0 of the Parallel Workloads Archive, the output of
//! `jrec -j` with account, user and partition replaced by numbers in its first three columns. Nodes, submit,
//! start and end times, CPU time and the NQS queue follow. Their order is not published, so the user must
//! give it: the mapping file has a placeholder for each.

use batchlab_traces::Header;

use super::shipped::read_described;
use crate::error::Result;
use crate::formats::FormatSpec;
use crate::pass::Pass;

/// The format's entry in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "sdsc-paragon",
    summary: "SDSC Paragon accounting (jrec -j): the order of its columns must be filled in",
    cite: "Parallel Workloads Archive, logs SDSC-Par-1995 and SDSC-Par-1996; A. Downey, \"A parallel workload \
           model and its implications for processor allocation\", HPDC 1997",
    looks_like: "lines of columns separated by blanks, the first three of them numbers for account, user and partition",
    likeness: |_| 0,
    read,
};

pub(super) const TEXT: &str = include_str!("mappings/sdsc-paragon.toml");

const MISSING: &str = "the order of its columns after the third is not published; put the mapping file that \
                       `batchlab list formats sdsc-paragon --mapping` prints into a file, fill in the places of nodes, \
                       submit, start, end, CPU time and queue, and give it by --mapping FILE.toml";

fn read(pass: &mut Pass<'_>) -> Result<Header> {
    read_described(pass, &SPEC, MISSING)
}
