//! Settings that are followed, harmless, not followed, unknown or refused; nodes as `scontrol` prints them.

use super::*;

const BASE: &str = "SLURM_VERSION=22.05.8\nSelectType=select/cons_tres\nNodeName=n[1-2] CPUs=8\nPartitionName=main Nodes=ALL\n";

/// Returns the findings about lines before those of a small installation: the code and the first particulars of each kind.
fn said(lines: &str) -> Vec<(&'static str, String)> {
    let (system, findings) = read(&[("c", &format!("{lines}{BASE}"))]);
    system.unwrap();
    let first = |finding: &batchlab_traces::Finding| {
        let example = &finding.examples[0];
        let place = example.place.as_ref().map_or(String::new(), ToString::to_string);
        (finding.kind.code, format!("{place} {}", example.detail))
    };
    findings.list().iter().map(first).collect()
}

#[test]
fn settings_that_change_no_start_are_silent() {
    for (harmless, _) in cases("harmless") {
        assert_eq!(said(harmless), [], "{harmless}");
    }
}

#[test]
fn settings_that_would_change_starts_are_named_with_their_effect() {
    let unsupported = "slurm-setting-unsupported";
    for (line, detail) in cases("unsupported") {
        let said = said(line);
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert_eq!((said[0].0, said[0].1.split_once(' ').unwrap().1), (unsupported, detail));
    }
    let said = said("Prolog=/etc/p.sh\nEpilog=/etc/e.sh\n");
    assert_eq!(said[0].0, "slurm-scripts");
    assert!(said[0].1.starts_with("c:1:1 Prolog=/etc/p.sh: it runs before each job"), "{said:?}");
}

#[test]
fn unknown_names_are_told_with_what_was_meant() {
    let unknown = "slurm-setting-unknown";
    for (line, detail) in cases("unknown") {
        assert_eq!(said(line), [(unknown, detail.to_owned())], "{line}");
    }
    // Names of old versions and of plug-ins, which change no start.
    for known in
        ["assoc_limit_continue", "enable_hetjob_steps", "jobs_per_user_per_hour=9", "disable_user_top"]
    {
        assert!(said(&format!("SchedulerParameters={known}\n")).is_empty(), "{known}");
    }
    // What scontrol prints is not all that can be set.
    let shown = "Configuration data as of 2026\nBOOT_TIME = x\nHASH_VAL = Match\nEpilog[0] = /e.sh\nSLURM_VERSION = 22.05.8\n";
    let (_, findings) = read(&[("c", BASE), ("shown", shown)]);
    let codes: Vec<&str> = findings.list().iter().map(|finding| finding.kind.code).collect();
    assert_eq!(codes, ["slurm-scripts"]);
}

#[test]
fn what_slurm_refuses_is_a_finding_and_the_rest_counts() {
    let lines = "MpiParams=\nSlurmctldHost={{ host }}\n{% for n in nodes %}\nNodeName={{ n }} CPUs=4\nNodeName=x STRAY CPUs=2\n\
        KillWait=60 OverTimeLimit=5\n";
    let (system, findings) = read(&[("c", &format!("{lines}{BASE}"))]);
    let system = system.unwrap();
    assert_eq!((findings.count("slurm-template"), findings.count("slurm-line-refused")), (3, 3));
    assert_eq!((system.nodes[0].name.as_str(), system.nodes[0].cpus, system.nodes.len()), ("x", 2, 3));
    assert_eq!((system.kill_wait, system.over_time_limit), (Time::from_secs(60), Time::ZERO));
}

#[test]
fn settings_of_a_file_with_blanks_and_remarks_are_those_of_the_site() {
    let text = "# scheduling\nSchedulerParameters = bf_interval=1 # often\nPriorityType = priority/multifactor\nPriorityWeightTRES = CPU=100\n";
    let (system, findings) = read(&[("c", BASE), ("scheduling.conf", text)]);
    let system = system.unwrap();
    assert_eq!(system.scheduler.backfill.interval, Some(Time::from_secs(1)));
    assert_eq!((system.priority.kind, system.priority.weights.tres.len()), (PriorityType::Multifactor, 1));
    assert_eq!(findings.list(), []);
}

#[test]
fn settings_for_the_loops_are_read() {
    let conf = "CompleteWait=12\nPartitionName=p Nodes=n1 QOS=fast\nPartitionName=q Nodes=n1 QOS=N/A\n";
    let (system, findings) = read(&[("c", &format!("{conf}{BASE}"))]);
    let system = system.unwrap();
    assert_eq!(system.complete_wait, Time::from_secs(12));
    let qos: Vec<Option<&str>> = system.partitions.iter().map(|one| one.qos.as_deref()).collect();
    assert_eq!((qos, findings.list().len()), (vec![Some("fast"), None, None], 0));
}

#[test]
fn included_paths_have_the_name_of_the_cluster() {
    let including = |text: &str| {
        let (mut findings, mut paths) = (Findings::lenient(), Vec::new());
        let mut includes = |_: &str, path: &str| {
            paths.push(path.to_owned());
            Some(file(path, "NodeName=n1\n"))
        };
        let system = read_system(&[file("c", text)], &[], &mut includes, &mut findings);
        (system.map(|system| system.nodes.len()), paths, findings)
    };
    let (nodes, paths, findings) = including("ClusterName=Alpha\ninclude nodes-%c.conf # all\n");
    assert_eq!((nodes, paths), (Ok(1), vec!["nodes-alpha.conf".to_owned()]));
    assert_eq!(findings.count("slurm-include"), 0);
    for (line, words) in
        [("include nodes-%c.conf\n", "no ClusterName before"), ("Include conf.d/*.conf\n", "no patterns")]
    {
        let (nodes, paths, findings) = including(&format!("{line}NodeName=n1\n"));
        assert_eq!((nodes, paths.len(), findings.count("slurm-include")), (Ok(1), 0, 1));
        assert!(findings.list()[0].examples[0].detail.contains(words), "{:?}", findings.list());
    }
}

const SHOWN: &str = "NodeName=n1 Arch=x86_64 CoresPerSocket=4 \n   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=0.1\n   AvailableFeatures=ib,big\n   \
    Gres=gpu:a100:2(S:0)\n   OS=Linux 5.4.0 #1 SMP\n   RealMemory=16000 AllocMem=0 FreeMem=3578 Sockets=1 Boards=1\n   MemSpecLimit=1000\n   \
    State=DOWN+DRAIN ThreadsPerCore=2 TmpDisk=0 Weight=7 Owner=N/A\n   Partitions=main,long \n   Reason=bad ram [root@2026]\n\n\
    NodeName=n2 Arch=x86_64 CoresPerSocket=1 \n   CPUAlloc=0 CPUTot=4 CPULoad=N/A\n   AvailableFeatures=(null)\n   RealMemory=8000 Sockets=4\n   \
    State=IDLE ThreadsPerCore=1 Weight=1\n   Partitions=main \n\n\
    NodeName=n3 CoresPerSocket=1 \n   CPUAlloc=0 CPUTot=4\n   State=FUTURE Partitions=main\n";

#[test]
fn nodes_in_service_stand_for_those_that_no_line_defines() {
    let conf = "SLURM_VERSION=22.05.8\nSelectType=select/cons_tres\nNodeName=DEFAULT State=FUTURE CPUs=99\nPartitionName=p Nodes=ALL MaxTime=60\n";
    let one_line = SHOWN.split("\n\n").map(|node| node.replace('\n', " ")).collect::<Vec<_>>().join("\n");
    for shown in [SHOWN, &one_line] {
        let (system, findings) = read(&[("c", conf), ("nodes.txt", shown)]);
        let system = system.unwrap();
        let nodes: Vec<_> = system
            .nodes
            .iter()
            .map(|node| (node.name.as_str(), node.cpus, node.threads, node.memory, node.weight))
            .collect();
        assert_eq!(nodes, [("n1", 8, 2, 15_000, 7), ("n2", 4, 1, 8000, 1)], "{shown}");
        assert_eq!(system.nodes[0].features, ["ib", "big"]);
        assert_eq!(system.nodes[0].gres[0], ("gpu".to_owned(), 2));
        assert_eq!((system.partitions.len(), system.partitions[0].nodes.len()), (1, 2));
        assert_eq!(findings.list(), []);
    }
    let (system, findings) = read(&[("c", "SLURM_VERSION=22.05.8\nKillWait=30\n"), ("nodes.txt", SHOWN)]);
    let partitions: Vec<_> =
        system.unwrap().partitions.into_iter().map(|one| (one.name, one.nodes)).collect();
    assert_eq!(partitions, [("long".to_owned(), vec![0]), ("main".to_owned(), vec![0, 1])]);
    assert_eq!(findings.count("slurm-partition-named"), 2);
    // A line of slurm.conf holds.
    let (system, findings) = read(&[("nodes.txt", SHOWN), ("c", &format!("{BASE}NodeName=n3 CPUs=2\n"))]);
    let cpus: Vec<i64> = system.unwrap().nodes.iter().map(|node| node.cpus).collect();
    assert_eq!((cpus, findings.count("slurm-node-differs")), (vec![8, 8, 2], 1), "{:?}", findings.list());
    assert_eq!(findings.list()[0].examples[0].detail, "n2: 8 and 4 processors, 1 and 8000 MB");
}

#[test]
fn an_installation_without_nodes_says_where_they_usually_are() {
    let error = |text: &str| read(&[("c", text)]).0.unwrap_err().to_string();
    let missing = error("ClusterName=x\nInclude parts/hosts.conf\n");
    assert!(
        missing.contains("is not there (c:2:1: parts/hosts.conf); give it with --slurm, too, or the output of `scontrol show node`"),
        "{missing}"
    );
    let template = error("ClusterName=x\nNodeName={{ nodes }} CPUs=1\n");
    assert!(template.contains("is a template with placeholders (c:2:1: NodeName={{ nodes }})"), "{template}");
}

#[test]
fn a_listing_has_every_setting_with_what_becomes_of_it() {
    let text = "KillWait=30\nSchedulerParameters=bf_window=9,pack_serial_at_end,bf_windw=3\nMailProg=/m # x\nKillWait=60\n\
        NodeName=n1 CPUs=many Gres=gpu:1\nPartitionName=p Nodes=n1 MinNodes=3 BOGUS\ninclude gone.conf\n";
    let listing = listing(&[file("c", text)], &mut |_: &str, _: &str| None).unwrap();
    assert_eq!(listing.error, None);
    let shown = |row: &SettingRow| {
        let (place, word) = (row.place.to_string(), row.fate.word());
        format!("{place} {} {} {} | {word} | {}", row.of, row.setting, row.value, row.effect)
    };
    let rows: Vec<String> = listing.rows.iter().map(shown).collect();
    assert_eq!(
        rows,
        [
            "c:1:1  KillWait 30 | replaced | given again at c:4:1",
            "c:2:1  SchedulerParameters bf_window=9 | followed | ",
            "c:2:1  SchedulerParameters pack_serial_at_end | not followed | serial jobs would go to the last nodes",
            "c:2:1  SchedulerParameters bf_windw=3 | unknown | (did you mean `bf_window`?)",
            "c:3:1  MailProg /m | harmless | ",
            "c:4:1  KillWait 60 | followed | ",
            "c:5:1 NodeName=n1 NodeName n1 | followed | ",
            "c:5:13 NodeName=n1 CPUs many | unknown | Slurm would not accept the value; the default holds",
            "c:5:23 NodeName=n1 Gres gpu:1 | followed | ",
            "c:6:1 PartitionName=p PartitionName p | followed | ",
            "c:6:17 PartitionName=p Nodes n1 | followed | ",
            "c:6:26 PartitionName=p MinNodes 3 | not followed | smaller jobs would be refused",
            "c:6:37   `BOGUS` is not Key=Value | not read | part of a line for which slurmctld would refuse slurm.conf",
            "c:7:1   gone.conf | not read | file included by slurm.conf that is not there",
        ]
    );
}
