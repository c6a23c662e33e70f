//! Parses the values of header fields.

use batchlab_traces::header::{ColumnScope, Named, RemarkedCount, ResourceDeclaration, SwfPreemption};

use crate::normal::MOST_COLUMNS;

/// The reason why a value is not used.
pub(super) enum ValueError {
    Expected(&'static str),
    /// An earlier line gives another value.
    Repeated,
}

/// Sets a value that a header has only once.
pub(super) fn once<T: PartialEq>(slot: &mut Option<T>, value: T) -> Result<(), ValueError> {
    if slot.as_ref().is_some_and(|earlier| *earlier != value) {
        return Err(ValueError::Repeated);
    }
    *slot = Some(value);
    Ok(())
}

/// Sets a count; a negative one means unknown.
pub(super) fn once_count(slot: &mut Option<i64>, value: &str) -> Result<(), ValueError> {
    let count = counted(value)?.count;
    if count < 0 { Ok(()) } else { once(slot, count) }
}

/// Like [`once_count`], with the text after the number.
pub(super) fn once_counted(slot: &mut Option<RemarkedCount>, value: &str) -> Result<(), ValueError> {
    let counted = counted(value)?;
    if counted.count < 0 { Ok(()) } else { once(slot, counted) }
}

/// Parses a whole number and the text after it.
pub(super) fn counted(value: &str) -> Result<RemarkedCount, ValueError> {
    let (count, remark) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let count = count.parse().map_err(|_| ValueError::Expected("a whole number"))?;
    Ok(RemarkedCount { count, remark: remark.trim().into() })
}

/// Parses a number and a name, which may be empty.
pub(super) fn named(value: &str) -> Result<Named, ValueError> {
    let counted = counted(value).map_err(|_| ValueError::Expected("a number and a name"))?;
    Ok(Named { number: counted.count, name: counted.remark })
}

pub(super) fn declare(resources: &mut Vec<ResourceDeclaration>, value: &str) -> Result<(), ValueError> {
    let form = "of the form `NUMBER NAME UNIT capacity=AMOUNT scope=pool` (or scope=node)";
    let (number, declaration) = resource(value).ok_or(ValueError::Expected(form))?;
    if resources.len() >= MOST_COLUMNS {
        return Err(ValueError::Expected("one of the first 256 columns"));
    }
    if number != resources.len() as i64 + 1 {
        return Err(ValueError::Expected("numbered by its column: 1, 2, 3"));
    }
    if resources.iter().any(|other| other.name == declaration.name) {
        return Err(ValueError::Expected("named differently from the others"));
    }
    resources.push(declaration);
    Ok(())
}

pub(super) fn preemption(value: &str) -> Result<SwfPreemption, ValueError> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "no" => Ok(SwfPreemption::No),
        "yes" => Ok(SwfPreemption::Parts),
        "double" => Ok(SwfPreemption::Double),
        "ts" => Ok(SwfPreemption::TimeSlicing),
        _ => Err(ValueError::Expected("one of No, Yes, Double, TS")),
    }
}

pub(super) fn yes_or_no(value: &str) -> Result<bool, ValueError> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(ValueError::Expected("Yes or No")),
    }
}

/// Parses `1 memory KB capacity=1024 scope=pool`; unit, capacity and scope may be missing.
fn resource(value: &str) -> Option<(i64, ResourceDeclaration)> {
    let mut words = value.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let name = words.next().filter(|name| !name.contains('='))?;
    let (unit, scope) = (String::new(), ColumnScope::Pool);
    let mut resource = ResourceDeclaration { name: name.into(), unit, capacity: None, scope };
    for word in words {
        match word.split_once('=') {
            Some(("capacity", amount)) => {
                resource.capacity = Some(amount.parse().ok().filter(|&amount| amount >= 0)?);
            }
            Some(("scope", word)) => {
                resource.scope = ColumnScope::NAMES.iter().find(|(_, name)| *name == word)?.0;
            }
            None if resource.unit.is_empty() => resource.unit = word.into(),
            _ => return None,
        }
    }
    Some((number, resource))
}
