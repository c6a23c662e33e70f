//! The sections of an experiment file, and the keys of each.

use super::section::{ExperimentError, Section};

/// A section of an experiment file.
#[derive(Debug)]
pub struct SectionSpec {
    /// Its name, such as `table` for `[[table]]`.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub summary: &'static str,
    /// A short example.
    pub example: &'static str,
    /// Its keys.
    pub keys: &'static [KeySpec],
}

/// A key of a section.
#[derive(Debug)]
pub struct KeySpec {
    /// Its name.
    pub name: &'static str,
    /// The accepted values, in words.
    pub takes: &'static str,
    /// The default; empty if there is none or if the key is required.
    pub default: &'static str,
    /// Its effect.
    pub help: &'static str,
}

/// Returns a key.
pub const fn key(
    name: &'static str,
    takes: &'static str,
    default: &'static str,
    help: &'static str,
) -> KeySpec {
    KeySpec { name, takes, default, help }
}

impl SectionSpec {
    /// Refuses unknown keys of a section.
    ///
    /// # Errors
    /// At the first one, with the nearest known key.
    pub fn check(&self, section: &Section<'_>) -> Result<(), ExperimentError> {
        section.known(&self.names())
    }

    /// Returns the names of the keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

/// The name of a table, plot or crossing, which is also its file name.
pub const FILE_NAME: KeySpec = key("name", "letters, digits, - _ .", "", "its name, and that of its files");
/// The workloads that a table or plot shows.
pub const WORKLOADS: KeySpec = key("workloads", "list", "all", "workloads that it shows");
/// The policies that a table or plot shows.
pub const POLICIES: KeySpec = key("policies", "list", "all", "policies that it shows, by label");
/// The points of the sweep that a table or plot shows.
pub const WHERE: KeySpec =
    key("where", "{ parameter = value }", "all values", "values of parameters that it shows");

/// `[experiment]`.
pub static EXPERIMENT: SectionSpec = SectionSpec {
    name: "experiment",
    summary: "the experiment as a whole; required, like [[workload]] and [[policy]]",
    example: "[experiment]\nname = \"easy-or-conservative\"\nreplications = 20",
    keys: &[
        key("name", "letters, digits, - _ .", "", "its name; the folder of the results is named after it"),
        key("seed", "whole number", "1", "seed of all random numbers"),
        key("replications", "whole number", "1", "draws of each workload that is drawn"),
        key("baseline", "label", "the first policy", "the policy that others are compared with"),
        key("level", "0.5 to below 1", "0.95", "level of confidence of intervals and tests"),
        key(
            "multiverse",
            "parameter",
            "reading",
            "the parameter whose values are readings that a conclusion should survive",
        ),
    ],
};

/// `[measure]`.
pub static MEASURE: SectionSpec = SectionSpec {
    name: "measure",
    summary: "the measurement of each replay",
    example: "[measure]\nmetrics = [\"mean_wait\", \"p95_wait\"]\nclasses = [\"wide=procs > 32\"]",
    keys: &[
        key(
            "metrics",
            "list",
            "those of a table",
            "keys of metrics (see `batchlab list metrics`), and metrics of one's own as name=statistic(expression)",
        ),
        key(
            "classes",
            "list",
            "",
            "classes of jobs: name=condition, or presets such as zhang and feitelson4x4",
        ),
        key("tau", "time", "10s", "bound of the bounded slowdown"),
        key(
            "warmup",
            "share, time or mser5",
            "none",
            "left out at the beginning: of terminations, until then, or what MSER-5 cuts from the waits of each replay",
        ),
        key(
            "cooldown",
            "submit or time",
            "none",
            "left out at the end: ends after the last submission, or after then",
        ),
        key("prefix", "time", "0", "simulated before each window, not measured"),
    ],
};

/// `[[workload]]`.
pub static WORKLOAD: SectionSpec = SectionSpec {
    name: "workload",
    summary: "a log or a model, and its units; any option of `replay` about logs and machines is a key too",
    example: "[[workload]]\ntrace = \"KTH-SP2.swf.gz\"\nwindows = \"7d\"\nestimate = \"actual\"",
    keys: &[
        key("name", "text", "of log or model", "its name in tables"),
        key("trace", "file", "", "a log, as seen from the experiment's folder"),
        key("model", "name", "", "a model instead; see `batchlab list models`"),
        key("jobs", "whole number", "the model's", "jobs that a model draws"),
        key("set", "{ key = value }", "", "settings of the model"),
        key("log", "file", "", "the log that a model is fitted to"),
        key("sha256", "hash", "", "SHA-256 of the log's file as it lies on disk; another file is refused"),
        key(
            "substitute",
            "text",
            "",
            "what it stands in for: claims about it are as published or not, but do not hold",
        ),
        key("rules", "preset or file", "", "cleaning rules; see `batchlab list rules`"),
        key("steps", "file or text", "", "shaping steps; see `batchlab list steps`"),
        key(
            "windows",
            "time, or N jobs",
            "",
            "cut the log: each window is a replay of its own, and a unit; N jobs (\"5000 jobs\") are consecutive in the \
                order in which they enter the queue",
        ),
        key("blocks", "time", "", "one replay, measured in blocks of submission time: those are the units"),
        key("replications", "whole number", "the experiment's", "draws of this workload"),
    ],
};

/// `[sweep]`.
pub static SWEEP: SectionSpec = SectionSpec {
    name: "sweep",
    summary: "parameters, all values combined; a key is an option of `replay`, or a name in braces \
        elsewhere in the file",
    example: "[sweep]\nload = [0.8, 1.0, 1.2]\nk = [1, 4]        # [[policy]] spec = \"depth:k={k}\"",
    keys: &[],
};

/// `[[reading]]`.
pub static READING: SectionSpec = SectionSpec {
    name: "reading",
    summary: "one reading of what a paper leaves open: several values under one name, swept as one parameter",
    example: "[[reading]]\nname = \"exact\"\nbecause = \"no estimates are mentioned\"\nset = { estimate = \"actual\" }",
    keys: &[
        key("name", "text", "", "its name in tables"),
        key("because", "text", "", "why one may read it so"),
        key("set", "{ key = value }", "", "values that it sets: options of `replay`, or names in braces"),
    ],
};

/// `[[policy]]`.
pub static POLICY: SectionSpec = SectionSpec {
    name: "policy",
    summary: "a policy; with several, the first is the baseline unless the experiment names another",
    example: "[[policy]]\nlabel = \"EASY-SJBF\"\nspec = \"easy:candidates=sjf\"",
    keys: &[
        key("label", "text", "the spec", "its name in tables"),
        key(
            "spec",
            "NAME:key=value,...",
            "",
            "the policy, as `replay --policy`; see `batchlab list policies`",
        ),
    ],
};
