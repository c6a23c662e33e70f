//! What files of a crate import from each other, and the circles among them.

use std::collections::{BTreeMap, BTreeSet};

use super::{CRATES, Lines, after, sources};

/// The rooms of these crates are in no circle: each room imports only from rooms that do not need it.
const ROOMED: [&str; 4] = ["src", "src/engine", "src/report", "src/study"];

/// The most files of a circle in each crate. A file and those below it count as a circle if it names what they have and they
/// import from it; what a file only hands on is imported from where it stands.
const CIRCLES: &[(&str, usize)] = &[
    ("src", 2),
    ("src/engine", 3),
    ("src/environment", 2),
    ("src/report", 3),
    ("src/study", 3),
    ("parsers/src", 3),
    ("policies/src", 3),
    ("policies/contract/src", 3),
    ("policies/external/src", 2),
    ("traces/src", 3),
    ("python/src", 2),
    ("policies/slurm/src", 3),
    ("policies/support/src", 3),
];

/// For each file of a crate, the files that it imports from.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn module(file: &str) -> Vec<String> {
    let parts = file.trim_end_matches(".rs").split('/').map(str::to_owned);
    parts.filter(|part| part != "lib" && part != "main").collect()
}

/// Returns the paths of an import, of which braces hold several, each with the name that the file gives it.
fn paths(import: &str) -> Vec<(String, String)> {
    let import = import.trim();
    let Some((before, inside)) = import.split_once('{') else {
        let (path, alias) = import.split_once(" as ").map_or((import, None), |(path, to)| (path, Some(to)));
        let path = path.trim().trim_end_matches("::self");
        let name = alias.or_else(|| path.rsplit("::").next()).unwrap_or_default();
        return vec![(path.to_owned(), name.trim().to_owned())];
    };
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[from..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| paths(&format!("{before}{}", part.trim()))).collect()
}

/// What a file takes from others, and what it hands on.
#[derive(Debug, Default)]
struct Names {
    /// The paths that it imports or names from the root of its crate or from the module above.
    taken: Vec<String>,
    /// The names that others find here, each with the path of what it is.
    handed_on: BTreeMap<String, String>,
}

/// Returns what a file takes and hands on; its tests are left out.
fn names(lines: &Lines) -> Names {
    let tests =
        lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod tests {"));
    let code: Vec<&str> = lines[..tests.unwrap_or(lines.len())]
        .iter()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let text = code.join("\n");
    let used = without_imports(&text);
    let mut found = Names::default();
    for (at, _) in text.match_indices("use ") {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim();
        let is_public = before == "pub" || (before.starts_with("pub(") && before.ends_with(')'));
        let import = text[at + 4..].split_once(';').filter(|_| is_public || before.is_empty());
        let paths = import.map(|(import, _)| paths(import)).unwrap_or_default();
        for (path, name) in paths {
            if is_public {
                found.handed_on.insert(name.clone(), path.clone());
            }
            // What is only handed on is nothing that the file needs.
            if !is_public || has_word(&used, &name) {
                found.taken.push(path);
            }
        }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
            let path = text[at..].split(|letter| !is_path(letter)).next().unwrap_or_default();
            // What is in braces is an import.
            if !text[at + path.len()..].starts_with('{') {
                found.taken.push(path.trim_end_matches(':').to_owned());
            }
        }
    }
    found
}

/// Returns a text without its imports and the names of its modules.
fn without_imports(text: &str) -> String {
    let code = |part: &str| {
        let lines = part.split('\n').take_while(|line| after(line, &["use", "mod"]).is_none());
        lines.collect::<Vec<_>>().join("\n")
    };
    text.split(';').map(code).collect::<Vec<_>>().join(";")
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

type Modules = BTreeMap<Vec<String>, String>;

/// Returns the module that a path begins with, as seen from another, and the name behind it; `None` if it is of another crate.
fn begun(path: &str, from: &[String], modules: &Modules) -> Option<(Vec<String>, Option<String>)> {
    let mut words: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut at = match words[0] {
        "crate" => Vec::new(),
        "self" | "super" => from.to_vec(),
        _ => {
            let below: Vec<String> = from.iter().cloned().chain([words[0].to_owned()]).collect();
            modules.contains_key(&below).then(|| from.to_vec())?
        }
    };
    while matches!(words.first(), Some(&("crate" | "self" | "super"))) {
        if words.remove(0) == "super" {
            at.pop();
        }
    }
    for word in words {
        let below: Vec<String> = at.iter().cloned().chain([word.to_owned()]).collect();
        if !modules.contains_key(&below) {
            return Some((at, Some(word.to_owned())));
        }
        at = below;
    }
    Some((at, None))
}

/// Returns the module that has what a path means, as seen from another: a module that only hands it on is passed through.
fn meant(path: &str, from: &[String], modules: &Modules, names: &BTreeMap<String, Names>) -> Option<String> {
    let (mut path, mut seen_from) = (path.to_owned(), from.to_vec());
    // As often as anything is handed on.
    for _ in 0..8 {
        let (at, name) = begun(&path, &seen_from, modules)?;
        let file = modules.get(&at).filter(|_| at != from)?;
        let on = name.and_then(|name| names[file].handed_on.get(&name));
        match on.filter(|on| begun(on, &at, modules).is_some_and(|(to, _)| to != at)) {
            Some(on) => (path, seen_from) = (on.clone(), at),
            None => return Some(file.clone()),
        }
    }
    None
}

fn arrows(root: &str) -> Arrows {
    let files = sources().into_iter().filter_map(|(file, lines)| {
        let is_nested = CRATES.iter().any(|&nested| file.starts_with(nested) && nested != root);
        let file = file.strip_prefix(root)?.strip_prefix('/')?.to_owned();
        (!is_nested && !file.contains("tests")).then_some((file, names(&lines)))
    });
    let names: BTreeMap<String, Names> = files.collect();
    let modules: Modules = names.keys().map(|file| (module(file), file.clone())).collect();
    let of = |(file, own): (&String, &Names)| {
        let from = module(file);
        let seen = own.taken.iter().filter_map(|path| meant(path, &from, &modules, &names));
        (file.clone(), seen.collect())
    };
    names.iter().map(of).collect()
}

/// Returns what can be reached from a file.
fn reached<'a>(from: &'a str, arrows: &'a Arrows) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        let new = arrows.get(file).into_iter().flatten().map(String::as_str).filter(|to| found.insert(to));
        next.extend(new);
    }
    found
}

fn circles(arrows: &Arrows) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reached(file, arrows))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (file, to) in &reached {
        let circle = to.iter().filter(|other| reached.get(*other).is_some_and(|back| back.contains(file)));
        let circle: BTreeSet<String> = circle.map(|&file| file.to_owned()).collect();
        if circle.len() > 1 && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[test]
fn rooms_are_in_no_circle() {
    let room = |file: &str| file.split(['/', '.']).next().unwrap_or_default().to_owned();
    for root in ROOMED {
        let mut rooms = Arrows::new();
        for (file, to) in arrows(root) {
            let others = to.iter().map(|to| room(to)).filter(|to| *to != room(&file));
            rooms.entry(room(&file)).or_default().extend(others);
        }
        assert!(root != "src/report" || rooms["paper"].contains("report"), "the arrows are found: {rooms:?}");
        assert_eq!(circles(&rooms), Vec::<BTreeSet<String>>::new(), "{root}");
    }
}

#[test]
fn circles_of_files_are_small() {
    let largest = |root| circles(&arrows(root)).into_iter().max_by_key(BTreeSet::len).unwrap_or_default();
    let found: Vec<(&str, BTreeSet<String>)> =
        CIRCLES.iter().map(|&(root, _)| (root, largest(root))).collect();
    let sizes: Vec<(&str, usize)> = found.iter().map(|(root, circle)| (*root, circle.len())).collect();
    assert_eq!(sizes, CIRCLES, "the largest circle of each crate, which may only shrink: {found:#?}");
}

#[test]
fn an_import_is_taken_apart_and_a_circle_is_found() {
    let import = paths("super::{a, b::{self, c, d::E as F}}");
    let import: Vec<(&str, &str)> =
        import.iter().map(|(path, name)| (path.as_str(), name.as_str())).collect();
    let expected = [("super::a", "a"), ("super::b", "b"), ("super::b::c", "c"), ("super::b::d::E", "F")];
    assert_eq!(import, expected);
    let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")];
    let arrows = arrows.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    let circle = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(circles(&Arrows::from(arrows)), [circle]);
}

#[test]
fn an_arrow_goes_to_the_file_that_has_what_another_hands_on() {
    let file = |text: &str| names(&text.lines().map(str::to_owned).collect());
    let room = file("mod wall;\npub use wall::{Brick, Mortar as Glue};\npub fn own() {}\n");
    let wall = file("use super::own;\npub struct Brick;\n");
    let names = BTreeMap::from([("room.rs".to_owned(), room), ("room/wall.rs".to_owned(), wall)]);
    let modules: Modules = names.keys().map(|file| (module(file), file.clone())).collect();
    let to = |path: &str, from: &str| meant(path, &module(from), &modules, &names);
    assert_eq!(to("crate::room::Glue", "yard.rs").as_deref(), Some("room/wall.rs"));
    assert_eq!(to("crate::room::own", "yard.rs").as_deref(), Some("room.rs"));
    assert_eq!(to("super::own", "room/wall.rs").as_deref(), Some("room.rs"));
    assert_eq!(to("super::Brick", "room/wall.rs"), None, "a file has no arrow to itself");
    assert_eq!(to("std::fmt", "yard.rs"), None);
}
