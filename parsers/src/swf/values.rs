//! The values of header fields.

use batchlab_traces::header::{Counted, Named, Preemption, ResourceDeclaration, Scope};

use crate::normal::MOST_COLUMNS;

/// Why a value does not count.
pub(super) enum Fault {
    /// It is not what it should be.
    Expected(&'static str),
    /// An earlier line says something else.
    Repeated,
}

/// Sets a value that a header has once.
pub(super) fn once<T: PartialEq>(slot: &mut Option<T>, value: T) -> Result<(), Fault> {
    match slot {
        Some(earlier) if *earlier != value => Err(Fault::Repeated),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

/// Sets a count; a negative one is SWF's way to say unknown.
pub(super) fn once_count(slot: &mut Option<i64>, value: &str) -> Result<(), Fault> {
    let count = counted(value)?.count;
    if count < 0 { Ok(()) } else { once(slot, count) }
}

/// As [`once_count`], with the remark behind it.
pub(super) fn once_counted(slot: &mut Option<Counted>, value: &str) -> Result<(), Fault> {
    let counted = counted(value)?;
    if counted.count < 0 { Ok(()) } else { once(slot, counted) }
}

/// A whole number and whatever follows it.
pub(super) fn counted(value: &str) -> Result<Counted, Fault> {
    let (count, remark) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let count = count.parse().map_err(|_| Fault::Expected("a whole number"))?;
    Ok(Counted { count, remark: remark.trim().into() })
}

/// A number and a name, which may be empty.
pub(super) fn named(value: &str) -> Result<Named, Fault> {
    let counted = counted(value).map_err(|_| Fault::Expected("a number and a name"))?;
    Ok(Named { number: counted.count, name: counted.remark })
}

/// Takes one more resource.
pub(super) fn declare(resources: &mut Vec<ResourceDeclaration>, value: &str) -> Result<(), Fault> {
    let form = "of the form `NUMBER NAME UNIT capacity=AMOUNT scope=pool` (or scope=node)";
    let (number, declaration) = resource(value).ok_or(Fault::Expected(form))?;
    if resources.len() >= MOST_COLUMNS {
        return Err(Fault::Expected("one of the first 256 columns"));
    }
    if number != resources.len() as i64 + 1 {
        return Err(Fault::Expected("numbered by its column: 1, 2, 3"));
    }
    if resources.iter().any(|other| other.name == declaration.name) {
        return Err(Fault::Expected("named differently from the others"));
    }
    resources.push(declaration);
    Ok(())
}

/// The words of the format.
pub(super) fn preemption(value: &str) -> Result<Preemption, Fault> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "no" => Ok(Preemption::No),
        "yes" => Ok(Preemption::Parts),
        "double" => Ok(Preemption::Double),
        "ts" => Ok(Preemption::TimeSlicing),
        _ => Err(Fault::Expected("one of No, Yes, Double, TS")),
    }
}

/// Yes or no, as people write it.
pub(super) fn yes_or_no(value: &str) -> Result<bool, Fault> {
    let word = value.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    match word.as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(Fault::Expected("Yes or No")),
    }
}

/// Parses `1 memory KB capacity=1024 scope=pool`; unit, capacity and scope may be missing.
fn resource(value: &str) -> Option<(i64, ResourceDeclaration)> {
    let mut words = value.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let name = words.next().filter(|name| !name.contains('='))?;
    let mut resource =
        ResourceDeclaration { name: name.into(), unit: String::new(), capacity: None, scope: Scope::Pool };
    for word in words {
        match word.split_once('=') {
            Some(("capacity", amount)) => {
                resource.capacity = Some(amount.parse().ok().filter(|&amount| amount >= 0)?);
            }
            Some(("scope", word)) => {
                resource.scope = Scope::NAMES.iter().find(|(_, name)| *name == word)?.0;
            }
            None if resource.unit.is_empty() => resource.unit = word.into(),
            _ => return None,
        }
    }
    Some((number, resource))
}
