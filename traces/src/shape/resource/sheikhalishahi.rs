//! The five-resource workload of Sheikhalishahi et al. 2015.

use std::fmt::Write;

use super::Resource;
use crate::field::Field;
use crate::number::counted;
use crate::shape::{Env, ShapedTrace, Step, StepError, StepOutput};

/// The dimensions that the paper adds to those of the log (section 4.2), uniform over ranges that it does not state.
pub const ADDED: [&str; 3] = ["io", "net_in", "net_out"];

/// Processors and memory as in the log, the other dimensions drawn.
pub struct Sheikhalishahi(pub Resource);

impl Step for Sheikhalishahi {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let known = |row: &u32| {
            let fields = [Field::RequestedMemory, Field::UsedMemory];
            fields.iter().any(|&field| work.trace.get(*row as usize, field).to_micro() > 0)
        };
        let with_memory = work.rows().filter(known).count();
        let mut change = self.0.apply(work, env)?;
        if with_memory == 0 {
            change.words +=
                "; the log gives no job's memory, so memory is not a dimension unless a step adds it";
        } else {
            let _ = write!(change.words, "; the log gives the memory of {}", counted(with_memory, "job"));
        }
        Ok(change)
    }
}
