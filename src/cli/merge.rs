use std::path::PathBuf;

use super::arguments::{FORMS, QUIET, arguments, option, place, switch};
use super::run::end::publish_and_tell;
use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::folder::{Begun, Contents, Folder};
use crate::experiment::results::Known;
use crate::lab::Failure;
use crate::report::copy_settings;
use crate::table::writer;

arguments! {
    /// Join the shards of one experiment: the folders that `run --shard I/N` wrote
    ///
    /// The order of the folders does not matter; a replay that is in several folders must have the same values in
    /// all of them. The result is the same, byte for byte, as that of one run. If replays are missing, nothing is
    /// written unless --partial is given.
    #[command(after_help = "\
Example: batchlab merge shard-1 shard-2 shard-3 -o results
         batchlab merge shard-* -o results --partial")]
    pub struct Merge {
        shards: Vec<PathBuf> = place("shards", "DIR", "Folders of shards").required().reads(),
        output: PathBuf = option("output", "DIR", "The folder to write").short('o').writes_into(),
        partial: bool = switch(
            "partial", "Join the shards even if replays are missing; `run --resume` in the folder runs the missing ones",
        ),
        format: String = FORMS,
        quiet: bool = QUIET,
    }
}

impl Merge {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let writer = writer(&self.format)?;
        let mut shards = Vec::new();
        for path in &self.shards {
            shards.push((path.display().to_string(), Folder::new(path).open()?));
        }
        let joined = joined(shards)?;
        let missing = joined.missing();
        if let (Some(first), false) = (missing.first(), self.partial) {
            let (count, all) = (missing.len() as u64, joined.replays() as u64);
            let (are, all) = (if count == 1 { "is" } else { "are" }, text::counted(all, "replay"));
            return Err(Failure::Input(format!(
                "{} of {all} {are} missing, the first with key {first}: a shard has not ended or was not named; \
                 --partial joins what there is",
                text::count(count)
            )));
        }
        let folder = Folder::new(&self.output);
        let Begun { known, lock: _lock, .. } = folder.begin(&joined.manifest, true)?;
        same(&self.output.display().to_string(), &known, "the shards", &joined.known)?;
        folder.describe(&joined.experiment, &joined.manifest, &joined.plan)?;
        for shard in &self.shards {
            folder.copy_kept(&Folder::new(shard))?;
            copy_settings(&Folder::new(shard), &folder)?;
        }
        folder.complete(&joined.manifest, &joined.plan, &joined.known)?;
        if !self.quiet {
            let rows = joined.plan.len() as u64;
            let folders = text::counted(self.shards.len() as u64, "folder");
            tell::note(&format!(
                "{} from {folders} in {}",
                text::counted(rows, "row"),
                self.output.display()
            ));
        }
        if missing.is_empty() {
            publish_and_tell(registry, &folder, &joined, writer, self.quiet)
        } else {
            Ok(())
        }
    }
}

/// Joins the contents of several folders with the same plan.
fn joined(shards: Vec<(String, Contents)>) -> Result<Contents, Failure> {
    let mut shards = shards.into_iter();
    let Some((name, mut all)) = shards.next() else {
        return Err(Failure::Usage("nothing to join".into()));
    };
    for (other, shard) in shards {
        if (&shard.experiment, &shard.manifest, &shard.plan) != (&all.experiment, &all.manifest, &all.plan) {
            let what = if shard.manifest.tool == all.manifest.tool {
                "another experiment, or another version of it"
            } else {
                "another version of the program"
            };
            return Err(Failure::Input(format!("{other} is of {what} than {name}: they cannot be joined")));
        }
        same(&name, &all.known, &other, &shard.known)?;
        all.known.extend(shard.known);
    }
    Ok(all)
}

/// Checks that replays in two folders have the same values in both.
fn same(name: &str, known: &Known, other_name: &str, other: &Known) -> Result<(), Failure> {
    let mut keys: Vec<&String> = other.keys().filter(|key| known.contains_key(*key)).collect();
    keys.sort();
    match keys.into_iter().find(|key| known[*key] != other[*key]) {
        None => Ok(()),
        Some(key) => Err(Failure::Input(format!(
            "replay {key} has other values in {other_name} than in {name}: one of them is damaged, or was made by \
             another program"
        ))),
    }
}
