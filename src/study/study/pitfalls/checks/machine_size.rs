//! A machine whose size differs from that of the header, or from what jobs used and asked for.

use batchlab_traces::Level;
use batchlab_traces::number::counted;

use crate::study::pitfalls::{Case, Evidence, MachineSize, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "machine-size",
    level: Level::Loud,
    title: "a machine whose size the log does not bear out",
    misleads: "The same jobs on a smaller machine are a higher load, and waits grow steeply with load: a wrong size moves \
               results by more than any policy does. Jobs that do not fit are lost.",
    advice: "Leave procs out to take the header's MaxProcs, or give the number of processors that batch jobs could use, \
             and say in the paper which one and why.",
    cite: "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation",
    in_replay: true,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.in_settings(|setting| seen(&setting.machine)) },
};

fn seen(machine: &MachineSize) -> Option<String> {
    let other = machine.header.filter(|&header| header != machine.procs);
    // If the whole machine is usable, nine tenths of it are in use at some time.
    let unused = machine.peak.filter(|&peak| i128::from(peak) * 10 < i128::from(machine.procs) * 9);
    if other.is_none() && unused.is_none() && machine.dropped == 0 {
        return None;
    }
    let mut words = vec![format!("{} processors", machine.procs)];
    words.extend(machine.header.map(|header| {
        if header == machine.procs {
            "as the header says".into()
        } else {
            format!("the header says {header}")
        }
    }));
    words.extend(machine.largest_job.map(|largest| format!("the largest job asks for {largest}")));
    words.extend(machine.peak.map(|peak| format!("at most {peak} were in use")));
    if machine.dropped > 0 {
        words.push(format!("{} dropped as too large", counted(machine.dropped, "job")));
    }
    Some(words.join(", "))
}
