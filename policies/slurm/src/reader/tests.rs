//! Small installations, read.

mod hardware;
mod redacted;
mod settings;
mod switches;

use hardware::nodes_of;

use super::recognise::SlurmFileKind;
use super::*;
use crate::site::{Association, FairshareRule, PriorityType, SelectUnit};
use batchlab_traces::Time;
use batchlab_traces::notation::Bound;

const CONF: &str = include_str!("tests/slurm.conf");
const NODES: &str = "\
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 RealMemory=32000
NodeName=n[1-4] Feature=ib,gold Weight=2
NodeName=fat CPUs=64 Sockets=8 CoresPerSocket=8 RealMemory=512G Gres=gpu:a100:4
";

fn file(name: &str, text: &str) -> SystemFile {
    SystemFile { name: name.into(), text: text.into() }
}

fn read(files: &[(&str, &str)]) -> (Result<SlurmSystem, SystemError>, Findings) {
    let mut findings = Findings::lenient();
    let files: Vec<SystemFile> = files.iter().map(|(name, text)| file(name, text)).collect();
    let mut includes = |_: &str, path: &str| (path == "nodes.conf").then(|| file(path, NODES));
    let system = read_system(&files, &[], &mut includes, &mut findings);
    (system, findings)
}

/// Returns the cases of a section of `tests/cases.txt`: a text, and what is said of it.
fn cases(section: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut sections = include_str!("tests/cases.txt").split("\n== ");
    let cases = sections.find_map(|cases| cases.strip_prefix(section)?.strip_prefix('\n')).unwrap();
    let cases = cases.trim_end().split("\n\n").map(|case| case.split_once("->").unwrap());
    cases.map(|(text, said)| (text, said.trim_start()))
}

#[test]
fn a_configuration_is_read_with_its_includes() {
    let (system, findings) = read(&[("slurm.conf", CONF)]);
    let system = system.unwrap();
    let nodes: Vec<(&str, i64, i64)> =
        system.nodes.iter().map(|node| (node.name.as_str(), node.cpus, node.weight)).collect();
    assert_eq!(nodes, [("n1", 8, 2), ("n2", 8, 2), ("n3", 8, 2), ("n4", 8, 2), ("fat", 64, 1)]);
    assert_eq!((system.nodes[4].memory, system.nodes[0].memory), (512 * 1024, 32_000));
    assert_eq!(system.nodes[4].gres, [("gpu".into(), 4), ("gpu:a100".into(), 4)]);
    let [batch, big] = &system.partitions[..] else { panic!("{:?}", system.partitions) };
    assert_eq!((batch.nodes.as_slice(), batch.tier, batch.is_default), (&[0, 1, 2, 3][..], 2, true));
    assert_eq!((batch.max_time, big.max_time), (Bound::Most(Time::from_secs(86_400)), Bound::Unlimited));
    assert_eq!((big.nodes.as_slice(), big.billing.len()), (&[3, 4][..], 2));
    assert_eq!((batch.least_loaded, big.least_loaded), (false, true));
    assert_eq!(system.scheduler.backfill.interval, Some(Time::from_secs(10)));
    assert_eq!(system.scheduler.backfill.per_user, 5);
    assert_eq!((system.select.whole_nodes, system.select.memory), (false, true));
    assert!(
        system.priority.fairshare == FairshareRule::classic(1.0) && system.priority.size.relative_to_time
    );
    assert_eq!(system.priority.half_life, Some(Time::from_secs(14 * 86_400)));
    let told: Vec<&str> = findings.list().iter().map(|finding| finding.kind.code).collect();
    assert_eq!(told, ["slurm-node-undefined", "slurm-version-assumed", "slurm-no-associations"]);
    assert_eq!(findings.list()[0].examples[0].place.as_ref().unwrap().to_string(), "slurm.conf:16:19");
}

#[test]
fn the_settings_in_force_win_and_state_the_version() {
    let settings = "Configuration data as of 2026-11-21T01:24:42\nSLURM_VERSION           = 22.05.8\n\
        SchedulerParameters     = (null)\nPriorityType            = priority/basic\n";
    let (system, findings) = read(&[("slurm.conf", CONF), ("config.txt", settings)]);
    let system = system.unwrap();
    assert_eq!(system.version.to_string(), "22.05");
    assert_eq!(system.scheduler.backfill.interval, Some(Time::from_secs(30)));
    assert_eq!(system.priority.kind, PriorityType::Basic);
    assert_eq!((findings.count("slurm-version-assumed"), findings.count("slurm-setting-twice")), (0, 2));
}

#[test]
fn defaults_are_those_of_the_version() {
    let of = |version: &str| {
        let text = format!("SlurmVersion={version}\nNodeName=a\nPartitionName=p Nodes=ALL\n");
        let system = read(&[("slurm.conf", &text)]).0.unwrap();
        (system.select.whole_nodes, system.priority.kind, system.scheduler.backfill.most_tests)
    };
    assert_eq!(of("20.11.9"), (true, PriorityType::Basic, 100));
    assert_eq!(of("22.05.8"), (true, PriorityType::Basic, 500));
    assert_eq!(of("23.11.0"), (false, PriorityType::Multifactor, 500));
}

#[test]
fn memory_counts_and_linear_selection_has_a_tree_by_version() {
    let of = |select: &str, version: &str| {
        let tree = "TopologyPlugin=topology/tree\nSwitchName=s Nodes=a\n";
        let text = format!(
            "SlurmVersion={version}\nSelectType={select}\n{tree}NodeName=a RealMemory=100\nPartitionName=p Nodes=ALL\n"
        );
        let system = read(&[("slurm.conf", &text)]).0.unwrap();
        (system.select.memory, system.topology.is_some())
    };
    assert_eq!(
        ["20.11", "21.08", "24.05"].map(|version| of("select/cons_tres", version)),
        [(false, true), (true, true), (true, true)]
    );
    assert_eq!(
        ["21.08", "24.05"].map(|version| of("select/linear", version)),
        [(false, true), (false, false)]
    );
}

/// Returns each association as `account/user above` with a note.
fn shown(accounts: &sacctmgr::Accounts, note: impl Fn(&Association) -> String) -> Vec<String> {
    let line = |one: &Association| {
        let parent = one.parent.map_or("-", |at| accounts.associations[at].account.as_str());
        format!("{}/{} {parent}{}", one.account, one.user.as_deref().unwrap_or("*"), note(one))
    };
    accounts.associations.iter().map(line).collect()
}

#[test]
fn associations_are_a_tree_in_tables_and_in_dumps() {
    let table = "Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall|QOS\n\
        small|root||||||||||\nsmall|root|root||1|||||||\nsmall| physics|||10|||cpu=64||||\n\
        small|  theory|||3||||||1-00:00:00|\nsmall|  theory|bob||parent||||2|||\n";
    let dump = "# a comment\nQOS - 'normal':Description='Normal QOS default':Priority=50\nCluster - 'small':DefaultQOS='normal':Fairshare=1:QOS='normal'\nParent - 'root'\n\
        User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n\
        Account - 'physics':Description='a:b':Organization='p':Fairshare=10:GrpTRES='cpu=64'\n\
        Parent - 'physics'\nAccount - 'theory':Fairshare=3:MaxWallDurationPerJob=1440\nParent - 'theory'\n\
        User - 'bob':Fairshare=parent:MaxJobs=2\n";
    for text in [table, dump] {
        let mut accounts = sacctmgr::Accounts::default();
        let file = file("assoc", text);
        let read = if text == table { sacctmgr::Accounts::associations } else { sacctmgr::Accounts::dump };
        read(&mut accounts, &file).unwrap();
        let shown =
            shown(&accounts, |one| one.shares.map_or(" parent".into(), |shares| format!(" {shares}")));
        let tree = [
            "root/* - 1",
            "root/root root 1",
            "physics/* root 10",
            "theory/* physics 3",
            "theory/bob theory parent",
        ];
        assert_eq!(shown, tree);
        let bounds = |at: usize| &accounts.associations[at].bounds;
        assert_eq!(bounds(2).group_tres[0].most, 64);
        assert_eq!(bounds(3).wall, Some(Time::from_secs(86_400)));
        assert_eq!(bounds(4).user_jobs, Some(2));
    }
}

#[test]
fn a_dump_and_a_table_of_one_cluster_are_one_tree() {
    // The table does not tell that lab is below physics; the dump has no limits.
    let table = "Cluster|Account|User|Partition|Share|Priority|GrpJobs|MaxJobs\nsmall|root|||1|||\nsmall|chemistry|||2|||\n\
        small|chemistry|ann||1|||\nsmall|lab|||3|||\nsmall|lab|bob||4|||7\nsmall|physics|||10|||\n";
    let dump = "Cluster - 'small':Fairshare=1\nParent - 'root'\nAccount - 'physics':Fairshare=10\n\
        Account - 'chemistry':Fairshare=2\nParent - 'physics'\nAccount - 'lab':Fairshare=3\nParent - 'lab'\n\
        User - 'bob':Fairshare=4\nParent - 'chemistry'\nUser - 'ann':Fairshare=1\n";
    for is_dump_first in [true, false] {
        let mut accounts = sacctmgr::Accounts::default();
        for is_dump in [is_dump_first, !is_dump_first] {
            let file = file("accounts", if is_dump { dump } else { table });
            let read = if is_dump { sacctmgr::Accounts::dump } else { sacctmgr::Accounts::associations };
            read(&mut accounts, &file).unwrap();
        }
        let mut shown =
            shown(&accounts, |one| one.bounds.user_jobs.map_or(String::new(), |jobs| format!(" {jobs}")));
        shown.sort();
        let tree = [
            "chemistry/* root",
            "chemistry/ann chemistry",
            "lab/* physics",
            "lab/bob lab 7",
            "physics/* root",
            "root/* -",
        ];
        assert_eq!(shown, tree, "{is_dump_first}");
        assert!(accounts.guessed.is_empty(), "a file tells the tree");
    }
}

#[test]
fn a_dump_with_an_account_twice_cannot_put_it_below_itself() {
    let table =
        "Cluster|Account|User|Partition|Share|Priority\nsmall|root|||1|\nsmall|a|||1|\nsmall|b|||1|\n";
    let dump = "Cluster - 'small':Fairshare=1\nParent - 'root'\nAccount - 'a':Fairshare=1\nParent - 'a'\n\
        Account - 'b':Fairshare=1\nParent - 'b'\nAccount - 'a':Fairshare=1\n";
    let mut accounts = sacctmgr::Accounts::default();
    accounts.associations(&file("table", table)).unwrap();
    let error = accounts.dump(&file("dump", dump)).unwrap_err();
    assert!(error.what.contains("is below itself"), "{}", error.what);
}

#[test]
fn kinds_of_files_are_told_apart() {
    use SlurmFileKind::{Associations, Configuration, Dump, Nothing, Qos, Records, Settings};
    for (text, kind) in [
        (CONF, Configuration),
        ("PartitionName=a Nodes=n1\nPartitionName=b Nodes=n2\n", Configuration),
        ("PartitionName=a\n   AllowGroups=ALL Default=YES\n", Records),
        ("ReservationName=m StartTime=2026-01-01T00:00:00 EndTime=x\n   Nodes=n1\n", Records),
        ("Name|Priority|UsageFactor\nnormal|0|1\n", Qos),
        ("Cluster|Account|User\n", Associations),
        ("Cluster - 'a':Fairshare=1\n", Dump),
        ("SchedulerType = sched/backfill\nSelectType = (null)\n", Settings),
        ("ClusterName = x\nNodeName = n1 CPUs = 8\n", Configuration),
        ("SwitchName=s1 Nodes=n[1-2]\n", Configuration),
        ("PartitionName=a Default=YES \\\n  Nodes=n1\nNodeName=n1\n", Configuration),
        ("No reservations in the system\n", Nothing),
        ("No topology information available\n", Nothing),
        ("No partitions in the system", Nothing),
        ("\n# nothing\n", Nothing),
    ] {
        assert_eq!(SlurmFileKind::of(text), kind, "{text}");
    }
}

#[test]
fn files_that_are_not_read_are_named() {
    for (text, name) in cases("unread") {
        let (system, findings) = read(&[("slurm.conf", SMALL), ("other", text)]);
        assert_eq!(system.unwrap(), read(&[("slurm.conf", SMALL)]).0.unwrap(), "{name}");
        let list = findings.list();
        let unread = list.iter().find(|finding| finding.kind.code == "slurm-file-unread");
        let examples = &unread.unwrap_or_else(|| panic!("{name}: {list:?}")).examples;
        assert!(examples[0].detail.starts_with(name), "{name}: {examples:?}");
    }
    let (_, findings) = read(&[("slurm.conf", SMALL), ("x", "No reservations in the system\n")]);
    assert_eq!(findings.count("slurm-file-unread"), 0);
    // Such lines in the midst of a slurm.conf define no nodes.
    let (system, findings) =
        read(&[("slurm.conf", &format!("{SMALL}NodeName=n[3-9] Name=gpu File=/dev/x\n"))]);
    assert_eq!((system.unwrap().nodes.len(), findings.count("slurm-file-unread")), (2, 1));
}

const SMALL: &str = "SLURM_VERSION=24.05.1\nSelectType=select/cons_tres\nNodeName=n[1-2] CPUs=8\nPartitionName=main Nodes=ALL\n";

#[test]
fn logs_and_states_are_refused_with_the_option_that_takes_them() {
    for (text, words) in cases("refused") {
        let error = read(&[("slurm.conf", SMALL), ("other.txt", text)]).0.unwrap_err().to_string();
        assert!(error.starts_with("other.txt: ") && error.contains(words), "{words}: {error}");
    }
}

#[test]
fn records_of_scontrol_are_read() {
    let text = "PartitionName=batch\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   AllocNodes=ALL Default=YES QoS=N/A\n   \
        DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO\n   MaxNodes=2 MaxTime=02:00:00 MinNodes=0 LLN=NO\n   \
        Nodes=n[1-2]\n   PriorityJobFactor=7 PriorityTier=3 RootOnly=NO ReqResv=NO OverSubscribe=NO\n   State=UP TotalCPUs=16 TotalNodes=2\n\n\
        PartitionName=other\n   Default=NO MaxTime=UNLIMITED\n   Nodes=n2\n";
    let (system, findings) = read(&[("nodes.conf", NODES), ("partitions.txt", text)]);
    let system = system.unwrap();
    let batch = &system.partitions[0];
    assert_eq!((batch.max_nodes, batch.tier, batch.job_factor), (Some(2), 3, 7));
    assert_eq!((batch.max_time, batch.nodes.as_slice()), (Bound::Most(Time::from_secs(7200)), &[0, 1][..]));
    assert_eq!(system.partitions[1].nodes, [1]);
    assert_eq!(findings.count("slurm-setting-unsupported"), 0, "{findings:?}");
}

#[test]
fn errors_have_a_place() {
    let error = |text: &str| read(&[("slurm.conf", text)]).0.unwrap_err().to_string();
    assert_eq!(
        error("NodeName=a\nPart"),
        "slurm.conf:2:1: `Part` is not Key=Value: slurmctld refuses the line; put a # before it"
    );
    assert_eq!(
        error("NodeName=n[1-"),
        "slurm.conf:1:1: NodeName=`n[1-` is no list of hosts such as n[1-16,20]"
    );
    assert_eq!(
        error("ClusterName=x"),
        "slurm.conf:1:1: no NodeName line: a twin needs the nodes; give slurm.conf with --slurm, and the files that it \
         includes, or the output of `scontrol show node`"
    );
    let (_, findings) =
        read(&[("slurm.conf", "NodeName=a CPUs=many\nPriorityWeightAges=5\ninclude gone.conf\n")]);
    let codes: Vec<&str> = findings.list().iter().map(|finding| finding.kind.code).collect();
    assert_eq!(
        codes,
        ["slurm-include", "slurm-setting-value", "slurm-version-assumed", "slurm-setting-unknown"]
    );
}

#[test]
fn how_nodes_are_shared_is_read() {
    const CONF: &str = "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory,CR_LLN\nNodeName=n[1-2] CPUs=4\n\
                        PartitionName=main Nodes=ALL ExclusiveUser=YES\n";
    let (system, findings) = read(&[("slurm.conf", CONF)]);
    let system = system.unwrap();
    assert_eq!((system.select.least_loaded, system.select.memory), (true, true));
    assert!(!system.partitions[0].least_loaded);
    assert!(system.partitions[0].exclusive_user);
    let code = "slurm-setting-unsupported";
    assert!(findings.list().iter().all(|finding| finding.kind.code != code), "{:?}", findings.list());
}

#[test]
fn service_classes_and_partitions_say_who_preempts_whom() {
    use crate::site::{PreemptBy, PreemptMode};

    let conf = "SlurmVersion=22.05.8\nPreemptType=preempt/qos\nPreemptMode=requeue\nPreemptExemptTime=00:10:00\n\
        SchedulerParameters=preempt_youngest_first,preempt_reorder_count=3\nNodeName=n1\n\
        PartitionName=a Nodes=n1 PreemptMode=OFF GraceTime=30\n";
    let qos = "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|UsageFactor\n\
        normal|0|00:00:00|low,idle||cluster|1.000000\nlow|0|00:01:00|||cancel|1.000000\n\
        idle|0|00:00:00||01:00:00|cluster|1.000000\n";
    let (system, findings) = read(&[("slurm.conf", conf), ("qos.txt", qos)]);
    let system = system.unwrap();
    assert!(findings.list().is_empty(), "{:?}", findings.list());
    let rules = system.preemption.unwrap();
    assert_eq!(
        (rules.by, rules.mode, rules.exempt),
        (PreemptBy::Qos, PreemptMode::Requeue, Time::from_secs(600))
    );
    assert_eq!((rules.youngest_first, rules.strict_order, rules.reorders), (true, false, 3));
    let of_partition = &system.partitions[0];
    assert_eq!(
        (of_partition.preempt_mode, of_partition.grace),
        (Some(PreemptMode::Off), Time::from_secs(30))
    );
    let told: Vec<_> = system
        .qos
        .iter()
        .map(|qos| {
            (
                qos.preempts.iter().cloned().collect::<Vec<_>>().join(" "),
                qos.preempt_mode,
                qos.grace,
                qos.exempt,
            )
        })
        .collect();
    let hour = Some(Time::from_secs(3600));
    assert_eq!(
        told,
        [
            ("idle low".into(), None, Time::ZERO, None),
            (String::new(), Some(PreemptMode::Cancel), Time::from_secs(60), None),
            (String::new(), None, Time::ZERO, hour),
        ]
    );
}

#[test]
fn lines_are_those_that_slurm_reads() {
    let expected = (vec![("n1".to_owned(), 8, 1), ("n2".to_owned(), 8, 1)], 1);
    for text in [
        "NodeName=n[1-2] CPUs=8\nPartitionName=main Nodes=n[1-2]\n",
        "ClusterName = c\nNodeName = n[1-2] CPUs = 8\nPartitionName = main Nodes = n[1-2] Default = YES\n",
        "MailProg= /usr/bin/smail\nNodeName=n[1-2] CPUs= 8\nPartitionName=main Nodes= n[1-2]\n",
        "AuthInfo=\"a=1\",\"b=2\"\nNodeName=\"n[1-2]\" CPUs=8\nPartitionName=main Nodes=\"n[1-2]\" Reason=\"a b\"\n",
        "#NodeName=old[1-9] CPUs=4 \\\nNodeName=n[1-2] CPUs=8\nPartitionName=main Nodes=n[1-2]\n",
        "NodeName=n[1-2] \\  # the old rack\n CPUs=8\nPartitionName=main \\\n  Nodes=n[1-2] # and \\\n",
        "\u{feff}NodeName=n[1-2]\tCPUs=8\r\nPartitionName=main\tNodes=n1,n2,\r\n",
    ] {
        assert_eq!(nodes_of(text), expected, "{text}");
    }
    let (_, partitions) = nodes_of(
        "NodeName=n1\n# PartitionName=old Nodes=n1 \\\nPartitionName=a Nodes=n1\nPartitionName=b Nodes=n1\n",
    );
    assert_eq!(partitions, 2, "a comment does not go on");
}

#[test]
fn files_that_include_each_other_end() {
    let bomb = "include bomb.conf\n".repeat(40);
    let mut findings = Findings::lenient();
    let mut opened = 0;
    let mut includes = |_: &str, path: &str| {
        opened += 1;
        // Seven levels of forty includes each.
        let level: usize = path[4..5].parse().unwrap();
        let next = format!("include bomb{}\n", level + 1).repeat(40);
        Some(file(path, if level < 7 { &next } else { "ClusterName=y\n" }))
    };
    let first = file("slurm.conf", &format!("{SMALL}{}", bomb.replace("bomb.conf", "bomb1")));
    let error = read_system(&[first], &[], &mut includes, &mut findings).unwrap_err().to_string();
    assert!(error.contains("more than 1000 files, or 64 MiB, are included"), "{error}");
    assert_eq!(opened, 1001);
}
