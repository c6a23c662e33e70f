//! Questions of the page.

use batchlab::lab::Given;
use serde::Deserialize;

/// Options by name, in the order in which they were given.
pub type Options = Vec<(String, Vec<String>)>;

/// A question of the page, as JSON: `{"ask": "open", "name": …}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// What there is to choose: policies with their parameters, options.
    Choices,
    /// Reads a log, whose bytes come with the question; says how many jobs it has.
    Open {
        /// Its name.
        name: String,
        /// Options of reading.
        #[serde(default)]
        options: Options,
    },
    /// What is in the log: machine, period, jobs, findings.
    Info,
    /// Replays the log under policies.
    Compare {
        /// The specs of the policies.
        policies: Vec<String>,
        /// Options of the replay.
        #[serde(default)]
        options: Options,
    },
    /// The jobs of the replays, by columns.
    Jobs,
    /// The schedule of a policy by columns: starts, ends, rectangles.
    Drawn {
        /// The policy, by its position.
        at: usize,
    },
    /// Utilization and queue of a policy over time.
    Timeline {
        /// The policy, by its position.
        at: usize,
    },
    /// The waits and slowdowns of a policy by classes of jobs.
    Distribution {
        /// The policy, by its position.
        at: usize,
        /// What the classes are by.
        by: crate::drawn::ClassRule,
    },
    /// The place of a job in the order of submission; null if the log has no such job.
    Find {
        /// The number of the job, or its own name.
        job: String,
    },
    /// Why a job waited.
    Explain {
        /// The policy, by its position.
        at: usize,
        /// The number of the job, or `id:` and its own name.
        job: String,
    },
    /// Where two schedules part.
    Difference {
        /// A policy, by its position.
        one: usize,
        /// The other policy.
        other: usize,
    },
    /// The table in a form, such as `csv` or `latex`, as bytes.
    Table {
        /// The form.
        form: String,
    },
    /// The schedule of a policy as its file has it, as bytes.
    Schedule {
        /// The policy, by its position.
        at: usize,
    },
    /// The digest of the schedule of a policy, as its file has it.
    Digest {
        /// The policy, by its position.
        at: usize,
    },
    /// A plot as SVG, as bytes.
    Plot {
        /// The policy, by its position; all of them for curves over time.
        at: Option<usize>,
        /// The beginning and the end of a chart of jobs, in seconds after the first submission.
        between: Option<(f64, f64)>,
    },
    /// The command line that gives the same.
    CommandLine {
        /// The name of the log.
        log: String,
        /// The specs of the policies.
        policies: Vec<String>,
        /// Options of the replay.
        #[serde(default)]
        options: Options,
        /// Words behind them.
        #[serde(default)]
        further: Vec<String>,
    },
}

/// Returns options as calls have them.
pub fn given(options: &Options) -> Vec<Given> {
    options.iter().map(|(name, values)| Given { name: name.clone(), values: values.clone() }).collect()
}
