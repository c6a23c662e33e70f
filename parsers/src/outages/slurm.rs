//! The events of nodes in Slurm's accounting: `sacctmgr show event`, with `-P` or in columns of fixed width.

use batchlab_traces::capacity::{Evicted, Instant, LoggedNodes, LoggedOutage, NodeName};
use batchlab_traces::notation::hosts;

use super::tab::Heading;
use super::{LineReader, OutageFormat, Told};

/// The format's name.
pub const SACCTMGR_EVENTS: &str = "sacctmgr";

/// The most nodes of an event.
const MOST: usize = 100_000;

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: SACCTMGR_EVENTS,
    summary: "events of Slurm's accounting: sacctmgr show event -P",
    cite: "sacctmgr(1), Slurm 17.11 to 26.05: events",
    is_first: |line| {
        let line = line.to_lowercase();
        line.contains("timestart")
            && (line.contains('|') || line.contains("nodename") && line.contains("state"))
    },
    reader: |line| {
        let heading = if line.contains('|') { Heading::of(line, '|') } else { Heading::of_blanks(line) };
        let column = |name: &str| heading.find(name);
        let columns = (column("nodename"), column("timestart"), column("timeend"), column("state"));
        let (Some(node), Some(start), Some(end), Some(state)) = columns else {
            return Err(
                "the columns NodeName, TimeStart, TimeEnd and State are needed: sacctmgr show event -P \
                        format=NodeName,TimeStart,TimeEnd,State",
            );
        };
        let widths = (!line.contains('|')).then(Vec::new);
        Ok(Box::new(Events { columns: [node, start, end, state], heading, is_heading: true, widths }))
    },
};

struct Events {
    heading: Heading,
    /// Node, beginning, end, state.
    columns: [usize; 4],
    is_heading: bool,
    /// The widths of the columns if they are fixed; empty before the rule below the heading.
    widths: Option<Vec<usize>>,
}

impl LineReader for Events {
    fn line(&mut self, number: u32, line: &str) -> Told {
        // Joined outputs repeat the heading.
        let is_again = line.to_lowercase().contains("timestart") && line.to_lowercase().contains("timeend");
        if std::mem::take(&mut self.is_heading) || is_again {
            return Told::Heading;
        }
        if let Some(widths) = &mut self.widths
            && line.trim_start().starts_with("--")
        {
            *widths = line.split_whitespace().map(str::len).collect();
            return Told::Heading;
        }
        let cells = match &self.widths {
            None => self.heading.cells(line),
            Some(widths) => fixed(line, widths),
        };
        self.event(number, line, &cells)
    }
}

impl Events {
    fn event(&self, number: u32, line: &str, cells: &[&str]) -> Told {
        let [node, start, end, state] = self.columns.map(|at| cells.get(at).copied());
        let (Some(node), Some(start), Some(end), Some(state)) = (node, start, end, state) else {
            return Told::Unread(line.into());
        };
        // Without a node, the event is about the size of the cluster.
        if node.is_empty() {
            return Told::Other;
        }
        let open = end.eq_ignore_ascii_case("unknown") || end.is_empty();
        let (Some(from), Some(names)) = (Instant::of_slurm(start), hosts::names(node, MOST)) else {
            return Told::Unread(line.into());
        };
        // A name that the column cuts off ends in a plus.
        if self.widths.is_some() && node.ends_with('+') {
            return Told::Unread(line.into());
        }
        let to = if open { None } else { Instant::of_slurm(end) };
        if to.is_none() && !open {
            return Told::Unread(end.into());
        }
        let Some(evicted) = evicted(state) else { return Told::Other };
        let list = names.into_iter().map(|name| NodeName { name, number: None });
        let nodes = LoggedNodes::Listed(list.collect());
        Told::Outage(LoggedOutage { line: number, nodes, from, to, announced: None, evicted })
    }
}

/// Returns the fate of the jobs of a node in a state such as `DOWN*+DRAIN`; `None` if the node is in service. A node that is powered
/// down is in service: it starts when a job needs it.
fn evicted(state: &str) -> Option<Evicted> {
    let state = state.to_uppercase();
    let words =
        || state.split('+').map(|word| word.trim().trim_end_matches(|letter: char| !letter.is_alphabetic()));
    let is_down = words().any(|word| word == "DOWN" || word.starts_with("FAIL"));
    let is_out = words().any(|word| word.starts_with("DRAIN") || word.starts_with("MAINT"));
    match (is_down, is_out) {
        (true, _) => Some(Evicted::Requeued),
        (false, true) => Some(Evicted::Drained),
        (false, false) => None,
    }
}

/// Returns the cells of a line in columns of fixed width, with a blank between them.
fn fixed<'a>(line: &'a str, widths: &[usize]) -> Vec<&'a str> {
    let mut begin = 0;
    let cell = |width: &usize| {
        let end = (begin + width).min(line.len());
        let cell = line.get(begin.min(end)..end).unwrap_or_default().trim();
        begin = begin.saturating_add(width + 1);
        cell
    };
    widths.iter().map(cell).collect()
}
