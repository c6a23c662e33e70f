//! The grammar of `Key=Value` texts: lines of `slurm.conf`, records and settings of `scontrol`.

use std::sync::Arc;

use batchlab_traces::SourcePlace;
use batchlab_traces::located::LocatedError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_till, take_while, take_while1};
use nom::character::complete::{char, one_of, space1};
use nom::combinator::{eof, opt, peek, rest};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, error::Error};

use super::file::{MOST, SystemFile, place};

/// Keys and values of one line or record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Where it begins.
    pub(super) place: SourcePlace,
    pub(super) pairs: Vec<Pair>,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The key in lower case.
    pub(super) key: String,
    /// The key as written.
    pub(super) written: String,
    pub(super) value: String,
    pub(super) place: SourcePlace,
}

/// A line of `slurm.conf`.
pub(super) struct ConfLine {
    pub(super) statement: Statement,
    /// The path of an included file; the statement has no pairs then.
    pub(super) include: Option<String>,
}

impl Statement {
    /// Returns the pair of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Pair> {
        self.pairs.iter().rev().find(|pair| pair.key == key)
    }
}

/// Reads a `slurm.conf`: lines continued by a backslash, comments, `include`, and at most `left` pairs.
pub(super) fn configuration(file: &SystemFile, left: &mut usize) -> Result<Vec<ConfLine>, LocatedError> {
    let mut lines = Vec::new();
    for (at, text) in joined(&file.text) {
        if text.trim().is_empty() {
            continue;
        }
        let here = place(&file.name, at, 1);
        if let Ok((path, _)) = include(&text) {
            let statement = Statement { place: here, pairs: Vec::new() };
            lines.push(ConfLine { statement, include: Some(path.trim().to_owned()) });
            continue;
        }
        let pairs = pairs(&file.name, (at, &text), pair_of_file, left)?;
        lines.push(ConfLine { statement: Statement { place: here, pairs }, include: None });
    }
    Ok(lines)
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
        let pairs = pairs(&file.name, (at + 1, text), pair, left)?;
        let heads = ["partitionname", "reservationname", "nodename", "switchname"];
        // The cores of a reservation follow on lines of their own.
        let is_head = pairs.first().is_some_and(|pair| heads.contains(&pair.key.as_str()))
            && !pairs.iter().any(|pair| pair.key == "coreids");
        match records.last_mut() {
            Some(record) if open && !is_head => record.pairs.extend(pairs),
            _ => records.push(Statement { place: place(&file.name, at + 1, 1), pairs }),
        }
        open = true;
    }
    Ok(records)
}

/// Reads `scontrol show config`: at most `left` lines of `Key   = Value`; other lines are headings.
pub(super) fn settings(file: &SystemFile, left: &mut usize) -> Result<Vec<Statement>, LocatedError> {
    let one = |(at, text): (usize, &str)| {
        let (key, value) = text.split_once('=')?;
        let written = key.trim().to_owned();
        let value = Some(value.trim()).filter(|value| *value != "(null)").unwrap_or_default();
        let is_key =
            !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let here = place(&file.name, at + 1, 1);
        let pair =
            Pair { key: written.to_ascii_lowercase(), written, value: value.into(), place: here.clone() };
        is_key.then(|| Statement { place: here, pairs: vec![pair] })
    };
    let counted = |statement: Statement| {
        take_one(left, &statement.place)?;
        Ok(statement)
    };
    file.text.lines().enumerate().filter_map(one).map(counted).collect()
}

/// Counts a setting.
fn take_one(left: &mut usize, place: &SourcePlace) -> Result<(), LocatedError> {
    *left = left.checked_sub(1).ok_or_else(|| LocatedError {
        place: place.clone(),
        what: format!("more than {MOST} settings in all files"),
    })?;
    Ok(())
}

/// Returns the beginnings of statements: lines that are neither empty nor a comment nor the rest of a record.
pub(super) fn heads(text: &str) -> impl Iterator<Item = String> {
    let is_head = |line: &str| !line.trim().is_empty() && !line.starts_with([' ', '\t']);
    joined(text).into_iter().map(|(_, line)| line).filter(move |line| is_head(line))
}

/// Returns the lines without their comments, with their numbers; a line that ends in a backslash goes on with the next one. A
/// backslash within a comment is part of the comment (`_get_next_line` of `parse_config.c`).
fn joined(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let line = uncommented(line);
        let whole = line.trim_end();
        let backslashes = whole.len() - whole.trim_end_matches('\\').len();
        let continued = backslashes % 2 == 1;
        let part = if continued { &whole[..whole.len() - 1] } else { &line };
        match lines.last_mut() {
            Some((_, before)) if open => before.push_str(part),
            _ => lines.push((at + 1, part.to_owned())),
        }
        open = continued;
    }
    lines
}

/// Returns a line without its comment; `\#` is no comment.
fn uncommented(line: &str) -> String {
    let mut escaped = false;
    let is_comment = |letter: char| {
        let begins = letter == '#' && !escaped;
        escaped = letter == '\\' && !escaped;
        begins
    };
    let end = line.find(is_comment).unwrap_or(line.len());
    line[..end].replace("\\#", "#")
}

fn include(line: &str) -> IResult<&str, &str> {
    preceded((blanks, tag_no_case("include"), space1), rest)
        .map(|path: &str| path)
        .parse(line)
        .map(|(_, path)| (path, path))
}

/// Reads the pairs of a line, at most `left` of them.
fn pairs(
    file: &Arc<str>,
    (line, text): (usize, &str),
    pair: impl Fn(&str) -> IResult<&str, (&str, &str)>,
    left: &mut usize,
) -> Result<Vec<Pair>, LocatedError> {
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

/// As [`pair`], in a file that the site wrote: blanks may stand before the value (`parse_config.c`).
fn pair_of_file(text: &str) -> IResult<&str, (&str, &str)> {
    let equals = (blanks, opt(one_of("+*/")), char('='), blanks);
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

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(char::is_whitespace).parse(text)
}

/// Nothing, or the blanks before a quote.
fn blanks_before_quote(text: &str) -> IResult<&str, &str> {
    let (after, skipped) = blanks(text)?;
    if after.starts_with('"') { Ok((after, skipped)) } else { Ok::<_, nom::Err<Error<&str>>>((text, "")) }
}
