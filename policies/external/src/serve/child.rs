//! A policy that decides as a child process does: JSON, one message per line (`policies/abi/PROTOCOL.md`).

use std::collections::HashMap;
use std::io::{BufRead, Write};

use batchlab_traces::foreign::line;
use batchlab_traces::{JobId, Time};
use serde_json::{Value, json};

use super::{Arrival, Seat, SeatOrder, ServeError};
use batchlab_contract::facts::{Fact, Facts};

const VERSION: u32 = 1;

/// The facts of jobs that the program gets.
pub fn told() -> Facts {
    Facts::of(Fact::User).and(Facts::of(Fact::Partition))
}

/// Answers messages until the conversation is over; a failure is sent to the other end. `seat` makes the policy for a
/// number of processors; `clairvoyant` says whether it needs run times.
pub fn serve(
    input: impl BufRead,
    mut output: impl Write,
    name: &str,
    clairvoyant: bool,
    seat: impl Fn(i64) -> Result<Seat, ServeError>,
) -> Result<(), ServeError> {
    let mut desk: Option<ChildDesk> = None;
    for text in input.lines() {
        let text = text.map_err(|error| failed(&error))?;
        let answer = match answer(&text, &mut desk, name, clairvoyant, &seat) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(error) => {
                let _ = writeln!(output, "{}", json!({ "error": error.to_string() }));
                return Err(error);
            }
        };
        writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(|error| failed(&error))?;
    }
    Err(ServeError::Connection("the messages end without `bye`".into()))
}

/// The answer to a message; `None` at the end of the conversation.
fn answer(
    text: &str,
    desk: &mut Option<ChildDesk>,
    name: &str,
    clairvoyant: bool,
    seat: &impl Fn(i64) -> Result<Seat, ServeError>,
) -> Result<Option<Value>, ServeError> {
    let message: Value =
        serde_json::from_str(text).map_err(|error| ServeError::Message(line(&error.to_string(), 100)))?;
    let Some((kind, told)) = message.as_object().and_then(|message| message.iter().next()) else {
        return Err(ServeError::Message("it is no object with one key".into()));
    };
    match kind.as_str() {
        "hello" => {
            let needs: &[&str] = if clairvoyant { &["pool", "clairvoyance"] } else { &["pool"] };
            let summary = format!("the policy {name} of batchlab");
            let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
            let about = json!({ "name": name.chars().map(plain).collect::<String>(), "kind": "policy",
                                "summary": summary, "needs": needs });
            Ok(Some(json!({ "hello": { "version": VERSION, "policies": [about] } })))
        }
        "init" => {
            let nodes = &told["machine"]["nodes"];
            let one = nodes.as_array().filter(|nodes| nodes.len() == 1);
            let amounts = one.and_then(|nodes| nodes[0].as_array()).filter(|amounts| amounts.len() == 1);
            let procs = amounts
                .and_then(|amounts| amounts[0].as_i64())
                .ok_or_else(|| ServeError::Message("the machine is no pool of processors alone".into()))?;
            *desk = Some(ChildDesk { seat: seat(procs)?, jobs: HashMap::new(), numbers: Vec::new() });
            Ok(Some(json!({ "ready": true })))
        }
        "decide" => {
            let desk =
                desk.as_mut().ok_or_else(|| ServeError::Message("`decide` comes before `init`".into()))?;
            desk.decide(told).map(|verbs| Some(json!({ "verbs": verbs })))
        }
        "bye" => {
            if let Some(desk) = desk {
                desk.seat.finish(Time::ZERO)?;
            }
            Ok(None)
        }
        other => Err(ServeError::Message(format!("`{}` is not asked of a policy", line(other, 40)))),
    }
}

/// A policy, and the numbers of its jobs in the other program.
struct ChildDesk {
    seat: Seat,
    jobs: HashMap<u64, JobId>,
    numbers: Vec<u64>,
}

impl ChildDesk {
    fn decide(&mut self, told: &Value) -> Result<Vec<Value>, ServeError> {
        let now = time(&told["now"])?;
        let events = told["events"].as_array().map_or(&[][..], Vec::as_slice);
        for event in events {
            let kind = event[0].as_str().unwrap_or("");
            if kind == "submitted" {
                self.submitted(&event[1], now)?;
                continue;
            }
            let job = event[1].as_u64().and_then(|number| self.jobs.get(&number).copied());
            let at = if event[2].is_null() { now } else { time(&event[2])? };
            match (kind, job) {
                ("finished" | "released", Some(job)) => self.seat.end(job, at, true),
                ("killed", Some(job)) => self.seat.end(job, at, false),
                ("woke", _) | (_, Some(_)) => {}
                (kind, None) => {
                    return Err(ServeError::Message(format!("`{}` is about no job", line(kind, 40))));
                }
            }
        }
        let number = |job: JobId| self.numbers[job.index()];
        let mut verbs: Vec<Value> = Vec::new();
        for order in self.seat.decide(now)? {
            verbs.push(match order {
                SeatOrder::Start(job) => json!(["start", number(job)]),
                SeatOrder::Kill(job) | SeatOrder::Reject(job) => json!(["kill", number(job)]),
            });
        }
        if let Some(at) = self.seat.next_call().filter(|&at| at > now) {
            verbs.push(json!(["wake", at.secs()]));
        }
        Ok(verbs)
    }

    fn submitted(&mut self, job: &Value, now: Time) -> Result<(), ServeError> {
        let whole = |key: &str| job[key].as_i64();
        let (Some(number), Some(procs)) = (job["job"].as_u64(), whole("procs")) else {
            return Err(ServeError::Message("a job has no number or no processors".into()));
        };
        let run = if job["run"].is_null() { None } else { Some(time(&job["run"])?) };
        let arrival = Arrival {
            procs,
            estimate: time(&job["estimate"])?,
            run,
            user: whole("user").unwrap_or(-1),
            partition: whole("partition").unwrap_or(-1),
        };
        let id = self.seat.submit(arrival, now)?;
        self.jobs.insert(number, id);
        self.numbers.push(number);
        Ok(())
    }
}

fn time(value: &Value) -> Result<Time, ServeError> {
    let seconds = value.as_f64().filter(|seconds| seconds.abs() <= Time::FARTHEST.secs());
    let seconds = seconds.ok_or_else(|| ServeError::Message(format!("{value} is no time")))?;
    Ok(Time::from_secs_f64(seconds))
}

fn failed(error: &std::io::Error) -> ServeError {
    ServeError::Connection(error.to_string())
}
