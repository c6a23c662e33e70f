//! Suggestions for a plug-in whose file does not exist.

use std::io;
use std::path::Path;

use batchlab_traces::nearest::nearest;

use batchlab_contract::plugin::LoadError;

const MOST: usize = 8;

/// The error of a file that cannot be read. For a file that does not exist it lists the plug-ins in the same folder, the
/// probable match first. `ends` are the extensions of plug-ins.
pub fn missing(path: &str, error: &io::Error, ends: &[&str]) -> LoadError {
    let absent = error.kind() == io::ErrorKind::NotFound;
    let why = if absent { "there is no such file".into() } else { error.to_string() };
    let there = if absent { there(Path::new(path), ends) } else { String::new() };
    LoadError::Missing { path: path.into(), why, there }
}

fn there(path: &Path, ends: &[&str]) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let shown = if folder == Path::new(".") { "this folder".into() } else { folder.display().to_string() };
    let Ok(entries) = folder.read_dir() else {
        return format!("; {shown} is no folder that can be read");
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| ends.iter().any(|end| name.ends_with(end))).collect();
    if names.is_empty() {
        return format!("; {shown} holds no file whose name ends in {}", ends.join(" or "));
    }
    names.sort_unstable();
    let given = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let meant = nearest(given, names.iter().map(String::as_str)).map(str::to_owned);
    // Not a swap: the other names stay in alphabetical order.
    names.sort_by_key(|name| Some(name) != meant.as_ref());
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("; {shown} holds {}{more}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(path: &str, ends: &[&str]) -> String {
        missing(path, &io::Error::from(io::ErrorKind::NotFound), ends).to_string()
    }

    #[test]
    fn the_likeliest_is_named_first() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../policies/abi/rust");
        let said = error(&format!("{folder}/fcsf.rs"), &[".rs"]);
        assert_eq!(
            said,
            format!("{folder}/fcsf.rs: there is no such file; {folder} holds fcfs.rs, batchlab.rs, sjf.rs")
        );
        let said = error(&format!("{folder}/a.so"), &[".so", ".dll"]);
        assert!(said.ends_with(&format!("{folder} holds no file whose name ends in .so or .dll")), "{said}");
        let said = error(&format!("{folder}/none/a.so"), &[".so"]);
        assert!(said.ends_with(&format!("{folder}/none is no folder that can be read")), "{said}");
    }

    #[test]
    fn what_is_there_and_cannot_be_read_is_not_looked_for() {
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(missing("a.so", &denied, &[".so"]).to_string(), "a.so: permission denied");
    }
}
