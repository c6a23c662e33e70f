//! What is worth knowing about a log.

use batchlab_traces::Level;

use crate::study::pitfalls::{Case, Evidence, PitfallSpec};

pub static SPEC: PitfallSpec = PitfallSpec {
    code: "log-notes",
    level: Level::Note,
    title: "notes about the log",
    misleads: "A note changes nothing by itself. It says what kind of jobs a log holds, and so for which machines and users its \
        results may hold.",
    advice: "Read them once; `batchlab info LOG` has all that is known about a log.",
    cite: "Feitelson, Tsafrir and Krakov 2014, Experience with Using the Parallel Workloads Archive",
    // `replay` prints the findings themselves.
    in_replay: false,
    look: |evidence: &Evidence<'_>| -> Vec<Case> { evidence.of_logs(false) },
};
