//! Tests of `--redact`: no verb shows a name, results stay the same.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::help::verbs;
use super::{Done, Folder};

/// The names in the files, in lower case.
const NAMES: [&str; 9] =
    ["zoltan", "yvonne", "xaver", "waldemar", "quantumlab", "biolab", "evillab", "secretjob", "example.org"];

const SLURM: &str = "--slurm slurm.conf --slurm assoc.psv --slurm res.txt";

/// Command lines of each verb, and their exit codes; `SLURM` stands for the files of the installation. A new verb belongs here.
const COMMANDS: [(&str, i32); 57] = [
    ("info sacct.txt", 0),
    ("info sacct.txt --format json", 0),
    ("info log.swf --format csv", 0),
    ("convert sacct.txt -o out-1.swf", 0),
    ("convert sacct.txt --explain", 0),
    ("convert log.swf -o out-2.swf", 0),
    ("convert sacct.txt --strict -o out.swf", 3),
    ("convert log.swf --strict -o out.swf", 3),
    ("check log.swf --rules rules.toml", 1),
    ("clean log.swf --rules mend.toml -o out-3.swf --explain", 0),
    ("shape log.swf --steps steps.toml -o out-4.swf", 0),
    ("generate jann97 --log log.swf -o out-5.swf --jobs 20", 2),
    ("replay sacct.txt SLURM --schedule out-6.csv", 0),
    ("replay sacct.txt SLURM --format json", 0),
    ("replay sacct.txt SLURM --strict", 3),
    ("replay log.swf --policy easy --limits limits.toml --out out-7", 0),
    ("replay log.swf --policy easy --limits limits.toml --format json", 0),
    ("replay log.swf --policy easy --limits wrong-limits.toml", 2),
    ("replay log.swf --policy easy --calendar calendar.toml --priorities priorities.toml", 0),
    ("replay log.swf --policy easy --classes lab=group=quantumlab", 2),
    ("replay log.swf --policy easy --stream", 0),
    ("run e.toml --out results --schedules", 0),
    ("run e.toml --out results-2 --shard 1/2", 0),
    ("run e.toml --out results-3 --shard 2/2", 0),
    ("run wrong.toml --out results-4", 2),
    ("merge results-2 results-3 -o results-5", 0),
    ("report results -o out-8.html", 0),
    ("table results --format json", 0),
    ("cite results", 0),
    ("slurm e.toml --partition main -o out-9.sh", 0),
    ("sweep log.swf --policy easy --load 0.5,0.7,0.9 --out results-6", 0),
    ("what-if log.swf --policy easy --after 'more: --procs 8'", 0),
    ("what-if sacct.txt SLURM --after 'less: --load 0.5'", 0),
    ("when squeue.txt SLURM --history sacct.txt", 0),
    ("when squeue.txt SLURM --history sacct.txt --format json", 0),
    ("when squeue.txt SLURM --history sacct.txt --explain 28", 0),
    ("priorities squeue.txt SLURM --history sacct.txt", 0),
    ("priorities squeue.txt SLURM --history sacct.txt --format json", 0),
    ("slurm-check sacct.txt SLURM", 0),
    ("slurm-check sacct.txt SLURM --format json", 0),
    ("slurm-check --settings --slurm settings.conf --slurm res.txt", 0),
    ("slurm-check --settings --slurm settings.conf --slurm res.txt --format csv", 0),
    ("slurm-collect -o out-10.sh", 0),
    ("explain sacct.txt 12 SLURM", 0),
    ("explain log.swf 12 --policy easy --limits limits.toml", 0),
    ("explain log.swf 12 --policy easy --calendar calendar.toml", 0),
    ("explain log.swf zoltan --policy easy", 2),
    ("open log.swf", 2),
    ("verify log.swf named.csv", 3),
    ("diff log.swf easy.csv fcfs.csv --limits limits.toml", 0),
    ("conform easy --on log.swf", 0),
    ("paper", 0),
    ("fetch pwa:none", 2),
    ("serve zoltan", 2),
    ("list policies", 0),
    ("completions bash", 0),
    ("man", 0),
];

/// Returns a folder with a log of Slurm, its installation, its queue and a log in SWF; each has broken lines, too.
fn folder() -> Folder {
    let folder = Folder::new();
    let people = [("zoltan", "quantumlab"), ("yvonne", "biolab"), ("xaver", "quantumlab")];
    let mut sacct = String::from(
        "JobID|JobName|User|Group|Account|Partition|QOS|State|Submit|Eligible|Start|End|TimelimitRaw|NNodes|ReqCPUS|NCPUS|\
         NodeList|Reservation|SubmitLine\n",
    );
    for job in 1..=12 {
        let (user, account) = people[job % 3];
        let class = if job == 5 { "zoltan_class" } else { "" };
        let at = |minute: usize, second: usize| format!("2026-11-25T00:{minute:02}:{second:02}");
        let (submit, start, end) = (at(0, job), at(job / 2, 30), at(job + 3, 30));
        let _ = writeln!(
            sacct,
            "{job}|secretjob{job}|{user}|{account}|{account}|main|normal|COMPLETED|{submit}|{submit}|{start}|{end}|30|1|4|4|n1|\
             {class}|sbatch --mail-user={user}@lab.example.org secretjob"
        );
    }
    sacct += "13|secretjob|zoltan|quan\n14|secretjob|vera|biolab|biolab|main|zoltan|COMPLETED|yvonne|x|zoltan|x|biolab|1|4|4|n1||\n";
    folder.write("sacct.txt", &sacct);
    folder.write(
        "assoc.psv",
        "Cluster|Account|User|Partition|Share|GrpTRES|MaxJobs\nc|root|||1||\nc| quantumlab|||4|cpu=4|\n\
         c|  quantumlab|zoltan||1||\nc|  quantumlab|waldemar||1||1\nc| biolab|||1||\n",
    );
    folder.write(
        "slurm.conf",
        "ClusterName=c\nSchedulerType=sched/backfill\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         AccountingStorageEnforce=associations,limits,qos\nPriorityType=priority/multifactor\nPriorityWeightAge=1000\n\
         PriorityWeightFairshare=10000\nNodeName=n[1-2] CPUs=4\n\
         PartitionName=main Nodes=ALL Default=YES AllowAccounts=quantumlab,biolab DenyAccounts=evillab\n",
    );
    folder.write(
        "settings.conf",
        &(folder.read("slurm.conf")
            + "SlurmUser=zoltan\nAccountingStorageUser=yvonne\nProlog=/home/xaver/prolog.sh\nMailDomain=example.org\n\
               PartitionName=other Nodes=n1 AllowQos=biolab DenyQos=evillab AllowGroups=quantumlab QOS=biolab\n"),
    );
    folder.write(
        "res.txt",
        "ReservationName=zoltan_class StartTime=2026-11-25T00:00:00 EndTime=2026-11-25T00:05:00 Nodes=n2 NodeCnt=1 \
         Users=zoltan Accounts=quantumlab State=ACTIVE\n",
    );
    let columns = "JOBID|USER|ACCOUNT|PARTITION|QOS|STATE|REASON|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|NODES|NODELIST|NAME|\n";
    let job = |id: u32, user: &str, state: &str, start: &str, node: &str| {
        format!(
            "{id}|{user}|quantumlab|main|normal|{state}|2026-11-25T14:28:07|{start}|0:10|3:00|4|1|{node}|secretjob|\n"
        )
    };
    folder.write(
        "squeue.txt",
        &[
            columns.to_owned(),
            job(27, "zoltan", "PENDING|Resources", "N/A", ""),
            job(28, "yvonne", "PENDING|Priority", "N/A", ""),
            job(29, "xaver", "PENDING|JobHeldUser", "N/A", ""),
            job(30, "xaver", "RUNNING|None", "2026-11-25T14:28:10", "n1"),
            job(31, "xaver", "RUNNING|None", "zoltan", "n1"),
            "32|torn|zoltan\n".to_owned(),
        ]
        .concat(),
    );
    let mut swf = String::from(
        "; Version: 2.2\n; Acknowledge: zoltan, yvonne@lab.example.org\n; MaxProcs: 4\n; Note: user 1: zoltan\n\
         ; Note: user 2: yvonne\n; Note: group 1: quantumlab\n; Note: group 2: biolab\n; Note: biolab is now of quantumlab\n",
    );
    for job in 1..=12 {
        let who = 1 + job % 2;
        let _ = writeln!(swf, "{job} {} 5 100 2 -1 -1 2 200 -1 1 {who} {who} 1 1 -1 -1 -1", job * 10);
        if job == 6 {
            swf += "; zoltan complained\nzoltan says hello\n13 65 yvonne 100 2 -1 -1 2 200 -1 1 2 2 1 1 -1 -1 -1\n";
        }
    }
    folder.write("log.swf", &swf);
    folder.write("limits.toml", "[[limit]]\ngroup = \"quantumlab\"\nrunning_jobs = 1\n");
    folder.write("wrong-limits.toml", "[[limit]]\ngroup = \"evillab\"\nrunning_jobs = 1\n");
    folder.write(
        "calendar.toml",
        "[[event]]\nkind = \"reservation\"\nfrom = 50\nto = 5000\nprocs = 2\nuser = \"zoltan\"\n",
    );
    folder.write("priorities.toml", "[[class]]\nuser = \"zoltan\"\npriority = 10\n");
    let experiment = |log: &str, limits: &str| {
        format!(
            "[experiment]\nname = \"e\"\n[[workload]]\nname = \"w\"\ntrace = \"{log}\"\nlimits = \"{limits}\"\n\
             [[policy]]\nspec = \"easy\"\n[[policy]]\nspec = \"fcfs\"\n"
        )
    };
    folder.write("e.toml", &experiment("log.swf", "limits.toml"));
    folder.write("wrong.toml", &experiment("log.swf", "wrong-limits.toml"));
    folder.write(
        "rules.toml",
        "[[rule]]\nid = \"a\"\nbecause = \"b\"\ndrop = \"job = 3\"\n[[expect]]\ncount = 3\n",
    );
    folder.write("mend.toml", "[[rule]]\nid = \"a\"\nbecause = \"b\"\ndrop = \"job = 3\"\n");
    folder.write("steps.toml", "[[step]]\nkind = \"filter\"\nkeep = \"job > 1\"\n");
    for policy in ["easy", "fcfs"] {
        let file = format!("{policy}.csv");
        folder.run(&["replay", "log.swf", "--policy", policy, "-q", "--schedule", &file]);
    }
    folder.write("named.csv", "job_id,submit,start,end,procs\n1,10,15,zoltan,2\n");
    folder
}

/// Runs a command line of [`COMMANDS`], with further words.
fn run(folder: &Folder, line: &str, further: &[&str]) -> Done {
    let line = line.replace("SLURM", SLURM);
    let quoted = line.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    folder.run(&quoted.chain(further.iter().copied()).collect::<Vec<_>>())
}

/// Returns the names that a text shows.
fn shown(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    NAMES.into_iter().filter(|name| text.contains(name)).collect()
}

/// Returns all files in a folder and the folders in it, unpacked, with their paths.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let of_entry = |path: PathBuf| {
        if path.is_dir() {
            return files(&path);
        }
        let bytes = std::fs::read(&path).unwrap();
        let mut text = String::new();
        let packed = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text);
        let text = packed.map_or_else(|_| String::from_utf8_lossy(&bytes).into_owned(), |_| text);
        vec![(path, text)]
    };
    std::fs::read_dir(folder).unwrap().flat_map(|entry| of_entry(entry.unwrap().path())).collect()
}

#[test]
fn every_verb_is_among_the_commands() {
    let commands: BTreeSet<&str> = COMMANDS.iter().filter_map(|(line, _)| line.split(' ').next()).collect();
    let verbs = verbs(&Folder::new());
    assert_eq!(verbs.iter().map(String::as_str).collect::<BTreeSet<_>>(), commands);
}

#[test]
fn no_verb_shows_a_name() {
    let folder = folder();
    let before: Vec<PathBuf> = files(&folder.path("")).into_iter().map(|(path, _)| path).collect();
    for (line, code) in COMMANDS {
        let done = run(&folder, line, &["--redact"]);
        assert_eq!(done.code, code, "{line}: {}", done.err);
        for text in [&done.out, &done.err] {
            // What is typed is the user's own.
            let typed = ["zoltan", "quantumlab"].into_iter().filter(|name| line.contains(name)).count();
            assert!(shown(text).len() <= typed, "{line}: {text}");
        }
    }
    for (path, text) in files(&folder.path("")).into_iter().filter(|(path, _)| !before.contains(path)) {
        assert_eq!(shown(&text), [""; 0], "{}: {text}", path.display());
    }
}

#[test]
fn without_it_names_are_shown() {
    let folder = folder();
    let shows = |line: &str| {
        let done = run(&folder, line, &[]);
        !shown(&(done.out + &done.err)).is_empty()
    };
    for line in [
        "info sacct.txt",
        "convert sacct.txt --explain",
        "convert log.swf -o -",
        "convert sacct.txt --strict -o out.swf",
        "replay sacct.txt SLURM",
        "replay log.swf --policy easy --limits wrong-limits.toml",
        "explain sacct.txt 12 SLURM",
        "slurm-check sacct.txt SLURM",
        "when squeue.txt SLURM --history sacct.txt",
    ] {
        assert!(shows(line), "{line}");
    }
}

#[test]
fn pseudonyms_are_the_numbers_of_the_log() {
    let folder = folder();
    let explained = run(&folder, "explain sacct.txt 12 SLURM -q", &["--redact"]);
    // quantumlab is the second account of the log.
    assert!(explained.succeeded().contains("GrpTRES of association account2"), "{}", explained.out);
    let unknown = run(&folder, "replay sacct.txt SLURM", &["--redact"]).err;
    assert!(unknown.contains("  association of user2 in account2 (1)\n"), "{unknown}");
    let converted = run(&folder, "convert log.swf -o - -q", &["--redact"]);
    let notes: Vec<&str> = converted.out.lines().filter(|line| line.starts_with(';')).skip(1).collect();
    assert_eq!(
        notes,
        [
            "; Acknowledge: user1, …",
            "; MaxProcs: 4",
            "; Note: user 1: user1",
            "; Note: user 2: user2",
            "; Note: group 1: group1",
            "; Note: group 2: group2",
            "; Note: group2 is now of group1",
            "; user1 complained"
        ]
    );
}

#[test]
fn schedules_are_the_same() {
    let folder = folder();
    for line in [
        "replay sacct.txt SLURM -q --schedule",
        "replay log.swf --policy easy --limits limits.toml -q --schedule",
        "replay log.swf --policy easy --calendar calendar.toml --priorities priorities.toml -q --schedule",
    ] {
        let plain = run(&folder, line, &["a.csv"]);
        let redacted = run(&folder, line, &["b.csv", "--redact"]);
        assert_eq!(plain.succeeded(), redacted.succeeded(), "{line}");
        assert_eq!(folder.read("a.csv"), folder.read("b.csv"), "{line}");
    }
    // The limit of the association of quantumlab binds, so the names have been matched.
    let bound = run(&folder, "replay sacct.txt SLURM -q", &["--redact"]);
    assert!(bound.out.contains("jobs that limits held back"), "{}", bound.out);
}

/// Every word of the files of a scenario is replaced in turn by a marked one, which no message shows.
#[test]
fn no_message_shows_a_word_of_the_files_of_a_scenario() {
    let folder = Folder::new();
    folder.write(
        "log.swf",
        "; MaxProcs: 16\n; UnixStartTime: 1700000000\n; Note: user 1: ann\n; Note: user 2: bob\n; Note: group 1: physics\n\
         ; Partition: 1 main\n1 0 0 9 4 -1 -1 4 9 -1 1 1 1 -1 1 1 -1 -1\n2 1 0 9 4 -1 -1 4 9 -1 1 2 1 -1 1 1 -1 -1\n",
    );
    let files = [
        (
            "limits",
            "[[limit]]\nuser = \"ann\"\nprocs = 8\nwall_time = \"24h\"\ncount = \"running\"\n\
                    [[limit]]\ngroup = [\"physics\"]\npartition = \"main\"\nrunning_jobs = 2\n",
        ),
        (
            "calendar",
            "[[event]]\nkind = \"maintenance\"\nfrom = \"2023-11-15 10:00\"\nto = 2000\nprocs = 4\nknown = \"1d\"\n\
                      [[event]]\nkind = \"reservation\"\nuser = \"ann\"\nfrom = 100\nto = 200\nresource = \"procs\"\namount = 3\n",
        ),
        (
            "priorities",
            "releases = [\"procs\"]\n[[class]]\nuser = \"ann\"\npriority = 2\npreempts = true\n\
                        [[class]]\nuser = \"bob\"\npriority = 1\npreempted = \"requeue\"\n",
        ),
    ];
    let mut shown = Vec::new();
    for (kind, text) in files {
        let is_of_word = |letter: char| letter.is_alphanumeric() || "_-.:".contains(letter);
        for word in text.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty()) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            folder.write("w.toml", &format!("{}zqname{}", &text[..at], &text[at + word.len()..]));
            let done = folder.run(&["replay", "log.swf", "-q", "--redact", &format!("--{kind}"), "w.toml"]);
            shown.extend(Some(done.out + &done.err).filter(|said| said.contains("zqname")));
        }
    }
    assert!(shown.is_empty(), "{} messages show a word:\n{}", shown.len(), shown.join("\n"));
}
