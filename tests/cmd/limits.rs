//! Tests of output that cannot be written, and of texts that are too long.

use super::Folder;

const EXPERIMENT: &str = "\
[experiment]\nname = \"e\"\n[[workload]]\ntrace = \"week.swf\"\n[[policy]]\nspec = \"easy\"\n";

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = Folder::with_log();
    folder.run(&["replay", "week.swf", "-q", "--policy", "easy", "--schedule", "a.csv"]).succeeded();
    for args in [
        &["--help"][..],
        &["--version"],
        &["replay", "--help"],
        &["list", "policies"],
        &["list", "carriers", "so"],
        &["info", "week.swf", "-q"],
        &["explain", "week.swf", "1", "-q", "--policy", "easy"],
        &["verify", "week.swf", "a.csv", "-q"],
        &["diff", "week.swf", "a.csv", "a.csv", "-q"],
        &["completions", "bash"],
        &["convert", "week.swf", "-o", "-"],
    ] {
        let mut command = std::process::Command::new(folder.command().get_program());
        let done = command
            .current_dir(folder.path(""))
            .args(args)
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(3), "{args:?}: {err}");
        assert!(err.contains("cannot write to standard output: "), "{args:?}: {err}");
    }
}

/// A text may have 16 MiB and a schedule 4 GiB, packed or not. The test files are sparse and take no room on the disk.
#[test]
fn a_text_that_is_too_long_is_refused() {
    let folder = Folder::with_log();
    let hole = |name: &str, length: u64| {
        std::fs::File::create(folder.path(name)).and_then(|file| file.set_len(length)).unwrap();
    };
    let comment = |length: usize| format!("# {}\n", "x".repeat(length - 3));
    let whole = comment((16 << 20) - EXPERIMENT.len()) + EXPERIMENT;
    assert_eq!(whole.len(), 16 << 20);
    folder.write("whole.toml", &whole);
    folder.run(&["run", "whole.toml", "-q", "--dry-run"]).succeeded();
    hole("long.toml", (16 << 20) + 1);
    hole("long.csv", (4 << 30) + 1);
    // 17 MiB of text, packed into 17 KiB.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, comment(17 << 20).as_bytes()).unwrap();
    std::fs::write(folder.path("long.toml.gz"), packed.finish().unwrap()).unwrap();
    let replay = "replay week.swf -q --policy easy";
    for (line, file, most) in [
        ("run long.toml", "long.toml", 16),
        ("run long.toml.gz", "long.toml.gz", 16),
        ("shape week.swf --steps long.toml -o b.swf", "long.toml", 16),
        (&format!("{replay} --steps long.toml"), "long.toml", 16),
        (&format!("{replay} --rules long.toml"), "long.toml", 16),
        (&format!("{replay} --machine long.toml"), "long.toml", 16),
        ("verify week.swf long.csv", "long.csv", 4096),
        ("diff week.swf long.csv long.csv", "long.csv", 4096),
    ] {
        let done = folder.run(&line.split(' ').collect::<Vec<_>>());
        done.failed(3, &format!("{file}: more than {most} MiB of text: it is no such file"));
    }
}
