//! A policy that decides for Batsim.

use std::collections::HashMap;
use std::io::{Read, Write};

use batchlab_traces::foreign::line;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use batchlab_contract::facts::Fact;

use super::{Arrival, Seat, SeatOrder, ServeError};
use crate::batsim::zmtp::{SocketRole, Wire};
use crate::batsim::{BatsimVersion, HostSet, News, Stamped, Wish, v5};

/// The estimate of a job without a limit: ten years.
const ENDLESS: Time = Time::from_secs(315_360_000);

/// Serves the simulator at the other end of a connection until its simulation is over. `seat` makes the policy for a
/// number of hosts.
pub fn serve(
    version: BatsimVersion,
    connection: impl Read + Write,
    name: &str,
    seat: impl FnOnce(u32) -> Result<Seat, ServeError>,
) -> Result<(), ServeError> {
    let mut line = Line::open(connection)?;
    if version == BatsimVersion::Five {
        line.hear()?;
        line.say(&v5::hello(name, env!("CARGO_PKG_VERSION")))?;
    }
    let (now, news) = version.news(&line.hear()?).map_err(ServeError::Message)?;
    let begins = news.iter().find_map(|news| match news.what {
        News::Begins { hosts, registers, .. } => Some((hosts, registers)),
        _ => None,
    });
    let Some((hosts, registers)) = begins else {
        return Err(ServeError::Message("its simulation does not begin".into()));
    };
    let mut desk = Desk::new(seat(hosts)?, hosts);
    let registered = registers.then_some(Stamped { at: now, what: Wish::Registered });
    let mut wishes: Vec<Stamped<Wish>> = registered.into_iter().collect();
    desk.take(now, &news, &mut wishes)?;
    while !desk.is_over {
        line.say(&version.answer(desk.now, &wishes))?;
        wishes.clear();
        let (now, news) = version.news(&line.hear()?).map_err(ServeError::Message)?;
        desk.take(now, &news, &mut wishes)?;
    }
    line.say(&version.answer(desk.now, &[]))
}

/// A policy, and the names and hosts of its jobs.
struct Desk {
    seat: Seat,
    jobs: HashMap<String, JobId>,
    names: Vec<String>,
    /// The hosts of the jobs that run.
    held: HashMap<JobId, HostSet>,
    free: SortedSet<u32>,
    /// Instants of calls that have been requested.
    calls: SortedSet<Time>,
    now: Time,
    has_begun: bool,
    is_over: bool,
}

impl Desk {
    fn new(seat: Seat, hosts: u32) -> Desk {
        Desk {
            seat,
            jobs: HashMap::new(),
            names: Vec::new(),
            held: HashMap::new(),
            free: (0..hosts).collect(),
            calls: SortedSet::new(),
            now: Time::ZERO,
            has_begun: false,
            is_over: false,
        }
    }

    fn take(
        &mut self,
        now: Time,
        news: &[Stamped<News>],
        wishes: &mut Vec<Stamped<Wish>>,
    ) -> Result<(), ServeError> {
        if now < self.now {
            let why = format!("its clock goes back, from {} s to {now} s", self.now);
            return Err(ServeError::Message(why));
        }
        self.now = now;
        let mut wish = |what| wishes.push(Stamped { at: now, what });
        let hosts = self.free.len() as i64 + self.held.values().map(|held| held.count() as i64).sum::<i64>();
        for Stamped { at, what } in news {
            match what {
                News::Submitted(job) if self.jobs.contains_key(&job.id) => {
                    let name = line(&job.id, 60);
                    return Err(ServeError::Message(format!("it submits `{name}` a second time")));
                }
                News::Submitted(job) if !(1..=hosts).contains(&job.hosts) => {
                    wish(Wish::Reject(job.id.clone()));
                }
                News::Submitted(job) => {
                    let estimate = job.walltime.unwrap_or(ENDLESS);
                    let [user, _, _, partition] = job.attributes;
                    self.seat.must_tell(&job.id, Fact::User, user)?;
                    self.seat.must_tell(&job.id, Fact::Partition, partition)?;
                    let arrival = Arrival { procs: job.hosts, estimate, run: job.delay, user, partition };
                    let id = self.seat.submit(arrival, now)?;
                    self.jobs.insert(job.id.clone(), id);
                    self.names.push(job.id.clone());
                }
                News::Completed { id, .. } => self.end(id, *at),
                News::Killed { ids, .. } => ids.iter().for_each(|id| self.end(id, *at)),
                News::Hosts { available: false, .. } => {
                    return Err(ServeError::Message(
                        "hosts go out of service, and a served policy is not told so".into(),
                    ));
                }
                News::Ends => self.is_over = true,
                News::Begins { .. } if self.has_begun => {
                    return Err(ServeError::Message("its simulation begins a second time".into()));
                }
                News::Begins { .. } => self.has_begun = true,
                News::Called { .. } | News::AllSubmitted | News::Hosts { .. } | News::Other(_) => {}
            }
        }
        if self.is_over { self.seat.finish(now) } else { self.decide(now, wishes) }
    }

    /// Lets the policy decide, and takes what it orders.
    fn decide(&mut self, now: Time, wishes: &mut Vec<Stamped<Wish>>) -> Result<(), ServeError> {
        let mut wish = |what| wishes.push(Stamped { at: now, what });
        for order in self.seat.decide(now)? {
            match order {
                SeatOrder::Start(job) => {
                    let procs = self.seat.procs(job) as usize;
                    let hosts: Vec<u32> = self.free.iter().copied().take(procs).collect();
                    if hosts.len() < procs {
                        let why = "it starts a job on hosts of a job that is still being killed".into();
                        return Err(ServeError::Failed { policy: self.seat.name().into(), at: now, why });
                    }
                    for host in &hosts {
                        self.free.remove(host);
                    }
                    let hosts = HostSet::of(hosts);
                    wish(Wish::Execute { id: self.names[job.index()].clone(), hosts: hosts.clone() });
                    self.held.insert(job, hosts);
                }
                SeatOrder::Kill(job) => wish(Wish::Kill(vec![self.names[job.index()].clone()])),
                SeatOrder::Reject(job) => wish(Wish::Reject(self.names[job.index()].clone())),
            }
        }
        self.calls.retain(|&at| at > now);
        if let Some(at) = self.seat.next_call().filter(|&at| at > now && !self.calls.contains(&at)) {
            self.calls.insert(at);
            wish(Wish::Call { id: "next".into(), at });
        }
        Ok(())
    }

    fn end(&mut self, id: &str, at: Time) {
        let Some(&job) = self.jobs.get(id) else { return };
        if let Some(hosts) = self.held.remove(&job) {
            self.free.extend(hosts.hosts());
        }
        self.seat.end(job, at, true);
    }
}

/// The connection: one message, one answer.
struct Line<C> {
    connection: C,
    wire: Wire,
    chunk: Box<[u8]>,
}

impl<C: Read + Write> Line<C> {
    fn open(mut connection: C) -> Result<Line<C>, ServeError> {
        connection.write_all(&Wire::opening(SocketRole::Reply)).map_err(|error| failed(&error))?;
        Ok(Line {
            connection,
            wire: Wire::new(SocketRole::Reply),
            chunk: vec![0; 1 << 16].into_boxed_slice(),
        })
    }

    fn hear(&mut self) -> Result<Vec<u8>, ServeError> {
        loop {
            if let Some(message) = self.wire.message().map_err(ServeError::Message)? {
                return Ok(message);
            }
            let read = self.connection.read(&mut self.chunk).map_err(|error| failed(&error))?;
            if read == 0 {
                return Err(ServeError::Connection(
                    "the simulator closed the connection before its simulation was over".into(),
                ));
            }
            self.wire.feed(&self.chunk[..read]);
        }
    }

    fn say(&mut self, message: &[u8]) -> Result<(), ServeError> {
        self.connection.write_all(&Wire::framed(message)).map_err(|error| failed(&error))
    }
}

fn failed(error: &std::io::Error) -> ServeError {
    ServeError::Connection(format!("the connection to the simulator: {error}"))
}
