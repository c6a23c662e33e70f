use std::sync::Arc;

use serde_json::Value;

use super::*;
use crate::external::{About, Begin, Conversation, Fault, Library};
use crate::facts::{Fact, Facts};
use crate::needs::Needs;
use crate::serve::{Seat, child};
use crate::spec::Chosen;

fn choose(spec: &str) -> Result<Chosen, SpecError> {
    Registry::builtin().choose(spec)
}

fn facts(spec: &str) -> Facts {
    choose(spec).unwrap().needs().facts
}

#[test]
fn every_policy_says_its_family_source_and_rule() {
    for spec in Registry::builtin().specs() {
        let said = [spec.family, spec.summary, spec.cite.words, spec.rule];
        assert!(said.iter().all(|text| !text.is_empty()), "{}", spec.name);
    }
}

#[test]
fn a_policy_within_a_policy_prints_back_canonical() {
    let canonical = |spec: &str| choose(spec).unwrap().canonical();
    assert_eq!(canonical("limits:policy=easy"), "limits");
    assert_eq!(canonical("limits:policy=(easy:order=fcfs)"), "limits");
    assert_eq!(canonical("limits:user-jobs=3,policy=(fcfs)"), "limits:policy=fcfs,user-jobs=3");
    let nested = "limits:policy=(limits:policy=(easy:order=sjf,candidates=saf),user-jobs=3),user-procs=9";
    assert_eq!(canonical(nested), nested);
    assert_eq!(choose(nested).unwrap().job_limits(), [("user-procs", 9)]);
}

#[test]
fn an_order_alone_is_the_queue_served_in_it() {
    let canonical = |spec: &str| choose(spec).unwrap().canonical();
    assert_eq!(canonical("expr(-wait/estimate)"), "fcfs:order=expr(-wait/estimate)");
    assert_eq!(
        canonical(" expr(min(wait, procs)),threshold=20h"),
        "fcfs:order=expr(min(wait, procs)),threshold=20h"
    );
    let within = "limits:policy=(fcfs:order=expr(procs))";
    assert_eq!(canonical("limits:policy=expr(procs)"), within);
    assert_eq!(canonical("limits:policy=(expr(procs))"), within);
    for spec in
        [within, "easy:order=expr(wait),candidates=expr(if(queue = 3, 1, 2)),threshold=expr(2*estimate)"]
    {
        assert_eq!(canonical(spec), spec);
    }
}

#[test]
fn a_mistake_in_an_expression_is_said() {
    let error = |spec: &str| choose(spec).unwrap_err().to_string();
    assert!(error("easy:order=expr(wait/)").starts_with("`order=expr(wait/)`: "));
    assert!(error("expr((wait)").contains("the parentheses of `order=expr((wait)` do not match"));
    assert!(error("easy:threshold=expr(2 *)").starts_with("`threshold=expr(2 *)`: "));
    assert!(error("easy:order=sjff").contains("(did you mean `sjf`?)"));
    assert!(error("easy:order=wait").contains("expr(...) as in expr(-wait/estimate)"));
    assert!(error("easy:predictor=last3").contains("(did you mean `last2`?)"));
    assert!(error("easy:predictor=usermean").contains("(did you mean `user-mean`?)"));
    assert!(error("easy:predictor=expr(last2 +)").starts_with("`predictor=expr(last2 +)`: "));
    for quantile in ["quantile:1.5", "quantile:0", "quantile:nan", "quantile"] {
        assert!(error(&format!("easy:predictor={quantile}")).contains("quantile:Q with Q between 0 and 1"));
    }
}

#[test]
fn what_is_wrong_within_is_said_as_anywhere() {
    let error = |spec: &str| choose(spec).unwrap_err().to_string();
    assert!(error("limits:policy=(esay)").contains("no policy is called `esay` (did you mean `easy`?)"));
    assert!(error("limits:policy=(easy:oder=sjf)").contains("`easy` has no parameter `oder`"));
    assert!(error("limits:user-jobs=0").contains("user-jobs takes a whole number from 1, or inf"));
    let deep = format!("{}easy{}", "limits:policy=(".repeat(9), ")".repeat(9));
    assert_eq!(error(&deep), "policies within policies go 8 deep at most");
}

#[test]
fn needs_follow_from_parameters() {
    assert_eq!(facts("easy"), Facts::NONE);
    assert_eq!(facts("easy:order=smf"), Facts::of(Fact::Memory));
    let both = Facts::of(Fact::Memory).and(Facts::of(Fact::User));
    assert_eq!(facts("easy:order=smf,candidates=drf"), both);
    for predictor in ["last2", "user-mean", "quantile:0.9", "expr(2*last)", "expr(if(user=3,60,estimate))"] {
        assert_eq!(facts(&format!("easy:predictor={predictor}")), Facts::of(Fact::User), "{predictor}");
    }
    assert_eq!(facts("easy:predictor=expr(estimate/2)"), Facts::NONE);
    assert_eq!(facts("easy:order=expr(memory*procs),candidates=expr(if(user=1,0,1))"), both);
    assert_eq!(facts("expr(procs),threshold=expr(if(partition=2,1h,2h))"), Facts::of(Fact::Partition));
    assert_eq!(facts("fpfs:waitlimit=expr(if(group=2,1h,2h))"), Facts::of(Fact::Group));
    assert_eq!(facts("limits:policy=(fcfs:order=smf),user-procs=8"), both);
    assert_eq!(facts("limits:partition-jobs=2"), Facts::of(Fact::Partition));
    assert_eq!(facts("limits:policy=(easy:order=fairshare)"), Facts::of(Fact::User));
}

/// A library that nothing begins.
#[derive(Debug)]
struct Unused;

impl Library for Unused {
    fn begin(&self, _: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        Err(Fault::GaveUp("unused".into()))
    }
}

fn hosting(abouts: &[&str]) -> Result<Registry, SpecError> {
    let mut registry = Registry::builtin();
    for about in abouts {
        registry.host(About::parse(about).unwrap().remove(0), Arc::new(Unused))?;
    }
    Ok(registry)
}

#[test]
fn a_policy_of_the_host_is_named_by_its_name() {
    let registry = hosting(&[
        r#"{"name": "mine", "kind": "policy", "needs": ["pool"], "params": [{"name": "k", "kind": "count", "default": "3"}]}"#,
        r#"{"name": "area", "kind": "order", "columns": ["estimate", "procs"]}"#,
    ])
    .unwrap();
    let canonical = |spec: &str| registry.choose(spec).unwrap().canonical();
    assert_eq!(canonical("mine"), "python:mine");
    assert_eq!(canonical("python:mine,k=4"), "python:mine,k=4");
    assert_eq!(canonical("mine:k=4"), "python:mine,k=4");
    assert_eq!(canonical("easy:order=area"), "easy:order=python:area");
    assert_eq!(canonical("easy:candidates=(python:area)"), "easy:candidates=python:area");
    assert_eq!(canonical("area"), "fcfs:order=python:area");
    assert_eq!(registry.choose("mine").unwrap().needs(), Needs::POOL);
    let error = |spec: &str| registry.choose(spec).unwrap_err().to_string();
    assert_eq!(
        error("python:mien"),
        "no policy called `mien` is registered in python (did you mean `mine`?)"
    );
    assert!(error("mien").contains("(did you mean `mine`?)"));
    assert!(error("easy:order=mine").contains("python:mine decides which jobs start"));
    assert!(error("python:").contains("wants something to load, as in python:mine"));
}

#[test]
fn a_plug_in_may_call_its_parameters_as_others_do() {
    let registry = hosting(&[r#"{"name": "mine", "kind": "policy", "params": [
            {"name": "memory", "kind": "choice", "choices": ["on", "off"], "default": "on"},
            {"name": "order", "kind": "choice", "choices": ["fcfs", "smf"], "default": "smf"},
            {"name": "share", "kind": "choice", "choices": ["true", "false"], "default": "false"},
            {"name": "cs-charge", "kind": "choice", "choices": ["all", "changed"], "default": "changed"}]}"#])
    .unwrap();
    assert_eq!(registry.choose("mine").unwrap().needs(), Needs::NONE);
}

#[test]
fn the_host_may_register_a_name_again_but_none_of_another_policy() {
    let again = hosting(&[
        r#"{"name": "mine", "kind": "policy"}"#,
        r#"{"name": "mine", "kind": "order", "columns": ["procs"]}"#,
    ]);
    assert_eq!(again.unwrap().choose("mine").unwrap().canonical(), "fcfs:order=python:mine");
    for (name, kind) in [("easy", "policy"), ("sjf", "order"), ("last2", "order")] {
        let about = format!(r#"{{"name": "{name}", "kind": "{kind}", "columns": ["procs"]}}"#);
        let error = hosting(&[&about]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("there is a policy or an order called `{name}` already; give yours another name")
        );
    }
}

/// The session on a pool of the protocol's page, with first come, first served as the child.
#[test]
fn a_policy_answers_as_the_child_of_the_page_does() {
    let chosen = choose("fcfs").unwrap();
    let page = include_str!("../../abi/PROTOCOL.md");
    let session = page.split("```session pool\n").nth(1).unwrap().split("```").next().unwrap();
    let said = |mark: &str| -> Vec<&str> {
        session.lines().filter_map(|line| line.strip_prefix(mark)).map(str::trim).collect()
    };
    let mut output = Vec::new();
    let seat = |procs| Seat::new(&chosen, procs, 1, child::told());
    child::serve(said(">").join("\n").as_bytes(), &mut output, "fcfs", false, seat).unwrap();
    let answers = String::from_utf8(output).unwrap();
    let verbs = |lines: Vec<&str>| -> Vec<Value> {
        let read = lines.into_iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        read.map(|message| message["verbs"].clone()).filter(|verbs| !verbs.is_null()).collect()
    };
    assert_eq!(verbs(answers.lines().collect()), verbs(said("<")));
}
