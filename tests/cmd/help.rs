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

#[test]
fn the_help_of_every_verb_ends_with_an_example_of_it() {
    let folder = Folder::new();
    let verbs = verbs(&folder);
    assert!(verbs.len() >= 7, "{verbs:?}");
    for verb in verbs {
        for help in ["-h", "--help"] {
            let done = folder.run(&[&verb, help]);
            let last = done.succeeded().lines().rev().take(2).find(|line| line.starts_with("Example: "));
            let example = last.unwrap_or_else(|| panic!("{verb} {help} has no example"));
            assert!(example.starts_with(&format!("Example: batchlab {verb} ")), "{example}");
            assert_eq!(done.err, "");
        }
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
