//! What an agent sees: numbers within [0, 1].

use batchlab_traces::{Field, JobId, Machine, Time, Workload};

use super::options::{JOB_FEATURES, ObservationLayout, RELEASE_BOUNDS};
use super::{Environment, Episode};

/// The longest time that [`ObservationLayout::Native`] distinguishes from a longer one, in seconds: 30 days.
const LONGEST: f64 = 30.0 * 86_400.0;

/// The longest wait that `RLScheduler` distinguishes from a longer one, in seconds.
const RL_LONGEST_WAIT: f64 = 12.0 * 3600.0;

/// The largest value of `RLScheduler`'s features that have a value.
const RL_MOST: f32 = 1.0 - 1e-5;

/// The largest values of a log, for scaling, and what does not change of its jobs.
pub(super) struct Scales {
    /// Of each job in [`ObservationLayout::Native`]: its request, and its processors.
    jobs: Vec<[f32; 2]>,
    procs: f64,
    request: f64,
    memory: f64,
    /// User, group, executable.
    numbers: [f64; 3],
    /// ln(1 + 30 days).
    log: f64,
}

const NUMBERS: [Field; 3] = [Field::User, Field::Group, Field::Executable];

impl Scales {
    pub(super) fn new(workload: &Workload, machine: &Machine) -> Scales {
        let most = |value: &dyn Fn(JobId) -> f64| workload.jobs().map(value).fold(1.0, f64::max);
        let (procs, log) = (machine.procs() as f64, LONGEST.ln_1p());
        let fixed =
            |job: JobId| [logarithm(workload.estimate(job), log), unit(workload.procs(job) as f64 / procs)];
        Scales {
            jobs: workload.jobs().map(fixed).collect(),
            procs,
            request: most(&|job| workload.estimate(job).secs()),
            memory: most(&|job| workload.told_memory(job).unwrap_or(0) as f64),
            numbers: NUMBERS.map(|field| most(&|job| workload.attribute(job, field) as f64)),
            log,
        }
    }

    fn procs(&self, procs: i64) -> f32 {
        unit(procs as f64 / self.procs)
    }

    fn time(&self, time: Time) -> f32 {
        logarithm(time, self.log)
    }

    fn request(&self, time: Time) -> f32 {
        unit(time.secs() / self.request)
    }
}

fn logarithm(time: Time, log: f64) -> f32 {
    if time <= Time::ZERO { 0.0 } else { unit(time.secs().ln_1p() / log) }
}

fn unit(value: f64) -> f32 {
    value.clamp(0.0, 1.0) as f32
}

fn flag(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

pub(super) fn write(environment: &Environment, into: &mut [f32]) {
    let shape = environment.shape();
    let (jobs, machine) = into.split_at_mut(shape.jobs[0] * shape.jobs[1]);
    match environment.options.layout {
        ObservationLayout::Native => native(environment, jobs, machine),
        ObservationLayout::RlScheduler => rlscheduler(environment, jobs),
        ObservationLayout::CqGym => cqgym(environment, jobs, machine),
    }
}

fn native(environment: &Environment, jobs: &mut [f32], machine: &mut [f32]) {
    jobs.fill(0.0);
    machine.fill(0.0);
    let Environment { scales, window, mask, gain, first, .. } = environment;
    let Some(Episode { replay, agent, held, .. }) = &environment.episode else { return };
    let (cluster, now) = (replay.cluster(), replay.now());
    let (workload, free) = (cluster.workload(), cluster.free(0)[0]);
    let reserved = agent.keeper.reserved();
    for ((row, &job), &valid) in jobs.chunks_exact_mut(JOB_FEATURES).zip(window).zip(mask) {
        let user = gain.user(job).and_then(|user| held.get(user)).copied().unwrap_or(0);
        let [request, procs] = scales.jobs[first + job.index()];
        row.copy_from_slice(&[
            1.0,
            scales.time(now - workload.submit(job)),
            request,
            procs,
            flag(workload.procs(job) <= free),
            flag(valid),
            flag(reserved.is_some_and(|(head, ..)| head == job)),
            scales.procs(user),
        ]);
    }
    let waiting = agent.keeper.waiting() as f64;
    let places = environment.options.window as f64;
    machine[0] = scales.procs(free);
    machine[1] = unit(waiting / (waiting + places));
    for (value, bound) in machine[2..].iter_mut().zip(RELEASE_BOUNDS) {
        *value = scales.procs(free + agent.keeper.released_by(now + Time::from_secs(bound)));
    }
    if let (Some((_, shadow, extra)), Some(values)) = (reserved, machine.get_mut(2 + RELEASE_BOUNDS.len()..))
    {
        values.copy_from_slice(&[1.0, scales.time(shadow - now), scales.procs(extra)]);
    }
}

fn rlscheduler(environment: &Environment, jobs: &mut [f32]) {
    let rows = jobs.chunks_exact_mut(8);
    rows.for_each(|row| row.copy_from_slice(&[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]));
    let (scales, Some(Episode { replay, .. })) = (&environment.scales, &environment.episode) else { return };
    let (cluster, now) = (replay.cluster(), replay.now());
    let (workload, free) = (cluster.workload(), cluster.free(0)[0]);
    let most = |value: f64| unit(value).min(RL_MOST);
    for (row, &job) in jobs.chunks_exact_mut(8).zip(&environment.window) {
        let number = |at: usize| match workload.attribute(job, NUMBERS[at]) {
            unknown if unknown < 0 => 1.0,
            number => most(number as f64 / scales.numbers[at]),
        };
        row.copy_from_slice(&[
            most((now - workload.submit(job)).secs() / RL_LONGEST_WAIT),
            scales.request(workload.estimate(job)).min(RL_MOST),
            scales.procs(workload.procs(job)).min(RL_MOST),
            workload.told_memory(job).map_or(1.0, |memory| most(memory as f64 / scales.memory)),
            number(0),
            number(1),
            number(2),
            if workload.procs(job) <= free { RL_MOST } else { 1e-5 },
        ]);
    }
}

fn cqgym(environment: &Environment, jobs: &mut [f32], machine: &mut [f32]) {
    jobs.fill(0.0);
    machine.fill(0.0);
    let (scales, Some(Episode { replay, agent, .. })) = (&environment.scales, &environment.episode) else {
        return;
    };
    let (cluster, now) = (replay.cluster(), replay.now());
    let (workload, free) = (cluster.workload(), cluster.free(0)[0]);
    for (rows, &job) in jobs.chunks_exact_mut(4).zip(&environment.window) {
        rows.copy_from_slice(&[
            scales.procs(workload.procs(job)),
            scales.request(workload.estimate(job)),
            0.0,
            scales.request(now - workload.submit(job)),
        ]);
    }
    let mut processors = machine.chunks_exact_mut(2);
    let is_free = processors.by_ref().take(free as usize);
    is_free.for_each(|row| row.copy_from_slice(&[1.0, 0.0]));
    agent.keeper.for_each_release(now, |end, procs| {
        let busy = processors.by_ref().take(procs as usize);
        busy.for_each(|row| row.copy_from_slice(&[0.0, scales.request(end - now)]));
    });
}
