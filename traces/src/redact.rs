//! Pseudonyms in the place of the names of users, accounts, groups and reservations, for outputs that others may see.
//!
//! A log's jobs have numbers for their users and accounts; names are in its header, in the files of an installation, and in
//! what findings and errors quote. A pseudonym is the word for the kind with the number of the log: `user3` is the user whose
//! number is 3 in every output. Names are matched with associations and limits before they are replaced, so
//! results do not depend on redaction.

use crate::asked::{RAN_ON, REASON, RESERVATION, STARTED_BY};
use crate::capacity::CapacityCalendar;
use crate::header::{Header, Named};
use crate::limits::LimitTable;
use crate::sorted::{SortedMap, SortedSet};
use crate::workload::CONSTRAINT;
use crate::{Findings, Provenance, Trace};

/// The replacement of a hidden text.
pub const HIDDEN: &str = "…";

/// The account and the user that every installation of Slurm has.
const ROOT: &str = "root";

/// Pseudonyms of the names of a log and its installation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pseudonyms {
    users: SortedMap<String, String>,
    accounts: SortedMap<String, String>,
    others: SortedMap<String, String>,
    /// The lengths of the names that begin with a word: letters and digits up to the first other character or the end.
    lengths: SortedMap<String, SortedSet<usize>>,
    given: SortedSet<String>,
}

impl Pseudonyms {
    /// Returns the pseudonyms of the names in a header: its users, groups and accounts, and notes such as `account 3: physics`.
    pub fn of(header: &Header) -> Pseudonyms {
        let mut pseudonyms = Pseudonyms::default();
        let mut add = |kind: &str, named: Named| {
            let names = match kind {
                "user" => &mut pseudonyms.users,
                "account" | "group" => &mut pseudonyms.accounts,
                _ => &mut pseudonyms.others,
            };
            if !names.contains_key(&named.name) {
                let pseudonym = format!("{kind}{}", named.number);
                know(&mut pseudonyms.lengths, &named.name);
                pseudonyms.given.insert(pseudonym.clone());
                names.insert(named.name, pseudonym);
            }
        };
        header.users.iter().for_each(|named| add("user", named.clone()));
        let groups = if header.noted("account").next().is_some() { "group" } else { "account" };
        for line in header.notes.iter().chain(&header.lines) {
            if let Some((kind, named)) = hidden_note(header, note_of(line)) {
                add(kind, named);
            }
        }
        header.groups.iter().for_each(|named| add(groups, named.clone()));
        pseudonyms
    }

    /// Adds the accounts and users of an installation that the log does not name; they get the next numbers.
    #[must_use]
    pub fn with_accounts(mut self, all: impl Iterator<Item = (String, Option<String>)>) -> Pseudonyms {
        let next = |names: &SortedMap<String, String>| {
            let number =
                |name: &String| name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<i64>().ok();
            names.values().filter_map(number).max().unwrap_or(0) + 1
        };
        let (mut user, mut account) = (next(&self.users), next(&self.accounts));
        let (lengths, given) = (&mut self.lengths, &mut self.given);
        let mut add = |names: &mut SortedMap<String, String>, name: &String, kind: &str, next: &mut i64| {
            if name != ROOT && !is_number(name) && !names.contains_key(name) {
                know(lengths, name);
                given.insert(format!("{kind}{next}"));
                names.insert(name.clone(), format!("{kind}{next}"));
                *next += 1;
            }
        };
        for (of_account, of_user) in all {
            add(&mut self.accounts, &of_account, "account", &mut account);
            if let Some(name) = &of_user {
                add(&mut self.users, name, "user", &mut user);
            }
        }
        self
    }

    /// Returns a text with pseudonyms in the place of names, and without e-mail addresses.
    ///
    /// A name counts where no letter or digit is before or behind it. O(words × log names), and the lengths of those that begin
    /// with a word of the text.
    pub fn text(&self, text: &str) -> String {
        let kinds = [&self.users, &self.accounts, &self.others];
        let known = |name: &str| {
            kinds.iter().find_map(|names| names.get(name)).filter(|_| name != ROOT && !is_number(name))
        };
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let word = first_word(&text[at..]);
            let lengths = self.lengths.get(word).into_iter().flat_map(|lengths| lengths.iter().rev());
            let found = lengths.copied().find_map(|length| {
                let name = text.get(at..at + length).filter(|name| !name.is_empty())?;
                let ends = !text[at + length..].chars().next().is_some_and(char::is_alphanumeric);
                known(name).filter(|_| ends).map(|pseudonym| (length, pseudonym.as_str()))
            });
            // A name begins with a word, or between words.
            let step = if word.is_empty() { letter.len_utf8() } else { word.len() };
            let (length, shown) = found.unwrap_or_else(|| (step, &text[at..at + step]));
            redacted.push_str(shown);
            at += length;
        }
        without_addresses(&redacted)
    }

    /// Returns a message with pseudonyms in the place of names. It hides quotations, such as a torn line or an unknown name,
    /// unless they are a number or a pseudonym.
    pub fn message(&self, text: &str) -> String {
        let shown = |part: &str| is_number(part) || self.given.contains(part);
        let text = without_values(&self.text(text), &shown);
        let text = without_quotes(&text, '`', &shown);
        without_quotes(&text, '"', &shown)
    }

    /// Replaces the names in a log's header, findings and provenance.
    pub fn redact(&self, trace: &mut Trace) {
        self.header(&mut trace.header);
        self.findings(&mut trace.findings);
        self.provenance(&mut trace.provenance);
    }

    /// Hides what findings quote, and replaces names.
    pub fn findings(&self, findings: &mut Findings) {
        findings.details().for_each(|detail| *detail = self.message(detail));
    }

    /// Replaces the names in the steps of a provenance.
    pub fn provenance(&self, provenance: &mut Provenance) {
        provenance.steps.iter_mut().for_each(|step| step.detail = self.text(&step.detail));
    }

    /// Replaces the names in a header. Names of queues, partitions and resources stay.
    fn header(&self, header: &mut Header) {
        let renamed = |names: &SortedMap<String, String>, named: &mut Named| {
            named.name = names.get(&named.name).cloned().unwrap_or_else(|| HIDDEN.into());
        };
        header.users.iter_mut().for_each(|named| renamed(&self.users, named));
        header.groups.iter_mut().for_each(|named| renamed(&self.accounts, named));
        let known = header.clone();
        let note = |text: &str| match hidden_note(&known, text) {
            Some((kind, named)) => format!("{kind} {0}: {kind}{0}", named.number),
            None => self.text(text),
        };
        header.notes.iter_mut().for_each(|text| *text = note(text));
        for line in &mut header.lines {
            *line = match line.split_once(':') {
                Some((key, text)) if key.trim_start_matches([';', ' ']).trim() == NOTE => {
                    format!("{key}: {}", note(text.trim()))
                }
                Some((key, _)) if TYPED.contains(&key.trim_start_matches([';', ' ']).trim()) => {
                    without_addresses(line)
                }
                _ => self.text(line),
            };
        }
        let texts = [&mut header.acknowledge, &mut header.information].into_iter().flatten();
        let texts =
            texts.chain(&mut header.conversion).chain(header.later_comments.iter_mut().map(|(_, text)| text));
        texts.chain(header.unknown.iter_mut().map(|(_, text)| text)).for_each(|text| *text = self.text(text));
    }

    /// Replaces the name of an account.
    pub fn account(&self, name: &mut String) {
        renamed(&self.accounts, name);
    }

    /// Replaces the name of a user.
    pub fn user(&self, name: &mut String) {
        renamed(&self.users, name);
    }

    /// Returns limits with pseudonyms in their words.
    #[must_use]
    pub fn limits(&self, mut limits: LimitTable) -> LimitTable {
        for limit in &mut limits.limits {
            (limit.words, limit.bound) = (self.message(&limit.words), self.message(&limit.bound));
        }
        limits
    }

    /// Returns a calendar with pseudonyms in the words of its reservations.
    #[must_use]
    pub fn calendar(&self, mut calendar: CapacityCalendar) -> CapacityCalendar {
        calendar.reservations.iter_mut().for_each(|one| one.words = self.message(&one.words));
        calendar
    }
}

/// Returns the letters and digits with which a text begins.
fn first_word(text: &str) -> &str {
    &text[..text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len())]
}

fn know(lengths: &mut SortedMap<String, SortedSet<usize>>, name: &str) {
    lengths.entry(first_word(name).to_owned()).or_default().insert(name.len());
}

/// Replaces a name that has a pseudonym, except the account and the user that every installation has.
fn renamed(names: &SortedMap<String, String>, name: &mut String) {
    if let Some(pseudonym) = names.get(name).filter(|_| name != ROOT) {
        name.clone_from(pseudonym);
    }
}

const NOTE: &str = "Note";

/// The fields of a header in which a changed word would change what is read.
#[rustfmt::skip]
const TYPED: [&str; 14] = [
    "Version", "MaxJobs", "MaxRecords", "Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime",
    "EndTime", "MaxNodes", "MaxProcs", "Resource", "Queue", "Partition",
];

/// Returns the text of a note in a line of a header; the whole line if it is not a note.
fn note_of(line: &str) -> &str {
    let text = line.trim_start_matches([';', ' ']);
    text.strip_prefix(NOTE).and_then(|text| text.trim_start().strip_prefix(':')).unwrap_or(text).trim()
}

/// Returns the kind and the name of a note that names a number, such as `account 3: physics`, if the name must be hidden:
/// the notes of all columns except those that name no people.
fn hidden_note<'a>(header: &Header, note: &'a str) -> Option<(&'a str, Named)> {
    let (kind, rest) = note.split_once(' ')?;
    let (number, name) = rest.split_once(':')?;
    let is_column = header.resources.iter().any(|resource| resource.name == kind);
    let is_kind = ["user", "account", "group", RESERVATION].contains(&kind);
    let is_public = ["qos", CONSTRAINT, RAN_ON, REASON, STARTED_BY].contains(&kind);
    let named = Named { number: number.trim().parse().ok()?, name: name.trim().into() };
    ((is_column || is_kind) && !is_public).then_some((kind, named))
}

/// Whether a text is a number, a date or a time, and so not a name.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.:/".contains(&byte))
}

/// Hides the local part and the host of e-mail addresses.
fn without_addresses(text: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || "._%+-".contains(letter);
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let begin = rest[..at]
            .rfind(|letter| !is_part(letter))
            .map_or(0, |before| before + rest[before..].chars().next().map_or(1, char::len_utf8));
        let host = &rest[at + 1..];
        let end = at + 1 + host.find(|letter| !is_part(letter)).unwrap_or(host.len());
        if begin == at || end == at + 1 {
            redacted.push_str(&rest[..end]);
        } else {
            redacted.push_str(&rest[..begin]);
            redacted.push_str(HIDDEN);
        }
        rest = &rest[end..];
    }
    redacted + rest
}

/// Hides the text between each pair of quotation marks; if a mark is unpaired, all text between the first and the last mark.
fn without_quotes(text: &str, mark: char, shown: &dyn Fn(&str) -> bool) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    match parts[..] {
        [] | [_] => text.into(),
        [first, .., last] if parts.len().is_multiple_of(2) => format!("{first}{mark}{HIDDEN}{last}"),
        _ => {
            let hide = |(at, part): (usize, &&str)| match at % 2 {
                0 => (*part).to_owned(),
                _ if shown(part) => format!("{mark}{part}{mark}"),
                _ => format!("{mark}{HIDDEN}{mark}"),
            };
            parts.iter().enumerate().map(hide).collect()
        }
    }
}

/// Whether the values of a key name people: `AllowAccounts`, `SlurmUser`, `job_name`.
pub fn names_people(key: &str) -> bool {
    const KEYS: [&str; 9] =
        ["user", "users", "account", "accounts", "group", "groups", "owner", "jobname", "coordinator"];
    let key = key.to_lowercase().replace('_', "");
    KEYS.iter().any(|end| key.ends_with(end))
}

/// Hides the values of keys that name people: `AllowAccounts=physics,chemistry`, `user == ana`.
fn without_values(text: &str, shown: &dyn Fn(&str) -> bool) -> String {
    let mut redacted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('=') {
        let before = rest[..at].trim_end();
        let is_sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
        let key = before.rsplit(is_sign).next().unwrap_or_default();
        let from = at + rest[at..].find(|letter| letter != '=' && letter != ' ').unwrap_or(rest.len() - at);
        redacted.push_str(&rest[..from]);
        rest = &rest[from..];
        if names_people(key) && !rest.starts_with(['`', '"', '[']) {
            let end = rest.find([' ', ';', ')', '`', '"', '\n']).unwrap_or(rest.len());
            redacted.push_str(if shown(&rest[..end]) { &rest[..end] } else { HIDDEN });
            rest = &rest[end..];
        }
    }
    redacted + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let named = |number, name: &str| Named { number, name: name.into() };
        Header {
            users: vec![named(1, "ana"), named(2, "ben.lee")],
            groups: vec![named(1, "physics")],
            notes: ["account 4: chem", "qos 1: high", "reservation 2: ana_class", "kept for ana"]
                .map(Into::into)
                .into(),
            lines: ["; Note: account 4: chem", "; MaxProcs: 4", "; Conversion: Dan Lee <dan@cs.example.org>"]
                .map(Into::into)
                .into(),
            ..Header::default()
        }
    }

    #[test]
    fn a_name_is_a_pseudonym_by_its_number() {
        let names = Pseudonyms::of(&header());
        for (text, redacted) in [
            ("mail to ana@example.org, a @ b", "mail to …, a @ b"),
            ("ana: 3 jobs of ben.lee, banana", "user1: 3 jobs of user2, banana"),
            ("association physics/ana, chem", "association group1/user1, account4"),
            ("ana_class in ana_2", "reservation2 in user1_2"),
            ("mail to x.y@example.org.", "mail to …"),
        ] {
            assert_eq!(names.text(text), redacted);
        }
    }

    #[test]
    fn what_a_message_quotes_is_hidden_unless_it_is_a_number() {
        let names = Pseudonyms::of(&header());
        for (text, redacted) in [
            ("`-5` as run", "`-5` as run"),
            ("`12;zoe;4` has `3` fields", "`…` has `3` fields"),
            ("user: `ana`", "user: `user1`"),
            ("a `b` c `d", "a `…d"),
            ("AllowAccounts=bio,law MaxNodes=4", "AllowAccounts=… MaxNodes=4"),
            ("user == zoe; account = \"law\"", "user == …; account = \"…\""),
        ] {
            assert_eq!(names.message(text), redacted);
        }
    }

    #[test]
    fn a_header_keeps_its_fields_and_loses_its_names() {
        let mut trace = Trace::default();
        trace.header = header();
        Pseudonyms::of(&trace.header).redact(&mut trace);
        let Header { users, groups, notes, lines, .. } = trace.header;
        assert_eq!(users.iter().map(|named| named.name.as_str()).collect::<Vec<_>>(), ["user1", "user2"]);
        assert_eq!(groups[0].name, "group1");
        assert_eq!(
            notes,
            ["account 4: account4", "qos 1: high", "reservation 2: reservation2", "kept for user1"]
        );
        assert_eq!(lines, ["; Note: account 4: account4", "; MaxProcs: 4", "; Conversion: Dan Lee <…>"]);
    }
}
