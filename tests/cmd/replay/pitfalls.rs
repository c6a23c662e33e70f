//! Tests of the warnings of `replay` about misleading tables: one line each, and none for a sound table.

use crate::cmd::Folder;

fn told(folder: &Folder, args: &[&str]) -> Vec<String> {
    let done = folder.run(&[&["replay"], args].concat());
    done.succeeded();
    let of_pitfalls = |line: &&str| line.contains("`batchlab list pitfalls ");
    done.err.lines().filter(of_pitfalls).map(String::from).collect()
}

/// 400 jobs of 100 s on the whole machine, one every `gap` seconds, with requests twice as long.
fn log(gap: i64) -> String {
    let job = |at: i64| {
        let (id, submit) = (at + 1, at * gap);
        format!("{id} {submit} -1 100 4 -1 -1 4 200 -1 1 {} 1 -1 1 -1 -1 -1\n", at % 7)
    };
    "; Version: 2.2\n; MaxProcs: 4\n".to_owned() + &(0..400).map(job).collect::<String>()
}

#[test]
fn a_machine_that_keeps_up_with_one_policy_has_nothing_to_tell() {
    let folder = Folder::new();
    folder.write("a.swf", &log(110));
    assert_eq!(told(&folder, &["a.swf", "--policy", "easy"]), [""; 0]);
}

#[test]
fn each_pitfall_is_one_line() {
    let folder = Folder::new();
    folder.write("a.swf", &log(80));
    let saturated = told(&folder, &["a.swf", "--policy", "easy"]);
    assert_eq!(saturated.len(), 1, "{saturated:?}");
    assert!(
        saturated[0].starts_with("warning[saturated]: ")
            && saturated[0].contains("a, easy: 80 % of the work that arrived was done")
            && saturated[0].ends_with(" (`batchlab list pitfalls saturated`)"),
        "{saturated:?}"
    );
    let codes = |args: &[&str]| -> Vec<String> {
        let code = |line: &String| line.split(['[', ']']).nth(1).unwrap().to_owned();
        told(&folder, args).iter().map(code).collect()
    };
    // Two policies on one replay; the other size and exact estimates were requested explicitly.
    assert_eq!(codes(&["a.swf", "--policy", "easy", "--policy", "fcfs"]), ["saturated", "one-replay"]);
    let asked = ["a.swf", "--policy", "easy", "--load", "0.5", "--procs", "5", "--estimate", "actual"];
    assert_eq!(codes(&asked), ["machine-size", "perfect-estimates"]);
    assert_eq!(codes(&[&asked[..], &["--quiet"]].concat()), [""; 0]);
    // The check for saturation uses the whole replay, even if the measurement is trimmed.
    assert_eq!(codes(&["a.swf", "--policy", "easy", "--warmup", "1000"]), ["saturated"]);
}
