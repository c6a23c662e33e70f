//! Tests of the replayed machine: nodes, machine files, capacities in the header.

use serde_json::Value;

use super::{Folder, four_jobs, with};

/// Joins the output to one line.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn replay(folder: &Folder, options: &[&str]) -> super::super::Done {
    folder.run(&[&["replay", "a.swf", "--policy", "easy"], options].concat())
}

#[test]
fn the_machine_is_stated_with_the_results() {
    let folder = with(&four_jobs());
    let done = replay(&folder, &["--nodes", "2", "--task-procs", "2"]);
    let words = "4 processors, 2 nodes (2 x 2 processors), tasks of 2 processors, place=first-fit unless";
    assert!(unwrapped(done.succeeded()).contains(words), "{}", done.out);
    let done = replay(&folder, &["--nodes", "2", "--format", "json", "-q"]);
    let json: Value = serde_json::from_str(done.succeeded()).unwrap();
    assert_eq!(
        (&json["trace"]["nodes"], &json["trace"]["node_kinds"]),
        (&2.into(), &"2 x 2 processors".into())
    );
    assert!(json["results"][0]["metrics"]["unfairness_all_consp"].is_number());
    assert!(json["results"][0]["metrics"]["unfairness_all_fcfs"].is_number());
    let text = json.to_string();
    assert!(text.contains("\"task_procs\":1") && text.contains("\"place\":\"first-fit\""), "{text}");
}

#[test]
fn machines_of_other_simulators_are_read_and_what_they_cannot_be_is_said() {
    let folder = with(&four_jobs());
    let cluster = "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\"/>";
    folder.write(
        "platform.xml",
        &format!("<platform version=\"4.1\"><zone id=\"z\">{cluster}</zone></platform>"),
    );
    folder.write("accasim.config", r#"{"groups": {"g": {"core": 2, "mem": 8}}, "resources": {"g": 2}}"#);
    folder.write("alea.machines", "0\tone\t1\t4\t1\t1048576\n");
    // The log has no memory, which two of them count.
    let without = ["--capacity", "memory=none"];
    for (machine, said, more) in [
        ("platform.xml", "4 processors", &[][..]),
        ("accasim.config", "4 processors, 2 nodes (2 x 2 processors", &without[..]),
        ("alea.machines", "4 processors", &without[..]),
    ] {
        let done = replay(&folder, &[&["-q", "--machine", machine], more].concat());
        assert!(unwrapped(done.succeeded()).contains(said), "{machine}: {}", done.out);
    }
    folder.write("platform.xml", "<platform><include file=\"others.xml\"/></platform>");
    let done = replay(&folder, &["--machine", "platform.xml"]);
    done.failed(3, "platform.xml: the platform includes another file, `others.xml`");
}
