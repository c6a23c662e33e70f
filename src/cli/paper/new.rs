use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::own_name;
use crate::cli::arguments::{arguments, option, place, values};
use crate::cli::terminal::form::print;
use crate::experiment::file_name::{LETTERS, is_file_name};
use crate::lab::Failure;
use crate::parsers::OutputFolder;
use crate::table::writers::latex;

arguments! {
    /// Write a folder from which a paper is made: paper.toml, an experiment with claims, main.tex, and a README with the commands
    ///
    /// It runs and compiles as it is: three policies on generated jobs, with a table, a figure and claims. Put your own workloads,
    /// policies and words into it. Nothing that exists is replaced.
    #[command(after_help = "Example: batchlab paper new sjbf --class llncs --title 'Shortest Jobs Backfill First'")]
    pub struct NewPaper {
        folder: PathBuf = place("folder", "FOLDER", "The folder, whose name is that of the paper").writes_into(),
        class: LatexClass = option("class", "CLASS", "The class of main.tex").default("ieee"),
        title: String = option("title", "TEXT", "Its title").default("Backfilling the Shortest Jobs First"),
    }
}

/// A class of LaTeX documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LatexClass {
    /// `IEEEtran`, two columns
    Ieee,
    /// acmart, two columns
    Acm,
    /// llncs of Springer, one column
    Llncs,
    /// elsarticle of Elsevier, two columns
    Elsarticle,
}

values!(LatexClass);

/// The files, each with what it holds before names are put in.
const FILES: [(&str, &str); 4] = [
    ("README.md", include_str!("skeleton/README.md")),
    ("comparison.toml", include_str!("skeleton/comparison.toml")),
    ("main.tex", include_str!("skeleton/main.tex")),
    ("paper.toml", include_str!("skeleton/paper.toml")),
];

const ABSTRACT: &str = "\\begin{abstract}\nWhat the paper shows, in a paragraph.\n\\end{abstract}";

impl LatexClass {
    fn document(self) -> &'static str {
        match self {
            LatexClass::Ieee => "\\documentclass[conference]{IEEEtran}",
            LatexClass::Acm => "\\documentclass[sigconf, nonacm]{acmart}",
            LatexClass::Llncs => "\\documentclass[runningheads]{llncs}",
            LatexClass::Elsarticle => "\\documentclass[final, 5p, times, twocolumn]{elsarticle}",
        }
    }

    fn author(self) -> &'static str {
        match self {
            LatexClass::Ieee => "\\author{\\IEEEauthorblockN{A. Author}\\IEEEauthorblockA{Institution}}",
            LatexClass::Acm => {
                "\\author{A. Author}\n\\affiliation{\\institution{Institution}\\city{City}\\country{Country}}"
            }
            LatexClass::Llncs => "\\author{A. Author}\n\\institute{Institution}",
            LatexClass::Elsarticle => {
                "\\author{A. Author}\n\\affiliation{organization={Institution}, country={Country}}"
            }
        }
    }

    /// The size of tables and figures.
    fn size(self) -> &'static str {
        match self {
            LatexClass::Ieee => "ieee",
            LatexClass::Acm => "acm",
            LatexClass::Llncs => "llncs",
            LatexClass::Elsarticle => "elsarticle",
        }
    }

    /// Returns what comes before the first section.
    fn front(self, title: &str) -> String {
        let head = format!("\\title{{{title}}}\n{}\n", self.author());
        match self {
            LatexClass::Acm => format!("{head}{ABSTRACT}\n\\maketitle"),
            LatexClass::Ieee | LatexClass::Llncs => format!("{head}\\maketitle\n{ABSTRACT}"),
            LatexClass::Elsarticle => {
                format!("\\begin{{frontmatter}}\n{head}{ABSTRACT}\n\\end{{frontmatter}}")
            }
        }
    }
}

impl NewPaper {
    pub fn run(&self) -> Result<(), Failure> {
        let shown = self.folder.display();
        if let Some((file, _)) =
            FILES.iter().find(|(file, _)| fs::symlink_metadata(self.folder.join(file)).is_ok())
        {
            return Err(Failure::Usage(format!("{shown} has a {file} already; nothing was written")));
        }
        if self.title.contains(|letter: char| letter.is_control() || "\"\\".contains(letter)) {
            return Err(Failure::Usage("--title: no quotation marks, backslashes or line ends".into()));
        }
        let name = match self.folder.file_name() {
            Some(name) if !self.folder.exists() => name.to_os_string(),
            _ => own_name(&self.folder)?,
        };
        let name = name.to_string_lossy();
        if !is_file_name(&name) {
            return Err(Failure::Usage(format!(
                "`{}` is no name of a paper, which stands in commands and in LaTeX: {LETTERS}, and no `.` first",
                name.escape_debug()
            )));
        }
        for (file, text) in FILES {
            OutputFolder::new(&self.folder).put_text(file, &self.filled(text, &name))?;
        }
        print(&next(&self.folder))
    }

    /// Returns what a file holds.
    fn filled(&self, text: &str, name: &str) -> String {
        text.replace("@CLASS@", self.class.document())
            .replace("@FRONT@", &self.class.front(&latex::escape(&self.title)))
            .replace("@SIZE@", self.class.size())
            .replace("@NAME@", name)
            .replace("@TITLE@", &self.title)
    }
}

fn next(folder: &Path) -> String {
    let files: Vec<&str> = FILES.iter().map(|(file, _)| *file).collect();
    format!(
        "{}: {}\nnext: cd {}; batchlab paper . --out results; pdflatex main; pdflatex main\n",
        folder.display(),
        files.join(", "),
        super::word(&folder.to_string_lossy())
    )
}
