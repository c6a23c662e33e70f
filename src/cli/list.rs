//! `batchlab list`: what there is to choose from.

mod entry;
mod page;

use batchlab_policies::Registry;
use batchlab_policies::spec::nearest;
use batchlab_traces::Field;
use clap::{Args, ValueEnum};

use super::form::{Form, print, print_json};
use super::{Failure, text};
use crate::metrics::METRICS;
use entry::Entry;

/// Print the policies, formats, models, orders, metrics or columns there are, or one of them in full
#[derive(Args)]
#[command(after_help = "Example: batchlab list policies conservative")]
pub struct List {
    /// What to list; also metrics (of schedules) and columns (of logs)
    what: What,
    /// One of them, in full: source, needs, parameters with their defaults
    name: Option<String>,
    /// For people, or for programs
    #[arg(long, default_value = "table", value_name = "FORM")]
    format: Form,
    /// Print only the mapping file of a format that is a table: a beginning for `convert --mapping`
    #[arg(long, requires = "name")]
    mapping: bool,
}

/// What can be listed: one line each, here and in [`What::entries`].
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Scheduling policies, for `replay --policy`
    Policies,
    /// Formats of logs, for `--from`
    Formats,
    /// Workload models, for `generate`
    Models,
    /// Queue orders, for the parameters `order` and `candidates` of policies
    Orders,
    /// Metrics of schedules, for `--metrics`
    Metrics,
    /// Columns of logs, the fields of the Standard Workload Format
    Columns,
}

impl What {
    fn entries(self, registry: &Registry) -> Vec<Entry> {
        match self {
            What::Policies => registry.specs().iter().map(Entry::from).collect(),
            What::Formats => batchlab_parsers::FORMATS.iter().map(Entry::from).collect(),
            What::Models => batchlab_traces::models::MODELS.iter().map(Entry::from).collect(),
            What::Orders => batchlab_policies::support::order::ORDERS.iter().map(Entry::from).collect(),
            What::Metrics => METRICS.iter().map(|&spec| Entry::from(spec)).collect(),
            What::Columns => Field::ALL.iter().map(Entry::from).collect(),
        }
    }

    /// Returns the words for one and for all.
    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            What::Policies => ("policy", "policies"),
            What::Formats => ("format", "formats"),
            What::Models => ("model", "models"),
            What::Orders => ("order", "orders"),
            What::Metrics => ("metric", "metrics"),
            What::Columns => ("column", "columns"),
        }
    }
}

impl List {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let entries = self.what.entries(registry);
        let Some(name) = &self.name else {
            return match self.format {
                Form::Table => print(&page::overview(&entries, text::width())),
                Form::Json => print_json(&entries),
            };
        };
        let Some(entry) = entries.iter().find(|entry| entry.name == *name) else {
            return Err(self.unknown(name, &entries));
        };
        if self.mapping {
            let text = batchlab_parsers::table::mapping_file(name);
            return print(text.ok_or_else(|| Failure::Usage(format!("`{name}` has no mapping file")))?);
        }
        match self.format {
            Form::Table => print(&page::full(entry, text::width())),
            Form::Json => print_json(entry),
        }
    }

    fn unknown(&self, name: &str, entries: &[Entry]) -> Failure {
        let (one, all) = self.what.nouns();
        let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        let meant =
            nearest(name, &names).map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
        Failure::Usage(format!("no {one} is called `{name}`{meant}; see `batchlab list {all}`"))
    }
}
