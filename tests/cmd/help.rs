use super::Folder;

pub(super) fn verbs(folder: &Folder) -> Vec<String> {
    let help = folder.run(&["--help"]);
    let listed = help.succeeded().split("Verbs:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    verbs
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|verb| verb != "help")
        .collect()
}

/// The most lines of `-h`: a screen.
const SCREEN: usize = 40;

#[test]
fn the_short_help_of_every_verb_is_a_screen_that_begins_with_two_examples_and_the_long_one_ends_with_them() {
    let folder = Folder::new();
    let verbs = verbs(&folder);
    assert!(verbs.len() >= 7, "{verbs:?}");
    for verb in verbs {
        let short = folder.run(&[&verb, "-h"]);
        let lines: Vec<&str> = short.succeeded().lines().collect();
        assert!(lines.len() <= SCREEN, "{verb} -h: {} lines", lines.len());
        assert_eq!(lines[0], "Examples:");
        assert!(lines[1].starts_with(&format!("  batchlab {verb} ")), "{}", lines[1]);
        assert!(lines[2].starts_with("  bat"), "{verb} -h has one example");
        let all = format!("`batchlab help {verb}` says more");
        assert!(lines.last().is_some_and(|line| line.starts_with(&all)), "{lines:?}");
        let long = folder.run(&[&verb, "--help"]);
        let last = long.succeeded().lines().rev().nth(1).unwrap_or_default();
        assert!(last.starts_with(&format!("Example: batchlab {verb} ")), "{last}");
        assert_eq!((short.err.as_str(), long.err.as_str()), ("", ""));
    }
}

#[test]
fn the_manual_page_has_a_section_for_every_verb() {
    let folder = Folder::new();
    let done = folder.run(&["man"]);
    // In a manual page a minus is escaped.
    let page = done.succeeded().replace("\\-", "-");
    assert!(page.contains(".TH batchlab 1"));
    for verb in verbs(&folder) {
        assert!(page.contains(&format!("\n.SH {}\n", verb.to_uppercase())), "{verb}");
        assert!(page.contains(&format!("Example: batchlab {verb}")), "{verb}");
    }
    assert_eq!(page.matches("\n.SH SYNOPSIS\n").count(), 1);
    assert!(page.contains("130 interrupted"));
}

#[test]
fn completions_know_every_verb_in_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = folder.run(&["completions", shell]);
        for verb in verbs(&folder) {
            assert!(done.succeeded().contains(&verb), "{shell} {verb}");
        }
    }
    folder.run(&["completions", "csh"]).failed(2, "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn pipes_may_close_early() {
    let folder = Folder::new();
    for args in [&["man"][..], &["completions", "zsh"], &["--help"], &["replay", "--help"]] {
        let done = folder.run_and_leave(args);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn wrong_usage_is_2_with_a_hint_and_nothing_on_standard_output() {
    let folder = Folder::new();
    folder.run(&["inf"]).failed(2, "similar subcommand");
    folder.run(&["info", "a.swf", "--fromat", "swf"]).failed(2, "--from");
    assert_eq!(folder.run(&["--version"]).succeeded(), concat!("batchlab ", env!("CARGO_PKG_VERSION"), "\n"));
}
