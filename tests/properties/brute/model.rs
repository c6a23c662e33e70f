//! A second engine with second implementations of the plain policies: it goes through time second by second, and plans
//! in a table of seconds. It is slow, and knows the queue order `fcfs` and the event order `batch`.

use crate::properties::seconds::{Job, Spot, Table};

/// A policy of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Fcfs,
    FirstFit,
    /// On one node.
    Easy,
    /// Reservations, again at every decision; `usize::MAX` is conservative backfilling with `replan`.
    Depth(usize),
    Compress,
    Rechoose,
    Fixed,
}

impl Rule {
    pub fn spec(self) -> String {
        match self {
            Rule::Fcfs => "fcfs".into(),
            Rule::FirstFit => "first-fit".into(),
            Rule::Easy => "easy".into(),
            Rule::Depth(usize::MAX) => "conservative:variant=replan".into(),
            Rule::Depth(k) => format!("depth:k={k}"),
            Rule::Compress => "conservative".into(),
            Rule::Rechoose => "conservative:variant=rechoose".into(),
            Rule::Fixed => "conservative:variant=fixed".into(),
        }
    }
}

struct Running {
    job: usize,
    start: usize,
    spot: Spot,
}

/// A reservation, and whether it waits for the next event to be one like any other.
struct Reserved {
    job: usize,
    start: usize,
    spot: Spot,
    tentative: bool,
}

/// What happened at an instant.
#[derive(Default)]
struct Events {
    ended: bool,
    arrived: Vec<usize>,
}

pub struct Model<'a> {
    jobs: &'a [Job],
    nodes: &'a [Vec<i64>],
    rule: Rule,
    now: usize,
    next: usize,
    waiting: Vec<usize>,
    running: Vec<Running>,
    /// In queue order.
    reserved: Vec<Reserved>,
    starts: Vec<Option<usize>>,
}

impl<'a> Model<'a> {
    /// The start of each job; the jobs are in the order of submission.
    pub fn starts(jobs: &'a [Job], nodes: &'a [Vec<i64>], rule: Rule) -> Vec<usize> {
        let (waiting, running, reserved) = (Vec::new(), Vec::new(), Vec::new());
        let starts = vec![None; jobs.len()];
        let mut model = Model { jobs, nodes, rule, now: 0, next: 0, waiting, running, reserved, starts };
        while model.starts.iter().any(Option::is_none) {
            while let Some(events) = model.events() {
                model.decide(&events);
            }
            model.now += 1;
        }
        model.starts.into_iter().flatten().collect()
    }

    fn events(&mut self) -> Option<Events> {
        let (jobs, now, before) = (self.jobs, self.now, self.running.len());
        self.running.retain(|one| one.start + jobs[one.job].run > now);
        let ended = self.running.len() < before;
        let first = self.next;
        while self.next < jobs.len() && jobs[self.next].submit == now {
            self.next += 1;
        }
        let due = self.reserved.iter().any(|one| one.start == now && !one.tentative);
        let arrived: Vec<usize> = (first..self.next).collect();
        (ended || due || !arrived.is_empty()).then_some(Events { ended, arrived })
    }

    fn decide(&mut self, events: &Events) {
        let mut plan = self.plan();
        self.waiting.extend(&events.arrived);
        match self.rule {
            Rule::Fcfs => self.first_fit(&mut plan, true),
            Rule::FirstFit => self.first_fit(&mut plan, false),
            Rule::Easy => self.easy(&mut plan),
            Rule::Depth(k) => self.depth(&mut plan, k),
            Rule::Compress | Rule::Rechoose | Rule::Fixed => self.conservative(&mut plan, events),
        }
        let starts = &self.starts;
        self.waiting.retain(|&job| starts[job].is_none());
    }

    /// Running jobs until their expected ends: an overdue job is expected to end in a second.
    fn plan(&self) -> Table {
        let mut plan = Table::of_empty(self.nodes);
        for one in &self.running {
            let job = &self.jobs[one.job];
            let end = (one.start + job.stay()).max(self.now + 1);
            plan.add(job, &one.spot, (0, end - self.now), -1);
        }
        plan
    }

    fn start(&mut self, plan: &mut Table, job: usize, spot: Spot) {
        plan.add(&self.jobs[job], &spot, (0, self.jobs[job].stay()), -1);
        self.starts[job] = Some(self.now);
        self.running.push(Running { job, start: self.now, spot });
    }

    fn first_fit(&mut self, plan: &mut Table, in_order: bool) {
        for job in self.waiting.clone() {
            match plan.place(&self.jobs[job], 0, 1) {
                Some(spot) => self.start(plan, job, spot),
                None if in_order => return,
                None => {}
            }
        }
    }

    fn easy(&mut self, plan: &mut Table) {
        let mut waiting = self.waiting.clone().into_iter().peekable();
        while let Some(spot) = waiting.peek().and_then(|&job| plan.place(&self.jobs[job], 0, 1)) {
            let job = waiting.next().unwrap();
            self.start(plan, job, spot);
        }
        let Some(head) = waiting.next() else { return };
        // Without reservations, what fits at an instant fits from then on.
        let head = Job { estimate: 1, ..self.jobs[head].clone() };
        let (shadow, spot) = plan.earliest(&head);
        plan.add(&head, &spot, (shadow, shadow + 1), -1);
        for job in waiting {
            let one = &self.jobs[job];
            // At the shadow time the table has the extra processors.
            let extra = Job { estimate: 1, ..one.clone() };
            let Some(spot) = plan.place(one, 0, 1) else { continue };
            if one.stay() <= shadow || plan.place(&extra, shadow, 1).is_some() {
                self.start(plan, job, spot);
            }
        }
    }

    fn depth(&mut self, plan: &mut Table, k: usize) {
        let mut reserved = 0;
        for job in self.waiting.clone() {
            let one = &self.jobs[job];
            if reserved == k {
                if let Some(spot) = plan.place(one, 0, one.stay()) {
                    self.start(plan, job, spot);
                }
                continue;
            }
            let (at, spot) = plan.earliest(one);
            if at == 0 {
                self.start(plan, job, spot);
            } else {
                plan.add(one, &spot, (at, at + one.stay()), -1);
                reserved += 1;
            }
        }
    }

    fn conservative(&mut self, plan: &mut Table, events: &Events) {
        let mut reserved = std::mem::take(&mut self.reserved);
        self.make_again(plan, &mut reserved, events.ended || !events.arrived.is_empty());
        if events.ended && self.rule != Rule::Fixed {
            self.move_up(plan, &mut reserved);
        }
        for &job in &events.arrived {
            let (at, spot) = plan.earliest(&self.jobs[job]);
            plan.add(&self.jobs[job], &spot, (at, at + self.jobs[job].stay()), -1);
            reserved.push(Reserved { job, start: self.now + at, spot, tentative: false });
        }
        for one in reserved {
            if one.start > self.now {
                self.reserved.push(one);
            } else {
                self.starts[one.job] = Some(self.now);
                self.running.push(Running { job: one.job, start: self.now, spot: one.spot });
            }
        }
    }

    /// Each reservation, in queue order, stays if it holds beside the running jobs and the reservations ahead of it, and
    /// else goes to the earliest start beside them.
    fn make_again(&self, plan: &mut Table, reserved: &mut [Reserved], told: bool) {
        for one in reserved {
            let (job, now) = (&self.jobs[one.job], self.now);
            let holds = !one.tentative && one.start >= now && plan.holds(job, &one.spot, one.start - now);
            if !holds {
                let fell_due = one.start <= now && !one.tentative;
                let (at, spot) = plan.earliest(job);
                *one = Reserved { start: now + at, spot, tentative: at > 0 && (!told || fell_due), ..*one };
            }
            plan.add(job, &one.spot, (one.start - now, one.start - now + job.stay()), -1);
        }
    }

    /// At an end, each reservation, in queue order, is lifted out and put back at the earliest start beside all others.
    fn move_up(&self, plan: &mut Table, reserved: &mut [Reserved]) {
        for one in reserved {
            let (job, before) = (&self.jobs[one.job], one.start - self.now);
            plan.add(job, &one.spot, (before, before + job.stay()), 1);
            let (at, spot) = plan.earliest(job);
            if at < before || self.rule == Rule::Rechoose {
                let tentative = one.tentative && at == before;
                *one = Reserved { start: self.now + at, spot, tentative, ..*one };
            }
            plan.add(job, &one.spot, (one.start - self.now, one.start - self.now + job.stay()), -1);
        }
    }
}
