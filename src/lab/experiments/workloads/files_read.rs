use std::path::PathBuf;

use batchlab_slurm::reader::SystemFile;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use super::options::{self, beside};
use super::{Workloads, carried};
use crate::experiment::{Batch, ExperimentPlan, InputFile, WorkloadSpec};
use crate::lab::Failure;
use crate::lab::logs::redact;
use crate::lab::logs::rules::is_text;

pub(super) fn named(workload: &WorkloadSpec) -> impl Iterator<Item = &str> {
    let named = options::files(workload).chain(workload.steps.as_deref()).chain(workload.rules.as_deref());
    named.filter(|path| !is_text(path) && *path != "-")
}

impl Workloads<'_> {
    /// Returns the files that the replays of a plan read besides logs: those that workloads name, those that belong to an
    /// installation, and the words of plug-ins that are files. With `--redact` there are none, as they may have names.
    pub fn inputs(&self, plan: &ExperimentPlan) -> Result<Vec<InputFile>, Failure> {
        if redact::is_on() {
            return Ok(Vec::new());
        }
        let mut found: SortedMap<String, PathBuf> = SortedMap::new();
        let mut before = None;
        for Batch { workload, .. } in &plan.batches {
            if before.replace(workload) == Some(workload) {
                continue;
            }
            found.extend(named(workload).map(|name| (name.into(), beside(&self.folder, name).into())));
            let installation = self.options(workload)?.slurm.included()?;
            let seen = |file: &SystemFile| options::seen_from(&self.folder, &file.name).to_owned();
            found.extend(installation.iter().map(|file| (seen(file), PathBuf::from(&*file.name))));
        }
        let policies: SortedSet<Vec<String>> =
            plan.tasks.iter().map(|task| carried::words(&task.policy)).collect();
        found.extend(policies.into_iter().flatten().map(|word| (word.clone(), word.into())));
        // A word of a command may be a file that only its user may read, or one of data, of which keys have the length.
        let is_short = |path: &PathBuf| {
            path.metadata().is_ok_and(|there| there.is_file() && there.len() <= carried::LONGEST)
        };
        let files = found.into_iter().filter(|(_, path)| is_short(path));
        Ok(files.filter_map(|(name, path)| InputFile::of(name, path).ok()).collect())
    }
}
