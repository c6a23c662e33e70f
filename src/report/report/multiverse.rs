//! The table that counts the readings under which each conclusion survives.

use std::cmp::Ordering;

use crate::report::tables::{Names, experiment, position};
use batchlab_engine::table::{Cell, Sentence, Table, TableColumn, TableRow};
use batchlab_study::experiment::keys::{ExperimentKeys, ReadingKeys};
use batchlab_study::experiment::sweep::READING;
use batchlab_study::experiment::{ExperimentError, Frame, Section};
use batchlab_study::study::Study;
use batchlab_study::study::multiverse::{Conclusion, conclusions};

/// Name of the table's files.
pub(super) const NAME: &str = "multiverse";

/// The parameter whose values are readings: defensible choices that a conclusion should survive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiverse {
    pub parameter: usize,
    /// For each value, why it is a defensible reading.
    pub because: Vec<Option<String>>,
}

impl Multiverse {
    /// Reads which parameter it is: the one that `[experiment]` names, or else `reading` if the file has readings.
    pub fn read(whole: &Section<'_>, names: &Names) -> Result<Option<Multiverse>, ExperimentError> {
        let known = names.parameter_names();
        let head = whole.section("experiment")?.map(|head| head.read::<ExperimentKeys>()).transpose()?;
        let chosen = head.as_ref().and_then(|head| Some((head, head.keys.multiverse.as_ref()?)));
        let parameter = match chosen {
            Some((head, _)) if known.is_empty() => {
                return Err(head.wrong("multiverse", "multiverse: nothing is swept"));
            }
            Some((head, given)) => Some(position(head.key("multiverse"), &given.0, &known)?),
            None => known.iter().position(|&name| name == READING),
        };
        let Some(parameter) = parameter else { return Ok(None) };
        let mut because = vec![None; names.parameters[parameter].values.len()];
        if known[parameter] == READING {
            for (reason, section) in because.iter_mut().zip(whole.sections("reading")?) {
                *reason = section.read::<ReadingKeys>()?.keys.because.map(|because| because.0);
            }
        }
        Ok(Some(Multiverse { parameter, because }))
    }

    /// Returns the table; `None` if there is only one reading, or nothing to compare.
    pub fn table(&self, study: &Study<'_>) -> Option<Table> {
        let frame = study.frame();
        let conclusions = conclusions(study, self.parameter);
        if conclusions.is_empty() || frame.parameters[self.parameter].values.len() < 2 {
            return None;
        }
        let others: Vec<usize> = (0..frame.parameters.len())
            .filter(|&at| at != self.parameter && frame.parameters[at].values.len() > 1)
            .collect();
        let mut columns = vec![TableColumn::text("workload")];
        columns.extend(others.iter().map(|&at| TableColumn::text(&frame.parameters[at].name)));
        let keys = ["policy", "metric", "conclusion", "survives", "shown", "otherwise"];
        columns.extend(keys.map(TableColumn::text));
        let row = |conclusion: &Conclusion| {
            let mut cells = vec![Cell::Text(frame.workloads[conclusion.design_point.workload].name.clone())];
            cells.extend(
                others.iter().map(|&at| Cell::Text(frame.value(&conclusion.design_point, at).to_owned())),
            );
            cells.extend(said(conclusion, self, frame));
            TableRow { cells, group: None }
        };
        let define = |name: &str, what: &str| (name.to_owned(), what.into());
        Some(Table {
            title: format!("Conclusions over {}", frame.parameters[self.parameter].name),
            caption: caption(self, frame),
            columns,
            rows: conclusions.iter().map(row).collect(),
            definitions: vec![
                define("conclusion", "the direction of the difference to the baseline under the first one"),
                define("survives", "under how many of them the direction is the same"),
                define(
                    "shown",
                    "under how many of them it is that direction, and shown: one family, Bonferroni's method",
                ),
                define("otherwise", "the values under which the direction differs"),
            ],
            ..Table::default()
        })
    }
}

fn caption(multiverse: &Multiverse, frame: &Frame) -> Vec<Sentence> {
    let parameter = &frame.parameters[multiverse.parameter];
    let reading = |(value, because): (&String, &Option<String>)| match because {
        Some(because) => format!("{} = {value}: {because}", parameter.name),
        None => format!("{} = {value}", parameter.name),
    };
    let readings = parameter.values.iter().zip(&multiverse.because).map(reading);
    readings.map(Sentence::from).chain([experiment(frame)]).collect()
}

fn said(conclusion: &Conclusion, multiverse: &Multiverse, frame: &Frame) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let count = conclusion.answers.len();
    let values = &frame.parameters[multiverse.parameter].values;
    let label = |policy: usize| frame.policies[policy].label.as_str();
    let baseline = label(conclusion.baseline);
    let direction = match conclusion.direction(0) {
        Some(Ordering::Less) => format!("less than {baseline}"),
        Some(Ordering::Greater) => format!("more than {baseline}"),
        Some(Ordering::Equal) => format!("equal to {baseline}"),
        None => String::new(),
    };
    let others = (0..count).filter(|&reading| !conclusion.is_kept(reading));
    let otherwise: Vec<&str> = others.map(|reading| values[reading].as_str()).collect();
    let of = |some: usize| Cell::Text(format!("{some} of {count}"));
    let is_said = !direction.is_empty();
    vec![
        text(label(conclusion.policy)),
        text(&frame.measures[conclusion.measure].key),
        if is_said { Cell::Text(direction) } else { Cell::Empty },
        if is_said { of(conclusion.survives()) } else { Cell::Empty },
        conclusion.shown().filter(|_| is_said).map_or(Cell::Empty, of),
        if is_said && !otherwise.is_empty() { Cell::Text(otherwise.join(", ")) } else { Cell::Empty },
    ]
}
