mod entry;
mod logs;
mod page;
mod policies;

use batchlab_policies::external::CARRIERS;
use batchlab_policies::registry::SpecError;
use batchlab_traces::Field;
use batchlab_traces::nearest::{meant, nearest};
use clap::ValueEnum;

use super::arguments::{arguments, option, place, switch, values};
use super::terminal::form::{OutputForm, print, print_json};
use super::terminal::text;
use crate::Registry;
use crate::conform::CHECKS;
use crate::info::columns::COLUMNS;
use crate::lab::Failure;
use crate::lab::settings::plugins::PluginSettings;
use crate::report::SECTIONS;
use crate::report::plots::KINDS;
use crate::report::tables::CELLS;
use crate::schedule::SCHEDULE_COLUMNS;
use crate::study::pitfalls::PITFALLS;
use entry::{ListEntry, interval_cell};

arguments! {
    /// List what can be chosen: policies, formats, models, rules and more; or describe one of them in full
    #[command(after_help = "\
Example: batchlab list policies conservative
         batchlab list metrics")]
    pub struct List {
        what: What = place("what", "WHAT", "Kind of things to list"),
        name: Option<String> = place(
            "name", "NAME", "Name of one of them, to describe it in full: source, needs, parameters with their defaults",
        ),
        plugins: PluginSettings,
        format: OutputForm = option("format", "FORM", "Form of the output: for people, or for programs").default("table"),
        mapping: bool = switch(
            "mapping", "Print only the mapping file of a format that is a table: a start for `convert --mapping`",
        ).requires("name"),
    }
}

/// What can be listed: one line each, here and in [`What::entries`].
#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Scheduling policies, for `replay --policy`
    Policies,
    /// Carriers of policies from outside, for specs such as wasm:FILE, and expressions
    Carriers,
    /// Public logs by name, for `fetch`, and those that are on this machine
    Logs,
    /// Formats of logs, for `--from`
    Formats,
    /// Workload models, for `generate`
    Models,
    /// Queue orders, for the parameters `order` and `candidates` of policies
    Orders,
    /// Rules of host selection, for the parameter `place` of policies
    Hosts,
    /// Published cleaning rules, for `clean`, `check` and `replay --rules`
    Rules,
    /// Shaping steps, for the files of `shape` and `--steps`
    Steps,
    /// Metrics of schedules, for `--metrics`
    Metrics,
    /// Columns of logs, the fields of the Standard Workload Format
    Columns,
    /// Further columns of schedules, for `--schedule-columns`
    ScheduleColumns,
    /// Columns of tables about logs, for `info --columns`
    Facts,
    /// Rules that every policy must keep, for `conform --check`
    Checks,
    /// Sections of an experiment file, for `run`; a section in full lists its keys
    Sections,
    /// Contents of cells of an experiment's tables, for `cells` of `[[table]]`
    Cells,
    /// Kinds of an experiment's plots, for `kind` of `[[plot]]`
    Plots,
    /// Pitfalls that make results of experiments less conclusive than they seem
    Pitfalls,
}

values!(What);

impl What {
    fn entries(self, registry: &Registry) -> Result<Vec<ListEntry>, Failure> {
        Ok(match self {
            What::Logs => logs::entries(registry.catalogue())?,
            What::Policies => registry.policies().specs().iter().map(ListEntry::from).collect(),
            What::Carriers => CARRIERS.iter().map(ListEntry::from).chain([ListEntry::expression()]).collect(),
            What::Formats => registry.formats().specs().map(ListEntry::from).collect(),
            What::Models => batchlab_traces::models::MODELS.iter().map(ListEntry::from).collect(),
            What::Orders => batchlab_policies::support::order::ORDERS.iter().map(ListEntry::from).collect(),
            What::Hosts => batchlab_policies::support::hosts::HOSTS.iter().map(ListEntry::from).collect(),
            What::Rules => batchlab_traces::clean::PRESETS.iter().map(ListEntry::from).collect(),
            What::Steps => batchlab_traces::shape::STEPS.iter().map(ListEntry::from).collect(),
            What::Metrics => registry.metrics().specs().map(ListEntry::from).collect(),
            What::Columns => Field::ALL.iter().map(ListEntry::from).collect(),
            What::ScheduleColumns => SCHEDULE_COLUMNS.iter().map(ListEntry::from).collect(),
            What::Facts => COLUMNS.iter().map(ListEntry::from).collect(),
            What::Checks => CHECKS.iter().map(ListEntry::from).collect(),
            What::Sections => SECTIONS.iter().copied().map(ListEntry::from).collect(),
            What::Cells => CELLS.iter().map(ListEntry::from).chain([interval_cell()]).collect(),
            What::Plots => KINDS.iter().copied().map(ListEntry::from).collect(),
            What::Pitfalls => PITFALLS.iter().copied().map(ListEntry::from).collect(),
        })
    }

    /// Returns the singular and the plural.
    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            What::Policies => ("policy", "policies"),
            What::Carriers => ("carrier", "carriers"),
            What::Logs => ("log", "logs"),
            What::Formats => ("format", "formats"),
            What::Models => ("model", "models"),
            What::Orders => ("order", "orders"),
            What::Hosts => ("rule of host selection", "hosts"),
            What::Rules => ("preset of rules", "rules"),
            What::Steps => ("step", "steps"),
            What::Metrics => ("metric", "metrics"),
            What::Columns => ("column", "columns"),
            What::ScheduleColumns => ("column of schedules", "schedule-columns"),
            What::Facts => ("fact", "facts"),
            What::Checks => ("check", "checks"),
            What::Sections => ("section", "sections"),
            What::Cells => ("kind of cell", "cells"),
            What::Plots => ("kind of plot", "plots"),
            What::Pitfalls => ("pitfall", "pitfalls"),
        }
    }
}

impl List {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = &self.plugins.typed(registry)?;
        let entries = self.what.entries(registry)?;
        let Some(name) = &self.name else {
            return match self.format {
                OutputForm::Table => print(&page::overview(&entries, text::width())),
                OutputForm::Json => print_json(&entries),
            };
        };
        let named;
        let entry = match entries.iter().find(|entry| entry.name == *name) {
            Some(entry) => entry,
            None => {
                named = self.of_spec(registry, name, &entries)?;
                &named
            }
        };
        if self.mapping {
            let text = batchlab_parsers::table::mapping_file(name);
            return print(text.ok_or_else(|| Failure::Usage(format!("`{name}` has no mapping file")))?);
        }
        match self.format {
            OutputForm::Table => print(&page::full(entry, text::width())),
            OutputForm::Json => print_json(entry),
        }
    }

    /// Returns the entry of a policy by its spec, which is the only name of a policy from outside.
    fn of_spec(&self, registry: &Registry, spec: &str, known: &[ListEntry]) -> Result<ListEntry, Failure> {
        match registry.choose(spec) {
            _ if !matches!(self.what, What::Policies) => Err(self.unknown(spec, known)),
            Ok(chosen) => Ok(ListEntry::from(&chosen)),
            Err(SpecError::Unknown { .. } | SpecError::Order(..) | SpecError::Several(_)) => {
                Err(self.unknown(spec, known))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn unknown(&self, name: &str, entries: &[ListEntry]) -> Failure {
        let (one, all) = self.what.nouns();
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_ref()).collect();
        let meant = meant(nearest(name, names.iter().copied()));
        Failure::Usage(format!("no {one} is called `{name}`{meant}; see `batchlab list {all}`"))
    }
}
