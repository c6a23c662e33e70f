//! One further column of the log, drawn or computed: a resource that jobs demand, or a fact about them.

mod amounts;
mod copula;
mod law;
mod leinberger;
mod settings;
mod sheikhalishahi;

use serde::Deserialize;

use super::{Condition, Env, Formula, ShapedTrace, Step, StepError, StepOutput, StepSpec};
use crate::header::ResourceDeclaration;
use crate::{Citation, Number};
use amounts::{AdjustedCounts, AmountRange, Round};
use copula::Copula;
use law::Law;

/// Every column has its own random stream, named by the resource and keyed by job: adding a column changes no other column, and
/// dropping jobs changes no other job (except that a correlation uses the ranks of the jobs present). Amounts are whole numbers
/// of the unit; fractions of a capacity are counted in millionths of it unless `capacity` says otherwise.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Leinberger, Karypis and Kumar 1999, section 4.1 (leinberger); Sheikhalishahi et al. 2015, section 4.2 \
           (sheikhalishahi); Nelsen, An Introduction to Copulas (2006): rank correlation rho of a Gaussian copula \
           with Pearson correlation 2 sin(pi rho / 6)",
        &["leinberger99", "sheikhalishahi15", "nelsen06"],
    ),
    draws: true,
    ..StepSpec::of::<settings::ResourceText>(
        "resource",
        "a further resource, or another column, of which every job has an amount: constant, drawn, taken from a \
              log or worked out",
    )
};

/// Amounts of some columns, drawn independently.
struct Resource {
    columns: Vec<String>,
    declaration: ResourceDeclaration,
    source: Source,
    /// The units of the column per 1 of the law.
    scale: f64,
    per: Per,
    bounds: AmountRange,
    round: Round,
    copula: Option<Copula>,
    otherwise: i64,
    only: Condition,
}

enum Source {
    Law(Law),
    Empirical { column: Formula, from: Option<String> },
    Formula(Formula),
}

/// The quantity that the law describes.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Per {
    Job,
    Processor,
    Node,
}

impl Step for Resource {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let mut tally = AdjustedCounts::default();
        let mut words = String::new();
        for name in &self.columns {
            let stream = format!("resource {name}");
            let mut amounts = match &self.source {
                Source::Formula(formula) => {
                    let values = formula.numbers(&work, env.context.seed, &stream)?;
                    self.of_values(&work, &values, &chosen, &mut tally)
                }
                Source::Law(law) => self.of_law(&work, law, env, &stream, &chosen, &mut tally, &mut words)?,
                Source::Empirical { column, from } => {
                    let law = empirical(&work, column, from.as_deref(), env)?;
                    self.of_law(&work, &law, env, &stream, &chosen, &mut tally, &mut words)?
                }
            };
            self.leave_others(&work, name, &chosen, &mut amounts);
            let declaration = ResourceDeclaration { name: name.clone(), ..self.declaration.clone() };
            work.trace.set_resource(declaration, amounts.into_iter().map(Number::whole).collect());
        }
        tally.report(&mut work.trace.findings, &self.columns)?;
        let count = chosen.iter().filter(|&&chosen| chosen).count() as u64;
        let columns = self.columns.join(", ");
        let words = format!("of {} given {columns}{words}{tally}", work.total());
        Ok(StepOutput::one(work, count, words))
    }
}

impl Resource {
    /// Returns the amounts of given values, -1 for missing ones.
    fn of_values(
        &self,
        work: &ShapedTrace,
        values: &[f64],
        chosen: &[bool],
        tally: &mut AdjustedCounts,
    ) -> Vec<i64> {
        let amount = |row: u32| {
            let value = values[row as usize];
            if !chosen[row as usize] {
                return -1;
            }
            if !value.is_finite() {
                tally.unknown += 1;
                return -1;
            }
            let scale = self.multiplier(work, row);
            tally.count(self.bounds.clamp(value * scale), self.round)
        };
        work.rows().map(amount).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "what a column is drawn from, and where its story goes")]
    fn of_law(
        &self,
        work: &ShapedTrace,
        law: &Law,
        env: &Env<'_>,
        stream: &str,
        chosen: &[bool],
        tally: &mut AdjustedCounts,
        words: &mut String,
    ) -> Result<Vec<i64>, StepError> {
        let scores = match &self.copula {
            None => copula::free(work, env.context.seed, stream),
            Some(copula) => copula.draw(work, env.context.seed, stream, chosen)?,
        };
        let amount = |row: u32| {
            if !chosen[row as usize] {
                return -1;
            }
            let scale = self.multiplier(work, row);
            let drawn = self.bounds.draw(law, scores.uniform[row as usize], scale);
            tally.count(drawn, self.round)
        };
        let amounts: Vec<i64> = work.rows().map(amount).collect();
        if let Some(copula) = &self.copula {
            *words += &copula.achieved(&scores, &amounts);
        }
        Ok(amounts)
    }

    /// Returns the units of the column per 1 of the law, for a job.
    fn multiplier(&self, work: &ShapedTrace, row: u32) -> f64 {
        self.scale
            * match self.per {
                Per::Job => 1.0,
                Per::Processor => work.procs(row).unwrap_or(0) as f64,
                Per::Node => work.nodes(row) as f64,
            }
    }

    fn leave_others(&self, work: &ShapedTrace, name: &str, chosen: &[bool], amounts: &mut [i64]) {
        let before = work.trace.resource(name);
        for (row, amount) in amounts.iter_mut().enumerate().filter(|(row, _)| !chosen[*row]) {
            *amount = before.map_or(self.otherwise, |before| before.whole(row));
        }
    }
}

fn empirical(
    work: &ShapedTrace,
    column: &Formula,
    from: Option<&str>,
    env: &Env<'_>,
) -> Result<Law, StepError> {
    let other = from.map(|from| env.log(from)).transpose()?.map(ShapedTrace::new);
    let values = column.numbers(other.as_ref().unwrap_or(work), env.context.seed, "resource empirical")?;
    let law = Law::empirical(values);
    law.ok_or_else(|| {
        StepError::Unfit(format!("`{column}` is unknown for all jobs of the log it is drawn from"))
    })
}
