//! Each setting of the files of an installation, with what becomes of it in a replay.

use std::sync::Arc;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Findings, Kind, SourcePlace};

use super::file::{SystemError, SystemFile, place};
use super::gather::{Includes, gather};
use super::grammar::{Pair, Statement, WrittenBy};
use super::judge::{Judged, judge, own};
use super::known::{Scope, Standing};
use super::{build, kinds};

/// A setting, or a word of its value, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRow {
    pub place: SourcePlace,
    /// What it is about: the name of a node or a partition; empty for a setting of the whole.
    pub of: String,
    pub setting: String,
    /// Its value, or the word of it that the row is about.
    pub value: String,
    pub fate: SettingFate,
    /// What it would change if it is not followed, or why it does not count.
    pub effect: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingFate {
    Followed,
    /// It changes no start.
    Harmless,
    /// It would change starts, and is not followed.
    Unfollowed,
    /// Slurm does not know it, or would not accept it.
    Unknown,
    /// It is given again later, and the later value holds.
    Replaced,
    /// It is not read: a part of a line that Slurm refuses, a file that is not there or of another kind.
    Unread,
}

impl SettingFate {
    pub fn word(self) -> &'static str {
        match self {
            SettingFate::Followed => "followed",
            SettingFate::Harmless => "harmless",
            SettingFate::Unfollowed => "not followed",
            SettingFate::Unknown => "unknown",
            SettingFate::Replaced => "replaced",
            SettingFate::Unread => "not read",
        }
    }
}

#[derive(Debug, Default)]
pub struct Listing {
    pub rows: Vec<SettingRow>,
    /// Why the installation as a whole cannot be read.
    pub error: Option<SystemError>,
}

/// Lists the settings of files, in their order; O(n log n).
///
/// # Errors
/// At the first line that Slurm itself would refuse and that cannot be read, with its place.
pub fn listing(files: &[SystemFile], includes: Includes<'_>) -> Result<Listing, SystemError> {
    let mut findings = Findings::complete();
    let (statements, accounts, _) = gather(files, includes, &mut findings)?;
    let begin = files.first().map(|file| place(&file.name, 1, 1));
    let error = build::system(&statements, accounts, begin, &mut findings).err();
    let mut rows: Vec<SettingRow> = statements.iter().filter_map(own).flat_map(rows_of).collect();
    replaced(&mut rows, &statements);
    corrected(&mut rows, &findings);
    rows.extend(unread(&findings));
    let order: Vec<Arc<str>> = {
        let mut seen: Vec<Arc<str>> = files.iter().map(|file| Arc::clone(&file.name)).collect();
        for row in &rows {
            if !seen.contains(&row.place.file) {
                seen.push(Arc::clone(&row.place.file));
            }
        }
        seen
    };
    let file = |row: &SettingRow| order.iter().position(|name| *name == row.place.file);
    rows.sort_by_cached_key(|row| (file(row), row.place.line, row.place.column));
    Ok(Listing { rows, error })
}

fn rows_of((statement, scope): (&Statement, Scope)) -> impl Iterator<Item = SettingRow> + '_ {
    let of = match statement.pairs.first() {
        Some(head) if scope.has_several() => format!("{}={}", head.written, head.value),
        _ => String::new(),
    };
    let row = move |(pair, judged): (&Pair, Judged)| {
        let (fate, effect) = match judged.fate {
            Standing::Followed => (SettingFate::Followed, String::new()),
            Standing::Harmless => (SettingFate::Harmless, String::new()),
            Standing::Unfollowed(what, _) => (SettingFate::Unfollowed, what.to_owned()),
            // What `scontrol` prints is not all that can be set.
            Standing::Unknown if statement.origin == WrittenBy::Scontrol => {
                (SettingFate::Harmless, String::new())
            }
            Standing::Unknown => (SettingFate::Unknown, judged.hint().trim().to_owned()),
        };
        let value = if judged.list.is_some() { judged.text } else { pair.value.clone() };
        let (place, setting) = (pair.place.clone(), pair.written.clone());
        SettingRow { place, of: of.clone(), setting, value, fate, effect }
    };
    let judged = move |pair| judge(scope, pair).into_iter().map(move |judged| (pair, judged));
    statement.pairs.iter().flat_map(judged).map(row)
}

/// Marks settings that are given again later.
fn replaced(rows: &mut [SettingRow], statements: &[Statement]) {
    let settings = statements.iter().filter_map(own).filter(|(_, scope)| !scope.has_several());
    let pairs = settings.flat_map(|(statement, _)| &statement.pairs);
    let last: SortedMap<&str, &SourcePlace> = pairs.map(|pair| (pair.key.as_str(), &pair.place)).collect();
    for row in rows.iter_mut().filter(|row| row.of.is_empty()) {
        let holds = last.get(row.setting.to_ascii_lowercase().as_str());
        if let Some(holds) = holds.filter(|place| ***place != row.place) {
            row.fate = SettingFate::Replaced;
            row.effect = format!("given again at {holds}");
        }
    }
}

/// Takes what the findings say of values: values that Slurm would not accept, and effects that depend on other settings.
fn corrected(rows: &mut [SettingRow], findings: &Findings) {
    let of = |kind: &Kind| {
        let found = findings.list().iter().find(|finding| finding.kind.code == kind.code);
        found.into_iter().flat_map(|finding| &finding.examples)
    };
    for row in rows.iter_mut().filter(|row| row.fate == SettingFate::Followed) {
        let is_here = |place: &Option<SourcePlace>| place.as_ref() == Some(&row.place);
        if of(&kinds::VALUE).any(|example| is_here(&example.place) && example.detail.contains(&*row.value)) {
            row.fate = SettingFate::Unknown;
            row.effect = "Slurm would not accept the value; the default holds".into();
        } else if let Some(example) = of(&kinds::UNSUPPORTED).find(|example| {
            is_here(&example.place)
                && example.detail.starts_with(&format!("{}=", row.setting))
                && example.detail.contains(&*row.value)
        }) {
            row.fate = SettingFate::Unfollowed;
            row.effect = example.detail.split_once(": ").map_or("", |(_, effect)| effect).to_owned();
        }
    }
}

/// Returns rows of what is not read.
fn unread(findings: &Findings) -> Vec<SettingRow> {
    let is_unread = |kind: &Kind| {
        [&kinds::TEMPLATE, &kinds::REFUSED, &kinds::INCLUDE, &kinds::UNREAD]
            .iter()
            .any(|unread| unread.code == kind.code)
    };
    let mut rows = Vec::new();
    for finding in findings.list().iter().filter(|finding| is_unread(finding.kind)) {
        for example in &finding.examples {
            let Some(place) = example.place.clone() else { continue };
            let effect = finding.kind.what(1);
            let (of, setting) = (String::new(), String::new());
            let value = example.detail.clone();
            rows.push(SettingRow { place, of, setting, value, fate: SettingFate::Unread, effect });
        }
    }
    rows
}
