//! Tests that some code exists in one place only.

use std::path::Path;

/// The only files with `unsafe` code: the one calls shared libraries; the other names functions for a browser, and has no block.
const PLACES: [&str; 2] = ["policies/external/src/shared/code.rs", "web/src/host.rs"];

/// Sources of plug-ins, which are not part of the program.
const GUESTS: &str = "policies/abi";

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_own = name != "target" && !name.starts_with('.') && !path.ends_with(GUESTS);
        if path.is_dir() && is_own {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs")
            && is_unsafe(&std::fs::read_to_string(&path).unwrap())
        {
            let own = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
            found.push(own.to_string_lossy().into_owned());
        }
    }
}

fn is_unsafe(source: &str) -> bool {
    // The keyword in a page's security policy is not code.
    let source = source.replace("'unsafe-inline'", "");
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words =
        code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.any(|word| word == concat!("un", "safe"))
}

#[test]
fn unsafe_code_is_in_two_files() {
    let mut found = Vec::new();
    sources(Path::new(env!("CARGO_MANIFEST_DIR")), &mut found);
    found.sort_unstable();
    assert_eq!(found, PLACES);
    let host = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PLACES[1])).unwrap();
    let words: Vec<&str> = host.lines().filter(|line| !line.starts_with("//") && is_unsafe(line)).collect();
    let is_name = |line: &&str| {
        line.starts_with(concat!("#[un", "safe(no_mangle)]"))
            || line.ends_with("extern \"C\" {")
            || line.starts_with("#![expect(")
    };
    assert!(words.iter().all(is_name), "{words:?}");
}
