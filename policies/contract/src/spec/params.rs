//! The parameters of one policy: checked against what it declares before anything is built.

#[cfg(test)]
mod tests;

use std::fmt;

use batchlab_traces::Time;
use batchlab_traces::expr::Expr;
use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::reading::parse_duration;

use super::param::{ParamKind, ParamSpec, computed, share_of};
use super::{BuildError, Chosen, SpecText, Words};
use crate::needs::Needs;
use crate::plugin::Plugin;

/// A parameter that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its parts are")]
pub enum ParamError {
    #[error("`{policy}` has no parameter `{given}`{}; it has: {known}", meant(.nearest.as_deref()))]
    Unknown { policy: &'static str, given: String, nearest: Option<String>, known: String },
    #[error("`{key}={value}`: {key} takes {expected}{}", meant(.nearest.as_deref()))]
    Value { key: &'static str, value: String, expected: String, nearest: Option<String> },
    #[error("`{key}={value}`: {reason}")]
    Expression { key: &'static str, value: String, reason: String },
    #[error("`{first}` and `{second}` are names of one parameter; give it once")]
    Twice { first: String, second: String },
}

/// Returns the value that was probably meant; for `sjf;candidates=sjf`, the same text with commas, which separate parameters.
fn meant_value(param: &ParamSpec, value: &str) -> Option<String> {
    if value.contains('=') && value.contains([';', ' ']) && !value.contains('(') {
        return Some(value.replace([';', ' '], ","));
    }
    nearest(value, param.kind.words()?.iter().copied()).map(str::to_owned)
}

/// Other names of parameters, for policies that have the parameter and no parameter of the other name.
const ALIASES: &[(&str, &str)] = &[("host", "place")];

/// The checked parameters of one policy; parameters that the spec does not set have their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    values: Vec<(&'static str, String)>,
    policies: Vec<(&'static str, Chosen)>,
    /// The plug-in that these parameters belong to.
    plugin: Option<Plugin>,
}

impl ParamError {
    /// Returns the error for a value that is not a word of the parameter.
    fn value(key: &'static str, value: &str, words: &[&'static str]) -> ParamError {
        let nearest = nearest(value, words.iter().copied()).map(str::to_owned);
        ParamError::Value {
            key,
            value: value.into(),
            expected: format!("one of {}", words.join(", ")),
            nearest,
        }
    }
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
                    nearest: meant_value(param, value),
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

    /// Returns the value of a declared parameter as it is written: for specs, messages and free texts. The empty text for an
    /// undeclared one.
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

    /// Whether the policy has a parameter.
    pub fn has(&self, param: &ParamSpec) -> bool {
        self.values.iter().any(|(key, _)| *key == param.name)
    }

    /// Returns the value that a parameter's word names; that of the default for an undeclared parameter.
    ///
    /// # Errors
    /// When no value has the word.
    pub fn word<T: Words>(&self, param: &ParamSpec) -> Result<T, ParamError> {
        let word = self.or_default(param);
        T::named(word).ok_or_else(|| ParamError::value(param.name, word, T::WORDS))
    }

    /// Returns the value that a word names, of a parameter that takes other values too; `None` for another value.
    pub fn named<T: Words>(&self, param: &ParamSpec) -> Option<T> {
        T::named(self.or_default(param))
    }

    /// Returns the entry of a table that a parameter names, if it names one.
    pub fn entry<'t, T>(
        &self,
        param: &str,
        table: &'t [T],
        name: impl Fn(&T) -> &'static str,
    ) -> Option<&'t T> {
        table.iter().find(|entry| name(entry) == self.text(param))
    }

    /// Returns the share that follows the name of a predictor; `None` for another value.
    pub fn share(&self, param: &ParamSpec) -> Option<f64> {
        match param.kind {
            ParamKind::Predictor { share, .. } => share_of(share, self.or_default(param)),
            _ => None,
        }
    }

    /// Whether two parameters have the same value.
    pub fn are_equal(&self, one: &ParamSpec, other: &ParamSpec) -> bool {
        self.text(one.name) == self.text(other.name)
    }

    /// Returns the error for a value that is unfit for a policy, with its parameter.
    pub fn unfit(&self, param: &str, reason: impl fmt::Display) -> BuildError {
        BuildError::Unfit(format!("`{param}={}`: {reason}", self.text(param)))
    }

    /// Whether a parameter has a word among those that it takes; an undeclared parameter has its default.
    ///
    /// # Errors
    /// When it does not take the word.
    pub fn is(&self, param: &ParamSpec, word: &str) -> Result<bool, ParamError> {
        let known = param.kind.words().unwrap_or_default();
        if known.contains(&word) {
            return Ok(self.or_default(param) == word);
        }
        Err(ParamError::value(param.name, word, &known))
    }

    /// Whether a parameter is `true`, `on` or `yes`, rather than `false`, `off` or `no`; an undeclared one has its default.
    ///
    /// # Errors
    /// When it is neither.
    pub fn is_on(&self, param: &ParamSpec) -> Result<bool, ParamError> {
        match self.or_default(param) {
            "true" | "on" | "yes" => Ok(true),
            "false" | "off" | "no" => Ok(false),
            other => Err(ParamError::value(param.name, other, &["true", "false"])),
        }
    }

    fn or_default(&self, param: &ParamSpec) -> &str {
        if self.has(param) { self.text(param.name) } else { param.default }
    }

    /// Returns the policy that a parameter of kind [`ParamKind::Policy`] names, or the plug-in used as an order.
    pub fn policy(&self, name: &str) -> Option<&Chosen> {
        self.policies.iter().find(|(key, _)| *key == name).map(|(_, policy)| policy)
    }

    /// Returns the plug-in that these parameters belong to.
    pub fn plugin(&self) -> Option<&Plugin> {
        self.plugin.as_ref()
    }

    /// Sets the plug-in that these parameters belong to.
    pub fn set_plugin(&mut self, plugin: Plugin) {
        self.plugin = Some(plugin);
    }

    /// Returns all policies named by parameters.
    pub fn policies(&self) -> impl Iterator<Item = &Chosen> {
        self.policies.iter().map(|(_, policy)| policy)
    }

    /// Sets the policy or plug-in that a parameter names, and its text to the canonical form.
    pub fn set_policy(&mut self, name: &'static str, policy: Chosen) {
        let spec = policy.canonical();
        if let Some((_, text)) = self.values.iter_mut().find(|(key, _)| *key == name) {
            let guarded = spec.contains(if policy.is_order() { ',' } else { ':' });
            *text = if guarded { format!("({spec})") } else { spec };
        }
        self.policies.push((name, policy));
    }

    /// Returns the needs caused by the parameters, including the policies that they name.
    pub fn needs(&self, declared: &[ParamSpec]) -> Needs {
        let values = self.values.iter().zip(declared).map(|((_, value), param)| param.needs_of(value));
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
            // The policy's name is a carrier with its subject: parameters follow as further parts, after a comma.
            Some(rest) if self.plugin.is_some() => format!("{policy}{}", rest.replacen(':', ",", 1)),
            _ => spec,
        }
    }
}

fn position(declared: &[ParamSpec], key: &str) -> Option<usize> {
    let named = |name: &str| declared.iter().position(|param| param.name == name);
    named(key).or_else(|| ALIASES.iter().find(|(alias, _)| *alias == key).and_then(|(_, name)| named(name)))
}
