//! Tables and figures in papers of four classes: nothing is wider than its column or higher than its page, and no letter of a figure
//! is smaller than 6 pt.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use batchlab::table::{PaperWidth, Venue};

use super::Folder;

/// An experiment whose tables are wide, long, narrow and of crossings.
const TABLES: &str = include_str!("venues.toml");
/// An experiment with all kinds of plots, of five policies on five workloads, which name no size.
const PLOTS: &str = include_str!("venues_plots.toml");
/// An experiment with a heat map of five policies and four workloads.
const HEAT: &str = include_str!("heat.toml");
/// The packages that a paper needs besides its class.
const PACKAGES: [&str; 6] =
    ["siunitx.sty", "multirow.sty", "booktabs.sty", "graphicx.sty", "array.sty", "longtable.sty"];
/// The least size of letters, in points of 1/72 inch, and the size in which figures are laid out.
const LEAST: f64 = 6.0;
const LETTER: f64 = 7.5;

/// Whether LaTeX has a class with the packages of a paper; prints why a test is skipped if not.
pub(super) fn has_latex(class: &str) -> bool {
    let found = |file: &str| {
        let output = Command::new("kpsewhich").arg(file).output();
        output.is_ok_and(|output| output.status.success() && !output.stdout.is_empty())
    };
    let file = format!("{class}.cls");
    let missing = PACKAGES.into_iter().chain([file.as_str()]).find(|file| !found(file));
    if let Some(missing) = missing {
        eprintln!("skipped: pdflatex with {missing} is not here");
    }
    missing.is_none()
}

/// Compiles a document until references are known, and returns its log: nothing runs over a margin or off a page.
pub(super) fn compile(folder: &Path, name: &str) -> String {
    for _ in 0..3 {
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", name])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let log = fs::read_to_string(folder.join(name).with_extension("log")).unwrap();
    let is_fault = |line: &&str| {
        // elsarticle's own foot of the first page is too wide by 1.9 pt.
        line.contains("Overfull \\hbox") && !line.contains("while \\output is active")
            || line.contains("Float too large")
            || line.contains("undefined") && !line.contains("Font shape")
    };
    let faults: Vec<&str> = log.lines().filter(is_fault).collect();
    assert!(faults.is_empty(), "{}: {faults:?}", folder.display());
    log
}

/// The name of the class in `\documentclass`.
fn class_name(venue: Venue) -> &'static str {
    let class = venue.class();
    class.rsplit('{').next().unwrap().trim_end_matches('}')
}

#[test]
fn tables_and_figures_fit_the_classes_untouched() {
    for (size, venue) in Venue::ALL {
        if !has_latex(class_name(venue)) {
            continue;
        }
        let folder = Folder::new();
        folder.write("log.swf", &log());
        for (name, text) in [("tables", TABLES), ("plots", PLOTS)] {
            folder.write(&format!("{name}.toml"), &text.replace("SIZE", &format!("\"{size}\"")));
            folder.run(&["run", &format!("{name}.toml"), "--out", name, "--quiet"]).succeeded();
        }
        let mut document = format!(
            "\\documentclass{}\n\\usepackage[utf8]{{inputenc}}\n\
             \\usepackage{{array, booktabs, graphicx, longtable, multirow, siunitx}}\n\
             \\begin{{document}}\n\\title{{A paper}}\\author{{A. Author}}\\maketitle\n\
             \\typeout{{WIDTHS \\the\\columnwidth,\\the\\textwidth,\\the\\textheight}}\n\\section{{Results}}\n",
            venue.class()
        );
        for name in ["long", "wide", "narrow", "classes", "crossing-mean_wait-2000", "notes"] {
            let _ = writeln!(document, "\\input{{tables/tables/{name}.tex}}");
        }
        let plots = plots(&folder, venue);
        assert_eq!(plots.len(), PLOTS.matches("[[plot]]").count() + 1, "{size}: all plots and the verdict");
        for (name, star) in plots {
            let _ = writeln!(
                document,
                "\\begin{{figure{star}}}\\centering\\includegraphics{{plots/plots/{name}.pdf}}\\caption{{{name}.}}\
                 \\end{{figure{star}}}\\clearpage"
            );
        }
        folder.write("paper.tex", &(document + "\\end{document}\n"));
        widths(&compile(&folder.path(""), "paper.tex"), venue);
    }
}

/// The numbers of a heat map in a column stay in their cells, and no word is cut.
#[test]
fn the_numbers_of_a_heat_map_stay_in_their_cells() {
    let folder = Folder::new();
    for (size, _) in Venue::ALL {
        folder.write("heat.toml", &HEAT.replace("SIZE", size));
        folder.run(&["run", "heat.toml", "--out", size, "--quiet"]).succeeded();
        let svg = folder.read(&format!("{size}/plots/heat.svg"));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let number = |node: roxmltree::Node<'_, '_>, key: &str| {
            node.attribute(key).map(|text| text.parse::<f64>().unwrap())
        };
        let cells = document.descendants().filter(|node| node.has_tag_name("rect") && node.has_children());
        let width = cells.filter_map(|node| number(node, "width")).fold(f64::INFINITY, f64::min);
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let numbers = texts.filter(|node| {
            node.text()
                .is_some_and(|text| text.starts_with(|sign: char| sign == '\u{d7}' || sign.is_ascii_digit()))
        });
        // Digits of Helvetica are .556 of their size wide.
        let widths: Vec<f64> = numbers
            .map(|node| {
                0.556
                    * number(node, "font-size").unwrap_or(10.0)
                    * node.text().unwrap().chars().count() as f64
            })
            .collect();
        assert_eq!(
            widths.len(),
            4 * 5 * 3 * 2,
            "{size}: a number and a ratio for each policy, class and workload"
        );
        assert!(widths.iter().all(|of| *of < width), "{size}: {widths:?} in cells of {width}");
        assert!(
            svg.contains(">mean bounded slowdown, \u{d7} ratio to EASY</text>") && !svg.contains('\u{2026}'),
            "{size}"
        );
    }
}

/// Returns the plots of a folder, each with the star of its `figure`; their letters are legible.
fn plots(folder: &Folder, venue: Venue) -> Vec<(String, &'static str)> {
    let files = fs::read_dir(folder.path("plots/plots")).unwrap().map(|file| file.unwrap().path());
    let mut plots: Vec<(String, &'static str)> = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "svg")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let svg = fs::read_to_string(&file).unwrap();
        let between = |from: &str| svg.split(from).nth(1).unwrap().split('"').next().unwrap();
        let width: f64 = between(" width=\"").parse().unwrap();
        let canvas: f64 = between("viewBox=\"0 0 ").split(' ').next().unwrap().parse().unwrap();
        let sizes = svg.split("font-size=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let least = sizes.map(|size| size.parse::<f64>().unwrap()).fold(f64::INFINITY, f64::min);
        let letters = LETTER * least / 10.0 * width / canvas;
        assert!(letters >= LEAST, "{name} in {venue:?}: letters of {letters:.2} pt");
        let is_wide = width * 72.27 / 96.0 > PaperWidth::Column(venue).points() + 1.0;
        plots.push((name, if is_wide { "*" } else { "" }));
    }
    plots.sort_unstable();
    plots
}

/// Returns a log of three weeks with six users.
fn log() -> String {
    let job = |at: u32| {
        let (submit, run, procs) = (at * 12_100, 900 + at * 7919 % 40_000, 1 + at * 13 % 64);
        let user = 1 + at % 6;
        format!("{at} {submit} -1 {run} {procs} -1 -1 {procs} {} -1 1 {user} 1 -1 -1 -1 -1 -1\n", run * 2)
    };
    "; MaxProcs: 64\n".to_owned() + &(1..150).map(job).collect::<String>()
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
