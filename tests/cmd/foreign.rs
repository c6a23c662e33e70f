//! Texts of logs, plug-ins and experiments reach no terminal unescaped, and messages stay short.

use super::{Done, Folder};

const ESCAPE: &str = "\u{1b}[31mred\u{202e}der\u{9b}2J\u{7}";

fn is_safe(done: &Done, what: &str) {
    for text in [&done.out, &done.err] {
        let strange = text.chars().find(|&letter| {
            letter.is_control() && letter != '\n' || ('\u{202a}'..='\u{202e}').contains(&letter)
        });
        assert_eq!(strange, None, "{what}: {text:?}");
    }
}

#[test]
fn texts_of_a_log_are_printed_without_control_sequences() {
    let folder = Folder::new();
    let log = format!(
        "; Computer: {ESCAPE}\n; Queue: 1 {ESCAPE}\n; Note: {ESCAPE}\n; MaxProcs: 4\n\
         1 0 5 10 2 -1 -1 2 20 -1 1 1 1 -1 1 -1 -1 -1\n{ESCAPE} 2\n2 1 5 10 2 -1 -1 2 x{ESCAPE} -1 1 1 1 -1 1 -1 -1 -1\n"
    );
    folder.write("a.swf", &log);
    folder.write(&format!("b{ESCAPE}.swf"), &log);
    let odd = format!("b{ESCAPE}.swf");
    for args in [
        &["info", "a.swf"][..],
        &["info", "a.swf", "--format", "json"],
        &["info", "a.swf", "--format", "csv"],
        &["info", &odd],
        &["replay", "a.swf", "--policy", "easy"],
        &["replay", &odd, "--policy", "easy", "--format", "markdown"],
        &["replay", &odd, "--policy", "easy", "--format", "json"],
        &["convert", "a.swf", "-o", "c.swf"],
        &["replay", "a.swf", "--policy", ESCAPE],
        &["explain", "a.swf", "1", "--policy", "easy"],
    ] {
        let done = folder.run(args);
        is_safe(&done, &args.join(" "));
    }
    let json = folder.run(&["replay", &odd, "--policy", "easy", "--format", "json", "-q"]);
    serde_json::from_str::<serde_json::Value>(json.succeeded()).unwrap();
    assert!(folder.read("c.swf").contains(ESCAPE), "what is written of a log stays as it is");
}

#[test]
fn labels_of_an_experiment_are_printed_without_their_escapes() {
    let folder = Folder::with_log();
    let label = "\\u001b[31m=red\\u202e";
    folder.write(
        "e.toml",
        &format!(
            "[experiment]\nname = \"e\"\n[[workload]]\nname = \"w\"\ntrace = \"week.swf\"\n\
             [[policy]]\nlabel = \"{label}\"\nspec = \"easy\"\n[[policy]]\nlabel = \"=1+1\"\nspec = \"fcfs\"\n"
        ),
    );
    for form in ["table", "markdown", "csv", "json", "html", "latex"] {
        let done = folder.run(&["run", "e.toml", "--out", form, "--format", form]);
        assert_eq!(done.code, 0, "{}", done.err);
        is_safe(&done, form);
    }
    let csv = folder.run(&["table", "csv", "--format", "csv"]);
    assert!(csv.succeeded().contains(",\"=1+1\","), "{}", csv.out);
}

#[test]
fn no_message_echoes_megabytes() {
    let folder = Folder::with_log();
    let long = "x".repeat(1_000_000);
    folder.write("long.toml", &format!("[experiment]\nname = \"e\"\n{long} = 1\n"));
    folder.write(
        "spec.toml",
        &format!(
            "[experiment]\nname = \"e\"\n[[workload]]\ntrace = \"week.swf\"\n[[policy]]\nspec = \"{long}\"\n"
        ),
    );
    folder.write(
        "long.swf",
        &format!("; MaxProcs: 4\n{long} 1 2 3\n1 0 5 10 2 -1 -1 2 {long} -1 1 1 1 -1 1 -1 -1 -1\n"),
    );
    for args in
        [&["run", "long.toml"][..], &["run", "spec.toml"], &["replay", "long.swf", "--policy", "easy"]]
    {
        let done = folder.run(args);
        assert!(done.code != 0 || !done.err.is_empty(), "{args:?}");
        assert!(
            done.err.len() < 20_000 && done.out.len() < 20_000,
            "{args:?}: {} {}",
            done.err.len(),
            done.out.len()
        );
    }
}

/// A pipe without a writer would block its reader for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_module_and_no_file_of_an_experiment() {
    let folder = Folder::with_log();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.wasm")).status();
    assert!(made.unwrap().success());
    std::fs::copy(folder.path("week.swf"), folder.path("a.swf")).unwrap();
    folder
        .run(&["list", "policies", "wasm:pipe.wasm"])
        .failed(3, "pipe.wasm is no plug-in for `wasm`: it is a folder, a pipe or a device, and no file");
    folder
        .run(&["list", "policies", "--plugin", "pipe.wasm"])
        .failed(3, "it is a folder, a pipe or a device, and no file");
    let experiment = |workload: &str| {
        let text =
            format!("[experiment]\nname = \"e\"\n[[workload]]\n{workload}\n[[policy]]\nspec = \"easy\"\n");
        folder.write("e.toml", &text);
        folder.run(&["run", "e.toml"])
    };
    experiment("trace = \"pipe.wasm\"").failed(2, "pipe.wasm is no file");
    experiment("trace = \"a.swf\"\nrules = \"pipe.wasm\"").failed(2, "pipe.wasm is no file");
    experiment("trace = \"/dev/zero\"").failed(2, "/dev/zero is no file");
    folder.run(&["run", "e.toml", "--out", "r"]).failed(2, "/dev/zero is no file");
}
