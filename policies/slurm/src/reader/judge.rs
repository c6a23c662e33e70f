//! What becomes of each setting of an installation, and the findings about settings that are not followed, or that Slurm does not
//! know.

use batchlab_traces::Findings;
use batchlab_traces::nearest::{meant, misspelt};

use super::file::{SystemError, example};
use super::grammar::{Pair, Statement, WrittenBy};
use super::kinds;
use super::known::{OptionList, Scope, Standing, home};
use super::recognise::foreign;
use super::settings::ConfSettings;

/// What becomes of a setting, or of a word in its value.
pub(super) struct Judged {
    /// The list that the word is in; `None` for a setting as a whole.
    pub(super) list: Option<OptionList>,
    /// The setting with its value, or the word.
    pub(super) text: String,
    pub(super) fate: Standing,
    scope: Scope,
}

/// Reports the settings that are not followed, and the settings of the site that Slurm does not know.
pub(super) fn report(
    statements: &[Statement],
    settings: &ConfSettings<'_>,
    findings: &mut Findings,
) -> Result<(), SystemError> {
    for (statement, scope) in statements.iter().filter_map(own) {
        for pair in &statement.pairs {
            // If a setting is given again, the last value holds.
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
        let text = format!("{}={}", pair.written, pair.value);
        return vec![Judged { list: None, text, fate: scope.fate(&pair.key, &pair.value), scope }];
    }
    let of_word = |word: &str| {
        let list = list()?;
        let fate = list.fate(word);
        Some(Judged { list: Some(list), text: word.to_owned(), fate, scope })
    };
    OptionList::words(&pair.value).filter_map(of_word).collect()
}

impl Judged {
    /// Returns what is meant by an unknown name, as a remark; empty if that cannot be told. O(names).
    pub(super) fn hint(&self) -> String {
        match &self.list {
            Some(list) => belonging(&self.text, list),
            None => meant(misspelt(self.text.split('=').next().unwrap_or_default(), self.scope.known())),
        }
    }

    fn report(self, pair: &Pair, origin: WrittenBy, findings: &mut Findings) -> Result<(), SystemError> {
        let is_whole = self.list.is_none();
        if self.list.as_ref().is_some_and(|list| !list.is_reported()) {
            return Ok(());
        }
        let kind = match self.fate {
            Standing::Followed | Standing::Harmless => return Ok(()),
            Standing::Unfollowed(_, kind) => kind,
            // What `scontrol` prints is not all that can be set.
            Standing::Unknown if is_whole && origin == WrittenBy::Scontrol => return Ok(()),
            Standing::Unknown => &kinds::UNKNOWN,
        };
        let detail = || {
            let of = self.list.as_ref().map_or(String::new(), |list| format!("{}: ", list.of));
            match self.fate {
                Standing::Unfollowed(what, _) => format!("{of}{}: {what}", self.text),
                _ if is_whole => format!("{}{}", pair.written, self.hint()),
                _ => format!("{of}{}{}", self.text, self.hint()),
            }
        };
        Ok(findings.report(kind, || example(&pair.place, detail()))?)
    }
}

/// Returns the list that an unknown word of another list belongs to, or the name that was probably meant, as a remark.
fn belonging(word: &str, list: &OptionList) -> String {
    let name = word.split('=').next().unwrap_or_default();
    match home(word).filter(|of| *of != list.of) {
        Some(of) => format!(" (it belongs in {of})"),
        None => meant(misspelt(name, list.known())),
    }
}
