//! Entries of all registries in one form.

use std::borrow::Cow;

use batchlab_parsers::table::mapping_file;
use batchlab_parsers::{FormatSpec, swf};
use batchlab_policies::Needs;
use batchlab_policies::external::Carrier;
use batchlab_policies::facts::HISTORY;
use batchlab_policies::spec::{ParamSpec, Setting};
use batchlab_policies::support::expressions::vocabulary;
use batchlab_policies::support::hosts::HostSpec;
use batchlab_policies::support::order::OrderSpec;
use batchlab_traces::clean::Preset;
use batchlab_traces::expr::{FUNCTIONS, UNITS};
use batchlab_traces::models::{Fitted, ModelSpec};
use batchlab_traces::shape::StepSpec;
use batchlab_traces::{Field, Machine};
use serde::Serialize;

use super::policies::needs;
use crate::cli::terminal::text::counted;
use crate::conform::Check;
use crate::experiment::SectionSpec;
use crate::experiment::keys::KeySpec;
use crate::info::columns::LogColumn;
use crate::metrics::{Compute, MetricSpec, Scope};
use crate::report::plots::PlotKind;
use crate::report::tables::{CELLS, CellKind, DEFAULT_CELL};
use crate::schedule::ScheduleColumn;
use crate::study::pitfalls::PitfallSpec;
use crate::table::{Better, Unit};

#[derive(Default, Serialize)]
pub struct ListEntry {
    pub name: Cow<'static, str>,
    pub group: &'static str,
    pub summary: String,
    pub source: Cow<'static, str>,
    /// Further facts: label and text.
    pub facts: Vec<(&'static str, String)>,
    pub parameters: Vec<Parameter>,
}

#[derive(Serialize)]
pub struct Parameter {
    pub name: &'static str,
    pub default: &'static str,
    pub takes: String,
    pub help: &'static str,
}

impl From<&ParamSpec> for Parameter {
    fn from(param: &ParamSpec) -> Parameter {
        let takes = param.kind.to_string();
        Parameter { name: param.name, default: param.default, takes, help: param.help }
    }
}

impl From<&KeySpec> for Parameter {
    fn from(key: &KeySpec) -> Parameter {
        Parameter { name: key.name, default: key.default, takes: key.takes.into(), help: key.help }
    }
}

impl From<&'static SectionSpec> for ListEntry {
    fn from(section: &'static SectionSpec) -> ListEntry {
        ListEntry {
            name: section.name.into(),
            summary: section.summary.into(),
            facts: vec![("Example", section.example.into())],
            parameters: section.keys.iter().map(Parameter::from).collect(),
            ..ListEntry::default()
        }
    }
}

impl From<&'static CellKind> for ListEntry {
    fn from(kind: &'static CellKind) -> ListEntry {
        ListEntry {
            name: kind.name.into(),
            summary: format!("{}{}", kind.words, if kind.name == DEFAULT_CELL { BY_DEFAULT } else { "" }),
            facts: vec![("Heading", kind.heading.into())],
            ..ListEntry::default()
        }
    }
}

/// Returns the entry of `interval`, which is a word of `cells` but not a kind of cell of its own.
pub fn interval_cell() -> ListEntry {
    let with = CELLS.iter().filter(|kind| kind.interval.is_some()).map(|kind| kind.name);
    let with = with.collect::<Vec<_>>().join(", ");
    ListEntry {
        name: "interval".into(),
        summary: format!("confidence interval beside each of {with}, where units admit one{BY_DEFAULT}"),
        facts: vec![("Heading", "interval".into())],
        ..ListEntry::default()
    }
}

const BY_DEFAULT: &str = " (shown unless `cells` says otherwise)";

impl From<&'static PlotKind> for ListEntry {
    fn from(kind: &'static PlotKind) -> ListEntry {
        ListEntry {
            name: kind.name.into(),
            summary: kind.what.into(),
            facts: vec![("Marks", kind.legend.into())],
            parameters: kind.keys().map(Parameter::from).collect(),
            ..ListEntry::default()
        }
    }
}

impl From<&'static PitfallSpec> for ListEntry {
    fn from(pitfall: &'static PitfallSpec) -> ListEntry {
        ListEntry {
            name: pitfall.code.into(),
            summary: pitfall.title.into(),
            source: pitfall.cite.into(),
            facts: vec![("Why", pitfall.misleads.into()), ("Help", pitfall.advice.into())],
            ..ListEntry::default()
        }
    }
}

impl From<&Carrier> for ListEntry {
    fn from(carrier: &Carrier) -> ListEntry {
        let spec = format!("{}:{}, then ,key=value for each parameter", carrier.name, carrier.subject);
        let limits = match carrier.params {
            [] => "",
            _ => "; --allow-limit KEY=VALUE where a file sets a parameter above its default",
        };
        let allowed = format!("{}{limits}", carrier.allowed);
        ListEntry {
            name: carrier.name.into(),
            summary: carrier.summary.into(),
            facts: vec![("Spec", spec), ("Allowed", allowed)],
            parameters: carrier.params.iter().map(Parameter::from).collect(),
            ..ListEntry::default()
        }
    }
}

impl ListEntry {
    /// Returns the expression language, for policies that take an expression.
    pub fn expression() -> ListEntry {
        let fields = Machine::pool(1)
            .map(|machine| vocabulary(&Setting::new(&machine)).names().collect::<Vec<_>>().join(", "));
        let fields = fields.unwrap_or_default();
        let functions = FUNCTIONS.iter().filter(|function| !function.draws).map(|function| function.usage);
        let list = |names: Vec<&str>| names.join(", ");
        let history = HISTORY.map(|(name, _, meaning)| format!("{name} ({meaning})")).join(", ");
        let history = format!("as predictor, also {history}; -1 if too few have ended");
        let facts = [
            ("Spec", "expr(EXPRESSION), for the parameters order, candidates, predictor, threshold and waitlimit of \
                      policies; an order by itself is served without backfilling".into()),
            ("Example", "easy:order=expr(-((wait/max(estimate,1min))^3*procs))".into()),
            (
                "Fields",
                fields + "; hour and weekday, where the log says when its zero was; the machine's further resources by \
                          their names",
            ),
            ("Predictors", history),
            ("Functions", list(functions.collect())),
            ("Units", list(UNITS.iter().map(|unit| unit.name).collect())),
            ("Operators", "or, and, not, = != < <= > >=, in, + - * /, ^".into()),
            ("Page", "traces/EXPRESSIONS.md".into()),
        ];
        ListEntry {
            name: "expr".into(),
            summary: "an expression over what is known of a waiting job; no plug-in, nothing to load".into(),
            facts: facts.to_vec(),
            ..ListEntry::default()
        }
    }
}

impl From<&FormatSpec> for ListEntry {
    fn from(spec: &FormatSpec) -> ListEntry {
        let mut facts = vec![("Told by", spec.looks_like.into())];
        if mapping_file(spec.name).is_some() {
            let how =
                "`batchlab list formats NAME --mapping` prints what its columns are, a beginning for others";
            facts.push(("Mapping", how.replace("NAME", spec.name)));
        }
        ListEntry {
            name: spec.name.into(),
            summary: spec.summary.into(),
            source: spec.cite.into(),
            facts,
            ..ListEntry::default()
        }
    }
}

impl From<&ModelSpec> for ListEntry {
    fn from(spec: &ModelSpec) -> ListEntry {
        let parameter = |param: &batchlab_traces::models::Param| Parameter {
            name: param.name,
            default: param.default,
            takes: param.kind.to_string(),
            help: param.help,
        };
        ListEntry {
            name: spec.name.into(),
            summary: spec.summary.into(),
            source: spec.cite.words.into(),
            facts: model_facts(spec),
            parameters: spec.parameters().map(parameter).collect(),
            ..ListEntry::default()
        }
    }
}

impl From<&Preset> for ListEntry {
    fn from(preset: &Preset) -> ListEntry {
        let text: Vec<&str> = preset.text.lines().filter(|line| !line.starts_with('#')).collect();
        ListEntry {
            name: preset.name.into(),
            summary: preset.summary.into(),
            source: preset.cite.words.into(),
            facts: vec![("Rules", text.join("\n").trim().to_owned())],
            ..ListEntry::default()
        }
    }
}

fn model_facts(spec: &ModelSpec) -> Vec<(&'static str, String)> {
    let size = if spec.jobs == 0 {
        "by default as many jobs and processors as the log has".into()
    } else {
        let (jobs, procs) = (counted(spec.jobs, "job"), counted(spec.procs, "processor"));
        format!("{jobs} for {procs} by default")
    };
    let mut facts = vec![("Size", size)];
    match spec.fitted {
        Fitted::Never => {}
        Fitted::Optionally => {
            facts.push(("Takes", "a log to be fitted to, or none: generate --log FILE".into()));
        }
        Fitted::Always => facts.push(("Needs", "a log to be fitted to: generate --log FILE".into())),
    }
    facts
}

impl From<&StepSpec> for ListEntry {
    fn from(spec: &StepSpec) -> ListEntry {
        let parameter = |param: &batchlab_traces::shape::Param| Parameter {
            name: param.name,
            default: param.default,
            takes: param.takes.into(),
            help: param.help,
        };
        ListEntry {
            name: spec.name.into(),
            summary: spec.summary.into(),
            source: spec.cite.words.into(),
            facts: vec![
                ("Written", format!("[[step]] with kind = \"{}\" in a TOML file", spec.name)),
                ("Draws", if spec.draws { "at random, from the seed" } else { "nothing" }.into()),
            ],
            parameters: spec.params.iter().map(parameter).collect(),
            ..ListEntry::default()
        }
    }
}

impl From<&OrderSpec> for ListEntry {
    fn from(spec: &OrderSpec) -> ListEntry {
        let when = match (spec.changes, spec.is_fluid()) {
            (false, _) => "once, at submission",
            (true, false) => "again at every decision",
            (true, true) => "at every decision and after every start",
        };
        ListEntry {
            name: spec.name.into(),
            group: "lowest score first; w wait so far, r estimate, n processors, m memory, s submit time (in \
                    seconds); of each resource q demand, f free, c capacity, u held by the user; beside these names \
                    an order is expr(...) as in expr(-wait/estimate), or a plug-in as in wasm:order.wasm",
            summary: spec.formula.into(),
            source: spec.cite.words.into(),
            facts: [
                Some(("Rule", spec.rule.into())).filter(|_| !spec.rule.is_empty()),
                Some(("Computed", when.into())),
                Some(("Needs", needs(Needs { facts: spec.facts, ..Needs::NONE }))),
            ]
            .into_iter()
            .flatten()
            .collect(),
            parameters: spec.options().iter().map(Parameter::from).collect(),
        }
    }
}

impl From<&HostSpec> for ListEntry {
    fn from(spec: &HostSpec) -> ListEntry {
        let needs = "a machine with nodes; a pool leaves no choice";
        ListEntry {
            name: spec.name.into(),
            group: "each task goes to the best node with room for it, ties to the lowest; of each resource q demand \
                    of the task, f free, c capacity of the node",
            summary: spec.formula.into(),
            source: spec.cite.words.into(),
            facts: vec![
                ("Computed", "for each task, again after each placement".into()),
                ("Needs", needs.into()),
            ],
            ..ListEntry::default()
        }
    }
}

impl From<&MetricSpec> for ListEntry {
    fn from(spec: &MetricSpec) -> ListEntry {
        let unit = match spec.unit {
            Unit::Count => "a count",
            Unit::Ratio => "none: a ratio",
            unit => unit.words(),
        };
        let better = match spec.better {
            Better::Lower => "lower",
            Better::Higher => "higher",
            Better::Neither => "neither: it describes",
        };
        let about = match spec.scope {
            Scope::Jobs => "the measured jobs, also by class",
            Scope::Replay => "the whole replay",
        };
        let keys = spec.pattern();
        let unit = match spec.compute {
            Compute::Own => {
                "the expression's: s for a time, none for a plain number; a share of 1 for share".into()
            }
            Compute::PerJob(_) if spec.unit == Unit::Seconds => {
                format!(
                    "{unit}; var_{} in {}, cv_{} without one",
                    spec.name,
                    spec.unit.squared().words(),
                    spec.name
                )
            }
            _ => unit.to_owned(),
        };
        let facts = [("Keys", keys.as_str()), ("Unit", &unit), ("Better", better), ("About", about)];
        ListEntry {
            name: spec.name.into(),
            group: match spec.compute {
                Compute::PerJob(_) => {
                    "a value per job: mean_NAME, sd_, cv_, var_, median_, p90_, p95_, p99_, max_"
                }
                Compute::Value(_) | Compute::Promised(_) => "one number: NAME",
                Compute::PerResource(_) => {
                    "one number per resource: NAME of processors, NAME_RESOURCE of others"
                }
                Compute::PerFairStart(_) => "one number per fair schedule: NAME_consp, NAME_fcfs",
                Compute::Own => "of your own: NAME=STATISTIC(EXPRESSION)",
            },
            summary: spec.definition.into(),
            source: spec.cite.words.into(),
            facts: facts.map(|(label, text)| (label, text.to_owned())).to_vec(),
            ..ListEntry::default()
        }
    }
}

impl From<&Field> for ListEntry {
    fn from(field: &Field) -> ListEntry {
        ListEntry {
            name: field.name().into(),
            summary: field.meaning().into(),
            source: swf::SPEC.cite.into(),
            facts: vec![("Field", (field.index() + 1).to_string()), ("Unknown", "-1".into())],
            ..ListEntry::default()
        }
    }
}

impl From<&LogColumn> for ListEntry {
    fn from(column: &LogColumn) -> ListEntry {
        ListEntry {
            name: column.key.into(),
            summary: column.definition.into(),
            source: column.cite.into(),
            facts: vec![("Heading", column.heading.into()), ("Unit", column.kind.unit().into())],
            ..ListEntry::default()
        }
    }
}

impl From<&ScheduleColumn> for ListEntry {
    fn from(column: &ScheduleColumn) -> ListEntry {
        ListEntry {
            name: column.name.into(),
            summary: column.summary.into(),
            source: "batchlab".into(),
            ..ListEntry::default()
        }
    }
}

impl From<&Check> for ListEntry {
    fn from(check: &Check) -> ListEntry {
        ListEntry {
            name: check.name.into(),
            summary: check.what.into(),
            source: "batchlab".into(),
            facts: vec![("Tried", check.how.into())],
            ..ListEntry::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::METRICS;

    #[test]
    fn metrics_say_their_keys_and_units_and_stand_in_the_group_of_their_keys() {
        let of = |name: &str| ListEntry::from(*METRICS.iter().find(|spec| spec.name == name).unwrap());
        let wait = of("wait");
        assert_eq!(wait.facts[0], ("Keys", "(mean|sd|cv|var|median|p90|p95|p99|max)_wait".into()));
        assert_eq!(wait.facts[1], ("Unit", "s; var_wait in s^2, cv_wait without one".into()));
        assert!(wait.group.starts_with("a value per job"));
        assert_eq!(of("utilization").facts[0].1, "utilization[_RESOURCE]");
        assert!(
            METRICS.iter().all(|spec| ListEntry::from(*spec).facts.iter().all(|(_, text)| !text.is_empty()))
        );
    }

    #[test]
    fn columns_are_numbered_as_the_format_numbers_them() {
        let numbers: Vec<String> =
            Field::ALL.iter().map(|field| ListEntry::from(field).facts[0].1.clone()).collect();
        assert_eq!((numbers[0].as_str(), numbers[17].as_str()), ("1", "18"));
        assert!(Field::ALL.iter().all(|field| !field.meaning().is_empty()));
    }
}
