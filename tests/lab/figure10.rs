//! The routines of Figure 10 of Aida et al. 1998 as printed, on an array: slow and easy to verify.

use batchlab::policies::{Event, JobView, Policy, PolicyError, Turn};
use batchlab::traces::{JobId, Time};

/// `FCFS_Scheduler` or `FPFS_Scheduler`, with `FPMPFS_job_spooler`, its mirror image, or plain insertion at the tail.
pub struct Figure10 {
    queue: Vec<Waiting>,
    spooler: Spooler,
    searches: bool,
    /// Whether `i++` follows a dispatch although the array has shifted by one.
    skips: bool,
    limit: Limit,
}

/// The way in which arrivals are put into the queue.
#[derive(Clone, Copy, Debug)]
pub enum Spooler {
    Tail,
    Most,
    Least,
}

/// The limit on a job's wait; `None` for no limit.
pub type Limit = fn(JobView<'_>) -> Option<Time>;

struct Waiting {
    job: JobId,
    penum: i64,
    submit: Time,
    wl: Option<Time>,
}

impl Waiting {
    fn is_over(&self, now: Time) -> bool {
        self.wl.is_some_and(|wl| wl <= now - self.submit)
    }
}

impl Figure10 {
    pub fn new(scheme: &str, limit: Limit, skips: bool) -> Figure10 {
        let spooler = match scheme {
            "mpfs" | "fpmpfs" => Spooler::Most,
            "lpfs" | "fplpfs" => Spooler::Least,
            "fpfs" => Spooler::Tail,
            _ => panic!("no scheme is called {scheme}"),
        };
        Figure10 { queue: Vec::new(), spooler, searches: scheme.starts_with("fp"), skips, limit }
    }

    fn spool(&mut self, arrival: Waiting) {
        let mut i = self.queue.len();
        while i > 0 {
            let before = &self.queue[i - 1];
            let passes = match self.spooler {
                Spooler::Tail => false,
                Spooler::Most => before.penum < arrival.penum,
                Spooler::Least => before.penum > arrival.penum,
            };
            if before.is_over(arrival.submit) || !passes {
                break;
            }
            i -= 1;
        }
        self.queue.insert(i, arrival);
    }

    fn pass(&mut self, turn: &mut Turn<'_>) -> Result<bool, PolicyError> {
        let (mut i, mut dispatched) = (0, false);
        while i < self.queue.len() && turn.free(0)[0] > 0 {
            if self.queue[i].penum <= turn.free(0)[0] {
                turn.start(self.queue.remove(i).job)?;
                dispatched = true;
                i += usize::from(self.skips);
            } else if !self.searches || self.queue[i].is_over(turn.now()) {
                break;
            } else {
                i += 1;
            }
        }
        Ok(dispatched)
    }
}

impl Policy for Figure10 {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for &event in turn.events() {
            if let Event::Submitted(job) = event {
                let view = turn.job(job);
                let (penum, submit) = (view.procs(), view.submit());
                self.spool(Waiting { job, penum, submit, wl: (self.limit)(view) });
            }
        }
        while self.pass(turn)? {}
        Ok(())
    }
}
