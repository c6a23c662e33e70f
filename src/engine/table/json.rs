//! Values and objects that serialise to JSON in a fixed order.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::table::{Cell, Fact};

/// A number, written as an integer if it is whole; `null` if absent or not representable in JSON.
pub struct Value(pub Option<f64>);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Above 2^53 a float may differ from the integer that it prints as.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self.0.filter(|value| value.is_finite()) {
            None => serializer.serialize_none(),
            Some(value) if value.fract() == 0.0 && value.abs() <= EXACT => {
                serializer.serialize_i64(value as i64)
            }
            Some(value) => serializer.serialize_f64(value),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Number(number) => Value(Some(*number)).serialize(serializer),
            Cell::Interval(low, high) => [Value(Some(*low)), Value(Some(*high))].serialize(serializer),
            Cell::Empty => serializer.serialize_none(),
        }
    }
}

/// Facts as a JSON object.
pub struct FactsJson<'a>(pub &'a [Fact]);

impl Serialize for FactsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            object.serialize_entry(name, value)?;
        }
        object.end()
    }
}
