//! Parameters of policies: declared with kind, default and help; checked before anything is built.

#[cfg(test)]
mod tests;

use std::fmt;

use batchlab_traces::Time;
use batchlab_traces::expr::Expr;
use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::reading::parse_duration;

use super::{SpecText, is_carried};
use crate::costs::{CostKind, StatedCosts};
use crate::external::Plugin;
use crate::facts::{Fact, Facts};
use crate::needs::Needs;
use crate::registry::Chosen;
use crate::setia::options::{MEMORY, ORDER};
use crate::support::hosts::HOSTS;
use crate::support::hosts::options::SHARE;
use crate::support::order::ORDERS;
use crate::support::predictor::{self, PREDICTOR};

/// The kind of a parameter: the values it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// As [`ParamKind::Choice`], for a parameter that has no effect under this policy, but that its family
    /// shares.
    Idle(&'static [&'static str]),
    /// One of the queue orders, `expr(…)`, or the spec of a plug-in of kind order.
    Order,
    /// As [`ParamKind::Order`], or this word.
    OrderOr(&'static str),
    /// `none`, a predictor of run times, `expr(…)`, or the spec of a plug-in of kind order.
    Predictor,
    /// One of the rules of host selection.
    Host,
    /// A whole number of at least this; `inf` if the flag is set.
    Count {
        /// Least value.
        least: u64,
        /// Whether `inf` is allowed.
        infinite: bool,
    },
    /// A length of time; `none` is allowed.
    Duration,
    /// A length of time above zero, or one of these words.
    Span {
        /// Words.
        words: &'static [&'static str],
    },
    /// A limit on waiting: a length of time or `expr(…)`; `none` is allowed.
    WaitLimit,
    /// A finite number of at least this, or one of these words.
    NumberOr {
        /// Least value.
        least: f64,
        /// Words; `inf` reads as infinity.
        words: &'static [&'static str],
    },
    /// As [`ParamKind::NumberOr`], or `expr(…)` for each job.
    Factor {
        /// Least value.
        least: f64,
        /// Words; `inf` reads as infinity.
        words: &'static [&'static str],
    },
    /// Any text, without commas unless in parentheses.
    Text,
    /// A cost, or `scenario` for the scenario's.
    Cost(CostKind),
    /// The spec of another policy; parentheses protect one with parameters.
    Policy,
    /// The most that jobs of one user, group or partition may have together; `inf` for no limit.
    Limit(Fact, Bound),
}

/// The quantity that a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The number of jobs.
    Jobs,
    /// Their processors.
    Procs,
}

/// A parameter of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// Key in specs.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ParamKind,
    /// Value used if the spec does not set it.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// A parameter that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// The policy has no such parameter.
    #[error("`{policy}` has no parameter `{given}`{}; it has: {known}", meant(.nearest.as_deref()))]
    Unknown {
        /// The policy.
        policy: &'static str,
        /// What was given.
        given: String,
        /// The nearest known name.
        nearest: Option<String>,
        /// All known names.
        known: String,
    },
    /// The value is not one that the parameter accepts.
    #[error("`{key}={value}`: {key} takes {expected}{}", meant(.nearest.as_deref()))]
    Value {
        /// The parameter.
        key: &'static str,
        /// What was given.
        value: String,
        /// The values it accepts.
        expected: String,
        /// The nearest known word.
        nearest: Option<String>,
    },
    /// The value is an expression with a mistake.
    #[error("`{key}={value}`: {reason}")]
    Expression {
        /// The parameter.
        key: &'static str,
        /// What was given.
        value: String,
        /// The mistake.
        reason: String,
    },
    /// A parameter is given under two names.
    #[error("`{first}` and `{second}` are names of one parameter; give it once")]
    Twice {
        /// The name given first.
        first: String,
        /// The second name given.
        second: String,
    },
}

/// Other names of parameters, for every policy that has the parameter and no other of that name.
const ALIASES: &[(&str, &str)] = &[("host", "place")];

/// The checked parameters of one policy; parameters that the spec does not set have their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    values: Vec<(&'static str, String)>,
    /// The policies that parameters name.
    policies: Vec<(&'static str, Chosen)>,
    /// The plug-in that these parameters belong to.
    plugin: Option<Plugin>,
}

impl ParamKind {
    /// Returns the accepted words, for a kind that accepts words only.
    pub fn words(self) -> Option<Vec<&'static str>> {
        match self {
            ParamKind::Choice(words) | ParamKind::Idle(words) => Some(words.to_vec()),
            ParamKind::Order => Some(ORDERS.iter().map(|order| order.name).collect()),
            ParamKind::OrderOr(word) => {
                Some([word].into_iter().chain(ORDERS.iter().map(|order| order.name)).collect())
            }
            ParamKind::Predictor => Some(predictor::WORDS.to_vec()),
            ParamKind::Host => Some(HOSTS.iter().map(|host| host.name).collect()),
            ParamKind::Count { .. }
            | ParamKind::Duration
            | ParamKind::Span { .. }
            | ParamKind::WaitLimit
            | ParamKind::NumberOr { .. }
            | ParamKind::Factor { .. }
            | ParamKind::Text
            | ParamKind::Policy
            | ParamKind::Cost(_)
            | ParamKind::Limit(..) => None,
        }
    }

    /// Whether it may name a plug-in of kind order, which gives each job a number.
    pub(crate) fn takes_plugin(self) -> bool {
        matches!(self, ParamKind::Order | ParamKind::OrderOr(_) | ParamKind::Predictor)
    }

    pub(crate) fn accepts(self, value: &str) -> bool {
        match self {
            // The registry checks whether the plug-in can be loaded and is an order.
            _ if self.takes_plugin() && (computed(value).is_some() || is_carried(value)) => true,
            ParamKind::Predictor if predictor::quantile(value).is_some() => true,
            ParamKind::Choice(_)
            | ParamKind::Idle(_)
            | ParamKind::Order
            | ParamKind::OrderOr(_)
            | ParamKind::Predictor
            | ParamKind::Host => self.words().is_some_and(|words| words.contains(&value)),
            ParamKind::Count { infinite, .. } if value == "inf" => infinite,
            ParamKind::Count { least, .. } => value.parse::<u64>().is_ok_and(|count| count >= least),
            ParamKind::Duration => value == "none" || parse_duration(value).is_ok(),
            ParamKind::Span { words } => {
                words.contains(&value) || parse_duration(value).is_ok_and(|span| span > Time::ZERO)
            }
            ParamKind::WaitLimit => computed(value).is_some() || ParamKind::Duration.accepts(value),
            ParamKind::NumberOr { words, .. } if words.contains(&value) => true,
            ParamKind::NumberOr { least, .. } => {
                value.parse::<f64>().is_ok_and(|number| number.is_finite() && number >= least)
            }
            ParamKind::Factor { least, words } => {
                computed(value).is_some() || ParamKind::NumberOr { least, words }.accepts(value)
            }
            ParamKind::Cost(kind) => kind.accepts(value),
            // The registry reads the value and reports its errors.
            ParamKind::Policy | ParamKind::Text => true,
            ParamKind::Limit(..) => value == "inf" || value.parse::<u32>().is_ok_and(|most| most > 0),
        }
    }

    /// Returns the expression in a value, for a kind that accepts expressions.
    fn expression(self, value: &str) -> Option<&str> {
        let may = self.takes_plugin() || matches!(self, ParamKind::WaitLimit | ParamKind::Factor { .. });
        computed(value).filter(|_| may)
    }

    /// Returns the needs that a value causes.
    fn needs(self, value: &str) -> Needs {
        if let Some(text) = self.expression(value) {
            return Needs { facts: Facts::read_by(text), ..Needs::NONE };
        }
        match self {
            ParamKind::Order | ParamKind::OrderOr(_) => {
                let named = ORDERS.iter().find(|order| order.name == value);
                named.map_or(Needs::NONE, |order| Needs { facts: order.facts, ..Needs::NONE })
            }
            ParamKind::Limit(fact, _) if value != "inf" => Needs::fact(fact),
            // Predicting from a user's earlier jobs requires that the log names users. A plug-in states its own needs.
            ParamKind::Predictor if value != PREDICTOR.default && !is_carried(value) => {
                Needs::fact(Fact::User)
            }
            _ => Needs::NONE,
        }
    }
}

/// Writes the accepted values, in words.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Choice(_)
            | ParamKind::Idle(_)
            | ParamKind::Order
            | ParamKind::OrderOr(_)
            | ParamKind::Host => {
                write!(f, "one of {}", self.words().unwrap_or_default().join(", "))?;
                let more = ", expr(...) as in expr(-wait/estimate), or a plug-in of kind order as in wasm:order.wasm";
                f.write_str(if self.takes_plugin() { more } else { "" })
            }
            ParamKind::Predictor => f.write_str(
                "one of none, last2, user-mean, quantile:Q with Q between 0 and 1 as in quantile:0.75, expr(...) in \
                 seconds as in expr(min(last, 0.5*estimate)), or a plug-in of kind order as in wasm:predictor.wasm",
            ),
            ParamKind::Count { least, infinite } => {
                write!(f, "a whole number from {least}{}", if *infinite { ", or inf" } else { "" })
            }
            ParamKind::Duration => f.write_str("a time such as 3600, 20h, 2d, or none"),
            ParamKind::Span { words } => {
                f.write_str("a time above 0 such as 200, 10min, 3h")?;
                words.iter().try_for_each(|word| write!(f, ", or {word}"))
            }
            ParamKind::NumberOr { least, words } => {
                write!(f, "a number from {least}")?;
                words.iter().try_for_each(|word| write!(f, ", or {word}"))
            }
            ParamKind::Factor { least, words } => {
                write!(
                    f,
                    "{}, or expr(...) as in expr(8/procs)",
                    ParamKind::NumberOr { least: *least, words }
                )
            }
            ParamKind::Text => f.write_str("any text"),
            ParamKind::Cost(kind) => write!(f, "{}, or scenario", kind.expected()),
            ParamKind::Policy => f.write_str("a policy such as fcfs or (easy:order=sjf)"),
            ParamKind::Limit(..) => f.write_str("a whole number from 1, or inf"),
            ParamKind::WaitLimit => {
                f.write_str("a time such as 600, 10min, none, or expr(...) as in expr(10*estimate)")
            }
        }
    }
}

impl ParamSpec {
    fn needs(&self, value: &str) -> Needs {
        if [(MEMORY.name, "on"), (ORDER.name, "smf")].contains(&(self.name, value)) {
            return Needs::fact(Fact::Memory);
        }
        if self.name == SHARE.name && value == "false" {
            return Needs { spread: true, ..Needs::NONE };
        }
        Needs { costs: StatedCosts::of(self, value), ..self.kind.needs(value) }
    }
}

/// Returns the expression in `expr(…)`.
fn computed(value: &str) -> Option<&str> {
    value.strip_prefix("expr(")?.strip_suffix(')')
}

impl Params {
    /// Checks the pairs of a spec against the declared parameters of a policy.
    ///
    /// # Errors
    /// At the first unknown key or invalid value, with the nearest valid one.
    pub fn check(
        policy: &'static str,
        declared: &[ParamSpec],
        pairs: &[(String, String)],
    ) -> Result<Params, ParamError> {
        let mut values: Vec<(&'static str, String)> =
            declared.iter().map(|param| (param.name, param.default.into())).collect();
        let mut given: Vec<Option<&str>> = vec![None; declared.len()];
        for (key, value) in pairs {
            let Some(at) = position(declared, key) else {
                let names: Vec<&str> = declared.iter().map(|param| param.name).collect();
                let known = if names.is_empty() { "none".into() } else { names.join(", ") };
                let nearest = nearest(key, names.iter().copied()).map(str::to_owned);
                return Err(ParamError::Unknown { policy, given: key.clone(), nearest, known });
            };
            let param = &declared[at];
            if !param.kind.accepts(value) {
                return Err(ParamError::Value {
                    key: param.name,
                    value: value.clone(),
                    expected: param.kind.to_string(),
                    nearest: param
                        .kind
                        .words()
                        .and_then(|words| nearest(value, words.iter().copied()).map(str::to_owned)),
                });
            }
            if let Some(Err(error)) = param.kind.expression(value).map(Expr::parse) {
                let reason = error.reason();
                return Err(ParamError::Expression { key: param.name, value: value.clone(), reason });
            }
            if let Some(first) = given[at].replace(key) {
                return Err(ParamError::Twice { first: first.into(), second: key.clone() });
            }
            values[at].1.clone_from(value);
        }
        Ok(Params { values, policies: Vec::new(), plugin: None })
    }

    /// Returns the value of a declared parameter; the empty text for an undeclared one.
    pub fn text(&self, name: &str) -> &str {
        self.values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }

    /// Returns a count; `None` if it is `inf`.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.text(name).parse().ok()
    }

    /// Returns a number, infinity for `inf`; `None` for any other word or an undeclared parameter.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }

    /// Returns a duration; `None` for `none` or another word.
    pub fn duration(&self, name: &str) -> Option<Time> {
        parse_duration(self.text(name)).ok()
    }

    /// Returns the policy that a parameter of kind [`ParamKind::Policy`] names, or the plug-in used as an
    /// order.
    pub fn policy(&self, name: &str) -> Option<&Chosen> {
        self.policies.iter().find(|(key, _)| *key == name).map(|(_, policy)| policy)
    }

    /// Returns the plug-in that these parameters belong to.
    pub fn plugin(&self) -> Option<&Plugin> {
        self.plugin.as_ref()
    }

    /// Sets the plug-in that these parameters belong to.
    pub(crate) fn set_plugin(&mut self, plugin: Plugin) {
        self.plugin = Some(plugin);
    }

    /// Returns all policies named by parameters.
    pub fn policies(&self) -> impl Iterator<Item = &Chosen> {
        self.policies.iter().map(|(_, policy)| policy)
    }

    /// Sets the policy or plug-in that a parameter names, and its text to the canonical form.
    pub(crate) fn set_policy(&mut self, name: &'static str, policy: Chosen) {
        let spec = policy.canonical();
        if let Some((_, text)) = self.values.iter_mut().find(|(key, _)| *key == name) {
            let guarded = spec.contains(if policy.is_order() { ',' } else { ':' });
            *text = if guarded { format!("({spec})") } else { spec };
        }
        self.policies.push((name, policy));
    }

    /// Returns the needs caused by the parameters, including the policies that they name.
    pub fn needs(&self, declared: &[ParamSpec]) -> Needs {
        let values = self.values.iter().zip(declared).map(|((_, value), param)| param.needs(value));
        values.chain(self.policies().map(Chosen::needs)).fold(Needs::NONE, Needs::and)
    }

    /// Returns the expression in a value `expr(…)`; `None` for another value.
    pub fn expression(&self, name: &str) -> Option<&str> {
        computed(self.text(name))
    }

    /// Returns the spec in canonical form: only values that differ from the defaults, in the declared order.
    pub fn canonical(&self, policy: &str, declared: &[ParamSpec]) -> String {
        let pairs = self.values.iter().zip(declared).filter(|((_, value), param)| value != param.default);
        let pairs = pairs.map(|((key, value), _)| ((*key).to_owned(), value.clone())).collect();
        let spec = SpecText { name: policy.into(), subject: None, pairs }.to_string();
        match spec.strip_prefix(policy) {
            // The policy's name is a carrier with its subject: parameters follow as further parts, after a
            // comma.
            Some(rest) if self.plugin.is_some() => format!("{policy}{}", rest.replacen(':', ",", 1)),
            _ => spec,
        }
    }
}

/// Returns the position of the declared parameter that a key names.
fn position(declared: &[ParamSpec], key: &str) -> Option<usize> {
    let named = |name: &str| declared.iter().position(|param| param.name == name);
    named(key).or_else(|| ALIASES.iter().find(|(alias, _)| *alias == key).and_then(|(_, name)| named(name)))
}
