//! The rule that gives each job its layout.

use std::fmt;
use std::str::FromStr;

use crate::reading::UnknownValue;

/// How jobs lie on nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayoutRule {
    /// As the record of each job states; a job whose record states nothing is tasks of one processor.
    #[default]
    Log,
    /// Tasks of this number of processors, each whole on one node.
    Tasks(i64),
    /// Whole nodes, which no other job shares: as many as the record states, else the fewest that hold the job.
    WholeNode,
    /// Anywhere: all nodes together are one pool.
    Pool,
}

impl LayoutRule {
    /// Returns the processors of each task of a job whose record states no layout.
    pub fn task_procs(self) -> i64 {
        match self {
            LayoutRule::Tasks(procs) => procs.max(1),
            _ => 1,
        }
    }
}

const EXPECTED: &str = "log, tasks:T with T from 1, whole-node, pool";

impl FromStr for LayoutRule {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<LayoutRule, UnknownValue> {
        let wrong = || UnknownValue::new(text, EXPECTED);
        match text {
            "log" => Ok(LayoutRule::Log),
            "whole-node" => Ok(LayoutRule::WholeNode),
            "pool" => Ok(LayoutRule::Pool),
            _ => {
                let procs = text.strip_prefix("tasks:").and_then(|procs| procs.parse().ok());
                procs.filter(|&procs| procs >= 1).map(LayoutRule::Tasks).ok_or_else(wrong)
            }
        }
    }
}

impl fmt::Display for LayoutRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutRule::Log => f.write_str("log"),
            LayoutRule::Tasks(procs) => write!(f, "tasks:{procs}"),
            LayoutRule::WholeNode => f.write_str("whole-node"),
            LayoutRule::Pool => f.write_str("pool"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_prints_as_it_is_written() {
        for text in ["log", "tasks:8", "whole-node", "pool"] {
            assert_eq!(text.parse::<LayoutRule>().unwrap().to_string(), text);
        }
        for wrong in ["", "tasks", "tasks:0", "tasks:-1", "tasks:x", "nodes"] {
            assert!(wrong.parse::<LayoutRule>().is_err(), "{wrong}");
        }
    }
}
