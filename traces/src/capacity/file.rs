use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::de::DeTable;

use super::Evicted;
use super::outages::{Instant, OutageLog};
use crate::class::JobClass;
use crate::finding::SourcePlace;
pub use crate::located::LocatedError as CalendarError;
use crate::located::values::{Length, Whole, length, value_of_toml};
use crate::located::{LocatedToml, Spanned, keys};
use crate::notation::hosts::{NumberRange, ranges};
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
    pub(super) logs: Vec<OutageLog>,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    Never,
    AtFirst,
    Before(Time),
}

value_of_toml!(Announced, "true, false, or a length of time such as \"2d\"", |value| match value.as_bool() {
    Some(true) => Some(Announced::AtFirst),
    Some(false) => Some(Announced::Never),
    None => length(value).map(Announced::Before),
});

#[derive(Clone, Debug, PartialEq)]
pub(super) enum OutOfService {
    Machine,
    /// Ranges of nodes, each with its first and its last.
    Nodes(Vec<(usize, usize)>, SourcePlace),
    /// An amount of a resource, on a pool or over all nodes.
    Amount(String, i64, SourcePlace),
}

#[derive(Deserialize)]
struct EventText {
    kind: EventKind,
    from: Spanned<Instant>,
    to: Option<Spanned<Instant>>,
    nodes: Option<Spanned<Nodes>>,
    procs: Option<Spanned<Whole<1>>>,
    resource: Option<Spanned<String>>,
    amount: Option<Spanned<Whole<1>>>,
    every: Option<Spanned<Length>>,
    until: Option<Spanned<Instant>>,
    known: Option<Announced>,
    jobs: Option<Evicted>,
    #[serde(rename = "because")]
    _because: Option<IgnoredAny>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EventKind {
    Outage,
    Drain,
    Maintenance,
    Reservation,
    Capacity,
}

impl EventKind {
    /// Returns the word of the kind, and its defaults: what happens to running jobs, and when the event is announced.
    fn usual(self) -> (&'static str, Evicted, Announced) {
        match self {
            EventKind::Outage => ("outage", Evicted::Requeued, Announced::Never),
            EventKind::Drain => ("drain", Evicted::Drained, Announced::Never),
            EventKind::Maintenance => ("maintenance", Evicted::Requeued, Announced::AtFirst),
            EventKind::Reservation => ("reservation", Evicted::Drained, Announced::AtFirst),
            EventKind::Capacity => ("capacity", Evicted::Drained, Announced::AtFirst),
        }
    }
}

/// Ranges of nodes, each with its first and its last.
struct Nodes(Vec<(usize, usize)>);

value_of_toml!(Nodes, "a text such as \"0-63,70\", counted from 0, or one number", |value| {
    if let Some(node) = value.as_integer() {
        return usize::try_from(node).ok().map(|node| Nodes(vec![(node, node)]));
    }
    let pair = |range: NumberRange| Some((range.first.try_into().ok()?, range.last.try_into().ok()?));
    ranges(value.as_str()?)?.into_iter().map(pair).collect::<Option<_>>().map(Nodes)
});

impl CalendarFile {
    /// Reads a calendar file; `file` is its name as the user gave it.
    ///
    /// # Errors
    /// At the first error, with line and column; for an unknown key, with the one that was probably meant.
    pub fn parse(text: &str, file: &str) -> Result<CalendarFile, CalendarError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        toml.expect_keys(&table, &["event"])?;
        let events = toml.list(&table, "event")?.into_iter().map(|(table, at)| event(&toml, table, at));
        Ok(CalendarFile { events: events.collect::<Result<_, _>>()?, logs: Vec::new() })
    }

    /// Returns the outages of a failure log as a calendar.
    pub fn of_log(log: OutageLog) -> CalendarFile {
        CalendarFile { events: Vec::new(), logs: vec![log] }
    }

    /// Returns the events and the outages of both calendars.
    #[must_use]
    pub fn and(mut self, other: CalendarFile) -> CalendarFile {
        self.events.extend(other.events);
        self.logs.extend(other.logs);
        self
    }

    /// Whether there are no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.logs.iter().all(|log| log.outages.is_empty())
    }
}

fn event(toml: &LocatedToml<'_>, table: &DeTable<'_>, at: usize) -> Result<CalendarEvent, CalendarError> {
    toml.expect_keys(table, &[keys::<EventText>(), JobClass::keys()].concat())?;
    let text: EventText = toml.part(table, at)?;
    if let Some(every) = text.every.as_ref().filter(|every| every.get_ref().0 < Time::from_secs(60)) {
        return Err(toml.error(every.span().start, "`every` must be a minute or longer"));
    }
    if let (None, Some(until)) = (&text.every, &text.until) {
        return Err(toml.error(until.span().start, "`until` is about events that recur: give `every` too"));
    }
    let (kind, evicted, announced) = text.kind.usual();
    let placed = |instant: &Spanned<Instant>| (*instant.get_ref(), toml.place(instant.span().start));
    Ok(CalendarEvent {
        kind,
        holders: holders(toml, table, text.kind == EventKind::Reservation, at)?,
        from: placed(&text.from),
        to: text.to.as_ref().map(placed),
        every: text.every.as_ref().map(|every| every.get_ref().0),
        until: text.until.as_ref().map(placed),
        announced: text.known.unwrap_or(announced),
        evicted: text.jobs.unwrap_or(evicted),
        part: part(toml, text)?,
        place: toml.place(at),
    })
}

fn holders(
    toml: &LocatedToml<'_>,
    table: &DeTable<'_>,
    is_reservation: bool,
    at: usize,
) -> Result<Option<JobClass>, CalendarError> {
    let first = JobClass::keys().iter().find_map(|&key| table.get(key)).map(|value| value.span().start);
    let class = JobClass::read(toml, table, at)?;
    match (is_reservation, first) {
        (false, None) => Ok(None),
        (false, Some(at)) => {
            Err(toml.error(at, "only a reservation is for some jobs: kind = \"reservation\""))
        }
        (true, None) => {
            let keys = JobClass::keys().join(", ");
            Err(toml.error(at, format!("the reservation is for certain jobs: give {keys}")))
        }
        (true, Some(at)) if class.is_divided() => {
            Err(toml.error(at, "a reservation is for certain jobs: \"*\" is all of them"))
        }
        (true, Some(_)) if !table.contains_key("to") => {
            Err(toml.error(at, "the reservation has no `to`: jobs start in it that end by then"))
        }
        (true, Some(_)) => Ok(Some(class)),
    }
}

/// Returns what an event takes out of service.
fn part(toml: &LocatedToml<'_>, text: EventText) -> Result<OutOfService, CalendarError> {
    let EventText { nodes, procs, resource, amount, .. } = text;
    let begins = [
        nodes.as_ref().map(|nodes| nodes.span().start),
        procs.as_ref().map(|procs| procs.span().start),
        resource.as_ref().map(|resource| resource.span().start),
    ];
    if let Some(&second) = begins.iter().flatten().nth(1) {
        let what = "an event is about `nodes`, about `procs`, or about a `resource`: give one of them";
        return Err(toml.error(second, what));
    }
    let place = toml.place(begins.into_iter().flatten().next().unwrap_or_default());
    match (nodes, procs, resource, amount) {
        (Some(nodes), ..) => Ok(OutOfService::Nodes(nodes.into_inner().0, place)),
        (_, Some(procs), ..) => Ok(OutOfService::Amount("procs".into(), procs.get_ref().0, place)),
        (.., Some(resource), Some(amount)) => {
            Ok(OutOfService::Amount(resource.into_inner(), amount.get_ref().0, place))
        }
        (.., Some(_), None) => {
            Err(CalendarError { place, what: "give the `amount` of the resource, too".into() })
        }
        (.., None, Some(amount)) => Err(toml.error(amount.span().start, "an amount of which `resource`?")),
        (.., None, None) => Ok(OutOfService::Machine),
    }
}
