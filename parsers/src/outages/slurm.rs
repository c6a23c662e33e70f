//! The events of nodes in Slurm's accounting: `sacctmgr show event -P`.

use batchlab_traces::capacity::{Evicted, Instant, LoggedNodes, LoggedOutage};

use super::nodes::hosts;
use super::tab::Heading;
use super::{LineReader, OutageFormat, Told};
use crate::text::date::iso;

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: "sacctmgr",
    summary: "events of Slurm's accounting: sacctmgr show event -P",
    cite: "sacctmgr(1), Slurm 17.11 to 26.05: events",
    is_first: |line| line.contains('|') && line.to_lowercase().contains("timestart"),
    reader: |line| {
        let heading = Heading::of(line, '|');
        let column = |name: &str| heading.find(name);
        let columns = (column("nodename"), column("timestart"), column("timeend"), column("state"));
        let (Some(node), Some(start), Some(end), Some(state)) = columns else {
            return Err(
                "the columns NodeName, TimeStart, TimeEnd and State are needed: sacctmgr show event -P \
                        format=NodeName,TimeStart,TimeEnd,State",
            );
        };
        Ok(Box::new(Events { columns: [node, start, end, state], heading, is_heading: true }))
    },
};

struct Events {
    heading: Heading,
    /// Node, beginning, end, state.
    columns: [usize; 4],
    is_heading: bool,
}

impl LineReader for Events {
    fn line(&mut self, number: u32, line: &str) -> Told {
        // Joined outputs repeat the heading.
        if std::mem::take(&mut self.is_heading) || line.to_lowercase().contains("timestart|") {
            return Told::Heading;
        }
        let cells = self.heading.cells(line);
        let [node, start, end, state] = self.columns.map(|at| cells.get(at).copied());
        let (Some(node), Some(start), Some(end), Some(state)) = (node, start, end, state) else {
            return Told::Unread(line.into());
        };
        // Without a node, the event is about the size of the cluster.
        if node.is_empty() {
            return Told::Other;
        }
        let open = end.eq_ignore_ascii_case("unknown") || end.is_empty();
        let (Some(from), Some(list)) = (instant(start), hosts(node)) else {
            return Told::Unread(line.into());
        };
        let to = if open { None } else { instant(end) };
        if to.is_none() && !open {
            return Told::Unread(end.into());
        }
        let state = state.to_uppercase();
        let is_down = ["DOWN", "FAIL"].iter().any(|word| state.contains(word));
        let is_out = is_down || ["DRAIN", "MAINT"].iter().any(|word| state.contains(word));
        if !is_out {
            return Told::Other;
        }
        let evicted = if is_down { Evicted::Requeued } else { Evicted::Drained };
        let nodes = LoggedNodes::Listed(list);
        Told::Outage(LoggedOutage { line: number, nodes, from, to, announced: None, evicted })
    }
}

/// Returns an instant: local time, with or without an offset, or seconds since 1970.
fn instant(text: &str) -> Option<Instant> {
    if let Ok(seconds) = text.parse() {
        return Some(Instant::Unix(seconds));
    }
    let stamp = iso(text.as_bytes())?;
    let seconds = stamp.micros.div_euclid(1_000_000);
    Some(stamp.offset.map_or(Instant::Clock(seconds), |offset| Instant::Unix(seconds - offset)))
}
