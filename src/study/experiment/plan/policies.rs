//! The policies of a plan: each spec is chosen once, and a plug-in begins once on a machine.

use std::collections::HashMap;
use std::sync::Arc;

use batchlab_support::external::is_process;
use batchlab_support::spec::{BuildError, Chosen};
use batchlab_traces::Machine;
use batchlab_traces::sorted::SortedMap;

use super::PlanError;
use crate::experiment::definition::PolicyText;
use crate::experiment::loader::Loaded;
use crate::experiment::manifest::PluginFacts;
use crate::experiment::section::ExperimentError;
use batchlab_engine::Inventory;

#[derive(Default)]
pub(super) struct Policies {
    chosen: HashMap<String, Chosen>,
    begun: Vec<(String, Arc<Machine>)>,
}

impl Policies {
    pub(super) fn choose(
        &mut self,
        registry: &Inventory,
        text: &PolicyText,
        values: &[(&str, &str)],
    ) -> Result<Chosen, Box<PlanError>> {
        let place = || text.place.clone();
        let spec = text.filled(values).map_err(|name| {
            let what = format!("`{{{name}}}` of policy `{}` has no value under every reading", text.label);
            Box::new(PlanError::from(ExperimentError { place: place(), what }))
        })?;
        if let Some(chosen) = self.chosen.get(&spec) {
            return Ok(chosen.clone());
        }
        let chosen = registry.choose(&spec);
        let chosen = chosen.map_err(|error| Box::new(PlanError::Policy { place: place(), error }))?;
        self.chosen.insert(spec, chosen.clone());
        Ok(chosen)
    }

    /// Builds a policy for a unit, unless it has a plug-in that has begun on such a machine, or that is not opened.
    pub(super) fn build(&mut self, chosen: &Chosen, one: &Loaded) -> Result<(), BuildError> {
        let machine = &one.scenario.machine;
        let has_begun = |(spec, on): &(String, Arc<Machine>)| *spec == chosen.canonical() && on == machine;
        if !chosen.is_opened() || self.begun.iter().any(has_begun) {
            return Ok(());
        }
        chosen.build(&one.scenario.setting(one.reading.overrun))?;
        if chosen.has_plugin() {
            self.begun.push((chosen.canonical(), Arc::clone(machine)));
        }
        Ok(())
    }
}

/// Records the description of a plug-in, and of those within it, by their specs.
pub(super) fn describe(chosen: &Chosen, known: &mut SortedMap<String, PluginFacts>) {
    if let Some(plugin) = chosen.params().plugin() {
        let (spec, cite) = (chosen.canonical(), chosen.spec().cite.words.to_owned());
        let name = chosen.spec().name;
        let is_command = name.split(':').next().is_some_and(is_process);
        let described = is_command.then(|| (name.to_owned(), plugin.about.clone()));
        known.insert(spec.clone(), PluginFacts { spec, cite, described });
    }
    chosen.params().policies().for_each(|within| describe(within, known));
}
