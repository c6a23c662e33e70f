//! Derives an entry's values from a job in Slurm's terms.

use batchlab_traces::{Number, Time};

use super::command::{MemoryAsked, NodesAsked};
use super::gres;
use super::job::Job;
use super::state::State;
use super::tres::{GPU, Tres, base};
use super::values::{MemoryRequest, unleaked};
use crate::entry::RunPhase;

/// Whether a job ever ran: it has a start and got nodes or a run time.
pub(super) fn started(job: &Job<'_>) -> bool {
    let ran = job.elapsed.is_some_and(|elapsed| elapsed > Time::ZERO);
    job.start.is_some() && job.state.1 != State::Waiting && (ran || job.placed != Some(false))
}

/// Whether a job, or a run or part of it, had ended when the log was written.
pub(super) fn ended(job: &Job<'_>) -> bool {
    job.state.1.has_ended()
}

/// Returns how long a job was suspended after its start: by the log, else its time from start to end less its run time. A difference
/// of an hour is a change to or from daylight saving time.
///
/// Source: sacct(1), Elapsed and Suspended.
pub(super) fn suspended(job: &Job<'_>, start: Option<Time>, end: Option<Time>) -> Time {
    let missing = || {
        let missing = end? - start? - job.elapsed?;
        (missing >= Time::SECOND && missing != Time::from_secs(3600)).then_some(missing)
    };
    let known = job.suspended.filter(|_| started(job));
    known.or_else(|| missing().filter(|_| started(job) && ended(job))).unwrap_or(Time::ZERO)
}

pub(super) fn phase(state: State) -> RunPhase {
    match state {
        State::Suspended => RunPhase::Suspended,
        State::Completing => RunPhase::Ending,
        _ => RunPhase::Runs,
    }
}

pub(super) fn status(state: State) -> Option<i64> {
    match state {
        State::Ended(status) => Some(status),
        State::Requeued => Some(0),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestSource {
    Requested,
    /// The request, with the per-CPU flag counted into the amount.
    Leaked,
    /// The request, in an option or a field beside the lists of trackable resources.
    Untracked,
    Allocated,
}

/// Returns the memory request of the whole job, KB.
pub(super) fn requested_memory(job: &Job<'_>) -> Option<(i64, RequestSource)> {
    let times = |each: i64, count: Option<i64>| each.checked_mul(count.filter(|&count| count > 0)?);
    let processors = job.requested.or(job.asked.cpu).or(job.allocated);
    let leaked = matches!(job.memory, MemoryRequest::PerCpu { leaked: true, .. });
    let source = if leaked { RequestSource::Leaked } else { RequestSource::Requested };
    if let Some(memory) = job.asked.memory.filter(|&memory| memory > 0) {
        return match unleaked(memory) {
            Some(each) => Some((times(each, processors)?, RequestSource::Leaked)),
            None => Some((memory, source)),
        };
    }
    let asked = match job.memory {
        MemoryRequest::Unknown => {
            let per_gpu = MemoryAsked::of(job.command).per_gpu;
            per_gpu.and_then(|each| times(each, job.asked.sum(GPU).or_else(|| gres::asked(job).sum(GPU))))
        }
        MemoryRequest::Total(memory) => Some(memory),
        MemoryRequest::PerNode(each) => times(each, job.nodes),
        MemoryRequest::PerCpu { each, .. } => times(each, processors),
    };
    match (asked, job.got.memory.filter(|&memory| memory > 0)) {
        (Some(memory), _) => Some((memory, source)),
        (None, Some(memory)) => Some((memory, RequestSource::Allocated)),
        (None, None) => None,
    }
}

/// Whether each node of a job has the same part of its memory, and of its GPUs, although parts in proportion to processors would
/// differ.
pub(super) fn even_parts(job: &Job<'_>) -> (bool, bool) {
    let sizes = [job.requested.or(job.asked.cpu), job.allocated.or(job.got.cpu)];
    let nodes = job.nodes.unwrap_or(1).max(1);
    if sizes.into_iter().flatten().all(|procs| procs % nodes == 0) {
        return (false, false);
    }
    let (memory, even_gpus) = (MemoryAsked::of(job.command), gres::has_even_gpus(job));
    let even_memory = memory.of_node || memory.per_gpu.is_some() && even_gpus;
    (even_memory || matches!(job.memory, MemoryRequest::PerNode(_)), even_gpus)
}

/// Returns the resources that a job requests as an amount on each node, and the number of nodes by which accounting multiplies the
/// amount: the requested nodes, not the allocated ones. `None` without such resources, and for a job of one processor.
pub(super) fn on_each(
    job: &Job<'_>,
    resources: &[(Vec<u8>, i64, RequestSource)],
) -> Option<(Vec<Vec<u8>>, i64)> {
    job.requested.or(job.asked.cpu).filter(|&procs| procs > 1)?;
    let nodes = |(name, each): (Vec<u8>, i64)| {
        let (.., amount, _) = resources.iter().find(|(known, ..)| *known == name)?;
        (*amount > 0 && amount % each == 0).then(|| (name, amount / each))
    };
    let mut found: Vec<(Vec<u8>, i64)> = gres::on_each(job).into_iter().filter_map(nodes).collect();
    if has_memory_each(job) == Some(0) && MemoryAsked::of(job.command).per_gpu.is_none() {
        let told = job.asked.memory.is_some() || matches!(job.memory, MemoryRequest::Total(_));
        let nodes = if told { job.asked.nodes } else { job.nodes };
        found.extend(nodes.filter(|&nodes| nodes > 0).map(|nodes| (b"memory".to_vec(), nodes)));
    }
    let over = found.first()?.1;
    Some((found.into_iter().filter(|(_, nodes)| *nodes == over).map(|(name, _)| name).collect(), over))
}

/// Returns 1 if a job asked for memory by processors, 0 if it did not; `None` if the log does not show it. A job that got more
/// processors than requested shows it: memory by processors grows with them.
pub(super) fn has_memory_each(job: &Job<'_>) -> Option<i64> {
    let asked = MemoryAsked::of(job.command);
    match job.memory {
        _ if asked.of_processor => return Some(1),
        _ if asked.of_node || asked.per_gpu.is_some() => return Some(0),
        MemoryRequest::PerCpu { .. } => return Some(1),
        MemoryRequest::PerNode(_) => return Some(0),
        MemoryRequest::Unknown | MemoryRequest::Total(_) => {}
    }
    let (asked, got) = (job.asked.memory.filter(|&asked| asked > 0)?, job.got.memory?);
    let more = job.got.cpu.or(job.allocated)? > job.requested.or(job.asked.cpu)?;
    more.then_some(i64::from(got > asked))
}

/// Returns the other requested resources of the whole job, with their sources: the request, else the allocation, else further fields
/// of the record. The allocation of a job that asks for whole nodes does not count: the job gets all resources of the nodes.
pub(super) fn requested_resources(job: &Job<'_>) -> Vec<(Vec<u8>, i64, RequestSource)> {
    let mut resources: Vec<(Vec<u8>, i64, RequestSource)> = Vec::new();
    let further = gres::asked(job);
    let told = job.asked.told || job.got.told;
    let (got, beside) = (
        if job.asked.told { RequestSource::Allocated } else { RequestSource::Requested },
        if told { RequestSource::Untracked } else { RequestSource::Requested },
    );
    let lists = [(&job.asked, RequestSource::Requested), (&job.got, got), (&further, beside)];
    let is_whole = job.asked.told && (job.alone || NodesAsked::of(job.command).exclusive);
    let tells = |list: &Tres<'_>, source| list.told && !(is_whole && source == RequestSource::Allocated);
    for (list, source) in lists.into_iter().filter(|(list, source)| tells(list, *source)) {
        let known: Vec<Vec<u8>> = resources.iter().map(|(name, ..)| base(name).to_vec()).collect();
        let more = list.resources().into_iter().filter(|(name, amount)| {
            let is_new = !known.iter().any(|known| known == base(name));
            is_new && (*amount > 0 || source == RequestSource::Requested && base(name) != GPU)
        });
        resources.extend(more.map(|(name, amount)| (name.to_vec(), amount, source)));
    }
    let models = if further.told { models(&resources, &further) } else { Vec::new() };
    resources.extend(models.into_iter().map(|(name, amount)| (name, amount, RequestSource::Requested)));
    resources
}

/// Returns the requested types of resources for which accounting tracks only the sum.
fn models(resources: &[(Vec<u8>, i64, RequestSource)], asked: &Tres<'_>) -> Vec<(Vec<u8>, i64)> {
    let is_sum = |name: &[u8]| {
        let of_name = |(known, ..): &&(Vec<u8>, i64, RequestSource)| base(known) == base(name);
        let mut known = resources.iter().filter(of_name);
        let sum = known.next().filter(|_| known.next().is_none()).map(|(_, amount, _)| *amount);
        sum.is_some() && sum == asked.sum(base(name))
    };
    let typed = asked.resources().into_iter().filter(|(name, _)| base(name) != *name && is_sum(name));
    typed.map(|(name, amount)| (name.to_vec(), amount)).collect()
}

/// Divides an amount among processors, to the nearest millionth. For less than a million processors, multiplying and rounding to
/// whole units restores the amount.
pub(super) fn share(amount: i64, processors: Option<i64>) -> Option<Number> {
    let processors = i128::from(processors.filter(|&processors| processors > 0)?);
    let micro = (i128::from(amount) * 1_000_000 + processors / 2) / processors;
    i64::try_from(micro).ok().map(Number::from_micro)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn memory_is_of_processors_where_the_log_tells() {
        let each = |command: &'static [u8], memory: MemoryRequest, got: &'static [u8]| {
            let (asked, got) = (Tres::of(b"cpu=3,mem=3000M", |_| ()), Tres::of(got, |_| ()));
            has_memory_each(&Job { memory, asked, got, command, ..Job::default() })
        };
        let (none, cpu) = (MemoryRequest::Unknown, MemoryRequest::PerCpu { each: 1, leaked: false });
        assert_eq!(each(b"sbatch --mem-per-cpu=1000 a", none, b""), Some(1));
        assert_eq!(each(b"sbatch --mem=1000 a", cpu, b""), Some(0));
        assert_eq!((each(b"", cpu, b""), each(b"", MemoryRequest::PerNode(1), b"")), (Some(1), Some(0)));
        let total = MemoryRequest::Total(3000 << 10);
        assert_eq!(each(b"", total, b"cpu=4,mem=4000M"), Some(1), "more for the processor beside");
        assert_eq!(each(b"", total, b"cpu=4,mem=3000M"), Some(0));
        assert_eq!(each(b"", total, b"cpu=3,mem=3000M"), None);
    }

    #[test]
    fn whole_nodes_are_not_asked_for_by_what_they_have() {
        let of = |command: &'static [u8], asked: &'static [u8]| {
            let (asked, got) = (Tres::of(asked, |_| ()), Tres::of(b"cpu=16,gres/gpu=2,node=2", |_| ()));
            requested_resources(&Job { asked, got, command, ..Job::default() })
        };
        let two = |source| vec![(b"gpu".to_vec(), 2, source)];
        assert_eq!(of(b"sbatch -N2 --exclusive x", b"cpu=2,node=2"), []);
        assert_eq!(of(b"sbatch -N2 x", b"cpu=2,node=2"), two(RequestSource::Allocated));
        assert_eq!(
            of(b"sbatch -N2 --exclusive x", b"cpu=2,gres/gpu=2,node=2"),
            two(RequestSource::Requested)
        );
        assert_eq!(of(b"sbatch -N2 --exclusive x", b""), two(RequestSource::Requested), "nothing else tells");
    }

    #[test]
    fn amounts_on_each_node_are_over_the_nodes_that_accounting_counts() {
        let of = |line: &'static str, asked: &'static [u8]| {
            let asked = Tres::of(asked, |_| ());
            let job = Job {
                command: line.as_bytes(),
                requested: Some(16),
                nodes: Some(3),
                asked,
                ..Job::default()
            };
            on_each(&job, &requested_resources(&job))
                .map(|(names, over)| (String::from_utf8(names.join(&b' ')).unwrap(), over))
        };
        let some = |names: &str, over| Some((names.to_owned(), over));
        assert_eq!(of("sbatch --gres=gpu:2 x", b"cpu=16,gres/gpu=4,node=2"), some("gpu", 2));
        assert_eq!(of("sbatch --gres=gpu:2 x", b"cpu=16,gres/gpu=2,node=1"), some("gpu", 1));
        assert_eq!(of("sbatch --gres=gpu:2 x", b"cpu=16"), some("gpu", 3), "those of the job");
        assert_eq!(of("sbatch --gpus=4 x", b"cpu=16,gres/gpu=4,node=2"), None);
        assert_eq!(
            of("sbatch --gres=gpu:2 --mem=4G x", b"cpu=16,gres/gpu=4,mem=8G,node=2"),
            some("gpu memory", 2)
        );
        assert_eq!(of("sbatch --mem=4G x", b"cpu=16,mem=8G,node=2"), some("memory", 2));
        assert_eq!(of("sbatch --mem-per-cpu=1G x", b"cpu=16,mem=16G,node=2"), None);
    }

    #[test]
    fn the_request_counts_before_the_allocation_and_flags_are_taken_off() {
        let job = Job { requested: Some(12), nodes: Some(2), ..Job::default() };
        let got = Tres::of(b"cpu=24,mem=10M,gres/gpu=4", |_| ());
        let memory = |job: &Job<'_>| requested_memory(job).map(|(kb, source)| (kb >> 10, source));
        let per_node = Job { memory: MemoryRequest::PerNode(3 << 10), got: got.clone(), ..job.clone() };
        assert_eq!(memory(&per_node), Some((6, RequestSource::Requested)));
        let leaked = MemoryRequest::PerCpu { each: 3 << 10, leaked: true };
        assert_eq!(memory(&Job { memory: leaked, ..job.clone() }), Some((36, RequestSource::Leaked)));
        let asked = Tres::of(b"mem=5M", |_| ());
        assert_eq!(
            memory(&Job { memory: leaked, asked: asked.clone(), ..job.clone() }),
            Some((5, RequestSource::Leaked))
        );
        let flagged = Tres::of(b"mem=2147483650M", |_| ());
        assert_eq!(memory(&Job { asked: flagged, ..job.clone() }), Some((24, RequestSource::Leaked)));
        let allocated = Job { got, ..job.clone() };
        assert_eq!(memory(&allocated), Some((10, RequestSource::Allocated)));
        let per_gpu = Job {
            command: b"sbatch --mem-per-gpu=2M run.sh",
            asked: Tres::of(b"cpu=12,gres/gpu=3", |_| ()),
            ..allocated.clone()
        };
        assert_eq!(memory(&per_gpu), Some((6, RequestSource::Requested)));
        let of = |job: &Job<'_>| {
            let resources = requested_resources(job);
            let words = resources.iter().map(|(name, amount, source)| {
                format!("{}={amount} {source:?}", String::from_utf8_lossy(name))
            });
            words.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(of(&allocated), "gpu=4 Requested");
        let unasked = Job { asked, ..allocated };
        assert_eq!(of(&unasked), "gpu=4 Allocated");
        let typed = Job { asked: Tres::of(b"gres/gpu:a100=2", |_| ()), ..unasked };
        assert_eq!(of(&typed), "gpu=2 Requested, gpu:a100=2 Requested");
        // A tracked amount takes precedence over the submission, which adds the type if the sums agree.
        let untracked = Job { got: Tres::default(), command: b"sbatch --gres=gpu:a100:3 x", ..job };
        assert_eq!(of(&untracked), "gpu=6 Requested, gpu:a100=6 Requested");
        let of_tracked =
            |tracked: &'static [u8]| of(&Job { asked: Tres::of(tracked, |_| ()), ..untracked.clone() });
        assert_eq!(of_tracked(b"cpu=12"), "gpu=6 Untracked, gpu:a100=6 Untracked");
        assert_eq!(of_tracked(b"gres/gpu=6"), "gpu=6 Requested, gpu:a100=6 Requested");
        assert_eq!(of_tracked(b"gres/gpu=4"), "gpu=4 Requested");
        assert_eq!(of_tracked(b"gres/gpu:v100=6"), "gpu=6 Requested, gpu:v100=6 Requested");
    }

    proptest! {
        #[test]
        fn shares_add_up_again(amount in 0..1_i64 << 40, processors in 1..1_000_000_i64) {
            let share = share(amount, Some(processors)).unwrap();
            let total = i128::from(share.to_micro()) * i128::from(processors);
            prop_assert_eq!((total + 500_000).div_euclid(1_000_000), i128::from(amount));
        }
    }
}
