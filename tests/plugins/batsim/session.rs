//! Whole sessions of both versions as files: what the program sends is compared line by line with `>`, and the lines with `<`
//! are the scheduler's answers. `UPDATE_SAMPLES=1` writes what the program sends.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::thread::{JoinHandle, spawn};

use batchlab::Registry;
use batchlab::policies::external::batsim::zmtp::{SocketRole, Wire};
use batchlab::policies::external::batsim::{BatsimVersion, v5};
use batchlab::policies::facts::Facts;
use batchlab::policies::serve::{Seat, batsim};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};

use crate::lab::Play;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugins/batsim");

const REJECTED: i64 = -1;

/// The jobs of the sessions: on four hosts, the second waits for the first and its user-given limit is reached, the third
/// is rejected by the scheduler, the fourth killed.
fn jobs() -> Vec<PlainJob> {
    let job = |submit, run: i64, procs| PlainJob {
        estimate: Time::from_secs(run.max(60)),
        ..PlainJob::secs(submit, run, vec![procs])
    };
    vec![job(0, 30, 3), job(5, 60, 4), job(6, 10, 1), job(100, 500, 2)]
}

/// A line of a session, without the bytes that are not text.
fn text(message: &[u8]) -> String {
    let init = message.first().is_some_and(|&byte| byte != b'{');
    let body = if init { message.get(4..).unwrap_or(&[]) } else { message };
    let body = body.strip_suffix(&[0]).unwrap_or(body);
    format!("{}{}", if init { "init " } else { "" }, String::from_utf8_lossy(body))
}

fn message(connection: &mut UnixStream, wire: &mut Wire) -> Option<Vec<u8>> {
    let mut chunk = [0; 4096];
    loop {
        if let Some(message) = wire.message().unwrap() {
            return Some(message);
        }
        match connection.read(&mut chunk).unwrap() {
            0 => return None,
            read => wire.feed(&chunk[..read]),
        }
    }
}

/// Answers with these lines, and returns what was heard.
fn player(name: &str, answers: Vec<Vec<u8>>) -> JoinHandle<Vec<Vec<u8>>> {
    let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).unwrap()).unwrap();
    spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        connection.write_all(&Wire::opening(SocketRole::Reply)).unwrap();
        let (mut wire, mut heard) = (Wire::new(SocketRole::Reply), Vec::new());
        for answer in answers {
            let Some(message) = message(&mut connection, &mut wire) else { break };
            heard.push(message);
            connection.write_all(&Wire::framed(&answer)).unwrap();
        }
        heard
    })
}

/// Jobs of one run time and estimate each, on a pool: arrival, run time, processors.
fn exact(jobs: &[(i64, i64, i64)]) -> Vec<PlainJob> {
    let job = |&(submit, run, procs)| {
        let (submit, run) = (Time::from_secs(submit), Time::from_secs(run));
        PlainJob { submit, run, estimate: run, demand: vec![procs], user: -1, partition: -1 }
    };
    jobs.iter().map(job).collect()
}

/// Plays a file of messages against the program: a log on a pool of this many processors, whose jobs end then.
fn session(file: &str, procs: i64, jobs: &[PlainJob], ends: &[i64]) {
    let version = &file[file.len() - 1..];
    let path = format!("{FOLDER}/{file}.txt");
    let said = std::fs::read_to_string(&path).unwrap();
    let answers: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("< ")).collect();
    let bytes = |line: &&str| match line.strip_prefix("hello ") {
        Some(hello) => [&v5::JSON.to_le_bytes(), hello.as_bytes()].concat(),
        None => line.as_bytes().to_vec(),
    };
    let name = format!("batchlab-test-{}-{file}", std::process::id());
    let player = player(&name, answers.iter().map(bytes).collect());
    let spec = format!("batsim:ipc://@{name},protocol={version},timeout=60s");
    let chosen = Registry::builtin().allow_exec().choose(&spec).unwrap();
    let scene = Play::new(Machine::pool(procs).unwrap(), Workload::from_jobs(jobs));
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    let done = scene.with(chosen.needs(), policy.as_mut());
    let heard: Vec<String> = player.join().unwrap().iter().map(|message| text(message)).collect();
    let mut lines = String::new();
    for (said, answer) in heard.iter().zip(&answers) {
        writeln!(lines, "> {said}\n< {answer}").unwrap();
    }
    if std::env::var_os("UPDATE_SAMPLES").is_some() {
        std::fs::write(&path, &lines).unwrap();
    }
    assert_eq!(lines, said, "{file}");
    let end = |&end: &i64| if end == REJECTED { Time::MAX } else { Time::from_secs(end) };
    let expected: Vec<Time> = ends.iter().map(end).collect();
    let ends = done.unwrap_or_else(|error| panic!("{error}")).0.end;
    assert_eq!(ends, expected);
}

#[test]
fn sessions_of_both_versions() {
    session("session4", 4, &jobs(), &[30, 90, REJECTED, 120]);
    // Calls every 7 s from 100 s on are at 105 s and 112 s: at multiples of the period.
    session("session5", 4, &jobs(), &[30, 90, REJECTED, 112]);
}

/// The answers are those of `filler` of batsched 1.4.0 (oar-team/batsched, commit bab23fa), which maps tasks
/// to hosts, one to each.
#[test]
fn a_session_with_batsched() {
    let jobs = exact(&[(0, 100, 2), (10, 50, 2), (20, 200, 1)]);
    session("batsched4", 3, &jobs, &[100, 150, 220]);
}

/// The answers are those of the decision component `easy` of Batsim's tests (oar-team/batsim, commit ba7ea85f), which reads messages
/// by the schema of the protocol and refuses what the schema does not have.
#[test]
fn a_session_with_a_component_of_batsim_5() {
    let jobs = exact(&[(0, 100, 2), (10, 90, 2), (20, 50, 3), (30, 500, 2)]);
    session("component5", 6, &jobs, &[100, 100, 150, 600]);
}

/// Our own scheduler answers the program's side of each session as the file says, as far as both do the same: up to the
/// rejection.
#[test]
fn a_served_policy_answers_the_sessions() {
    for (version, name) in [(BatsimVersion::Four, "4"), (BatsimVersion::Five, "5")] {
        let file = std::fs::read_to_string(format!("{FOLDER}/served{name}.txt")).unwrap();
        let asked: Vec<Vec<u8>> = file
            .lines()
            .filter_map(|line| line.strip_prefix("> "))
            .map(|line| line.strip_prefix("init ").map_or_else(|| line.as_bytes().to_vec(), v5::init))
            .collect();
        let chosen = Registry::builtin().choose("easy").unwrap();
        let mut answers = Vec::new();
        let mut connection = Script { asked: Wire::opening(SocketRole::Request), answers: &mut answers };
        for message in &asked {
            connection.asked.extend(Wire::framed(message));
        }
        let seat = |hosts: u32| Seat::new(&chosen, hosts.into(), 1, Facts::NONE);
        batsim::serve(version, connection, "easy", seat).unwrap();
        let mut wire = Wire::new(SocketRole::Request);
        wire.feed(&answers);
        let mut lines = String::new();
        for message in &asked {
            let answer = wire.message().unwrap().unwrap();
            let answer = text(&answer).replace(env!("CARGO_PKG_VERSION"), "VERSION");
            writeln!(lines, "> {}\n< {answer}", text(message)).unwrap();
        }
        if std::env::var_os("UPDATE_SAMPLES").is_some() {
            std::fs::write(format!("{FOLDER}/served{name}.txt"), &lines).unwrap();
        }
        assert_eq!(lines, file, "what is served by version {name}");
    }
}

#[test]
fn a_simulator_that_contradicts_itself_is_refused() {
    let event = |at: &str, kind: &str, data: &str| {
        format!(r#"{{"now": {at}, "events": [{{"timestamp": {at}, "type": "{kind}", "data": {{{data}}}}}]}}"#)
    };
    let begins =
        |at: &str, hosts: &str| event(at, "SIMULATION_BEGINS", &format!(r#""nb_resources": {hosts}"#));
    let submits = |at: &str, res: &str| {
        let job = format!(r#""job_id": "w0!1", "job": {{"id": "w0!1", "res": {res}, "walltime": 9}}"#);
        event(at, "JOB_SUBMITTED", &job)
    };
    let cases = [
        (vec![begins("5", "4"), submits("3", "1")], "its clock goes back, from 5 s to 3 s"),
        (vec![begins("0", "4"), begins("1", "4")], "its simulation begins a second time"),
        (vec![begins("0", "4"), submits("1", "1"), submits("2", "1")], "it submits `w0!1` a second time"),
        (vec![begins("0", "4"), submits("1", "1.5")], "`res` is 1.5, which is no number of hosts"),
        (vec![begins("0", "1.5")], "1.5 is not a number of hosts"),
    ];
    for (messages, words) in cases {
        let asked = messages.iter().flat_map(|message| Wire::framed(message.as_bytes()));
        let asked = Wire::opening(SocketRole::Request).into_iter().chain(asked).collect();
        let connection = Script { asked, answers: &mut Vec::new() };
        let chosen = Registry::builtin().choose("easy").unwrap();
        let seat = |hosts: u32| Seat::new(&chosen, hosts.into(), 1, Facts::NONE);
        let refused = batsim::serve(BatsimVersion::Four, connection, "easy", seat).unwrap_err().to_string();
        assert!(refused.contains(words), "{words}: {refused}");
    }
}

/// A connection whose other end says everything at once.
struct Script<'a> {
    asked: Vec<u8>,
    answers: &'a mut Vec<u8>,
}

impl Read for Script<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(self.asked.len());
        bytes[..count].copy_from_slice(&self.asked[..count]);
        self.asked.drain(..count);
        Ok(count)
    }
}

impl Write for Script<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.answers.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
