//! What was probably meant by a command line that clap refuses.

use std::ffi::OsString;

use batchlab_traces::nearest::synonym;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::Registry;

/// Puts the verb or option that a word of other programs stands for in place of the one that is spelt most alike.
pub fn improve(error: &mut clap::Error, verbs: &[String]) {
    let (given, suggested) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        _ => return,
    };
    let Some(ContextValue::String(word)) = error.get(given) else { return };
    let word = word.trim_start_matches('-').to_owned();
    if suggested == ContextKind::SuggestedSubcommand {
        if let Some(verb) = synonym(&word, verbs.iter().map(String::as_str)) {
            error.insert(suggested, ContextValue::Strings(vec![verb.to_owned()]));
        }
    } else if let Some(option) = synonym(&word, ["policy"]) {
        error.insert(suggested, ContextValue::String(format!("--{option}")));
    }
}

/// Returns how a policy is named, if an argument too many is one of the words of which one is a policy.
pub fn policy_told(registry: &Registry, error: &clap::Error, words: &[OsString]) -> Option<String> {
    let is_plain =
        matches!(error.get(ContextKind::InvalidArg)?, ContextValue::String(word) if !word.starts_with('-'));
    if error.kind() != ErrorKind::UnknownArgument || !is_plain {
        return None;
    }
    let words: Vec<&str> = words.iter().skip(2).filter_map(|word| word.to_str()).collect();
    let spec = words.iter().find(|word| registry.choose(word).is_ok())?;
    Some(format!("`{spec}` is a policy, which an option names: --policy {spec}"))
}
