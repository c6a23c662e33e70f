//! Lines of `slurm.conf`, as slurmctld reads them: comments, continued lines, `include`, and one setting on a line; only behind the
//! name of a node, a partition and the like there are several.
//!
//! What slurmctld refuses at its start is handed on as [`Refused`], and the rest of the line is read: a public file with
//! placeholders is of use, and a finding names each. A line without any setting is an error, since such a file is no `slurm.conf`.
//!
//! Source: `_get_next_line`, `_keyvalue_regex`, `_parse_next_key` and `s_p_parse_file` (`parse_config.c`), which are the same in
//! versions 17.11 to 25.05.

use std::sync::Arc;

use batchlab_traces::SourcePlace;
use batchlab_traces::located::LocatedError;
use nom::bytes::complete::{tag_no_case, take_while1};
use nom::character::complete::{char, one_of, space1};
use nom::combinator::{opt, rest};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::file::{SystemFile, place};
use super::grammar::{Pair, Statement, WrittenBy, blanks, take_one};
use super::known::{Scope, Standing};

#[derive(Default)]
pub(super) struct Configuration {
    pub(super) lines: Vec<ConfLine>,
    pub(super) refused: Vec<Refused>,
}

pub(super) struct ConfLine {
    pub(super) statement: Statement,
    /// The path of an included file; the statement has no pairs then.
    pub(super) include: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) place: SourcePlace,
    pub(super) what: String,
    pub(super) kind: RefusedKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedKind {
    /// It is a placeholder, or a statement of a template.
    Template,
    /// It is no `Key=Value`.
    Word,
    /// Nothing is behind `=`.
    Empty,
    /// A setting ends before it.
    Behind,
}

/// The marks of placeholders and statements in templates: Jinja, ERB and the like.
const MARKS: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("<%", "%>")];

pub(super) fn is_template(line: &str) -> bool {
    MARKS[1..].iter().any(|(open, _)| line.trim_start().starts_with(open))
}

fn has_placeholder(value: &str) -> bool {
    let is_all = |open: &str, close: &str| {
        value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|name| !name.is_empty())
    };
    MARKS.iter().any(|(open, _)| value.contains(open))
        || is_all("${", "}")
        || is_all("<", ">")
        || is_all("@", "@")
}

/// Reads a file, at most `left` settings of it.
pub(super) fn configuration(file: &SystemFile, left: &mut usize) -> Result<Configuration, LocatedError> {
    let mut read = Configuration::default();
    for (at, text) in joined(&file.text) {
        if text.trim().is_empty() {
            continue;
        }
        let here = place(&file.name, at, 1);
        if is_template(&text) {
            let what = shown(text.trim());
            read.refused.push(Refused { place: here, what, kind: RefusedKind::Template });
            continue;
        }
        let mut statement = Statement { place: here, pairs: Vec::new(), origin: WrittenBy::Site };
        if let Ok((_, path)) = include(&text) {
            let path = path.split_whitespace().next().map(str::to_owned);
            read.lines.push(ConfLine { statement, include: path });
            continue;
        }
        let mut line = Line { file: &file.name, at, text: &text, pairs: Vec::new(), refused: Vec::new() };
        line.read(left)?;
        statement.pairs = line.pairs;
        read.refused.extend(line.refused);
        if !statement.pairs.is_empty() {
            read.lines.push(ConfLine { statement, include: None });
        }
    }
    Ok(read)
}

struct Line<'a> {
    file: &'a Arc<str>,
    at: usize,
    text: &'a str,
    pairs: Vec<Pair>,
    refused: Vec<Refused>,
}

impl Line<'_> {
    fn read(&mut self, left: &mut usize) -> Result<(), LocatedError> {
        let mut rest = self.text.trim_start();
        while !rest.is_empty() {
            let here = place(self.file, self.at, self.text.len() - rest.len() + 1);
            if self.is_single() {
                let what =
                    format!("`{}`: a setting ends at a blank, and a line has one setting", shown(word(rest)));
                self.refuse(here, what, RefusedKind::Behind);
                return Ok(());
            }
            let Ok((after, (written, value))) = pair(rest) else {
                rest = self.stray(here, rest)?;
                continue;
            };
            take_one(left, &here)?;
            let is_head = self.pairs.is_empty();
            rest = after.trim_start();
            match value {
                None => self.refuse(here, format!("`{written}=` has no value"), RefusedKind::Empty),
                Some(value) if has_placeholder(value) => {
                    self.refuse(here, shown(&format!("{written}={value}")), RefusedKind::Template);
                }
                Some(value) => {
                    let (key, written, value) = (written.to_ascii_lowercase(), written.into(), value.into());
                    self.pairs.push(Pair { key, written, value, place: here });
                    continue;
                }
            }
            // Without its name, a line is about nothing.
            if is_head {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the line has a setting behind which nothing may stand.
    fn is_single(&self) -> bool {
        self.pairs.first().is_some_and(|first| {
            let scope = Scope::behind(&first.key);
            !scope.has_several() && scope.fate(&first.key, &first.value) != Standing::Unknown
        })
    }

    /// Refuses a word, and returns the text behind it; an error if nothing of the line is a setting.
    fn stray<'t>(&mut self, here: SourcePlace, rest: &'t str) -> Result<&'t str, LocatedError> {
        let word = word(rest);
        let shown = shown(word);
        if has_placeholder(word) {
            self.refuse(here, shown, RefusedKind::Template);
        } else if self.pairs.is_empty() {
            let what = format!("`{shown}` is not Key=Value: slurmctld refuses the line; put a # before it");
            return Err(LocatedError { place: here, what });
        } else {
            self.refuse(here, format!("`{shown}` is not Key=Value"), RefusedKind::Word);
        }
        Ok(rest.get(word.len()..).unwrap_or_default().trim_start())
    }

    fn refuse(&mut self, place: SourcePlace, what: String, kind: RefusedKind) {
        self.refused.push(Refused { place, what, kind });
    }
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Returns the beginnings of statements: lines that are neither empty nor a comment nor the rest of a record.
pub(super) fn heads(text: &str) -> impl Iterator<Item = String> {
    let is_head = |line: &str| !line.trim().is_empty() && !line.starts_with([' ', '\t']);
    joined(text).into_iter().map(|(_, line)| line).filter(move |line| is_head(line))
}

/// Returns the lines without their comments, with their numbers; a line that ends in a backslash goes on with the next one. A
/// backslash within a comment is part of the comment.
fn joined(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
        let line = if is_template(line) { line } else { uncommented(line) };
        let whole = line.trim_end();
        let backslashes = whole.len() - whole.trim_end_matches('\\').len();
        let continued = backslashes % 2 == 1;
        let part = if continued { whole.strip_suffix('\\').unwrap_or(whole) } else { line };
        match lines.last_mut() {
            Some((_, before)) if open => before.push_str(part),
            _ => lines.push((at + 1, part.to_owned())),
        }
        open = continued;
    }
    for (_, line) in lines.iter_mut().filter(|(_, line)| line.contains('\\')) {
        *line = unescaped(line);
    }
    lines
}

/// Returns a line without its comment; `\#` is no comment.
fn uncommented(line: &str) -> &str {
    let mut escaped = false;
    let is_comment = |letter: char| {
        let begins = letter == '#' && !escaped;
        escaped = letter == '\\' && !escaped;
        begins
    };
    line.find(is_comment).and_then(|end| line.get(..end)).unwrap_or(line)
}

/// Returns a text without its backslashes; of two, one stays.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

fn include(line: &str) -> IResult<&str, &str> {
    preceded((blanks, tag_no_case("include"), space1), rest).parse(line)
}

/// `Key=Value` or `Key="a value"`, with blanks around the sign. A value may be missing.
fn pair(text: &str) -> IResult<&str, (&str, Option<&str>)> {
    let equals = (blanks, opt(one_of("-+*/")), char('='), blanks);
    let key = take_while1(|letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter));
    let (behind, key) = terminated(key, equals).parse(text)?;
    let (value, after) = value(behind);
    Ok((after, (key, value)))
}

/// Splits behind a value: a text in quotes with a blank or nothing behind it, else all up to the next blank: `"a=1","b=2"` is one
/// value.
fn value(text: &str) -> (Option<&str>, &str) {
    let quoted = text.strip_prefix('"').and_then(|inner| inner.split_once('"'));
    let is_ended = |after: &str| after.chars().next().is_none_or(char::is_whitespace);
    if let Some((inner, after)) = quoted.filter(|(_, after)| is_ended(after)) {
        return (Some(inner), after);
    }
    let (value, after) = text.split_at(word(text).len());
    (Some(value).filter(|value| !value.is_empty()), after)
}

/// Returns a text up to the next blank outside of a placeholder.
fn word(text: &str) -> &str {
    let mut end = 0;
    while let Some(rest) = text.get(end..).filter(|rest| !rest.is_empty()) {
        let mark = MARKS.iter().find(|(open, _)| rest.starts_with(open));
        let closed = mark.map(|(_, close)| rest.find(close).map_or(rest.len(), |at| at + close.len()));
        let letter = rest.chars().next().filter(|letter| !letter.is_whitespace());
        let Some(step) = closed.or(letter.map(char::len_utf8)) else { break };
        end += step;
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pairs of each line, and what is refused with its place.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let file = SystemFile { name: "c".into(), text: text.into() };
        let read = configuration(&file, &mut 1000).unwrap();
        let lines = read.lines.iter().map(|line| {
            let pairs = line.statement.pairs.iter().map(|pair| format!("{}={}", pair.key, pair.value));
            line.include
                .clone()
                .map_or_else(|| pairs.collect::<Vec<_>>().join(" "), |path| format!("<{path}>"))
        });
        let refused = read.refused.iter().map(|one| format!("{} {:?} {}", one.place, one.kind, one.what));
        (lines.collect(), refused.collect())
    }

    fn lines(text: &str) -> Vec<String> {
        let (lines, refused) = read(text);
        assert_eq!(refused, Vec::<String>::new(), "{text}");
        lines
    }

    #[test]
    fn blanks_quotes_and_backslashes_count_as_in_slurm() {
        assert_eq!(lines("SchedulerParameters = bf_interval=1\n"), ["schedulerparameters=bf_interval=1"]);
        assert_eq!(lines("PriorityWeightTRES = CPU=100,Mem=2\n"), ["priorityweighttres=CPU=100,Mem=2"]);
        assert_eq!(lines("PriorityType\t=\tpriority/multifactor\r\n"), ["prioritytype=priority/multifactor"]);
        assert_eq!(lines("A=\"x=1\",\"y=2\"\n"), ["a=\"x=1\",\"y=2\""]);
        assert_eq!(lines("A=\"x y\"\nB=\"\"\n"), ["a=x y", "b="]);
        assert_eq!(lines("A=a\\#b\\\\c # d\n"), ["a=a#b\\c"]);
        assert_eq!(lines("NodeName=n1\\\n CPUs=2 \\  \n  Gres=gpu:1\n"), ["nodename=n1 cpus=2 gres=gpu:1"]);
        assert_eq!(lines("A=x\\\n# y\nB=z\\"), ["a=x", "b=z"], "a comment ends a continued line");
        assert_eq!(lines("INCLUDE  nodes.conf # all\nKey.x+=3"), ["<nodes.conf>", "key.x=3"]);
        assert_eq!(lines("MaxTime= \t7\n"), ["maxtime=7"]);
    }

    #[test]
    fn what_slurm_refuses_is_named_and_the_rest_is_read() {
        let (lines, refused) = read("NodeName=localhost REPLACE_IT State=UNKNOWN\n");
        assert_eq!(lines, ["nodename=localhost state=UNKNOWN"]);
        assert_eq!(refused, ["c:1:20 Word `REPLACE_IT` is not Key=Value"]);
        let (lines, refused) =
            read("KillWait=30\nSchedulerParameters=defer, bf_interval=9\nSwitchName=s Nodes=n1\n");
        assert_eq!(lines, ["killwait=30", "schedulerparameters=defer,", "switchname=s nodes=n1"]);
        assert_eq!(
            refused,
            ["c:2:28 Behind `bf_interval=9`: a setting ends at a blank, and a line has one setting"]
        );
        let (lines, refused) = read("MpiParams=\nPartitionName=p MaxNodes=\n");
        assert_eq!((lines, refused.len()), (vec!["partitionname=p".to_owned()], 2));
        assert_eq!(refused[1], "c:2:17 Empty `MaxNodes=` has no value");
    }

    #[test]
    fn placeholders_of_templates_are_left_out() {
        let (lines, refused) = read(
            "SlurmctldHost={{ host }}({{ ip }})\n{% if backup %}\n{# note #}\n<% end %>\nGresTypes={{ g }},gpu\n\
             NodeName={{ n.name }} Sockets={{ n.s }} Gres=a:1{{ ',' + n.g if n.g }}\n\
             NodeName=n1 CPUs={{ cpus }} RealMemory=7\nNodeName=@NODES@ CPUs=1\nPartitionName=p Nodes=<nodes> {{ rest }}\n",
        );
        assert_eq!(lines, ["nodename=n1 realmemory=7", "partitionname=p"]);
        let places: Vec<&str> = refused.iter().map(|one| one.split(" Template ").next().unwrap()).collect();
        assert_eq!(
            places,
            ["c:1:1", "c:2:1", "c:3:1", "c:4:1", "c:5:1", "c:6:1", "c:7:13", "c:8:1", "c:9:17", "c:9:31"]
        );
        assert!(refused[6].ends_with("CPUs={{ cpus }}"), "{refused:?}");
    }

    #[test]
    fn a_line_without_a_setting_is_an_error() {
        for (text, place) in [("KillWait=30\nplease read this\n", "c:2:1"), ("{\"a\"}\n", "c:1:1")] {
            let file = SystemFile { name: "c".into(), text: text.into() };
            let error = configuration(&file, &mut 10).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(place) && error.contains("is not Key=Value"), "{error}");
        }
    }
}
