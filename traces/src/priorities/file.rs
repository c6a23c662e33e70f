use serde::Deserialize;
use toml::de::DeTable;

use super::Preempted;
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as PrioritiesError;
use crate::located::values::{Length, List, value_of_toml};
use crate::located::{LocatedToml, Spanned, keys};
use crate::time::Time;

/// Classes of jobs with tiers, and with rules of preemption, as a file states them.
///
/// ```toml
/// [[class]]
/// partition = "urgent"   # or queue, user, group, account, qos: a number, a name, a list of them
/// priority = 10          # tier: jobs of a higher tier are served first; 0 for all other jobs
/// preempts = true        # takes processors from running jobs of lower tiers; or from those below a tier
///
/// [[class]]
/// qos = "scavenger"
/// priority = -10
/// preempted = "requeue"  # what becomes of its running jobs: requeue, cancel or suspend; without: never preempted
/// grace = "5m"           # time for which they continue to run after the decision
/// exempt = "10m"         # run time before which they cannot be preempted
/// ```
///
/// Before the classes, `releases = ["procs", "licences"]` names the resources that suspended jobs give back, as
/// `restrict_res_to_release_on_suspend` does in PBS Professional; without it, these are processors and devices.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityFile {
    pub(super) classes: Vec<PriorityClass>,
    /// The resources that suspended jobs give back, if the file says so.
    pub(super) releases: Option<Vec<(String, SourcePlace)>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PriorityClass {
    pub(super) members: JobClass,
    pub(super) tier: Option<(i32, SourcePlace)>,
    pub(super) reach: Option<(Reach, SourcePlace)>,
    pub(super) preempted: Option<(Preemptible, SourcePlace)>,
}

/// From which jobs a class takes processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Nobody,
    Lower,
    Below(i32),
}

/// How the running jobs of a class are preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Preemptible {
    /// What happens to them.
    pub preempted: Preempted,
    /// The time for which they continue to run after the decision.
    pub grace: Time,
    /// The run time before which they cannot be preempted.
    pub exempt: Time,
}

const PROCS: &str = "procs";

#[derive(Deserialize)]
struct ClassText {
    priority: Option<Spanned<Tier>>,
    preempts: Option<Spanned<Reach>>,
    preempted: Option<Spanned<Preempted>>,
    grace: Option<Spanned<Length>>,
    exempt: Option<Spanned<Length>>,
}

#[derive(Deserialize)]
struct FileText {
    releases: Option<Spanned<List<String>>>,
}

#[derive(Clone, Copy)]
struct Tier(i32);

value_of_toml!(Tier, format!("a whole number from -{MOST} to {MOST}"), |value| tier(value).map(Tier));

value_of_toml!(Reach, "true, false, or a tier: the class preempts jobs of tiers below it", |value| {
    match value.as_bool() {
        Some(true) => Some(Reach::Lower),
        Some(false) => Some(Reach::Nobody),
        None => tier(value).map(Reach::Below),
    }
});

const MOST: i32 = 1_000_000;

fn tier(value: &toml::Value) -> Option<i32> {
    let tier = i32::try_from(value.as_integer()?).ok()?;
    (-MOST..=MOST).contains(&tier).then_some(tier)
}

impl PriorityFile {
    /// Reads a file of priorities; `file` is its name as the user gave it.
    pub fn parse(text: &str, file: &str) -> Result<PriorityFile, PrioritiesError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        toml.expect_keys(&table, &["releases", "class"])?;
        let text: FileText = toml.part(&table, 0)?;
        let releases = text.releases.map(|names| releases(&toml, names)).transpose()?;
        let classes = toml.list(&table, "class")?.into_iter().map(|(table, at)| class(&toml, table, at));
        Ok(PriorityFile { classes: classes.collect::<Result<_, _>>()?, releases })
    }
}

fn class(toml: &LocatedToml<'_>, table: &DeTable<'_>, at: usize) -> Result<PriorityClass, PrioritiesError> {
    let own = keys::<ClassText>();
    toml.expect_keys(table, &[JobClass::keys(), own].concat())?;
    let members = JobClass::read(toml, table, at)?;
    if members.is_divided() {
        return Err(
            toml.error(at, "a class is about all its jobs alike: leave out the key whose value is \"*\"")
        );
    }
    if !own.iter().any(|&key| table.contains_key(key)) {
        return Err(toml.error(at, format!("the class states nothing: give {}", own.join(", "))));
    }
    let text: ClassText = toml.part(table, at)?;
    let tier = text.priority.as_ref().map(|tier| (tier.get_ref().0, toml.place(tier.span().start)));
    let reach = text.preempts.as_ref().map(|reach| (*reach.get_ref(), toml.place(reach.span().start)));
    if let (Some((tier, _)), Some((Reach::Below(below), place))) = (&tier, &reach)
        && below > tier
    {
        let what =
            format!("jobs of tier {tier} take processors from jobs of lower tiers only, not below {below}");
        return Err(PrioritiesError { place: place.clone(), what });
    }
    Ok(PriorityClass { members, tier, reach, preempted: preemptible(toml, text)? })
}

fn releases(
    toml: &LocatedToml<'_>,
    names: Spanned<List<String>>,
) -> Result<Vec<(String, SourcePlace)>, PrioritiesError> {
    let at = names.span().start;
    let names = names.into_inner().0;
    if !names.iter().any(|name| name.get_ref() == PROCS) {
        let what = format!("suspended jobs give back their processors: add \"{PROCS}\" to releases");
        return Err(toml.error(at, what));
    }
    let placed = |name: Spanned<String>| (toml.place(name.span().start), name.into_inner());
    Ok(names.into_iter().map(placed).map(|(place, name)| (name, place)).collect())
}

fn preemptible(
    toml: &LocatedToml<'_>,
    text: ClassText,
) -> Result<Option<(Preemptible, SourcePlace)>, PrioritiesError> {
    let Some(preempted) = text.preempted else {
        let what = "`grace` and `exempt` are about jobs that are preempted: give `preempted` too";
        let idle = text.grace.or(text.exempt);
        return idle.map_or(Ok(None), |length| Err(toml.error(length.span().start, what)));
    };
    let length = |length: Option<Spanned<Length>>| length.map_or(Time::ZERO, |length| length.get_ref().0);
    let (grace, exempt) = (length(text.grace), length(text.exempt));
    let place = toml.place(preempted.span().start);
    Ok(Some((Preemptible { preempted: preempted.into_inner(), grace, exempt }, place)))
}
