use super::scale::Scale;
use super::svg::{escape, pixels};
use super::thin::thin;
use super::ticks::{self, Tick};
use super::*;

fn labels(ticks: &[Tick]) -> Vec<&str> {
    ticks.iter().map(|tick| tick.label.as_str()).collect()
}

#[test]
fn lengths_have_at_most_two_decimals() {
    let shown = [0.0, -0.001, 1.0, 1.5, 1.256, -2.05, 100.0, f64::NAN, f64::INFINITY].map(pixels);
    assert_eq!(shown, ["0", "0", "1", "1.5", "1.26", "-2.05", "100", "0", "0"]);
}

#[test]
fn text_cannot_become_markup() {
    assert_eq!(
        escape("a<b> & \"c\"\n\u{0}\u{1b}\u{ffff}é"),
        "a&lt;b&gt; &amp; &quot;c&quot; \u{fffd}\u{fffd}\u{fffd}é"
    );
}

#[test]
fn ticks_stand_at_multiples_of_one_two_or_five() {
    let linear = |from, to, about| ticks::linear(&Scale::linear(from, to), about);
    assert_eq!(labels(&linear(0.0, 100.0, 5)), ["0", "20", "40", "60", "80", "100"]);
    assert_eq!(labels(&linear(0.0, 0.3, 6)), ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]);
    assert_eq!(labels(&linear(-1.0, 1.0, 4)), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
    assert_eq!(labels(&linear(0.0, 47_000.0, 3)), ["0", "20,000", "40,000"]);
    assert_eq!(labels(&linear(3.0, 3.0, 2)), ["3.0", "3.5", "4.0"]);
    assert!(linear(0.0, f64::MAX, 6).len() < 20 && linear(f64::NAN, f64::NAN, 6).len() < 20);
}

#[test]
fn logarithmic_ticks_stand_at_powers_of_ten_or_lengths_of_time() {
    let decades = |from, to| ticks::decades(&Scale::log(from, to), 6);
    assert_eq!(labels(&decades(1.0, 1e4)), ["1", "10", "100", "1,000", "10,000"]);
    assert_eq!(labels(&decades(0.1, 5.0)), ["0.1", "0.2", "0.5", "1", "2", "5"]);
    assert_eq!(labels(&decades(1.0, 1e12)).len(), 7);
    let lengths = ticks::lengths(&Scale::log(1.0, 100_000.0));
    assert_eq!(labels(&lengths), ["1 s", "10 s", "1 min", "10 min", "1 h", "1 d"]);
}

#[test]
fn values_beyond_a_scale_stand_at_its_ends() {
    let linear = Scale::linear(10.0, 20.0);
    assert_eq!(
        [5.0, 10.0, 12.5, 20.0, 99.0, f64::NAN].map(|at| linear.position(at)),
        [0.0, 0.0, 0.25, 1.0, 1.0, 0.0]
    );
    let log = Scale::log(1.0, 10_000.0);
    assert_eq!([0.0, 1.0, 10_000.0].map(|at| log.position(at)), [0.0, 0.0, 1.0]);
    assert!((log.position(100.0) - 0.5).abs() < 1e-12);
    assert_eq!((Scale::log(0.0, 0.0).from(), Scale::log(0.0, 0.0).to()), (1.0, 10.0));
    assert_eq!(Scale::linear(0.0, 4.0).steps(4).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn names_stand_in_the_middle_of_their_things_and_are_thinned() {
    let axis = Axis::names("size", ["1", "2", "4"]);
    assert_eq!(axis.ticks.iter().map(|tick| tick.value).collect::<Vec<_>>(), [0.5, 1.5, 2.5]);
    let many = Axis::names("size", (0..30).map(|at| at.to_string()));
    assert_eq!(labels(&many.ticks), ["0", "3", "6", "9", "12", "15", "18", "21", "24", "27"]);
    assert!(Axis::names("size", Vec::<String>::new()).ticks.is_empty());
}

#[test]
fn thinning_keeps_first_lowest_highest_and_last_of_a_column() {
    let crowd: Vec<Point> = [3.0, 5.0, 1.0, 4.0, 2.0, 2.5].iter().map(|&y| (0.1, y)).collect();
    assert_eq!(thin(&crowd), [(0.1, 3.0), (0.1, 5.0), (0.1, 1.0), (0.1, 2.5)]);
    let apart: Vec<Point> = (0..9).map(|at| (f64::from(at), 1.0)).collect();
    assert_eq!(thin(&apart), apart);
    assert!(thin(&[]).is_empty());
    let long: Vec<Point> = (0..100_000).map(|at| (f64::from(at) / 1000.0, f64::from(at % 7))).collect();
    assert!(thin(&long).len() <= 4 * 201);
}

#[test]
fn a_page_is_what_it_is_said_to_be_to_the_byte() {
    let (x, y) = (Axis::linear("time (h)", 0.0, 4.0), Axis::linear("jobs", 0.0, 2.0));
    let bar = Area { x: (1.0, 2.0), y: (0.0, 1.0), fill: Fill::Hatched };
    let panel = Panel::new("Queue < 3", x, y).areas(vec![bar]).fill("bars", Fill::Hatched).steps(
        "waiting",
        Stroke::Dashed,
        vec![(0.0, 0.0), (1.0, 2.0), (4.0, 1.0)],
    );
    let page = Page {
        title: "A & B".into(),
        panels: vec![panel, Panel::without("Users", "no users are recorded")],
        columns: 1,
        caption: vec!["Two panels.".into()],
        ..Page::default()
    };
    let svg = page.to_svg();
    for element in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" class=\"plot\" width=\"432\" height=\"588\" ",
        "<title>A &amp; B</title>\n<desc>Queue &lt; 3; Users</desc>\n",
        "<g transform=\"translate(16 58)\">\n",
        "<rect x=\"83.5\" y=\"87\" width=\"83.5\" height=\"87\" fill=\"url(#hatch)\" stroke=\"currentColor\" stroke-width=\"0.5\"/>\n",
        "<path d=\"M0 174H83.5V0H334V87\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\" stroke-dasharray=\"6 3\"/>\n",
        "<text x=\"167\" y=\"203\" text-anchor=\"middle\">time (h)</text>\n",
        "<text x=\"-38\" y=\"87\" text-anchor=\"middle\" transform=\"rotate(-90 -38 87)\">jobs</text>\n",
        "<text x=\"167\" y=\"87\" text-anchor=\"middle\" fill-opacity=\"0.75\">no users are recorded</text>\n",
        "<text x=\"16\" y=\"572\" text-anchor=\"start\">Two panels.</text>\n</svg>\n",
    ] {
        assert!(svg.contains(element), "`{element}` is not in:\n{svg}");
    }
    assert_eq!(svg, page.to_svg());
}

#[test]
fn what_is_drawn_in_ink_takes_the_colour_of_its_page() {
    let axis = Axis::linear("", 0.0, 1.0);
    let span = VerticalRange { x: 0.5, low: 0.2, high: 0.8 };
    let dot = |is_hollow| Dot { at: (0.5, 0.5), is_hollow, title: "a & b".into() };
    let panel = Panel::new("", axis.clone(), axis)
        .look("EASY", 0)
        .look("conservative", 7)
        .hollow("saturated", 1)
        .mark(Mark::Band(1, vec![span, VerticalRange { x: 0.7, ..span }]))
        .mark(Mark::Dots(7, vec![dot(false), dot(true)]))
        .mark(Mark::Whiskers(Stroke::Of(2), vec![span]))
        .areas(vec![Area { x: (0.0, 0.1), y: (0.0, 1.0), fill: Fill::Of(2) }]);
    let caption = vec!["said elsewhere".into()];
    let page = Page { panels: vec![panel], columns: 1, caption, ..Page::default() };
    let svg = page.to_svg_for(PageLayout::figure(FigureSize::Column));
    assert!(svg.contains("class=\"plot\" width=\"316.8\"") && !svg.contains("said elsewhere"));
    // The eighth look equals the second one.
    assert_eq!(svg.matches("class=\"s1\" color=\"#0072b2\" fill=\"currentColor\"/>").count(), 1);
    assert!(svg.contains("<title>a &amp; b</title></path>") && svg.contains("fill=\"url(#look2)\""));
    // Lines and texts have no fixed colours, except those of looks, which have classes.
    for element in svg.lines().filter(|line| line.starts_with('<') && !line.contains("<defs>")) {
        assert!(!element.contains("stroke=\"#") && !element.contains("fill=\"#0"), "{element}");
        assert!(!element.contains("fill=\"#fff\"") || element.contains("class=\"ground\""), "{element}");
    }
}

#[test]
fn names_of_any_length_stay_within_the_page() {
    let names = ["conservative backfilling with a very long name".repeat(2), "EASY".into()];
    let panel =
        Panel::new("t".repeat(200), Axis::categories("policy", names.clone()), Axis::categories("", names));
    let page = Page { title: "t".repeat(300), panels: vec![panel], columns: 1, ..Page::default() };
    let svg = page.to_svg();
    let longest = svg.lines().filter(|line| line.starts_with("<text")).map(str::len).max();
    assert!(longest.is_some_and(|longest| longest < 200), "{svg}");
    assert!(svg.contains("rotate(-35"), "{svg}");
}

#[test]
fn three_panels_stand_side_by_side_in_the_width_of_a_text() {
    let panel = |title: &str| Panel::new(title, Axis::linear("", 0.0, 1.0), Axis::linear("", 0.0, 1.0));
    let page = |panels: &[&str]| Page {
        panels: panels.iter().map(|title| panel(title)).collect(),
        columns: 2,
        shares_key: true,
        ..Page::default()
    };
    let offsets = |panels: &[&str], size| {
        let svg = page(panels).to_svg_for(PageLayout { size, has_title: false, has_caption: false });
        svg.matches("<g transform=\"translate(0 ").count()
    };
    // Panels at the left edge: one a line.
    assert_eq!(offsets(&["a", "b", "c"], FigureSize::Text), 1);
    assert_eq!(offsets(&["a", "b", "c", "d"], FigureSize::Text), 2);
    assert_eq!(offsets(&["a", "b", "c"], FigureSize::Column), 3);
}

#[test]
fn an_axis_in_steps_has_a_tick_at_both_ends_where_a_step_allows_it() {
    let labels = |from: f64, to: f64| -> Vec<String> {
        let axis = Axis::in_steps("time (h)", from, to, &[1.0, 2.0, 3.0, 6.0, 12.0, 24.0]);
        axis.ticks.into_iter().map(|tick| tick.label).collect()
    };
    assert_eq!(labels(0.0, 48.0), ["0", "6", "12", "18", "24", "30", "36", "42", "48"]);
    assert_eq!(labels(-6.0, 6.0), ["-6", "-4", "-2", "0", "2", "4", "6"]);
    // No step ends at five hours and a half.
    assert_eq!(labels(0.0, 5.5), ["0", "1", "2", "3", "4", "5"]);
    assert_eq!(labels(0.0, 1.0).len(), 6, "below two steps, round numbers");
}
