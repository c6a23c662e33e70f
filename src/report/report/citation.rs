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

pub use bibliography::{Bibliography, Reference};
pub use work::{PublishedWork, WorkKind};

/// Returns the options that the experiment needs to run, each after a blank.
pub(super) fn options(contents: &Contents) -> String {
    let mut words = contents.manifest.options.clone();
    for (carriers, option) in [(&["exec:", "batsim:"][..], "--allow-exec"), (&["so:"], "--allow-native")] {
        let is_one = |spec: &str| carriers.iter().any(|carrier| spec.starts_with(carrier));
        if contents.manifest.plugins.iter().any(|plugin| is_one(&plugin.spec))
            && !words.iter().any(|word| word == option)
        {
            words.push(option.into());
        }
    }
    let quoted = words.iter().filter_map(|word| shlex::try_quote(word).ok());
    quoted.flat_map(|word| [" ".into(), word]).collect()
}
