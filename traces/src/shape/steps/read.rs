//! Reads steps from the text of a file.

use super::{KIND, Planned};
use crate::located::LocatedValue;
use crate::nearest::nearest;
use crate::shape::error::{ShapeError, StepFault};
use crate::shape::registry::STEPS;
use crate::shape::settings::{Settings, SourceText};
use crate::shape::spec::StepSpec;

/// Reads all steps.
pub(super) fn steps(text: &str, file: &str) -> Result<Vec<Planned>, ShapeError> {
    let source = SourceText::new(file, text);
    let table = source.parse()?;
    let mut planned: Vec<Planned> = Vec::new();
    for (key, value) in &table {
        let not_a_step = || {
            let fault = StepFault::NotAStep { key: key.get_ref().to_string() };
            source.error(key.span().start, fault)
        };
        if key.get_ref() != "step" {
            return Err(not_a_step());
        }
        for value in value.get_ref().as_array().ok_or_else(not_a_step)? {
            planned.push(one(&source, value, &planned)?);
        }
    }
    Ok(planned)
}

fn one(source: &SourceText<'_>, value: &LocatedValue<'_>, before: &[Planned]) -> Result<Planned, ShapeError> {
    let at = value.span().start;
    let known = || STEPS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    let no_kind = || source.error(at, StepFault::NoKind { known: known() });
    let table = value.get_ref().as_table().ok_or_else(no_kind)?;
    let kind = table.get(KIND).ok_or_else(no_kind)?;
    let given = kind.get_ref().as_str().ok_or_else(no_kind)?;
    let spec: &'static StepSpec = STEPS.iter().find(|spec| spec.name == given).ok_or_else(|| {
        let nearest = nearest(given, STEPS.iter().map(|spec| spec.name)).map(str::to_owned);
        let fault = StepFault::UnknownStep { given: given.into(), nearest, known: known() };
        source.error(kind.span().start, fault)
    })?;
    let settings = Settings::new(source, spec, table, at)?;
    let ordinal = 1 + before.iter().filter(|planned| planned.spec.name == spec.name).count();
    let step = (spec.build)(&settings)?;
    Ok(Planned { spec, detail: settings.detail(), place: source.place(at), ordinal, step })
}
