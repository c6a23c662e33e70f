//! Input from outside while the program runs: schedules to check, messages of policies.

use batchlab::schedule;
use batchlab_policies::external::abi::{answer_bytes, read_answer};
use batchlab_policies::external::{About, process};
use batchlab_traces::reading::Reading;
use batchlab_traces::{Findings, Machine, Provenance, Workload};

use super::texts::log;

/// Schedules and intervals of three jobs, on a pool and on nodes.
pub fn schedules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for machine in [Machine::pool(8), Machine::uniform(8, 2)] {
        let machine = machine.expect("a machine");
        let Ok(rows) = schedule::read_on(&machine, &text) else { continue };
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let workload = Workload::read(&log(), &machine, &Reading::default(), &mut findings, &mut provenance);
        let workload = workload.expect("a workload of the log");
        if let Ok(mut outcome) = schedule::partial_outcome(&workload, &rows) {
            let _ = schedule::read_intervals(&workload, &text, &mut outcome);
            let mut written = Vec::new();
            schedule::write(&workload, &outcome, &mut written).expect("memory takes all bytes");
        }
    }
}

/// Messages of child processes, one per line; descriptions; answers as modules and libraries write them.
pub fn messages(bytes: &[u8]) {
    for line in bytes.split(|&byte| byte == b'\n') {
        match process::read_message(line, "a test") {
            Ok(message) => assert!(!format!("{message:?}").is_empty()),
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        for about in About::parse(text).into_iter().flatten() {
            assert!(about.needs().is_ok());
            let _ = about.params();
        }
    }
    let mut verbs = Vec::new();
    let _ = read_answer(bytes, &mut verbs);
    if let Some(head) = bytes.first_chunk() {
        let _ = answer_bytes(*head);
    }
}
