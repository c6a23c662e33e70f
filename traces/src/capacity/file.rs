//! Calendar files.

use toml::de::DeTable;

use super::Evicted;
use super::outages::{Instant, OutageLog};
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as CalendarError;
use crate::located::{LocatedToml, LocatedValue, integer};
use crate::time::Time;

/// Changes of capacity as a file states them.
///
/// ```toml
/// [[event]]
/// kind = "maintenance"         # outage, drain, maintenance, reservation, capacity
/// from = "2026-12-01 08:00"    # on the site's clock, or seconds from the log's zero
/// to = "2026-12-01 16:00"      # without: for good
/// nodes = "0-63,70"            # or resource = "licences", amount = 20; without either: the whole machine
/// every = "7d"                 # again and again,
/// until = "2027-06-01 00:00"   # up to here; without: up to the last submission
/// known = "2d"                 # announced this long before; without: maintenance and capacity from the beginning,
///                              # an outage and a drain not at all
/// jobs = "requeue"             # what becomes of running jobs: requeue, kill, drain
/// account = "course"           # of a reservation: the jobs that it is for, as in a limit
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CalendarFile {
    pub(super) events: Vec<CalendarEvent>,
    /// The outages, if the file is a failure log.
    pub(super) log: Option<OutageLog>,
}

/// One `[[event]]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CalendarEvent {
    pub(super) kind: &'static str,
    pub(super) from: (Instant, SourcePlace),
    pub(super) to: Option<(Instant, SourcePlace)>,
    pub(super) part: OutOfService,
    pub(super) every: Option<Time>,
    pub(super) until: Option<(Instant, SourcePlace)>,
    pub(super) announced: Announced,
    pub(super) evicted: Evicted,
    /// The jobs that it is kept for, if it is a reservation.
    pub(super) holders: Option<JobClass>,
    pub(super) place: SourcePlace,
}

/// When an event is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    Never,
    AtFirst,
    Before(Time),
}

/// What is out of service.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OutOfService {
    Machine,
    /// Ranges of nodes, each with its first and its last.
    Nodes(Vec<(usize, usize)>, SourcePlace),
    /// An amount of a resource, on a pool or over all nodes.
    Amount(String, i64, SourcePlace),
}

const KEYS: [&str; 12] = [
    "kind", "from", "to", "nodes", "procs", "resource", "amount", "every", "until", "known", "jobs",
    "because",
];

const LENGTH: &str = "this is a length of time: a number of seconds, or a text such as \"7d\"";

impl CalendarFile {
    /// Reads a calendar file; `file` is its name as the user gave it.
    ///
    /// # Errors
    /// At the first error, with line and column; for an unknown key, with the one that was probably meant.
    pub fn parse(text: &str, file: &str) -> Result<CalendarFile, CalendarError> {
        let source = Source(LocatedToml::new(text, file));
        let table = source.0.parse()?;
        source.0.expect_keys(&table, &["event"])?;
        let tables = source.0.list(&table, "event")?;
        let events = tables.into_iter().map(|(table, at)| source.event(table, at));
        Ok(CalendarFile { events: events.collect::<Result<_, _>>()?, log: None })
    }

    /// Returns the outages of a failure log as a calendar.
    pub fn of_log(log: OutageLog) -> CalendarFile {
        CalendarFile { events: Vec::new(), log: Some(log) }
    }

    /// Returns the events of both calendars; of two failure logs, the first one.
    #[must_use]
    pub fn and(mut self, other: CalendarFile) -> CalendarFile {
        self.events.extend(other.events);
        CalendarFile { log: self.log.or(other.log), ..self }
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.log.as_ref().is_none_or(|log| log.outages.is_empty())
    }
}

/// The text of a calendar file, for places in errors.
struct Source<'a>(LocatedToml<'a>);

impl Source<'_> {
    fn event(&self, table: &DeTable<'_>, at: usize) -> Result<CalendarEvent, CalendarError> {
        self.0.expect_keys(table, &[&KEYS[..], JobClass::keys()].concat())?;
        let kinds = "the kind is \"outage\", \"drain\", \"maintenance\", \"reservation\" or \"capacity\"";
        let Some(kind) = table.get("kind") else { return Err(self.0.error(at, kinds)) };
        let (kind, evicted, announced) = match kind.get_ref().as_str() {
            Some("outage") => ("outage", Evicted::Requeued, Announced::Never),
            Some("maintenance") => ("maintenance", Evicted::Requeued, Announced::AtFirst),
            Some("drain") => ("drain", Evicted::Drained, Announced::Never),
            Some("capacity") => ("capacity", Evicted::Drained, Announced::AtFirst),
            Some("reservation") => ("reservation", Evicted::Drained, Announced::AtFirst),
            _ => return Err(self.0.error(kind.span().start, kinds)),
        };
        let instant = |key: &str| table.get(key).map(|value| self.instant(value)).transpose();
        let Some(from) = instant("from")? else { return Err(self.0.error(at, "the event has no `from`")) };
        let announced = match table.get("known") {
            None => announced,
            Some(value) => match (value.get_ref().as_bool(), self.0.duration(value, LENGTH)) {
                (Some(true), _) => Announced::AtFirst,
                (Some(false), _) => Announced::Never,
                (None, length) => Announced::Before(length?),
            },
        };
        let evicted = match table.get("jobs").map(|value| (value.get_ref().as_str(), value.span().start)) {
            None => evicted,
            Some((Some("requeue"), _)) => Evicted::Requeued,
            Some((Some("kill"), _)) => Evicted::Killed,
            Some((Some("drain"), _)) => Evicted::Drained,
            Some((_, at)) => return Err(self.0.error(at, "jobs is \"requeue\", \"kill\" or \"drain\"")),
        };
        let every = table
            .get("every")
            .map(|value| self.0.duration(value, LENGTH).map(|every| (every, value)))
            .transpose()?;
        if let Some((_, value)) = every.filter(|(every, _)| *every < Time::from_secs(60)) {
            return Err(self.0.error(value.span().start, "every is a minute or longer"));
        }
        if let (None, Some(until)) = (every, table.get("until")) {
            return Err(self
                .0
                .error(until.span().start, "`until` is about events that recur: give `every` too"));
        }
        let holders = self.holders(table, kind == "reservation", at)?;
        Ok(CalendarEvent {
            kind,
            holders,
            from,
            to: instant("to")?,
            part: self.part(table)?,
            every: every.map(|(every, _)| every),
            until: instant("until")?,
            announced,
            evicted,
            place: self.0.place(at),
        })
    }

    /// Returns the jobs that a reservation is for.
    fn holders(
        &self,
        table: &DeTable<'_>,
        is_reservation: bool,
        at: usize,
    ) -> Result<Option<JobClass>, CalendarError> {
        let class = JobClass::read(&self.0, table, at)?;
        let first = JobClass::keys().iter().find_map(|&key| table.get(key)).map(|value| value.span().start);
        match (is_reservation, first) {
            (false, None) => Ok(None),
            (false, Some(at)) => {
                let what = "only a reservation is for some jobs: kind = \"reservation\"";
                Err(self.0.error(at, what))
            }
            (true, None) => {
                let what =
                    format!("the reservation is for certain jobs: give {}", JobClass::keys().join(", "));
                Err(self.0.error(at, what))
            }
            (true, Some(at)) if class.is_divided() => {
                Err(self.0.error(at, "a reservation is for certain jobs: \"*\" is all of them"))
            }
            (true, Some(_)) if !table.contains_key("to") => {
                Err(self.0.error(at, "the reservation has no `to`: jobs start in it that end by then"))
            }
            (true, Some(_)) => Ok(Some(class)),
        }
    }

    fn part(&self, table: &DeTable<'_>) -> Result<OutOfService, CalendarError> {
        let given = ["nodes", "procs", "resource"].map(|key| table.get(key));
        if let [Some(_), Some(second), _] | [_, Some(_), Some(second)] | [Some(_), None, Some(second)] = given
        {
            let what = "an event is about `nodes`, about `procs`, or about a `resource`: give one of them";
            return Err(self.0.error(second.span().start, what));
        }
        let whole = |value: &LocatedValue<'_>| {
            let number = integer(value.get_ref()).and_then(|number| i64::try_from(number).ok());
            number.filter(|&number| number > 0).ok_or_else(|| {
                self.0.error(value.span().start, "the amount out of service is a whole number from 1")
            })
        };
        match given {
            [Some(nodes), ..] => {
                let list = ranges(nodes).ok_or_else(|| {
                    let what = "nodes are a text such as \"0-63,70\", counted from 0, or one number";
                    self.0.error(nodes.span().start, what)
                })?;
                Ok(OutOfService::Nodes(list, self.0.place(nodes.span().start)))
            }
            [_, Some(procs), _] => {
                Ok(OutOfService::Amount("procs".into(), whole(procs)?, self.0.place(procs.span().start)))
            }
            [.., Some(resource)] => {
                let Some(name) = resource.get_ref().as_str() else {
                    return Err(self.0.error(resource.span().start, "a resource has a name in quotes"));
                };
                let Some(amount) = table.get("amount") else {
                    return Err(self
                        .0
                        .error(resource.span().start, "give the `amount` of the resource, too"));
                };
                Ok(OutOfService::Amount(name.into(), whole(amount)?, self.0.place(resource.span().start)))
            }
            _ => match table.get("amount") {
                Some(amount) => Err(self.0.error(amount.span().start, "an amount of which `resource`?")),
                None => Ok(OutOfService::Machine),
            },
        }
    }

    fn instant(&self, value: &LocatedValue<'_>) -> Result<(Instant, SourcePlace), CalendarError> {
        let at = value.span().start;
        let wrong = || self.0.error(at, format!("an instant is {}", Instant::TAKES));
        Instant::of_toml(value.get_ref()).map(|instant| (instant, self.0.place(at))).ok_or_else(wrong)
    }
}

/// Returns ranges of nodes.
fn ranges(value: &LocatedValue<'_>) -> Option<Vec<(usize, usize)>> {
    if let Some(node) = integer(value.get_ref()) {
        return usize::try_from(node).ok().map(|node| vec![(node, node)]);
    }
    let range = |part: &str| -> Option<(usize, usize)> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last).then_some((first, last))
    };
    value.get_ref().as_str()?.split(',').map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let event = |more: &str| format!("[[event]]\nkind = \"outage\"\nfrom = 0\n{more}\n");
        let cases = [
            ("[event]\nfrom = 3\n".into(), "c.toml:1:1: `event` is written as tables, [[event]]"),
            ("[[event]]\nfrom = 3\n".into(), "c.toml:1:1: the kind is"),
            ("[[event]]\nkind = \"fire\"\n".into(), "c.toml:2:8: the kind is"),
            ("[[event]]\nkind = \"drain\"\n".into(), "c.toml:1:1: the event has no `from`"),
            (event("to = \"soon\""), "c.toml:4:6: an instant is a text such as"),
            (event("node = 3"), "c.toml:4:1: unknown key `node` (did you mean `nodes`?)"),
            (event("nodes = \"3-1\""), "c.toml:4:9: nodes are a text such as"),
            (event("nodes = 1\nprocs = 1"), "c.toml:5:9: an event is about `nodes`"),
            (event("procs = 0"), "c.toml:4:9: the amount out of service is a whole number from 1"),
            (event("resource = \"gpu\""), "c.toml:4:12: give the `amount`"),
            (event("until = 4"), "c.toml:4:9: `until` is about events that recur"),
            (event("every = 5"), "c.toml:4:9: every is a minute or longer"),
            (event("jobs = \"stay\""), "c.toml:4:8: jobs is \"requeue\", \"kill\" or \"drain\""),
        ];
        for (text, expected) in cases {
            let error = CalendarFile::parse(&text, "c.toml").unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
