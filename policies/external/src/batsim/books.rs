//! A scheduler's knowledge of a replay, and its wishes that are not fulfilled yet.

use batchlab_traces::foreign::line;
use batchlab_traces::reading::Overrun;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::floor::Floor;
use super::hosts::HostSet;
use super::news::{ATTRIBUTES, BatsimJob, Completion, News, Stamped, Wish};
use batchlab_contract::event::Event;
use batchlab_contract::plugin::{Asked, Begin, Verb};
use batchlab_contract::view::JobView;

/// The most characters of a job's name that are quoted.
const NAME: usize = 60;
/// The most characters of a scheduler's words about a job.
const WORDS: usize = 1000;

/// A job that a scheduler has heard of and that has not ended.
#[derive(Debug)]
struct Known {
    name: String,
    procs: i64,
    estimate: Time,
    /// Its hosts, and its start, once it runs.
    runs: Option<(HostSet, Time)>,
    /// Whether the scheduler wants its end.
    killed: bool,
    /// Whether it has left the queue without the scheduler: the protocol has no message for that.
    gone: bool,
}

/// Jobs that a scheduler wants to kill, some of which have not ended.
#[derive(Debug)]
struct Killing {
    ids: Vec<String>,
    left: Vec<JobId>,
    progress: Vec<(String, f64)>,
}

#[derive(Debug)]
struct Repeat {
    period: Time,
    left: Option<u64>,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a condition of its own")]
#[derive(Debug)]
pub struct BatsimBooks {
    floor: Floor,
    is_pool: bool,
    kills_at_limit: bool,
    forwards: bool,
    /// The number of jobs that have not arrived, if it is known.
    to_come: Option<usize>,
    jobs: FxHashMap<JobId, Known>,
    names: FxHashMap<String, JobId>,
    /// How often each number of the log has been submitted.
    attempts: FxHashMap<i64, u32>,
    calls: SortedMap<Time, Vec<String>>,
    repeats: SortedMap<String, Repeat>,
    killings: Vec<Killing>,
    pub backlog: Vec<Stamped<News>>,
    /// The scheduler's wishes for later, in the order in which it stated them.
    delayed: SortedMap<(Time, u64), Wish>,
    said: u64,
    /// Instants at which a decision is needed.
    pub wakes: Vec<Time>,
    /// Whether the first decision is still to come.
    is_early: bool,
}

impl BatsimBooks {
    pub fn new(begin: &Begin<'_>, forwards: bool) -> BatsimBooks {
        BatsimBooks {
            floor: Floor::new(begin.setting.machine),
            is_pool: begin.setting.machine.is_pool(),
            kills_at_limit: begin.setting.overrun == Overrun::Kill,
            forwards,
            to_come: begin.setting.jobs,
            jobs: FxHashMap::default(),
            names: FxHashMap::default(),
            attempts: FxHashMap::default(),
            calls: SortedMap::new(),
            repeats: SortedMap::new(),
            killings: Vec::new(),
            backlog: Vec::new(),
            delayed: SortedMap::new(),
            said: 0,
            wakes: Vec::new(),
            is_early: true,
        }
    }

    pub fn hosts(&self) -> u32 {
        self.floor.count()
    }

    /// Notes what has happened, and which calls are due.
    pub fn note(&mut self, asked: &Asked<'_, '_>) {
        for &event in asked.events {
            match event {
                Event::Submitted(job) => self.submitted(asked, job),
                Event::Finished(job) | Event::Released(job) => self.ended(asked, job, true),
                Event::Killed(job) => self.ended(asked, job, false),
                Event::Displaced(job) => {
                    self.ended(asked, job, false);
                    self.submitted(asked, job);
                }
                Event::Capacity(_) => self.serve(asked),
                Event::Suspended(_) | Event::Resumed(_) | Event::Loaded(_) | Event::Woke(_) => {}
            }
        }
        self.call(asked.turn.now());
    }

    /// Takes the scheduler's wishes: those for now become verbs, the others wait.
    pub fn take(
        &mut self,
        now: Time,
        wishes: Vec<Stamped<Wish>>,
        verbs: &mut Vec<Verb>,
    ) -> Result<(), String> {
        for Stamped { at, what } in wishes {
            if at > now {
                self.said += 1;
                self.delayed.insert((at, self.said), what);
                self.wakes.push(at);
            } else {
                self.apply(now, what, verbs)?;
            }
        }
        Ok(())
    }

    /// Makes verbs of earlier wishes that are due now.
    pub fn due(&mut self, now: Time, verbs: &mut Vec<Verb>) -> Result<(), String> {
        while let Some(entry) = self.delayed.first_entry().filter(|entry| entry.key().0 <= now) {
            let wish = entry.remove();
            self.apply(now, wish, verbs)?;
        }
        self.is_early = false;
        Ok(())
    }

    fn tell(&mut self, at: Time, what: News) {
        // With periodic decisions an end may be older than an arrival that was noted before.
        let at = self.backlog.last().map_or(at, |last| last.at.max(at));
        self.backlog.push(Stamped { at, what });
    }

    fn submitted(&mut self, asked: &Asked<'_, '_>, id: JobId) {
        if let Some(known) = self.jobs.get_mut(&id).filter(|known| known.gone) {
            // It was held back for a while, which was not reported to the scheduler.
            known.gone = false;
            return;
        }
        let job = asked.turn.job(id);
        let attempt = self.attempts.entry(job.number()).or_default();
        let again = if *attempt == 0 { String::new() } else { format!("#{attempt}") };
        *attempt += 1;
        let own = own(job);
        let given = own.get("id").and_then(Value::as_str).map(|id| format!("w0!{id}{again}"));
        let given = given.filter(|name| !self.names.contains_key(name));
        let name = given.unwrap_or_else(|| format!("w0!{}{again}", job.number()));
        let (procs, estimate) = (job.procs(), job.estimate());
        let oracle = asked.turn.oracle().filter(|_| self.forwards);
        let told = BatsimJob {
            id: name.clone(),
            hosts: procs,
            // Batsim has no job with a limit of zero, and its schedulers end when they get one.
            walltime: Some(estimate.max(Time::TICK)).filter(|&estimate| estimate < Time::FARTHEST),
            delay: oracle.map(|oracle| oracle.run(id)),
            attributes: ATTRIBUTES.map(|(field, _)| job.attribute(field)),
            own,
        };
        self.names.insert(name.clone(), id);
        let is_first = !self.jobs.contains_key(&id);
        let known = Known { name, procs, estimate, runs: None, killed: false, gone: false };
        self.jobs.insert(id, known);
        self.tell(asked.turn.now(), News::Submitted(told));
        if let Some(left) = self.to_come.as_mut().filter(|_| is_first) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.to_come = None;
                self.tell(asked.turn.now(), News::AllSubmitted);
            }
        }
    }

    fn ended(&mut self, asked: &Asked<'_, '_>, id: JobId, by_itself: bool) {
        let at = asked.turn.ended(id).unwrap_or(asked.turn.now());
        // The end of a job that has left within its instant is noted already.
        let Some(known) = self.jobs.get_mut(&id) else { return };
        let Some((hosts, started)) = known.runs.take() else {
            known.gone = true;
            if known.killed {
                self.jobs.remove(&id);
            }
            return;
        };
        let ran = at - started;
        let how = match (by_itself, known.killed) {
            (true, _) if self.kills_at_limit && ran >= known.estimate => Completion::AtLimit,
            (true, _) => Completion::Success,
            (false, true) => Completion::Killed,
            (false, false) => Completion::Failure,
        };
        let (name, part) = (known.name.clone(), ran.secs() / known.estimate.secs().max(1e-6));
        self.jobs.remove(&id);
        let out = self.floor.give_back(&hosts);
        self.tell(at, News::Completed { id: name.clone(), how, hosts });
        if out.count() > 0 {
            self.tell(at, News::Hosts { hosts: out, available: false });
        }
        for killing in &mut self.killings {
            let before = killing.left.len();
            killing.left.retain(|&left| left != id);
            if killing.left.len() < before && how == Completion::Killed {
                killing.progress.push((name.clone(), part.clamp(0.0, 1.0)));
            }
        }
        self.acknowledge(at);
    }

    fn acknowledge(&mut self, at: Time) {
        let (done, left): (Vec<Killing>, Vec<Killing>) =
            std::mem::take(&mut self.killings).into_iter().partition(|kill| kill.left.is_empty());
        self.killings = left;
        for Killing { ids, progress, .. } in done {
            self.tell(at, News::Killed { ids, progress });
        }
    }

    fn serve(&mut self, asked: &Asked<'_, '_>) {
        for node in 0..asked.turn.machine().nodes() {
            let (out, back) = self.floor.serve(node, asked.in_service(node)[0]);
            for (hosts, available) in [(out, false), (back, true)] {
                if hosts.count() > 0 {
                    self.tell(asked.turn.now(), News::Hosts { hosts, available });
                }
            }
        }
    }

    fn call(&mut self, now: Time) {
        while let Some(entry) = self.calls.first_entry().filter(|entry| *entry.key() <= now) {
            let (at, ids) = entry.remove_entry();
            for id in ids {
                let mut is_last = false;
                if let Some(repeat) = self.repeats.get_mut(&id) {
                    repeat.left = repeat.left.map(|left| left.saturating_sub(1));
                    is_last = repeat.left == Some(0);
                    let next = at + repeat.period;
                    if is_last {
                        self.repeats.remove(&id);
                    } else {
                        self.calls.entry(next).or_default().push(id.clone());
                        self.wakes.push(next);
                    }
                }
                self.tell(now, News::Called { id, is_last });
            }
        }
    }

    fn apply(&mut self, now: Time, wish: Wish, verbs: &mut Vec<Verb>) -> Result<(), String> {
        match wish {
            Wish::Execute { id, hosts } => self.execute(now, &id, hosts, verbs),
            Wish::Reject(id) => {
                let (job, known) = self.known(&id)?;
                if known.runs.is_some() {
                    return Err(format!("it rejects {id}, which runs"));
                }
                known.killed = true;
                if known.gone {
                    self.jobs.remove(&job);
                } else {
                    verbs.push(Verb::Kill(job));
                }
                Ok(())
            }
            Wish::Kill(ids) => self.kill(now, ids, verbs),
            Wish::Call { id, at } if at > now => {
                self.calls.entry(at).or_default().push(id);
                self.wakes.push(at);
                Ok(())
            }
            Wish::Call { id, .. } if self.is_early => {
                self.tell(now, News::Called { id, is_last: false });
                Ok(())
            }
            Wish::Call { at, .. } => {
                Err(format!("it wants to be called at {at} s, which is not after {now} s"))
            }
            Wish::CallEvery { id, offset, period, count } => {
                // Calls fall on multiples of the period from the beginning of time, not from the wish.
                let since = (now - offset).ticks().rem_euclid(period.ticks());
                let at = now + period - Time::from_ticks(since);
                self.calls.entry(at).or_default().push(id.clone());
                self.wakes.push(at);
                self.repeats.insert(id, Repeat { period, left: count });
                Ok(())
            }
            Wish::StopCalls(id) => {
                self.repeats.remove(&id);
                self.calls.values_mut().for_each(|ids| ids.retain(|other| *other != id));
                Ok(())
            }
            Wish::Describe { id, words } => {
                let Some(&job) = self.names.get(&id) else { return Err(unknown(&id)) };
                let length = words.chars().count();
                if length > WORDS {
                    return Err(format!("it describes {id} in {length} characters; {WORDS} are the most"));
                }
                verbs.push(Verb::Describe(job, words.replace(char::is_control, " ")));
                Ok(())
            }
            Wish::Registered | Wish::Remark(_) => Ok(()),
            Wish::Beyond { name, needs } => Err(format!("{}: {needs}", line(&name, NAME))),
        }
    }

    fn execute(&mut self, now: Time, id: &str, hosts: HostSet, verbs: &mut Vec<Verb>) -> Result<(), String> {
        let (job, known) = self.known(id)?;
        if known.runs.is_some() {
            return Err(format!("it executes {id}, which runs already"));
        }
        if hosts.count() != known.procs.unsigned_abs() {
            let (given, wanted) = (hosts.count(), known.procs);
            return Err(format!("it executes {id} on {given} hosts, and {id} needs {wanted}"));
        }
        if known.gone {
            // Its user has cancelled it.
            self.jobs.remove(&job);
            self.tell(now, News::Completed { id: id.into(), how: Completion::Killed, hosts });
            return Ok(());
        }
        self.floor.take(&hosts).map_err(|why| format!("it executes {id} on `{hosts}`: {why}"))?;
        verbs.push(if self.is_pool {
            Verb::Start(job)
        } else {
            Verb::Place {
                job,
                placement: self.floor.placement(&hosts),
                rate: batchlab_contract::placement::Rate::FULL,
            }
        });
        verbs.push(Verb::Processors(job, hosts.ranges().to_vec()));
        let (_, known) = self.known(id)?;
        known.runs = Some((hosts, now));
        Ok(())
    }

    fn kill(&mut self, now: Time, ids: Vec<String>, verbs: &mut Vec<Verb>) -> Result<(), String> {
        let mut left = Vec::new();
        for id in &ids {
            // A job that has ended in the meantime need not be killed.
            let Some(&job) = self.names.get(id) else { return Err(unknown(id)) };
            let Some(known) = self.jobs.get_mut(&job).filter(|known| known.name == *id) else { continue };
            if known.runs.is_none() {
                return Err(format!("it kills {id}, which does not run"));
            }
            left.push(job);
            if !known.killed {
                known.killed = true;
                verbs.push(Verb::Kill(job));
            }
        }
        self.killings.push(Killing { ids, left, progress: Vec::new() });
        self.acknowledge(now);
        Ok(())
    }

    fn known(&mut self, id: &str) -> Result<(JobId, &mut Known), String> {
        let Some(&job) = self.names.get(id) else { return Err(unknown(id)) };
        let known = self.jobs.get_mut(&job).filter(|known| known.name == id);
        known.map(|known| (job, known)).ok_or_else(|| format!("{id} has ended"))
    }
}

/// Returns the further fields of a job, and the names that the workload gives its user, group, queue and partition.
fn own(job: JobView<'_>) -> Map<String, Value> {
    let text = job.own().and_then(|text| serde_json::from_str(text).ok());
    let mut own: Map<String, Value> = text.unwrap_or_default();
    for (field, name) in job.given() {
        let key = ATTRIBUTES.iter().find(|(known, _)| *known == field).map_or("", |(_, key)| key);
        own.insert(key.into(), name.parse::<i64>().map_or_else(|_| name.into(), Value::from));
    }
    own
}

fn unknown(id: &str) -> String {
    format!("no job `{}` has been submitted", line(id, NAME))
}
