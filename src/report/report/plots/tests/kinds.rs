//! What single kinds of plots draw.

use super::*;
use batchlab_engine::plot::{Mark, VerticalRange};

fn page_of(frame: &Frame, text: &str) -> Result<Page, String> {
    draw_of(frame, text).map(|drawn| drawn.0)
}

fn whiskers(page: &Page) -> Vec<&[VerticalRange]> {
    let marks = page.panels[0].marks().iter();
    marks.filter_map(|mark| if let Mark::Whiskers(_, of) = mark { Some(&of[..]) } else { None }).collect()
}

#[test]
fn the_boxes_of_units_are_those_of_their_values() {
    let page = page("kind = \"box\"\nmetric = \"mean_bsld\"\nx = \"load\"\nworkloads = \"lublin\"");
    // Three loads for each of three policies.
    assert_eq!(whiskers(&page).len(), 9);
    let mut values: Vec<f64> = (0..UNITS).map(|unit| values(0, 0.7, 0, unit)[0].unwrap()).collect();
    values.sort_by(f64::total_cmp);
    let [below, above] = whiskers(&page)[0] else { panic!("one box has two whiskers") };
    let quartile = |place: f64| {
        let at = place.floor() as usize;
        values[at] + (place - place.floor()) * (values[at + 1] - values[at])
    };
    assert!((below.high - quartile(1.75)).abs() < 1e-9 && (above.low - quartile(5.25)).abs() < 1e-9);
    assert_eq!((below.low, above.high), (values[0], values[7]));
    assert!(page.caption[0].contains("Values are those of units."), "{}", page.caption[0]);
    let ratios =
        draw_page("kind = \"box\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }\nrelative = \"EASY\"");
    let ratios = ratios.unwrap().0;
    assert_eq!(whiskers(&ratios).len(), 4, "two policies on two workloads");
    assert!(ratios.caption[0].contains("ratios to EASY, unit by unit"), "{}", ratios.caption[0]);
}

#[test]
fn a_scatter_names_the_policies_on_its_front() {
    let text = "kind = \"scatter\"\nmetric = \"mean_bsld\"\nx = \"utilization\"\nwhere = { load = 0.8 }";
    let page = page(text);
    assert_eq!(page.panels.len(), 2, "a panel for each workload");
    // EASY has the least slowdown and the highest utilization.
    assert!(page.caption[0].contains("as good in the other than EASY."), "{}", page.caption[0]);
    let missing = try_read("name = \"a\"\nkind = \"scatter\"\nmetric = \"mean_bsld\"").unwrap_err();
    assert!(missing.contains("a scatter plot needs `x`: the other metric"), "{missing}");
    let unknown = try_read(&format!("name = \"a\"\n{}", text.replace("utilization", "utilisation")));
    assert!(unknown.unwrap_err().contains("did you mean `utilization`?"));
}

#[test]
fn a_policy_that_every_test_shows_to_be_worse_is_hollow() {
    let page = page(
        "kind = \"scatter\"\nmetric = \"mean_bsld\"\nx = \"mean_wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }",
    );
    let dots = page.panels[0].marks().iter();
    let dots =
        dots.filter_map(|mark| if let Mark::Dots(_, of) = mark { Some(of[0].is_hollow) } else { None });
    assert_eq!(dots.collect::<Vec<_>>(), [false, true, true]);
    let words =
        "FCFS is dominated beyond the intervals: EASY, conservative shown to be better in both metrics";
    assert!(page.caption[0].contains(words), "{}", page.caption[0]);
    // Utilizations differ by the same factor in each unit, which no test can judge.
    let untested = super::page(
        "kind = \"scatter\"\nmetric = \"mean_bsld\"\nx = \"utilization\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }",
    );
    assert!(!untested.caption[0].contains("beyond the intervals:"), "{}", untested.caption[0]);
}

#[test]
fn single_jobs_have_a_panel_for_each_policy_and_a_grid_has_one_for_each_metric() {
    let text = "kind = \"job-scatter\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }";
    let jobs = page(text);
    assert_eq!(jobs.panels.iter().map(batchlab_engine::plot::Panel::title).collect::<Vec<_>>(), POLICIES);
    let dots = |panel: &batchlab_engine::plot::Panel| -> usize {
        let dots = panel.marks().iter().map(|mark| if let Mark::Dots(_, of) = mark { of.len() } else { 0 });
        dots.sum()
    };
    // Eight units of 40 jobs each.
    assert_eq!(jobs.panels.iter().map(dots).collect::<Vec<_>>(), [320; 3]);
    let refused = try_read(&format!("name = \"a\"\n{text}\nx = \"size\"")).unwrap_err();
    assert!(refused.contains("unknown `size`") && refused.contains("procs, run"), "{refused}");
    let grid = page("kind = \"load-grid\"\nmetric = \"mean_wait\"\nworkloads = \"lublin\"").to_svg();
    assert!(grid.contains(">utilization (%)<") && grid.contains(">mean wait ("), "{grid}");
}

#[test]
fn weeks_are_units_or_those_of_one_replay() {
    let text = "kind = \"weeks\"\nmetric = \"mean_wait\"\nworkloads = \"KTH-SP2\"\nwhere = { load = 0.8 }";
    let steps = |page: &Page| {
        let marks = page.panels[0].marks().iter();
        let steps =
            marks.filter_map(|mark| if let Mark::Steps(_, of) = mark { Some(of.len()) } else { None });
        steps.collect::<Vec<_>>()
    };
    // Eight windows each, and the end of the last.
    assert_eq!(steps(&page(text)), [9, 9, 9]);
    assert!(page(text).to_svg().contains(">week</text>"));
    // A window without jobs is a gap.
    let mut gap = frame();
    gap.rows.retain(|row| row.unit != Some(3) || row.policy != 0);
    assert_eq!(steps(&page_of(&gap, text).unwrap()), [4, 5, 9, 9]);
    // One replay has the weeks of its jobs; the 40 jobs are submitted in the first.
    let mut one = frame();
    one.rows.retain(|row| row.unit == Some(0));
    one.workloads[1].units = UnitKind::One;
    let page = page_of(&one, text).unwrap();
    assert_eq!(steps(&page), [2, 2, 2]);
    assert!(page.to_svg().contains(">week of submission</text>"));
    let refused = page_of(&one, &text.replace("mean_wait", "utilization")).unwrap_err();
    assert!(refused.starts_with("one replay has weeks of mean_wait and mean_bsld"), "{refused}");
    let models = page_of(&one, &text.replace("KTH-SP2", "lublin")).unwrap_err();
    assert_eq!(models, "its units do not follow each other in time");
}

#[test]
fn a_lorenz_curve_runs_from_nobody_to_everybody_below_the_diagonal() {
    let page = page("kind = \"lorenz\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }");
    let lines: Vec<_> = page.panels[0]
        .marks()
        .iter()
        .filter_map(|mark| if let Mark::Line(_, points) = mark { Some(points) } else { None })
        .collect();
    assert_eq!(lines.len(), 1 + POLICIES.len());
    for line in &lines[1..] {
        assert_eq!((line[0], *line.last().unwrap()), ((0.0, 0.0), (100.0, 100.0)));
        assert!(line.iter().all(|(x, y)| y - x < 1e-9), "{line:?}");
    }
    assert!(page.to_svg().contains(">FCFS (0."), "the key has the Gini coefficient");
}

#[test]
fn ranks_are_those_over_logs_and_say_what_the_test_shows() {
    let page = page("kind = \"ranks\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }");
    let svg = page.to_svg();
    for text in [
        ">EASY 1.00<",
        ">conservative 2.00<",
        ">FCFS 3.00<",
        ">mean rank over 2 logs<",
        ">critical difference<",
    ] {
        assert!(svg.contains(text), "`{text}` is not in {svg}");
    }
    for text in [
        "Friedman's test over 2 logs, as Iman and Davenport's F: all logs rank alike, p = 0.167",
        "the critical difference at 5 % is 2.34",
        "Over 2 logs both tests are approximate.",
        "The test does not show that policies differ at all.",
    ] {
        assert!(page.caption[0].contains(text), "`{text}` is not in {}", page.caption[0]);
    }
    let alone =
        draw_page("kind = \"ranks\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }\nworkloads = \"lublin\"");
    assert_eq!(alone.unwrap_err(), "no ranks over logs: 1 unit is too few: 2 are needed");
}

#[test]
fn bars_of_many_policies_stand_beside_each_other() {
    let text = "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"";
    let few = page(text);
    assert!(whiskers(&few).is_empty(), "three policies have bands");
    let many = page_of(&with_policies(6), text).unwrap();
    let bars = whiskers(&many);
    assert_eq!((bars.len(), bars[0].len()), (6, 3));
    let places: Vec<f64> = bars.iter().map(|spans| spans[0].x).collect();
    assert!(places.windows(2).all(|pair| pair[1] > pair[0]), "{places:?}");
    assert!((places.iter().sum::<f64>() / 6.0 - 0.7).abs() < 1e-9, "around their x: {places:?}");
    assert!(!many.panels[0].marks().iter().any(|mark| matches!(mark, Mark::Band(..))));
    assert!(many.caption[0].contains("Markers of the same x stand beside each other."));
    let cdf = "kind = \"cdf\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }";
    let cdf = page_of(&with_policies(3), cdf).unwrap();
    assert!(!cdf.caption[0].contains("for the first 2 policies only"));
}

#[test]
fn the_cells_of_a_heat_map_have_room_for_their_numbers_however_many_rows_there_are() {
    let mut frame = frame();
    for class in 0..15 {
        frame.measures.push(measure(&format!("mean_bsld@class{class}"), Unit::Ratio, Better::Lower));
        frame.rows.iter_mut().for_each(|row| row.values.push(row.values[0]));
    }
    let text = "kind = \"heatmap\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.8 }\nworkloads = \"lublin\"\nsize = \"column\"";
    let page = page_of(&frame, text).unwrap();
    let svg = page.to_svg_for(PageLayout::figure(batchlab_engine::plot::FigureSize::Column));
    show("heatmap-many", &svg);
    assert_within("heatmap-many", &svg);
    let document = Document::parse(&svg).unwrap();
    let heights =
        document.descendants().filter(|node| node.has_tag_name("rect") && node.children().count() > 0);
    let heights: Vec<f64> = heights.map(|node| node.attribute("height").unwrap().parse().unwrap()).collect();
    assert_eq!(heights.len(), 18 * 3, "a cell for each class and policy");
    assert!(heights.iter().all(|height| *height >= 25.0), "{heights:?}");
    assert!(svg.contains(">mean bounded slowdown, \u{d7} ratio to EASY</text>"), "{svg}");
}

#[test]
fn the_last_tick_of_a_chart_is_whole_and_at_its_end() {
    let chart = "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\npolicies = [\"FCFS\"]";
    for (window, last) in
        [("from = \"5m\"\nto = \"15m\"", ">15</text>"), ("around = 20\nreach = \"6m\"", ">6</text>")]
    {
        let drawn = svg(&format!("{chart}\n{window}"));
        assert!(drawn.contains(last), "{window}: {drawn}");
    }
    let drawn = svg(chart);
    // The ends of the axis's line and of its last tick.
    let document = Document::parse(&drawn).unwrap();
    let number = |node: Node<'_, '_>, key: &str| node.attribute(key).unwrap().parse::<f64>().unwrap();
    let frame = document.descendants().find(|node| {
        node.has_tag_name("rect") && node.attribute("fill") == Some("none") && number(*node, "x") == 0.0
    });
    let width = number(frame.unwrap(), "width");
    assert!(drawn.contains(&format!("x1=\"{width}\"")), "no tick at {width}: {drawn}");
}
