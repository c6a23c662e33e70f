//! The failure data of Los Alamos National Laboratory, 1996 to 2005.

use batchlab_traces::capacity::{Instant, LoggedNodes, LoggedOutage, NodeName};
use batchlab_traces::notation::instant::us;

use super::tab::Heading;
use super::{LineReader, OutageFormat, Told};

pub(super) static SPEC: OutageFormat = OutageFormat {
    name: "lanl",
    summary: "failure data of Los Alamos (LA-UR-05-7318, Computer Failure Data Repository)",
    cite: "Schroeder and Gibson, A large-scale study of failures in high-performance computing systems, DSN 2006",
    is_first: |line| line.to_lowercase().contains("prob started"),
    reader: |line| {
        let separator = if line.contains('\t') { '\t' } else { ',' };
        let heading = Heading::of(line, separator);
        let column = |name: &str| heading.find(name);
        let number = column("nodenumz").map(|at| (at, 0));
        let number = number.or_else(|| column("nodenum").map(|at| (at, 1)));
        let columns = (column("system"), number, column("prob started"), column("prob fixed"));
        let (Some(system), Some((node, first)), Some(start), Some(end)) = columns else {
            return Err("the columns System, nodenumz, Prob Started and Prob Fixed are needed");
        };
        Ok(Box::new(Failures {
            columns: [system, node, start, end],
            heading,
            first,
            system: None,
            is_heading: true,
        }))
    },
};

struct Failures {
    heading: Heading,
    /// System, node, beginning, end.
    columns: [usize; 4],
    first: usize,
    system: Option<String>,
    is_heading: bool,
}

impl LineReader for Failures {
    fn line(&mut self, number: u32, line: &str) -> Told {
        if std::mem::take(&mut self.is_heading) {
            return Told::Heading;
        }
        let cells = self.heading.cells(line);
        let [system, node, start, end] = self.columns.map(|at| cells.get(at).copied().unwrap_or_default());
        if self.system.get_or_insert_with(|| system.into()) != system {
            return Told::Unusable(
                "the log is about several systems: keep the lines of one machine, for example with awk -F, 'NR==1 || \
                 $1==20'",
            );
        }
        let node = node.parse().ok().and_then(|node: usize| node.checked_sub(self.first));
        let (Some(node), Some(from)) = (node, instant(start)) else { return Told::Unread(line.into()) };
        let to = instant(end);
        if to.is_none() && !end.is_empty() {
            return Told::Unread(end.into());
        }
        let nodes = LoggedNodes::Listed(vec![NodeName { name: String::new(), number: Some(node) }]);
        Told::Outage(LoggedOutage::unannounced(number, nodes, from, to))
    }
}

fn instant(text: &str) -> Option<Instant> {
    us(text.as_bytes()).map(Instant::of)
}
