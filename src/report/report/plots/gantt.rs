//! The jobs of a replay, or of a window of it, as rectangles; one panel for each policy.

mod view;

use std::cell::RefCell;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::number::counted;

use self::view::{LEAST, View, areas};
use super::chart::{Chart as ChartSpec, Colour, Reservations};
use super::density;
use super::kind::{PLAIN, Panels, PlotKind, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use batchlab_engine::plot::{Area, Axis, Dot, Fill, Mark, Page, Panel, Stroke, TINT, TextMark};
use batchlab_study::experiment::detail::Extent;
use batchlab_study::experiment::detail::gantt::{Bar, Chart, GANTT as DETAIL, Gantt, Piece};

pub(super) static GANTT: PlotKind = PlotKind {
    name: "gantt",
    what: "which job ran where and when, in a window of the replay; reservations, colours by user, width or class",
    subject: Subject::Replay,
    panels: Panels::Window,
    detail: Some(&DETAIL),
    legend: "A rectangle is a job, with its number in the log where there is room.",
    draw,
    ..PLAIN
};

/// A job's number is written if its rectangle has this share of the panel's width for each digit, and of the panel's height.
const DIGIT: f64 = 0.019;
const LINE: f64 = 0.06;
/// The most jobs of a chart with numbers; colours are lighter then, so that numbers are legible.
const FEW: usize = 400;
/// The most reservations that a panel has unless the experiment asks for them.
const RESERVATIONS: usize = 40;
/// The share of the window's length from which a rectangle has an outline.
const OUTLINED: f64 = 1.0 / 150.0;
/// The share of the window's length below which the marked job has a marker at its start.
const MARKED: f64 = 1.0 / 50.0;
/// The opacity of a group in a chart with many jobs, of the narrowest jobs, and of jobs without a group.
const STRONG: f64 = 0.85;
const WEAK: f64 = 0.12;
const OTHER: f64 = 0.22;
const FAINT: f64 = 0.12;
/// The most jobs of a chart whose rectangles have tooltips.
const TITLED: usize = 1000;
/// The looks of groups: all but the first, which is the ink.
const LOOKS: usize = batchlab_engine::plot::LOOKS - 1;

/// The jobs that have a colour in common: their name in the key, and their fill.
struct Group {
    name: String,
    colour: Shade,
    holds: Holds,
}

/// The look of a group, and how strong it is from 0 to 1.
#[derive(Clone, Copy)]
struct Shade(usize, f64);

/// The jobs of a group.
enum Holds {
    User(i64),
    /// From a number of processors to another one.
    Width(i64, i64),
    Class(usize),
}

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let charts: Vec<(usize, Result<Chart, String>)> =
        part.policies.iter().map(|&policy| (policy, scene.detail(&cell.design_point, policy))).collect();
    let known = || charts.iter().filter_map(|(_, chart)| chart.as_ref().ok());
    let windows = known().map(|chart| match chart {
        Chart::Jobs(gantt) => gantt.window,
        Chart::Density { window, .. } => *window,
    });
    // All panels have the same time axis, so that they can be compared.
    let mut view = View::around(windows);
    let gantts: Vec<&Gantt> =
        known().filter_map(|chart| if let Chart::Jobs(gantt) = chart { Some(gantt) } else { None }).collect();
    // A density grid counts from the first submission.
    if known().all(|chart| matches!(chart, Chart::Jobs(_))) {
        view.count_from(&scene.spec.chart, &gantts);
    }
    view.close(scene.spec.chart.extent);
    let groups = groups(scene.spec.chart.colour, &gantts, title);
    let darkest = density::darkest(known().filter_map(|chart| match chart {
        Chart::Jobs(_) => None,
        Chart::Density { grid, .. } => Some(grid),
    }));
    let drawing = Drawing { chart: &scene.spec.chart, note: &|note| scene.note(note) };
    let panel = |(policy, chart): &(usize, Result<Chart, String>)| {
        let label = scene.policy(*policy);
        let title = if title.is_empty() { label.to_owned() } else { format!("{title}: {label}") };
        match chart {
            Ok(Chart::Jobs(gantt)) => chart_panel(&drawing, title, gantt, &groups, &view),
            Ok(Chart::Density { reason, grid, .. }) => {
                scene.note(format!(
                    "{title}: {reason}; the darker, the more processors were in use. A shorter window (`from` and `to`) \
                     shows rectangles."
                ));
                density::grid_panel(title, grid, (view.from, view.to), darkest)
            }
            Err(reason) => Panel::without(title, reason.as_str()),
        }
    };
    Ok(charts.iter().map(panel).collect())
}

impl Group {
    fn has(&self, job: &Bar) -> bool {
        match self.holds {
            Holds::User(user) => job.user == user,
            Holds::Width(from, to) => (from..=to).contains(&job.procs),
            Holds::Class(class) => job.classes.contains(&class),
        }
    }
}

/// Returns the groups of jobs that have colours; `title` is that of the panels if other panels have groups of their own.
fn groups(colour: Colour, charts: &[&Gantt], title: &str) -> Vec<Group> {
    let jobs = || charts.iter().flat_map(|chart| &chart.jobs);
    let mut groups: Vec<Group> = match colour {
        Colour::None => Vec::new(),
        Colour::User => users(&jobs().collect::<Vec<_>>()),
        Colour::Width => widths(jobs().map(|job| job.procs).max().unwrap_or(1)),
        Colour::Class => {
            let names = charts.first().map_or(&[][..], |chart| &chart.classes);
            let class = |(class, name): (usize, &String)| Group {
                name: name.clone(),
                colour: Shade(1 + class, 1.0),
                holds: Holds::Class(class),
            };
            names.iter().enumerate().take(LOOKS).map(class).collect()
        }
    };
    groups.retain(|group| jobs().any(|job| group.has(job)));
    if !title.is_empty() && colour != Colour::Class {
        for group in &mut groups {
            group.name = format!("{title}: {}", group.name);
        }
    }
    groups
}

/// Returns the users with the most processor time.
fn users(jobs: &[&Bar]) -> Vec<Group> {
    let mut work: Vec<(i64, f64)> = Vec::new();
    for job in jobs.iter().filter(|job| job.user >= 0) {
        let of_job = job.procs as f64 * (job.end - job.start);
        match work.iter_mut().find(|(user, _)| *user == job.user) {
            Some((_, sum)) => *sum += of_job,
            None => work.push((job.user, of_job)),
        }
    }
    work.arrange_by(|one, next| next.1.total_cmp(&one.1).then(one.0.cmp(&next.0)));
    let group = |(at, (user, _)): (usize, (i64, f64))| Group {
        name: format!("user {user}"),
        colour: Shade(1 + at, 1.0),
        holds: Holds::User(user),
    };
    work.into_iter().take(LOOKS).enumerate().map(group).collect()
}

/// Returns ranges of widths by powers of four: 1, 2 to 4, 5 to 16, ...; the wider, the darker.
fn widths(widest: i64) -> Vec<Group> {
    let class = |procs: i64| (0..31).find(|&class| procs <= 1 << (2 * class)).unwrap_or(31_usize);
    let top = class(widest);
    let low = (top + 1).saturating_sub(LOOKS);
    let group = |at: usize| {
        let from = if at == low { 1 } else { (1 << (2 * (at - 1))) + 1 };
        let to = (1_i64 << (2 * at)).min(widest);
        let name = if from == to { from.to_string() } else { format!("{from}–{to}") };
        Group {
            name: format!("{name} {}", if to == 1 { "processor" } else { "processors" }),
            colour: Shade(1, if top == low { 1.0 } else { (at - low) as f64 / (top - low) as f64 }),
            holds: Holds::Width(from, to),
        }
    };
    (low..=top).map(group).collect()
}

/// What a chart shows, and where its remarks go.
struct Drawing<'a> {
    chart: &'a ChartSpec,
    note: &'a dyn Fn(String),
}

impl Drawing<'_> {
    fn say(&self, note: impl Into<String>) {
        (self.note)(note.into());
    }
}

/// Returns the page of one chart of a replay that belongs to no experiment.
pub fn page((title, subtitle): (&str, &str), spec: &ChartSpec, chart: &Chart) -> Page {
    let notes = RefCell::new(vec![GANTT.legend.to_owned()]);
    let note = |note: String| notes.borrow_mut().push(note);
    let panel = match chart {
        Chart::Jobs(gantt) => {
            let mut view = View::around([gantt.window].into_iter());
            view.count_from(spec, &[gantt]);
            view.close(spec.extent);
            let groups = groups(spec.colour, &[gantt], "");
            chart_panel(&Drawing { chart: spec, note: &note }, String::new(), gantt, &groups, &view)
        }
        Chart::Density { reason, grid, window } => {
            note(format!("{reason}; the darker, the more processors were in use."));
            density::grid_panel(String::new(), grid, *window, density::darkest([grid].into_iter()))
        }
    };
    Page {
        title: title.into(),
        subtitle: subtitle.into(),
        panels: vec![panel],
        columns: 1,
        is_wide: true,
        shares_key: true,
        caption: vec![notes.take().join(" ")],
    }
}

fn chart_panel(drawing: &Drawing<'_>, title: String, chart: &Gantt, groups: &[Group], view: &View) -> Panel {
    let (x, y) =
        (view.axis(), Axis { has_grid: false, ..Axis::linear("processors", 0.0, chart.procs as f64) });
    let of = if title.is_empty() { String::new() } else { format!("{title}: ") };
    drawing.say(format!("{of}{}.", counted(chart.jobs.len() as u64, "job")));
    say(drawing, chart, view);
    let mut panel = Panel::new(title, x, y);
    let middle = drawing.chart.marked.and_then(|number| chart.jobs.iter().find(|job| job.number == number));
    let ghosts = ghosts_shown(drawing, chart, middle, view);
    if !ghosts.is_empty() {
        drawing.say(
            "Grey and dotted: the first reservation of a job that started at another time, for as long as it was \
             expected to take, on the processors on which it began."
        );
        panel = panel.fill("first reservation", Fill::Reserved);
    }
    let lost = |job: &Bar| befallen(job, &job.lost, (Fill::Light, "lost its work"), view);
    let lost: Vec<(Area, String)> = chart.jobs.iter().flat_map(lost).collect();
    if !lost.is_empty() {
        panel = panel.fill("run whose work was lost", Fill::Light).mark(Mark::Titled(lost));
    }
    let paused = |job: &Bar| befallen(job, &job.suspended, (Fill::Ghost, "suspended"), view);
    let paused: Vec<(Area, String)> = chart.jobs.iter().flat_map(paused).collect();
    if !paused.is_empty() {
        panel = panel.fill("suspended", Fill::Ghost).mark(Mark::Titled(paused));
    }
    let closed: Vec<Area> = chart.closed.iter().flat_map(|piece| view.area(piece, Fill::Hatched)).collect();
    if !closed.is_empty() {
        panel = panel.fill("out of service", Fill::Hatched).mark(Mark::Areas(closed));
    }
    let outline = |(area, _): &(Area, String)| Area { fill: Fill::Outline, ..*area };
    let outlines = ghosts.iter().map(outline).collect();
    let all = chart.jobs.iter().flat_map(|job| view.areas(job, Fill::Ground)).collect();
    panel = panel.mark(Mark::Titled(ghosts)).mark(Mark::Tiles(Fill::Ground, all));
    panel = fill_groups(panel, chart, groups, middle, view);
    if let Some(job) = middle {
        panel = mark_job(drawing, panel, job, chart, view);
    }
    let numbers = || chart.jobs.iter().flat_map(|job| numbers(job, chart.procs, view)).collect();
    let numbers = if chart.jobs.len() <= FEW { numbers() } else { Vec::new() };
    panel.mark(Mark::Areas(outlines)).mark(Mark::Words(numbers))
}

/// Returns the first reservations that the plot asks for; if they are too many, only those of the marked job, and says so.
fn ghosts_shown(
    drawing: &Drawing<'_>,
    chart: &Gantt,
    middle: Option<&Bar>,
    view: &View,
) -> Vec<(Area, String)> {
    let all = || chart.jobs.iter().flat_map(|job| ghosts(job, view)).collect::<Vec<_>>();
    let of_marked = || middle.map(|job| ghosts(job, view)).unwrap_or_default();
    match drawing.chart.reservations {
        Reservations::None => Vec::new(),
        Reservations::Marked => of_marked(),
        Reservations::All => all(),
        Reservations::Few => {
            let all = all();
            if all.len() <= RESERVATIONS {
                return all;
            }
            drawing.say(format!(
                "First reservations are drawn up to {RESERVATIONS} of them in a panel, and all with \
                 `reservations = true`."
            ));
            of_marked()
        }
    }
}

/// Fills the jobs of each group in its colour, and the jobs without a group behind them.
fn fill_groups(
    mut panel: Panel,
    chart: &Gantt,
    groups: &[Group],
    middle: Option<&Bar>,
    view: &View,
) -> Panel {
    let strongest = if chart.jobs.len() <= FEW { TINT } else { STRONG };
    let others = if chart.jobs.len() <= FEW { 0.0 } else { OTHER };
    let opacity = |strength: f64| WEAK + (strongest - WEAK) * strength;
    let group_of = |job: &Bar| groups.iter().position(|group| group.has(job)).unwrap_or(groups.len());
    for at in 0..=groups.len() {
        let is_middle = |job: &Bar| middle.is_some_and(|middle| middle.number == job.number);
        let jobs: Vec<&Bar> =
            chart.jobs.iter().filter(|job| group_of(job) == at && !is_middle(job)).collect();
        let (name, look, opacity) = match groups.get(at) {
            Some(Group { name, colour: Shade(look, strength), .. }) => (&name[..], *look, opacity(*strength)),
            None if groups.is_empty() => ("", 0, others),
            None => ("other jobs", 0, others.max(FAINT)),
        };
        if !jobs.is_empty() && !name.is_empty() {
            panel = panel.fill(name, Fill::Flat(look, opacity));
        }
        for mark in rectangles(&jobs, (look, opacity), chart.jobs.len(), view) {
            panel = panel.mark(mark);
        }
    }
    panel
}

/// Marks the job around which the window lies.
fn mark_job(drawing: &Drawing<'_>, panel: Panel, job: &Bar, chart: &Gantt, view: &View) -> Panel {
    let (submit, name) = (view.place(job.submit), format!("job {}", job.number));
    if job.start >= view.to || job.end <= view.from {
        let seconds = job.start - job.submit;
        drawing.say(format!(
            "{}{}{name} starts {seconds} s after its submission, outside of the window; a longer `reach` shows it.",
            panel.title(),
            if panel.title().is_empty() { "" } else { ": " }
        ));
    }
    // Its number and the outline of its reservation are legible on a tint.
    let fill = if chart.jobs.len() <= FEW { Fill::Boxed(0, TINT) } else { Fill::Dark };
    let areas = view.areas(job, fill);
    // A short job is found by the marker at its start.
    let is_short = |area: &&Area| area.x.1 - area.x.0 < (view.to - view.from) * view.second * MARKED;
    let start = areas.first().filter(is_short).map(|area| Dot {
        at: (area.x.0, f64::midpoint(area.y.0, area.y.1)),
        is_hollow: false,
        title: format!("start of {name}"),
    });
    let key = format!("{name} from its start");
    let panel = if start.is_some() { panel.dot(&key, 0) } else { panel.fill(&key, fill) };
    panel
        .line("its submission", Stroke::Dashed, vec![(submit, 0.0), (submit, chart.procs as f64)])
        .mark(Mark::Areas(areas))
        .mark(Mark::Dots(0, start.into_iter().collect()))
}

/// Says in the caption how the rectangles came about.
fn say(drawing: &Drawing<'_>, chart: &Gantt, view: &View) {
    if !chart.is_placed {
        drawing.say(
            "Rows are drawn, not recorded: the machine does not number its processors, so each job is drawn on the \
             first free ones, in several rectangles where no free range is wide enough."
        );
    }
    if drawing.chart.extent != Extent::Whole {
        drawing.say("Jobs that run beyond the window are cut at its edges.");
    }
    let least = (view.to - view.from) * LEAST;
    if chart.jobs.iter().any(|job| job.end - job.start < least) {
        drawing.say(format!("Jobs shorter than {least:.0} s are drawn as if they took that long."));
    }
    if drawing.chart.colour == Colour::User {
        drawing.say(format!("Colours: the {LOOKS} users with the most processor time."));
    }
    if drawing.chart.colour == Colour::Class && chart.classes.len() > 1 {
        drawing.say("A job of several classes has the colour of the first.");
    }
}

/// Returns the rectangles of jobs: with outlines if they are long enough, and with tooltips unless the chart has too many jobs.
fn rectangles(jobs: &[&Bar], (look, opacity): (usize, f64), of: usize, view: &View) -> [Mark; 2] {
    let is_long = |area: &Area| area.x.1 - area.x.0 >= (view.to - view.from) * view.second * OUTLINED;
    // A short rectangle without a colour would not be seen; a coloured one has the colour of the key.
    let short = if opacity > 0.0 { opacity } else { OTHER };
    let (long, short) = (Fill::Boxed(look, opacity), Fill::Flat(look, short));
    let titled = |job: &&Bar| {
        let title = format!(
            "job {}: submitted {}, start {}, end {}, {} processors",
            job.number, job.submit, job.start, job.end, job.procs
        );
        view.areas(job, short).into_iter().map(move |area| (area, title.clone())).collect::<Vec<_>>()
    };
    let (boxed, flat): (Vec<_>, Vec<_>) = jobs.iter().flat_map(titled).partition(|(area, _)| is_long(area));
    let mark = |areas: Vec<(Area, String)>, fill: Fill| {
        let areas = areas.into_iter().map(|(area, title)| (Area { fill, ..area }, title));
        if of > TITLED {
            Mark::Tiles(fill, areas.map(|(area, _)| area).collect())
        } else {
            Mark::Titled(areas.collect())
        }
    };
    [mark(flat, short), mark(boxed, long)]
}

/// Returns the rectangles of what befell a job, each with a sentence.
fn befallen(job: &Bar, pieces: &[Piece], (fill, what): (Fill, &str), view: &View) -> Vec<(Area, String)> {
    let title = |piece: &Piece| format!("job {}: {what} from {} to {}", job.number, piece.from, piece.to);
    let areas = |piece: &Piece| -> Vec<(Area, String)> {
        view.area(piece, fill).into_iter().map(|area| (area, title(piece))).collect()
    };
    pieces.iter().flat_map(areas).collect()
}

/// Returns the position of a job's first reservation, if the job did not start then.
fn ghosts(job: &Bar, view: &View) -> Vec<(Area, String)> {
    let Some(promised) = job.promised.filter(|&promised| promised != job.start) else { return Vec::new() };
    let Some(x) = view.part(promised, promised + job.estimate.max(1.0)) else { return Vec::new() };
    let title = format!("job {}: promised a start at {promised}", job.number);
    let first = job.pieces.first().into_iter();
    first.flat_map(|piece| areas(piece, x, Fill::Ghost)).map(|area| (area, title.clone())).collect()
}

/// Returns the number of a job in the middle of its largest rectangle, if it fits, and in those of its earlier runs.
fn numbers(job: &Bar, procs: i64, view: &View) -> Vec<TextMark> {
    let lost = job.lost.iter().filter_map(|piece| number(job, view.area(piece, Fill::Blank), procs, view));
    number(job, view.areas(job, Fill::Blank), procs, view).into_iter().chain(lost).collect()
}

/// Returns the number of a job in the middle of the largest of some rectangles, if it fits.
fn number(job: &Bar, areas: Vec<Area>, procs: i64, view: &View) -> Option<TextMark> {
    let size = |area: &Area| (area.x.1 - area.x.0) * (area.y.1 - area.y.0);
    let Area { x, y, .. } = areas.into_iter().max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let text = job.number.to_string();
    let width = (view.to - view.from) * view.second;
    let fits = x.1 - x.0 >= width * DIGIT * text.len() as f64 && y.1 - y.0 >= procs as f64 * LINE;
    fits.then_some(TextMark { at: (f64::midpoint(x.0, x.1), f64::midpoint(y.0, y.1)), below: 0.0, text })
}
