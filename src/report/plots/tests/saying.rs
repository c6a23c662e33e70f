//! What plots say besides their marks.

use super::*;
use crate::plot::{LOOKS, Mark};

fn page(text: &str) -> Page {
    draw_page(text).unwrap().0
}

fn page_of(frame: &Frame, text: &str) -> Page {
    let sheet = format!("name = \"plot\"\n{text}");
    let sheet = Sheet::new(&sheet, "e.toml");
    let table = sheet.parse().unwrap();
    let spec = PlotSpec::read(&sheet.whole(&table), &Names::of(frame)).unwrap();
    draw(&spec, &Study::new(frame), &|_, _| None).unwrap()
}

#[test]
fn captions_tell_intervals_units_and_conditions() {
    let caption = page("kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"").caption.join("\n");
    for expected in [
        "mean_bsld: what `mean_bsld` is. Values are means over units.",
        "Ranges are 95 % confidence intervals for each value alone (",
        "Hollow markers: saturated",
        "lublin (units: replications): 16 processors; estimates of users.",
        "Experiment loads, seed 7; batchlab ",
    ] {
        assert!(caption.contains(expected), "`{expected}` is not in:\n{caption}");
    }
    let bars = page("kind = \"bars\"\nmetric = \"mean_wait\"\nwhere = { load = 0.8 }\nrelative = \"EASY\"");
    let caption = bars.caption.join("\n");
    assert!(caption.contains("EASY (= 1): lublin ") && caption.contains(" s, KTH-SP2 "), "{caption}");
    let grid = page("kind = \"heatmap\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }").caption.join("\n");
    assert!(grid.contains("ratio to EASY in the same row; darker is worse."), "{grid}");
}

#[test]
fn only_saturated_points_are_hollow() {
    let page = page("kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"");
    let dots = page.panels[0].marks().iter().filter_map(|mark| match mark {
        Mark::Dots(look, dots) => Some((*look, dots.iter().map(|dot| dot.is_hollow).collect::<Vec<_>>())),
        _ => None,
    });
    let flat = vec![false; 3];
    assert_eq!(dots.collect::<Vec<_>>(), [(0, flat.clone()), (1, flat), (2, vec![false, false, true])]);
}

#[test]
fn one_replay_and_shaken_ones_have_no_intervals() {
    let mut frame = frame();
    frame.rows.retain(|row| row.unit == Some(0));
    frame.workloads[0].units = UnitKind::One;
    let text = "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"";
    let one = page_of(&frame, text);
    assert!(one.caption[0].contains("No interval of 1 unit: there is one replay only."), "{:?}", one.caption);
    let is_empty_band = |mark: &Mark| matches!(mark, Mark::Band(_, spans) if spans.is_empty());
    assert_eq!(one.panels[0].marks().iter().filter(|mark| is_empty_band(mark)).count(), 3);
    let mut frame = super::frame();
    frame.workloads[0].units = UnitKind::Shaken;
    let shaken = page_of(&frame, text);
    assert!(shaken.caption[0].contains("how unstable a value is, not how sure"), "{:?}", shaken.caption);
}

#[test]
fn more_policies_than_looks_are_said_and_repeat() {
    let mut frame = frame();
    for policy in 3..=LOOKS {
        frame.policies.push(PolicyFacts { label: format!("policy {policy}"), spec: "fcfs".into() });
        let more: Vec<FrameRow> = frame
            .rows
            .iter()
            .filter(|row| row.policy == 0)
            .map(|row| FrameRow { policy, ..row.clone() })
            .collect();
        frame.rows.extend(more);
    }
    frame.rows.sort_by(|one, other| {
        (one.workload, &one.point, one.policy, one.unit).cmp(&(
            other.workload,
            &other.point,
            other.policy,
            other.unit,
        ))
    });
    let text = "kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }";
    let page = page_of(&frame, text);
    assert!(page.caption[0].contains("There are more than 6 policies: looks repeat after the 6th"));
    let svg = page.to_svg();
    assert!(svg.contains("policy 6") && Document::parse(&svg).is_ok());
    show("bars-many", &svg);
}

#[test]
fn what_is_missing_is_said_in_its_panel() {
    let frame = frame();
    let told = |text: &str| page_of(&frame, text).to_svg();
    let gantt = told("kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.7 }");
    assert!(gantt.contains("the results have no `gantt` of the replay"));
    let cdf = told("kind = \"cdf\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.7 }");
    assert!(cdf.contains("no replay has the distribution of its jobs"));
    let mut fewer = super::frame();
    fewer.rows.retain(|row| row.policy != 1);
    let bars = page_of(&fewer, "kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }").to_svg();
    assert!(bars.contains(">–</text>"));
    fewer.measures.remove(0);
    let sheet = "name = \"plot\"\nkind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }";
    let sheet = Sheet::new(sheet, "e.toml");
    let table = sheet.parse().unwrap();
    let spec = PlotSpec::read(&sheet.whole(&table), &Names::of(&frame)).unwrap();
    let error = draw(&spec, &Study::new(&fewer), &|_, _| None).unwrap_err();
    assert_eq!(error, "the results have no `mean_bsld`");
}
