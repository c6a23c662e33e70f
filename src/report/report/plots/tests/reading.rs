//! Errors in a plot's declaration are reported before anything runs.

use super::*;
use batchlab_study::experiment::detail::Extent;

fn refused(text: &str) -> String {
    try_read(text).unwrap_err()
}

#[test]
fn names_that_there_are_not_are_refused_with_the_one_that_was_meant() {
    let lines = |more: &str| format!("name = \"a\"\nkind = \"lines\"\n{more}");
    assert_eq!(
        refused("name = \"a\"\nkind = \"linse\""),
        "e.toml:2:8: `kind` must be \"lines\", \"bars\", \"forest\", \"cdf\", \"heatmap\", \"timeline\", \"gantt\", \
         \"density\", \"box\", \"job-box\", \"scatter\", \"load-grid\", \"job-scatter\", \"weeks\", \"user-cdf\", \
         \"lorenz\", \"ranks\", \"promise-cdf\", \"accuracy\" or \"accuracy-cdf\" (did you mean `lines`?)"
    );
    assert!(
        refused(&lines("metrik = \"mean_bsld\"")).contains("unknown key `metrik` (did you mean `metric`?)")
    );
    assert!(
        refused(&lines("metric = \"mean_bslt\"")).starts_with("e.toml:3:10: metric: unknown `mean_bslt`")
    );
    let with = |more: &str| lines(&format!("metric = \"mean_bsld\"\n{more}"));
    assert!(
        refused(&with("x = \"laod\"")).starts_with("e.toml:4:5: x: unknown `laod` (did you mean `load`?)")
    );
    assert!(refused(&with("policies = [\"EASY\", \"easy\"]")).contains("policies: unknown `easy`"));
    assert!(refused(&with("where = { load = \"0.75\" }")).contains("known are 0.7, 0.8, 0.9"));
    assert!(refused(&with("relative = \"FCFS2\"")).contains("did you mean `FCFS`?"));
    assert!(refused(&with("classes = [\"tiny\"]")).contains("known are all, small, large"));
    let published = |value: &str| refused(&with(&format!("published = [{{ {value} }}]")));
    assert_eq!(published("policy = \"FCFS\", at = 1"), "e.toml:4:14: `value` is missing here");
    assert_eq!(published("policy = \"FCFS\", at = 1, value = true"), "e.toml:4:49: `value` must be a number");
    assert!(
        published("policy = \"FCSF\", at = 1, value = 2").starts_with("e.toml:4:25: policy: unknown `FCSF`")
    );
    assert!(published("polcy = 1").contains("unknown key `polcy` (did you mean `policy`?)"));
    assert!(refused("name = \"../a\"\nkind = \"gantt\"").contains("letters, digits"));
    assert!(
        refused("name = \"a\"\nkind = \"cdf\"\nmetric = \"mean_wait\"").contains("`wait` for `mean_wait`")
    );
}

#[test]
fn keys_without_an_effect_and_open_choices_are_refused() {
    let refused = |text: &str| refused(&format!("name = \"a\"\n{text}"));
    assert_eq!(refused("kind = \"gantt\"\nlog = true"), "e.toml:3:7: a plot of kind `gantt` has no `log`");
    assert!(refused("kind = \"heatmap\"\nmetric = \"mean_bsld\"\nx = \"load\"").contains("has no `x`"));
    assert_eq!(
        refused("kind = \"timeline\""),
        "e.toml:1:1: `load` has 3 values here, and the plot shows one: choose with where = { load = \"...\" }, or make \
         a panel of each with panel = \"load\""
    );
    assert!(
        refused("kind = \"lines\"\nmetric = \"mean_bsld\"\npanel = \"load\"")
            .contains("`load` is spread within each panel already")
    );
    assert!(
        refused("kind = \"lines\"\nmetric = \"mean_bsld\"\nwhere = { load = \"0.7\" }")
            .contains("needs `x`: a swept parameter or a metric")
    );
}

#[test]
fn what_is_not_said_is_what_is_left() {
    let lines = spec("kind = \"lines\"\nmetric = \"mean_bsld\"");
    assert_eq!((lines.spread, lines.panel), (Some(Dimension::Parameter(0)), Some(Dimension::Workload)));
    assert!(!lines.is_log && lines.has_band && lines.relative.is_none());
    let bars = spec("kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = { load = 0.7 }");
    assert_eq!((bars.spread, bars.panel), (Some(Dimension::Workload), None));
    let cdf = spec("kind = \"cdf\"\nmetric = \"bsld\"\nwhere = { load = 0.7 }");
    assert!(cdf.is_log && cdf.panel == Some(Dimension::Workload));
    let grid = spec("kind = \"heatmap\"\nmetric = \"mean_bsld\"\nworkloads = \"lublin\"");
    assert_eq!((grid.selection.classes.len(), grid.panel), (3, Some(Dimension::Parameter(0))));
}

#[test]
fn class_as_an_axis_or_a_panel_shows_every_class() {
    // All jobs, small and large jobs if class is an axis or a panel dimension; all jobs otherwise.
    let classes = |more: &str| {
        let bars =
            spec(&format!("kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = {{ load = 0.7 }}\n{more}"));
        let classes =
            bars.selection.classes.iter().map(|class| class.clone().unwrap_or_else(|| "all".into()));
        (classes.collect::<Vec<_>>(), bars.spread, bars.panel)
    };
    let (all, [workload, class]) = (["all", "small", "large"], [Dimension::Workload, Dimension::Class]);
    assert_eq!(classes(""), (vec!["all".into()], Some(workload), None));
    assert_eq!(classes("x = \"class\""), (all.map(String::from).to_vec(), Some(class), Some(workload)));
    assert_eq!(classes("panel = \"class\""), (all.map(String::from).to_vec(), Some(workload), Some(class)));
    // Classes given in the file replace the default.
    let chosen = "x = \"class\"\nclasses = [\"large\", \"small\"]";
    assert_eq!(classes(chosen).0, ["large", "small"]);
}

#[test]
fn each_class_has_its_bars_or_its_panel() {
    let page = |more: &str| {
        let more = format!("kind = \"bars\"\nmetric = \"mean_bsld\"\nwhere = {{ load = 0.7 }}\n{more}");
        draw_page(&format!("workloads = \"lublin\"\n{more}")).unwrap().0.to_svg()
    };
    for more in ["x = \"class\"", "panel = \"class\"\nx = \"load\""] {
        let texts = texts(&page(more));
        for class in ["all", "small", "large"] {
            assert!(texts.iter().any(|text| text == class), "{more}: no `{class}` in {texts:?}");
        }
    }
}

#[test]
fn the_details_of_the_replays_that_are_shown_are_asked_for_alone() {
    let chart = spec(
        "kind = \"gantt\"\nworkloads = \"KTH-SP2\"\npolicies = [\"EASY\"]\nwhere = { load = 0.9 }\nunit = 2",
    );
    let wanted = |workload, policy, point, unit| {
        chart.detail_of(workload, policy, &[point], unit).map(|wanted| wanted.name())
    };
    assert_eq!(
        (wanted(1, 0, 2, Some(2)), wanted(1, 0, 2, None)),
        (Some("gantt".into()), Some("gantt".into()))
    );
    for (workload, policy, point, unit) in [(0, 0, 2, 2), (1, 1, 2, 2), (1, 0, 1, 2), (1, 0, 2, 0)] {
        assert_eq!(wanted(workload, policy, point, Some(unit)), None);
    }
    assert!(spec("kind = \"lines\"\nmetric = \"mean_bsld\"").detail_of(0, 0, &[0], Some(0)).is_none());
}

#[test]
fn a_forest_compares_with_the_baseline_and_has_no_x() {
    assert_eq!(spec("kind = \"forest\"\nmetric = \"mean_bsld\"").relative, Some(0));
    assert_eq!(spec("kind = \"forest\"\nmetric = \"mean_bsld\"\nrelative = \"FCFS\"").relative, Some(2));
    let text = "name = \"plot\"\nkind = \"forest\"\nmetric = \"mean_bsld\"";
    let error = try_read(&format!("{text}\nx = \"load\"")).unwrap_err();
    assert!(error.contains("a plot of kind `forest` has no `x`"), "{error}");
    let sheet = LocatedToml::new(text, "e.toml");
    let table = sheet.parse().unwrap();
    let names = Names { baseline: None, ..Names::of(&frame()) };
    let error = PlotSpec::read(&Section::whole(&sheet, &table), &names).unwrap_err().to_string();
    assert!(error.contains("give `relative`, or a `baseline` in [experiment]"), "{error}");
}

#[test]
fn a_window_is_two_times_or_a_job() {
    let chart = |more: &str| {
        try_read(&format!(
            "name = \"a\"\nkind = \"gantt\"\nworkloads = \"lublin\"\nwhere = {{ load = 0.9 }}\n{more}"
        ))
    };
    let extent = |more: &str| chart(more).unwrap().chart.extent;
    assert_eq!(extent(""), Extent::Whole);
    assert_eq!(extent("from = \"2h\""), Extent::Between(7200.0, None));
    assert_eq!(extent("to = \"1d\""), Extent::Between(0.0, Some(86_400.0)));
    assert_eq!(extent("around = 7"), Extent::Around(7, 21_600.0));
    assert_eq!(extent("around = 7\nreach = \"90s\""), Extent::Around(7, 90.0));
    for (more, refusal) in [
        ("from = \"2h\"\nto = \"1h\"", "e.toml:6:6: to: the window must end after it begins"),
        ("around = 7\nto = \"1h\"", "around: the job chooses the window; leave out `from` and `to`"),
        ("reach = \"1h\"", "reach: it is that of a window around a job; give `around` too"),
        ("from = \"soon\"", "e.toml:5:8: `from` must be a length of time"),
        (
            "colour = \"users\"",
            "`colour` must be \"none\", \"user\", \"width\" or \"class\" (did you mean `user`?)",
        ),
    ] {
        let error = chart(more).unwrap_err();
        assert!(error.contains(refusal), "{error}");
    }
    let lines =
        try_read("name = \"a\"\nkind = \"lines\"\nmetric = \"mean_bsld\"\nfrom = \"2h\"").unwrap_err();
    assert!(lines.contains("a plot of kind `lines` has no `from`"), "{lines}");
}
