//! What `batchlab paper` makes of links and of LaTeX; all other tests are in `scripts/paper.txt`.

use super::Folder;
use super::venues::{compile, has_latex};

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

#[test]
fn a_new_paper_runs_and_compiles_as_it_is() {
    let folder = Folder::new();
    for (class, file) in
        [("ieee", "IEEEtran"), ("acm", "acmart"), ("llncs", "llncs"), ("elsarticle", "elsarticle")]
    {
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
        if has_latex(file) {
            compile(&folder.path(class), "main.tex");
        }
    }
    folder.run(&["paper", "new", "ieee"]).failed(2, "ieee has a README.md already; nothing was written");
    folder.run(&["paper", "new", "my paper"]).failed(2, "`my paper` is no name of a paper");
    folder.run(&["paper", "new", "x", "--title", "a \"b\""]).failed(2, "--title: no quotation marks");
    assert!(!folder.path("my paper").exists() && !folder.path("x").exists());
}
