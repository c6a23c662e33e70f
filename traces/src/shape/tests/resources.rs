use super::*;
use crate::header::{ColumnScope, ResourceDeclaration};

fn column(parameters: &str, trace: Trace) -> Vec<i64> {
    resource(&step("resource", &format!("name = 'x'\n{parameters}"), trace), "x")
}

fn mean(values: &[i64]) -> f64 {
    values.iter().sum::<i64>() as f64 / values.len() as f64
}

/// Asserts that a quantile of some values is within 4.5 standard errors of its probability under a law: a
/// level of 7 in a million for each.
fn has_quantile(values: &[i64], below: f64, probability: f64) {
    let share = values.iter().filter(|&&value| (value as f64) < below).count() as f64 / values.len() as f64;
    let error = (probability * (1.0 - probability) / values.len() as f64).sqrt();
    assert!(
        (share - probability).abs() < 4.5 * error,
        "{share} of the values are below {below}, not {probability}"
    );
}

#[test]
fn a_column_is_declared_with_unit_capacity_and_scope() {
    let text = "name = 'gpu'\nunit = 'card'\nscope = 'node'\ncapacity = 4\nlaw = 'constant'\nvalue = 2.4";
    let trace = step("resource", text, submitted(&[0, 1]));
    let declared = &trace.header.resources[0];
    assert_eq!((declared.name.as_str(), declared.unit.as_str()), ("gpu", "card"));
    assert_eq!((declared.capacity, declared.scope), (Some(4), ColumnScope::Node));
    assert_eq!(resource(&trace, "gpu"), [2, 2]);
    assert_eq!(trace.findings.count("shape-resource-rounded"), 2);
}

#[test]
fn laws_have_the_quantiles_of_the_textbook() {
    let of = |law: &str| column(law, many(8000));
    let uniform = of("law = 'uniform'\nmin = 1000\nmax = 5000");
    has_quantile(&uniform, 2000.0, 0.25);
    has_quantile(&uniform, 4000.0, 0.75);
    assert!(uniform.iter().all(|value| (1000..=5000).contains(value)));
    let normal = of("law = 'normal'\nmean = 10000\nsd = 1000");
    has_quantile(&normal, 9000.0, 0.158_655);
    has_quantile(&normal, 11_960.0, 0.975_002);
    let lognormal = of("law = 'lognormal'\nmedian = 10000\nsigma = 0.5");
    has_quantile(&lognormal, 10_000.0, 0.5);
    has_quantile(&lognormal, 16_487.2, 0.841_345);
    let exponential = of("law = 'exponential'\nmean = 10000");
    has_quantile(&exponential, 6931.5, 0.5);
    has_quantile(&exponential, 23_025.9, 0.9);
    // The mean of an exponential within 4.5 standard errors.
    assert!((mean(&exponential) / 10_000.0 - 1.0).abs() < 4.5 / 8000f64.sqrt(), "{}", mean(&exponential));
}

#[test]
fn an_empirical_law_draws_what_a_log_holds() {
    let drawn = column("law = 'empirical'\ncolumn = 'procs'", many(4000));
    let seen: crate::sorted::SortedSet<i64> = drawn.iter().copied().collect();
    assert_eq!(seen.len(), 32);
    let other = [("other.swf", log(&[(0, 1, 1, 7, 1), (1, 1, 1, 9, 1), (2, 1, 1, -1, 1)]))];
    let text =
        file("resource", "name = 'x'\nlaw = 'empirical'\nfrom = 'other.swf'\ncolumn = 'requested_time'");
    let shaped = shape_with(&text, many(200), 1, &other).unwrap();
    let drawn = resource(&shaped.logs[0].trace, "x");
    assert!(drawn.iter().all(|value| [7, 9].contains(value)) && drawn.contains(&7) && drawn.contains(&9));
    let error = refusal("resource", "name = 'x'\nlaw = 'empirical'\ncolumn = 'memory'", many(5));
    assert!(error.ends_with("`memory` is unknown for all jobs of the log it is drawn from"), "{error}");
}

#[test]
fn expressions_give_amounts_and_draw_by_job() {
    let trace = log(&[(0, 10, 3, 20, 1), (1, 10, 5, 20, 2)]);
    assert_eq!(column("law = 'expression'\nexpr = '512 * procs'", trace.clone()), [1536, 2560]);
    let all = column("law = 'expression'\nexpr = 'uniform(0, 1000000)'", many(50));
    let some = file("filter", "keep = 'job > 30'")
        + &file("resource", "name = 'x'\nlaw = 'expression'\nexpr = 'uniform(0, 1000000)'");
    assert_eq!(resource(&shape(&some, many(50)), "x"), all[30..]);
    let unknown = step("resource", "name = 'x'\nlaw = 'expression'\nexpr = 'log10(procs - 3)'", trace);
    assert_eq!(resource(&unknown, "x"), [-1, 0]);
    assert_eq!(unknown.findings.count("shape-resource-unknown"), 1);
}

#[test]
fn amounts_may_be_per_processor_or_node_and_of_some_jobs_only() {
    let trace = log(&[(0, 10, 3, 20, 1), (1, 10, 17, 20, 2), (2, 10, 64, 20, 2)]);
    let law = "law = 'constant'\nvalue = 10\n";
    assert_eq!(column(&format!("{law}per = 'processor'"), trace.clone()), [30, 170, 640]);
    assert_eq!(column(&format!("{law}per = 'node'"), trace.clone()), [10, 30, 80]);
    assert_eq!(column(&format!("{law}where = 'user = 2'"), trace.clone()), [0, 10, 10]);
    assert_eq!(column(&format!("{law}where = 'user = 2'\notherwise = -1"), trace.clone()), [-1, 10, 10]);
    let twice = file("resource", &format!("name = 'x'\n{law}"))
        + &file("resource", "name = 'x'\nlaw = 'constant'\nvalue = 7\nwhere = 'user = 1'");
    let twice = shape(&twice, trace);
    assert_eq!((resource(&twice, "x"), twice.header.resources.len()), (vec![7, 10, 10], 1));
}

#[test]
fn fractions_are_counted_in_millionths_of_the_capacity() {
    let text = "name = 'io'\nlaw = 'constant'\nvalue = 0.25\nfraction = true";
    let trace = step("resource", text, submitted(&[0]));
    let declared = &trace.header.resources[0];
    assert_eq!((declared.capacity, declared.unit.as_str()), (Some(1_000_000), "ppm"));
    assert_eq!(resource(&trace, "io"), [250_000]);
    let trace = step("resource", &format!("{text}\ncapacity = 80"), submitted(&[0]));
    assert_eq!((resource(&trace, "io"), trace.header.resources[0].unit.as_str()), (vec![20], ""));
}

#[test]
fn a_pool_bounds_its_amounts_and_what_is_outside_is_clamped_or_drawn_again() {
    let law = "law = 'normal'\nmean = 500\nsd = 500\ncapacity = 1000\n";
    let clamped = step("resource", &format!("name = 'x'\n{law}"), many(4000));
    let drawn = resource(&clamped, "x");
    let at_bounds = drawn.iter().filter(|value| [0, 1000].contains(*value)).count() as u64;
    let counted = clamped.findings.count("shape-resource-clamped");
    // 2 · Φ(-1) = 31.7 % of 4,000 are outside; those that round to a bound are not clamped.
    assert!(
        (1150..1400).contains(&counted) && (counted..counted + 20).contains(&at_bounds),
        "{counted} {at_bounds}"
    );
    let again = column(&format!("{law}clip = 'redraw'"), many(4000));
    assert!(again.iter().all(|value| (0..=1000).contains(value)));
    assert!(again.iter().filter(|value| [0, 1000].contains(*value)).count() < 20);
    has_quantile(&again, 500.0, 0.5);
    // Φ(-.5) = .308538, Φ(-1) = .158655, 1 - 2·Φ(-1) = .682689.
    has_quantile(&again, 250.0, (0.308_538 - 0.158_655) / 0.682_689);
}

#[test]
fn a_rank_correlation_is_had_as_asked_and_the_law_stays_what_it_is() {
    for rho in [-0.9, -0.3, 0.0, 0.5, 0.95] {
        let text = format!("name = 'x'\nlaw = 'exponential'\nmean = 1000000\ncorrelate = 'run'\nrho = {rho}");
        let shaped = shape_with(&file("resource", &text), many(5000), 1, &[]).unwrap();
        let words = shaped.reports[0].to_string();
        let (_, achieved) = words.split_once("correlation with run ").unwrap();
        let achieved: f64 = achieved.split([' ', ',']).next().unwrap().parse().unwrap();
        // The standard error of a rank correlation of 5,000 pairs is at most 0.0141.
        assert!((achieved - rho).abs() < 4.5 * 0.0141, "{words}");
        assert!(words.contains(&format!("(asked {rho})")), "{words}");
        let drawn = resource(&shaped.logs[0].trace, "x");
        has_quantile(&drawn, 693_147.0, 0.5);
        has_quantile(&drawn, 2_302_585.0, 0.9);
    }
}

#[test]
fn a_correlation_with_few_values_keeps_the_law_too() {
    let text = "law = 'uniform'\nmax = 1000000\ncorrelate = 'if(procs > 8, 1, 0)'\nrho = 0.8";
    let drawn = column(text, many(5000));
    has_quantile(&drawn, 250_000.0, 0.25);
    has_quantile(&drawn, 900_000.0, 0.9);
}

#[test]
fn jobs_without_what_is_correlated_with_draw_freely() {
    let mut jobs: Vec<Job> = (0..400).map(|at| (at, 10 + at, 1, 20, 1)).collect();
    jobs[7].1 = -1;
    let text = "name = 'x'\nlaw = 'uniform'\nmax = 1000\ncorrelate = 'run'\nrho = 1";
    let shaped = shape_with(&file("resource", text), log(&jobs), 1, &[]).unwrap();
    assert!(
        shaped.reports[0].words.contains("(asked 1, 1 job without it left out)"),
        "{}",
        shaped.reports[0]
    );
    let mut drawn = resource(&shaped.logs[0].trace, "x");
    drawn.remove(7);
    assert!(drawn.is_sorted(), "a correlation of 1 is the same order");
}

#[test]
fn leinberger_draws_fractions_of_the_size_for_all_resources() {
    let trace = log(&(0..3000).map(|at| (at, 10, 32, 20, 1)).collect::<Vec<_>>());
    let text = "name = 'r'\nlaw = 'leinberger'\nv = 0.01\ncount = 3";
    let drawn = step("resource", text, trace.clone());
    assert_eq!(drawn.header.resources.iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), ["r1", "r2"]);
    assert_eq!(drawn.header.max_procs.as_ref().map(|procs| procs.count), Some(1_000_000));
    let procs = numbers(&drawn, Field::Requested);
    for amounts in [&procs, &resource(&drawn, "r1"), &resource(&drawn, "r2")] {
        // Half the machine times Normal(.5, variance .01): mean .25, deviation .05, within 4.5 errors.
        assert!((mean(amounts) - 250_000.0).abs() < 4.5 * 50_000.0 / 3000f64.sqrt(), "{}", mean(amounts));
        has_quantile(amounts, 300_000.0, 0.841_345);
    }
    assert_ne!(procs, resource(&drawn, "r1"));
    let kept = step("resource", &format!("{text}\ncpu = 'keep'"), trace);
    assert_eq!((kept.header.resources.len(), numbers(&kept, Field::Requested)[0]), (2, 32));
}

#[test]
fn the_readings_of_leinberger_differ_where_the_variance_is_large() {
    let half = log(&(0..4000).map(|at| (at, 10, 32, 20, 1)).collect::<Vec<_>>());
    let at = |clip: &str, on: &str| {
        let text =
            format!("name = 'r'\nlaw = 'leinberger'\nv = 1.0\ncpu = 'keep'\nclip = '{clip}'\non = '{on}'");
        resource(&step("resource", &text, half.clone()), "r1")
    };
    // Draws below 0 or above 1: 2 · Φ(-.5) = 61.7 %; requirements: Φ(-.5) below 0, Φ(-1.5) above 2.
    let share =
        |amounts: &[i64], of: i64| amounts.iter().filter(|&&amount| amount == of).count() as f64 / 4000.0;
    let draw = at("clamp", "draw");
    assert!((share(&draw, 0) - 0.3085).abs() < 0.033 && (share(&draw, 500_000) - 0.3085).abs() < 0.033);
    let requirement = at("clamp", "requirement");
    assert!(
        (share(&requirement, 0) - 0.3085).abs() < 0.033
            && (share(&requirement, 1_000_000) - 0.0668).abs() < 0.018
    );
    let again = at("redraw", "draw");
    assert!(share(&again, 0) < 0.005 && again.iter().all(|&amount| (0..=500_000).contains(&amount)));
    has_quantile(&again, 250_000.0, 0.5);
    assert!(at("redraw", "requirement").iter().any(|&amount| amount > 500_000));
}

#[test]
fn sheikhalishahi_adds_three_dimensions_per_node() {
    let trace = log(&(0..2000).map(|at| (at, 10, 16, 20, 1)).collect::<Vec<_>>());
    let shaped =
        shape_with(&file("resource", "law = 'sheikhalishahi'\nmin = 0.2\nmax = 0.6"), trace, 1, &[]).unwrap();
    let trace = &shaped.logs[0].trace;
    let names: Vec<&str> = trace.header.resources.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["io", "net_in", "net_out"]);
    let is_of_nodes =
        |of: &ResourceDeclaration| of.scope == ColumnScope::Node && of.capacity == Some(1_000_000);
    assert!(trace.header.resources.iter().all(is_of_nodes));
    for name in names {
        let drawn = resource(trace, name);
        // Two nodes of eight processors each.
        assert!(drawn.iter().all(|amount| (400_000..=1_200_000).contains(amount)));
        has_quantile(&drawn, 600_000.0, 0.25);
    }
    assert!(shaped.reports[0].words.contains("gives no job's memory"), "{}", shaped.reports[0]);
}

#[test]
fn parameters_of_other_laws_are_refused() {
    let of = |parameters: &str| refusal("resource", parameters, submitted(&[0]));
    let idle = of("name = \"x\"\nlaw = \"uniform\"\nmax = 3\nsd = 2");
    assert!(idle.contains("`sd` has no effect with law = \"uniform\""), "{idle}");
    assert!(of("name = 'x'").contains("step `resource` needs law"));
    assert!(of("law = 'uniform'\nmax = 1").contains("step `resource` needs name"));
    assert!(of("name = 'a b'\nlaw = 'uniform'\nmax = 1").contains("`name` must be one word without `=`"));
    assert!(of("name = 'x'\nlaw = 'uniform'\nmin = 4\nmax = 1").contains("`max` must be at least min, 4"));
    assert!(of("name = 'x'\nlaw = 'uniform'\nmax = 1\nrho = 0.5").contains("needs correlate with rho"));
    assert!(of("name = 'x'\nlaw = 'leinberger'").contains("step `resource` needs v"));
}

#[test]
fn leinberger_may_keep_the_mean_size() {
    // An eighth of the machine: Normal(.5, .01) / .5 has the mean 1 and the deviation .2.
    let of = |procs: i64, v: &str| {
        let trace = log(&(0..3000).map(|at| (at, 10, procs, 20, 1)).collect::<Vec<_>>());
        let text = format!("name = 'r'\nlaw = 'leinberger'\nv = {v}\ncpu = 'keep'\naverage = 'size'");
        resource(&step("resource", &text, trace), "r1")
    };
    let eighth = of(8, "0.01");
    assert!((mean(&eighth) - 125_000.0).abs() < 4.5 * 25_000.0 / 3000f64.sqrt(), "{}", mean(&eighth));
    has_quantile(&eighth, 150_000.0, 0.841_345);
    // A job of the whole machine requires all of it in half of the draws.
    let whole = of(64, "1.0");
    let all = whole.iter().filter(|&&amount| amount == 1_000_000).count() as f64 / 3000.0;
    assert!((all - 0.5).abs() < 0.04, "{all}");
}
