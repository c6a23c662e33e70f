//! No verb writes over a file that it reads, however the two are named.

use super::Folder;

/// Returns the words and the file of each line of a list in `outputs`.
fn commands(list: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").unwrap()).map(|(file, words)| (words, file))
}

/// Returns the commands of `outputs/own-names`, each with one of its files.
#[cfg(unix)]
fn own_names() -> Vec<(&'static str, &'static str)> {
    let (mut all, mut words) = (Vec::new(), "");
    for line in include_str!("outputs/own-names").lines() {
        match line.strip_prefix("    ") {
            Some(file) => all.push((words, file)),
            None => words = line,
        }
    }
    all
}

fn folder() -> Folder {
    let folder = Folder::with_log();
    folder.write("site.toml", "[[nodes]]\ncount = 8\nprocs = 8\n");
    folder.write("lim.toml", "[[limit]]\nuser = \"*\"\nrunning_jobs = 1\n");
    folder.write("rules.toml", "[[rule]]\nid = \"x\"\nbecause = \"y\"\ndrop = \"procs > 60\"\n");
    folder.write("steps.toml", "[[step]]\nkind = \"merge\"\nwith = \"other.swf\"\n");
    folder.write("other.swf", &folder.read("week.swf"));
    folder.write("p.wat", "(module)");
    folder.write("slurm.conf", "Include nodes.conf\nPartitionName=p Nodes=ALL\n");
    folder.write("nodes.conf", "NodeName=n[1-8] CPUs=8\n");
    folder.write(
        "e.toml",
        "[experiment]\nname = \"e\"\n[[workload]]\ntrace = \"week.swf\"\nsteps = \"steps.toml\"\n[[policy]]\nspec = \"fcfs\"\n",
    );
    folder.write(
        "t.toml",
        "[experiment]\nname = \"t\"\nreplications = 12\n[[workload]]\nmodel = \"lublin\"\njobs = 30\n[[policy]]\nspec = \"fcfs\"\n\
         [tune]\nspec = \"fcfs:order={o}\"\nobjective = \"mean_wait\"\nrobust = false\n[space]\no = [\"saf\", \"sjf\"]\n",
    );
    folder.run(&["run", "e.toml", "--out", "r", "-q"]).succeeded();
    folder
}

fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = super::run::tree(folder, ".").into_iter().collect();
    all.sort();
    all
}

#[test]
fn an_output_that_is_an_input_is_refused_before_anything_is_written() {
    let (folder, beside) = (folder(), Folder::new());
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(""), beside.path("link")).unwrap();
    let before = contents(&folder);
    for (words, file) in commands(include_str!("outputs/verbs")) {
        let absolute = folder.path(file).display().to_string();
        let mut names = vec![file.to_owned(), format!("./{file}"), format!("r/../{file}"), absolute];
        if cfg!(unix) {
            names.push(beside.path("link").join(file).display().to_string());
        }
        for name in names {
            let words = words.replace("OUT", &name);
            let done = folder.run(&words.split(' ').collect::<Vec<_>>());
            assert_eq!(done.code, 2, "{words}: {}{}", done.out, done.err);
            assert!(done.err.contains("this is a file that the command reads"), "{words}: {}", done.err);
            assert_eq!(done.out, "", "{words}");
        }
    }
    assert!(contents(&folder) == before, "a file has changed");
}

#[cfg(unix)]
#[test]
fn links_of_both_kinds_are_seen_through() {
    let folder = folder();
    std::os::unix::fs::symlink("week.swf", folder.path("soft.csv")).unwrap();
    std::fs::hard_link(folder.path("week.swf"), folder.path("hard.csv")).unwrap();
    for output in ["soft.csv", "hard.csv"] {
        let done = folder.run(&["replay", "week.swf", "--policy", "fcfs", "--schedule", output]);
        done.failed(2, "this is a file that the command reads (week.swf)");
    }
}

#[test]
fn what_lies_beside_an_output_is_no_input_either() {
    let folder = folder();
    let log = folder.read("week.swf");
    folder.write("a.intervals.csv", &log);
    let words = ["replay", "a.intervals.csv", "--from", "swf", "--policy", "fcfs", "--schedule", "a.csv"];
    folder.run(&words).failed(2, "(a.intervals.csv)");
    folder.write("week-01.swf", &log);
    folder
        .run(&["shape", "week-01.swf", "--steps", "steps.toml", "-o", "week.swf"])
        .failed(2, "(week-01.swf)");
    std::fs::create_dir(folder.path("o")).unwrap();
    for file in [
        "fcfs.csv",
        "summary.json",
        "fcfs.intervals.csv",
        "fcfs_jobs.csv",
        "fcfs_schedule.csv",
        "results.csv",
    ] {
        folder.write(&format!("o/{file}"), &log);
    }
    for (words, file) in commands(include_str!("outputs/folders")) {
        let e = folder.read("e.toml").replace("week.swf", "o/results.csv");
        folder.write("e.toml", &e);
        let words = words.replace("OUT", "o");
        let done = folder.run(&words.split(' ').collect::<Vec<_>>());
        done.failed(2, &format!("o/{file}"));
    }
}

#[test]
fn a_schedule_of_a_call_is_no_file_that_the_call_read() {
    use std::sync::Arc;

    use batchlab::lab::Given;
    use batchlab::lab::calls::Call;

    let folder = folder();
    let name = |file: &str| folder.path(file).display().to_string();
    let limits = Given { name: "limits".into(), values: vec![name("lim.toml")] };
    let registry = batchlab::Registry::default();
    let call = |options| Call {
        registry: &registry,
        options,
        interrupt: batchlab::replay::engine::Interrupt::default(),
        progress: Arc::new(|_, _| ()),
    };
    let trace = call(&[]).read(&name("week.swf")).unwrap();
    let options = [limits];
    let replays = call(&options).replay(trace, "fcfs").unwrap();
    let before = contents(&folder);
    for file in ["week.swf", "lim.toml"] {
        let refused = replays.write_schedule(0, &name(file), None).unwrap_err().to_string();
        assert!(refused.contains("this is a file that the command reads"), "{refused}");
    }
    assert!(contents(&folder) == before, "a file has changed");
    replays.write_schedule(0, &name("s.csv"), None).unwrap();
}

#[test]
fn shards_are_not_merged_into_one_of_them() {
    let folder = folder();
    let run = ["run", "e.toml", "--shard"];
    for (shard, name) in [("1/2", "s1"), ("2/2", "s2")] {
        folder.run(&[&run[..], &[shard, "--out", name, "-q"]].concat()).succeeded();
    }
    let before = contents(&folder);
    folder.run(&["merge", "s1", "s2", "-o", "./s2"]).failed(2, "this is a file that the command reads (s2/");
    assert!(contents(&folder) == before, "a file has changed");
    folder.run(&["merge", "s1", "s2", "-o", "m", "-q"]).succeeded();
}

#[test]
fn outputs_that_are_read_by_no_one_are_written() {
    let folder = folder();
    folder.write("s.csv", "an old schedule");
    folder.write("fcfs", "a file with the name of a policy");
    folder.write("r/report.html", "an old report");
    std::fs::create_dir(folder.path("o")).unwrap();
    folder.write("o/log.csv", &folder.read("week.swf"));
    for words in [
        "replay week.swf --policy fcfs --schedule s.csv -q",
        "replay week.swf --policy fcfs --schedule fcfs -q",
        "replay week.swf --policy fcfs --out o -q",
        "replay week.swf --policy fcfs --out o -q",
        "replay o/log.csv --from swf --policy fcfs --out o -q",
        "report r -o r/report.html",
        "run e.toml --out r --resume -q",
        "what-if week.swf --copies 2 --after --procs=80 -q",
    ] {
        let done = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(done.code, 0, "{words}: {}", done.err);
    }
    if cfg!(unix) {
        let done = folder.run(&["replay", "week.swf", "--policy", "fcfs", "--schedule", "/dev/null", "-q"]);
        assert_eq!(done.code, 0, "{}", done.err);
    }
}

#[cfg(unix)]
const NAMES_OF_FOLDERS: [&str; 10] = [
    "conform --keep",
    "merge --output",
    "paper --out",
    "replay --evalys",
    "replay --out",
    "replay --schedule",
    "run --out",
    "shape --output",
    "sweep --out",
    "tune --out",
];

/// A folder, or a log, may come from a stranger: a link in it could direct what is written to any file of the user.
#[cfg(unix)]
#[test]
fn no_verb_writes_through_a_link_under_a_name_that_it_makes() {
    let is_listed = |name: &&str| {
        let (verb, option) = name.split_once(" --").unwrap();
        let short = format!(" -{} ", &option[..1]);
        own_names().iter().any(|(words, _)| {
            words.starts_with(&format!("{verb} "))
                && (words.contains(&format!(" --{option} ")) || words.contains(&short))
        })
    };
    let absent: Vec<&&str> = NAMES_OF_FOLDERS.iter().filter(|name| !is_listed(name)).collect();
    assert!(absent.is_empty(), "{absent:?}");
    for (words, file) in own_names() {
        let folder = folder();
        for name in ["stranger", "precious"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        folder.write("stranger/week.swf", &folder.read("week.swf"));
        folder.write("stranger/e.toml", &folder.read("e.toml").replace("steps = \"steps.toml\"\n", ""));
        folder.write(
            "stranger/paper.toml",
            "title = \"t\"\nreference = \"r\"\nsays = \"s\"\nfound = \"f\"\nexperiments = [\"e.toml\"]\n",
        );
        folder.write("split.toml", "[[step]]\nkind = \"split\"\ndays = 1\n");
        folder.write("mine", "mine");
        let place = folder.path(file);
        // A link to a folder and one to a file: either is refused where the other would be an error of its own.
        let is_folder = !file.contains('.') || file.ends_with("/experiments");
        if place.exists() {
            std::fs::remove_dir_all(&place).unwrap();
        }
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let target = folder.path(if is_folder { "precious" } else { "mine" });
        std::os::unix::fs::symlink(target, &place).unwrap();
        if words.starts_with("run e.toml --out") || words.starts_with("merge") {
            // Only a folder of results is written to.
            for name in ["manifest.json", "experiment.toml", "plan.csv"] {
                let to = folder.path(&format!("o/{name}"));
                if to.symlink_metadata().is_err() {
                    std::fs::copy(folder.path(&format!("r/{name}")), to).unwrap();
                }
            }
        }
        let resume = if words.starts_with("run e.toml --out") { " --resume" } else { "" };
        let words = format!("{words}{resume}");
        let done = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert_ne!(done.code, 0, "{words}: {file} is followed: {}", done.out);
        assert_eq!(folder.read("mine"), "mine", "{words}: {file}");
        assert_eq!(std::fs::read_dir(folder.path("precious")).unwrap().count(), 0, "{words}: {file}");
        let words_of_refusal = ["is a link", "already", "holds the results of", "holds no results"];
        let refused = words_of_refusal.iter().any(|refusal| done.err.contains(refusal));
        assert!(refused, "{words}: {file}: {}", done.err);
    }
}
