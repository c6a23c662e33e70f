//! The order of messages in a conversation with a scheduler.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use batchlab_traces::Time;
use batchlab_traces::sorted::SortedSet;

use super::books::BatsimBooks;
use super::link::Link;
use super::news::{News, Stamped};
use super::socket::Endpoint;
use super::version::BatsimVersion;
use super::{CARRIER, ENDPOINT, INIT, PROFILES, PROTOCOL, v5};
use crate::process::command::{Program, patience};
use crate::process::watched::{Patience, Watched};
use batchlab_contract::plugin::{
    About, Allowed, Asked, Begin, Conversation, Fault, GuestKind, Library, LoadError, Loaded, Verb,
};
use batchlab_contract::spec::Params;

/// What stands in a command for the endpoint of a replay.
const PLACE: &str = "{endpoint}";

/// Where schedulers of Batsim listen by default.
const USUAL: &str = "tcp://127.0.0.1:28000";

/// The phases of a conversation, for errors.
const HELLO: &str = "the greeting";
const BEGINS: &str = "SIMULATION_BEGINS";
const DECIDE: &str = "a decision";
const ENDS: &str = "SIMULATION_ENDS";

static CHOSEN: AtomicU64 = AtomicU64::new(0);

static USED: Mutex<SortedSet<Endpoint>> = Mutex::new(SortedSet::new());

/// Reads the command or the endpoint of a spec; it is started when a replay begins, and must exist before.
pub fn load(subject: &str, options: &Params, allowed: Allowed) -> Result<Loaded, LoadError> {
    let scheduler = Scheduler::read(subject, options)?;
    if !allowed.exec {
        return Err(LoadError::Exec { command: subject.into() });
    }
    scheduler.program.as_ref().map_or(Ok(()), Program::must_exist)?;
    let mut about = About::unknown(GuestKind::Policy);
    about.name = CARRIER.name.into();
    about.summary = "decides as a scheduler of the simulator Batsim does".into();
    about.needs = vec!["capacity".into()];
    about.needs.extend(scheduler.forwards.then(|| "clairvoyance".into()));
    Ok(Loaded { abouts: vec![about], library: Arc::new(scheduler) })
}

#[derive(Debug)]
struct Scheduler {
    /// How it is started; `None` if it runs already.
    program: Option<Program>,
    /// Where it listens; `None` for another endpoint in each replay.
    endpoint: Option<Endpoint>,
    version: BatsimVersion,
    forwards: bool,
    init: String,
    patience: Patience,
}

impl Scheduler {
    fn read(subject: &str, options: &Params) -> Result<Scheduler, LoadError> {
        let foreign = |why| LoadError::Foreign { path: format!("`{subject}`"), carrier: CARRIER.name, why };
        let is_endpoint = subject.starts_with("tcp://") || subject.starts_with("ipc://");
        let program = if is_endpoint { None } else { Some(Program::read(CARRIER.name, subject, options)?) };
        let endpoint = match (options.text(ENDPOINT.name), &program) {
            ("auto", Some(program)) if program.mentions(PLACE) => None,
            ("auto", Some(_)) => Some(USUAL),
            ("auto", None) => Some(subject),
            (given, Some(_)) => Some(given),
            (_, None) => {
                return Err(foreign("it names an endpoint, so that endpoint= has nothing to say".into()));
            }
        };
        Ok(Scheduler {
            program,
            endpoint: endpoint.map(Endpoint::parse).transpose().map_err(foreign)?,
            version: if options.text(PROTOCOL.name) == "5" {
                BatsimVersion::Five
            } else {
                BatsimVersion::Four
            },
            forwards: options.text(PROFILES.name) == "forward",
            init: bare(options.text(INIT.name)).into(),
            patience: patience(options),
        })
    }

    /// Starts the scheduler, if it does not run already, and connects to it.
    fn open(&self, endpoint: &Endpoint) -> Result<Link, Fault> {
        let child = match &self.program {
            None => Watched::new(None, [], self.patience.clone()),
            Some(program) => {
                let program = program.with(PLACE, &endpoint.to_string());
                match program.start_apart() {
                    Err(error) => {
                        let how = program.not_started(&error).to_string();
                        return Err(Fault::Died { during: "start", how });
                    }
                    child => child,
                }
            }
        };
        Link::open(child.map_err(|error| failed(&error))?, endpoint)
    }
}

impl Library for Scheduler {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        let endpoint = match &self.endpoint {
            Some(endpoint) => endpoint.clone(),
            None => Endpoint::free(CHOSEN.fetch_add(1, Ordering::Relaxed)).map_err(|error| failed(&error))?,
        };
        let claim = Claim::new(endpoint)?;
        let mut link = self.open(&claim.0)?;
        if self.version == BatsimVersion::Five {
            let hello = link.ask(&v5::init(&self.init), HELLO).map_err(|fault| hinted(fault, 4))?;
            let wants = v5::greeting(&hello).map_err(|why| Fault::Answer { during: HELLO, why })?;
            if wants && !self.forwards {
                let why = "it wants forward_profiles_on_job_submission: profiles=forward allows it, and tells it run times";
                return Err(Fault::Answer { during: HELLO, why: why.into() });
            }
        }
        let books = BatsimBooks::new(begin, self.forwards);
        let mut talk = BatsimTalk {
            link,
            books,
            version: self.version,
            ready: Time::ZERO,
            now: Time::ZERO,
            spent: 0,
            _claim: claim,
        };
        let begins = News::Begins { hosts: talk.books.hosts(), registers: false, profiles: self.forwards };
        talk.books.backlog.push(Stamped { at: Time::ZERO, what: begins });
        // No job has arrived, so there is nothing that a verb could be about.
        talk.exchange(Time::ZERO, &mut Vec::new(), BEGINS)?;
        Ok(Box::new(talk))
    }
}

struct BatsimTalk {
    link: Link,
    books: BatsimBooks,
    version: BatsimVersion,
    /// The instant until which its last answer took: the scheduler decides nothing before.
    ready: Time,
    now: Time,
    spent: u64,
    _claim: Claim,
}

impl BatsimTalk {
    fn exchange(&mut self, now: Time, verbs: &mut Vec<Verb>, during: &'static str) -> Result<(), Fault> {
        let answer = |why: String| Fault::Answer { during, why };
        let is_first = during == BEGINS && self.version == BatsimVersion::Four;
        let first = |fault| if is_first { hinted(fault, 5) } else { fault };
        let message = self.version.tell(now, &self.books.backlog);
        self.books.backlog.clear();
        let reply = self.link.ask(&message, during).map_err(first)?;
        self.spent += 60 + (message.len() + reply.len()) as u64 / 64;
        let (until, wishes) = self.version.wishes(&reply).map_err(|why| first(answer(why)))?;
        if let Some(early) = wishes.first().map(|wish| wish.at).filter(|&at| at < now) {
            return Err(answer(format!("it wants something at {early} s, and it is {now} s")));
        }
        if until < now {
            return Err(answer(format!("its `now` is {until} s, and it is {now} s")));
        }
        if until > now {
            self.books.wakes.push(until);
        }
        self.ready = until;
        self.books.take(now, wishes, verbs).map_err(answer)
    }
}

impl Conversation for BatsimTalk {
    fn order(&mut self, _: &mut Vec<f64>, _: usize, _: &mut Vec<f64>) -> Result<(), Fault> {
        Err(Fault::Answer { during: "order", why: "a scheduler of Batsim gives no scores".into() })
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        let answer = |why: String| Fault::Answer { during: DECIDE, why };
        let now = asked.turn.now();
        (self.now, self.spent) = (now, 0);
        verbs.clear();
        self.books.note(asked);
        self.books.due(now, verbs).map_err(answer)?;
        while self.ready <= now && !self.books.backlog.is_empty() {
            self.exchange(now, verbs, DECIDE)?;
        }
        verbs.extend(self.books.wakes.drain(..).filter(|&at| at > now).map(Verb::Wake));
        verbs.iter().try_for_each(Verb::check_times).map_err(answer)
    }

    fn work(&self) -> u64 {
        self.spent
    }

    fn end(&mut self) -> Result<(), Fault> {
        let now = self.now.max(self.ready);
        let message = self.version.tell(now, &[Stamped { at: now, what: News::Ends }]);
        self.link.ask(&message, ENDS)?;
        self.link.close(ENDS)
    }
}

/// Adds to the failure of a first exchange that the scheduler may speak the other version.
fn hinted(fault: Fault, other: u8) -> Fault {
    let or = format!("; a scheduler of version {other} of the protocol needs protocol={other}");
    match fault {
        Fault::Died { during, how } => Fault::Died { during, how: how + &or },
        Fault::Answer { during, why } => Fault::Answer { during, why: why + &or },
        fault => fault,
    }
}

/// Returns a text without the parentheses that protect its commas.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}

/// An endpoint that no other replay of this program uses.
struct Claim(Endpoint);

impl Claim {
    fn new(endpoint: Endpoint) -> Result<Claim, Fault> {
        if used().insert(endpoint.clone()) {
            Ok(Claim(endpoint))
        } else {
            Err(Fault::Taken { endpoint: endpoint.to_string() })
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        used().remove(&self.0);
    }
}

fn used() -> MutexGuard<'static, SortedSet<Endpoint>> {
    USED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(error: &io::Error) -> Fault {
    Fault::Died { during: "start", how: error.to_string() }
}
