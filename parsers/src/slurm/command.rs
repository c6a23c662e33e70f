//! Options in the command line of a submission: `sbatch --exclusive -w n[1-2] --exclude=n7`.

use std::borrow::Cow;

use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::hosts;
use batchlab_traces::notation::size::{self, MEGABYTES};

use super::gres::{GresAsked, GresList, Per};

/// What a command line asks of the job's nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodesAsked<'a> {
    /// Whether no other job may share them: `--exclusive`, but not `--exclusive=user` and the like.
    pub(super) exclusive: bool,
    /// A list of nodes that the job must get: `--nodelist`.
    pub(super) list: Option<Cow<'a, str>>,
    /// A list of nodes that it must not get: `--exclude`.
    pub(super) exclude: Option<Cow<'a, str>>,
}

impl<'a> NodesAsked<'a> {
    pub(super) fn of(line: &'a [u8]) -> NodesAsked<'a> {
        let exclusive = line.split(u8::is_ascii_whitespace).any(|word| word == b"--exclusive");
        let known = [&b"-w"[..], b"-x", b"--nodelist", b"--exclude"];
        if !line.split(u8::is_ascii_whitespace).any(|word| known.iter().any(|known| word.starts_with(known)))
        {
            return NodesAsked { exclusive, ..NodesAsked::default() };
        }
        let is_list = |list: &&str| is_node_list(list);
        let find = |long, short| match String::from_utf8_lossy(line) {
            Cow::Borrowed(line) => last_option(line, long, short, is_list).map(Cow::Borrowed),
            Cow::Owned(line) => {
                last_option(&line, long, short, is_list).map(|list| Cow::Owned(list.to_owned()))
            }
        };
        NodesAsked { exclusive, list: find("--nodelist", "-w"), exclude: find("--exclude", "-x") }
    }

    /// Returns these demands and features as one constraint; the list of nodes counts only if it has all `nodes` of the job,
    /// otherwise the other nodes may be any.
    pub(super) fn constraint(&self, features: &[u8], nodes: Option<i64>) -> Vec<u8> {
        let group = |text: &[u8]| {
            let is_compound = text.iter().any(|byte| b"|,&".contains(byte));
            if is_compound { [b"(", text, b")"].concat() } else { text.to_vec() }
        };
        let mut parts = Vec::new();
        if !features.is_empty() {
            parts.push(features.to_vec());
        }
        let all =
            |list: &&Cow<'_, str>| named(list).is_some_and(|count| nodes.is_none_or(|nodes| nodes <= count));
        if let Some(list) = self.list.as_ref().filter(all) {
            parts.push(group(hosts::parts(list).collect::<Vec<_>>().join("|").as_bytes()));
        }
        for nodes in self.exclude.iter().flat_map(|list| hosts::parts(list)) {
            parts.push(format!("!{nodes}").into_bytes());
        }
        if parts.len() > 1 && !features.is_empty() {
            parts[0] = group(features);
        }
        parts.join(&b'&')
    }

    /// Whether the job names only some of its nodes.
    pub(super) fn is_partial(&self, nodes: Option<i64>) -> bool {
        let told = self.list.as_ref().and_then(|list| named(list));
        told.zip(nodes).is_some_and(|(told, nodes)| told < nodes)
    }
}

/// The part of a job for which a command line requests memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemoryAsked {
    /// Whether it is of a node: `--mem`.
    pub(super) of_node: bool,
    /// Whether it is of a processor: `--mem-per-cpu`.
    pub(super) of_processor: bool,
    /// Memory for each GPU, KB: `--mem-per-gpu`.
    pub(super) per_gpu: Option<i64>,
}

impl MemoryAsked {
    pub(super) fn of(line: &[u8]) -> MemoryAsked {
        if !line.split(u8::is_ascii_whitespace).any(|word| word.starts_with(b"--mem")) {
            return MemoryAsked::default();
        }
        let line = String::from_utf8_lossy(line);
        let option = |name| last_option(&line, name, name, |_| true);
        let kb = |text: &str| MEGABYTES.read(text.as_bytes()).filter(|&bytes| bytes > 0).map(size::kb);
        let per_gpu = option("--mem-per-gpu").and_then(kb);
        let [of_node, of_processor] = ["--mem", "--mem-per-cpu"].map(|name| option(name).is_some());
        MemoryAsked { of_node, of_processor, per_gpu }
    }
}

/// The generic resources that a submission asks for.
pub(super) struct Submission<'a>(&'a str);

impl<'a> Submission<'a> {
    /// Whether a command line may have options about generic resources.
    pub(super) fn may_have_gres(line: &[u8]) -> bool {
        let has = |text: &[u8]| memchr::memmem::find(line, text).is_some();
        has(b" --g") || has(b" -G") || has(b" --tres-per-task")
    }

    pub(super) fn of(line: &'a str) -> Submission<'a> {
        Submission(line)
    }

    /// Returns the resources of a job of `nodes` nodes.
    pub(super) fn gres(&self, nodes: Option<i64>) -> GresAsked<'a> {
        let is_gpus = |value: &&str| value.contains([':', '=']) || value.parse::<u32>().is_ok();
        let option = |name| last_option(self.0, name, name, |_| true);
        let lists = [
            (Per::Job, true, last_option(self.0, "--gpus", "-G", is_gpus)),
            (Per::Node, true, option("--gpus-per-node")),
            (Per::Node, false, option("--gres")),
            (Per::Task, true, option("--gpus-per-task")),
            (Per::Task, false, option("--tres-per-task")),
            (Per::Socket, true, option("--gpus-per-socket")),
        ];
        let list = |(per, is_gpus, text): (Per, bool, Option<&'a str>)| {
            Some(GresList { per, is_gpus, text: text?.as_bytes() })
        };
        let on_each = || per_node(self.0)?.checked_mul(nodes.unwrap_or(1).max(1));
        let count = |name| option(name)?.parse().ok().filter(|&count: &i64| count > 0);
        GresAsked {
            lists: lists.into_iter().filter_map(list).collect(),
            tasks: tasks(self.0).or_else(on_each),
            sockets: count("--sockets-per-node"),
        }
    }
}

/// Returns the number of nodes that a list names; `None` if the list does not determine it.
fn named(list: &str) -> Option<i64> {
    hosts::count(list)?.try_into().ok()
}

/// Whether a text may be a list of nodes rather than an argument of the script: names with numbers.
fn is_node_list(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.[],".contains(letter);
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.contains(|letter: char| letter.is_ascii_digit())
        && text.chars().all(fits)
}

/// Returns the least and the most nodes that a submission asks for: `-N 2`, `--nodes=2-4`.
pub(super) fn nodes(line: &str) -> Option<(i64, i64)> {
    let value =
        last_option(line, "--nodes", "-N", |value| value.starts_with(|first: char| first.is_ascii_digit()))?;
    let (least, most) = value.split_once('-').unwrap_or((value, value));
    let least: i64 = least.parse().ok()?;
    (least > 0).then(|| (least, most.parse().unwrap_or(least).max(least)))
}

/// Returns the partitions that a submission names, if it names several: `-p a,b`, `--partition=a,b`.
pub(super) fn partitions(line: &str) -> Option<&str> {
    let is_list = |value: &&str| value.contains(',');
    last_option(line, "--partition", "-p", is_list).filter(is_list)
}

/// Returns the one partition that a submission names: `-p a`, `--partition=a`.
pub(super) fn partition(line: &str) -> Option<&str> {
    last_option(line, "--partition", "-p", |_| true).filter(|value| !value.contains(','))
}

/// Returns the service class that a submission names: `-q a`, `--qos=a`.
pub(super) fn qos(line: &str) -> Option<&str> {
    last_option(line, "--qos", "-q", |_| true)
}

/// Returns the processors of a task that a submission asks for: `-c 4`, `--cpus-per-task=4`.
pub(super) fn task(line: &str) -> Option<i64> {
    let is_count = |value: &&str| value.parse::<i64>().is_ok();
    last_option(line, "--cpus-per-task", "-c", is_count)?.parse().ok().filter(|&procs| procs > 0)
}

/// Hints that let a job use one thread of each core.
const ONE_THREAD: [&str; 3] = ["compute_bound", "memory_bound", "nomultithread"];

/// Returns the processors of each core that a submission lets its job use: `--threads-per-core=1`, `--hint=nomultithread`, the third
/// number of `--extra-node-info`; `--ntasks-per-core=1`, in tasks of `--cpus-per-task`.
pub(super) fn of_core(line: &str) -> Option<i64> {
    let count = |text: &str| text.parse().ok().filter(|&count: &i64| count > 0);
    let long = |name| last_option(line, name, name, |_| true);
    let hint = long("--hint").is_some_and(|hint| hint.split(',').any(|word| ONE_THREAD.contains(&word)));
    let info = last_option(line, "--extra-node-info", "-B", |value| value.contains(':'));
    let threads = [
        hint.then_some(1),
        long("--threads-per-core").and_then(count),
        info.and_then(|info| info.split(':').nth(2)).and_then(count),
        long("--ntasks-per-core").and_then(count).map(|tasks| tasks.saturating_mul(task(line).unwrap_or(1))),
    ];
    threads.into_iter().flatten().min()
}

/// Returns the tasks that a submission asks for: `-n 4`, `--ntasks=4`.
fn tasks(line: &str) -> Option<i64> {
    let is_count = |value: &&str| value.parse::<i64>().is_ok();
    last_option(line, "--ntasks", "-n", is_count)?.parse().ok().filter(|&tasks| tasks > 0)
}

/// Returns the tasks on each node that a submission asks for: `--ntasks-per-node=4`.
pub(super) fn per_node(line: &str) -> Option<i64> {
    last_option(line, "--ntasks-per-node", "--tasks-per-node", |_| true)?
        .parse()
        .ok()
        .filter(|&tasks| tasks > 0)
}

/// Returns the number of leaf switches for which a submission asks, and for how many seconds it waits for them, if it states a time:
/// `--switches=1@5` waits for 5 minutes.
pub(super) fn switches(line: &str) -> Option<(i64, Option<i64>)> {
    let value = last_option(line, "--switches", "--switches", |_| true)?;
    let (count, wait) = match value.split_once('@') {
        Some((count, wait)) => {
            let wait = DurationDialect::SlurmLimit.read(wait.as_bytes())?;
            (count, wait.most().map(|wait| wait.secs() as i64))
        }
        None => (value, None),
    };
    Some((count.parse().ok().filter(|&count| count > 0)?, wait))
}

/// Returns the time limit that a submission asks for, in whole minutes: `-t 30`, `--time=1-0`.
pub(super) fn time(line: &str) -> Option<i64> {
    let of = |value: &str| DurationDialect::SlurmLimit.read(value.as_bytes())?.most();
    let limit = of(last_option(line, "--time", "-t", |value| of(value).is_some())?)?;
    Some((limit.secs() / 60.0).ceil() as i64)
}

/// Returns 1 if a submission lets its job be requeued (`--requeue`), 0 if it does not (`--no-requeue`) or is of `srun` or `salloc`.
pub(super) fn requeue(line: &str) -> Option<i64> {
    let mut words = line.split_ascii_whitespace();
    let command = words.next().and_then(|word| word.rsplit('/').next());
    if matches!(command, Some("srun" | "salloc")) {
        return Some(0);
    }
    let of_word = |word: &str| match word {
        "--requeue" => Some(1),
        "--no-requeue" => Some(0),
        _ => None,
    };
    words.filter_map(of_word).next_back()
}

/// Returns by how much a submission lowers the priority of its job: `--nice` (100), `--nice=50`.
pub(super) fn nice(line: &[u8]) -> Option<i64> {
    let of_word = |word: &[u8]| match word.strip_prefix(b"--nice")? {
        b"" => Some(100),
        value => std::str::from_utf8(value.strip_prefix(b"=")?).ok()?.parse().ok(),
    };
    line.split(u8::is_ascii_whitespace).filter_map(of_word).next_back().map(|nice: i64| {
        let most = i64::from(i32::MAX);
        nice.clamp(-most, most)
    })
}

/// Returns the value of the last option with one of two names. A word like the short name may be the value of another option: it
/// counts if its own value is `likely`.
pub(super) fn last_option<'a>(
    line: &'a str,
    long: &str,
    short: &str,
    likely: impl Fn(&&str) -> bool,
) -> Option<&'a str> {
    let mut words = options(line);
    let mut found = None;
    while let Some(word) = words.next() {
        let value = match word.strip_prefix(long).or_else(|| word.strip_prefix(short)) {
            Some("") => words.next(),
            Some(rest) if word.starts_with("--") => rest.strip_prefix('='),
            Some(rest) => Some(rest),
            None => None,
        };
        let value = value.map(|value| value.trim_matches(['\'', '"']));
        found = value.filter(|value| word.starts_with("--") || likely(value)).or(found);
    }
    found
}

/// Long options whose next word is not their value: they have none, or only behind `=`.
const WITHOUT_VALUE: &str = "allow-preempt bell compress contiguous disable-status exact exclusive external get-user-env help hold \
    ignore-pbs immediate interactive kill-on-bad-exit label multi-prog nice no-allocate no-bell no-kill \
    no-requeue no-shell overcommit overlap oversubscribe parsable parsable2 preserve-env preserve-slurm-env \
    propagate pty quiet quit-on-interrupt reboot requeue resv-ports send-libs share spread-job stepmgr \
    test-only unbuffered usage use-min-nodes verbose version wait whole x11";

/// Returns the words of a submission that are options or their values: the words before the name of the script. With `--wrap` there
/// is no script, and all words may be options.
fn options(line: &str) -> impl Iterator<Item = &str> {
    let is_wrapped = line.split_ascii_whitespace().any(|word| word.starts_with("--wrap"));
    let mut is_value = false;
    line.split_ascii_whitespace().skip(1).take_while(move |word| {
        let is_option = word.starts_with('-') && word.len() > 1;
        let goes_on = is_wrapped || is_value || is_option;
        is_value = is_option && !is_value && takes_value(word);
        goes_on
    })
}

fn takes_value(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some("") => false,
        Some(long) => !long.contains('=') && !WITHOUT_VALUE.split(' ').any(|known| known == long),
        // A letter with its value behind it, or letters without values.
        None => option.len() == 2 && !option.ends_with(|letter| "hHIkKlOQsuvVWXZE".contains(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_tasks_are_counts() {
        assert_eq!(
            (nodes("sbatch -N2-4 x"), nodes("srun --nodes 3 x"), nodes("sbatch x")),
            (Some((2, 4)), Some((3, 3)), None)
        );
        assert_eq!((nodes("sbatch -N 2-x a"), nodes("sbatch -N 4-2 a")), (Some((2, 2)), Some((4, 4))));
        assert_eq!((task("sbatch -c 4 x"), task("sbatch --cpus-per-task=8 x -c file")), (Some(4), Some(8)));
    }

    #[test]
    fn a_job_may_name_several_partitions() {
        assert_eq!(partitions("sbatch -p long,short a"), Some("long,short"));
        assert_eq!(partitions("sbatch --partition=short,long a -p x,y"), Some("short,long"));
        assert_eq!((partitions("sbatch -p long a"), partitions("sbatch a")), (None, None));
    }

    #[test]
    fn a_job_may_use_some_threads_of_each_core() {
        for (line, procs) in [
            ("sbatch --hint=nomultithread a", Some(1)),
            ("srun --hint compute_bound,multithread a", Some(1)),
            ("sbatch --hint=multithread a", None),
            ("sbatch --threads-per-core=2 a", Some(2)),
            ("sbatch --ntasks-per-core=1 a", Some(1)),
            ("sbatch --ntasks-per-core=1 -c 3 a", Some(3)),
            ("sbatch -B 2:4:1 a", Some(1)),
            ("sbatch -B 2:4:* a", None),
            ("sbatch -n 3 a --hint=nomultithread", None),
        ] {
            assert_eq!(of_core(line), procs, "{line}");
        }
    }

    #[test]
    fn a_job_may_ask_for_few_switches() {
        assert_eq!(switches("sbatch --switches=2@1:30 x"), Some((2, Some(90))));
        assert_eq!(
            (switches("sbatch --switches 1 x"), switches("sbatch --switches=0 x")),
            (Some((1, None)), None)
        );
        assert_eq!(switches("sbatch --switches=1@1-2 x"), Some((1, Some(93_600))));
        assert_eq!((switches("sbatch --switches=1@x y"), switches("sbatch x")), (None, None));
        assert_eq!((per_node("sbatch --ntasks-per-node=4 x"), per_node("sbatch x")), (Some(4), None));
    }

    #[test]
    fn a_job_says_whether_it_may_be_requeued() {
        let told = [
            "sbatch --requeue a.sh",
            "sbatch --requeue --no-requeue a.sh",
            "sbatch a.sh",
            "",
            "/usr/bin/srun --requeue a",
        ];
        assert_eq!(told.map(requeue), [Some(1), Some(0), None, None, Some(0)]);
    }

    #[test]
    fn nice_is_the_last_one() {
        let of = |line: &str| nice(line.as_bytes());
        assert_eq!((of("sbatch --nice x"), of("sbatch --nice=-5 --nice=7 x")), (Some(100), Some(7)));
        assert_eq!((of("sbatch --nicest x"), of("sbatch --nice=much x")), (None, None));
    }

    #[test]
    fn a_number_of_nodes_may_be_asked_for() {
        for line in ["sbatch -N 1 a.sh", "sbatch -N2 a.sh", "sbatch --nodes=1-1 a.sh", "srun --nodes 3 a"] {
            assert!(nodes(line).is_some(), "{line}");
        }
        assert_eq!((nodes("sbatch --ntasks=64 -Nx a.sh"), nodes("")), (None, None));
    }

    fn constraint(line: &str, features: &str, nodes: i64) -> String {
        let asked = NodesAsked::of(line.as_bytes());
        String::from_utf8(asked.constraint(features.as_bytes(), Some(nodes))).unwrap()
    }

    #[test]
    fn a_job_may_ask_for_nodes_of_its_own() {
        let alone = |line: &str| NodesAsked::of(line.as_bytes()).exclusive;
        assert!(alone("sbatch --exclusive -N 2 run.sh") && !alone("sbatch --exclusive=user run.sh"));
        assert!(!alone("sbatch -N 2 run.sh"));
    }

    #[test]
    fn memory_is_of_a_node_a_processor_or_a_gpu() {
        let asked = |line: &str| {
            let MemoryAsked { of_node, per_gpu, .. } = MemoryAsked::of(line.as_bytes());
            (of_node, per_gpu)
        };
        assert_eq!(asked("sbatch --mem=8G -N 2 run.sh"), (true, None));
        assert_eq!(asked("sbatch --mem-per-cpu=2G run.sh"), (false, None));
        assert_eq!(asked("sbatch --mem-per-gpu=8G --gpus-per-node=2 run.sh"), (false, Some(8 << 20)));
        assert_eq!(asked("sbatch --mem-per-gpu 500 --gpus=6 run.sh"), (false, Some(500 << 10)));
        assert_eq!(asked("sbatch --mem-bind=local --gres=ssd:1 run.sh"), (false, None));
    }

    #[test]
    fn the_arguments_of_a_script_are_no_options() {
        assert_eq!(nodes("sbatch -N 2 -J a --exclusive -v run.sh --nodes=7 -N 9"), Some((2, 2)));
        assert_eq!(nodes("sbatch --job-name x --mail-user=a -p gpu -N 3 run.sh"), Some((3, 3)));
        assert_eq!(nodes("srun --pty -N 4 bash"), Some((4, 4)));
        assert_eq!(nodes("sbatch --wrap sleep 5 -N 4"), Some((4, 4)));
        assert_eq!(nodes("sbatch run.sh -N 4"), None);
    }

    #[test]
    fn lists_of_nodes_become_constraints() {
        assert_eq!(constraint("sbatch -x n7,m[1-2] run.sh", "", 1), "!n7&!m[1-2]");
        assert_eq!(constraint("sbatch --exclude=n7 run.sh", "v100|a100", 1), "(v100|a100)&!n7");
        assert_eq!(constraint("sbatch -w n[1-3,7],m4 -N 2 run.sh", "", 2), "(n[1-3,7]|m4)");
        assert_eq!(constraint("srun --nodelist n1 hostname", "ib", 1), "ib&n1");
        assert_eq!(constraint("sbatch -wn1 run.sh", "", 3), "", "two more nodes may be any");
        assert!(NodesAsked::of(b"sbatch -wn1 run.sh").is_partial(Some(3)));
        assert_eq!(constraint("sbatch run.sh -x 5 -w all", "", 1), "", "arguments of the script");
    }
}
