//! What `batchlab paper` makes of links and of LaTeX; all other tests are in `scripts/paper.txt`.

use super::Folder;

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_of_a_paper_is_not_followed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("two")).unwrap();
    let keys =
        "title = \"t\"\nreference = \"r\"\nsays = \"s\"\nfound = \"f\"\nexperiments = [\"drawn.toml\"]\n";
    folder.write("two/paper.toml", keys);
    folder.write("elsewhere.toml", super::run::SMALL);
    std::os::unix::fs::symlink(folder.path("elsewhere.toml"), folder.path("two/drawn.toml")).unwrap();
    folder.run(&["paper", "two", "--out", "p", "-q"]).failed(2, "two/drawn.toml is a link");
}

/// The packages of LaTeX that a new paper needs besides its class.
const PACKAGES: [&str; 3] = ["booktabs.sty", "multirow.sty", "siunitx.sty"];

#[test]
fn a_new_paper_runs_and_compiles_as_it_is() {
    let folder = Folder::new();
    for (class, file) in [("ieee", "IEEEtran.cls"), ("acm", "acmart.cls"), ("llncs", "llncs.cls")] {
        let title = "Costs & Gains of 50 %";
        let made = folder.run(&["paper", "new", class, "--class", class, "--title", title]);
        let said = made.succeeded();
        assert!(
            said.starts_with(&format!("{class}: README.md, comparison.toml, main.tex, paper.toml\nnext: ")),
            "{said}"
        );
        folder.run(&["paper", class, "--quick", "--out", &format!("{class}/results"), "-q"]).succeeded();
        let page = folder.read(&format!("{class}/results/{class}/README.md"));
        assert!(
            page.contains(
                "| Shortest job first among the jobs that backfill lowers the mean bounded slowdown |"
            ),
            "{page}"
        );
        compile(&folder.path(class), file);
    }
    folder.run(&["paper", "new", "ieee"]).failed(2, "ieee has a README.md already; nothing was written");
    folder.run(&["paper", "new", "my paper"]).failed(2, "`my paper` is no name of a paper");
    folder.run(&["paper", "new", "x", "--title", "a \"b\""]).failed(2, "--title: no quotation marks");
    assert!(!folder.path("my paper").exists() && !folder.path("x").exists());
}

/// Compiles main.tex of a folder, where LaTeX has a class: no line of the document runs over its margin.
fn compile(folder: &std::path::Path, class: &str) {
    use std::process::Command;
    let is_known =
        |file: &&str| Command::new("kpsewhich").arg(file).output().is_ok_and(|done| done.status.success());
    let has_latex = Command::new("pdflatex").arg("--version").output().is_ok();
    if !has_latex || ![class].iter().chain(&PACKAGES).all(is_known) {
        eprintln!("skipped: pdflatex, {class} or one of {} is not here", PACKAGES.join(", "));
        return;
    }
    let mut pdflatex = Command::new("pdflatex");
    let done = pdflatex
        .args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"])
        .current_dir(folder)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && folder.join("main.pdf").exists(), "{class}: {log}");
    let overfull: Vec<&str> = log.lines().filter(|line| line.starts_with("Overfull \\hbox")).collect();
    assert!(overfull.is_empty(), "{class}: {overfull:?}");
}
