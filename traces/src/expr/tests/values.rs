use super::sample::{jobs, trace, value, values};
use crate::expr::{Expr, Vocabulary};
use crate::{Field, Number};

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24 / 4 / 2", 3.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("(-2) ^ 2", 4.0),
        ("2 ^ -1", 0.5),
        ("2 * -3", -6.0),
        ("- -3", 3.0),
        ("1 - -1", 2.0),
        ("2 ^ 10 * 3", 3072.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn conditions_bind_looser_than_numbers_and_not_binds_a_comparison() {
    for (text, holds) in [
        ("1 + 1 = 2", true),
        ("not 1 = 2", true),
        ("not 1 = 1 or true", true),
        ("not (1 = 1 or true)", false),
        ("true or false and false", true),
        ("(true or false) and false", false),
        ("1 < 2 <= 2", true),
        ("1 < 2 < 2", false),
        ("3 >= 2 > 1", true),
        ("1 = 1 = 1", true),
        ("(1 = 2) = false", true),
        ("1 <> 2", true),
        ("2 in (1, 2, 3)", true),
        ("2 not in (1, 3)", true),
        ("16 in 1..16", true),
        ("17 in (1..16, 20..30)", false),
        ("1h in (30min..60min)", true),
    ] {
        assert_eq!(value(text) == 1.0, holds, "{text}");
    }
}

#[test]
fn units_bring_numbers_to_seconds_and_kilobytes() {
    for (text, expected) in [
        ("4h", 14_400.0),
        ("1.1h", 3960.0),
        ("250ms", 0.25),
        ("90s = 1.5min", 1.0),
        ("2w / 1d", 14.0),
        ("2GB", 2_097_152.0),
        ("1GiB / 1MB", 1024.0),
        ("512B", 0.5),
        ("50%", 0.5),
        ("1_000_000", 1e6),
        ("1e6", 1e6),
        ("2.5e-1", 0.25),
        (".5", 0.5),
        ("1h + 30", 3630.0),
        ("3 * 1h / 60", 180.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_do_what_their_names_say() {
    for (text, expected) in [
        ("min(3, 1, 2)", 1.0),
        ("max(1h, 90)", 3600.0),
        ("abs(-3)", 3.0),
        ("sqrt(16)", 4.0),
        ("log2(8)", 3.0),
        ("log10(1000)", 3.0),
        ("ln(exp(2))", 2.0),
        ("floor(-1.5)", -2.0),
        ("ceil(1.2)", 2.0),
        ("round(2.5)", 3.0),
        ("if(1 < 2, 10, 20)", 10.0),
        ("log10(1000s)", 3.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn fields_say_what_the_log_says() {
    for (text, expected) in [
        ("run", [3600.0, 60.0, -1.0, 18_000.0]),
        ("procs", [4.0, 1.0, 8.0, 32.0]),
        ("allocated_procs", [4.0, 1.0, -1.0, 16.0]),
        ("size", [4.0, 1.0, 8.0, 32.0]),
        ("estimate", [7200.0, 60.0, 600.0, 14_400.0]),
        ("memory", [4096.0, 512.0, 1_048_576.0, -1.0]),
        ("used_memory", [2048.0, 512.0, -1.0, -1.0]),
        ("start", [10.0, 25_200.0, -1.0, 90_005.0]),
        ("end", [3610.0, 25_260.0, -1.0, 108_005.0]),
        ("response", [3610.0, 60.0, -1.0, 18_005.0]),
        ("hour", [0.0, 7.0, 1.0, 1.0]),
        ("weekday", [0.0, 0.0, 1.0, 1.0]),
        ("gpu", [0.0, 2.0, -1.0, 4.0]),
        ("`scratch space`", [0.0, 2048.0, -1.0, 4096.0]),
    ] {
        assert_eq!(values(text), expected, "{text}");
    }
}

#[test]
fn conditions_choose_jobs() {
    for (text, chosen) in [
        ("run > 4h", &[4][..]),
        ("run > 4h and procs = 1", &[]),
        ("not known(run)", &[3]),
        ("known(memory) and memory >= 1GB", &[3]),
        ("user in (17, 18) and procs in 2..8", &[1, 3]),
        ("1 < procs <= 8", &[1, 3]),
        ("run > estimate", &[4]),
        ("queue = \"normal\"", &[2, 3]),
        ("queue = 'normal (up to 4 h)'", &[2, 3]),
        ("queue in (\"interactive\", -1)", &[1, 4]),
        ("\"interactive\" != queue", &[2, 3, 4]),
        ("submit >= date(\"2006-12-19\")", &[3, 4]),
        ("submit = date(\"2006-12-18 07:00\")", &[2]),
        ("weekday = 0 and hour >= 7", &[2]),
        ("if(known(run), run, estimate) < 20min", &[2, 3]),
        ("true", &[1, 2, 3, 4]),
    ] {
        assert_eq!(jobs(text), chosen, "{text}");
    }
}

#[test]
fn whole_numbers_and_decimal_times_compare_exactly() {
    let mut trace = trace();
    let most = 1i64 << 53;
    trace.set_column(Field::User, [most, most - 1, 1 - most, 0].into_iter().map(Number::whole).collect());
    let times = [12_340_000, 4_800_000_000_100_000, 3_960_000_000, 1];
    trace.set_column(Field::Run, times.into_iter().map(Number::from_micro).collect());
    for (text, expected) in [
        ("user = 9007199254740992", [true, false, false, false]),
        ("user > 9007199254740990", [true, true, false, false]),
        ("user in -9007199254740991..-9007199254740991", [false, false, true, false]),
        ("run = 12.34", [true, false, false, false]),
        ("run = 4800000000.1s", [false, true, false, false]),
        ("run = 1.1h", [false, false, true, false]),
        ("run in (0.001ms)", [false, false, false, true]),
    ] {
        let program = Expr::parse(text).unwrap().compile(&Vocabulary::trace(&trace)).unwrap();
        assert_eq!(program.bools(&trace), expected, "{text}");
    }
}

#[test]
fn what_has_no_value_is_unequal_to_everything() {
    for (text, holds) in [
        ("1 / 0 > 1e300", true),
        ("sqrt(-1) = sqrt(-1)", false),
        ("0 / 0 != 0 / 0", true),
        ("min(0 / 0, 3) = 3", true),
        ("log2(0) < -1e300", true),
    ] {
        assert_eq!(value(text) == 1.0, holds, "{text}");
    }
}
