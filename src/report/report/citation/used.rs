//! What an experiment used, with the source of each part.

use batchlab_support::hosts::HOSTS;
use batchlab_support::order::ORDERS;
use batchlab_support::spec::Chosen;
use batchlab_traces::Citation;
use batchlab_traces::clean::PRESETS;
use batchlab_traces::models::{self, tsafrir};
use batchlab_traces::shape::STEPS;
use batchlab_traces::sorted::SortedSet;

use super::bibliography::has_year;
use super::work::PublishedWork;
use super::works;
use crate::report::tables::Statistic;
use batchlab_engine::Inventory;
use batchlab_engine::catalogue::Catalogue;
use batchlab_engine::metrics::{CLASS_PRESETS, key};
use batchlab_study::experiment::Origin;
use batchlab_study::experiment::folder::Contents;
use batchlab_study::experiment::manifest::PluginFacts;

/// The source of estimates drawn with a share of accurate ones.
pub(super) const PHI: Citation = Citation::of("Zhang et al. 2000, section 2.1", &["zhang01"]);

/// The source of logs of the Parallel Workloads Archive.
pub(super) const ARCHIVE: Citation = Citation::of("Parallel Workloads Archive", &["feitelson14"]);

/// A part of an experiment, with its sources.
pub(super) struct Use {
    /// The part, such as `policy EASY`.
    pub what: String,
    pub works: Vec<&'static PublishedWork>,
    /// Citations in words that match no known work.
    pub others: Vec<String>,
}

impl Use {
    /// Returns a part with the works of its source: by key, or, if it comes from outside or has a key that is not among the works,
    /// as its words name them.
    fn new(what: impl Into<String>, cite: Citation) -> Use {
        let found = cite.works.and_then(|keys| keys.iter().map(|key| works::find(key)).collect());
        match found {
            Some(works) => Use { what: what.into(), works, others: Vec::new() },
            None => Use::named(what, cite.words),
        }
    }

    /// Returns a part from outside with the works that its citation in words names.
    fn named(what: impl Into<String>, cite: &str) -> Use {
        let (works, mut others) = works::named(cite);
        others.retain(|clause| has_year(clause));
        Use { what: what.into(), works, others }
    }
}

/// Returns the parts that an experiment used, in the order of its file, and the policies that are unknown here.
pub(super) fn uses(
    contents: &Contents,
    registry: &Inventory,
    statistics: &[Statistic],
) -> (Vec<Use>, Vec<String>) {
    let (mut uses, mut unknown) = (Vec::new(), Vec::new());
    let manifest = &contents.manifest;
    for origin in &manifest.origins {
        of_workload(origin, registry.catalogue(), &manifest.workloads[origin.workload].name, &mut uses);
    }
    let mut specs: SortedSet<(usize, &str)> = SortedSet::new();
    for line in &contents.plan {
        if !specs.insert((line.policy, &line.spec)) {
            continue;
        }
        let label = format!("policy {}", manifest.policies[line.policy].label);
        match registry.choose(&line.spec) {
            Ok(chosen) => of_policy(&chosen, &manifest.plugins, &label, &mut uses),
            Err(error) => unknown.push(format!("{label} (`{}`): {error}", line.spec)),
        }
    }
    for measure in manifest.measures.iter().filter(|measure| !measure.is_diagnostic) {
        let spec = key::family(registry.metrics(), &measure.metric);
        uses.extend(spec.map(|spec| Use::new(format!("metric {}", measure.metric), spec.cite)));
        let class = measure.class.as_deref();
        let preset = CLASS_PRESETS.iter().find(|preset| {
            class.is_some_and(|class| (preset.classes)().iter().any(|known| known.name == class))
        });
        uses.extend(preset.map(|preset| Use::new(format!("classes {}", preset.name), preset.cite)));
    }
    let (what, works) = ("statistics of the tables".into(), works::of_statistics(statistics));
    uses.push(Use { what, works, others: Vec::new() });
    (uses, unknown)
}

fn of_workload(origin: &Origin, catalogue: &Catalogue, workload: &str, uses: &mut Vec<Use>) {
    let model = origin.model.as_deref().and_then(|name| models::find(name).ok());
    uses.extend(model.map(|model| Use::new(format!("model {}", model.name), model.cite)));
    let rules = PRESETS.iter().find(|preset| Some(preset.name) == origin.rules.as_deref());
    uses.extend(rules.map(|rules| Use::new(format!("rules {}", rules.name), rules.cite)));
    let steps = STEPS.iter().filter(|step| origin.steps.iter().any(|name| name == step.name));
    uses.extend(steps.map(|step| Use::new(format!("step {}", step.name), step.cite)));
    let estimates = match origin.estimate.split(':').next() {
        Some("tsafrir") => Some(tsafrir::CITE),
        Some("phi") => Some(PHI),
        _ => None,
    };
    uses.extend(estimates.map(|cite| Use::new(format!("estimates {}", origin.estimate), cite)));
    // Logs of the Parallel Workloads Archive name it in their headers, or are recognised.
    let names_it = |line: &String| line.contains("labs/parallel/workload");
    let is_named = origin.information.iter().chain(&origin.notes).any(names_it);
    if is_named || origin.recognised(catalogue).is_some() {
        uses.push(Use::new(format!("log {workload}"), ARCHIVE));
    }
}

/// Adds a policy, the orders and host selection rules that its parameters name, and the policies within it.
fn of_policy(chosen: &Chosen, plugins: &[PluginFacts], label: &str, uses: &mut Vec<Use>) {
    let plugin = chosen.params().plugin().map(|_| chosen.canonical());
    let plugin = plugin.and_then(|spec| plugins.iter().find(|known| known.spec == spec));
    uses.push(match plugin {
        Some(plugin) => Use::named(label, &plugin.cite),
        None => Use::new(label, chosen.spec().cite),
    });
    for param in chosen.spec().params {
        let value = chosen.params().text(param.name);
        let cite = match param.name {
            "order" | "candidates" => {
                ORDERS.iter().find(|order| order.name == value).map(|order| ("order", order.cite))
            }
            // The default rule is any choice among hosts that fit, so it is not cited.
            "place" if value != param.default => {
                HOSTS.iter().find(|host| host.name == value).map(|host| ("place", host.cite))
            }
            _ => None,
        };
        uses.extend(cite.map(|(what, cite)| Use::new(format!("{what} {value}"), cite)));
    }
    for within in chosen.params().policies() {
        of_policy(within, plugins, label, uses);
    }
}
