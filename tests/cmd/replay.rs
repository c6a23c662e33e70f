use super::{Folder, SHORT_LINE};

#[test]
fn what_cannot_be_replayed_ends_with_the_code_for_it() {
    let folder = Folder::new();
    folder.write("a.swf", SHORT_LINE);
    let replay = |args: &[&str]| folder.run(&[&["replay", "a.swf"], args].concat());
    replay(&[]).failed(2, "--policy <SPEC>");
    replay(&["--policy", "fsfc"]).failed(2, "did you mean `fcfs`?");
    replay(&["--policy", "easy", "--load", "0"]).failed(2, "it must be above zero");
    replay(&["--policy", "easy", "--strict"]).failed(3, "refused by --strict: warning[swf-short-line]");
    replay(&["--policy", "easy", "--procs", "1", "-q"]).failed(3, "no job is left to replay");
    folder.run(&["replay", "none.swf", "--policy", "easy"]).failed(3, "cannot read none.swf: ");
    let strict = replay(&["--policy", "easy", "--strict", "--schedule", "a.csv"]);
    assert_eq!((strict.code, folder.files()), (3, vec!["a.swf".to_owned()]));
}
