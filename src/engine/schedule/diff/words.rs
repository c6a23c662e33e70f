use std::fmt;

use batchlab_support::Share;
use batchlab_traces::Time;
use batchlab_traces::number::counted;

use super::{Difference, Elsewhere};
use crate::schedule::NodeList;

/// The most jobs listed in [`Difference::instead`].
const INSTEAD: usize = 5;

fn told(time: Time) -> String {
    if time == Time::MAX { "never".into() } else { format!("{time} s") }
}

fn in_both([a, b]: &[Vec<Share>; 2]) -> String {
    let named =
        |nodes: &[Share]| if nodes.is_empty() { "not known".into() } else { NodeList(nodes).to_string() };
    format!("{} in A, {} in B", named(a), named(b))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} and {} differ; the schedules part at {} s",
            counted(self.starts, "start"),
            counted(self.ends, "end"),
            self.at
        )?;
        writeln!(
            f,
            "job {} ({}, estimate {} s): start {} in A, {} in B; end {} in A, {} in B",
            self.number,
            counted(self.procs, "processor"),
            self.estimate,
            told(self.start[0]),
            told(self.start[1]),
            told(self.end[0]),
            told(self.end[1])
        )?;
        if self.nodes.iter().any(|nodes| !nodes.is_empty()) {
            writeln!(f, "its nodes (node:processors): {}", in_both(&self.nodes))?;
        }
        if let Some(other) = &self.elsewhere {
            let Elsewhere { number, start, nodes } = other;
            writeln!(
                f,
                "before that, job {number}, started at {start} s, is on other nodes: {}",
                in_both(nodes)
            )?;
        }
        let state = &self.state;
        writeln!(
            f,
            "then, after the ends and what both start: {} running, {} free, {} waiting",
            counted(state.running, "job"),
            counted(state.free, "processor"),
            counted(state.waiting, "job")
        )?;
        if let Some((number, procs)) = state.head {
            write!(f, "head: job {number}, {}", counted(procs, "processor"))?;
            if let Some((at, extra)) = state.shadow {
                write!(f, "; shadow time {at} s, {}", counted(extra, "extra processor"))?;
            }
            writeln!(f)?;
        }
        if !self.instead.is_empty() {
            let shown: Vec<String> = self.instead.iter().take(INSTEAD).map(ToString::to_string).collect();
            let more = self.instead.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let jobs = if self.instead.len() == 1 { "job" } else { "jobs" };
            writeln!(f, "started then in the other schedule only: {jobs} {}{more}", shown.join(", "))?;
        }
        let (rule, what) = self.rule.told();
        write!(f, "rule: {rule}: {what}")?;
        self.about.iter().try_for_each(|about| write!(f, "; {about}"))
    }
}
