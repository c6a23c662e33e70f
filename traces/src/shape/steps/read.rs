use toml::de::DeTable;

use super::Planned;
use crate::located::{LocatedToml, Spanned};
use crate::nearest::nearest;
use crate::shape::settings::KIND;
use crate::shape::{STEPS, Settings, ShapeError, StepFault, StepSpec};

pub(super) fn steps(text: &str, file: &str) -> Result<Vec<Planned>, ShapeError> {
    let toml = LocatedToml::new(text, file);
    let table = toml.parse()?;
    toml.expect_keys(&table, &["step"])?;
    let mut planned: Vec<Planned> = Vec::new();
    for (table, at) in toml.list(&table, "step")? {
        planned.push(one(&toml, table, at, &planned)?);
    }
    Ok(planned)
}

fn one(
    toml: &LocatedToml<'_>,
    table: &DeTable<'_>,
    at: usize,
    before: &[Planned],
) -> Result<Planned, ShapeError> {
    let known = || STEPS.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
    let error = |at: usize, fault: StepFault| ShapeError { place: toml.place(at), fault };
    let kind: Option<Spanned<String>> = toml.value(table, KIND)?;
    let kind = kind.ok_or_else(|| error(at, StepFault::NoKind { known: known() }))?;
    let given = kind.get_ref();
    let spec: &'static StepSpec = STEPS.iter().find(|spec| spec.name == given).ok_or_else(|| {
        let nearest = nearest(given, STEPS.iter().map(|spec| spec.name)).map(str::to_owned);
        error(kind.span().start, StepFault::UnknownStep { given: given.clone(), nearest, known: known() })
    })?;
    toml.expect_keys(table, &[(spec.keys)(), &[KIND]].concat())?;
    let settings = Settings { toml, step: spec.name, table, at };
    let ordinal = 1 + before.iter().filter(|planned| planned.spec.name == spec.name).count();
    let step = (spec.build)(&settings)?;
    Ok(Planned { spec, detail: settings.detail(), place: toml.place(at), ordinal, step })
}
