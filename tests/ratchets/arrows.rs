//! What files of a crate import from each other, and the circles among them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Lines, sources};

/// The rooms of the program are in no circle: each room imports only from rooms that do not need it.
const ROOMS: &str = "src";

/// The most files of a circle in each crate. A file and those below it count as a circle if it names what they have and they
/// import from it.
const CIRCLES: &[(&str, usize)] = &[
    ("src", 60),
    ("parsers/src", 38),
    ("policies/src", 29),
    ("traces/src", 34),
    ("python/src", 4),
    ("policies/slurm/src", 18),
];

/// For each file of a crate, the files that it imports from.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Returns the module of a file as a path from the root of its crate.
fn module(file: &str) -> Vec<String> {
    let parts = file.trim_end_matches(".rs").split('/').map(str::to_owned);
    parts.filter(|part| part != "lib" && part != "main").collect()
}

/// Returns the paths of an import, of which braces hold several.
fn paths(import: &str) -> Vec<String> {
    let import = import.trim();
    let Some((before, inside)) = import.split_once('{') else {
        return vec![import.split(" as ").next().unwrap_or_default().trim().to_owned()];
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

/// Returns the paths that a file imports or names from the root of its crate or from the module above; its tests are left out.
fn named(lines: &Lines) -> Vec<String> {
    let tests =
        lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod tests {"));
    let code: Vec<&str> = lines[..tests.unwrap_or(lines.len())]
        .iter()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let text = code.join("\n");
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let is_item = text[..at].rsplit('\n').next().is_some_and(|before| {
            let before = before.trim();
            before.is_empty() || before == "pub" || (before.starts_with("pub(") && before.ends_with(')'))
        });
        if let Some((import, _)) = text[at + 4..].split_once(';').filter(|_| is_item) {
            found.extend(paths(import));
        }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
            let path = text[at..].split(|letter| !is_path(letter)).next().unwrap_or_default();
            found.push(path.trim_end_matches(':').to_owned());
        }
    }
    found
}

/// Returns the module that a path begins with, as seen from another; `None` if it is of another crate.
fn meant(path: &str, from: &[String], modules: &BTreeMap<Vec<String>, String>) -> Option<Vec<String>> {
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
            break;
        }
        at = below;
    }
    (!at.is_empty() && at != from).then_some(at)
}

fn arrows(root: &str) -> Arrows {
    let files = sources().into_iter().filter_map(|(file, lines)| {
        let file = file.strip_prefix(root)?.strip_prefix('/')?.to_owned();
        (!file.contains("tests")).then_some((file, lines))
    });
    let files: Vec<(String, Lines)> = files.collect();
    let modules: BTreeMap<Vec<String>, String> =
        files.iter().map(|(file, _)| (module(file), file.clone())).collect();
    let of = |(file, lines): &(String, Lines)| {
        let from = module(file);
        let seen =
            named(lines).into_iter().filter_map(|path| modules.get(&meant(&path, &from, &modules)?).cloned());
        (file.clone(), seen.collect())
    };
    files.iter().map(of).collect()
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

/// Returns the circles of several files: each file reaches all others.
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
    let mut rooms = Arrows::new();
    for (file, to) in arrows(ROOMS) {
        let others = to.iter().map(|to| room(to)).filter(|to| *to != room(&file));
        rooms.entry(room(&file)).or_default().extend(others);
    }
    assert!(rooms["cli"].contains("report"), "the arrows are found: {rooms:?}");
    assert_eq!(circles(&rooms), Vec::<BTreeSet<String>>::new());
}

#[test]
fn circles_of_files_are_small() {
    for &(root, most) in CIRCLES {
        let largest = circles(&arrows(root)).into_iter().max_by_key(BTreeSet::len).unwrap_or_default();
        assert_eq!(largest.len(), most, "the largest circle of {root}, which may only shrink: {largest:#?}");
    }
}

#[test]
fn an_import_is_taken_apart_and_a_circle_is_found() {
    assert_eq!(paths("super::{a, b::{C, d::E as F}}"), ["super::a", "super::b::C", "super::b::d::E"]);
    let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")];
    let arrows = arrows.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    let circle = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(circles(&Arrows::from(arrows)), [circle]);
}
