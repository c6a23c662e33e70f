//! The targets of a rule: fields and columns that a log records, not values derived from them.

use crate::expr::{FieldInfo, recorded};
use crate::{Field, Number, Trace};

/// A field or a further column, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RuleTarget {
    name: String,
}

/// Where a target's values are stored in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Field(Field),
    /// A further column, by position.
    Column(usize),
}

impl Home {
    pub(super) fn value(self, trace: &Trace, row: usize) -> Number {
        match self {
            Home::Field(field) => trace.get(row, field),
            Home::Column(at) => trace.resource_at(at).map_or(Number::UNKNOWN, |column| column.get(row)),
        }
    }

    /// Returns a value as stored here: to the millionth, in further columns in whole units. `None` for a
    /// value that cannot be stored (not a number, out of range).
    pub(super) fn kept(self, value: f64) -> Option<Number> {
        let number = (value.abs() < 9.2e12).then(|| Number::from_micro((value * 1e6).round() as i64))?;
        Some(if matches!(self, Home::Column(_)) { Number::whole(number.truncated()) } else { number })
    }
}

impl RuleTarget {
    pub(super) fn named(name: &str) -> RuleTarget {
        RuleTarget { name: name.into() }
    }

    /// Returns where the values are stored.
    pub(super) fn home(&self, trace: &Trace) -> Result<Home, String> {
        let column = || trace.header.resources.iter().position(|column| column.name == self.name);
        match FieldInfo::find(&self.name) {
            Some(info) => match recorded(info.id) {
                Some(field) => Ok(Home::Field(field)),
                // A resource column may have the name of a derived value: memory.
                None => column()
                    .map(Home::Column)
                    .ok_or_else(|| format!("it is worked out, not recorded: {}", info.meaning)),
            },
            None => column().map(Home::Column).ok_or_else(|| self.unknown(trace)),
        }
    }

    fn unknown(&self, trace: &Trace) -> String {
        let fields = crate::expr::FIELDS.iter().filter(|info| recorded(info.id).is_some());
        let names = fields.map(|info| info.name);
        let names: Vec<&str> =
            names.chain(trace.header.resources.iter().map(|column| column.name.as_str())).collect();
        let meant = crate::nearest::meant(crate::nearest::nearest(&self.name, names.iter().copied()));
        format!("a trace has no such column{meant}; it has {}", names.join(", "))
    }
}

impl std::fmt::Display for RuleTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}
