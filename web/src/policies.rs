//! The policies with their parameters, as the page makes controls of them.

use batchlab::Registry;
use batchlab::policies::PolicySpec;
use batchlab::policies::spec::{ParamKind, ParamQuantity, ParamSpec};
use serde_json::{Value, json};

/// Returns the policies in the order of listings. Those that need files of an installation are left out: a page has none.
pub fn policies(registry: &Registry) -> Vec<Value> {
    let specs = registry.policies().specs().iter();
    specs.filter(|spec| spec.name != batchlab::slurm::SPEC.name).map(policy).collect()
}

fn policy(spec: &PolicySpec) -> Value {
    json!({
        "name": spec.name,
        "family": spec.family,
        "summary": spec.summary,
        "rule": spec.rule,
        "source": spec.cite.words,
        "params": spec.params.iter().map(param).collect::<Vec<_>>(),
    })
}

fn param(spec: &ParamSpec) -> Value {
    let control = match spec.kind {
        ParamKind::Choice(_) => json!({ "is": "choice" }),
        ParamKind::Idle(_) => json!({ "is": "idle" }),
        ParamKind::Order(_) | ParamKind::OrderOr(..) => json!({ "is": "choice", "takes": "expression" }),
        ParamKind::Predictor { share, .. } => {
            json!({ "is": "choice", "takes": "expression", "share": share })
        }
        ParamKind::Count { least, infinite } => {
            json!({ "is": "count", "least": least, "words": words(infinite, "inf") })
        }
        ParamKind::Duration => json!({ "is": "time", "words": ["none"] }),
        ParamKind::Span { words } => json!({ "is": "time", "words": words }),
        ParamKind::WaitLimit => json!({ "is": "time", "words": ["none"], "takes": "expression" }),
        ParamKind::NumberOr { least, words } => json!({ "is": "number", "least": least, "words": words }),
        ParamKind::Factor { least, words } => {
            json!({ "is": "number", "least": least, "words": words, "takes": "expression" })
        }
        ParamKind::Text => json!({ "is": "text" }),
        ParamKind::Cost(_) => json!({ "is": "text", "words": ["scenario"] }),
        ParamKind::Policy => json!({ "is": "policy" }),
        ParamKind::Limit(_, quantity) => {
            let of = match quantity {
                ParamQuantity::Jobs => "jobs",
                ParamQuantity::Procs => "processors",
            };
            json!({ "is": "count", "least": 1, "words": ["inf"], "of": of })
        }
    };
    let mut value =
        json!({ "name": spec.name, "default": spec.default, "help": spec.help, "control": control });
    if let Some(words) = spec.kind.words() {
        value["control"]["words"] = json!(words);
    }
    value
}

fn words(has: bool, word: &'static str) -> Vec<&'static str> {
    if has { vec![word] } else { Vec::new() }
}
