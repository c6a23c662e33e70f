//! First come, first served, on a pool: batchlab replay LOG --policy wasm:fcfs.wasm

mod batchlab;

use std::collections::VecDeque;

use batchlab::{Answer, Policy, Setup, State};

#[derive(Default)]
struct Fcfs {
    /// The waiting jobs in the order of submission, each with its demand of each resource.
    queue: VecDeque<(u32, Vec<i64>)>,
}

impl Policy for Fcfs {
    const ABOUT: &'static str = r#"{"name": "fcfs", "kind": "policy", "needs": ["pool"],
        "summary": "the first job that does not fit blocks all behind it"}"#;

    fn begin(_: &Setup<'_>) -> Result<Fcfs, String> {
        Ok(Fcfs::default())
    }

    fn decide(&mut self, state: &State<'_>, answer: &mut Answer) {
        // A job that was killed may have left the queue.
        for event in state.events().iter().filter(|event| event.kind == batchlab::KILLED) {
            self.queue.retain(|(job, _)| *job != event.job);
        }
        let mut free = state.free().to_vec();
        let demands = state.demands().chunks_exact(free.len());
        let submitted = state.jobs().iter().zip(demands).map(|(job, demand)| (job.job, demand.to_vec()));
        self.queue.extend(submitted);
        while let Some((job, demand)) = self.queue.front() {
            if demand.iter().zip(&free).any(|(need, free)| need > free) {
                break;
            }
            demand.iter().zip(&mut free).for_each(|(need, free)| *free -= need);
            answer.start(*job);
            self.queue.pop_front();
        }
    }
}

export!(Fcfs);
