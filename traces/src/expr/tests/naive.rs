//! The same semantics, computed row by row from a tree: slow, short, and independent of the compiler.

use super::trees::RandomExpr;
use crate::{Field, Trace};

/// Returns the value of a tree in a row; conditions are 1 and 0.
pub(super) fn worth(tree: &RandomExpr, trace: &Trace, row: usize) -> f64 {
    let of = |tree: &RandomExpr| worth(tree, trace, row);
    match tree {
        RandomExpr::Literal(number, unit) => f64::from(*number) * unit.map_or(1.0, |unit| unit.1),
        RandomExpr::Field(name) => field(name, trace, row),
        RandomExpr::One(function, argument) => one(function, of(argument)),
        RandomExpr::Two(left, operator, right) => two(of(left), operator, of(right)),
        RandomExpr::Power(base, exponent) => match exponent {
            2 => of(base) * of(base),
            3 => of(base) * of(base) * of(base),
            _ => of(base).powf(f64::from(*exponent)),
        },
        RandomExpr::Chain(parts, by) => {
            let [first, middle, last] = [of(&parts[0]), of(&parts[1]), of(&parts[2])];
            two(two(first, by[0], middle), "and", two(middle, by[1], last))
        }
        RandomExpr::In(value, set, negated) => {
            let value = of(value);
            let inside = set.iter().any(|(low, high)| f64::from(*low) <= value && value <= f64::from(*high));
            truth(inside != *negated)
        }
        RandomExpr::If(parts) => of(&parts[if of(&parts[0]) == 0.0 { 2 } else { 1 }]),
        RandomExpr::Least(function, parts) => {
            let choose = if *function == "min" { f64::min } else { f64::max };
            parts.iter().map(of).reduce(choose).unwrap_or(f64::NAN)
        }
    }
}

fn field(name: &str, trace: &Trace, row: usize) -> f64 {
    let get = |field| trace.get(row, field).to_f64();
    let above_zero = |first, second| if get(first) > 0.0 { get(first) } else { get(second) };
    match name {
        "procs" => above_zero(Field::Requested, Field::Allocated),
        "estimate" => above_zero(Field::RequestedTime, Field::Run),
        "end" if get(Field::Wait) < 0.0 || get(Field::Run) < 0.0 => -1.0,
        "end" => get(Field::Submit) + get(Field::Wait) + get(Field::Run),
        "allocated_procs" => get(Field::Allocated),
        "user" => get(Field::User),
        "job" => get(Field::Job),
        "queue" => get(Field::Queue),
        "run" => get(Field::Run),
        "wait" => get(Field::Wait),
        "submit" => get(Field::Submit),
        "gpu" => trace.resource("gpu").map_or(-1.0, |column| column.get(row).to_f64()),
        _ => panic!("no field {name}"),
    }
}

fn one(function: &str, x: f64) -> f64 {
    match function {
        "-" => -x,
        "not" => truth(x == 0.0),
        "known" => truth(x >= 0.0),
        "abs" => x.abs(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round(),
        "sqrt" => x.sqrt(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "ln" => x.ln(),
        "exp" => x.exp(),
        _ => panic!("no function {function}"),
    }
}

fn two(x: f64, operator: &str, y: f64) -> f64 {
    match operator {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" => x / y,
        "and" => truth(x != 0.0 && y != 0.0),
        "or" => truth(x != 0.0 || y != 0.0),
        "=" => truth(x == y),
        "!=" => truth(x != y),
        "<" => truth(x < y),
        "<=" => truth(x <= y),
        ">" => truth(x > y),
        ">=" => truth(x >= y),
        _ => panic!("no operator {operator}"),
    }
}

fn truth(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}
