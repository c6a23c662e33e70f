//! Functions of the whole trace that rules may call.

use super::flurries::{Criterion, flurries};
use crate::expr::{Arguments, ExprType, TableFunction, TableParameter};
use crate::{Time, Trace};

/// All functions of the whole trace.
pub static FUNCTIONS: &[&TableFunction] = &[&FLURRIES];

/// Bursts of single users, as [`super::flurries`] finds them.
pub static FLURRIES: TableFunction = TableFunction {
    name: "flurries",
    meaning: "jobs of a burst in which one user outnumbers all others",
    parameters: &[
        TableParameter {
            name: "user_share",
            kind: ExprType::PLAIN,
            default: 0.5,
            range: (0.0, 1.0),
            meaning: "least share of one user among the jobs submitted within the window",
        },
        TableParameter {
            name: "window",
            kind: ExprType::TIME,
            default: 604_800.0,
            range: (1.0, 3_153_600_000.0),
            meaning: "length of the sliding window",
        },
        TableParameter {
            name: "jobs",
            kind: ExprType::PLAIN,
            default: 100.0,
            range: (1.0, 1e9),
            meaning: "least number of jobs of a burst",
        },
    ],
    compute,
};

fn compute(trace: &Trace, arguments: &Arguments) -> Vec<bool> {
    let criterion = Criterion {
        user_share: arguments.get("user_share"),
        window: Time::from_secs_f64(arguments.get("window")),
        jobs: arguments.get("jobs") as u64,
    };
    let mut marked = vec![false; trace.len()];
    for row in flurries(trace, &criterion).into_iter().flat_map(|flurry| flurry.rows) {
        marked[row as usize] = true;
    }
    marked
}
