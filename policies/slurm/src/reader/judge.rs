//! What becomes of each setting of an installation, and the findings about those that are not followed, or that Slurm does not
//! know.

use batchlab_traces::nearest::{likeness, meant, nearest};
use batchlab_traces::{Example, Findings};

use super::build::ConfSettings;
use super::file::SystemError;
use super::grammar::{Origin, Pair, Statement};
use super::kinds;
use super::known::{Fate, OptionList, Scope, home};
use super::recognise::foreign;

/// What becomes of a setting, or of a word in its value.
pub(super) struct Judged {
    /// The list that the word is in; `None` for a setting as a whole.
    pub(super) list: Option<OptionList>,
    /// The setting with its value, or the word.
    pub(super) text: String,
    pub(super) fate: Fate,
    /// What is meant by an unknown name, if that can be told.
    pub(super) hint: String,
}

/// The least likeness of a name that is offered in the place of an unknown one.
const LIKE: f64 = 0.8;

/// Reports the settings that are not followed, and those of the site that Slurm does not know.
pub(super) fn report(
    statements: &[Statement],
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    for (statement, scope) in statements.iter().filter_map(own) {
        for pair in &statement.pairs {
            // Of a setting that is given again, the last one holds.
            if scope == Scope::Setting && !settings.holds(pair) {
                continue;
            }
            for judged in judge(scope, pair) {
                judged.report(pair, statement.origin, findings)?;
            }
        }
    }
    Ok(())
}

/// Returns a statement with the scope of its keys; `None` for a line of another file, which is reported as a whole.
pub(super) fn own(statement: &Statement) -> Option<(&Statement, Scope)> {
    let head = statement.pairs.first()?;
    let scope = Scope::behind(&head.key);
    let keys = || statement.pairs.iter().map(|pair| pair.key.as_str());
    (scope != Scope::Node || foreign(keys()).is_none()).then_some((statement, scope))
}

/// Returns what becomes of a setting: of each word in its value if that is a list.
pub(super) fn judge(scope: Scope, pair: &Pair) -> Vec<Judged> {
    let is_list = scope == Scope::Setting || pair.key == "preemptmode";
    let list = || OptionList::of(&pair.key).filter(|_| is_list);
    if list().is_none() {
        let fate = scope.fate(&pair.key, &pair.value);
        let hint = if fate == Fate::Unknown { near(&pair.key, scope.known()) } else { String::new() };
        return vec![Judged { list: None, text: format!("{}={}", pair.written, pair.value), fate, hint }];
    }
    let of_word = |word: &str| {
        let list = list()?;
        let fate = list.fate(word);
        let hint = if fate == Fate::Unknown { belonging(word, &list) } else { String::new() };
        Some(Judged { list: Some(list), text: word.to_owned(), fate, hint })
    };
    OptionList::words(&pair.value).filter_map(of_word).collect()
}

impl Judged {
    fn report(self, pair: &Pair, origin: Origin, findings: &mut Findings) -> Result<(), SystemError> {
        let of = match &self.list {
            Some(list) if !list.is_reported() => return Ok(()),
            Some(list) => format!("{}: ", list.of),
            None => String::new(),
        };
        let (kind, detail) = match self.fate {
            Fate::Followed | Fate::Harmless => return Ok(()),
            Fate::Unfollowed(what, kind) => (kind, format!("{of}{}: {what}", self.text)),
            // What `scontrol` prints is not all that can be set.
            Fate::Unknown if self.list.is_none() && origin == Origin::Shown => return Ok(()),
            Fate::Unknown if self.list.is_none() => {
                (&kinds::UNKNOWN, format!("{}{}", pair.written, self.hint))
            }
            Fate::Unknown => (&kinds::UNKNOWN, format!("{of}{}{}", self.text, self.hint)),
        };
        Ok(findings.report(kind, || Example { place: Some(pair.place.clone()), detail })?)
    }
}

/// Returns the list that an unknown word of another one belongs to, or the name that was probably meant, as a remark.
fn belonging(word: &str, list: &OptionList) -> String {
    let name = word.split('=').next().unwrap_or_default();
    match home(word).filter(|of| *of != list.of) {
        Some(of) => format!(" (it belongs in {of})"),
        None if list.is_reported() => near(name, list.known().into_iter()),
        None => meant(nearest(&name.to_ascii_lowercase(), list.known())),
    }
}

/// Returns the name that was probably meant, as a question.
fn near(given: &str, names: impl Iterator<Item = &'static str>) -> String {
    let given = given.to_ascii_lowercase();
    let mut best = (LIKE, None);
    for name in names {
        let like = likeness(&given, &name.to_ascii_lowercase());
        if like > best.0 {
            best = (like, Some(name));
        }
    }
    meant(best.1)
}
