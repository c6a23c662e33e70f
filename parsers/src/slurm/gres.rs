//! Generic resources that a job asks for by node, socket or task, or as a whole: `gpu:2`, `gpu:a100:2(S:0-1)`,
//! `gres/gpu:4,gres/shard:8`, `gres:nvme:1`.
//!
//! Accounting counts them in its lists of trackable resources only if `AccountingStorageTRES` names them. The options of the
//! submission and the controller's view of the job have them in any case.

use std::borrow::Cow;

use batchlab_traces::notation::size::BYTES;
use batchlab_traces::notation::whole;

use super::command::{Submission, task};
use super::job::Job;
use super::tres::{GPU, Tres, base};

/// The part of a job for which each amount of a list is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    Job,
    Node,
    Socket,
    Task,
}

impl Per {
    /// The words with which requests of some versions begin in `ReqGRES`; without such a word the amount is of the whole job.
    const WORDS: [(&'static [u8], Per); 4] = [
        (b"PER_JOB:", Per::Job),
        (b"PER_NODE:", Per::Node),
        (b"PER_SOCKET:", Per::Socket),
        (b"PER_TASK:", Per::Task),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GresList<'a> {
    pub(super) per: Per,
    /// Whether the list leaves the name out, as it counts GPUs only: `2`, `a100:2`.
    pub(super) is_gpus: bool,
    pub(super) text: &'a [u8],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GresAsked<'a> {
    /// The first list that has a resource counts.
    pub(super) lists: Vec<GresList<'a>>,
    pub(super) tasks: Option<i64>,
    /// Sockets of each of its nodes that it uses.
    pub(super) sockets: Option<i64>,
}

impl<'a> GresAsked<'a> {
    pub(super) fn of(lists: impl IntoIterator<Item = (Per, &'a [u8])>) -> GresAsked<'a> {
        let list = |(per, text): (Per, &'a [u8])| {
            let (per, text) = Per::WORDS
                .iter()
                .find_map(|&(word, per)| Some((per, text.strip_prefix(word)?)))
                .unwrap_or((per, text));
            GresList { per, is_gpus: false, text }
        };
        let lists = lists.into_iter().map(list).filter(|list| !list.text.is_empty()).collect();
        GresAsked { lists, ..GresAsked::default() }
    }

    /// Whether each node of the job has the same number of GPUs.
    pub(super) fn has_even_gpus(&self) -> bool {
        let is_gpu = |list: &GresList<'_>| parts(list).any(|part| part.name == GPU);
        self.lists.iter().find(|list| is_gpu(list)).is_some_and(|list| list.per == Per::Node)
    }

    /// See [`on_each`].
    fn on_each(&self) -> Vec<(&'a [u8], i64)> {
        let mut known: Vec<&[u8]> = Vec::new();
        let mut on_each: Vec<(&[u8], i64)> = Vec::new();
        for list in &self.lists {
            let new: Vec<Part<'a>> = parts(list).filter(|part| !known.contains(&part.name)).collect();
            for part in new {
                match on_each.iter_mut().find(|(name, _)| *name == part.name) {
                    Some((_, sum)) => *sum = sum.saturating_add(part.count),
                    None if list.per == Per::Node => on_each.push((part.name, part.count)),
                    None => {}
                }
                known.push(part.name);
            }
        }
        on_each
    }

    fn total(&self, job: &Job<'_>, task: Option<i64>) -> Tres<'static> {
        let nodes = job.nodes.unwrap_or(1).max(1);
        let procs = job.requested.or(job.asked.cpu).or(job.allocated).unwrap_or(1);
        let task = task.or_else(|| self.task_procs()).unwrap_or(1);
        let tasks = self.tasks.unwrap_or_else(|| (procs / task).max(nodes)).max(1);
        let mut total = Tres::default();
        for list in &self.lists {
            let times = match list.per {
                Per::Job => 1,
                Per::Node => nodes,
                Per::Socket => nodes.saturating_mul(self.sockets.unwrap_or(1).max(1)),
                Per::Task => tasks,
            };
            let known: Vec<Vec<u8>> = total.resources().iter().map(|(name, _)| base(name).to_vec()).collect();
            let new: Vec<Part<'_>> =
                parts(list).filter(|part| !known.iter().any(|name| name == part.name)).collect();
            add(&mut total, &new, times);
        }
        total
    }

    /// Returns the processors of a task, which newer versions list among the resources of a task.
    fn task_procs(&self) -> Option<i64> {
        let of_task = self.lists.iter().filter(|list| list.per == Per::Task);
        let procs = |part: &[u8]| whole(part.strip_prefix(b"cpu=").or_else(|| part.strip_prefix(b"cpu:"))?);
        of_task
            .flat_map(|list| list.text.split(|&byte| byte == b','))
            .find_map(procs)
            .filter(|&procs| procs > 0)
    }
}

/// Returns the amounts for the whole job by its lists, else by the options of its submission.
pub(super) fn asked(job: &Job<'_>) -> Tres<'static> {
    let listed = job.gres.total(job, None);
    if listed.told || !Submission::may_have_gres(job.command) {
        return listed;
    }
    let line = String::from_utf8_lossy(job.command);
    Submission::of(&line).gres(job.nodes).total(job, task(&line))
}

/// Returns the resources that a job requests as an amount on each node, without their types, with this amount.
pub(super) fn on_each(job: &Job<'_>) -> Vec<(Vec<u8>, i64)> {
    let owned =
        |found: Vec<(&[u8], i64)>| found.into_iter().map(|(name, count)| (name.to_vec(), count)).collect();
    if !job.gres.lists.is_empty() {
        return owned(job.gres.on_each());
    }
    if !Submission::may_have_gres(job.command) {
        return Vec::new();
    }
    owned(Submission::of(&String::from_utf8_lossy(job.command)).gres(job.nodes).on_each())
}

/// Whether each node of a job has the same number of GPUs by its lists or by the options of its submission.
pub(super) fn has_even_gpus(job: &Job<'_>) -> bool {
    job.gres.has_even_gpus()
        || Submission::may_have_gres(job.command)
            && Submission::of(&String::from_utf8_lossy(job.command)).gres(job.nodes).has_even_gpus()
}

/// One resource of a list.
struct Part<'a> {
    name: &'a [u8],
    /// Empty for any type.
    model: &'a [u8],
    count: i64,
}

/// Adds resources by type, and the sum over the types of each name.
fn add(total: &mut Tres<'static>, parts: &[Part<'_>], times: i64) {
    let mut names: Vec<&[u8]> = Vec::new();
    for part in parts {
        if !names.contains(&part.name) {
            names.push(part.name);
        }
        if !part.model.is_empty() {
            let name = [b"gres/", part.name, b":", part.model].concat();
            total.add(Cow::Owned(name), part.count.saturating_mul(times));
        }
    }
    for name in names {
        let counts = parts.iter().filter(|part| part.name == name).map(|part| part.count);
        let sum = counts.fold(0_i64, i64::saturating_add).saturating_mul(times);
        total.add(Cow::Owned([b"gres/", name].concat()), sum);
    }
}

/// Returns the resources of a list with a number above zero.
fn parts<'a>(list: &GresList<'a>) -> impl Iterator<Item = Part<'a>> {
    let is_gpus = list.is_gpus;
    list.text.split(|&byte| byte == b',').filter_map(move |text| part(text, is_gpus))
}

fn part(text: &[u8], is_gpus: bool) -> Option<Part<'_>> {
    // Names that stand for other trackable resources, or for nothing.
    const OTHERS: [&[u8]; 7] = [b"cpu", b"mem", b"node", b"billing", b"none", b"help", b"(null)"];
    let text = text.split(|&byte| byte == b'(').next().unwrap_or_default().trim_ascii();
    let text = [&b"gres/"[..], b"gres:"].into_iter().find_map(|head| text.strip_prefix(head)).unwrap_or(text);
    let (head, count) = match memchr::memrchr2(b':', b'=', text) {
        Some(at) => match count(&text[at + 1..]) {
            Some(count) => (&text[..at], count),
            None => (text, 1),
        },
        None if is_gpus && count(text).is_some() => (&text[..0], count(text)?),
        None => (text, 1),
    };
    let end = memchr::memchr2(b':', b'=', head);
    let (name, model) = end.map_or((head, &b""[..]), |at| (&head[..at], &head[at + 1..]));
    let (name, model) = match (is_gpus, name) {
        (true, b"" | GPU) => (GPU, model),
        (true, _) => (GPU, head),
        (false, _) => (name, model),
    };
    let is_name = |name: &[u8]| {
        !name.is_empty() && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    (count > 0 && is_name(name) && !OTHERS.contains(&name)).then_some(Part { name, model, count })
}

/// Returns a count; thousands may be written as `4K`.
fn count(text: &[u8]) -> Option<i64> {
    whole(text).or_else(|| BYTES.read(text)).filter(|&count| count >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tres: &Tres<'_>) -> String {
        let words = tres.resources();
        let words = words.iter().map(|(name, amount)| format!("{}={amount}", String::from_utf8_lossy(name)));
        words.collect::<Vec<_>>().join(" ")
    }

    fn job(command: &str) -> Job<'_> {
        Job { command: command.as_bytes(), requested: Some(8), nodes: Some(2), ..Job::default() }
    }

    fn of_lists(lists: &[(Per, &str)], tasks: Option<i64>, sockets: Option<i64>) -> String {
        let gres = GresAsked::of(lists.iter().map(|&(per, text)| (per, text.as_bytes())));
        shown(&asked(&Job { gres: GresAsked { tasks, sockets, ..gres }, ..job("") }))
    }

    #[test]
    fn lists_are_of_a_job_a_node_a_socket_or_a_task() {
        assert_eq!(of_lists(&[(Per::Node, "gres/gpu:4")], None, None), "gpu=8");
        assert_eq!(of_lists(&[(Per::Node, "gpu:2(S:0)")], None, None), "gpu=4");
        assert_eq!(of_lists(&[(Per::Node, "gres/gpu:a100=2")], None, None), "gpu=4 gpu:a100=4");
        assert_eq!(
            of_lists(&[(Per::Job, "gres:gpu:a100:3,gres:gpu:v100")], None, None),
            "gpu=4 gpu:a100=3 gpu:v100=1"
        );
        assert_eq!(of_lists(&[(Per::Job, "gpu:a100_1g.5gb:3")], None, None), "gpu=3 gpu:a100_1g.5gb=3");
        assert_eq!(of_lists(&[(Per::Job, "PER_NODE:gpu:2")], None, None), "gpu=4");
        assert_eq!(of_lists(&[(Per::Socket, "gres/gpu:1")], None, Some(2)), "gpu=4");
        assert_eq!(of_lists(&[(Per::Task, "gres/gpu:1")], Some(3), None), "gpu=3");
        assert_eq!(
            of_lists(&[(Per::Task, "cpu=4,gres/gpu=1")], None, None),
            "gpu=2",
            "8 processors are 2 tasks"
        );
        assert_eq!(of_lists(&[(Per::Task, "gres/gpu:1")], None, None), "gpu=8", "a task of a processor");
        assert_eq!(
            of_lists(&[(Per::Node, "craynetwork:1,gpu:a100:3(S:0-1),gpu")], None, None),
            "gpu=8 craynetwork=2 gpu:a100=6"
        );
        assert_eq!(
            of_lists(&[(Per::Job, "gres/gpu:3"), (Per::Node, "gres/gpu:2,gres/shard:4")], None, None),
            "gpu=3 shard=8"
        );
        for none in ["", "none", "N/A", "(null)", "gpu:0", "cpu=2", "license/x:3"] {
            assert_eq!(of_lists(&[(Per::Node, none)], None, None), "", "{none}");
        }
    }

    #[test]
    fn amounts_on_each_node_are_those_of_options_by_node() {
        let of = |line: &str| {
            let found = on_each(&job(line));
            let words = found.iter().map(|(name, each)| format!("{}={each}", String::from_utf8_lossy(name)));
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("sbatch --gres=gpu:2,nvme x"), "gpu=2 nvme=1");
        assert_eq!(of("sbatch --gres=gpu:a100:2,gpu:v100:1 x"), "gpu=3", "of any type");
        assert_eq!(of("sbatch --gpus-per-node=a100:4 x"), "gpu=4");
        assert_eq!(of("sbatch --gpus=4 --gres=gpu:2,nvme:1 x"), "nvme=1", "the first list counts");
        for none in ["sbatch -G 4 x", "sbatch --gpus-per-task=1 x", "sbatch x"] {
            assert_eq!(of(none), "", "{none}");
        }
    }

    #[test]
    fn a_submission_asks_by_options() {
        let of = |line: &str| shown(&asked(&job(line)));
        assert_eq!(of("sbatch --gres=gpu:4 job.sh"), "gpu=8");
        assert_eq!(of("sbatch --gres gres/gpu:a100:2,shard:3 job.sh"), "gpu=4 shard=6 gpu:a100=4");
        for three in ["sbatch -G 3 job.sh", "sbatch -G3 x", "sbatch --gpus=3 x"] {
            assert_eq!(of(three), "gpu=3", "{three}");
        }
        assert_eq!(of("sbatch --gpus=a100:2,v100:1 x"), "gpu=3 gpu:a100=2 gpu:v100=1");
        assert_eq!(of("sbatch --gpus-per-node=a100 x"), "gpu=2 gpu:a100=2");
        assert_eq!(of("srun -n4 --gpus-per-task=a100:2 x"), "gpu=8 gpu:a100=8");
        assert_eq!(of("srun --ntasks-per-node=3 --gpus-per-task=1 x"), "gpu=6");
        assert_eq!(of("srun -c 4 --gpus-per-task 1 x"), "gpu=2");
        assert_eq!(of("srun --tres-per-task=cpu:2,gres/gpu:1 x"), "gpu=4");
        assert_eq!(of("sbatch --sockets-per-node=2 --gpus-per-socket=1 x"), "gpu=4");
        assert_eq!(of("sbatch --gpus=8 --gpus-per-task=2 x"), "gpu=8");
        assert_eq!(of("sbatch --gres=gpu:1 --gres=gpu:2 x"), "gpu=4", "the last of an option");
        for none in [
            "sbatch x --gpus 4",
            "srun -n 2 python train.py --gres=gpu:4",
            "sbatch --gres-flags=x y",
            "sbatch -GPU x",
        ] {
            assert_eq!(of(none), "", "{none}");
        }
    }
}
