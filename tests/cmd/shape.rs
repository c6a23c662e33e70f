use super::{Done, Folder};

#[test]
fn a_calibration_replays_a_policy_until_its_queue_is_as_long_as_asked() {
    let steps = "[[step]]\nkind = \"arrivals\"\nqueue = 5\npolicy = \"easy\"\npilots = 2\ntolerance = 0.05\n";
    let folder = Folder::with_log();
    folder.write("steps.toml", steps);
    let done = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    done.succeeded();
    assert!(done.err.contains("\n  trial 2: mean gap "), "{}", done.err);
    assert!(done.err.contains(", within the tolerance of 5 %\n"), "{}", done.err);
    let gap = |done: &Done| {
        let taken = done.err.split("taken: mean gap ").nth(1).unwrap().split(' ').next().unwrap();
        taken.parse::<f64>().unwrap()
    };
    // Each job takes a third of the resource, so at most three run at once.
    let scarce =
        "[[step]]\nkind = \"resource\"\nname = \"licence\"\nlaw = \"constant\"\nvalue = 1\ncapacity = 3\n";
    folder.write("steps.toml", &format!("{scarce}{steps}"));
    let with_scarce = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    with_scarce.succeeded();
    assert!(gap(&with_scarce) > 1.5 * gap(&done), "{}{}", done.err, with_scarce.err);
    folder.write("steps.toml", &steps.replace("easy", "esay"));
    let unknown = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]);
    unknown.failed(3, "step `arrivals`: ");
    assert!(unknown.err.contains("did you mean `easy`?"), "{}", unknown.err);
}

#[test]
fn the_steps_that_are_listed_are_those_that_there_are() {
    let folder = Folder::with_log();
    folder.write("steps.toml", "[[step]]\nkind = \"none of these\"\n");
    let listed = folder.run(&["list", "steps"]);
    let refused = folder.run(&["shape", "week.swf", "--steps", "steps.toml", "-o", "b.swf"]).err;
    let known = refused.split("the steps are ").nth(1).unwrap().trim();
    let names: Vec<&str> = listed.succeeded().lines().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names.join(", "), known);
}
