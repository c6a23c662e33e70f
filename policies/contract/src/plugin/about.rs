//! A plug-in's description of its policies: the same JSON in every carrier.

use batchlab_traces::expr::Expr;
use batchlab_traces::foreign::{line, message};
use serde::{Deserialize, Serialize};

use super::intern::{intern, intern_words};
use crate::facts::{Fact, Facts};
use crate::needs::Needs;
use crate::spec::{ParamKind, ParamSpec};

/// The most characters of an error about a description.
const MOST_WORDS: usize = 500;

/// A policy as a plug-in describes it.
///
/// ```json
/// {"name": "sjf", "kind": "order", "summary": "shortest job first", "columns": ["estimate"]}
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct About {
    /// Its name: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Whether it ranks jobs or makes the decisions.
    pub kind: GuestKind,
    /// What it does, in one sentence.
    #[serde(default)]
    pub summary: String,
    /// The publication that defines it.
    #[serde(default)]
    pub cite: String,
    /// Its rule in a few sentences.
    #[serde(default)]
    pub rule: String,
    /// For an order: the numbers that it looks at, each an expression over known facts of a waiting job.
    #[serde(default)]
    pub columns: Vec<String>,
    /// For an order: its own statement on whether scores change while jobs wait; see [`About::changes`].
    #[serde(default)]
    pub changes: Option<bool>,
    /// Its parameters.
    #[serde(default)]
    pub params: Vec<GuestParam>,
    /// Its needs: `clairvoyance time-sharing pool memory user group partition`; and the facts that it asks to see: `capacity
    /// foresight layout dependencies devices`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// For a policy: whether refused verbs are reported to it, so that it continues. Otherwise a refusal ends the replay.
    #[serde(default)]
    pub told_of_refusals: bool,
}

/// The facts that a plug-in's policy asks to see; without them, its messages are those of the first programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Asks {
    /// Changes of the capacity as events, and the capacity in service.
    pub capacity: bool,
    /// The changes of the capacity that are known in advance.
    pub foresight: bool,
    /// How each job lies on nodes, and on which nodes it may be.
    pub layout: bool,
    /// The jobs on which each job depended.
    pub dependencies: bool,
    /// The devices of nodes, such as GPUs, and the free amounts of each.
    pub devices: bool,
}

impl Asks {
    /// Whether it asks for anything.
    pub fn any(self) -> bool {
        self != Asks::default()
    }
}

/// Whether a plug-in's policy ranks jobs for a built-in policy, or decides itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuestKind {
    /// It gives each waiting job a score.
    Order,
    /// It gets the events and answers with verbs.
    Policy,
}

/// A parameter as a plug-in describes it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GuestParam {
    /// Key in specs.
    pub name: String,
    /// `count`, `number`, `duration`, `choice` or `text`.
    pub kind: String,
    /// Value used if the spec does not set it.
    pub default: String,
    /// What it does.
    #[serde(default)]
    pub help: String,
    /// Least value of a count or number.
    #[serde(default)]
    pub least: f64,
    /// The words of a choice.
    #[serde(default)]
    pub choices: Vec<String>,
}

impl About {
    /// Returns the description of every policy in a JSON text: an object, or an array of objects.
    ///
    /// # Errors
    /// In words, when the text is not a valid description.
    pub fn parse(text: &str) -> Result<Vec<About>, String> {
        let array = text.trim_start().starts_with('[');
        let parsed = if array {
            serde_json::from_str(text)
        } else {
            serde_json::from_str(text).map(|about| vec![about])
        };
        let mut abouts: Vec<About> = parsed.map_err(|error| line(&error.to_string(), MOST_WORDS))?;
        abouts.iter_mut().for_each(About::make_safe);
        if abouts.is_empty() {
            return Err("it describes no policy".into());
        }
        abouts.iter().try_for_each(About::check)?;
        for (index, about) in abouts.iter().enumerate() {
            if abouts[..index].iter().any(|other| other.name == about.name) {
                return Err(format!("it describes `{}` twice", about.name));
            }
        }
        Ok(abouts)
    }

    /// Returns the description of a plug-in that was not opened.
    pub fn unknown(kind: GuestKind) -> About {
        About {
            name: String::new(),
            kind,
            summary: String::new(),
            cite: String::new(),
            rule: String::new(),
            columns: Vec::new(),
            changes: None,
            params: Vec::new(),
            needs: Vec::new(),
            told_of_refusals: false,
        }
    }

    /// Makes the texts that listings print safe and short.
    fn make_safe(&mut self) {
        let texts = [&mut self.summary, &mut self.cite, &mut self.rule];
        let helps = self.params.iter_mut().map(|param| &mut param.help);
        for text in texts.into_iter().chain(helps) {
            *text = message(text);
        }
    }

    fn check(&self) -> Result<(), String> {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if self.name.is_empty() || !self.name.chars().all(plain) {
            let name = line(&self.name, 60);
            return Err(format!("`{name}` is not a name: letters, digits, -, _ and . make one"));
        }
        if self.kind == GuestKind::Order && self.columns.is_empty() {
            return Err(format!("the order `{}` looks at no columns", self.name));
        }
        for column in &self.columns {
            Expr::parse(column).map_err(|error| {
                format!(
                    "`{}` uses a column `{column}`, which is not an expression: {}",
                    self.name,
                    error.reason()
                )
            })?;
        }
        for (index, param) in self.params.iter().enumerate() {
            if self.params[..index].iter().any(|other| other.name == param.name) {
                return Err(format!("`{}` has two parameters called `{}`", self.name, param.name));
            }
        }
        self.needs().map(|_| ())
    }

    /// Whether scores change while jobs wait, so that every decision asks for them: the order declares it,
    /// or reads the waiting time so far. Otherwise each job is scored once, at its submission.
    pub fn changes(&self) -> bool {
        self.changes == Some(true) || self.waiting_column().is_some()
    }

    /// Returns a contradiction within the description, in words, if there is one.
    pub fn contradiction(&self) -> Option<String> {
        let column = self.waiting_column().filter(|_| self.changes == Some(false))?;
        Some(format!(
            "its description has `\"changes\": false` and the column `{column}`, which changes while a job \
                waits; its scores are still requested at each decision"
        ))
    }

    /// Returns the first column that reads the waiting time so far.
    fn waiting_column(&self) -> Option<&str> {
        let reads = |column: &&String| Expr::parse(column).is_ok_and(|expr| expr.mentions("wait"));
        self.columns.iter().find(reads).map(String::as_str)
    }

    /// Returns its needs, with the facts that its columns read.
    ///
    /// # Errors
    /// In words, when it has an unknown need.
    pub fn needs(&self) -> Result<Needs, String> {
        let read = |column: &String| Needs { facts: Facts::read_by(column), ..Needs::NONE };
        let columns = self.columns.iter().map(read).fold(Needs::NONE, Needs::and);
        self.needs.iter().try_fold(columns, |needs, word| Ok(needs.and(need(word)?)))
    }

    /// Returns the facts that it asks to see. A policy that plans around changes of the capacity sees these changes, too.
    pub fn asks(&self) -> Asks {
        let has = |word: &str| self.needs.iter().any(|need| need == word);
        let foresight = has("foresight");
        Asks {
            capacity: foresight || has("capacity"),
            foresight,
            layout: has("layout"),
            dependencies: has("dependencies"),
            devices: has("devices"),
        }
    }

    /// Returns the parameters that it declares, after checking them.
    ///
    /// # Errors
    /// In words, when a parameter is invalid, or does not accept its own default.
    pub fn params(&self) -> Result<Vec<ParamSpec>, String> {
        self.params.iter().map(GuestParam::spec).collect()
    }
}

fn need(word: &str) -> Result<Needs, String> {
    match word {
        "clairvoyance" => Ok(Needs { clairvoyance: true, ..Needs::NONE }),
        "time-sharing" => Ok(Needs::TIME_SHARING),
        "pool" => Ok(Needs::POOL),
        "foresight" => Ok(Needs { suspends: false, ..Needs::FORESIGHT }),
        "capacity" | "layout" | "dependencies" | "devices" => Ok(Needs::NONE),
        _ => Fact::ALL.into_iter().find(|fact| fact.name() == word).map(Needs::fact).ok_or_else(|| {
            format!("it needs `{word}`; known are clairvoyance, time-sharing, pool, memory, user, group, partition, \
                 capacity, foresight, layout, dependencies, devices")
        }),
    }
}

impl GuestParam {
    fn spec(&self) -> Result<ParamSpec, String> {
        let kind = match self.kind.as_str() {
            "count" => ParamKind::Count { least: self.least as u64, infinite: false },
            "number" => ParamKind::NumberOr { least: self.least, words: &[] },
            "duration" => ParamKind::Duration,
            "choice" => ParamKind::Choice(intern_words(&self.choices)),
            "text" => ParamKind::Text,
            other => {
                return Err(format!(
                    "its parameter `{}` is of kind `{other}`; known are count, number, duration, choice, text",
                    self.name
                ));
            }
        };
        let spec = ParamSpec {
            name: intern(&self.name),
            kind,
            default: intern(&self.default),
            help: intern(&self.help),
            ..ParamSpec::PLAIN
        };
        if !kind.accepts(spec.default) {
            return Err(format!(
                "its parameter `{}` takes {kind}, and its default is `{}`",
                self.name, self.default
            ));
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_an_object_or_several() {
        let one = About::parse(r#"{"name": "sjf", "kind": "order", "columns": ["estimate"]}"#).unwrap();
        assert_eq!((one.len(), one[0].kind, one[0].changes()), (1, GuestKind::Order, false));
        let two = About::parse(
            r#"[{"name": "a", "kind": "policy", "needs": ["pool", "user"]},
                {"name": "b", "kind": "policy", "params": [{"name": "k", "kind": "count", "default": "3", "least": 1}]}]"#,
        )
        .unwrap();
        assert_eq!(two[0].needs(), Ok(Needs::POOL.and(Needs::fact(Fact::User))));
        assert_eq!(two[1].params().unwrap()[0].kind, ParamKind::Count { least: 1, infinite: false });
    }

    #[test]
    fn an_order_that_looks_at_the_wait_changes_while_jobs_wait() {
        let changes = |more: &str| {
            let text = format!(r#"{{"name": "a", "kind": "order", {more}}}"#);
            let about = About::parse(&text).unwrap().remove(0);
            (about.changes(), about.contradiction().is_some())
        };
        assert_eq!(changes(r#""columns": ["estimate", "procs"]"#), (false, false));
        assert_eq!(changes(r#""columns": ["estimate"], "changes": true"#), (true, false));
        assert_eq!(changes(r#""columns": ["estimate", "wait"]"#), (true, false));
        assert_eq!(
            changes(r#""columns": ["(wait / max(estimate, 1min))^3"], "changes": true"#),
            (true, false)
        );
        assert_eq!(changes(r#""columns": ["wait"], "changes": false"#), (true, true));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| About::parse(text).unwrap_err();
        assert!(error("[]").contains("no policy"));
        assert!(error(r#"{"name": "a b", "kind": "policy"}"#).contains("`a b` is not a name"));
        assert!(error(r#"{"name": "a", "kind": "order"}"#).contains("looks at no columns"));
        let column = error(r#"{"name": "a", "kind": "order", "columns": ["wait +"]}"#);
        assert!(column.starts_with("`a` uses a column `wait +`, which is not an expression:"), "{column}");
        assert!(
            error(r#"{"name": "a", "kind": "policy", "needs": ["luck"]}"#)
                .contains("it needs `luck`; known are")
        );
        assert!(error(r#"{"name": "a", "kind": "policy", "parms": []}"#).contains("unknown field `parms`"));
        let twice = r#"[{"name": "a", "kind": "policy"}, {"name": "a", "kind": "policy"}]"#;
        assert!(error(twice).contains("`a` twice"));
        let about = About::parse(
            r#"{"name": "a", "kind": "policy", "params": [{"name": "k", "kind": "count", "default": "none"}]}"#,
        );
        assert!(about.unwrap()[0].params().unwrap_err().contains("its default is `none`"));
    }
}
