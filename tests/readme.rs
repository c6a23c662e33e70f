//! The README: what it shows is what the program prints.

use std::path::Path;
use std::process::Command;

use batchlab::traces::Header;
use batchlab::traces::header::Named;
use batchlab::traces::machine::MachineFile;

#[test]
fn every_console_block_of_the_readme_is_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 5, "console blocks of the README");
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let args = command.strip_prefix("$ cargo run --release -- ").unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_batchlab"))
            .args(args.split(' '))
            .current_dir(root)
            .output()
            .unwrap();
        let printed = String::from_utf8(done.stdout).unwrap();
        let lines =
            |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&printed), lines(shown), "`{command}` prints otherwise:\n{printed}");
    }
}

#[test]
fn the_rules_of_the_readme_and_their_test_are_those_that_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let readme = read("README.md");
    assert!(readme.contains(&read("tests/cleaning/example.rs")), "the example test");
    let rules = read("traces/data/rules.toml");
    let shown = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    for part in shown.split("\n\n") {
        assert!(rules.contains(part.trim_end()), "not in rules.toml:\n{part}");
    }
}

#[test]
fn the_machine_of_the_readme_is_one() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let shown = readme.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    let file = MachineFile::parse(shown, "mixed.toml").unwrap();
    let partition = vec![Named { number: 3, name: "large".into() }];
    let machine = file.machine(&Header { partition, ..Header::default() }).unwrap();
    assert_eq!((machine.nodes(), machine.procs(), file.task_procs()), (144, 1152, Some(8)));
    assert_eq!((machine.capacity(128), machine.partitions(128)), (&[8, 64 << 20][..], &[2, 3][..]));
}
