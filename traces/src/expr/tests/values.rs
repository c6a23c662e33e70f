use super::sample::{jobs, rows, trace, value, values};
use crate::expr::Expr;
use crate::{Field, Number};

#[test]
fn constants_have_their_values() {
    for (text, expected) in rows("values") {
        let expected = expected.parse().unwrap_or_else(|_| f64::from(expected.parse::<bool>().unwrap()));
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn fields_say_what_the_log_says() {
    for (text, expected) in rows("fields") {
        let shown: Vec<String> = values(text).iter().map(f64::to_string).collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }
}

#[test]
fn conditions_choose_jobs() {
    for (text, chosen) in rows("conditions") {
        assert_eq!(jobs(text, &trace()), chosen, "{text}");
    }
}

#[test]
fn whole_numbers_and_decimal_times_compare_exactly() {
    let mut trace = trace();
    let most = 1i64 << 53;
    trace.set_column(Field::User, [most, most - 1, 1 - most, 0].into_iter().map(Number::whole).collect());
    let times = [12_340_000, 4_800_000_000_100_000, 3_960_000_000, 1];
    trace.set_column(Field::Run, times.into_iter().map(Number::from_micro).collect());
    for (text, chosen) in rows("exact") {
        assert_eq!(jobs(text, &trace), chosen, "{text}");
    }
}

#[test]
fn expressions_print_with_as_few_parentheses_as_keep_their_meaning() {
    for (text, printed) in rows("printed") {
        assert_eq!(Expr::parse(text).map(|expr| expr.to_string()).as_deref(), Ok(printed), "{text}");
    }
}
