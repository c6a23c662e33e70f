//! The Failure Trace Archive: `event_trace.tab`.

use batchlab_traces::capacity::{Instant, LoggedNodes, LoggedOutage, NodeName};

use super::tab::Heading;
use super::{LineReader, OutageFormat, Told};

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: "fta",
    summary: "event_trace.tab of the Failure Trace Archive",
    cite: "Kondo, Javadi, Iosup and Epema, The Failure Trace Archive, CCGrid 2010; the archive's page FTAFormat",
    is_first: |line| line.to_lowercase().contains("event_start_time"),
    reader: |line| {
        let separator =
            ['\t', ',', '|'].into_iter().find(|separator| line.contains(*separator)).unwrap_or(' ');
        let heading = Heading::of(line, separator);
        let column = |name: &str| heading.find(name);
        let stop = column("event_stop_time").or_else(|| column("event_end_time"));
        let columns = (column("node_id"), column("event_type"), column("event_start_time"), stop);
        let (Some(node), Some(kind), Some(start), Some(stop)) = columns else {
            return Err("the columns node_id, event_type, event_start_time and event_stop_time are needed");
        };
        let name = column("node_name");
        Ok(Box::new(Events { columns: [node, kind, start, stop], name, heading, is_heading: true }))
    },
};

struct Events {
    heading: Heading,
    /// Node, type, beginning, end.
    columns: [usize; 4],
    name: Option<usize>,
    is_heading: bool,
}

/// `event_type`: the node was not available.
const UNAVAILABLE: &str = "0";

impl LineReader for Events {
    fn line(&mut self, number: u32, line: &str) -> Told {
        if std::mem::take(&mut self.is_heading) {
            return Told::Heading;
        }
        let cells = self.heading.cells(line);
        let [node, kind, start, stop] = self.columns.map(|at| cells.get(at).copied().unwrap_or_default());
        if kind != UNAVAILABLE {
            return if kind.parse::<i64>().is_ok() { Told::Other } else { Told::Unread(line.into()) };
        }
        let name = self.name.and_then(|at| cells.get(at)).filter(|name| !name.eq_ignore_ascii_case("null"));
        let (Some(from), Ok(id)) = (instant(start), node.parse()) else { return Told::Unread(line.into()) };
        let to = instant(stop);
        if to.is_none() && !stop.is_empty() && !stop.eq_ignore_ascii_case("null") {
            return Told::Unread(stop.into());
        }
        let name = name.map_or(String::new(), |name| (*name).into());
        let nodes = LoggedNodes::Listed(vec![NodeName { name, number: Some(id) }]);
        Told::Outage(LoggedOutage::unannounced(number, nodes, from, to))
    }
}

/// Returns an instant: seconds since 1970, with or without decimals, which are cut off.
fn instant(text: &str) -> Option<Instant> {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    whole.parse().ok().map(Instant::Unix)
}
