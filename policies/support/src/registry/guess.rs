//! What was probably meant by a spec that names no policy.

use batchlab_traces::nearest::nearest;

use super::{DEEPEST, Policies, PolicySpec, SpecError};
use crate::order::ORDER;
use crate::spec::ParamSpec;

impl Policies {
    /// Returns the error for a value without a key, with the keys of the policy that take it: `easy:order=sjf` for `easy:sjf`.
    pub(super) fn without_key(&self, text: &str, value: String, depth: usize) -> SpecError {
        let name = text.split(':').next().unwrap_or_default().trim();
        let params = self.specs.iter().filter(|spec| spec.name == name).flat_map(|spec| spec.params);
        let with_key = |param: &ParamSpec| format!("{name}:{}={value}", param.name);
        let is_known = |spec: &String| depth < DEEPEST && self.choose_at(spec, depth + 1).is_ok();
        let specs = params.filter(|param| !value.contains('=') && param.name != value).map(with_key);
        SpecError::NoKey { specs: specs.filter(is_known).collect(), value }
    }

    pub(super) fn unknown(&self, given: String) -> SpecError {
        let hosted = self.hosted.iter().map(|plugin| plugin.about.name.as_str());
        let plugins = self.plugins.iter().map(|named| named.name.as_str());
        let names: Vec<&str> = self.specs.iter().map(|spec| spec.name).chain(plugins).chain(hosted).collect();
        let parts: Vec<&str> = given.split([',', '+', ' ']).filter(|part| !part.is_empty()).collect();
        if parts.len() > 1 && parts.iter().all(|part| names.contains(part)) {
            return SpecError::Several(given);
        }
        if ORDER.kind.accepts(&given) && !given.contains(['(', ':']) {
            let spec = format!("{}:{}={given}", self.built_in.predicting.name, ORDER.name);
            return SpecError::Order(given, spec);
        }
        let of_label = self.built_in.labels.iter().find(|(label, _)| *label == given.to_lowercase());
        let specs = match of_label {
            Some((_, spec)) => vec![(*spec).to_owned()],
            None => self.separated(&given),
        };
        if !specs.is_empty() {
            return SpecError::Unknown { specs, given };
        }
        // Labels of tables are often in capital letters.
        let nearest = nearest(&given.to_lowercase(), names.iter().copied());
        SpecError::Unknown { specs: nearest.map(str::to_owned).into_iter().collect(), given }
    }

    /// Returns the specs meant by a policy whose parameters follow another sign than a colon: `easy-sjf`,
    /// `easy(order=sjf)`; none for another text.
    fn separated(&self, given: &str) -> Vec<String> {
        let begins = |spec: &&PolicySpec| {
            let rest = given.strip_prefix(spec.name);
            rest.is_some_and(|rest| rest.starts_with(['-', '_', ' ', '(', '/', '+', ';']))
        };
        // Of `easy` and `easy-x` the longer name is meant.
        let Some(spec) = self.specs.iter().filter(begins).max_by_key(|spec| spec.name.len()) else {
            return Vec::new();
        };
        let rest = &given[spec.name.len() + 1..];
        let rest = rest.trim_end_matches(')').replace([';', ' '], ",");
        let specs = if rest.contains('=') {
            vec![format!("{}:{rest}", spec.name)]
        } else {
            spec.params.iter().map(|param| format!("{}:{}={rest}", spec.name, param.name)).collect()
        };
        specs.into_iter().filter(|spec| self.choose(spec).is_ok()).collect()
    }
}

/// Returns the question which of some specs was meant; nothing if there are none.
pub(super) fn meant_specs(specs: &[String]) -> String {
    match specs {
        [] => String::new(),
        specs => format!(" (did you mean `{}`?)", specs.join("` or `")),
    }
}
