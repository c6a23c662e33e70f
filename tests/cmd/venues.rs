//! Tables and figures in papers of three classes: nothing is wider than its column or higher than its page.

use std::fs;
use std::path::Path;
use std::process::Command;

use batchlab::table::{PaperWidth, Venue};

use super::Folder;

/// An experiment whose tables are wide, long, narrow and of crossings, and whose plots have one panel and many.
const EXPERIMENT: &str = include_str!("venues.toml");

fn has(files: &[&str]) -> bool {
    let found = |file: &&str| {
        let output = Command::new("kpsewhich").arg(file).output();
        output.is_ok_and(|output| output.status.success() && !output.stdout.is_empty())
    };
    files.iter().all(found)
}

/// Compiles a document twice, so that references are known, and returns its log.
fn compile(folder: &Path, name: &str) -> String {
    for _ in 0..2 {
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", name])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    fs::read_to_string(folder.join(name).with_extension("log")).unwrap()
}

/// The packages and classes that a paper of a venue needs.
const PACKAGES: [&str; 6] =
    ["siunitx.sty", "multirow.sty", "booktabs.sty", "graphicx.sty", "array.sty", "longtable.sty"];

fn class_file(venue: Venue) -> &'static str {
    match venue {
        Venue::Ieee => "IEEEtran.cls",
        Venue::Acm => "acmart.cls",
        Venue::Llncs => "llncs.cls",
    }
}

#[test]
fn tables_and_figures_fit_the_classes_untouched() {
    for (venue, size, text) in [
        (Venue::Ieee, "ieee", "ieee-text"),
        (Venue::Acm, "acm", "acm-text"),
        (Venue::Llncs, "llncs", "llncs"),
    ] {
        if !has(&[&PACKAGES[..], &[class_file(venue)]].concat()) {
            eprintln!("skipped: pdflatex with {} and its packages is not here", class_file(venue));
            continue;
        }
        let folder = Folder::new();
        let quoted = |name: &str| format!("\"{name}\"");
        folder.write("e.toml", &EXPERIMENT.replace("SIZE", &quoted(size)).replace("TEXT", &quoted(text)));
        folder.run(&["run", "e.toml", "--out", "r", "--quiet"]).succeeded();
        let inputs: String = ["long", "wide", "narrow", "classes", "crossing-mean_wait-2000", "notes"]
            .map(|name| format!("\\input{{r/tables/{name}.tex}}\n"))
            .concat();
        let figures: String = [("lines", ""), ("panels", ""), ("text", "*")]
            .map(|(name, star)| {
                format!(
                    "\\begin{{figure{star}}}\\centering\\includegraphics{{r/plots/{name}.pdf}}\\caption{{{name}.}}\
                     \\end{{figure{star}}}\n"
                )
            })
            .concat();
        let document = format!(
            "\\documentclass{}\n\\usepackage[utf8]{{inputenc}}\n\
             \\usepackage{{array, booktabs, graphicx, longtable, multirow, siunitx}}\n\
             \\begin{{document}}\n\\title{{A paper}}\\author{{A. Author}}\\maketitle\n\
             \\typeout{{WIDTHS \\the\\columnwidth,\\the\\textwidth,\\the\\textheight}}\n\
             \\section{{Results}}\n{inputs}{figures}\\end{{document}}\n",
            venue.class()
        );
        folder.write("paper.tex", &document);
        let log = compile(&folder.path(""), "paper.tex");
        let is_fault = |line: &&str| {
            line.contains("Overfull \\hbox")
                || line.contains("Float too large")
                || line.contains("undefined") && !line.contains("Font shape")
        };
        let faults: Vec<&str> = log.lines().filter(is_fault).collect();
        assert!(faults.is_empty(), "{size}: {faults:?}");
        widths(&log, venue);
    }
}

/// The lengths of the class are those that sizes take.
fn widths(log: &str, venue: Venue) {
    let printed = log.lines().find_map(|line| line.strip_prefix("WIDTHS ")).unwrap();
    let printed: Vec<f64> =
        printed.split(',').map(|length| length.trim_end_matches("pt").parse().unwrap()).collect();
    let (column, text) = (PaperWidth::Column(venue), PaperWidth::Text(venue));
    let known = [column.points(), text.points(), text.height()];
    assert!(
        printed.iter().zip(known).all(|(printed, known)| (printed - known).abs() < 0.01),
        "{printed:?} {known:?}"
    );
}
