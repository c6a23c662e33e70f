//! One table with all features, in every form.

use std::path::Path;
use std::process::Command;

use batchlab::report::tables::{Names, table};
use batchlab::study::Study;
use batchlab::table::writers::latex;
use batchlab::table::{Style, Table, writer};

use super::{frame, made, read};

const SPEC: &str = r#"
name = "main"
title = "Waits & utilization"
where = { load = 0.9 }
cells = ["value", "interval", "percent", "p"]
best = true
mean = "geometric"
"#;

fn written(table: &Table, form: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let style = Style { width: 130, ..Style::default() };
    (writer(form).unwrap().write)(table, &style).replace(&format!("batchlab {version}"), "batchlab VERSION")
}

/// Compares a table with a file of `golden`; with `UPDATE_SAMPLES` set it writes the file.
fn is_as_it_was(text: &str, file: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/compare/golden").join(file);
    if std::env::var_os("UPDATE_SAMPLES").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&file).unwrap(), "{}", file.display());
}

#[test]
fn every_form_is_as_it_was() {
    let table = made(SPEC, &frame());
    for (form, file) in
        [("table", "main.txt"), ("markdown", "main.md"), ("latex", "main.tex"), ("html", "main.html")]
    {
        is_as_it_was(&written(&table, form), file);
    }
}

#[test]
fn programs_get_a_row_for_each_value() {
    let frame = frame();
    let names = Names::of(&frame);
    let spec = read(SPEC, &names).unwrap().for_programs(&names);
    let table = table(&spec, &Study::new(&frame));
    assert_eq!(table.rows.len(), 2 * 3 * 2);
    is_as_it_was(&written(&table, "csv"), "main.csv");
    is_as_it_was(&written(&table, "json"), "main.json");
}

#[test]
fn markup_of_names_is_text_in_html() {
    let html = written(&made(SPEC, &frame()), "html");
    for escaped in ["KTH_SP2 &amp; co", "100% &lt;log&gt;", "sjf #1|x", "$cons"] {
        assert!(html.contains(escaped), "{escaped} is not in:\n{html}");
    }
    // Markup accepted by an XML parser is well formed; HTML's void elements are not XML.
    let page = html.replace("<br>", "<br/>");
    let tree = roxmltree::Document::parse(&page).unwrap();
    let sorted = tree.descendants().filter(|node| node.has_attribute("data-sort"));
    assert!(sorted.count() > 40);
}

#[test]
fn latex_compiles() {
    let has = |package: &str| {
        let found = Command::new("kpsewhich").arg(package).output();
        found.is_ok_and(|output| output.status.success() && !output.stdout.is_empty())
    };
    if !["siunitx.sty", "multirow.sty", "booktabs.sty"].into_iter().all(has) {
        eprintln!("skipped: pdflatex or siunitx, multirow, booktabs are not here");
        return;
    }
    let ascii: String = ('!'..='~').flat_map(|sign| [sign, ' ']).collect();
    let latin: String = ('\u{a1}'..='\u{17f}').flat_map(|sign| [sign, ' ']).collect();
    let signs = Table {
        title: format!("{ascii} {latin} {} \u{1b} Ж 作 --x ,, ?` ''", latex::signs()),
        caption: vec!["a \\ b ~ c ^ d".into()],
        ..made(SPEC, &frame())
    };
    for (name, table) in [("main", made(SPEC, &frame())), ("skewed", skewed()), ("signs", signs)] {
        let folder = tempfile::tempdir().unwrap();
        let text = latex::document(&[table], &Style::default(), latex::CLASS);
        std::fs::write(folder.path().join("main.tex"), &*text).unwrap();
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A table with a caution: one unit is far above the others.
fn skewed() -> Table {
    let mut frame = frame();
    for row in frame.rows.iter_mut().filter(|row| row.unit == Some(4)) {
        row.values[0] = Some(1e6);
    }
    made(SPEC, &frame)
}

#[test]
fn signs_of_cautions_are_commands_in_latex() {
    let text = latex::notes_of(&[skewed()]);
    assert!(text.contains("lognormal replications, $\\sigma$ = 1"), "{text}");
    assert!(!text.contains('σ'), "{text}");
}
