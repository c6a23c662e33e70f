use super::{Done, Folder};

#[test]
fn the_same_arguments_give_the_same_bytes_packed_or_not() {
    let folder = Folder::new();
    let generate = |output: &str| folder.run(&["generate", "lublin", "--jobs", "50", "-o", output]);
    generate("a.swf").succeeded();
    generate("b.swf").succeeded();
    generate("c.swf.gz").succeeded();
    assert_eq!(folder.read("a.swf"), folder.read("b.swf"));
    let unpacked = folder.run(&["convert", "c.swf.gz", "-o", "-"]);
    assert_eq!(unpacked.succeeded(), folder.read("a.swf"));
    let other = folder.run(&["generate", "lublin", "--jobs", "50", "--seed", "2", "-o", "-"]);
    assert_ne!(other.succeeded(), folder.read("a.swf"));
}

#[test]
fn the_header_gives_the_command_that_makes_the_log_again() {
    let folder = Folder::with_log();
    let log = folder.read("week.swf");
    let made = log.lines().find_map(|line| line.strip_prefix("; Note: made by batchlab ")).unwrap();
    let again = folder.run(&made.split(' ').collect::<Vec<_>>());
    assert_eq!(again.succeeded(), log);
}

#[test]
fn the_log_goes_to_standard_output_and_the_summary_to_standard_error() {
    let folder = Folder::new();
    let done = folder.run(&["generate", "lublin", "--jobs", "5", "-o", "-"]);
    assert_eq!(done.succeeded().lines().filter(|line| !line.starts_with(';')).count(), 5);
    assert!(
        done.err.starts_with("5 jobs for 128 processors drawn from lublin (seed 1) to -\n"),
        "{}",
        done.err
    );
    let quiet = folder.run(&["generate", "lublin", "--jobs", "5", "-o", "-", "--quiet"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn unknown_model_settings_are_wrong_usage_with_a_suggestion() {
    let folder = Folder::new();
    let generate = |args: &[&str]| -> Done { folder.run(&[&["generate", "-o", "a.swf"], args].concat()) };
    generate(&["lubin"]).failed(2, "did you mean `lublin`?");
    generate(&["lublin", "--set", "lode=2"]).failed(2, "did you mean `load`?");
    generate(&["lublin", "--set", "load=-1"]).failed(2, "`load=-1`: the value must be");
    generate(&["lublin", "--jobs", "0"]).failed(2, "at least one job");
    assert!(folder.files().is_empty());
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

#[test]
fn the_drawn_log_is_described_beside_the_file_or_instead_of_it() {
    let folder = Folder::new();
    let beside = folder.run(&["generate", "aida98", "-o", "a.swf"]);
    beside.succeeded();
    let page = folder.run(&["generate", "aida98", "--describe"]);
    assert_eq!(beside.err.split_once('\n').unwrap().1, page.succeeded());
    for text in [
        "interarrival   mean ",
        "(as a Poisson stream; real logs are burstier), lag-1 autocorrelation ",
        "run time ",
        "processors ",
        "offered load   0.",
        "jobs by hour ",
        "by processors  1: ",
        ", 129-256: ",
        "by run time    <1 s: ",
    ] {
        assert!(page.out.contains(text), "{text}: {}", page.out);
    }
    assert_eq!(folder.files(), ["a.swf"]);
    let json = folder.run(&["generate", "aida98", "--describe", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(json.succeeded()).unwrap();
    assert_eq!((told["jobs"].as_u64(), told["clock"].as_str()), (Some(5000), Some("zero")));
    assert_eq!(told["hours"].as_array().unwrap().len(), 24);
    assert!((told["run"]["mean"].as_f64().unwrap() - 10.0).abs() < 0.5);
    folder.run(&["generate", "aida98"]).failed(2, "--output <OUT>");
    folder.run(&["generate", "aida98", "--describe", "-o", "b.swf"]).failed(2, "cannot be used with");
}
