//! Machines as other simulators describe them: platforms of `SimGrid`, which Batsim and WRENCH read, systems of `AccaSim`, and machines
//! of Alea. Each becomes the text of a machine file.
//!
//! Sources: Batsim's documentation, `input-platform`, and the platforms in its repository; `resource_manager_class.py` and
//! `config/` of `AccaSim`; the data sets of Alea (`NAME.swf.machines`).

use std::fmt::Write;

use batchlab_traces::notation::hosts::ranges;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::{Map, Value};

const ELEMENTS: u32 = 4_000_000;

const HOSTS: u64 = 1 << 40;

/// The beginning of the names of hosts on which no jobs run, as Batsim's platforms call them.
const MASTER: &str = "master_host";

/// Returns the text of a machine file for a description of another simulator, told by its content; `None` for other texts.
pub fn machine_file(text: &str) -> Option<Result<String, String>> {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with('<') {
        return Some(platform(begin));
    }
    if begin.starts_with('{') {
        return Some(system(begin));
    }
    machines(begin)
}

/// Returns the pool of a platform's hosts. A job of Batsim asks for hosts, however many cores they have, and its delays need
/// no network: links and routes are not used.
fn platform(text: &str) -> Result<String, String> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "platform" {
        let name = root.tag_name().name();
        return Err(format!("the XML is `{name}`, and not a `platform` of SimGrid"));
    }
    let mut hosts: u64 = 0;
    for element in root.descendants().filter(Node::is_element) {
        let count = match element.tag_name().name() {
            "include" => {
                let file = element.attribute("file").unwrap_or_default();
                return Err(format!(
                    "the platform includes another file, `{file}`: give one file with all hosts"
                ));
            }
            "host" | "peer" => 1,
            "cluster" | "cabinet" => {
                let radical = element.attribute("radical").unwrap_or_default();
                members(radical)
                    .ok_or_else(|| format!("`{radical}` is no radical such as 0-31 of a cluster"))?
            }
            _ => 0,
        };
        hosts = hosts.saturating_add(if computes(element) { count } else { 0 });
    }
    if hosts == 0 {
        return Err("the platform has no host on which jobs run".into());
    }
    Ok(format!("[[nodes]]\nprocs = {hosts}\n"))
}

/// Whether jobs run on a host, or on those of a cluster.
fn computes(element: Node<'_, '_>) -> bool {
    let name = element.attribute("prefix").or_else(|| element.attribute("id")).unwrap_or_default();
    let is_role =
        |child: &Node<'_, '_>| child.tag_name().name() == "prop" && child.attribute("id") == Some("role");
    let role = element.children().find(is_role).and_then(|child| child.attribute("value"));
    !name.starts_with(MASTER) && role.is_none_or(|role| role.contains("compute"))
}

/// Returns the number of members of a radical such as `0-31,40`.
fn members(radical: &str) -> Option<u64> {
    let sum = ranges(radical)?.iter().fold(0_u64, |sum, range| sum.saturating_add(range.count()));
    (sum <= HOSTS).then_some(sum)
}

/// Returns the nodes of a system of `AccaSim`: groups with what each node has, and how many nodes there are of each.
fn system(text: &str) -> Result<String, String> {
    let system: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let (Some(groups), Some(counts)) = (system["groups"].as_object(), system["resources"].as_object()) else {
        return Err("the JSON has no `groups` and `resources`, as a system of AccaSim has".into());
    };
    let cores = system["equivalence"]["processor"]["core"].as_i64().unwrap_or(1).max(1);
    let mut file = resources(groups)?;
    for (name, count) in counts {
        let of = |what: &str| format!("{what} of the group `{name}`");
        let count =
            count.as_i64().filter(|&count| count > 0).ok_or_else(|| of("there is no number of nodes"))?;
        let group =
            groups.get(name).and_then(Value::as_object).ok_or_else(|| of("there is no description"))?;
        let amount = |key: &str| group.get(key).and_then(Value::as_i64).filter(|&amount| amount >= 0);
        let procs = amount("core").filter(|procs| procs % cores == 0);
        let procs =
            procs.ok_or_else(|| of(&format!("`core` has to be a multiple of {cores}: the number")))? / cores;
        let _ = write!(file, "[[nodes]]\ncount = {count}\nprocs = {procs}\n");
        for key in group.keys().filter(|key| *key != "core") {
            let amount = amount(key).ok_or_else(|| of(&format!("`{key}` has to be a whole number: that")))?;
            let _ = writeln!(file, "{} = {amount}", called(key));
        }
    }
    Ok(file)
}

/// Returns the resources of groups beside the cores, each once.
fn resources(groups: &Map<String, Value>) -> Result<String, String> {
    let mut file = String::new();
    let keys = groups.values().filter_map(Value::as_object).flat_map(Map::keys).filter(|key| *key != "core");
    let mut known: Vec<&String> = Vec::new();
    for key in keys {
        if known.contains(&key) {
            continue;
        }
        if !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') || key.is_empty() {
            return Err(format!("`{key}` is no name of a resource"));
        }
        known.push(key);
        let _ = write!(file, "[[resource]]\nname = \"{}\"\n", called(key));
    }
    Ok(file)
}

/// Returns the name that logs have for a resource of `AccaSim`.
fn called(key: &str) -> &str {
    if key == "mem" { "memory" } else { key }
}

/// Returns the nodes of Alea's machines: number, name, nodes, processors of a node, speed and memory of a node in KB, between tabs;
/// some data sets have a number of properties behind, which no job can ask for. The name is a feature of the nodes, by which Alea's
/// failures know them.
fn machines(text: &str) -> Option<Result<String, String>> {
    let rows = text.lines().map(|line| line.split('\t').map(str::trim).collect::<Vec<_>>());
    let rows: Vec<Vec<&str>> = rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
    let is_one = |row: &Vec<&str>| (6..=7).contains(&row.len()) && row[0].parse::<u64>().is_ok();
    if !rows.first().is_some_and(is_one) {
        return None;
    }
    let mut file = String::from("[[resource]]\nname = \"memory\"\n");
    for (at, row) in rows.iter().enumerate() {
        let number =
            |at: usize| row.get(at).and_then(|cell| cell.parse::<i64>().ok()).filter(|&number| number >= 0);
        let (Some(count), Some(procs), Some(memory)) = (number(2), number(3), number(5)) else {
            return Some(Err(format!(
                "row {} is no row of Alea's machines: 0, name, nodes, processors, speed, memory",
                at + 1
            )));
        };
        let _ = write!(file, "[[nodes]]\ncount = {count}\nprocs = {procs}\nmemory = {memory}\n");
        let is_name = |letter: u8| letter.is_ascii_alphanumeric() || b"_-.".contains(&letter);
        if !row[1].is_empty() && row[1].bytes().all(is_name) {
            let _ = writeln!(file, "features = [\"{}\"]", row[1]);
        }
    }
    Some(Ok(file))
}

/// Returns what a description says beside the machine file that it becomes.
pub fn left_out(text: &str) -> Option<String> {
    let is_longer =
        |line: &&str| line.starts_with(|digit: char| digit.is_ascii_digit()) && line.split('\t').count() == 7;
    let rows = text.trim_start_matches('\u{feff}').lines().filter(is_longer).count();
    (rows > 0)
        .then(|| format!("the seventh column of Alea's machines, the number of properties (rows: {rows})"))
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Header;
    use batchlab_traces::machine::{Machine, MachineFile};

    use super::*;

    fn machine(text: &str) -> Machine {
        let file = machine_file(text).unwrap().unwrap();
        MachineFile::parse(&file, "m").unwrap().machine(&Header::default()).unwrap()
    }

    fn why(text: &str) -> String {
        machine_file(text).unwrap().unwrap_err()
    }

    #[test]
    fn the_hosts_of_a_platform_are_a_pool() {
        let platform = "<?xml version='1.0'?>
            <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">
            <platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">
            <host id=\"master_host\" speed=\"1Gf\"/>
            <host id=\"a\" speed=\"1Gf\" core=\"10\"/><host id=\"b\" speed=\"2Gf\"/>
            <cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-27,30,32\" speed=\"1Gf\"/>
            <cluster id=\"s\" prefix=\"pfs\" suffix=\"\" radical=\"0-0\" speed=\"1Gf\">
            <prop id=\"role\" value=\"storage\"/></cluster>
            <host id=\"d\" speed=\"1Gf\"><prop id=\"role\" value=\"compute_node\"/></host>
            <link id=\"l\" bandwidth=\"1GBps\" latency=\"0\"/></zone></platform>";
        let machine = machine(platform);
        assert!(machine.is_pool());
        assert_eq!(machine.procs(), 2 + 30 + 1);
        assert!(why("<platform/>").contains("no host on which jobs run"));
        assert!(why("<platform><include file=\"other.xml\"/></platform>").contains("`other.xml`"));
        assert!(why("<platform><cluster radical=\"5-1\"/></platform>").contains("`5-1`"));
        assert!(why("<svg/>").contains("`svg`"));
        assert!(!why("<platform><host").is_empty());
    }

    #[test]
    fn a_system_of_accasim_has_groups_of_nodes() {
        // A processor of the log is two cores.
        let system = r#"{"system_name": "s", "start_time": 0, "equivalence": {"processor": {"core": 2}},
            "groups": {"g0": {"core": 4, "mem": 8}, "g1": {"core": 8, "gpu": 2, "mem": 16}}, "resources": {"g0": 3, "g1": 1}}"#;
        let machine = machine(system);
        assert_eq!((machine.nodes(), machine.procs()), (4, 3 * 2 + 4));
        let memory = machine.resource("memory").unwrap();
        assert_eq!((machine.total(memory), machine.resources()[memory].unit.as_str()), (3 * 8 + 16, "KB"));
        assert_eq!(machine.total(machine.resource("gpu").unwrap()), 2);
        assert!(why("{}").contains("`groups`"));
        assert!(why(r#"{"groups": {}, "resources": {"g": 1}}"#).contains("no description of the group `g`"));
        assert!(why(&system.replace("\"core\": 4", "\"core\": 3")).contains("multiple of 2"));
        assert!(why(&system.replace("gpu", "g u")).contains("`g u`"));
    }

    #[test]
    fn machines_of_alea_are_rows() {
        let machine = machine("0\tmanwe\t2\t16\t1\t66060288\n1\thildor\t3\t8\t2\t1000\n\n");
        assert_eq!((machine.nodes(), machine.procs()), (5, 2 * 16 + 3 * 8));
        assert_eq!(
            (machine.features(1), machine.features(2)),
            (&["manwe".to_owned()][..], &["hildor".to_owned()][..])
        );
        // As in the data set that Alea's own configuration replays.
        let properties = self::machine("0\tdemo\t16\t16\t1\t67108864\t30\n");
        assert_eq!((properties.nodes(), properties.procs()), (16, 256));
        assert!(left_out("\u{feff}0\tdemo\t16\t16\t1\t67108864\t30\n").unwrap().ends_with("(rows: 1)"));
        assert!(why("0\ta\t2\t16\t1\t5\n1\tb\tx\t8\t2\t1\n").contains("row 2"));
        assert!(machine_file("[[nodes]]\nprocs = 4\n").is_none());
    }
}
