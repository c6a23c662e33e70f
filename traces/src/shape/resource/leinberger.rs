//! The K-resource workload of Leinberger, Karypis and Kumar 1999.

use super::amounts::{AdjustedCounts, AmountRange, Round};
use super::law::Law;
use crate::header::{RemarkedCount, ResourceDeclaration};
use crate::shape::{Condition, Draws, Env, ShapedTrace, Step, StepError, StepOutput};
use crate::{Field, Number};

/// A vector of K requirements per job: its size, as a fraction of the machine, times K draws from a normal
/// distribution of mean 0.5 (section 4.1, parameters 1 and 2).
///
/// The paper does not say what happens to draws and requirements outside [0, 1], which are most of them at its largest
/// variance: `bounds` and `on_draw` select a reading. Draws have the mean .5, so that a job requires half its size on
/// average; with `mean` 1 they are doubled, up to the whole machine. (Otherwise hardly any job meets the limit that section
/// 4.3.1 speaks of, a requirement of 1.) The paper's requirements are fractions; here they are counted in parts of `scale`.
pub struct Leinberger {
    /// Prefix of the names of the columns.
    pub name: String,
    /// K.
    pub count: usize,
    /// Whether the processors are one of the K.
    pub cpu: bool,
    pub variance: f64,
    /// Whether the bounds [0, 1] apply to the draw, rather than to the requirement.
    pub on_draw: bool,
    pub redraw: bool,
    /// The mean requirement of a job, in shares of its size: .5, or 1.
    pub mean: f64,
    pub round: Round,
    /// Units of a whole machine.
    pub scale: i64,
    pub declaration: ResourceDeclaration,
    pub only: Condition,
}

const MEAN: f64 = 0.5;

impl Step for Leinberger {
    fn apply(&self, mut work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let machine = work.machine_procs().filter(|&procs| procs > 0);
        let machine = machine.ok_or_else(|| StepError::Unfit("no job has a size".into()))?;
        let mut tally = AdjustedCounts::default();
        let columns: Vec<Vec<i64>> = (0..self.count)
            .map(|at| {
                let stream = format!("resource {}", self.column(at));
                let mut draws = Draws::new(env.context.seed, &stream);
                let amount = |row: u32| {
                    let size = work.procs(row).unwrap_or(0).min(machine) as f64 / machine as f64;
                    self.requirement(size, draws.open_unit(work.key(row)), &mut tally)
                };
                work.rows().map(amount).collect()
            })
            .collect();
        let mut names = Vec::new();
        for (at, mut amounts) in columns.into_iter().enumerate() {
            for (amount, _) in amounts.iter_mut().zip(&chosen).filter(|(_, chosen)| !**chosen) {
                *amount = 0;
            }
            if self.cpu && at == 0 {
                self.set_processors(&mut work, &amounts, &chosen, machine);
            } else {
                let declaration = ResourceDeclaration { name: self.column(at), ..self.declaration.clone() };
                names.push(declaration.name.clone());
                work.trace.set_resource(declaration, amounts.into_iter().map(Number::whole).collect());
            }
        }
        tally.report(&mut work.trace.findings, &names)?;
        let count = chosen.iter().filter(|&&chosen| chosen).count() as u64;
        let processors = if self.cpu { "processors in ppm of the machine and " } else { "" };
        let words = format!("of {} given {processors}{}{tally}", work.total(), names.join(", "));
        Ok(StepOutput::one(work, count, words))
    }
}

impl Leinberger {
    /// Returns the name of a column; the processors, if they are one of the K, come first and have none.
    fn column(&self, at: usize) -> String {
        match (self.cpu, at) {
            (true, 0) => format!("{} cpu", self.name),
            (true, at) => format!("{}{at}", self.name),
            (false, at) => format!("{}{}", self.name, at + 1),
        }
    }

    fn requirement(&self, size: f64, u: f64, tally: &mut AdjustedCounts) -> i64 {
        let law = Law::Normal(MEAN, self.variance.sqrt());
        let bounds = AmountRange { least: 0.0, most: 1.0, redraw: self.redraw };
        let share = size * self.mean / MEAN;
        let mut drawn = if self.on_draw { bounds.draw(&law, u, 1.0) } else { bounds.draw(&law, u, share) };
        if self.on_draw {
            drawn.amount = (drawn.amount * share).min(1.0);
        }
        drawn.amount *= self.scale as f64;
        tally.count(drawn, self.round)
    }

    /// Writes requirements as sizes: a fraction of the machine's processors.
    fn set_processors(&self, work: &mut ShapedTrace, amounts: &[i64], chosen: &[bool], machine: i64) {
        let scale = self.scale;
        for field in [Field::Requested, Field::Allocated] {
            work.map(field, |row, old| {
                let procs = old.truncated();
                if procs <= 0 {
                    return old;
                }
                let kept = (i128::from(procs) * i128::from(scale) / i128::from(machine)) as i64;
                let drawn = amounts[row as usize];
                Number::whole(if chosen[row as usize] { drawn.max(1) } else { kept.clamp(1, scale) })
            });
        }
        work.trace.header.max_procs = Some(RemarkedCount { count: scale, remark: String::new() });
        work.trace.header.max_nodes = None;
    }
}
