//! What was probably meant by a spec that names no policy.

use batchlab_traces::nearest::nearest;

use super::{DEEPEST, PREDICTING, Registry, SpecError};
use crate::spec::ParamSpec;
use crate::support::order::ORDER;

impl Registry {
    /// Returns the error for a value without a key, with the keys of the policy that take it: `easy:order=sjf` for
    /// `easy:sjf`.
    pub(super) fn without_key(&self, text: &str, value: String, depth: usize) -> SpecError {
        let name = text.split(':').next().unwrap_or_default().trim();
        let params = self.specs.iter().filter(|spec| spec.name == name).flat_map(|spec| spec.params);
        let with_key = |param: &ParamSpec| format!("{name}:{}={value}", param.name);
        let is_known = |spec: &String| depth < DEEPEST && self.choose_at(spec, depth + 1).is_ok();
        let specs = params.filter(|param| !value.contains('=') && param.name != value).map(with_key);
        SpecError::NoKey { specs: specs.filter(is_known).collect(), value }
    }

    /// Returns the error for the name of a policy that is not known.
    pub(super) fn unknown(&self, given: String) -> SpecError {
        let hosted = self.hosted.iter().map(|plugin| plugin.about.name.as_str());
        let plugins = self.plugins.iter().map(|named| named.name.as_str());
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).chain(plugins).chain(hosted).collect();
        let parts: Vec<&str> = given.split([',', '+', ' ']).filter(|part| !part.is_empty()).collect();
        if parts.len() > 1 && parts.iter().all(|part| names.contains(part)) {
            return SpecError::Several(given);
        }
        if ORDER.kind.accepts(&given) && !given.contains(['(', ':']) {
            let spec = format!("{}:{}={given}", PREDICTING.name, ORDER.name);
            return SpecError::Order(given, spec);
        }
        // Labels of tables are often in capital letters.
        let nearest = nearest(&given.to_lowercase(), names.iter().copied()).map(str::to_owned);
        SpecError::Unknown { nearest, given }
    }
}

/// Returns the question which of some specs was meant; nothing if there are none.
pub(super) fn meant_specs(specs: &[String]) -> String {
    match specs {
        [] => String::new(),
        specs => format!(" (did you mean `{}`?)", specs.join("` or `")),
    }
}
