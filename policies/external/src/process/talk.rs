//! The order of messages in a conversation.

use std::sync::Arc;

use serde_json::Value;

use super::channel::Channel;
use super::command::Program;
use super::hear::{Message, Score, Verbs, read};
use super::tell::{BYE, Books, hello, init, order};
use super::{CARRIER, VERSION};
use batchlab_contract::plugin::{
    About, Allowed, Asked, Begin, Conversation, Fault, Library, LoadError, Loaded, Verb,
};
use batchlab_contract::spec::Params;

/// Starts a command to read its description, which is that of one policy.
pub fn load(subject: &str, options: &Params, allowed: Allowed) -> Result<Loaded, LoadError> {
    let program = Program::read(CARRIER.name, subject, options)?;
    if !allowed.exec {
        return Err(LoadError::Exec { command: subject.into() });
    }
    let mut channel = program.start().map_err(|error| program.not_started(&error))?;
    let misbehaved = |fault| LoadError::Fault { path: subject.into(), fault };
    let described = greet(&mut channel).map_err(misbehaved)?;
    let wrong = |why| LoadError::Description { path: subject.into(), why };
    let abouts = About::parse(&described.to_string()).map_err(wrong)?;
    if let [first, second, ..] = abouts.as_slice() {
        return Err(wrong(format!(
            "it is several policies, `{}`, `{}`…, and a command is one: let an argument say which, as in \
             {}:({subject} {})",
            first.name, second.name, CARRIER.name, first.name
        )));
    }
    part(&mut channel).map_err(misbehaved)?;
    let about = abouts[0].clone();
    Ok(Loaded { abouts, library: Arc::new(Child { program, about, described }) })
}

#[derive(Debug)]
struct Child {
    program: Program,
    about: About,
    described: Value,
}

impl Library for Child {
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        let mut channel = self.program.start().map_err(|error| Program::not_started_again(&error))?;
        if greet(&mut channel)? != self.described {
            let why = "it describes itself otherwise than before".into();
            return Err(Fault::Answer { during: "hello", why });
        }
        match ask(&mut channel, &init(begin, &self.about), "init")? {
            Message::Ready(true) => {}
            Message::Ready(false) => {
                return Err(Fault::GaveUp("it says that it is not ready, and not why".into()));
            }
            other => return Err(other.unasked("ready", "init")),
        }
        let (books, about, message) = (Books::new(begin), self.about.clone(), Vec::new());
        Ok(Box::new(Talk { channel, books, about, message, memory: self.program.memory }))
    }
}

struct Talk {
    channel: Channel,
    books: Books,
    about: About,
    message: Vec<u8>,
    /// The most MiB of each process.
    memory: Option<u64>,
}

impl Conversation for Talk {
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault> {
        order(&mut self.message, &self.about, columns, rows);
        match ask(&mut self.channel, &self.message, "order")? {
            Message::Scores(given) if given.len() == rows => {
                scores.clear();
                scores.extend(given.into_iter().map(|Score(score)| score));
                Ok(())
            }
            Message::Scores(given) => {
                let why = format!("it has {} scores for {rows} jobs", given.len());
                Err(Fault::Answer { during: "order", why })
            }
            other => Err(other.unasked("scores", "order")),
        }
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        self.books.decide(&mut self.message, asked, verbs);
        match ask(&mut self.channel, &self.message, "decide")? {
            Message::Verbs(Verbs(given)) => {
                *verbs = given;
                Ok(())
            }
            other => Err(other.unasked("verbs", "decide")),
        }
    }

    /// A message goes to another process, and its answer comes back.
    fn work(&self) -> u64 {
        60 + self.message.len() as u64 / 64
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Fault> {
        match self.memory {
            Some(memory) if bytes as u64 > memory.saturating_mul(1 << 20) => {
                Err(Fault::Memory { limit: format!("{memory} MiB"), option: "memory=" })
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        part(&mut self.channel)
    }
}

/// Sends the greeting; returns the child's description of its policies.
fn greet(channel: &mut Channel) -> Result<Value, Fault> {
    match ask(channel, &hello(), "hello")? {
        Message::Hello(hello) if hello.version == VERSION => Ok(hello.policies),
        Message::Hello(hello) => Err(Fault::Version { given: hello.version.to_string(), wanted: VERSION }),
        other => Err(other.unasked("hello", "hello")),
    }
}

/// Sends the last message, and waits until the child has ended. The only answer it may give is an error.
fn part(channel: &mut Channel) -> Result<(), Fault> {
    let last = channel.bye(BYE, "bye")?;
    match last.split(|&byte| byte == b'\n').find(|line| !line.is_empty()) {
        None => Ok(()),
        Some(line) => {
            Err(read(line, "bye").map_or_else(|fault| fault, |message| message.unasked("nothing", "bye")))
        }
    }
}

fn ask(channel: &mut Channel, message: &[u8], during: &'static str) -> Result<Message, Fault> {
    read(channel.ask(message, during)?, during)
}
