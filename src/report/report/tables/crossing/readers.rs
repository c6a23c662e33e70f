//! A table of crossings for readers.

use super::super::best::{percent, position};
use super::super::caption::{experiment, replaced, unit_words};
use super::super::notes::{of_caution, part};
use super::super::{Axis, Names};
use super::CrossingSpec;
use super::answer::Answer;
use crate::report::verdict::list;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_engine::stats::caution::least_covered;
use batchlab_engine::stats::crossing::Reached;
use batchlab_engine::table::{
    Better, Cell, Clause, Fact, Format, Paper, Sentence, Table, TableColumn, TableRow, TimeUnit, Unit,
};
use batchlab_study::experiment::{DesignPoint, UnitKind, condition_lines};
use batchlab_study::study::{Ends, Reason, Study};
use batchlab_traces::sorted::SortedSet;

/// Returns crossings as a table for readers, one crossing a row; saturated points have a column if there are any. O(rows), plus
/// the resampling of each.
pub fn crossings(spec: &CrossingSpec, study: &Study<'_>) -> Table {
    let names = &Names::of(study.frame());
    let answers = Answer::all(spec, names, study);
    let axes = axes(spec);
    let mut table = Table {
        title: title(spec, names),
        caption: caption(spec, names, study, &answers),
        facts: facts(spec, study),
        columns: columns(spec, names, &axes),
        notes: part(study).into_iter().chain(all_notes(spec, names, study, &answers)).collect(),
        definitions: definitions(spec, study),
        merged: axes.len() - 1,
        paper: Paper {
            caption: spec.caption.clone().unwrap_or_default(),
            is_latex: spec.caption.is_some(),
            label: String::new(),
            float: spec.float,
            width: spec.width,
            conditions: spec.conditions,
        },
        ..Table::default()
    };
    for (row, answer) in answers.iter().enumerate() {
        let mut cells: Vec<Cell> = axes.iter().map(|axis| label(*axis, spec, names, study, answer)).collect();
        cells.extend(said(answer));
        for (column, words) in footnotes(spec, names, answer) {
            let footnote = position(&mut table.footnotes, words);
            table.marks.entry((row, axes.len() + column)).or_default().footnotes.push(footnote);
        }
        table.rows.push(TableRow { cells, group: None });
    }
    let saturated = table.columns.len() - 1;
    if table.rows.iter().all(|row| row.cells[saturated] == Cell::Empty) {
        table.columns.truncate(saturated);
        table.rows.iter_mut().for_each(|row| row.cells.truncate(saturated));
    }
    table
}

pub fn title(spec: &CrossingSpec, names: &Names) -> String {
    let made = || {
        let along = spec.called(&names.parameters[spec.along].name);
        format!("The {along} at which {} reaches {}", spec.metric_words(), spec.bound)
    };
    spec.title.clone().unwrap_or_else(made)
}

/// Returns the conditions as name and value pairs.
pub fn facts(spec: &CrossingSpec, study: &Study<'_>) -> Vec<Fact> {
    let text = |name: &str, value: &str| (name.to_owned(), Cell::Text(value.into()));
    let frame = study.frame();
    let mut facts = vec![
        text("experiment", &frame.name),
        text("seed", &frame.seed.to_string()),
        ("level".into(), Cell::Number(frame.level)),
        text("tool", TOOL),
    ];
    facts.extend(replaced(frame, &spec.workloads));
    facts
}

/// Returns the label columns: workloads and further parameters if there are several, and the policy.
fn axes(spec: &CrossingSpec) -> Vec<Axis> {
    let workload = (spec.workloads.len() > 1).then_some(Axis::Workload);
    workload.into_iter().chain(spec.others().into_iter().map(Axis::Parameter)).chain([Axis::Policy]).collect()
}

fn columns(spec: &CrossingSpec, names: &Names, axes: &[Axis]) -> Vec<TableColumn> {
    let mut columns: Vec<TableColumn> = axes.iter().map(|axis| TableColumn::text(axis.name(names))).collect();
    let along = spec.called(&names.parameters[spec.along].name);
    let number = Format::of(Unit::Ratio, TimeUnit::Seconds);
    let crossing = TableColumn::number("crossing", number, Better::Neither);
    let heading = format!("{along} at {}", spec.bound);
    let like = columns.len();
    columns.push(TableColumn { heading, ..crossing });
    columns.push(TableColumn {
        heading: "interval".into(),
        ..TableColumn::interval("crossing_interval", number, like)
    });
    let used = Format::of(Unit::Fraction, TimeUnit::Seconds);
    columns.push(TableColumn::number("utilization", used, Better::Neither));
    columns.push(TableColumn { heading: format!("saturated at {along}"), ..TableColumn::text("saturated") });
    columns
}

fn label(axis: Axis, spec: &CrossingSpec, names: &Names, study: &Study<'_>, answer: &Answer) -> Cell {
    let name = match axis {
        Axis::Workload => &names.workloads[answer.start.workload].0,
        Axis::Parameter(at) => study.frame().value(&answer.start, at),
        _ => &names.policies[answer.policy],
    };
    Cell::Text(spec.called(name).to_owned())
}

/// Returns the cells after the labels: crossing, interval, utilization, saturated values.
fn said(answer: &Answer) -> [Cell; 4] {
    let (least, most) = (answer.numbers.first(), answer.numbers.last());
    let beyond = |sign: &str, end: Option<&f64>| format!("{sign} {}", end.copied().unwrap_or(f64::NAN));
    let crossing = match answer.crossed.reached {
        Ok(Reached::At(at)) => Cell::Number(at),
        Ok(Reached::Below) => Cell::Text(beyond("<", least)),
        Ok(Reached::Above) => Cell::Text(beyond(">", most)),
        Err(_) => Cell::Empty,
    };
    let interval = match answer.crossed.ends {
        Some(Ok(Ends { low: Some(low), high: Some(high) })) => Cell::Interval(low, high),
        Some(Ok(Ends { low, high })) => {
            let number = Format::of(Unit::Ratio, TimeUnit::Seconds);
            let print = |end: f64| number.print(end, number.decimals([end].into_iter()));
            let low = low.map_or_else(|| beyond("<", least), print);
            let high = high.map_or_else(|| beyond(">", most), print);
            Cell::Text(format!("[{low}, {high}]"))
        }
        Some(Err(_)) | None => Cell::Empty,
    };
    let saturated = answer.saturated_words();
    let saturated = if saturated.is_empty() { Cell::Empty } else { Cell::Text(saturated.join(", ")) };
    [crossing, interval, Cell::from(answer.crossed.utilization), saturated]
}

/// Returns the footnotes of single cells: the column, counted after the labels, and the sentence.
fn footnotes(spec: &CrossingSpec, names: &Names, answer: &Answer) -> Vec<(usize, String)> {
    let along = spec.called(&names.parameters[spec.along].name);
    let mut footnotes = Vec::new();
    match answer.crossed.reached {
        Err(reason) => footnotes.push((0, format!("no crossing: {reason}"))),
        Ok(Reached::Above) => {
            footnotes.push((0, format!("the bound is not exceeded at the greatest {along} that was replayed")));
        }
        Ok(Reached::Below) => {
            footnotes.push((0, format!("the bound is exceeded already at the least {along} that was replayed")));
        }
        Ok(Reached::At(at)) if answer.leans_on_saturated(at) => footnotes.push((
            0,
            "next to a saturated point: a mean there grows with the length of the run, and the crossing moves with it".into(),
        )),
        Ok(Reached::At(_)) => {}
    }
    match answer.crossed.ends {
        // Reasons that concern the kind of unit, and so the whole workload, are given in the caption.
        Some(
            Err(Reason::OneReplay | Reason::Shaken | Reason::Blocks)
            | Ok(Ends { low: Some(_), high: Some(_) }),
        )
        | None => {}
        Some(Err(reason)) => footnotes.push((1, format!("no interval: {reason}"))),
        Some(Ok(_)) => {
            footnotes
                .push((1, format!("an end of the interval lies beyond every {along} that was replayed")));
        }
    }
    footnotes
}

/// Returns the notes below the table, a sentence for each kind: units that were left out, saturated points, and the cautions
/// about intervals.
fn all_notes(spec: &CrossingSpec, names: &Names, study: &Study<'_>, answers: &[Answer]) -> Vec<Sentence> {
    let along = spec.called(&names.parameters[spec.along].name);
    let mut all = Vec::new();
    let left_out = groups(answers, |answer| {
        let (units, left_out) = (answer.crossed.units, answer.crossed.left_out);
        (left_out > 0).then(|| format!("{left_out} of {}", units + left_out))
    });
    if !left_out.is_empty() {
        let words = rows_words(spec, names, study, left_out);
        all.push(Clause::prose(format!(
            "units in which {} is undefined at some {along} are left out: {words}",
            spec.metric_words()
        )));
    }
    let saturated = groups(answers, |answer| {
        let (first, _) = answer.saturated.first()?;
        let above = answer.numbers.iter().filter(|number| *number >= first).count();
        let is_upper_end = above == answer.saturated.len();
        Some(if is_upper_end { format!("from {first} on") } else { answer.saturated_words().join(", ") })
    });
    if !saturated.is_empty() {
        let words = rows_words(spec, names, study, saturated);
        all.push(Clause::prose(format!(
            "saturated, by {along}: {words}; less work was completed there than arrived while the backlog grew, or the \
             machine's use has hardly risen with the load, so that means grow with the length of the run"
        )));
    }
    let cautions = least_covered(answers.iter().filter_map(|answer| answer.crossed.caution));
    all.into_iter().map(Sentence::from).chain(cautions.iter().map(of_caution)).collect()
}

/// Rows that have the same said of them.
type RowGroup<'a> = (String, Vec<&'a Answer>);

/// Returns the rows of which something is said, by what is said, in the order of the first of each.
fn groups(answers: &[Answer], said: impl Fn(&Answer) -> Option<String>) -> Vec<RowGroup<'_>> {
    let mut groups: Vec<RowGroup<'_>> = Vec::new();
    for answer in answers {
        let Some(words) = said(answer) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, rows)) => rows.push(answer),
            None => groups.push((words, vec![answer])),
        }
    }
    groups
}

/// Returns groups of rows in words; policies stand together where everything else is the same.
fn rows_words(spec: &CrossingSpec, names: &Names, study: &Study<'_>, groups: Vec<RowGroup<'_>>) -> String {
    let text = |axis: &Axis, answer: &Answer| match label(*axis, spec, names, study, answer) {
        Cell::Text(text) => text,
        _ => String::new(),
    };
    let axes = axes(spec);
    let of_group = |(words, rows): RowGroup<'_>| {
        let mut places: Vec<(String, Vec<String>)> = Vec::new();
        for answer in rows {
            let place = axes.iter().filter(|axis| **axis != Axis::Policy).map(|axis| match axis {
                Axis::Parameter(at) => {
                    format!("{} {}", spec.called(&names.parameters[*at].name), text(axis, answer))
                }
                _ => text(axis, answer),
            });
            let place = place.collect::<Vec<_>>().join(", ");
            let policy = text(&Axis::Policy, answer);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, policies)) => policies.push(policy),
                None => places.push((place, vec![policy])),
            }
        }
        let is_every = |policies: &[String]| policies.len() == spec.policies.len() && policies.len() > 1;
        let of_place = |(place, policies): (String, Vec<String>)| {
            let policies = if is_every(&policies) { "every policy".into() } else { list(&policies) };
            if place.is_empty() { policies } else { format!("{place} {policies}") }
        };
        let places: Vec<String> = places.into_iter().map(of_place).collect();
        format!("{words}: {}", places.join(", "))
    };
    groups.into_iter().map(of_group).collect::<Vec<_>>().join("; ")
}

fn definitions(spec: &CrossingSpec, study: &Study<'_>) -> Vec<(String, Clause)> {
    let measure = study.frame().measures.iter().find(|measure| measure.key == spec.measure);
    measure.map(|measure| (spec.metric_words(), measure.definition.as_str().into())).into_iter().collect()
}

fn caption(spec: &CrossingSpec, names: &Names, study: &Study<'_>, answers: &[Answer]) -> Vec<Sentence> {
    let frame = study.frame();
    let is_replayed = |design_point: &DesignPoint| {
        let mut start = design_point.clone();
        answers.iter().any(|answer| {
            start.point[spec.along] = answer.start.point[spec.along];
            answer.start == start
        })
    };
    let design_points: Vec<DesignPoint> = frame.design_points().into_iter().filter(is_replayed).collect();
    let mut workloads = Vec::new();
    for &workload in &spec.workloads {
        let of = answers.iter().filter(|answer| answer.start.workload == workload);
        let counts: Vec<usize> = of.map(|answer| answer.crossed.units + answer.crossed.left_out).collect();
        let (Some(least), Some(most)) = (counts.iter().min(), counts.iter().max()) else { continue };
        let number = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let facts = &frame.workloads[workload];
        let units = unit_words(facts, &number);
        let parts = [units].into_iter().chain(frame.conditions(workload, &design_points, None)).collect();
        workloads.push((facts.name.as_str(), parts));
    }
    let mut lines = condition_lines(&workloads);
    let along = spec.called(&names.parameters[spec.along].name);
    let numbers: Vec<String> = spec.numbers(names).iter().map(|(number, _)| number.to_string()).collect();
    let mut said = vec![format!(
        "crossing: the greatest {along} at which {}, as a mean over units, does not exceed {}; replayed at {along} {}, the \
         curve made increasing by isotonic regression of its logarithms, which are interpolated linearly",
        spec.metric_words(),
        spec.bound,
        numbers.join(", ")
    )];
    said.extend(interval_words(spec, names, study));
    said.push("utilization: its mean over units, interpolated at the crossing".into());
    lines.extend(said.into_iter().map(|said| Clause::prose(said).into()));
    lines.push(experiment(frame));
    lines
}

/// Returns how intervals were computed, and which workloads have none.
fn interval_words(spec: &CrossingSpec, names: &Names, study: &Study<'_>) -> Vec<String> {
    let frame = study.frame();
    let kinds: Vec<(usize, UnitKind)> =
        spec.workloads.iter().map(|&at| (at, frame.workloads[at].units)).collect();
    let mut lines = Vec::new();
    let with_interval = || kinds.iter().filter(|(_, kind)| Reason::of_crossing(*kind).is_none());
    if with_interval().next().is_some() {
        // Nothing is drawn of a window, whose load is that of its own jobs.
        let same: SortedSet<&str> = with_interval()
            .map(|(_, kind)| match kind {
                UnitKind::Windows => "the same window of the log",
                _ => "the same random numbers",
            })
            .collect();
        lines.push(format!(
            "intervals at {} % by percentile bootstrap over units, each with its whole curve: the same unit is {} at every {}",
            percent(frame.level),
            same.into_iter().collect::<Vec<_>>().join(" or "),
            names.parameters[spec.along].name
        ));
    }
    lines.extend(kinds.into_iter().filter_map(|(workload, kind)| {
        let reason = Reason::of_crossing(kind)?;
        Some(format!("no interval of {}: {reason}", names.workloads[workload].0))
    }));
    lines
}
