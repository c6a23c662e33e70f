//! Random expressions whose units are consistent.

use std::fmt;

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub(super) enum RandomExpr {
    /// A literal, with its unit's seconds.
    Literal(i32, Option<(&'static str, f64)>),
    Field(&'static str),
    /// `-`, `not`, or a function of one argument.
    One(&'static str, Box<RandomExpr>),
    Two(Box<RandomExpr>, &'static str, Box<RandomExpr>),
    Power(Box<RandomExpr>, i32),
    /// Two comparisons that share their middle.
    Chain(Box<[RandomExpr; 3]>, [&'static str; 2]),
    In(Box<RandomExpr>, Vec<(i32, i32)>, bool),
    If(Box<[RandomExpr; 3]>),
    Least(&'static str, Vec<RandomExpr>),
}

/// Writes all parentheses, so that precedence plays no part.
impl fmt::Display for RandomExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RandomExpr::Literal(number, unit) => write!(f, "{number}{}", unit.map_or("", |unit| unit.0)),
            RandomExpr::Field(name) => f.write_str(name),
            RandomExpr::One(sign @ ("-" | "not"), of) => write!(f, "({sign} {of})"),
            RandomExpr::One(function, of) => write!(f, "{function}({of})"),
            RandomExpr::Two(left, operator, right) => write!(f, "({left} {operator} {right})"),
            RandomExpr::Power(base, exponent) => write!(f, "({base} ^ {exponent})"),
            RandomExpr::Chain(of, by) => write!(f, "({} {} {} {} {})", of[0], by[0], of[1], by[1], of[2]),
            RandomExpr::In(value, set, negated) => {
                let member = |(low, high): &(i32, i32)| {
                    if low == high { low.to_string() } else { format!("{low}..{high}") }
                };
                let set: Vec<String> = set.iter().map(member).collect();
                let not = if *negated { "not " } else { "" };
                write!(f, "({value} {not}in ({}))", set.join(", "))
            }
            RandomExpr::If(of) => write!(f, "if({}, {}, {})", of[0], of[1], of[2]),
            RandomExpr::Least(function, of) => {
                let of: Vec<String> = of.iter().map(ToString::to_string).collect();
                write!(f, "{function}({})", of.join(", "))
            }
        }
    }
}

/// Returns conditions of at most `levels` levels.
pub(super) fn conditions(levels: u32) -> BoxedStrategy<RandomExpr> {
    let numbers = || numbers(levels.saturating_sub(1));
    let compared = (numbers(), comparison(), numbers()).prop_map(two);
    let lengths = || times(levels.saturating_sub(1));
    let timed = (lengths(), comparison(), lengths()).prop_map(two);
    if levels == 0 {
        return prop_oneof![compared, timed].boxed();
    }
    let inner = || conditions(levels - 1);
    let chain =
        ([lengths(), lengths(), lengths()], prop::sample::select(vec![["<", "<="], [">=", ">"], ["=", "="]]));
    let members = prop::collection::vec((-3..40i32, 0..9i32).prop_map(|(low, more)| (low, low + more)), 1..5);
    prop_oneof![
        compared,
        timed,
        (inner(), prop::sample::select(vec!["and", "or", "=", "!="]), inner()).prop_map(two),
        inner().prop_map(|of| RandomExpr::One("not", of.into())),
        chain.prop_map(|(of, by)| RandomExpr::Chain(of.into(), by)),
        (numbers(), members, any::<bool>()).prop_map(|(value, set, not)| RandomExpr::In(
            value.into(),
            set,
            not
        )),
        prop::sample::select(TIMES)
            .prop_map(|field| RandomExpr::One("known", RandomExpr::Field(field).into())),
    ]
    .boxed()
}

/// Returns plain numbers of at most `levels` levels.
pub(super) fn numbers(levels: u32) -> BoxedStrategy<RandomExpr> {
    let field = prop::sample::select(NUMBERS).prop_map(RandomExpr::Field);
    let leaf = prop_oneof![(0..50i32).prop_map(|number| RandomExpr::Literal(number, None)), field];
    if levels == 0 {
        return leaf.boxed();
    }
    let inner = || numbers(levels - 1);
    let function = prop::sample::select(vec!["sqrt", "log2", "log10", "ln", "exp", "round", "ceil"]);
    prop_oneof![
        leaf,
        (inner(), prop::sample::select(vec!["+", "-", "*", "/"]), inner()).prop_map(two),
        (times(levels - 1), Just("/"), times(levels - 1)).prop_map(two),
        (function, inner()).prop_map(|(function, of)| RandomExpr::One(function, of.into())),
        (inner(), -2..6i32).prop_map(|(base, exponent)| RandomExpr::Power(base.into(), exponent)),
        same_kind(levels, inner),
    ]
    .boxed()
}

fn times(levels: u32) -> BoxedStrategy<RandomExpr> {
    let unit = prop::sample::select(vec![("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)]);
    let literal = (0..50i32, unit).prop_map(|(number, unit)| RandomExpr::Literal(number, Some(unit)));
    let leaf = prop_oneof![literal, prop::sample::select(TIMES).prop_map(RandomExpr::Field)];
    if levels == 0 {
        return leaf.boxed();
    }
    let inner = || times(levels - 1);
    prop_oneof![
        leaf,
        (inner(), prop::sample::select(vec!["+", "-"]), inner()).prop_map(two),
        (inner(), prop::sample::select(vec!["*", "/"]), numbers(levels - 1)).prop_map(two),
        same_kind(levels, inner),
    ]
    .boxed()
}

/// Operations that keep the unit.
fn same_kind(levels: u32, inner: impl Fn() -> BoxedStrategy<RandomExpr>) -> BoxedStrategy<RandomExpr> {
    let sign = prop::sample::select(vec!["-", "abs", "floor"]);
    let least = (prop::sample::select(vec!["min", "max"]), prop::collection::vec(inner(), 1..4));
    prop_oneof![
        (sign, inner()).prop_map(|(sign, of)| RandomExpr::One(sign, of.into())),
        least.prop_map(|(function, of)| RandomExpr::Least(function, of)),
        (conditions(levels - 1), inner(), inner())
            .prop_map(|(when, yes, no)| RandomExpr::If([when, yes, no].into())),
    ]
    .boxed()
}

fn comparison() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="])
}

fn two((left, operator, right): (RandomExpr, &'static str, RandomExpr)) -> RandomExpr {
    RandomExpr::Two(left.into(), operator, right.into())
}

const NUMBERS: &[&str] = &["procs", "allocated_procs", "user", "gpu", "job", "queue"];
const TIMES: &[&str] = &["run", "wait", "estimate", "submit", "end"];
