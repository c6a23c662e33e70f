mod kinds;
mod reading;
// Those of the details in `batchlab-study`.
#[path = "../../../study/experiment/detail/tests/replayed.rs"]
mod replayed;
mod saying;

use std::path::PathBuf;

use batchlab_traces::Machine;
use batchlab_traces::located::LocatedToml;
use roxmltree::{Document, Node};
use serde_json::Value;

use super::*;
use crate::report::tables::Names;
use batchlab_engine::metrics::{Domain, MeasureKey};
use batchlab_engine::plot::{Page, PageLayout};
use batchlab_engine::replay::conditions::Phrase;
use batchlab_engine::table::{Better, Unit};
use batchlab_study::experiment::detail::Wanted;
use batchlab_study::experiment::{
    Frame, FrameRow, Measure, Parameter, PolicyFacts, Section, Stated, UnitKind, WorkloadFacts,
};
use batchlab_study::study::Study;
use replayed::{JournalledReplay, jobs, replayed};

const POLICIES: [&str; 3] = ["EASY", "conservative", "FCFS"];
const UNITS: u32 = 8;

fn measure(key: &str, unit: Unit, better: Better) -> Measure {
    let MeasureKey { metric, class } = MeasureKey::parse(key);
    Measure {
        key: key.into(),
        metric: metric.into(),
        class: class.map(Into::into),
        unit,
        better,
        domain: Domain::Any,
        definition: format!("what `{metric}` is"),
        is_diagnostic: false,
    }
}

/// Returns values that grow with load, faster under the later policies; FCFS is saturated at .9.
fn values(workload: usize, load: f64, policy: usize, unit: u32) -> Vec<Option<f64>> {
    let noise = 1.0 + 0.3 * (f64::from(unit * 7 + policy as u32 * 3 + workload as u32) * 0.37).sin();
    let bsld = (1.0 + policy as f64) * noise / (1.0 - load) * (1.0 + 2.0 * workload as f64);
    let is_saturated = policy == 2 && load > 0.85;
    let completion = if is_saturated { 0.9 } else { 1.0 };
    let growth = if is_saturated { 0.01 } else { -0.01 };
    let share = load * (1.0 - 0.02 * policy as f64);
    [bsld, bsld * 2.0, bsld / 2.0, bsld * 400.0, share, completion, growth, growth].map(Some).to_vec()
}

/// Two workloads, three loads, three policies, eight units.
fn frame() -> Frame {
    let loads = ["0.7", "0.8", "0.9"];
    let mut rows = Vec::new();
    for workload in 0..2 {
        for (point, load) in loads.iter().enumerate() {
            for policy in 0..POLICIES.len() {
                for unit in 0..UNITS {
                    rows.push(FrameRow {
                        key: format!("{workload}-{point}-{policy}-{unit}"),
                        workload,
                        point: vec![point],
                        policy,
                        unit: Some(unit),
                        seed: 1,
                        values: values(workload, load.parse().unwrap(), policy, unit),
                    });
                }
            }
        }
    }
    let workload = |name: &str, units| WorkloadFacts {
        name: name.into(),
        units,
        units_words: if units == UnitKind::Windows { "7d".into() } else { String::new() },
        substitute: None,
        conditions: vec![Stated {
            phrases: vec![
                Phrase::new("machine", "16 processors"),
                Phrase::new("estimates", "estimates of users"),
            ],
            ..Stated::default()
        }],
    };
    let policy = |label: &&str| PolicyFacts { label: (*label).into(), spec: label.to_lowercase() };
    Frame {
        name: "loads".into(),
        seed: 7,
        level: 0.95,
        baseline: Some(0),
        parameters: vec![Parameter { name: "load".into(), values: loads.map(Into::into).to_vec() }],
        workloads: vec![workload("lublin", UnitKind::Replications), workload("KTH-SP2", UnitKind::Windows)],
        policies: POLICIES.iter().map(policy).collect(),
        measures: vec![
            measure("mean_bsld", Unit::Ratio, Better::Lower),
            measure("mean_bsld@small", Unit::Ratio, Better::Lower),
            measure("mean_bsld@large", Unit::Ratio, Better::Lower),
            measure("mean_wait", Unit::Seconds, Better::Lower),
            measure("utilization", Unit::Fraction, Better::Higher),
            measure("completion", Unit::Fraction, Better::Higher),
            measure("backlog_growth", Unit::Ratio, Better::Neither),
            measure("backlog_growth_low", Unit::Ratio, Better::Neither),
        ],
        absent: Vec::new(),
        rows,
    }
}

fn try_read(text: &str) -> Result<PlotSpec, String> {
    let sheet = LocatedToml::new(text, "e.toml");
    let table = sheet.parse().unwrap();
    PlotSpec::read(&Section::whole(&sheet, &table), &Names::of(&frame())).map_err(|error| error.to_string())
}

/// Reads a plot of the results in a frame.
fn spec_of(frame: &Frame, text: &str) -> PlotSpec {
    let text = format!("name = \"plot\"\n{text}");
    let sheet = LocatedToml::new(&text, "e.toml");
    let table = sheet.parse().unwrap();
    PlotSpec::read(&Section::whole(&sheet, &table), &Names::of(frame)).unwrap()
}

fn spec(text: &str) -> PlotSpec {
    spec_of(&frame(), text)
}

fn replays() -> [JournalledReplay; 3] {
    let jobs = jobs(40);
    let pool = || Machine::pool(16).unwrap();
    ["easy", "conservative", "fcfs"].map(|spec| replayed(pool(), &jobs, spec))
}

/// Draws a plot of a frame; details are those of real replays by policy, whatever the rest of the key.
fn draw_of(frame: &Frame, text: &str) -> Result<(Page, PageLayout), String> {
    let (spec, replays) = (spec_of(frame, text), replays());
    let details = |key: &str, name: &str| -> Option<Value> {
        let policy: usize = key.split('-').nth(2)?.parse().ok()?;
        let wanted = Wanted { spec: spec.kind.detail?, extent: spec.chart.extent };
        assert_eq!(wanted.name(), name);
        wanted.make(&replays.get(policy)?.measurement())
    };
    draw(&spec, &Study::new(frame), &details).map(|page| (page, spec.layout))
}

fn draw_page(text: &str) -> Result<(Page, PageLayout), String> {
    draw_of(&frame(), text)
}

fn page(text: &str) -> Page {
    draw_page(text).unwrap().0
}

/// Returns a frame with further policies, whose results are those of the three in turn.
fn with_policies(count: usize) -> Frame {
    let mut frame = frame();
    let rows = frame.rows.clone();
    for policy in POLICIES.len()..count {
        frame.policies.push(PolicyFacts { label: format!("policy {policy}"), spec: "fcfs".into() });
        let like = rows.iter().filter(|row| row.policy == policy % POLICIES.len());
        frame.rows.extend(like.map(|row| FrameRow { policy, ..row.clone() }));
    }
    let place = |row: &FrameRow| (row.workload, row.point.clone(), row.policy, row.unit);
    frame.rows.sort_by_key(place);
    frame
}

/// Returns the texts of a figure.
fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text().map(str::to_owned)).collect()
}

fn svg(text: &str) -> String {
    let (page, layout) = draw_page(text).unwrap();
    page.to_svg_for(layout)
}

/// One plot of each kind.
const PLOTS: &[(&str, &str)] = &[
    ("lines", "kind = \"lines\"\nmetric = \"mean_bsld\"\nlog = true"),
    ("lines-by-use", "kind = \"lines\"\nmetric = \"mean_wait\"\nx = \"utilization\"\nworkloads = \"lublin\""),
    (
        "lines-column",
        "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"\nsize = \"column\"\nrelative = \"EASY\"",
    ),
    ("bars", "kind = \"bars\"\nmetric = \"mean_wait\"\nwhere = { load = \"0.8\" }\nrelative = \"EASY\""),
    (
        "bars-gain",
        "kind = \"bars\"\nmetric = \"mean_wait\"\nwhere = { load = \"0.8\" }\nrelative = \"EASY\"\ngain = true\nrange = [-60, 60]",
    ),
    ("bars-by-load", "kind = \"bars\"\nmetric = \"utilization\"\nx = \"load\"\nworkloads = \"KTH-SP2\""),
    ("forest", "kind = \"forest\"\nmetric = \"mean_bsld\""),
    ("forest-column", "kind = \"forest\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.9 }\nsize = \"column\""),
    ("heatmap", "kind = \"heatmap\"\nmetric = \"mean_bsld\"\nwhere = { load = \"0.8\" }"),
    ("cdf", "kind = \"cdf\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("timeline", "kind = \"timeline\"\nwhere = { load = 0.8 }\npanel = \"workload\""),
    ("gantt", "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    (
        "gantt-window",
        "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\nfrom = \"5m\"\nto = \"15m\"\ncolour = \"user\"",
    ),
    (
        "gantt-around",
        "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\naround = 20\nreach = \"5m\"\ncolour = \"width\"",
    ),
    ("box", "kind = \"box\"\nmetric = \"mean_wait\"\nx = \"load\"\nworkloads = \"lublin\""),
    (
        "box-column",
        "kind = \"box\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }\nrelative = \"EASY\"\nsize = \"column\"",
    ),
    (
        "box-letters",
        "kind = \"box\"\nmetric = \"mean_wait\"\nx = \"load\"\nworkloads = \"lublin\"\nletters = true",
    ),
    ("job-box-letters", "kind = \"job-box\"\nmetric = \"wait\"\nwhere = { load = 0.8 }\nletters = true"),
    ("job-box", "kind = \"job-box\"\nmetric = \"wait\"\nwhere = { load = 0.8 }"),
    ("scatter", "kind = \"scatter\"\nmetric = \"mean_bsld\"\nx = \"utilization\"\nwhere = { load = 0.8 }"),
    ("load-grid", "kind = \"load-grid\"\nmetric = \"mean_wait\"\nworkloads = \"lublin\"\nlog = true"),
    (
        "job-scatter",
        "kind = \"job-scatter\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }",
    ),
    (
        "job-scatter-run",
        "kind = \"job-scatter\"\nmetric = \"bsld\"\nx = \"run\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }",
    ),
    ("weeks", "kind = \"weeks\"\nmetric = \"mean_wait\"\nworkloads = \"KTH-SP2\"\nwhere = { load = 0.8 }"),
    ("user-cdf", "kind = \"user-cdf\"\nmetric = \"bsld\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("lorenz", "kind = \"lorenz\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("promise-cdf", "kind = \"promise-cdf\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("accuracy", "kind = \"accuracy\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("accuracy-cdf", "kind = \"accuracy-cdf\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }"),
    ("ranks", "kind = \"ranks\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }\nsize = \"column\""),
    ("density", "kind = \"density\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\nsize = \"column\""),
];

/// Plots that are compared to the byte.
const GOLDEN: [(&str, &str); 4] = [
    ("lines-column", include_str!("../../../../tests/figures/lines-column.svg")),
    ("bars", include_str!("../../../../tests/figures/bars.svg")),
    ("heatmap", include_str!("../../../../tests/figures/heatmap.svg")),
    ("cdf", include_str!("../../../../tests/figures/cdf.svg")),
];

/// Writes a drawing into the folder that `BATCHLAB_FIGURES` names, for inspection by eye.
fn show(name: &str, svg: &str) {
    if let Some(folder) = std::env::var_os("BATCHLAB_FIGURES") {
        std::fs::write(PathBuf::from(folder).join(format!("{name}.svg")), svg).unwrap();
    }
}

#[test]
fn every_kind_is_drawn_within_its_page_and_the_same_to_the_byte() {
    for kind in KINDS {
        assert!(PLOTS.iter().any(|(name, _)| name.starts_with(kind.name)), "{}", kind.name);
    }
    for &(name, text) in PLOTS {
        let drawn = svg(text);
        show(name, &drawn);
        assert_within(name, &drawn);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{name}");
        assert_eq!(drawn, svg(text), "{name}");
    }
}

#[test]
fn some_plots_are_what_they_were_to_the_byte() {
    for (name, golden) in GOLDEN {
        let text = PLOTS.iter().find(|plot| plot.0 == name).unwrap().1;
        let golden = golden.replace("batchlab 0.1.0", concat!("batchlab ", env!("CARGO_PKG_VERSION")));
        assert!(
            svg(text) == golden,
            "{name} is not what it was: BATCHLAB_FIGURES=FOLDER leaves the new one there"
        );
    }
}

/// Fails if something reaches beyond the page, or a mark beyond the frame of its panel.
fn assert_within(name: &str, svg: &str) {
    let document = Document::parse(svg).unwrap();
    let number =
        |node: Node<'_, '_>, key: &str| node.attribute(key).and_then(|text| text.parse::<f64>().ok());
    let root = document.root_element();
    let view: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|length| length.parse().unwrap()).collect();
    let (width, height) = (view[2], view[3]);
    let is_drawn = |node: &Node<'_, '_>| !node.ancestors().any(|above| above.has_tag_name("defs"));
    for node in root.descendants().filter(is_drawn) {
        let (mut left, mut top) = (0.0, 0.0);
        for above in node.ancestors().filter(|above| above.has_tag_name("g")) {
            let (x, y) = moved(above.attribute("transform").unwrap());
            (left, top) = (left + x, top + y);
        }
        let corners: Vec<(f64, f64)> = match node.tag_name().name() {
            "rect" => {
                let of = |key| number(node, key).unwrap_or(0.0);
                vec![(of("x"), of("y")), (of("x") + of("width"), of("y") + of("height"))]
            }
            "text" => text_corners(node),
            "path" if node.has_attribute("transform") => vec![moved(node.attribute("transform").unwrap())],
            _ => Vec::new(),
        };
        for (x, y) in corners {
            let inside = left + x >= -0.01 && left + x <= width + 0.01 && top + y >= 0.0 && top + y <= height;
            assert!(inside, "{name}: ({x}, {y}) of {:?} {:?}", node, node.text());
        }
    }
}

/// Returns the left and right ends of a horizontal text, or the position of any other text.
fn text_corners(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    let number = |key: &str| node.attribute(key).unwrap().parse::<f64>().unwrap();
    let (x, y) = (number("x"), number("y"));
    if node.has_attribute("transform") {
        return vec![(x, y)];
    }
    // The mean width of a Helvetica letter; substitute fonts may be wider.
    let size = node.attribute("font-size").map_or(10.0, |size| size.parse().unwrap());
    let width = node.text().unwrap_or("").chars().count() as f64 * size * 0.5;
    match node.attribute("text-anchor") {
        Some("middle") => vec![(x - width / 2.0, y), (x + width / 2.0, y)],
        Some("end") => vec![(x - width, y), (x, y)],
        _ => vec![(x, y), (x + width, y)],
    }
}

fn moved(transform: &str) -> (f64, f64) {
    let inner = transform.trim_start_matches("translate(").trim_end_matches(')');
    let (x, y) = inner.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

#[test]
fn gains_are_of_the_baseline_over_the_policy_and_their_axis_covers_a_range() {
    let plot = "kind = \"bars\"\nmetric = \"mean_wait\"\nwhere = { load = \"0.8\" }\nrelative = \"EASY\"";
    let (ratios, gains) = (svg(plot), svg(&format!("{plot}\ngain = true\nrange = [-60, 60]")));
    assert!(ratios.contains("ratio to EASY") && gains.contains("gain in mean wait over EASY (%)"), "{gains}");
    assert!(gains.contains(">50<") && !ratios.contains(">50<"), "{gains}");
}
