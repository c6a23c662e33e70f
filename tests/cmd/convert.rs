use super::Folder;

#[test]
fn the_members_of_a_packed_file_are_concatenated() {
    let folder = Folder::with_log();
    folder.run(&["convert", "week.swf", "-o", "week.swf.gz"]).succeeded();
    let packed = std::fs::read(folder.path("week.swf.gz")).unwrap();
    let done = folder.run_with_input(&["convert", "-", "-o", "-"], [&packed[..], &packed[..]].concat());
    // The second header is among the jobs then.
    assert_eq!(done.succeeded().lines().filter(|line| !line.starts_with(';')).count(), 400);
    assert!(done.err.contains("swf-late-header"), "{}", done.err);
}
