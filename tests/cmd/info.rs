mod plot;
mod real;

use super::Folder;

#[test]
fn all_columns_can_be_shown_and_each_alone() {
    let folder = Folder::new();
    folder.write("a.swf", DATED);
    let all = folder.run(&["info", "a.swf", "--columns", "all", "--format", "csv"]);
    let (keys, values) = all.succeeded().split_once('\n').unwrap();
    let [keys, values] = [keys, values.trim_end()].map(|line| line.split(',').collect::<Vec<_>>());
    assert_eq!(keys.len(), values.len());
    for (key, value) in keys.iter().zip(&values).filter(|(key, _)| **key != "tool") {
        let alone = folder.run(&["info", "a.swf", "--columns", key, "--format", "csv"]);
        assert!(alone.succeeded().lines().nth(1).unwrap().starts_with(&format!("{value},")), "{key}");
    }
    let value = |key: &str| values[keys.iter().position(|shown| *shown == key).unwrap()];
    assert_eq!((value("peak_procs"), value("mean_run"), value("requests")), ("8", "45", "2"));
    assert_eq!(
        (value("start"), value("site"), value("exact"), value("groups")),
        ("1996-09-23", "Site A", "0.5", "")
    );
}

/// Two jobs with a date and 600 processor-seconds on 8 processors: submitted within 60 s, ended within 120 s.
const DATED: &str = "\
; Installation: Site A
; UnixStartTime: 843480031
; TimeZoneString: Europe/Stockholm
; MaxProcs: 8
1   0  0  30 4 -1 -1 4 30 -1 1 1 -1 -1 -1 -1 -1 -1
2  60  0  60 8 -1 -1 8 90 -1 1 2 -1 -1 -1 -1 -1 -1
";
