//! A log, its replays, and the answers to questions about them.

use std::sync::Arc;

use batchlab::Registry;
use batchlab::experiment::detail::Extent;
use batchlab::info::Info;
use batchlab::lab::Failure;
use batchlab::lab::calls::{Call, CallOption, Progress, Replays, Verb, option_list};
use batchlab::metrics::Metric;
use batchlab::parsers::{Input, sha256};
use batchlab::replay::Scenario;
use batchlab::replay::engine::Interrupt;
use batchlab::report::plots::Colour;
use batchlab::table::Printed;
use batchlab::traces::{Findings, Trace};
use serde_json::{Value, json};

use crate::answer::{Answer, failed, made, text};
use crate::question::{Options, Question, given};
use crate::{drawn, policies};

/// A log that is open, and its replays.
pub struct Laboratory {
    registry: Registry,
    progress: Progress,
    trace: Option<Trace>,
    replays: Option<Replays>,
}

impl Laboratory {
    /// Returns a laboratory without a log. `progress` gets what is done, and what there is to do if it is known.
    pub fn new(progress: impl Fn(u64, Option<u64>) + Send + Sync + 'static) -> Laboratory {
        Laboratory { registry: Registry::builtin(), progress: Arc::new(progress), trace: None, replays: None }
    }

    /// Answers a question, which is JSON, with the bytes that come with it.
    pub fn answer(&mut self, question: &[u8], payload: Vec<u8>) -> Answer {
        let question: Result<Question, _> = serde_json::from_slice(question);
        let answer = match question {
            Ok(question) => self.of(question, payload),
            Err(error) => Err(Failure::Usage(format!("the question cannot be read: {error}"))),
        };
        answer.unwrap_or_else(|failure| failed(&failure))
    }

    fn of(&mut self, question: Question, payload: Vec<u8>) -> Result<Answer, Failure> {
        match question {
            Question::Choices => Ok(made(&self.choices())),
            Question::Open { name, options } => self.open(&name, &options, payload),
            Question::Info => Ok(made(&Info::of(self.trace.as_ref().ok_or_else(no_log)?))),
            Question::Compare { policies, options } => self.compare(&policies, &options),
            Question::Jobs => Ok(drawn::jobs(self.replays()?)),
            Question::Drawn { at } => Ok(drawn::schedule(self.of_policy(at)?, at)),
            Question::Timeline { at } => Ok(made(&self.of_policy(at)?.timeline(at)?)),
            Question::Distribution { at, by } => drawn::distribution(self.of_policy(at)?, at, by),
            Question::Find { job } => Ok(made(&self.replays()?.find(&job)?)),
            Question::Explain { at, job } => {
                let wait = self.of_policy(at)?.explain(at, &job)?;
                let (drawing, refused) = (wait.drawing.as_ref().ok(), wait.drawing.as_ref().err());
                Ok(made(&json!({ "words": wait.words, "drawing": drawing, "refused": refused })))
            }
            Question::Difference { one, other } => {
                self.of_policy(one)?;
                Ok(made(&self.of_policy(other)?.difference(one, other)))
            }
            Question::Table { form } => Ok(text(self.replays()?.table(&form)?)),
            Question::Schedule { at } => Ok(text(self.of_policy(at)?.schedule(at, None)?)),
            Question::Digest { at } => self.digest(at),
            Question::Plot { at, between } => self.plot(at, between),
            Question::CommandLine { log, policies, options, further } => {
                let further: Vec<&str> = further.iter().map(String::as_str).collect();
                self.call(&options, |call| Ok(made(&call.command_line(&log, &policies, &further)?)))
            }
        }
    }

    fn call<T>(
        &self,
        options: &Options,
        task: impl FnOnce(&Call<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let options = given(options);
        // The page stops long work by ending its worker.
        let (interrupt, progress) = (Interrupt::default(), self.progress.clone());
        task(&Call { registry: &self.registry, options: &options, interrupt, progress })
    }

    fn choices(&self) -> Value {
        let option = |option: CallOption| {
            json!({
                "name": option.name,
                "help": option.help,
                "value": option.value,
                "default": option.default,
                "is_flag": option.is_flag,
                "is_list": option.is_list,
            })
        };
        let options =
            |verb| option_list(verb).into_iter().filter(is_of_pages).map(option).collect::<Vec<_>>();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "policies": policies::policies(&self.registry),
            "reading": options(Verb::Read),
            "options": options(Verb::Compare),
        })
    }

    fn open(&mut self, name: &str, options: &Options, bytes: Vec<u8>) -> Result<Answer, Failure> {
        // A log that is refused leaves what was open as it is.
        let trace = self.call(options, |call| call.read_from(Input::from_bytes(name, bytes)))?;
        let answer = made(&json!({ "jobs": trace.len() }));
        (self.trace, self.replays) = (Some(trace), None);
        Ok(answer)
    }

    fn compare(&mut self, policies: &[String], options: &Options) -> Result<Answer, Failure> {
        self.replays = None;
        let trace = self.trace.clone().ok_or_else(no_log)?;
        let replays = self.call(options, |call| call.compare_shown(trace, policies))?;
        let (keys, rows) = replays.rows()?;
        let cell = |cell: Printed| json!({ "text": cell.text, "is_best": cell.best });
        let row = |(row, cells): (batchlab::replay::ResultRow, Vec<Printed>)| {
            let cells: Vec<Value> = cells.into_iter().skip(1).map(cell).collect();
            json!({ "label": row.label, "kind": format!("{:?}", row.kind), "cells": cells, "values": row.values, "notes": row.notes })
        };
        let metrics: Vec<Value> = replays.metrics_shown()?.iter().map(metric).collect();
        let answer = made(&json!({
            "labels": replays.labels(),
            "keys": keys,
            "metrics": metrics,
            "rows": rows.into_iter().zip(replays.printed()?).map(row).collect::<Vec<_>>(),
            "findings": findings(replays.findings()),
            "conditions": replays.conditions(),
            "machine": machine(replays.scenario(), replays.findings()),
            "pitfalls": replays.pitfalls().iter().map(|pitfall| json!({
                "level": pitfall.spec.level,
                "code": pitfall.spec.code,
                "text": pitfall.in_short(),
            })).collect::<Vec<_>>(),
            "jobs": replays.scenario().workload.len(),
        }));
        self.replays = Some(replays);
        Ok(answer)
    }

    fn digest(&self, at: usize) -> Result<Answer, Failure> {
        let schedule = self.of_policy(at)?.schedule(at, None)?;
        let digest = sha256(std::io::Cursor::new(schedule));
        Ok(made(&digest.map_err(|error| Failure::Input(error.to_string()))?))
    }

    fn plot(&self, at: Option<usize>, between: Option<(f64, f64)>) -> Result<Answer, Failure> {
        let Some(at) = at else {
            let replays = self.replays()?;
            return Ok(text(replays.utilization(0..replays.labels().len())?));
        };
        let extent = between.map_or(Extent::Whole, |(from, to)| Extent::Between(from, Some(to)));
        Ok(text(self.of_policy(at)?.gantt(at, extent, Colour::Width)?))
    }

    fn replays(&self) -> Result<&Replays, Failure> {
        self.replays.as_ref().ok_or_else(|| Failure::Usage("nothing has been replayed".into()))
    }

    fn of_policy(&self, at: usize) -> Result<&Replays, Failure> {
        let replays = self.replays()?;
        let count = replays.labels().len();
        if at < count { Ok(replays) } else { Err(Failure::Usage(format!("policy {at} of {count}"))) }
    }
}

/// Options without a meaning on a page, which has neither threads nor plug-ins.
const NOT_OF_PAGES: [&str; 6] = ["threads", "limit", "plugin", "allow_native", "allow_exec", "allow_limit"];

/// Whether an option is offered: it must not name a file either.
fn is_of_pages(option: &CallOption) -> bool {
    !option.value.starts_with("FILE") && !NOT_OF_PAGES.contains(&&*option.name)
}

fn no_log() -> Failure {
    Failure::Usage("no log is open".into())
}

fn metric(metric: &Metric) -> Value {
    json!({
        "key": metric.key(),
        "unit": metric.unit().words(),
        "better": format!("{:?}", metric.spec.better).to_lowercase(),
        "definition": metric.definition(),
    })
}

/// Returns what was replayed on: a size that was guessed says so, and from what.
fn machine(Scenario { machine, workload, .. }: &Scenario, findings: &Findings) -> Value {
    let guesses =
        [("machine-size-guessed", "the largest job, or the most in use at once"), ("machine-size-of-nodes", "the number of nodes")];
    let guess = guesses.iter().find(|(code, _)| findings.count(code) > 0);
    json!({
        "procs": machine.procs(),
        "guess": guess.map(|(_, from)| from),
        "offered_load": workload.offered_load(machine, 0),
    })
}

fn findings(findings: &Findings) -> Value {
    json!(findings.list())
}
