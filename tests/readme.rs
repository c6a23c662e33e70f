//! The README: what it shows is what the program prints.

use std::path::Path;
use std::process::Command;

#[test]
fn every_console_block_of_the_readme_is_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 3, "console blocks of the README");
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
