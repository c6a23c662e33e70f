//! Failure logs: which nodes were out of service, and when.
//!
//! A format is one file here and one line in [`OUTAGE_FORMATS`]. The first line that is neither empty nor a comment shows the format
//! of a text. Each line becomes an outage, or is counted as a finding.

mod alea;
mod archive;
mod lanl;
mod slurm;
mod tab;
mod traces;

use batchlab_traces::capacity::{LoggedOutage, OutageLog};
use batchlab_traces::finding::Refusal;
use batchlab_traces::{Example, Findings, SourcePlace, kinds};
pub use slurm::SACCTMGR_EVENTS;

kinds! {
    UNREAD: Warning "outage-unread",
        "{line|lines} of a failure log that cannot be read",
        "left out",
        "compare the line with the format's columns (docs/MACHINES.md)";
    NO_OUTAGE: Note "outage-other-line",
        "{line|lines} of a failure log that {tells|tell} of no outage of nodes",
        "left out",
        "nothing: failure logs also tell when nodes were available or registered";
    OPEN_END: Note "outage-open-end",
        "{outage|outages} without an end",
        "out of service for good",
        "give the end if the nodes came back";
}

/// A format of failure logs.
#[derive(Debug)]
pub struct OutageFormat {
    /// Short name.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Source of the format's definition.
    pub cite: &'static str,
    /// Whether the first line, without empty lines and comments, is one of this format.
    is_first: fn(&str) -> bool,
    /// Makes the reader of the log from its first line; an error if the log cannot be used.
    reader: fn(&str) -> Result<Box<dyn LineReader>, &'static str>,
}

/// All formats; the first that fits is chosen.
pub static OUTAGE_FORMATS: [&OutageFormat; 5] =
    [&slurm::SPEC, &lanl::SPEC, &traces::SPEC, &archive::SPEC, &alea::SPEC];

/// What a line of a failure log states.
enum Told {
    Outage(LoggedOutage),
    /// The names of the columns.
    Heading,
    /// Something else.
    Other,
    /// Something that cannot be read: the part.
    Unread(String),
    /// The log cannot be used.
    Unusable(&'static str),
}

/// Reads lines of one format, each with its number from 1.
trait LineReader {
    fn line(&mut self, number: u32, line: &str) -> Told;
}

/// Why a failure log cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutageError {
    /// It is not the log of one machine, or lacks columns.
    #[error("{place}: {what}")]
    Unusable {
        /// The line.
        place: SourcePlace,
        /// What is wrong, and the remedy.
        what: &'static str,
    },
    /// Strict reading refused a finding.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Returns the format of a failure log; `None` if it is not a failure log.
pub fn detect(text: &str) -> Option<&'static OutageFormat> {
    let first = lines(text).next()?.1;
    OUTAGE_FORMATS.into_iter().find(|format| (format.is_first)(first))
}

/// Reads a failure log; `file` is its name as the user gave it. O(n).
///
/// # Errors
/// When a column is missing, the log is about several machines, or strict reading refuses a finding.
pub fn read(
    format: &OutageFormat,
    text: &str,
    file: &str,
    findings: &mut Findings,
) -> Result<OutageLog, OutageError> {
    let mut log = OutageLog { file: file.into(), outages: Vec::new() };
    let place = |line: u32| SourcePlace { file: file.into(), line, column: 0 };
    let mut reader: Option<Box<dyn LineReader>> = None;
    for (number, line) in lines(text) {
        let reader = match &mut reader {
            Some(reader) => reader,
            None => {
                let made = (format.reader)(line);
                let made = made.map_err(|what| OutageError::Unusable { place: place(number), what })?;
                reader.insert(made)
            }
        };
        match reader.line(number, line) {
            Told::Outage(outage) => {
                if outage.to.is_none() {
                    findings.report(&OPEN_END, || example(place(number), line))?;
                }
                log.outages.push(outage);
            }
            Told::Heading => {}
            Told::Other => findings.report(&NO_OUTAGE, || example(place(number), line))?,
            Told::Unread(part) => findings.report(&UNREAD, || example(place(number), &part))?,
            Told::Unusable(what) => return Err(OutageError::Unusable { place: place(number), what }),
        }
    }
    Ok(log)
}

/// Returns the lines with their numbers from 1, without blank lines and comments that begin with `;`.
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let numbered = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim_end));
    numbered.filter(|(_, line)| !line.trim_start().is_empty() && !line.trim_start().starts_with(';'))
}

fn example(place: SourcePlace, text: &str) -> Example {
    Example { place: Some(place), detail: batchlab_traces::foreign::quoted(text, 100) }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Time;
    use batchlab_traces::capacity::{Evicted, Instant, LoggedNodes};

    use super::*;

    /// The outages as lines, and the codes of the findings with their counts.
    fn told(text: &str) -> (Vec<String>, Vec<String>) {
        let mut findings = Findings::lenient();
        let log = read(detect(text).expect("a failure log"), text, "f.log", &mut findings).unwrap();
        let instant = |instant: Instant| match instant {
            Instant::Log(time) => format!("log {time}"),
            Instant::Clock(seconds) => format!("clock {seconds}"),
            Instant::Unix(seconds) => format!("unix {seconds}"),
        };
        let outage = |outage: &LoggedOutage| {
            let nodes = match &outage.nodes {
                LoggedNodes::All => "all".into(),
                LoggedNodes::Count(count) => format!("{count} nodes"),
                LoggedNodes::OfCluster { name, numbers } => format!("{name}{numbers:?}"),
                LoggedNodes::Listed(list) => {
                    let names = list.iter().map(|node| match node.number {
                        Some(number) => format!("{}#{number}", node.name),
                        None => node.name.clone(),
                    });
                    names.collect::<Vec<_>>().join(" ")
                }
            };
            let to = outage.to.map_or("open".into(), instant);
            let announced =
                outage.announced.map_or(String::new(), |at| format!(" announced {}", instant(at)));
            let drained = if outage.evicted == Evicted::Drained { " drained" } else { "" };
            format!("{nodes}: {} to {to}{announced}{drained}", instant(outage.from))
        };
        let codes = findings.list().iter().map(|one| format!("{}*{}", one.kind.code, one.count)).collect();
        (log.outages.iter().map(outage).collect(), codes)
    }

    #[test]
    fn slurm_tells_which_nodes_were_down_or_drained() {
        let text = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n\
                    virt||2026-01-01T00:00:00|2026-01-02T00:00:00||Cluster Registered TRES|\n\
                    virt|n[1-2,07]|1970-01-01T00:01:00|1970-01-01T00:02:00|DOWN*|Not responding|slurm\n\
                    virt|n3|1970-01-01T00:01:00|Unknown|DRAIN|a | in the reason|root\n\
                    virt|n4|soon|Unknown|DRAIN|disk|root\n";
        let (outages, codes) = told(text);
        assert_eq!(outages, ["n1 n2 n07: clock 60 to clock 120", "n3: clock 60 to open drained"]);
        assert_eq!(codes, ["outage-other-line*1", "outage-open-end*1", "outage-unread*1"]);
        // In columns of fixed width, where names may be cut off; powered down nodes are no outage.
        let text = "   Cluster        NodeName           TimeStart             TimeEnd  State                         Reason       User \n\
                    ---------- --------------- ------------------- ------------------- ------ ------------------------------ ---------- \n\
                    virt                       1970-01-01T00:00:00             Unknown        Cluster Registered TRES                   \n\
                    virt       n7              1970-01-01T00:01:00 1970-01-01T00:02:00  DOWN* Not responding                 slurm      \n\
                    virt       n8              1970-01-01T00:01:00             Unknown  DRAIN a disk                         root       \n\
                    virt       a-very-long-na+ 1970-01-01T00:01:00             Unknown  DRAIN a disk                         root       \n\
                    virt       n9              1970-01-01T00:01:00             Unknown IDLE+POWERED_DOWN                     root\n";
        let (outages, codes) = told(text);
        assert_eq!(outages, ["n7: clock 60 to clock 120", "n8: clock 60 to open drained"]);
        assert_eq!(codes, ["outage-other-line*2", "outage-open-end*1", "outage-unread*1"]);
        // SLURM_TIME_FORMAT=%s, another order of columns, and -p.
        let (outages, _) = told("TimeEnd|TimeStart|NodeName|State|\n120|60|gpu1|DOWN|\n");
        assert_eq!(outages, ["gpu1: unix 60 to unix 120"]);
    }

    #[test]
    fn los_alamos_tells_failures_of_one_system() {
        let text = "System,machine type,nodes,procstot,procsinnode,nodenum,nodenumz,Prob Started,Prob Fixed,Down Time\n\
                    2,cluster,49,6152,80,1,0,01/01/1970 00:01,1/1/70 0:05,4\n\
                    2,cluster,49,6152,80,3,2,01/01/1970 00:10,,\n";
        let (outages, codes) = told(text);
        assert_eq!(outages, ["#0: clock 60 to clock 300", "#2: clock 600 to open"]);
        assert_eq!(codes, ["outage-open-end*1"]);
        let several = format!("{text}16,numa,16,2048,128,1,0,1/1/70 0:01,1/1/70 0:02,1\n");
        let error = read(detect(&several).unwrap(), &several, "f.csv", &mut Findings::lenient()).unwrap_err();
        assert!(error.to_string().starts_with("f.csv:4: the log is about several systems"), "{error}");
    }

    #[test]
    fn the_failure_trace_archive_tells_of_nodes_and_of_their_parts() {
        let text = "# event_id\tcomponent_id\tnode_id\tplatform_id\tnode_name\tevent_type\tevent_start_time\tevent_stop_time\tevent_end_reason\n\
                    0\t0\t4\t1\tn4\t1\t0\t100\tNULL\n\
                    1\t0\t4\t1\tNULL\t0\t100\t160\t3\n";
        let (outages, codes) = told(text);
        assert_eq!(outages, ["#4: unix 100 to unix 160"]);
        assert_eq!(codes, ["outage-other-line*1"]);
    }

    #[test]
    fn alea_numbers_the_machines_of_each_cluster() {
        let text = "1230768100\tskirit\t600\t0 3\n\
                    1230769000\tperian 2\t30\t1\n\
                    500\tskirit\t60\n\
                    1230769000\tskirit\tlong\t1\n\
                    1230769000\tskirit\t60\t1,2\n";
        let (outages, codes) = told(text);
        assert_eq!(
            outages,
            [
                "skirit[0, 3]: unix 1230768100 to unix 1230768700",
                "perian 2[1]: unix 1230769000 to unix 1230769030",
                "skirit[]: log 500 to log 560",
            ]
        );
        assert_eq!(codes, ["outage-unread*2"]);
    }

    #[test]
    fn the_archives_outages_are_announced() {
        let text = "; announced start end type nodes components\n\
                    100 200 300 1 2 0-1\n\
                    -1 400 500 2 3\n\
                    -1 600 -1 2 -1\n\
                    a b c\n";
        let (outages, codes) = told(text);
        assert_eq!(
            outages,
            [
                "#0 #1: log 200 to log 300 announced log 100",
                "3 nodes: log 400 to log 500",
                "all: log 600 to open"
            ]
        );
        assert_eq!(codes, ["outage-open-end*1", "outage-unread*1"]);
        assert_eq!(Time::from_secs(200).to_string(), "200");
    }

    #[test]
    fn calendars_are_no_failure_logs() {
        for text in [
            "",
            "1 2 3\n",
            "5 nodes down\n",
            "[[event]]\nkind = \"outage\"\n",
            "# a calendar\n",
            "event = []\n",
        ] {
            assert!(detect(text).is_none(), "{text}");
        }
    }
}
