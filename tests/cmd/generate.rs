use super::Folder;

#[test]
fn the_header_gives_the_command_that_makes_the_log_again() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    let made = log.lines().find_map(|line| line.strip_prefix("; Note: made by batchlab ")).unwrap();
    let again = folder.run(&made.split(' ').collect::<Vec<_>>());
    assert_eq!(again.succeeded(), log);
}

#[test]
fn a_model_that_needs_a_log_is_fitted_to_it_and_says_how_well() {
    let folder = Folder::with_log();
    let model = |args: &[&str]| folder.run(&[&["generate", "jann97", "-o", "a.swf"], args].concat());
    model(&[]).failed(2, "model `jann97` is fitted to a log: name one (--log FILE)");
    let done = model(&["--log", "week.swf"]);
    done.succeeded();
    let fits: Vec<&str> = done.err.lines().filter(|line| line.starts_with("fit of ")).collect();
    assert!(fits.len() >= 2, "{}", done.err);
    for fit in &fits {
        assert!(folder.read("a.swf").contains(&format!("; Note: {fit}\n")), "{fit}");
    }
    assert!(
        done.err.contains("200 jobs for 64 processors drawn from jann97 (seed 1) to a.swf"),
        "{}",
        done.err
    );
    let log = folder.read("a.swf");
    assert!(log.contains("; Note: fitted to week.swf, "));
    let made = log.lines().find_map(|line| line.strip_prefix("; Note: made by batchlab ")).unwrap();
    let again = folder.run(&made.split(' ').collect::<Vec<_>>());
    assert_eq!(again.succeeded(), log);
    folder
        .run(&["generate", "lublin", "-o", "b.swf", "--log", "week.swf"])
        .failed(2, "model `lublin` has its own parameters and is fitted to no log");
}
