use super::sample::{rows, trace};
use crate::expr::{Arguments, Expr, ExprError, ExprType, Program, TableFunction, TableParameter, Vocabulary};
use crate::{Field, Number, Trace};

static BUSY: TableFunction = TableFunction {
    name: "busy",
    meaning: "jobs of users who submitted more than a share of all jobs",
    parameters: &[
        TableParameter {
            name: "share",
            kind: ExprType::PLAIN,
            default: 0.5,
            range: (0.0, 1.0),
            meaning: "share of the jobs",
        },
        TableParameter {
            name: "window",
            kind: ExprType::TIME,
            default: 604_800.0,
            range: (1.0, f64::INFINITY),
            meaning: "length of time in which they are counted",
        },
    ],
    compute: busy,
};

fn busy(trace: &Trace, arguments: &Arguments) -> Vec<bool> {
    let users: Vec<i64> = trace.column(Field::User).iter().map(Number::truncated).collect();
    let jobs_of = |user| users.iter().filter(|other| **other == user).count() as f64;
    let most = arguments.get("share") * users.len() as f64;
    users.iter().map(|user| jobs_of(*user) > most && arguments.get("window") > 3600.0).collect()
}

fn compiled(text: &str) -> Result<Program, ExprError> {
    Expr::parse(text)?.compile(&Vocabulary::trace(&trace()).with_tables(&[&BUSY]))
}

fn marked(text: &str) -> Vec<bool> {
    compiled(text).unwrap_or_else(|error| panic!("{error}")).bools(&trace())
}

#[test]
fn the_rows_that_a_function_marks_are_a_condition() {
    assert_eq!(marked("busy(share=0.4)"), [true, false, true, false]);
    assert_eq!(marked("busy(window=10min + 50min, share=40%)"), [false; 4]);
    assert_eq!(marked("busy()"), [false; 4]);
    assert_eq!(marked("procs > 4 and not busy(share = 1/4)"), [false, false, false, true]);
}

#[test]
fn its_arguments_are_checked() {
    for (text, reason) in rows("arguments") {
        assert_eq!(compiled(text).unwrap_err().reason(), reason, "{text}");
    }
}
