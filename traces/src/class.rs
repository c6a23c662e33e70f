//! Classes of jobs by user, group, account, partition, queue and service class, as files of a site state them.

use std::collections::HashMap;

use serde::Deserialize;
use toml::de::DeTable;

use crate::header::{Header, Named};
use crate::located::values::{OneOrMore, value_of_toml};
use crate::located::{LocatedError, LocatedToml, Spanned, keys};
use crate::nearest::{meant, nearest};
use crate::{Column, Field, JobId, SourcePlace, Trace, Workload};

/// A class of jobs as a table of a file states it: each key is `partition`, `queue`, `user`, `group`, `account` or `qos`, and its
/// value is a number of the log, a name of its header, a list of them (together), or `"*"` (each separately).
#[derive(Clone, Debug, PartialEq)]
pub struct JobClass {
    properties: Vec<(Property, Members)>,
    /// Where the table begins.
    pub place: SourcePlace,
    /// The keys and values as written: `partition = "gpu", user = "*"`.
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    Partition,
    Queue,
    User,
    Group,
    Account,
    Qos,
}

#[derive(Clone, Debug, PartialEq)]
enum Members {
    /// Each value separately.
    Each,
    /// These values together.
    These(Vec<Value>),
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(i64),
    Name(String, SourcePlace),
}

/// The class number of jobs that are not of a class.
pub const NO_CLASS: u32 = u32::MAX;

const PROPERTIES: [Property; 6] =
    [Property::Partition, Property::Queue, Property::User, Property::Group, Property::Account, Property::Qos];

impl JobClass {
    /// Reads the class that a table states, among other keys; without any of [`JobClass::keys`], all jobs together.
    /// `at` is where the table begins.
    ///
    /// # Errors
    /// At the first value that is neither a number, nor a name, nor a list of them, nor `"*"`.
    pub fn read(toml: &LocatedToml<'_>, table: &DeTable<'_>, at: usize) -> Result<JobClass, LocatedError> {
        let text: ClassText = toml.part(table, at)?;
        let stated = [text.partition, text.queue, text.user, text.group, text.account, text.qos];
        let mut properties = Vec::new();
        let mut words = Vec::new();
        for (property, value) in PROPERTIES.into_iter().zip(stated) {
            let Some(value) = value else { continue };
            words.push(format!("{} = {}", property.key(), toml.written(value.span())));
            properties.push((property, Members::of(toml, property.key(), value)?));
        }
        let words = if words.is_empty() { "all jobs together".into() } else { words.join(", ") };
        Ok(JobClass { properties, place: toml.place(at), words })
    }

    /// Returns the keys of a table that state a class.
    pub fn keys() -> &'static [&'static str] {
        keys::<ClassText>()
    }

    /// Whether jobs are classified by each value of a property separately.
    pub fn is_divided(&self) -> bool {
        self.properties.iter().any(|(_, members)| *members == Members::Each)
    }

    /// Returns the number of the class of each job, by its row in the trace; [`NO_CLASS`] for jobs that are in none. Only
    /// a class that [is divided](JobClass::is_divided) has numbers above 0. O(jobs).
    ///
    /// # Errors
    /// When a name is not one of the log's, or the log has no service classes.
    pub fn of_jobs(&self, workload: &Workload, trace: &Trace) -> Result<Vec<u32>, LocatedError> {
        let mut properties = Vec::new();
        for (property, members) in &self.properties {
            let values = Values::of(*property, trace)
                .map_err(|what| LocatedError { place: self.place.clone(), what })?;
            let these = match members {
                Members::Each => None,
                Members::These(these) => {
                    let numbers = these.iter().map(|value| values.number(value, &trace.header));
                    Some(numbers.collect::<Result<Vec<i64>, _>>()?)
                }
            };
            properties.push((values, these));
        }
        let mut known: HashMap<Vec<i64>, u32> = HashMap::new();
        let rows = workload.jobs().map(|job| workload.row(job) + 1).max().unwrap_or(0);
        let mut classes = vec![NO_CLASS; rows];
        let mut key = Vec::new();
        for job in workload.jobs() {
            key.clear();
            let mut concerned = true;
            for (values, these) in &properties {
                let value = values.get(workload, job);
                match these {
                    // All unknown numbers count as the same one.
                    None => key.push(value.max(-1)),
                    Some(these) => concerned &= these.contains(&value),
                }
            }
            if concerned {
                let next = known.len() as u32;
                classes[workload.row(job)] = match known.get(&key) {
                    Some(&class) => class,
                    None => *known.entry(key.clone()).or_insert(next),
                };
            }
        }
        Ok(classes)
    }
}

impl Property {
    fn key(self) -> &'static str {
        JobClass::keys()[self as usize]
    }
}

#[derive(Deserialize)]
struct ClassText {
    partition: Option<Spanned<OneOrMore<MemberText>>>,
    queue: Option<Spanned<OneOrMore<MemberText>>>,
    user: Option<Spanned<OneOrMore<MemberText>>>,
    group: Option<Spanned<OneOrMore<MemberText>>>,
    account: Option<Spanned<OneOrMore<MemberText>>>,
    qos: Option<Spanned<OneOrMore<MemberText>>>,
}

/// A value by number or by name, or `*`.
#[derive(Clone, PartialEq)]
enum MemberText {
    Each,
    Number(i64),
    Name(String),
}

const MEMBER: &str = "a number of the log, a name, a list of them, or \"*\" for each separately";

value_of_toml!(MemberText, MEMBER, |value| match value {
    toml::Value::Integer(number) => (*number >= 0).then_some(MemberText::Number(*number)),
    other => match other.as_str()?.trim() {
        "" => None,
        "*" => Some(MemberText::Each),
        name => Some(MemberText::Name(name.to_owned())),
    },
});

impl Members {
    fn of(
        toml: &LocatedToml<'_>,
        key: &str,
        values: Spanned<OneOrMore<MemberText>>,
    ) -> Result<Members, LocatedError> {
        let alone = values.span();
        let values = values.into_inner();
        if matches!(&values.0[..], [one] if *one.get_ref() == MemberText::Each && one.span() == alone) {
            return Ok(Members::Each);
        }
        let one = |value: Spanned<MemberText>| {
            let at = value.span().start;
            match value.into_inner() {
                MemberText::Number(number) => Ok(Value::Number(number)),
                MemberText::Name(name) => Ok(Value::Name(name, toml.place(at))),
                MemberText::Each => Err(toml.error(at, format!("`{key}` must be {MEMBER}"))),
            }
        };
        Ok(Members::These(values.0.into_iter().map(one).collect::<Result<_, _>>()?))
    }
}

/// A property of the jobs of a log.
struct Values<'a> {
    property: Property,
    field: Field,
    /// The further column that has the property, instead of the field, if there is one.
    column: Option<&'a Column>,
}

impl Values<'_> {
    fn of(property: Property, trace: &Trace) -> Result<Values<'_>, String> {
        let field = match property {
            Property::Partition => Field::Partition,
            Property::Queue => Field::Queue,
            Property::User => Field::User,
            Property::Group | Property::Account | Property::Qos => Field::Group,
        };
        let column = match property {
            Property::Account | Property::Qos => trace.resource(property.key()),
            _ => None,
        };
        if property == Property::Qos && column.is_none() {
            return Err(
                "the log has no column `qos`: logs of Slurm do, or another format by a mapping with such a \
                        column; most logs have a `queue` or a `partition` instead"
                    .into(),
            );
        }
        Ok(Values { property, field, column })
    }

    fn get(&self, workload: &Workload, job: JobId) -> i64 {
        match self.column {
            Some(column) => column.whole(workload.row(job)),
            None => workload.attribute(job, self.field),
        }
    }

    /// Returns the number of a value; names are those of the header: queues, partitions, and notes such as `qos 2: high`.
    fn number(&self, value: &Value, header: &Header) -> Result<i64, LocatedError> {
        let (name, place) = match value {
            Value::Number(number) => return Ok(*number),
            Value::Name(name, place) => (name, place),
        };
        let key = self.property.key();
        let noted: Vec<Named>;
        let known = match self.property {
            Property::Partition => &header.partition,
            Property::Queue => &header.queue,
            _ => {
                let group = (self.property == Property::Account).then_some("group");
                let keys = [Some(key), group].into_iter().flatten();
                noted = keys.flat_map(|key| header.noted(key)).collect();
                &noted
            }
        };
        let found = known.iter().find(|known| known.is_called(name));
        found.map(|known| known.number).ok_or_else(|| {
            let meant = meant(nearest(name, known.iter().map(|known| known.name.as_str())));
            let what =
                format!("the log's header has no {key} `{name}`{meant}; numbers of the log need no header");
            LocatedError { place: place.clone(), what }
        })
    }
}
