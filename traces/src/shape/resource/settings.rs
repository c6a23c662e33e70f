//! Reads a resource from the table of a file.

use super::amounts::{AmountRange, Round};
use super::copula::Copula;
use super::law::Law;
use super::leinberger::Leinberger;
use super::sheikhalishahi::{ADDED, Sheikhalishahi};
use super::{Per, Resource, Source};
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::shape::condition::Condition;
use crate::shape::error::ShapeError;
use crate::shape::formula::Formula;
use crate::shape::settings::Settings;
use crate::shape::spec::Step;

/// The number of parts in a capacity of which only fractions are known.
const PARTS: i64 = 1_000_000;

/// Parameters that only some laws have.
const OF_LAWS: [(&str, &[&str]); 9] = [
    ("constant", &["value"]),
    ("uniform", &["min", "max"]),
    ("normal", &["mean", "sd"]),
    ("lognormal", &["median", "sigma"]),
    ("exponential", &["mean"]),
    ("empirical", &["column", "from"]),
    ("expression", &["expr"]),
    ("leinberger", &["v", "cpu", "on"]),
    ("sheikhalishahi", &["min", "max"]),
];

/// Creates the step.
pub(super) fn build(settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
    let laws = OF_LAWS.map(|(law, _)| (law, law));
    let law =
        settings.word("law", &laws)?.ok_or_else(|| settings.missing("law, such as law = \"uniform\""))?;
    let own = OF_LAWS.iter().find(|(name, _)| *name == law).map_or(&[][..], |(_, own)| own);
    for (_, params) in OF_LAWS {
        let idle: Vec<&str> = params.iter().copied().filter(|param| !own.contains(param)).collect();
        settings.refuse(&idle, &format!("law = \"{law}\""))?;
    }
    if law == "leinberger" {
        return leinberger(settings);
    }
    let resource = resource(settings, law)?;
    Ok(if law == "sheikhalishahi" { Box::new(Sheikhalishahi(resource)) } else { Box::new(resource) })
}

fn resource(settings: &Settings<'_>, law: &'static str) -> Result<Resource, ShapeError> {
    let preset = law == "sheikhalishahi";
    let fraction = settings.flag("fraction")?.unwrap_or(preset);
    let declaration = declaration(settings, fraction)?;
    let columns = if preset {
        settings.refuse(&["name", "count"], "law = \"sheikhalishahi\"")?;
        ADDED.map(str::to_owned).to_vec()
    } else {
        numbered(&declaration.name, count(settings, 1)?)
    };
    let pers = [("job", Per::Job), ("processor", Per::Processor), ("node", Per::Node)];
    let of_pool = if declaration.scope == ColumnScope::Pool { declaration.capacity } else { None };
    let source = source(settings, law)?;
    let copula = copula(settings)?;
    if matches!(source, Source::Formula(_)) {
        settings.refuse(&["correlate", "rho", "clip"], "law = \"expression\"")?;
    }
    Ok(Resource {
        columns,
        unit: declaration.unit,
        scope: declaration.scope,
        capacity: declaration.capacity,
        source,
        scale: if fraction { declaration.capacity.unwrap_or(PARTS) as f64 } else { 1.0 },
        per: settings.word("per", &pers)?.unwrap_or(if preset { Per::Node } else { Per::Job }),
        bounds: AmountRange {
            least: settings.number("least", 0.0, 1e15)?.unwrap_or(0.0),
            most: match settings.number("most", 0.0, 1e15)? {
                Some(most) => most,
                None => of_pool.map_or(f64::INFINITY, |capacity| capacity as f64),
            },
            redraw: redraw(settings, false)?,
        },
        round: round(settings)?,
        copula,
        otherwise: settings.whole("otherwise", -1)?.unwrap_or(0),
        only: Condition::read(settings)?,
    })
}

fn leinberger(settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
    let idle = ["least", "most", "per", "correlate", "rho", "fraction", "otherwise"];
    settings.refuse(&idle, "law = \"leinberger\"")?;
    let declaration = declaration(settings, true)?;
    let cpu = settings.word("cpu", &[("draw", true), ("keep", false)])?.unwrap_or(true);
    let count = count(settings, 2)?;
    let variance = settings.number("v", f64::MIN_POSITIVE, 1e6)?.ok_or_else(|| settings.missing("v"))?;
    let scale = declaration.capacity.unwrap_or(PARTS);
    if cpu && scale > crate::Machine::MOST_PROCS {
        return Err(settings.wrong("capacity", "at most 2147483647, the processors being drawn"));
    }
    Ok(Box::new(Leinberger {
        name: declaration.name.clone(),
        // If the processors are one of the K resources and are kept, K-1 are to be drawn.
        count: if cpu { count } else { count - 1 },
        cpu,
        variance,
        on_draw: settings.word("on", &[("draw", true), ("requirement", false)])?.unwrap_or(true),
        redraw: redraw(settings, true)?,
        round: round(settings)?,
        scale,
        declaration,
        only: Condition::read(settings)?,
    }))
}

/// Returns the declaration of the columns.
fn declaration(settings: &Settings<'_>, fraction: bool) -> Result<ResourceDeclaration, ShapeError> {
    let word = |key: &str| -> Result<Option<String>, ShapeError> {
        let text = settings.text(key)?;
        let plain = |text: &str| !text.contains(|letter: char| letter.is_whitespace() || letter == '=');
        match text {
            Some(text) if !plain(&text) => Err(settings.wrong(key, "one word without `=`")),
            other => Ok(other),
        }
    };
    let scope = settings.word("scope", &ColumnScope::NAMES.map(|(scope, word)| (word, scope)))?;
    let preset = settings.text("law")?.as_deref() == Some("sheikhalishahi");
    let name = word("name")?;
    if name.is_none() && !preset {
        return Err(settings.missing("name"));
    }
    let capacity = settings.whole("capacity", 1)?;
    let scope = scope.unwrap_or(if preset { ColumnScope::Node } else { ColumnScope::Pool });
    if scope == ColumnScope::Job && !fraction {
        settings.refuse(&["capacity"], "scope = \"job\"")?;
    }
    let unit = word("unit")?;
    let parts = fraction && capacity.is_none();
    Ok(ResourceDeclaration {
        name: name.unwrap_or_default(),
        unit: unit.unwrap_or_else(|| if parts { "ppm".into() } else { String::new() }),
        capacity: capacity.or(parts.then_some(PARTS)),
        scope,
    })
}

fn source(settings: &Settings<'_>, law: &'static str) -> Result<Source, ShapeError> {
    let need = |key: &str| settings.missing(&format!("{key} with law = \"{law}\""));
    let number = |key: &str, least: f64| settings.number(key, least, 1e15)?.ok_or_else(|| need(key));
    let above = f64::MIN_POSITIVE;
    let law = match law {
        "constant" => Law::Constant(number("value", 0.0)?),
        "uniform" | "sheikhalishahi" => {
            let min = settings.number("min", 0.0, 1e15)?.unwrap_or(0.0);
            let max = settings.number("max", 0.0, 1e15)?;
            let max = max.or((law == "sheikhalishahi").then_some(1.0)).ok_or_else(|| need("max"))?;
            if max < min {
                return Err(settings.wrong("max", &format!("at least min, {min}")));
            }
            Law::Uniform(min, max)
        }
        "normal" => Law::Normal(number("mean", -1e15)?, number("sd", above)?),
        "lognormal" => Law::Lognormal(number("median", above)?, number("sigma", above)?),
        "exponential" => Law::Exponential(number("mean", above)?),
        "empirical" => {
            let column = Formula::read(settings, "column")?.ok_or_else(|| need("column"))?;
            return Ok(Source::Empirical { column, from: settings.text("from")? });
        }
        _ => return Ok(Source::Formula(Formula::read(settings, "expr")?.ok_or_else(|| need("expr"))?)),
    };
    Ok(Source::Law(law))
}

fn copula(settings: &Settings<'_>) -> Result<Option<Copula>, ShapeError> {
    let (with, rho) = (Formula::read(settings, "correlate")?, settings.number("rho", -1.0, 1.0)?);
    match (with, rho) {
        (Some(with), Some(rho)) => Ok(Some(Copula { with, rho })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(settings.missing("rho with correlate")),
        (None, Some(_)) => Err(settings.missing("correlate with rho")),
    }
}

fn count(settings: &Settings<'_>, default: usize) -> Result<usize, ShapeError> {
    let count = settings.whole("count", 1)?.map_or(default, |count| count as usize);
    if count > 64 { Err(settings.wrong("count", "a whole number from 1 to 64")) } else { Ok(count) }
}

fn redraw(settings: &Settings<'_>, default: bool) -> Result<bool, ShapeError> {
    Ok(settings.word("clip", &[("clamp", false), ("redraw", true)])?.unwrap_or(default))
}

fn round(settings: &Settings<'_>) -> Result<Round, ShapeError> {
    let words = [("nearest", Round::Nearest), ("up", Round::Up), ("down", Round::Down)];
    Ok(settings.word("round", &words)?.unwrap_or(Round::Nearest))
}

fn numbered(name: &str, count: usize) -> Vec<String> {
    match count {
        1 => vec![name.to_owned()],
        _ => (1..=count).map(|number| format!("{name}{number}")).collect(),
    }
}
