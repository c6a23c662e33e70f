//! Real logs and published schedules, each read once for all tests of the binary.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use batchlab::parsers::{Input, Options, read_trace};
use batchlab::schedule::{self, ScheduleRow};
use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Trace, Workload};

use super::Play;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Log(pub &'static str);

impl Log {
    pub const KTH: Log = Log("KTH-SP2-1996-derived");
    pub const KTH_CLEANED: Log = Log("KTH-SP2-1996-2.1-cln");
    pub const KTH_UNCLEANED: Log = Log("KTH-SP2-1996-2");
    pub const LANL_CLEANED: Log = Log("LANL-CM5-1994-4.1-cln");
    pub const NASA_CLEANED: Log = Log("NASA-iPSC-1993-3.1-cln");
    pub const SDSC: Log = Log("SDSC-SP2-1998-derived");

    /// The log as a scenario on its own machine, or `None`, with the reason printed, if it is not present.
    pub fn play(self, estimate: Estimate, overrun: Overrun) -> Option<Play> {
        let trace = self.trace()?;
        let reading = Reading { estimate, overrun, ..Reading::default() };
        Some(read(&trace, &reading))
    }

    /// The log, or `None`, with the reason printed, if it is not present.
    pub fn trace(self) -> Option<Arc<Trace>> {
        static TRACES: OnceLock<Mutex<BTreeMap<Log, Arc<Trace>>>> = OnceLock::new();
        let path = shared(&format!("traces/{}.swf.gz", self.0))?;
        let mut traces = TRACES.get_or_init(Mutex::default).lock().unwrap();
        let trace = traces.entry(self).or_insert_with(|| {
            let input = Input::open(path.to_str().unwrap()).unwrap();
            Arc::new(read_trace(input, &Options::default()).unwrap())
        });
        Some(trace.clone())
    }
}

fn read(trace: &Trace, reading: &Reading) -> Play {
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let procs = batchlab_traces::workload::machine_size(trace, reading, &mut findings).unwrap();
    let machine = Machine::pool(procs).unwrap();
    let workload = Workload::read(trace, &machine, reading, &mut findings, &mut provenance).unwrap();
    Play { overrun: reading.overrun, ..Play::new(machine, workload) }
}

/// The first jobs of every log that is present, by name, with the arrival rate multiplied by `load`; prints
/// the reason if there are none.
pub fn windows(jobs: usize, load: f64) -> Vec<(String, Play)> {
    let Some(folder) = shared("traces") else { return Vec::new() };
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> = files.filter(|path| path.to_string_lossy().ends_with(".swf.gz")).collect();
    logs.sort();
    if logs.is_empty() {
        eprintln!("skipped: no log is in ../shared/traces");
    }
    let reading = Reading { load, ..Reading::default() };
    let open = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = BufReader::new(std::fs::File::open(path).unwrap());
        let (mut text, mut left) = (String::new(), jobs);
        for line in BufReader::new(flate2::bufread::MultiGzDecoder::new(file)).lines() {
            let line = line.unwrap();
            left -= usize::from(!line.starts_with(';') && !line.trim().is_empty());
            text.extend([line.as_str(), "\n"]);
            if left == 0 {
                break;
            }
        }
        let trace = read_trace(Input::from_bytes(name.trim_end_matches(".gz"), text), &Options::default());
        (name, read(&trace.unwrap(), &reading))
    };
    logs.into_iter().map(open).collect()
}

/// A toy log as a scenario, or `None`, with the reason printed, if it is not present.
pub fn toy(name: &str) -> Option<Play> {
    let path = shared(&format!("reference/toy/{name}.swf"))?;
    let trace = read_trace(Input::open(path.to_str().unwrap()).unwrap(), &Options::default()).unwrap();
    Some(read(&trace, &Reading::default()))
}

/// The rows of a published schedule, or `None`, with the reason printed, if it is not present.
pub fn reference(name: &str) -> Option<Vec<ScheduleRow>> {
    Some(schedule::read(&reference_text(name)?).unwrap())
}

/// The text of a published schedule, or `None`, with the reason printed, if it is not present.
pub fn reference_text(name: &str) -> Option<String> {
    let path = shared(&format!("reference/schedules/{name}.csv.gz"))?;
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text)
}

/// The path of a file or folder beside the checkout, or `None`, with the reason printed, if it is not present.
pub fn shared(file: &str) -> Option<PathBuf> {
    let path = PathBuf::from(SHARED).join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {file} is not in ../shared");
    None
}
