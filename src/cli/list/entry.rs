//! What every registry says of its entries, in one form.

use batchlab_parsers::FormatSpec;
use batchlab_policies::support::order::OrderSpec;
use batchlab_policies::{Needs, PolicySpec};
use batchlab_traces::models::ModelSpec;
use serde::Serialize;

use crate::cli::text::counted;

/// An entry of a registry.
#[derive(Serialize)]
pub struct Entry {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Heading it stands under; entries of one group follow one another.
    pub group: &'static str,
    /// What it is, in one line.
    pub summary: String,
    /// Who defined it.
    pub source: &'static str,
    /// Whatever else there is to know: label and text.
    pub facts: Vec<(&'static str, String)>,
    /// What can be set about it.
    pub parameters: Vec<Parameter>,
}

/// A parameter of an entry.
#[derive(Serialize)]
pub struct Parameter {
    /// Key.
    pub name: &'static str,
    /// Value when it is not set.
    pub default: &'static str,
    /// Values that it takes, in words.
    pub takes: String,
    /// What it does.
    pub help: &'static str,
}

impl From<&PolicySpec> for Entry {
    fn from(spec: &PolicySpec) -> Entry {
        let parameter = |param: &batchlab_policies::spec::ParamSpec| Parameter {
            name: param.name,
            default: param.default,
            takes: param.kind.to_string(),
            help: param.help,
        };
        Entry {
            name: spec.name,
            group: spec.family,
            summary: spec.summary.into(),
            source: spec.cite,
            facts: vec![("Needs", needs(spec.needs))],
            parameters: spec.params.iter().map(parameter).collect(),
        }
    }
}

fn needs(needs: Needs) -> String {
    let each = [
        (needs.clairvoyance, "the actual run times"),
        (needs.time_sharing, "to pause, resume or move jobs"),
        (needs.pool, "a machine that is one pool"),
    ];
    let named: Vec<&str> = each.into_iter().filter(|(needed, _)| *needed).map(|(_, what)| what).collect();
    if named.is_empty() { "nothing in particular".into() } else { named.join("; ") }
}

impl From<&FormatSpec> for Entry {
    fn from(spec: &FormatSpec) -> Entry {
        Entry {
            name: spec.name,
            group: "",
            summary: spec.summary.into(),
            source: spec.cite,
            facts: vec![("Told by", spec.looks_like.into())],
            parameters: Vec::new(),
        }
    }
}

impl From<&ModelSpec> for Entry {
    fn from(spec: &ModelSpec) -> Entry {
        let procs = counted(spec.procs.into(), "processor");
        let parameter = |param: &batchlab_traces::models::Param| Parameter {
            name: param.name,
            default: param.default,
            takes: param.kind.to_string(),
            help: param.help,
        };
        Entry {
            name: spec.name,
            group: "",
            summary: spec.summary.into(),
            source: spec.cite,
            facts: vec![("Size", format!("{} for {procs} unless told", counted(spec.jobs.into(), "job")))],
            parameters: spec.parameters().map(parameter).collect(),
        }
    }
}

impl From<&OrderSpec> for Entry {
    fn from(spec: &OrderSpec) -> Entry {
        let when = if spec.changes { "anew at every decision" } else { "once, at submission" };
        Entry {
            name: spec.name,
            group: "lowest score first; w wait so far, r estimate, n processors, s submit time (in seconds)",
            summary: spec.formula.into(),
            source: spec.cite,
            facts: vec![("Computed", when.into())],
            parameters: Vec::new(),
        }
    }
}
