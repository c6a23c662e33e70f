use batchlab_traces::located::{LocatedError, LocatedToml, Spanned};
use toml::Value;

use super::super::mapping::Meaning;
use super::super::target::To;

/// Words for the ends of jobs, each with its status in SWF's code and whether the job never started.
const STATES: [(&str, i64, bool); 6] = [
    ("completed", 1, false),
    ("failed", 0, false),
    ("cancelled", 5, false),
    ("running", -1, false),
    ("waiting", -1, true),
    ("unknown", -1, false),
];

/// Returns the meaning that a mapping gives to a word of a column with this destination.
pub(super) fn meaning(
    toml: &LocatedToml<'_>,
    to: &To,
    raw: &Spanned<Value>,
) -> Result<Meaning, LocatedError> {
    let error = |what: &str| Err(toml.error(raw.span().start, what));
    let number = |value: f64| Meaning::Number((value * 1e6).round() as i128);
    match (to, raw.get_ref()) {
        (To::Status, Value::String(word)) => match STATES.iter().find(|(name, ..)| name == word) {
            Some(&(_, status, waiting)) => Ok(Meaning::State { status, waiting }),
            None => error("a status is completed, failed, cancelled, running, waiting or unknown"),
        },
        (To::Status, Value::Integer(status @ -1..=5)) => {
            Ok(Meaning::State { status: *status, waiting: false })
        }
        (To::Status, _) => error("a status is a word or one of SWF's numbers from -1 to 5"),
        (_, Value::String(word)) if word == "unknown" => Ok(Meaning::Unknown),
        (To::Name(_), Value::String(name)) => Ok(Meaning::Text(name.as_bytes().into())),
        (To::Name(_), Value::Integer(number)) => Ok(Meaning::Text(number.to_string().into_bytes().into())),
        (To::Instant(_) | To::NodeSpec | To::Ignore, _) => {
            error("this destination takes no words; use `missing` for markers")
        }
        (_, Value::Integer(value)) if (0..9_000_000_000_000).contains(value) => {
            Ok(Meaning::Number(i128::from(*value) * 1_000_000))
        }
        (_, Value::Float(value)) if (0.0..9e12).contains(value) => Ok(number(*value)),
        _ => error("this destination takes numbers from 0 to 9e12, or \"unknown\""),
    }
}
