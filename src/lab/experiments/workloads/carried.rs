//! What plug-ins hold: results depend on the files of plug-ins, and not only on their names.

use std::fs;
use std::path::Path;

use batchlab_policies::spec::Chosen;
use sha2::{Digest, Sha256};

use crate::experiment::checksums::hex;

/// The longest file of a command that is hashed; of a longer one the length is taken.
pub const LONGEST: u64 = 64 << 20;

/// Returns a hash of each file from which a policy, and the policies within it, are carried: the module or library, and of
/// a command the words that are files.
pub fn hashes(chosen: &Chosen) -> Vec<String> {
    words(chosen).iter().filter_map(|file| hash(Path::new(file))).collect()
}

/// Returns what may be files in the names of the plug-ins that a policy is or has.
pub fn words(chosen: &Chosen) -> Vec<String> {
    let own = chosen.params().plugin().map(|_| files(chosen.spec().name));
    let within = chosen.params().policies().flat_map(words);
    own.into_iter().flatten().chain(within).collect()
}

/// Returns what may be files in the name of a plug-in, `carrier:subject`.
fn files(name: &str) -> Vec<String> {
    let subject = name.split_once(':').map_or("", |(_, subject)| subject);
    let subject = subject.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(subject);
    let whole = subject.rsplit_once('#').map_or(subject, |(path, _)| path);
    let words = shlex::split(subject).unwrap_or_default();
    let words = words.into_iter().filter(|word| word != subject);
    [subject.to_owned(), whole.to_owned()]
        .into_iter()
        .take(1 + usize::from(whole != subject))
        .chain(words)
        .collect()
}

fn hash(file: &Path) -> Option<String> {
    let there = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    if there.len() > LONGEST {
        return Some(format!("{} bytes", there.len()));
    }
    Some(hex(&Sha256::digest(fs::read(file).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_plug_in_are_those_that_its_name_may_have() {
        assert_eq!(files("wasm:a/p.wat"), ["a/p.wat"]);
        assert_eq!(files("wasm:(a b.wat#sjf)"), ["a b.wat#sjf", "a b.wat", "a", "b.wat#sjf"]);
        assert_eq!(files("exec:(python3 'my policy.py' -k 3)")[1..], ["python3", "my policy.py", "-k", "3"]);
        assert_eq!(files("easy"), [""]);
    }
}
