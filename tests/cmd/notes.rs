//! The notes of a paper of four tables: few words, nothing twice, one meaning for each sign, nothing of tables that it does not have.

use std::collections::HashMap;

use super::Folder;

/// An experiment with four tables about three logs.
const EXPERIMENT: &str = include_str!("notes.toml");
const TABLES: [&str; 4] = ["main", "against", "classes", "users"];
/// The most words of the notes: a column of a paper.
const MOST_WORDS: usize = 600;

#[test]
fn notes_of_four_tables_are_short_and_say_nothing_twice() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/data");
    are_short(&Folder::new(), &EXPERIMENT.replace("LOGS", logs));
}

/// Four logs of which a third of the jobs lack a request and a fifth outlive it, every fourth has its size in another field, with
/// failed jobs, partitions, and weeks without a job.
#[test]
fn notes_about_messy_logs_are_short() {
    let folder = Folder::new();
    for name in ["harbour", "valley", "lublin"] {
        let log = format!("{}/traces/data/{name}-128.swf.gz", env!("CARGO_MANIFEST_DIR"));
        folder.run(&["convert", &log, "--to", "swf", "-o", "clean.swf"]).succeeded();
        folder.write(&format!("{name}-128.swf.gz"), &messy(&folder.read("clean.swf")));
    }
    let fourth =
        "[[workload]]\nname = \"quay\"\ntrace = \"valley-128.swf.gz\"\nwindows = \"10d\"\n\n[[policy]]";
    are_short(&folder, &EXPERIMENT.replace("LOGS", ".").replacen("[[policy]]", fourth, 1));
    let notes = folder.read("results/tables/notes.tex");
    assert!(
        notes.contains("overruns: 1,000 jobs; 125 to 787 jobs a unit")
            && notes.contains("; overruns raise; ")
    );
    let idle =
        "hang on few units: mean wait, valley, EASY: 1 of 8 units are 0, and one makes 90 % of the sum";
    assert!(folder.read("results/tables/main.md").contains(idle));
}

fn messy(log: &str) -> String {
    let line = |(at, line): (usize, &str)| {
        let mut fields: Vec<i64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        if fields.len() < 18 {
            return format!("{line}\n");
        }
        fields[1] += if at > 2000 { 3 * 7 * 86400 } else { 0 };
        fields[7] = if at % 4 == 0 { -1 } else { fields[7] };
        fields[8] = [fields[3] / 2 + 1, -1, fields[8], -1, fields[8]][at % 5];
        (fields[10], fields[15]) = (i64::from(at % 7 > 0), (at % 3) as i64 + 1);
        fields.iter().map(i64::to_string).collect::<Vec<_>>().join(" ") + "\n"
    };
    log.lines().enumerate().map(line).collect()
}

fn are_short(folder: &Folder, experiment: &str) {
    folder.write("four.toml", experiment);
    folder.run(&["run", "four.toml", "--out", "results", "--quiet"]).succeeded();

    let text = folder.read("results/tables/notes.tex");
    let shown = shown(&text);
    let words: usize = shown.iter().map(|line| words(line)).sum();
    assert!((300..=MOST_WORDS).contains(&words), "{words} words:\n{}", shown.join("\n"));
    let mut sentences: Vec<&str> = shown.iter().copied().filter(|line| !line.starts_with('\\')).collect();
    let all = sentences.len();
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(sentences.len(), all, "each sentence once:\n{}", shown.join("\n"));
    assert!(text.contains("best without: ") && !shown.iter().any(|line| line.starts_with("best without: ")));

    let mut meanings: HashMap<String, String> = HashMap::new();
    for table in TABLES {
        let page = folder.read(&format!("results/tables/{table}.md"));
        let notes = page.lines().filter_map(|line| line.strip_prefix("- "));
        for (sign, meaning) in notes.filter_map(|note| note.split_once(' ')) {
            if sign.starts_with(['\u{2020}', '\u{2021}', '\u{a7}', '\u{b6}']) {
                let known = meanings.entry(sign.into()).or_insert_with(|| meaning.into());
                assert_eq!(known, meaning, "{sign} in {table}");
            }
        }
    }
    assert!(meanings.len() >= 2, "several signs: {meanings:?}");
}

/// Returns the lines of notes that a paper with these tables and no others shows.
fn shown(notes: &str) -> Vec<&str> {
    let begin = notes.find("\n\\ifnum0\\batchlabnone\\batchlabhas").expect("conditions of tables") + 1;
    let (mut lines, mut open) = (Vec::new(), Vec::new());
    for line in notes[begin..].lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("\\ifnum0\\batchlabnone") {
            Some(of) => open.push(TABLES.iter().any(|table| of.contains(&format!("{{tab:{table}}}")))),
            None if line == "\\fi" => drop(open.pop()),
            None if open.iter().all(|&is_shown| is_shown) => lines.push(line),
            None => {}
        }
    }
    assert!(open.is_empty(), "{notes}");
    lines
}

/// Returns the number of words of a line; a head of tables has one for each and "Tables".
fn words(line: &str) -> usize {
    let tables =
        TABLES.iter().filter(|table| line.contains(&format!("\\batchlabtable{{tab:{table}}}"))).count();
    if tables > 0 { 1 + tables } else { line.split_whitespace().count() }
}
