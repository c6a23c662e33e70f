//! Reads a resource from the table of a file.

use serde::Deserialize;

use super::amounts::{AmountRange, Round};
use super::copula::Copula;
use super::law::Law;
use super::leinberger::Leinberger;
use super::sheikhalishahi::{ADDED, Sheikhalishahi};
use super::{Per, Resource, Source};
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::located::values::{Text, Whole, value_of_toml};
use crate::shape::settings::values::Word;
use crate::shape::{
    Condition, Formula, FormulaText, Settings, ShapeError, Step, StepText, choices, numbers, parameters,
};

/// The parts into which a capacity is divided if only fractions of it are known.
const PARTS: i64 = 1_000_000;

/// Parameters that only some laws have.
const OF_LAWS: [(LawName, &[&str]); 9] = [
    (LawName::Constant, &["value"]),
    (LawName::Uniform, &["min", "max"]),
    (LawName::Normal, &["mean", "sd"]),
    (LawName::Lognormal, &["median", "sigma"]),
    (LawName::Exponential, &["mean"]),
    (LawName::Empirical, &["column", "from"]),
    (LawName::Expression, &["expr"]),
    (LawName::Leinberger, &["v", "cpu", "on", "average"]),
    (LawName::Sheikhalishahi, &["min", "max"]),
];

parameters! {
    pub(super) struct ResourceText;
    name: Option<Word> = "none", "one word",
        "name of the column; a column of that name is replaced. With a count above 1 the columns are NAME1, NAME2, \
         ...; needed by all laws but sheikhalishahi, which adds io, net_in and net_out";
    unit: Option<Word> = "\"\"", "one word",
        "unit of the amounts and of the capacity";
    scope: Option<ColumnScope> = "pool", "pool, node or job",
        "what has the capacity: the machine, each node, or nothing, for a column that is not a demand";
    capacity: Option<Whole<1>> = "none", "a whole number from 1",
        "capacity of the machine or of a node, written to the header";
    law: Option<LawName> = "none",
        "constant, uniform, normal, lognormal, exponential, empirical, expression, leinberger or sheikhalishahi",
        "where amounts come from; this is needed. leinberger: processors / machine * Normal(0.5, v), for `count` \
         resources of which the processors are the first; sheikhalishahi: uniform on [min, max] for io, net_in and \
         net_out, processors and memory as in the log";
    value: Option<Amount> = "none", "a number from 0",
        "the amount, for constant";
    min: Option<Amount> = "0", "a number from 0",
        "the least, for uniform and sheikhalishahi";
    max: Option<Amount> = "none; 1 for sheikhalishahi", "a number from 0",
        "the most, not included, for uniform and sheikhalishahi";
    mean: Option<Mean> = "none", "a number",
        "the mean, for normal and exponential";
    sd: Option<Above> = "none", "a number above 0",
        "the standard deviation, for normal";
    median: Option<Above> = "none", "a number above 0",
        "the median, for lognormal";
    sigma: Option<Above> = "none", "a number above 0",
        "the standard deviation of the natural logarithm, for lognormal";
    column: Option<FormulaText> = "none", "an expression such as memory",
        "for empirical: the source from which amounts are drawn, with replacement; values that the log does not give \
         are left out";
    from: Option<Text> = "this log", "the name of a log",
        "for empirical: the log that `column` is of";
    expr: Option<FormulaText> = "none", "an expression such as 512 * procs or uniform(1, 4)",
        "for expression: the amount; its draws are seeded and keyed by job as those of the laws are";
    v: Option<Variance> = "none", "a number above 0",
        "for leinberger: the variance of the normal distribution (.01, .1 and 1 in the paper)";
    count: Option<Count> = "1; 2 for leinberger", "a whole number from 1 to 64",
        "how many columns are drawn; for leinberger the number K of resources, the processors included";
    cpu: Cpu = "draw", "draw or keep",
        "for leinberger: whether the processors are drawn as the other resources are (fields 5 and 8 and MaxProcs are \
         millionths of the machine then, at least 1), or stay and K-1 resources are added";
    on: On = "draw", "draw or requirement",
        "for leinberger: whether `clip` keeps the normal draw within [0, 1], or the requirement, which is the draw \
         times the size; at v = 1, 62 % of the draws are outside";
    average: Average = "half", "half or size",
        "for leinberger: what a job requires of each resource on average: half its size, as the draws have the mean .5; or \
         its size, with the draws divided by .5, and at most the whole machine";
    fraction: Option<bool> = "false; true for leinberger and sheikhalishahi", "true or false",
        "whether the law gives fractions of the capacity, which is 1,000,000 ppm then unless it is given";
    per: Option<Per> = "job; node for sheikhalishahi", "job, processor or node",
        "what the law gives the amount of; it is multiplied by the job's processors, or by the nodes that they fill \
         (MaxProcs / MaxNodes to a node, rounded up)";
    least: Option<Amount> = "0", "a number from 0",
        "the least amount of a job";
    most: Option<Amount> = "the capacity of a pool, else none", "a number from 0",
        "the most";
    clip: Option<Clip> = "clamp; redraw for leinberger", "clamp or redraw",
        "amounts outside the bounds are moved to the bound, or drawn again until they are inside (drawn once from the \
         law cut at the bounds, which is the same and leaves rank correlations alone)";
    round: Round = "nearest", "nearest, up or down",
        "how amounts become whole numbers of the unit";
    correlate: Option<FormulaText> = "none", "an expression such as run or procs",
        "the column with which the amount is correlated; jobs for which the log does not give it draw freely";
    rho: Option<Rho> = "none", "a number from -1 to 1",
        "Spearman's rank correlation with it before rounding, clamping and scaling by `per`, ties of the other being \
         broken at random; both that and the one of the amounts are reported, ties counted as ties";
    otherwise: Option<Whole<-1>> = "0", "a whole number from -1",
        "amount of the jobs that `where` leaves out, unless the column was there before; -1 is unknown";
    r#where: Option<FormulaText> = Condition::PARAM;
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LawName {
    Constant,
    Uniform,
    Normal,
    Lognormal,
    Exponential,
    Empirical,
    Expression,
    Leinberger,
    Sheikhalishahi,
}

numbers! {
    Amount: 0.0..=1e15, "a number from 0 to 1000000000000000";
    Above: f64::MIN_POSITIVE..=1e15, "a number above 0, up to 1000000000000000";
    Mean: -1e15..=1e15, "a number from -1000000000000000 to 1000000000000000";
    Variance: f64::MIN_POSITIVE..=1e6, "a number above 0, up to 1000000";
    Rho: -1.0..=1.0, "a number from -1 to 1";
}

#[derive(Clone, Copy)]
struct Count(usize);

value_of_toml!(Count, "a whole number from 1 to 64", |value| {
    usize::try_from(value.as_integer()?).ok().filter(|count| (1..=64).contains(count)).map(Count)
});

choices! {
    /// What happens to the processors with Leinberger's law.
    Cpu: Draw | Keep;
    /// What `clip` applies to with Leinberger's law.
    On: Draw | Requirement;
    /// The mean requirement with Leinberger's law.
    Average: Half | Size;
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Clip {
    Clamp,
    Redraw,
}

impl StepText for ResourceText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let law = self.law.ok_or_else(|| settings.missing("law, such as law = \"uniform\""))?;
        let own = OF_LAWS.iter().find(|(name, _)| *name == law).map_or(&[][..], |(_, own)| own);
        for (_, params) in OF_LAWS {
            let idle: Vec<&str> = params.iter().copied().filter(|param| !own.contains(param)).collect();
            settings.refuse(&idle, &settings.shown("law"))?;
        }
        Ok(match law {
            LawName::Leinberger => Box::new(leinberger(self, settings)?),
            LawName::Sheikhalishahi => Box::new(Sheikhalishahi(resource(self, law, settings)?)),
            _ => Box::new(resource(self, law, settings)?),
        })
    }
}

fn resource(text: ResourceText, law: LawName, settings: &Settings<'_>) -> Result<Resource, ShapeError> {
    let preset = law == LawName::Sheikhalishahi;
    let fraction = text.fraction.unwrap_or(preset);
    let declaration = declaration(&text, fraction, settings)?;
    let columns = if preset {
        settings.refuse(&["name", "count"], &settings.shown("law"))?;
        ADDED.map(str::to_owned).to_vec()
    } else {
        numbered(&declaration.name, text.count.map_or(1, |count| count.0))
    };
    let of_pool = declaration.capacity.filter(|_| declaration.scope == ColumnScope::Pool);
    let most = text.most.map(|most| most.0).or(of_pool.map(|capacity| capacity as f64));
    let bounds = AmountRange {
        least: text.least.map_or(0.0, |least| least.0),
        most: most.unwrap_or(f64::INFINITY),
        redraw: text.clip == Some(Clip::Redraw),
    };
    if law == LawName::Expression {
        settings.refuse(&["correlate", "rho", "clip"], &settings.shown("law"))?;
    }
    let source = match law_of(&text, law, settings)? {
        Some(law) => Source::Law(law),
        None if law == LawName::Empirical => {
            let column = Formula::of(needed(text.column, "column", settings)?, settings);
            Source::Empirical { column, from: text.from.map(|from| from.0) }
        }
        None => Source::Formula(Formula::of(needed(text.expr, "expr", settings)?, settings)),
    };
    Ok(Resource {
        columns,
        source,
        scale: if fraction { declaration.capacity.unwrap_or(PARTS) as f64 } else { 1.0 },
        declaration,
        per: text.per.unwrap_or(if preset { Per::Node } else { Per::Job }),
        bounds,
        round: text.round,
        copula: copula(text.correlate, text.rho, settings)?,
        otherwise: text.otherwise.map_or(0, |amount| amount.0),
        only: Condition::of(text.r#where, settings),
    })
}

fn leinberger(text: ResourceText, settings: &Settings<'_>) -> Result<Leinberger, ShapeError> {
    let idle = ["least", "most", "per", "correlate", "rho", "fraction", "otherwise"];
    settings.refuse(&idle, &settings.shown("law"))?;
    let declaration = declaration(&text, true, settings)?;
    let cpu = text.cpu == Cpu::Draw;
    let count = text.count.map_or(2, |count| count.0);
    let scale = declaration.capacity.unwrap_or(PARTS);
    if cpu && scale > crate::Machine::MOST_PROCS {
        return Err(settings.wrong("capacity", "at most 2147483647, the processors being drawn"));
    }
    Ok(Leinberger {
        name: declaration.name.clone(),
        // If the processors are one of the K resources and are kept, K-1 are to be drawn.
        count: if cpu { count } else { count - 1 },
        cpu,
        variance: text.v.ok_or_else(|| settings.missing("v"))?.0,
        on_draw: text.on == On::Draw,
        redraw: text.clip != Some(Clip::Clamp),
        mean: if text.average == Average::Size { 1.0 } else { 0.5 },
        round: text.round,
        scale,
        declaration,
        only: Condition::of(text.r#where, settings),
    })
}

fn declaration(
    text: &ResourceText,
    fraction: bool,
    settings: &Settings<'_>,
) -> Result<ResourceDeclaration, ShapeError> {
    let preset = text.law == Some(LawName::Sheikhalishahi);
    if text.name.is_none() && !preset {
        return Err(settings.missing("name"));
    }
    let scope = text.scope.unwrap_or(if preset { ColumnScope::Node } else { ColumnScope::Pool });
    if scope == ColumnScope::Job && !fraction {
        settings.refuse(&["capacity"], "scope = \"job\"")?;
    }
    let capacity = text.capacity.map(|capacity| capacity.0);
    let parts = fraction && capacity.is_none();
    let word = |word: &Option<Word>| word.as_ref().map(|word| word.0.clone());
    Ok(ResourceDeclaration {
        name: word(&text.name).unwrap_or_default(),
        unit: word(&text.unit).unwrap_or_else(|| if parts { "ppm".into() } else { String::new() }),
        capacity: capacity.or(parts.then_some(PARTS)),
        scope,
    })
}

/// Returns the law of amounts, if they follow one.
fn law_of(text: &ResourceText, name: LawName, settings: &Settings<'_>) -> Result<Option<Law>, ShapeError> {
    let above = |value: Option<Above>, key| needed(value, key, settings).map(|value| value.0);
    let mean = || needed(text.mean, "mean", settings).map(|mean| mean.0);
    Ok(Some(match name {
        LawName::Constant => Law::Constant(needed(text.value, "value", settings)?.0),
        LawName::Uniform | LawName::Sheikhalishahi => {
            let min = text.min.map_or(0.0, |min| min.0);
            let usual = (name == LawName::Sheikhalishahi).then_some(Amount(1.0));
            let max = needed(text.max.or(usual), "max", settings)?.0;
            if max < min {
                return Err(settings.wrong("max", &format!("at least min, {min}")));
            }
            Law::Uniform(min, max)
        }
        LawName::Normal => Law::Normal(mean()?, above(text.sd, "sd")?),
        LawName::Lognormal => Law::Lognormal(above(text.median, "median")?, above(text.sigma, "sigma")?),
        LawName::Exponential => match mean()? {
            mean if mean > 0.0 => Law::Exponential(mean),
            _ => return Err(settings.wrong("mean", "a number above 0")),
        },
        LawName::Empirical | LawName::Expression | LawName::Leinberger => return Ok(None),
    }))
}

fn needed<T>(value: Option<T>, key: &str, settings: &Settings<'_>) -> Result<T, ShapeError> {
    value.ok_or_else(|| settings.missing(&format!("{key} with {}", settings.shown("law"))))
}

fn copula(
    with: Option<FormulaText>,
    rho: Option<Rho>,
    settings: &Settings<'_>,
) -> Result<Option<Copula>, ShapeError> {
    match (with, rho) {
        (Some(with), Some(rho)) => Ok(Some(Copula { with: Formula::of(with, settings), rho: rho.0 })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(settings.missing("rho with correlate")),
        (None, Some(_)) => Err(settings.missing("correlate with rho")),
    }
}

fn numbered(name: &str, count: usize) -> Vec<String> {
    match count {
        1 => vec![name.to_owned()],
        _ => (1..=count).map(|number| format!("{name}{number}")).collect(),
    }
}
