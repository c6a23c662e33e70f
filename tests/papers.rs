//! The papers that the program carries, at the sizes of a quick run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::cmd::Folder;

fn papers() -> Vec<PathBuf> {
    papers_in("tests/papers")
}

fn papers_in(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut papers: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    papers.retain(|path| path.join("paper.toml").is_file());
    papers.sort();
    papers
}

/// The TOML files of a paper, each with its name.
fn tables(paper: &Path) -> impl Iterator<Item = (String, toml::Table)> {
    let files = fs::read_dir(paper).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.map(|file| (file.display().to_string(), fs::read_to_string(&file).unwrap().parse().unwrap()))
}

/// Renew the records with `BATCHLAB_RECORD=1 cargo test --test main papers::`.
#[test]
fn a_quick_run_of_each_paper_gives_its_record() {
    let record = std::env::var_os("BATCHLAB_RECORD").is_some();
    let folder = Folder::new();
    let (papers, others) = (papers(), papers_in("examples/papers"));
    assert!(papers.len() >= 6 && !others.is_empty(), "{papers:?} {others:?}");
    for paper in papers.iter().chain(&others) {
        let name = paper.file_name().unwrap().to_str().unwrap();
        let given = if papers.contains(paper) { name.into() } else { format!("examples/papers/{name}") };
        let out = folder.path("p");
        let arguments = ["paper", &given, "--quick", "--out", out.to_str().unwrap(), "--threads", "2", "-q"];
        folder.run_in(env!("CARGO_MANIFEST_DIR"), &arguments).succeeded();
        let made = folder.read(&format!("p/{name}/README.md"));
        let file = paper.join("quick.md");
        if record {
            fs::write(&file, &made).unwrap();
        }
        let recorded =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(made == recorded, "{} is not what the experiments give", file.display());
        assert!(made.contains(" statements (") && !made.contains('\u{1b}'), "{name}");
    }
}

/// What the recorded page of a paper says in one line: in words, and how many statements have which outcome.
fn counted(paper: &Path) -> (String, String) {
    let page = fs::read_to_string(paper.join("README.md")).unwrap();
    let line =
        page.lines().find(|line| line.contains(" statements (") && line.contains(" claims) ")).unwrap();
    let (words, counts) = line.split_at(line.rfind("Of ").unwrap());
    (words.to_owned(), counts.replacen("Of", "of", 1).trim_end_matches('.').to_owned())
}

/// Record full runs with `batchlab paper --all --logs DIR --out OUT` and `tests/papers/record.sh OUT`.
#[test]
fn the_readme_has_the_counts_of_the_recorded_pages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (before, block) = readme.split_once("<!-- papers -->\n").expect("a block of papers");
    let (block, behind) = block.split_once("<!-- end of papers -->").unwrap();
    let line = |paper: &PathBuf| {
        let name = paper.file_name().unwrap().to_str().unwrap();
        let (words, counts) = counted(paper);
        format!("* {words}[{name}](tests/papers/{name}/README.md): {counts}\n")
    };
    let expected: String = papers().iter().map(line).collect();
    if std::env::var_os("BATCHLAB_RECORD").is_some() {
        let text = format!("{before}<!-- papers -->\n{expected}<!-- end of papers -->{behind}");
        fs::write(root.join("README.md"), text).unwrap();
        return;
    }
    assert_eq!(block, expected);
}

/// The words of a text that are numbers of two digits at least.
fn numbers(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    let words = text.split(|letter| !is_part(letter)).map(|word| word.trim_matches(['.', ',']));
    words.filter(|word| word.bytes().filter(u8::is_ascii_digit).count() > 1).map(str::to_owned).collect()
}

/// Each section of the page is about the paper to which its heading has a link, and a year alone is no measured number.
#[test]
fn the_page_about_reproductions_has_numbers_of_the_recorded_pages() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("REPRODUCTIONS.md")).unwrap();
    let mut count = 0;
    for section in page.split("\n## ").skip(1) {
        let (heading, prose) = section.split_once('\n').unwrap();
        let Some((_, link)) = heading.split_once("](") else { continue };
        let recorded = fs::read_to_string(docs.join(link.trim_end_matches(')'))).unwrap();
        let known = numbers(&recorded);
        for number in numbers(prose) {
            assert!(known.contains(&number), "{heading}: {number} is not in the recorded page");
            count += 1;
        }
    }
    assert!(count >= 15, "{count} numbers");
}

/// The verdicts of a page, by experiment and claim; claims with the same words are counted.
fn verdicts(page: &str) -> BTreeMap<(String, String, usize), String> {
    let (mut found, mut experiment) = (BTreeMap::new(), String::new());
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            name.clone_into(&mut experiment);
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let words = ["holds", "does not hold", "open", "not decided", "cannot be checked", "substitute"];
        let verdict = cells[1..].iter().find(|cell| words.iter().any(|word| cell.starts_with(word)));
        let is_claim = line.starts_with("| ") && !experiment.is_empty();
        if let (true, Some(verdict)) = (is_claim, verdict) {
            let claim = (experiment.clone(), cells[0].to_owned());
            let nth = seen.entry(claim.clone()).or_default();
            *nth += 1;
            found.insert((claim.0, claim.1, *nth), (*verdict).to_owned());
        }
    }
    found
}

#[test]
fn quick_pages_decide_nothing_that_the_recorded_ones_contradict() {
    let mut count = 0;
    for paper in papers() {
        let [quick, full] =
            ["quick.md", "README.md"].map(|page| verdicts(&fs::read_to_string(paper.join(page)).unwrap()));
        for (claim, verdict) in quick {
            let known = full.get(&claim).unwrap_or_else(|| panic!("{claim:?} is not in the recorded page"));
            assert!(!verdict.starts_with("does not"), "{claim:?}: {verdict}");
            assert!(!verdict.starts_with("holds") || !known.starts_with("does not"), "{claim:?}: {verdict}");
            count += 1;
        }
    }
    assert!(count > 300, "{count} claims");
}

/// The numbers that a text prints, without their signs; the end of a sentence is no decimal point.
fn printed(text: &str) -> Vec<f64> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',';
    let words = text.split(|letter| !is_part(letter)).map(|word| word.trim_end_matches(['.', ',']));
    words.filter_map(|word| word.replace(',', "").parse().ok()).collect()
}

/// A number that is headed "published" was: it stands in the paper's text, as such or in per cent, and so do the numbers of a formula.
/// 0 and 1 stand in any text, so that they are published in the cells of a table only.
#[test]
fn published_numbers_stand_in_the_texts_of_the_papers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/papers");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    let mut count = 0;
    for paper in papers() {
        let name = paper.file_name().unwrap().to_str().unwrap();
        let (author, year) = name.split_at(name.len() - 2);
        let is_text = |file: &&PathBuf| {
            let file = file.file_name().unwrap().to_str().unwrap();
            file.starts_with(author) && file.contains(&format!("{year}-"))
        };
        let Some(text) = files.iter().find(is_text) else { continue };
        let known = printed(&fs::read_to_string(text).unwrap());
        let stands = |number: f64| {
            known.iter().any(|&one| (one - number).abs() < 1e-9 || (one - 100.0 * number).abs() < 1e-9)
        };
        for (file, table) in tables(&paper) {
            for conclusion in table.get("conclusion").and_then(toml::Value::as_array).into_iter().flatten() {
                let told = conclusion.get("number").and_then(toml::Value::as_str).unwrap_or_default();
                let published = told.split("(published").skip(1).filter_map(|rest| rest.split(')').next());
                for number in published.flat_map(printed) {
                    assert!(stands(number), "{file}: {number} of {told:?}");
                }
            }
            for claim in table.get("claim").and_then(toml::Value::as_array).into_iter().flatten() {
                let Some(value) = claim.get("value") else { continue };
                let at = format!("{file}: {value:?} of {:?}", claim["says"]);
                let numbers: Vec<f64> =
                    texts(Some(value)).unwrap().iter().flat_map(|text| printed(text)).collect();
                assert!(claim.get("source").is_some(), "{at} has no source");
                assert!(numbers.iter().all(|&number| stands(number)), "{at} is not in {}", text.display());
                assert!(
                    claim.get("cell").is_some() || !matches!(numbers[..], [0.0 | 1.0]),
                    "{at} is asserted"
                );
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count} numbers");
}

/// The values of a key, as texts; those of a single value, too.
fn texts(value: Option<&toml::Value>) -> Option<Vec<String>> {
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Boolean(is) => is.to_string(),
        value => panic!("{value:?}"),
    };
    Some(match value? {
        toml::Value::Array(values) => values.iter().map(text).collect(),
        value => vec![text(value)],
    })
}

/// The points that a claim is about, in each term if it has several: a value of each axis, the workload first.
fn covered(claim: &toml::Value, axes: &[(String, Vec<String>)]) -> BTreeSet<Vec<String>> {
    let trend = ["rises_with", "falls_with"].into_iter().find_map(|key| claim.get(key)?.as_str());
    let at_claim = |(axis, all): &(String, Vec<String>)| {
        let given = if axis == WORKLOAD {
            claim.get("workloads")
        } else {
            claim.get("where").and_then(|of| of.get(axis))
        };
        texts(given).filter(|_| trend != Some(axis)).unwrap_or_else(|| all.clone())
    };
    let terms: Vec<&toml::Value> =
        claim.get("let").and_then(toml::Value::as_table).into_iter().flat_map(|of| of.values()).collect();
    let of_term = |term: Option<&&toml::Value>| {
        let mut points = vec![Vec::new()];
        for axis in axes {
            let named = term.and_then(|term| texts(term.get(&axis.0)));
            let values = named.unwrap_or_else(|| at_claim(axis));
            points = points
                .iter()
                .flat_map(|point| {
                    values.iter().map(|value| [&point[..], std::slice::from_ref(value)].concat())
                })
                .collect();
        }
        points
    };
    if terms.is_empty() {
        of_term(None).into_iter().collect()
    } else {
        terms.iter().flat_map(|term| of_term(Some(term))).collect()
    }
}

const WORKLOAD: &str = "workload";

/// The statements about directions that leave out points without saying so in `left_out`.
fn silent(experiment: &toml::Table) -> Vec<String> {
    let sections =
        |key: &str| experiment.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let workloads = sections("workload")
        .iter()
        .filter_map(|of| texts(["name", "model", "trace"].iter().find_map(|key| of.get(key))))
        .flatten()
        .collect();
    let swept = experiment.get("sweep").and_then(toml::Value::as_table).into_iter().flatten();
    let swept = swept.map(|(name, values)| (name.clone(), texts(Some(values)).unwrap()));
    let axes: Vec<(String, Vec<String>)> =
        std::iter::once((WORKLOAD.to_owned(), workloads)).chain(swept).collect();
    let all: usize = axes.iter().map(|(_, values)| values.len()).product();
    let claims = sections("claim");
    let named = |name: &str| {
        claims.iter().find(|claim| claim.get("name").and_then(toml::Value::as_str) == Some(name))
    };
    let parent = |claim: &&toml::Value| claim.get("part_of").and_then(toml::Value::as_str).and_then(named);
    let mut statements: BTreeMap<usize, (BTreeSet<Vec<String>>, bool)> = BTreeMap::new();
    for claim in &claims {
        let root = std::iter::successors(Some(claim), |claim| parent(claim)).last().unwrap();
        let at = claims.iter().position(|claim| std::ptr::eq(claim, root)).unwrap();
        let is_number = ["value", "asserted", "half_width"].iter().any(|key| claim.get(key).is_some());
        let is_direction = !is_number
            && ["order", "rises_with", "falls_with", "expect"].iter().any(|key| claim.get(key).is_some());
        let (points, directed) = statements.entry(at).or_default();
        *directed |= is_direction;
        if is_number || is_direction {
            points.extend(covered(claim, &axes));
        }
    }
    let is_silent = |(at, (points, directed)): (&usize, &(BTreeSet<Vec<String>>, bool))| {
        *directed && points.len() < all && claims[*at].get("left_out").is_none()
    };
    statements
        .iter()
        .filter(|of| is_silent(*of))
        .map(|(at, _)| claims[*at]["says"].as_str().unwrap().into())
        .collect()
}

#[test]
fn statements_are_about_all_points_or_say_which_they_leave_out() {
    for paper in papers().into_iter().chain(papers_in("examples/papers")) {
        for (file, table) in tables(&paper) {
            let found = silent(&table);
            assert!(found.is_empty(), "{file}: {found:?} leave out points in silence");
        }
    }
}
