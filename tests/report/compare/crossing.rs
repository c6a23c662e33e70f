//! Crossings on handmade curves whose logarithms are straight lines, so that the exact result is known.

use super::notes_of;
use batchlab::experiment::{
    DesignPoint, Frame, FrameRow, Measure, Parameter, PolicyFacts, Section, UnitKind, WorkloadFacts,
};
use batchlab::metrics::Domain;
use batchlab::report::tables::{CrossingSpec, Names, crossings, crossings_for_programs};
use batchlab::stats::NoInterval;
use batchlab::stats::crossing::Reached;
use batchlab::study::{Crossed, CrossingQuestion, Ends, Reason, Study};
use batchlab::table::{Better, Cell, Style, Table, Unit, writer};
use batchlab_traces::located::LocatedToml;

use crate::lab::cases;

/// Values of the sweep, in a file's arbitrary order.
const LOADS: [&str; 4] = ["1.0", "0.6", "1.2", "0.8"];
/// Growth of the logarithm of each policy's slowdown with the load.
const GROWTH: [f64; 2] = [4.0, 4.5];
const FACTORS: [f64; 8] = [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4];

/// Two policies at four loads: mean bounded slowdown exp(growth · load) times the unit's factor, utilization
/// 0.8 · load; at load 1.2 the second policy is saturated.
fn frame() -> Frame {
    let measure = |key: &str, unit, is_diagnostic| Measure {
        key: key.into(),
        metric: key.into(),
        class: None,
        unit,
        better: Better::Lower,
        domain: Domain::Any,
        definition: format!("{key} of tests"),
        is_diagnostic,
    };
    let policy = |label: &str| PolicyFacts { label: label.into(), spec: label.to_lowercase() };
    let mut rows = Vec::new();
    for (at, load) in LOADS.iter().enumerate() {
        let load: f64 = load.parse().unwrap();
        for (policy, growth) in GROWTH.iter().enumerate() {
            let is_saturated = policy == 1 && load > 1.1;
            let (done, grows) = if is_saturated { (0.9, 0.05) } else { (1.0, -0.01) };
            for (unit, factor) in (0..).zip(FACTORS) {
                let values = [(growth * load).exp() * factor, 0.8 * load, done, grows, grows];
                let (key, point) = (format!("{at}{policy}{unit}"), vec![at]);
                let values = values.map(Some).to_vec();
                rows.push(FrameRow { key, workload: 0, point, policy, unit: Some(unit), seed: 1, values });
            }
        }
    }
    Frame {
        name: "curves".into(),
        seed: 3,
        level: 0.95,
        baseline: Some(0),
        parameters: vec![Parameter { name: "load".into(), values: LOADS.map(String::from).to_vec() }],
        workloads: vec![WorkloadFacts {
            name: "lublin".into(),
            units: UnitKind::Replications,
            ..WorkloadFacts::default()
        }],
        policies: vec![policy("EASY"), policy("FCFS")],
        measures: vec![
            measure("mean_bsld", Unit::Ratio, false),
            measure("utilization", Unit::Fraction, false),
            measure("completion", Unit::Fraction, true),
            measure("backlog_growth", Unit::Fraction, true),
            measure("backlog_growth_low", Unit::Fraction, true),
        ],
        absent: Vec::new(),
        rows,
    }
}

fn question(frame: &Frame, policy: usize, bound: f64) -> CrossingQuestion {
    let value = |at: usize| frame.parameters[0].values[at].parse().unwrap();
    let mut points: Vec<(f64, DesignPoint)> =
        (0..LOADS.len()).map(|at| (value(at), DesignPoint { workload: 0, point: vec![at] })).collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    CrossingQuestion { points, policy, measure: 0, bound }
}

fn crossed(frame: &Frame, policy: usize, bound: f64) -> Crossed {
    Crossed::of(&Study::new(frame), &question(frame, policy, bound))
}

/// The load at which a policy's mean reaches a bound: the curve is a line in logarithms.
fn truth(policy: usize, bound: f64) -> f64 {
    let mean = FACTORS.iter().sum::<f64>() / FACTORS.len() as f64;
    (bound / mean).ln() / GROWTH[policy]
}

fn at(crossed: &Crossed) -> f64 {
    match crossed.reached {
        Ok(Reached::At(at)) => at,
        ref other => panic!("{other:?}"),
    }
}

fn close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value}, expected {expected}");
}

#[test]
fn a_known_crossing_is_found_with_its_interval_and_utilization() {
    let frame = frame();
    for policy in [0, 1] {
        let crossed = crossed(&frame, policy, 20.0);
        let truth = truth(policy, 20.0);
        close(at(&crossed), truth);
        close(crossed.utilization.unwrap(), 0.8 * truth);
        assert_eq!((crossed.units, crossed.left_out), (8, 0));
        let Some(Ok(Ends { low: Some(low), high: Some(high) })) = crossed.ends else {
            panic!("{:?}", crossed.ends)
        };
        assert!(0.6 < low && low < truth && truth < high && high < 1.2, "[{low}, {high}]");
        // The mean of the factors has a standard error of 0.087, about 8 %; the percentiles of resamples are close to it.
        assert!(high - low > 0.2 / GROWTH[policy] && high - low < 0.5 / GROWTH[policy], "[{low}, {high}]");
    }
}

#[test]
fn scales_of_load_and_of_the_metric_do_not_matter() {
    let plain = frame();
    let mut wide = plain.clone();
    wide.parameters[0].values = ["100", "60", "120", "80"].map(String::from).to_vec();
    let mut high = plain.clone();
    high.rows.iter_mut().for_each(|row| row.values[0] = row.values[0].map(|value| value * 7.0));
    let expected = at(&crossed(&plain, 0, 20.0));
    close(at(&crossed(&wide, 0, 20.0)) / 100.0, expected);
    close(at(&crossed(&high, 0, 140.0)), expected);
}

#[test]
fn a_curve_that_falls_somewhere_is_made_increasing() {
    let mut frame = frame();
    // At load 0.8 the mean equals that at 0.6: a dip would give two crossings, or none.
    let low: Vec<Option<f64>> =
        frame.rows.iter().filter(|row| row.point == [1]).map(|row| row.values[0]).collect();
    let dipped = frame.rows.iter_mut().filter(|row| row.point == [3]);
    dipped.zip(low).for_each(|(row, value)| row.values[0] = value.map(|value| value * 0.5));
    let crossed = crossed(&frame, 0, 20.0);
    assert!((0.8..1.0).contains(&at(&crossed)), "{crossed:?}");
}

#[test]
fn beyond_the_loads_there_is_a_side_and_no_number() {
    let frame = frame();
    let below = crossed(&frame, 0, 2.0);
    assert_eq!((below.reached, below.ends, below.utilization), (Ok(Reached::Below), None, None));
    assert_eq!(crossed(&frame, 0, 1e4).reached, Ok(Reached::Above));
    // The bound is so near the greatest load that resamples exceed it.
    let open = crossed(&frame, 0, (GROWTH[0] * 1.199).exp() * 1.05);
    let Some(Ok(Ends { low: Some(low), high: None })) = open.ends else { panic!("{:?}", open.ends) };
    assert!((0.8..1.2).contains(&low), "{low}");
}

#[test]
fn without_independent_units_there_is_the_estimate_alone() {
    let of = |kind: UnitKind, units: u32| {
        let mut frame = frame();
        frame.workloads[0].units = kind;
        frame.rows.retain(|row| row.unit.is_some_and(|unit| unit < units));
        crossed(&frame, 0, 20.0)
    };
    let few = of(UnitKind::Windows, 5);
    assert_eq!(few.ends, Some(Err(Reason::Statistics(NoInterval::TooFew { units: 5, needed: 6 }))));
    assert!(at(&few) > 0.6);
    let shaken = of(UnitKind::Shaken, 8);
    assert_eq!(shaken.ends, Some(Err(Reason::Shaken)));
    close(at(&shaken), truth(0, 20.0));
    let one = of(UnitKind::One, 1);
    assert_eq!(one.ends, Some(Err(Reason::OneReplay)));
    close(at(&one), (20.0_f64 / FACTORS[0]).ln() / GROWTH[0]);
    assert_eq!(of(UnitKind::Blocks, 8).ends, Some(Err(Reason::Blocks)));
}

#[test]
fn units_without_a_value_somewhere_are_left_out_whole() {
    let mut frame = frame();
    let row = frame.rows.iter_mut().find(|row| row.unit == Some(7)).unwrap();
    row.values[0] = None;
    let crossed = crossed(&frame, 0, 20.0);
    assert_eq!((crossed.units, crossed.left_out), (7, 1));
    let mean = FACTORS[..7].iter().sum::<f64>() / 7.0;
    close(at(&crossed), (20.0 / mean).ln() / GROWTH[0]);
}

/// The frame, in which some units have a value at load 1.0 under the first policy.
fn with_units(value: f64, units: std::ops::Range<usize>) -> Frame {
    let mut frame = frame();
    frame.rows[units].iter_mut().for_each(|row| row.values[0] = Some(value));
    frame
}

#[test]
fn only_means_need_a_logarithm() {
    // No job waits in one unit at load 1.0, which counts as 0 in the mean of all units.
    let idle = with_units(0.0, 0..1);
    let mean = |factors: &[f64]| factors.iter().sum::<f64>() / 8.0;
    let means = [(GROWTH[0] * 0.8).exp() * mean(&FACTORS), GROWTH[0].exp() * mean(&FACTORS[1..])];
    let share = (40.0 / means[0]).ln() / (means[1] / means[0]).ln();
    let answer = crossed(&idle, 0, 40.0);
    close(at(&answer), 0.8 + 0.2 * share);
    assert!(matches!(answer.ends, Some(Ok(Ends { low: Some(_), high: Some(_) }))), "{answer:?}");
    // A mean of 0 is below the bound, and so are those of lesser loads; from there on means are interpolated.
    let high = (GROWTH[0] * 1.2).exp() * mean(&FACTORS);
    close(at(&crossed(&with_units(0.0, 0..8), 0, 20.0)), 1.0 + 0.2 * 20.0 / high);
    assert_eq!(crossed(&with_units(0.0, 0..8), 0, 1e4).reached, Ok(Reached::Above));
    assert_eq!(crossed(&with_units(-1.0, 0..1), 0, 20.0).reached, Err(Reason::Negative));
}

fn read(text: &str) -> Result<CrossingSpec, String> {
    let text = format!("[[crossing]]\n{text}");
    let sheet = LocatedToml::new(&text, "e.toml");
    let table = sheet.parse().map_err(|error| error.to_string())?;
    let sections = Section::whole(&sheet, &table).sections("crossing").unwrap();
    CrossingSpec::read(&sections[0], &Names::of(&frame())).map_err(|error| error.to_string())
}

#[test]
fn impossible_crossings_are_refused_with_their_line() {
    for (text, expected) in cases("crossings") {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let spec = read("metric = \"mean_bsld\"\nalong = \"load\"\nbound = 20").unwrap();
    assert_eq!((spec.name.as_str(), &spec.values[0][..]), ("crossing-mean_bsld-20", &[1, 3, 0, 2][..]));
}

#[test]
fn an_interval_of_few_units_has_the_caution_of_its_simulations() {
    let cautions = |frame: &Frame, bound: f64| {
        let spec = read(&format!("metric = \"mean_bsld\"\nalong = \"load\"\nbound = {bound}")).unwrap();
        let notes = notes_of(&crossings(&spec, &Study::new(frame)));
        notes.into_iter().filter(|note| note.starts_with("caution: ")).collect::<Vec<_>>()
    };
    // The two policies' 8 units each are mentioned once.
    assert_eq!(
        cautions(&frame(), 20.0),
        [
            "caution: 95 % intervals of this kind (percentile bootstrap) held the truth in 84.7 % of simulations of this: \
          crossing of 8 curves, lognormal around exp(5 load), σ = 0.6 shared by loads and 0.3 own; take more curves"
        ]
    );
    // One policy crosses the bound; with five units, and without a crossing, there is no interval.
    assert_eq!(cautions(&frame(), 200.0).len(), 1);
    assert_eq!(cautions(&frame(), 1e4), [""; 0]);
    let mut few = frame();
    few.rows.retain(|row| row.unit.is_some_and(|unit| unit < 5));
    assert_eq!(cautions(&few, 20.0), [""; 0]);
}

fn written(table: &Table, form: &str) -> String {
    (writer(form).unwrap().write)(table, &Style::default()).into()
}

#[test]
fn a_table_says_where_how_surely_and_what_is_saturated() {
    let frame = frame();
    let study = Study::new(&frame);
    let spec = read("metric = \"mean_bsld\"\nalong = \"load\"\nbound = 200").unwrap();
    let table = crossings(&spec, &study);
    assert_eq!(table.rows.len(), 2);
    let Cell::Number(second) = table.rows[1].cells[1] else { panic!("{:?}", table.rows) };
    close(second, truth(1, 200.0));
    assert_eq!(table.rows[0].cells[1], Cell::Text("> 1.2".into()));
    assert_eq!(table.rows[1].cells[4], Cell::Text("1.2".into()));
    let first = read("metric = \"mean_bsld\"\nalong = \"load\"\nbound = 200\npolicies = [\"EASY\"]").unwrap();
    assert_eq!(crossings(&first, &study).columns.len(), 4, "nothing of EASY is saturated");
    let text = written(&table, "table");
    for words in [
        "The load at which mean bounded slowdown reaches 200",
        "lublin: 8 replications",
        "replayed at load 0.6, 0.8, 1, 1.2",
        "intervals at 95 % by percentile bootstrap over units",
        "saturated, by load: from 1.2 on: FCFS; less work was completed there than arrived",
        "next to a saturated point",
        "the bound is not exceeded at the greatest load that was replayed",
    ] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}:\n{text}");
    }
    let csv = written(&crossings_for_programs(&spec, &study), "csv");
    assert!(
        csv.starts_with("workload,policy,metric,along,bound,reached,crossing,crossing_low,crossing_high,"),
        "{csv}"
    );
    assert!(csv.contains("\nlublin,EASY,mean_bsld,load,200,above,,,,,8,0,,"), "{csv}");
    assert!(csv.contains("\nlublin,FCFS,mean_bsld,load,200,within,1.1"), "{csv}");
}
