//! What plots say besides their marks.

use super::*;

use batchlab_engine::plot::{Fill, LOOKS, Mark, pdf};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::{ComparedNumber, Family, Question};

fn page_of(frame: &Frame, text: &str) -> Page {
    draw(&spec_of(frame, text), &Study::new(frame), &|_, _| None).unwrap()
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
    assert!(grid.contains("ratio to EASY in the same row; orange is worse, blue is better."), "{grid}");
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
    let text = "kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }";
    let page = page_of(&with_policies(LOOKS + 1), text);
    assert!(page.caption[0].contains("There are more than 6 policies: looks repeat after the 6th"));
    let svg = page.to_svg();
    assert!(svg.contains("policy 6") && Document::parse(&svg).is_ok());
    show("bars-many", &svg);
}

#[test]
fn what_is_missing_is_said_in_its_panel() {
    let frame = frame();
    let told = |text: &str| draw(&spec_of(&frame, text), &Study::new(&frame), &|_, _| None).unwrap_err();
    let gantt = told("kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.7 }");
    assert_eq!(gantt, "the results have no `gantt` of the replay");
    let cdf = told("kind = \"cdf\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.7 }");
    assert_eq!(cdf, "no replay has the distribution of its jobs");
    let mut fewer = super::frame();
    fewer.rows.retain(|row| row.policy != 1);
    let bars = page_of(&fewer, "kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }").to_svg();
    assert!(bars.contains(">–</text>"));
    fewer.measures.remove(0);
    let spec = spec_of(&frame, "kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }");
    let error = draw(&spec, &Study::new(&fewer), &|_, _| None).unwrap_err();
    assert_eq!(error, "the results have no `mean_bsld`");
}

#[test]
fn a_figure_has_a_title_and_conditions_only_if_it_is_asked_for_them() {
    let lines = "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"";
    let bare = svg(lines);
    for absent in ["loads: mean", "16 processors", "mean_bsld"] {
        assert!(!texts(&bare).iter().any(|text| text.contains(absent)), "`{absent}` is in the figure");
    }
    assert!(bare.contains(">mean bounded slowdown</text>"), "{bare}");
    let full = svg(&format!("{lines}\ntitle = \"Slowdown\"\nconditions = true"));
    assert!(full.contains(">Slowdown</text>") && full.contains("16 processors"));
}

#[test]
fn labels_replace_the_names_of_axes_and_policies() {
    let named =
        svg("kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"\nxlabel = \"offered load\"\n\
         label = { mean_bsld = \"slowdown\", EASY = \"EASY backfilling\" }");
    for label in ["offered load", "slowdown", "EASY backfilling", "FCFS"] {
        assert!(named.contains(&format!(">{label}</text>")), "no `{label}`");
    }
    let error = try_read("name = \"a\"\nkind = \"lines\"\nmetric = \"mean_bsld\"\nlabel = { ESY = \"E\" }");
    assert!(error.unwrap_err().contains("unknown `ESY` (did you mean `EASY`?)"));
}

#[test]
fn several_panels_have_one_legend() {
    let panels = svg("kind = \"lines\"\nmetric = \"mean_bsld\"\npanel = \"workload\"");
    for label in [">EASY</text>", ">conservative</text>", ">FCFS</text>", ">saturated</text>"] {
        assert_eq!(panels.matches(label).count(), 1, "{label}");
    }
}

#[test]
fn a_panel_without_values_is_left_out_and_named_in_the_caption() {
    let mut frame = frame();
    for row in frame.rows.iter_mut().filter(|row| row.workload == 1) {
        row.values[0] = None;
    }
    let page = page_of(&frame, "kind = \"lines\"\nmetric = \"mean_bsld\"\npanel = \"workload\"");
    assert_eq!(page.panels.len(), 1);
    assert!(page.caption.contains(&"KTH-SP2: no policy has a value here.".into()), "{:?}", page.caption);
}

#[test]
fn every_size_has_its_width_and_a_slide_its_height() {
    for (size, width, height) in [
        ("panel", "432", None),
        ("column", "316.8", None),
        ("text", "672", None),
        ("slide", "960", Some("540")),
    ] {
        let drawn = svg(&format!(
            "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"\nsize = \"{size}\""
        ));
        let document = Document::parse(&drawn).unwrap();
        let of = |key: &str| document.root_element().attribute(key);
        assert_eq!(of("width"), Some(width), "{size}");
        assert!(height.is_none() || of("height") == height, "{size}: {:?}", of("height"));
        assert_within(size, &drawn);
    }
}

#[test]
fn bars_of_ratios_are_logarithmic_unless_the_experiment_says_no() {
    let is_log = |more: &str| {
        spec(&format!("kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = {{ load = 0.7 }}\n{more}")).is_log
    };
    assert_eq!(
        [is_log(""), is_log("relative = \"EASY\""), is_log("relative = \"EASY\"\nlog = false")],
        [false, true, false]
    );
}

#[test]
fn every_plot_becomes_a_pdf_with_its_fonts_and_without_a_date() {
    for (name, text) in PLOTS {
        let drawn = svg(text);
        let made = pdf(&drawn).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(made, pdf(&drawn).unwrap(), "{name}");
        if let Some(folder) = std::env::var_os("BATCHLAB_FIGURES") {
            std::fs::write(PathBuf::from(folder).join(format!("{name}.pdf")), &made).unwrap();
        }
        let contains = |part: &str| made.windows(part.len()).any(|window| window == part.as_bytes());
        assert!(
            made.starts_with(b"%PDF-1.") && contains("/FontFile2") && contains("BatchlabSans-Regular"),
            "{name}"
        );
        assert!(!contains("Date"), "{name}");
    }
    assert_eq!(pdf("<svg viewBox=\"0 0 1 1\"><image/></svg>").unwrap_err(), "`image` cannot be drawn as PDF");
}

#[test]
fn a_cdf_needs_every_unit_and_has_a_band() {
    let text = "kind = \"cdf\"\nmetric = \"wait\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }";
    let wanted = |unit| spec(text).detail_of(0, 0, &[1], Some(unit)).map(|wanted| wanted.name());
    assert_eq!([wanted(0), wanted(UNITS - 1)], [Some("distribution".into()), Some("distribution".into())]);
    let page = page(text);
    let bands = page.panels[0]
        .marks()
        .iter()
        .filter(|mark| matches!(mark, Mark::Band(_, spans) if !spans.is_empty()));
    assert_eq!(bands.count(), POLICIES.len());
    let legend = &page.caption[0];
    assert!(legend.contains("of all units") && legend.contains("95 % confidence"), "{legend}");
    let error = try_read(&format!("name = \"a\"\n{text}\nunit = 2")).unwrap_err();
    assert!(error.contains("a plot of kind `cdf` has no `unit`"), "{error}");
}

#[test]
fn a_forest_has_a_row_for_each_policy_under_each_workload_and_point() {
    let page = page("kind = \"forest\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.9 }");
    let [panel] = &page.panels[..] else { panic!("{page:?}") };
    let rows: Vec<(&str, bool)> =
        panel.rows().iter().map(|row| (row.name.as_str(), row.is_heading)).collect();
    let expected = [
        ("lublin", true),
        ("conservative", false),
        ("FCFS (saturated)", false),
        ("KTH-SP2", true),
        ("conservative", false),
        ("FCFS (saturated)", false),
    ];
    assert_eq!(rows, expected);
    assert!(panel.rows()[0].beside == "9.89 (EASY)", "the value that 1 stands for: {:?}", panel.rows()[0]);
    let all = &self::page("kind = \"forest\"\nmetric = \"mean_bsld\"").panels[0];
    assert_eq!(all.rows().iter().filter(|row| row.is_heading).count(), 6);
    assert_eq!(all.rows()[3].name, "lublin, load 0.8");
}

#[test]
fn the_marks_of_a_forest_are_the_comparisons_of_tables() {
    let frame = frame();
    let study = Study::new(&frame);
    let design_point = DesignPoint { workload: 0, point: vec![2] };
    let ask = |policy| Question::of_policies(&design_point, [policy, 0], 0);
    let family = Family::of(&study, &[ask(1), ask(2)], ComparedNumber::default());
    let page =
        page("kind = \"forest\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.9 }\nworkloads = \"lublin\"");
    let marks = page.panels[0].marks();
    let ranges: Vec<(f64, f64)> = marks
        .iter()
        .filter_map(|mark| if let Mark::Ranges(_, ranges) = mark { Some(ranges) } else { None })
        .flatten()
        .map(|range| (range.low, range.high))
        .collect();
    let intervals = family.answers.iter().map(|answer| answer.compared().interval.clone().unwrap());
    assert_eq!(ranges, intervals.map(|of| (of.low, of.high)).collect::<Vec<_>>());
    // Both are shown to be worse than EASY, whose values are half and a third of theirs; FCFS is saturated.
    let dots: Vec<(usize, bool)> = marks
        .iter()
        .filter_map(|mark| if let Mark::Dots(look, dots) = mark { Some((look, dots)) } else { None })
        .flat_map(|(look, dots)| dots.iter().map(|dot| (*look, dot.is_hollow)))
        .collect();
    assert_eq!(dots, [(2, false), (2, true)]);
    let caption = page.caption.join("\n");
    let expected = "The intervals below a heading hold together at 95 % (Bonferroni's method).";
    assert!(caption.contains(expected), "{caption}");
}

/// Returns the fills of the tiles and rectangles of a chart's panel.
fn fills(page: &Page, panel: usize) -> Vec<(Fill, usize)> {
    let fill = |mark: &Mark| match mark {
        Mark::Titled(areas) => Some((areas.first()?.0.fill, areas.len())),
        Mark::Tiles(fill, areas) => Some((*fill, areas.len())),
        _ => None,
    };
    page.panels[panel].marks().iter().filter_map(fill).collect()
}

#[test]
fn a_chart_has_a_colour_for_each_of_five_users_and_says_what_was_drawn() {
    let text = "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\npolicies = [\"FCFS\"]";
    let page = page(&format!("{text}\nfrom = \"5m\"\nto = \"15m\"\ncolour = \"user\""));
    let looks: batchlab_traces::sorted::SortedSet<usize> = fills(&page, 0)
        .iter()
        .filter_map(|(fill, _)| if let Fill::Boxed(look, _) = fill { Some(*look) } else { None })
        .collect();
    // Five users, and the other jobs in ink.
    assert_eq!(looks.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    for expected in [
        "Rows are drawn, not recorded: the machine does not number its processors",
        "Jobs that run beyond the window are cut at its edges.",
        "Colours: the 5 users with the most processor time.",
    ] {
        assert!(page.caption[0].contains(expected), "`{expected}` is not in: {}", page.caption[0]);
    }
    let drawn = page.to_svg();
    assert_eq!(drawn.matches(">other jobs</text>").count(), 1);
    assert_eq!(drawn.matches(">user ").count(), 5);
}

#[test]
fn a_window_around_a_job_marks_its_submission_and_its_start() {
    let text = "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\npolicies = [\"FCFS\"]";
    let drawn = svg(&format!("{text}\naround = 20\nreach = \"5m\""));
    let names = texts(&drawn);
    for expected in ["job 20 from its start", "its submission"] {
        assert!(names.iter().any(|name| name == expected), "`{expected}` is not in {names:?}");
    }
    let page = page(&format!("{text}\naround = 40\nreach = \"1s\""));
    assert!(page.caption[0].contains("after its submission, outside of the window"), "{}", page.caption[0]);
}

#[test]
fn the_last_line_of_a_caption_is_not_cut() {
    let drawn = svg(
        "kind = \"lines\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"\nsize = \"text\"\nconditions = true",
    );
    let document = Document::parse(&drawn).unwrap();
    let height = document.root_element().attribute("viewBox").unwrap().rsplit(' ').next().unwrap();
    let last = document.descendants().rfind(|node| node.has_tag_name("text")).unwrap();
    let line: f64 = last.attribute("y").unwrap().parse().unwrap();
    assert!(line + 4.0 <= height.parse().unwrap(), "{line} of {height}");
}

#[test]
fn a_chart_around_a_job_counts_from_its_submission_and_shows_its_reservation() {
    let text =
        "kind = \"gantt\"\nworkloads = \"lublin\"\nwhere = { load = 0.8 }\npolicies = [\"conservative\"]";
    let names = texts(&svg(&format!("{text}\naround = 20\nreach = \"5m\"")));
    assert!(names.iter().any(|name| name == "time since the submission of job 20 (min)"), "{names:?}");
    assert!(names.iter().any(|name| name == "first reservation"), "{names:?}");
    let without = texts(&svg(&format!("{text}\naround = 20\nreach = \"5m\"\nreservations = false")));
    assert!(!without.iter().any(|name| name == "first reservation"), "{without:?}");
}
