//! The sections of an experiment file, and the keys of each: one declaration for those who read and for those who write.

use batchlab_traces::located::values::{Number, Ordered, Scalar, Scalars, Texts, Unsigned, Verbatim, Whole};
use serde::Deserialize;

use batchlab_engine::table::PaperWidth;

/// What happens where a policy cannot run on a workload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// The experiment is refused.
    #[default]
    Refuse,
    /// The workload goes without the policy, and results say so.
    Skip,
}

#[derive(Debug)]
pub struct SectionSpec {
    pub name: &'static str,
    pub summary: &'static str,
    pub example: &'static str,
    pub keys: &'static [KeySpec],
}

#[derive(Debug)]
pub struct KeySpec {
    pub name: &'static str,
    /// The accepted values, in words.
    pub takes: &'static str,
    /// The default; empty if there is none or if the key is required.
    pub default: &'static str,
    pub help: &'static str,
}

impl SectionSpec {
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

/// Declares a section: a struct with its keys, which serde reads, and the [`SectionSpec`] that `list sections` shows.
///
/// Each key has, in this order: its effect, as a comment; its name and type; what it accepts and its default, in words. A
/// key that sections have in common has a [`KeySpec`] in the place of its words.
#[macro_export]
macro_rules! section {
    (@key $key:ident [] $shared:expr) => {
        $crate::experiment::keys::KeySpec { name: batchlab_traces::located::key_of_field(stringify!($key)), ..$shared }
    };
    (@key $key:ident [$($help:literal)+] $takes:literal) => {
        $crate::section!(@key $key [$($help)+] $takes, "")
    };
    (@key $key:ident [$($help:literal)+] $takes:literal, $default:literal) => {
        $crate::experiment::keys::KeySpec {
            name: batchlab_traces::located::key_of_field(stringify!($key)),
            takes: $takes,
            default: $default,
            help: concat!($($help),+).trim_ascii(),
        }
    };
    (
        $(#[doc = $summary:literal])+
        $name:literal => $keys:ident, $spec:ident;
        $example:literal
        $($(#[doc = $help:literal])* $key:ident: $type:ty = $takes:tt $(, $default:literal)?;)+
    ) => {
        #[doc = concat!("The keys of `", $name, "`.")]
        #[derive(Clone, Debug, serde::Deserialize)]
        pub struct $keys {
            $(pub $key: $type,)+
        }

        #[doc = concat!("The section `", $name, "`.")]
        pub static $spec: $crate::experiment::SectionSpec = $crate::experiment::SectionSpec {
            name: $name,
            summary: concat!($($summary),+).trim_ascii(),
            example: $example,
            keys: &[$($crate::section!(@key $key [$($help)*] $takes $(, $default)?)),+],
        };
    };
}

pub use crate::section;

/// The name of a table, plot or crossing, which is also its file name.
pub const FILE_NAME: KeySpec = KeySpec {
    name: "name",
    takes: "letters, digits, - _ .",
    default: "",
    help: "its name, and that of its files",
};
pub const WORKLOADS: KeySpec =
    KeySpec { name: "workloads", takes: "list", default: "all", help: "workloads that it shows" };
pub const POLICIES: KeySpec =
    KeySpec { name: "policies", takes: "list", default: "all", help: "policies that it shows, by label" };
pub const WHERE: KeySpec = KeySpec {
    name: "where",
    takes: "{ parameter = value }",
    default: "all values",
    help: "values of parameters that it shows",
};

section! {
    /// the experiment as a whole; required, like [[workload]] and [[policy]]
    "experiment" => ExperimentKeys, EXPERIMENT;
    "[experiment]\nname = \"easy-or-conservative\"\nreplications = 20"
    /// its name; the folder of the results is named after it
    name: Verbatim = "letters, digits, - _ .";
    /// seed of all random numbers
    seed: Option<Unsigned> = "whole number", "1";
    /// draws of each workload that is drawn
    replications: Option<Whole<1>> = "whole number", "1";
    /// the policy that others are compared with
    baseline: Option<Verbatim> = "label", "the first policy";
    /// level of confidence of intervals and tests
    level: Option<Number> = "0.5 to below 1", "0.95";
    /// the parameter whose values are readings that a conclusion should survive
    multiverse: Option<Verbatim> = "parameter", "reading";
    /// the class of the paper, or the width of its text: of all tables and plots without a size of their own
    size: Option<PaperWidth> = "ieee, acm, llncs, elsarticle or mm";
}

section! {
    /// the measurement of each replay
    "measure" => MeasureKeys, MEASURE;
    "[measure]\nmetrics = [\"mean_wait\", \"p95_wait\"]\nclasses = [\"wide=procs > 32\"]"
    /// keys of metrics (see `batchlab list metrics`), and metrics of one's own as name=statistic(expression)
    metrics: Option<Texts> = "list", "those of a table";
    /// classes of jobs: name=condition, or presets such as zhang and feitelson4x4
    classes: Option<Texts> = "list";
    /// bound of the bounded slowdown
    tau: Option<Scalar> = "time", "10s";
    /// left out at the beginning: of terminations, until then, or what MSER-5 cuts from the waits of each replay
    warmup: Option<Scalar> = "share, time or mser5", "none";
    /// left out at the end: ends after the last submission, or after then
    cooldown: Option<Scalar> = "submit or time", "none";
    /// simulated before each window, not measured
    prefix: Option<Scalar> = "time", "0";
}

section! {
    /// a log or a model, and its units; any option of `replay` about logs and machines is a key too
    "workload" => WorkloadKeys, WORKLOAD;
    "[[workload]]\ntrace = \"KTH-SP2.swf.gz\"\nwindows = \"7d\"\nestimate = \"actual\""
    /// its name in tables
    name: Option<Verbatim> = "text", "of log or model";
    /// a log, as seen from the experiment's folder, or a public one by name (`batchlab list logs`)
    trace: Option<Verbatim> = "file";
    /// a model instead; see `batchlab list models`
    model: Option<Verbatim> = "name";
    /// jobs that a model draws
    jobs: Option<Scalar> = "whole number", "the model's";
    /// settings of the model
    set: Option<Ordered<Scalar>> = "{ key = value }";
    /// the log that a model is fitted to
    log: Option<Verbatim> = "file";
    /// SHA-256 of the log's file as it lies on disk; another file is refused
    sha256: Option<Verbatim> = "hash";
    /// what it stands in for: claims about it are as published or not, but do not hold
    substitute: Option<Verbatim> = "text";
    /// cleaning rules; see `batchlab list rules`
    rules: Option<Verbatim> = "preset or file";
    /// shaping steps; see `batchlab list steps`
    steps: Option<Verbatim> = "file or text";
    /// cut the log: each window is a replay of its own, and a unit; N jobs ("5000 jobs") are consecutive in the
    /// order in which they enter the queue; "7d, every 8" takes one window in 8, "1024 jobs, from 1982 2757" the windows that begin
    /// with these jobs, by number
    windows: Option<Scalar> = "time, or N jobs";
    /// one replay, measured in blocks of submission time: those are the units
    blocks: Option<Scalar> = "time";
    /// those of its windows or replications that are replayed, by number from 0, such as "30-39" or "0, 4-7"
    units: Option<Scalar> = "numbers", "all";
    /// draws of this workload
    replications: Option<Whole<1>> = "whole number", "the experiment's";
}

/// `[sweep]`: its keys are parameters.
pub static SWEEP: SectionSpec = SectionSpec {
    name: "sweep",
    summary: "parameters, all values combined; a key is an option of `replay`, or a name in braces \
        elsewhere in the file",
    example: "[sweep]\nload = [0.8, 1.0, 1.2]\nk = [1, 4]        # [[policy]] spec = \"depth:k={k}\"",
    keys: &[],
};

section! {
    /// one reading of what a paper leaves open: several values under one name, swept as one parameter
    "reading" => ReadingKeys, READING;
    "[[reading]]\nname = \"exact\"\nbecause = \"no estimates are mentioned\"\nset = { estimate = \"actual\" }"
    /// its name in tables
    name: Verbatim = "text";
    /// why one may read it so
    because: Option<Verbatim> = "text";
    /// values that it sets: options of `replay`, or names in braces
    set: Option<Ordered<Scalars>> = "{ key = value }";
}

section! {
    /// a policy; with several, the first is the baseline unless the experiment names another
    "policy" => PolicyKeys, POLICY;
    "[[policy]]\nlabel = \"EASY-SJBF\"\nspec = \"easy:candidates=sjf\""
    /// its name in tables
    label: Option<Verbatim> = "text", "the spec; of a scheduler of Batsim or a child process, the words of its command";
    /// the policy, as `replay --policy`; see `batchlab list policies`
    spec: Verbatim = "NAME:key=value,...";
    /// workloads that it is replayed on
    workloads: Option<Texts> = "list", "all";
    /// on a workload whose jobs lack what it needs: `refuse` the experiment, or `skip` the workload and say so in the results
    absent: Option<Absent> = "refuse or skip", "refuse";
}
