//! Cleaning rules named on the command line.

use batchlab_traces::clean::Rules;
use clap::Args;

use crate::lab::{Failure, rules};

/// The rules to apply.
#[derive(Args)]
pub struct RulesArgs {
    /// A file of rules (TOML; - for standard input), or a preset such as pwa:kth-sp2; see `batchlab list rules`
    #[arg(long, value_name = "RULES", help_heading = "Rules")]
    pub rules: String,
}

impl RulesArgs {
    /// Reads the rules.
    pub fn read(&self) -> Result<Rules, Failure> {
        rules::read(&self.rules)
    }
}
