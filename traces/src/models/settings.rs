use super::{ModelError, Param};
use crate::nearest::nearest;

/// Checked settings of a model, in the order of its parameters.
#[derive(Clone, Debug, Default)]
pub struct ModelSettings {
    all: Vec<(&'static Param, Option<String>)>,
}

impl ModelSettings {
    /// Checks settings of the form `key=value`.
    ///
    /// # Errors
    /// When a setting is not of that form, its key is unknown or given twice, or its value is out of range.
    pub fn parse<S: AsRef<str>>(
        model: &'static str,
        params: &[&'static Param],
        given: &[S],
    ) -> Result<ModelSettings, ModelError> {
        let mut chosen: Vec<Option<String>> = vec![None; params.len()];
        for text in given {
            let text = text.as_ref();
            let Some((key, value)) = text.split_once('=') else {
                return Err(ModelError::NotAPair { given: text.into() });
            };
            let (key, value) = (key.trim(), value.trim());
            let Some(at) = params.iter().position(|param| param.name == key) else {
                return Err(unknown(model, params, key));
            };
            let Param { name: key, kind, .. } = params[at];
            if !kind.accepts(value) {
                return Err(ModelError::Value { key, value: value.into(), expected: kind.to_string() });
            }
            if chosen[at].replace(value.into()).is_some() {
                return Err(ModelError::Twice { key });
            }
        }
        Ok(ModelSettings { all: params.iter().copied().zip(chosen).collect() })
    }

    /// Returns the parameters that were set, with their values, in the order of the parameters.
    pub fn given(&self) -> impl Iterator<Item = (&'static Param, &str)> {
        self.all.iter().filter_map(|(param, value)| Some((*param, value.as_deref()?)))
    }

    /// Returns the value of a parameter as given; `None` if it was not set.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.given().find(|(param, _)| param.name == key).map(|(_, value)| value)
    }

    /// Returns the value of a parameter, or its default if it was not set; empty for an unknown key.
    pub fn value(&self, key: &str) -> &str {
        let found = self.all.iter().find(|(param, _)| param.name == key);
        found.map_or("", |(param, value)| value.as_deref().unwrap_or(param.default))
    }

    /// Returns the value of a number or a count, or its default if it was not set; not-a-number for another kind or key.
    pub fn amount(&self, key: &str) -> f64 {
        self.value(key).parse().unwrap_or(f64::NAN)
    }

    /// Returns `key=value` of some parameters, separated by blanks.
    pub fn summary(&self, params: &[Param]) -> String {
        let pair = |param: &Param| format!("{}={}", param.name, self.value(param.name));
        params.iter().map(pair).collect::<Vec<_>>().join(" ")
    }

    /// Returns the value of a number or a count; `None` if it was not set.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok()
    }
}

fn unknown(model: &'static str, params: &[&'static Param], key: &str) -> ModelError {
    let names = || params.iter().map(|param| param.name);
    let known = names().collect::<Vec<_>>().join(", ");
    ModelError::UnknownKey { model, key: key.into(), nearest: nearest(key, names()), known }
}
