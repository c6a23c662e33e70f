//! What a publication that uses the results must cite and keep: references, acknowledgements, hashes, and
//! everything needed to reproduce the results.
//!
//! Each policy, order, model, step, rule and metric has a
//! [`Citation`](batchlab_traces::Citation), which names its works by key; the tables of an experiment say which
//! [`Statistic`](crate::report::tables::Statistic)s they show. [`works`] holds the works with all bibliographic fields,
//! and finds in words those that plug-ins name. A [`Bibliography`] lists what an experiment used; an [`artifact`] packs
//! the results folder into one file.

#[cfg(feature = "artifact")]
pub mod artifact;
pub mod bibliography;
mod page;
#[cfg(test)]
mod tests;
mod used;
pub mod work;
pub mod works;

use batchlab_study::experiment::folder::Contents;
use batchlab_support::spec::CARRIED;

pub use bibliography::{Bibliography, Reference};
pub use work::{PublishedWork, WorkKind};

/// Returns the options that the experiment needs to run, each after a blank.
pub(super) fn options(contents: &Contents) -> String {
    let mut words = contents.manifest.options.clone();
    for plugin in &contents.manifest.plugins {
        let carrier = plugin.spec.split(':').next().unwrap_or_default();
        let allowed = CARRIED.iter().find(|(name, ..)| *name == carrier).and_then(|(.., option)| *option);
        words.extend(allowed.filter(|option| !words.iter().any(|word| word == option)).map(str::to_owned));
    }
    let quoted = words.iter().filter_map(|word| shlex::try_quote(word).ok());
    quoted.flat_map(|word| [" ".into(), word]).collect()
}
