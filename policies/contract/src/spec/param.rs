//! Parameters of policies as declared: kind, default, help, and the needs that a value causes.

use std::fmt;

use batchlab_traces::Time;
use batchlab_traces::reading::parse_duration;

use super::is_carried;
use crate::costs::CostKind;
use crate::facts::{Fact, Facts};
use crate::needs::Needs;

/// The kind of a parameter: the values it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// As [`ParamKind::Choice`], for a parameter that has no effect under this policy, but that its family shares.
    Idle(&'static [&'static str]),
    /// One of these queue orders, `expr(…)`, or the spec of a plug-in of kind order.
    Order(&'static [&'static str]),
    /// As [`ParamKind::Order`], or the word that stands first.
    OrderOr(&'static str, &'static [&'static str]),
    /// One of these predictors of run times, `expr(…)`, or the spec of a plug-in of kind order.
    Predictor {
        /// Words.
        words: &'static [&'static str],
        /// The predictor that a share between 0 and 1 follows, after a colon.
        share: &'static str,
    },
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
    Limit(Fact, ParamQuantity),
}

/// The quantity that a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamQuantity {
    /// The number of jobs.
    Jobs,
    /// Their processors.
    Procs,
}

/// A parameter of a policy.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// Key in specs.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ParamKind,
    /// Value used if the spec does not set it.
    pub default: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The needs of a policy if the parameter has a value, beyond those of the value's kind: the facts that an expression
    /// reads, the fact by which a limit counts, the stated cost.
    pub needs: fn(&str) -> Needs,
}

impl ParamKind {
    /// Returns the accepted words, for a kind that accepts words only.
    pub fn words(self) -> Option<Vec<&'static str>> {
        match self {
            ParamKind::Choice(words)
            | ParamKind::Idle(words)
            | ParamKind::Order(words)
            | ParamKind::Predictor { words, .. } => Some(words.to_vec()),
            ParamKind::OrderOr(word, words) => Some([&[word], words].concat()),
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
    pub fn takes_plugin(self) -> bool {
        matches!(self, ParamKind::Order(_) | ParamKind::OrderOr(..) | ParamKind::Predictor { .. })
    }

    /// Whether a value is of this kind.
    pub fn accepts(self, value: &str) -> bool {
        match self {
            // The registry checks whether the plug-in can be loaded and is an order.
            _ if self.takes_plugin() && (computed(value).is_some() || is_carried(value)) => true,
            ParamKind::Predictor { share, .. } if share_of(share, value).is_some() => true,
            ParamKind::Choice(_)
            | ParamKind::Idle(_)
            | ParamKind::Order(_)
            | ParamKind::OrderOr(..)
            | ParamKind::Predictor { .. } => self.words().is_some_and(|words| words.contains(&value)),
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
    pub(super) fn expression(self, value: &str) -> Option<&str> {
        let may = self.takes_plugin() || matches!(self, ParamKind::WaitLimit | ParamKind::Factor { .. });
        computed(value).filter(|_| may)
    }

    /// Returns the needs that a value of the kind causes, whatever the parameter is for.
    fn needs(self, value: &str) -> Needs {
        if let Some(text) = self.expression(value) {
            return Needs { facts: Facts::read_by(text), ..Needs::NONE };
        }
        match self {
            ParamKind::Limit(fact, _) if value != "inf" => Needs::fact(fact),
            ParamKind::Cost(kind) => Needs { costs: kind.states(value), ..Needs::NONE },
            _ => Needs::NONE,
        }
    }
}

/// Writes the accepted values, in words.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Choice(_) | ParamKind::Idle(_) | ParamKind::Order(_) | ParamKind::OrderOr(..) => {
                write!(f, "one of {}", self.words().unwrap_or_default().join(", "))?;
                let more = ", expr(...) as in expr(-wait/estimate), or a plug-in of kind order as in wasm:order.wasm";
                f.write_str(if self.takes_plugin() { more } else { "" })
            }
            ParamKind::Predictor { words, share } => {
                let plain = words.iter().filter(|word| !word.starts_with(share));
                plain.enumerate().try_for_each(|(index, word)| {
                    write!(f, "{}{word}", if index > 0 { ", " } else { "one of " })
                })?;
                write!(
                    f,
                    ", {share}:Q with Q between 0 and 1 as in {share}:0.75, expr(...) in seconds as in \
                     expr(min(last, 0.5*estimate)), or a plug-in of kind order as in wasm:predictor.wasm"
                )
            }
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

/// Two parameters that read the same are equal; functions have no equality.
impl PartialEq for ParamSpec {
    fn eq(&self, other: &ParamSpec) -> bool {
        let texts = |param: &ParamSpec| (param.name, param.default, param.help);
        texts(self) == texts(other) && self.kind == other.kind
    }
}

impl ParamSpec {
    /// A parameter without name and help that takes any text and needs nothing; other parameters are declared upon it.
    pub const PLAIN: ParamSpec =
        ParamSpec { name: "", kind: ParamKind::Text, default: "", help: "", needs: |_| Needs::NONE };

    /// Returns the needs that a value causes.
    pub fn needs_of(&self, value: &str) -> Needs {
        self.kind.needs(value).and((self.needs)(value))
    }
}

/// Returns the expression in `expr(…)`.
pub(super) fn computed(value: &str) -> Option<&str> {
    value.strip_prefix("expr(")?.strip_suffix(')')
}

/// Returns the share of a value `NAME:SHARE`, between 0 and 1; `None` for another value.
pub fn share_of(name: &str, value: &str) -> Option<f64> {
    let share = value.strip_prefix(name)?.strip_prefix(':')?.parse().ok();
    share.filter(|&share: &f64| share > 0.0 && share < 1.0)
}
