//! `batchlab slurm-collect`: its script under stand-ins for Slurm, its list of columns, and the folder as `--slurm`.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::Folder;

/// What the programs of a small cluster print, by name and arguments. `$1` is the version's peculiarity.
const SCONTROL: &str = include_str!("slurm_collect/scontrol");

const SACCTMGR: &str = include_str!("slurm_collect/sacctmgr");

/// An `sacct` of a version without `SubmitLine`.
const SACCT: &str = include_str!("slurm_collect/sacct");

/// A `squeue` without JSON; other programs print something.
const OTHER: &str = include_str!("slurm_collect/other");

const CONF: &str = include_str!("slurm_collect/slurm.conf");

const JOBS: &str = "JobID|User|Account|QOS|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|\
                    NNodes|NodeList\n\
                    1|ann|lab|normal|main|1772452800|1772452800|1772452801|1772454601|1800|60|COMPLETED|4|4|1|n1\n\
                    2|ann|lab|normal|main|1772452900|1772452900|1772452901|1772454701|1800|60|COMPLETED|4|4|1|n2\n\
                    3|ann|lab|normal|main|1772453000|1772453000|1772454702|1772456502|1800|60|COMPLETED|4|4|1|n2\n";

struct Cluster {
    folder: Folder,
}

impl Cluster {
    fn new() -> Cluster {
        let folder = Folder::new();
        for name in ["bin", "data", "etc"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        let conf = folder.path("etc/slurm.conf");
        let config = format!(
            "Configuration data as of 2026-03-02T20:00:00\nClusterName             = c\nSLURM_CONF              = {}\n\
             SLURM_VERSION           = 20.11.9\n",
            conf.display()
        );
        folder.write("data/config", &config);
        folder.write("data/columns", &format!("{}\n", columns_of(&script(&[])).replace(',', "    ")));
        folder.write("data/jobs", JOBS);
        folder.write("etc/slurm.conf", CONF);
        folder.write("etc/nodes.conf", "NodeName=n[1-2] CPUs=4\n");
        let programs = [
            ("scontrol", SCONTROL),
            ("sacctmgr", SACCTMGR),
            ("sacct", SACCT),
            ("squeue", OTHER),
            ("sinfo", OTHER),
        ];
        let others = ["sprio", "sshare", "sdiag"].map(|name| (name, OTHER));
        for (name, text) in programs.into_iter().chain(others) {
            let path = format!("bin/{name}");
            folder.write(&path, text);
            std::fs::set_permissions(folder.path(&path), PermissionsExt::from_mode(0o755)).unwrap();
        }
        Cluster { folder }
    }

    fn run(&self, shell: &str, args: &[&str]) -> Output {
        self.folder.write("collect.sh", &script(&[]));
        let path = format!("{}:{}", self.folder.path("bin").display(), std::env::var("PATH").unwrap());
        Command::new(shell)
            .arg("collect.sh")
            .args(args)
            .current_dir(self.folder.path(""))
            .env("PATH", path)
            .env("CALLS", self.folder.path("calls"))
            .env("DATA", self.folder.path("data"))
            .output()
            .unwrap()
    }
}

fn script(args: &[&str]) -> String {
    let done = Folder::new().run(&[&["slurm-collect"][..], args].concat());
    done.succeeded().to_owned()
}

/// Returns the columns of sacct in the script, without those of later versions.
fn columns_of(script: &str) -> String {
    let list = |name: &str| {
        let line = script.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches('\'').to_owned()
    };
    list("wanted=").replace(&format!("{},", list("later=")), "")
}

fn shells() -> Vec<&'static str> {
    let is_here = |shell: &&str| Command::new(shell).args(["-c", ":"]).output().is_ok();
    ["sh", "dash", "bash"].into_iter().filter(is_here).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_script_is_one_of_any_shell() {
    let folder = Folder::new();
    folder.write("collect.sh", &script(&["--since", "30", "--tar", "my cluster's"]));
    for shell in shells() {
        let read = Command::new(shell).arg("-n").arg(folder.path("collect.sh")).status().unwrap();
        assert!(read.success(), "{shell}");
    }
    match Command::new("shellcheck").args(["-s", "sh"]).arg(folder.path("collect.sh")).output() {
        Ok(found) => assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stdout)),
        Err(error) => eprintln!("the script is only read: there is no shellcheck ({error})"),
    }
}

#[test]
fn it_collects_what_there_is_and_says_what_there_is_not() {
    for shell in shells() {
        let cluster = Cluster::new();
        let done = cluster.run(shell, &["--since", "30", "all of it"]);
        assert!(done.status.success(), "{shell}: {}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(String::from_utf8_lossy(&done.stdout), "./all of it\n");
        let here = cluster.folder.path("all of it");
        let mut names: Vec<String> = std::fs::read_dir(&here)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names.join(" "),
            "assoc.psv events.psv missing.txt nodes.conf reservations.psv sacct.txt scontrol-config.txt scontrol-job.txt \
             scontrol-node.txt scontrol-partition.txt scontrol-reservation.txt sdiag.txt sinfo.txt slurm.conf sprio.txt \
             squeue-start.txt squeue.txt sshare.psv"
        );
        let missing = read(&here.join("missing.txt"));
        let lines: Vec<&str> = missing.lines().collect();
        assert_eq!(lines[0], "# batchlab slurm-collect: commands that failed");
        assert_eq!(
            lines[1..],
            [
                "scontrol-topology.txt\tscontrol show topology\tNo topology information available",
                "qos.psv\tsacctmgr -P show qos\tsacctmgr: error: slurmdbd: Connection refused",
                "squeue.json\tsqueue -a --json\tsqueue: unrecognized option '--json'",
                "sacct.txt\tsacct -o SubmitLine\tsacct of this version has no such column",
            ],
            "{shell}"
        );
        let calls = cluster.folder.read("calls");
        let known = columns_of(&script(&[])).replace(",SubmitLine", "");
        let sacct =
            format!("sacct [-a] [-P] [-D] [-S] [now-30days] [-E] [now] [--noconvert] [-o] [{known}] %s");
        assert!(calls.lines().any(|line| line == sacct), "{calls}");
        // Only what reads: each call shows something.
        let reads = |line: &str| {
            let shows = ["scontrol ", "sacctmgr "].iter().any(|name| line.starts_with(name))
                && line.contains(" show ");
            shows
                || ["sacct ", "squeue ", "sinfo ", "sprio ", "sshare ", "sdiag "]
                    .iter()
                    .any(|name| line.starts_with(name))
        };
        assert_eq!(calls.lines().filter(|line| !reads(line)).collect::<Vec<_>>(), Vec::<&str>::new());
        // A folder that is there stays as it is.
        let again = cluster.run(shell, &["all of it"]);
        assert_eq!(again.status.code(), Some(3));
        assert_eq!(cluster.run(shell, &["--since", "soon"]).status.code(), Some(2));
    }
}

#[test]
fn the_folder_is_given_with_slurm() {
    let cluster = Cluster::new();
    assert!(cluster.run("sh", &["c"]).status.success());
    let folder = &cluster.folder;
    let check = ["slurm-check", "c/sacct.txt", "--slurm", "c", "--format", "json"];
    let done = folder.run(&check);
    let json: serde_json::Value = serde_json::from_str(done.succeeded()).unwrap();
    assert_eq!(json["jobs"], 3);
    // Node n1 is drained when job 1 ends: job 3 waits for n2, as it really did.
    assert_eq!(json["within_5s"], 1.0, "{}", done.err);
    assert_eq!(json["closed_loop_agreement"], 1.0, "{}", done.err);
    let said = &done.err;
    assert!(said.contains("slurm-not-collected") && said.contains("4 commands"), "{said}");
    assert!(said.contains("qos.psv (sacctmgr -P show qos): priorities, limits"), "{said}");
    assert!(said.contains("slurm-columns-absent") && said.contains("SubmitLine ("), "{said}");
    assert!(!said.contains("slurm-include"), "nodes.conf is in the folder: {said}");
    // The folder alone is enough, and the verb says what it takes.
    let alone = folder.run(&["slurm-check", "c", "--format", "json"]);
    let of_folder: serde_json::Value = serde_json::from_str(alone.succeeded()).unwrap();
    assert_eq!(of_folder, json);
    let taken = "slurm-check takes by itself: c/sacct.txt --slurm c --dependencies log --cancel log";
    assert!(alone.err.contains(taken), "{}", alone.err);
    let done = folder.run(&["slurm-check", "c", "--cancel", "ignore", "--dependencies", "ignore"]);
    assert!(done.err.contains("takes by itself: c/sacct.txt --slurm c\n"), "{}", done.err);
    // The verb says where the log is.
    let done = folder.run(&["slurm-check", "--slurm", "c"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("the log is c/sacct.txt: batchlab slurm-check c/sacct.txt --slurm …"),
        "{}",
        done.err
    );
}

#[test]
fn no_link_is_followed_out_of_a_folder_and_no_number_of_files_is_unbounded() {
    let folder = Folder::new();
    folder.write("secret.conf", "NodeName=n[1-9] CPUs=4\n");
    folder.write("sacct.txt", JOBS);
    std::fs::create_dir(folder.path("c")).unwrap();
    symlink(folder.path("secret.conf"), folder.path("c/slurm.conf")).unwrap();
    folder.write("c/notes.txt", "hello, world\n");
    let replay = ["replay", "sacct.txt", "--slurm", "c"];
    let done = folder.run(&replay);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(
        done.err.contains("c: no file of an installation in this folder (links are not followed)"),
        "{}",
        done.err
    );
    (0..1001).for_each(|at| folder.write(&format!("c/{at}"), "x"));
    let done = folder.run(&replay);
    assert_eq!(done.code, 3);
    assert!(done.err.contains("c: more than 1000 files"), "{}", done.err);
}

#[test]
fn an_archive_is_read_as_its_folder() {
    let cluster = Cluster::new();
    let folder = &cluster.folder;
    assert!(cluster.run("sh", &["c"]).status.success());
    folder.write("sacct.txt", JOBS);
    let replayed = |sites: &[&str]| {
        let mut args = vec!["replay", "sacct.txt", "--schedule", "s.csv"];
        for site in sites {
            args.extend(["--slurm", site]);
        }
        let done = folder.run(&args);
        done.succeeded();
        (folder.read("s.csv"), done.err)
    };
    let (starts, said) = replayed(&["c"]);
    std::fs::rename(folder.path("c"), folder.path("unpacked")).unwrap();
    let done = cluster.run("sh", &["--tar", "c"]);
    assert!(done.status.success() && !folder.path("c").exists());
    let said_to_do = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said_to_do.contains("--slurm c.tar.gz takes it as it is"), "{said_to_do}");
    let (packed, packed_said) = replayed(&["c.tar.gz"]);
    assert_eq!(packed, starts);
    // What is said of the folder is said of the archive, and which of its entries are not read.
    let words = "entries in an archive of --slurm that are not read from there";
    assert!(packed_said.contains(words) && !said.contains(words), "{packed_said}");
    assert!(
        said.contains("slurm-not-collected") && packed_said.contains("slurm-not-collected"),
        "{packed_said}"
    );
    // Files of it by name, as what-if names those that stay.
    let by_name = |site: &str| {
        let named = ["slurm.conf", "nodes.conf"].map(|name| format!("{site}/{name}"));
        replayed(&[&named[0], &named[1]]).0
    };
    assert_eq!(by_name("c.tar.gz"), by_name("unpacked"));
    folder
        .run(&["replay", "sacct.txt", "--slurm", "c.tar.gz/no.conf"])
        .failed(3, "the archive has no such file");
    // Without a folder around the files, and not packed.
    let packed = Command::new("tar")
        .args(["-C", "unpacked", "-cf", "flat.tar", "."])
        .current_dir(folder.path("."))
        .status();
    assert!(packed.unwrap().success());
    assert_eq!(replayed(&["flat.tar"]).0, starts);
}

/// What is there already stays: accounting that slurmdbd has purged since cannot be collected again.
#[test]
fn an_archive_is_never_written_over_and_no_link_followed() {
    let cluster = Cluster::new();
    let folder = &cluster.folder;
    folder.write("site.tar.gz", "old");
    folder.write("precious", "mine");
    symlink("precious", folder.path("other.tar.gz")).unwrap();
    symlink("nothing", folder.path("third.tar.gz")).unwrap();
    for (name, archive) in [("site", "site.tar.gz"), ("other/", "other.tar.gz"), ("third", "third.tar.gz")] {
        let done = cluster.run("sh", &["--tar", name]);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(3), "{name}: {said}");
        assert!(said.contains(&format!("./{archive} is there already")), "{said}");
    }
    assert_eq!((folder.read("site.tar.gz"), folder.read("precious")), ("old".into(), "mine".into()));
    assert!(
        !folder.path("nothing").exists() && !folder.path("site").exists() && !folder.path("calls").exists()
    );
    // A slash at the end is no part of the name.
    let done = cluster.run("sh", &["--tar", "new/"]);
    assert_eq!(String::from_utf8_lossy(&done.stdout), "./new.tar.gz\n");
    assert!(folder.path("new.tar.gz").is_file() && !folder.path("new").exists());
    // A link that is made while the script runs is not followed either.
    let slow = folder.read("bin/sdiag") + "ln -s precious late.tar.gz\n";
    folder.write("bin/sdiag", &slow);
    let done = cluster.run("sh", &["--tar", "late"]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("is there by now: the folder stays"), "{said}");
    assert!(folder.path("late/sacct.txt").is_file() && folder.read("precious") == "mine");
}

fn entry(archive: &mut tar::Builder<Vec<u8>>, kind: tar::EntryType, name: &str, text: &str) {
    let mut header = tar::Header::new_ustar();
    // As it is: the crate refuses paths that lead out of the archive.
    header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    if kind == tar::EntryType::Symlink {
        header.set_link_name("/etc/passwd").unwrap();
    }
    header.set_cksum();
    archive.append(&header, text.as_bytes()).unwrap();
}

#[test]
fn paths_and_links_in_an_archive_lead_nowhere() {
    use tar::EntryType::{Directory, Regular, Symlink};
    let folder = Folder::new();
    folder.write("sacct.txt", JOBS);
    folder.write("nodes.conf", "NodeName=n[1-2] CPUs=64\n");
    let nodes = "NodeName=n[1-2] CPUs=4\n";
    let archive = |entries: &[(tar::EntryType, &str, &str)]| {
        let mut archive = tar::Builder::new(Vec::new());
        for (kind, name, text) in entries {
            entry(&mut archive, *kind, name, text);
        }
        archive.into_inner().unwrap()
    };
    let site =
        [(Directory, "site/", ""), (Regular, "site/slurm.conf", CONF), (Regular, "site/nodes.conf", nodes)];
    let odd = [
        (Regular, "../up.conf", "NodeName=n9 CPUs=4\n"),
        (Regular, "/etc/abs.conf", "NodeName=n9 CPUs=4\n"),
        (Symlink, "site/link.conf", ""),
        (Regular, "site/deep/old.conf", "NodeName=n9 CPUs=4\n"),
        (Regular, "other/slurm.conf", "ClusterName=d\n"),
        (Regular, "site/readme", "hello, world\n"),
    ];
    std::fs::write(folder.path("site.tar"), archive(&[&site[..], &odd].concat())).unwrap();
    let before = folder.files();
    let done = folder.run(&["replay", "sacct.txt", "--slurm", "site.tar"]);
    assert!(done.succeeded().contains("8 processors"), "{}", done.out);
    assert_eq!(folder.files(), before, "nothing is unpacked");
    assert!(done.err.contains("note[slurm-archive-unused]: 6 entries"), "{}", done.err);
    assert!(done.err.contains("its path leads out of the archive"), "{}", done.err);
    // An archive that is cut off, and a file that is no archive.
    let whole = archive(&site);
    std::fs::write(folder.path("cut.tar"), &whole[..600]).unwrap();
    folder.run(&["replay", "sacct.txt", "--slurm", "cut.tar"]).failed(3, "it is no whole tar archive");
    folder.write("none.tar", &"ClusterName=c\n".repeat(100));
    folder.run(&["replay", "sacct.txt", "--slurm", "none.tar"]).failed(3, "it is no whole tar archive");
    // A file that says to be longer than it is takes no memory; one that is longer than all may be is refused.
    let mut lies = archive(&[(Regular, "site/slurm.conf", CONF)]);
    let mut header = tar::Header::from_byte_slice(&lies[..512]).clone();
    header.set_size(1 << 40);
    header.set_cksum();
    lies[..512].copy_from_slice(header.as_bytes());
    std::fs::write(folder.path("lies.tar"), &lies).unwrap();
    folder.run(&["replay", "sacct.txt", "--slurm", "lies.tar"]).failed(3, "lies.tar");
    let long = format!("{CONF}{}", "# a remark of an installation\n".repeat(2_400_000));
    std::fs::write(folder.path("long.tar"), archive(&[(Regular, "slurm.conf", &long)])).unwrap();
    folder.run(&["replay", "sacct.txt", "--slurm", "long.tar"]).failed(3, "more than 64 MiB of files");
    let many: Vec<_> = (0..1001).map(|_| (Regular, "x", "")).collect();
    std::fs::write(folder.path("many.tar"), archive(&many)).unwrap();
    folder.run(&["replay", "sacct.txt", "--slurm", "many.tar"]).failed(3, "more than 1000 entries");
}

#[test]
fn one_list_of_columns_is_everywhere() {
    let columns = columns_of(&script(&[]));
    let page = |path: &str| read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path));
    for path in ["parsers/FORMATS.md", "parsers/src/slurm.rs"] {
        let text = page(path).replace("//!", "");
        let (_, after) = text.split_once("--noconvert -o").unwrap();
        let command: String = after.chars().take_while(|letter| !"|`".contains(*letter)).collect();
        let named: String =
            command.chars().filter(|letter| !letter.is_whitespace() && *letter != '\\').collect();
        assert_eq!(named, columns, "{path}");
    }
    let oracle = page("tests/slurm/oracle.py");
    let of_runs = &oracle[oracle.find("SACCT = (").unwrap()..oracle.find("SQUEUE = {").unwrap()];
    let is_there = |name: &&str| of_runs.contains(name);
    let absent: Vec<&str> = columns.split(',').filter(|name| !is_there(name)).collect();
    assert_eq!(
        absent,
        ["UID", "AllocCPUS", "NTasks", "MaxRSS", "TRESUsageInTot", "TotalCPU"],
        "of steps, or known otherwise"
    );
}
