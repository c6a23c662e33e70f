//! The grammar of `Key=Value` texts: records and settings that `scontrol` prints. Lines of `slurm.conf` are read by [`super::conf`].

use std::sync::Arc;

use batchlab_traces::SourcePlace;
use batchlab_traces::located::LocatedError;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::{eof, opt, peek};
use nom::sequence::{delimited, terminated};
use nom::{IResult, Parser, error::Error};

use super::file::{MOST, SystemFile, place};

/// Keys and values of one line or record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Where it begins.
    pub(super) place: SourcePlace,
    pub(super) pairs: Vec<Pair>,
    pub(super) origin: WrittenBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenBy {
    Site,
    /// `scontrol`, which prints more than can be set.
    Scontrol,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) key: String,
    pub(super) written: String,
    pub(super) value: String,
    pub(super) place: SourcePlace,
}

impl Statement {
    pub(super) fn get(&self, key: &str) -> Option<&Pair> {
        self.pairs.iter().rev().find(|pair| pair.key == key)
    }
}

/// Reads the records of `scontrol show …`, of at most `left` pairs: a record goes on until an empty line or the next head.
pub(super) fn records(file: &SystemFile, left: &mut usize) -> Result<Vec<Statement>, LocatedError> {
    let mut records: Vec<Statement> = Vec::new();
    let mut open = false;
    for (at, text) in file.text.lines().enumerate() {
        if text.trim().is_empty() {
            open = false;
            continue;
        }
        let pairs = pairs(&file.name, (at + 1, text), left)?;
        let heads = ["partitionname", "reservationname", "nodename", "switchname"];
        // The cores of a reservation follow on lines of their own.
        let is_head = pairs.first().is_some_and(|pair| heads.contains(&pair.key.as_str()))
            && !pairs.iter().any(|pair| pair.key == "coreids");
        match records.last_mut() {
            Some(record) if open && !is_head => record.pairs.extend(pairs),
            _ => records.push(Statement {
                place: place(&file.name, at + 1, 1),
                pairs,
                origin: WrittenBy::Scontrol,
            }),
        }
        open = true;
    }
    Ok(records)
}

/// Reads `scontrol show config`: at most `left` lines of `Key   = Value`; other lines are headings.
pub(super) fn settings(file: &SystemFile, left: &mut usize) -> Result<Vec<Statement>, LocatedError> {
    let one = |(at, text): (usize, &str)| {
        let (key, value) = text.split_once('=')?;
        // Later versions number the programs that may be given several times: `Epilog[0]`.
        let written = key.trim().trim_end_matches("[0]").to_owned();
        let value = Some(value.trim()).filter(|value| *value != "(null)").unwrap_or_default();
        let is_key =
            !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let here = place(&file.name, at + 1, 1);
        let pair =
            Pair { key: written.to_ascii_lowercase(), written, value: value.into(), place: here.clone() };
        is_key.then(|| Statement { place: here, pairs: vec![pair], origin: WrittenBy::Scontrol })
    };
    let counted = |statement: Statement| {
        take_one(left, &statement.place)?;
        Ok(statement)
    };
    file.text.lines().enumerate().filter_map(one).map(counted).collect()
}

pub(super) fn take_one(left: &mut usize, place: &SourcePlace) -> Result<(), LocatedError> {
    *left = left.checked_sub(1).ok_or_else(|| LocatedError {
        place: place.clone(),
        what: format!("more than {MOST} settings in all files"),
    })?;
    Ok(())
}

fn pairs(file: &Arc<str>, (line, text): (usize, &str), left: &mut usize) -> Result<Vec<Pair>, LocatedError> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let here = place(file, line, text.len() - rest.len() + 1);
        let Ok((after, (written, value))) = pair(rest) else {
            let word = rest.split_whitespace().next().unwrap_or_default();
            let word: String = word.chars().take(40).collect();
            return Err(LocatedError { place: here, what: format!("`{word}` is not Key=Value") });
        };
        take_one(left, &here)?;
        pairs.push(Pair {
            key: written.to_ascii_lowercase(),
            written: written.into(),
            value: value.into(),
            place: here,
        });
        rest = after.trim_start();
    }
    Ok(pairs)
}

/// `Key=Value`, `Key+=Value` or `Key="a value"`; a value ends at a blank outside of quotes. It may be missing.
fn pair(text: &str) -> IResult<&str, (&str, &str)> {
    let equals = (blanks, opt(char('+')), char('='), blanks_before_quote);
    (terminated(key, equals), value).parse(text)
}

fn key(text: &str) -> IResult<&str, &str> {
    take_while1(|letter: char| letter.is_ascii_alphanumeric() || "_-:.".contains(letter)).parse(text)
}

/// A text in quotes with a blank or nothing behind it, else all up to the next blank: `"a=1","b=2"` is one value.
fn value(text: &str) -> IResult<&str, &str> {
    let quoted = delimited(char('"'), take_till(|letter| letter == '"'), char('"'));
    let plain = take_till(char::is_whitespace);
    let ends = peek(alt((space_or_end, eof)));
    alt((terminated(quoted, ends), plain)).parse(text)
}

fn space_or_end(text: &str) -> IResult<&str, &str> {
    take_while1(char::is_whitespace).parse(text)
}

pub(super) fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(char::is_whitespace).parse(text)
}

/// Nothing, or the blanks before a quote.
fn blanks_before_quote(text: &str) -> IResult<&str, &str> {
    let (after, skipped) = blanks(text)?;
    if after.starts_with('"') { Ok((after, skipped)) } else { Ok::<_, nom::Err<Error<&str>>>((text, "")) }
}
