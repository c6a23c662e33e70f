use batchlab_policies::registry::Policies;
use batchlab_traces::expr::Vocabulary;
use batchlab_traces::foreign::SafeText;

use crate::Registry;
use crate::lab::Failure;
use crate::lab::options::{ReplayFacts, stated};
use crate::lab::replays::table_style::style;
use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::measure::MeasureSettings;
use crate::metrics::{Catalogue, Class, Metric};
use crate::replay::comparison::{Comparison, variants};
use crate::replay::{Conditions, ResultRow, Summary, class_table, replay_table, tell_rejected};
use crate::table::{Table, TimeUnit, WriterSpec, writer};

/// The form of a table; `None` is the JSON summary.
#[derive(Clone, Copy)]
pub struct TableForm(Option<&'static WriterSpec>);

/// The measurement of a prepared log, and the form of its output.
pub struct Results<'a> {
    prepared: &'a Prepared,
    policies: &'a Policies,
    form: TableForm,
    metrics: Vec<Metric>,
    in_table: Vec<usize>,
    classes: Vec<Class>,
    measure: &'a MeasureSettings,
}

impl TableForm {
    pub fn table(self, table: &Table) -> SafeText {
        self.0.map_or_else(SafeText::default, |writer| (writer.write)(table, &style()))
    }

    pub fn is_json(self) -> bool {
        self.0.is_none()
    }

    /// Whether it is a form for programs: all rows have all values.
    pub fn is_for_programs(self) -> bool {
        self.0.is_none_or(|writer| writer.for_programs)
    }

    pub fn any(name: &str) -> Result<TableForm, Failure> {
        Ok(TableForm(Some(writer(name)?)))
    }

    /// Returns the form with a given name; JSON is the summary.
    pub fn of(name: &str) -> Result<TableForm, Failure> {
        Ok(TableForm(if name == "json" { None } else { Some(writer(name)?) }))
    }
}

impl<'a> Results<'a> {
    /// Returns the results of a log, still without rows; `summary` is whether the JSON summary is wanted in addition.
    pub fn new(
        registry: &'a Registry,
        prepared: &'a Prepared,
        measure: &'a MeasureSettings,
        form: TableForm,
        summary: bool,
    ) -> Result<Results<'a>, Failure> {
        let (catalogue, vocabulary) = catalogue(registry, prepared, measure)?;
        let metrics = measure.metrics(&catalogue, summary || form.0.is_none())?;
        let in_table = measure.in_table(&catalogue, &metrics);
        let (policies, classes) = (registry.policies(), measure.classes(&vocabulary)?);
        Ok(Results { prepared, policies, form, metrics, in_table, classes, measure })
    }

    pub fn prepared(&self) -> &Prepared {
        self.prepared
    }

    pub fn comparison(&self) -> Comparison<'_> {
        Comparison {
            scenario: &self.prepared.scenario,
            policies: self.policies,
            overrun: self.prepared.reading.overrun,
            metrics: &self.metrics,
            classes: &self.classes,
            options: self.measure.options(),
        }
    }

    pub fn text(&self, rows: &[ResultRow]) -> Result<SafeText, Failure> {
        match self.form.0 {
            None => Ok(SafeText::of_json(&self.json(rows)?)),
            Some(writer) => Ok(self.tables(rows, writer)),
        }
    }

    pub fn json(&self, rows: &[ResultRow]) -> Result<String, Failure> {
        let all: Vec<usize> = (0..self.metrics.len()).collect();
        let (metrics, rows) = self.of(&all, rows);
        let summary = Summary {
            conditions: &conditions(self.prepared, self.measure),
            metrics: &metrics,
            rows: &rows,
            findings: &self.prepared.findings,
            provenance: &self.prepared.provenance,
        };
        summary.to_json().map_err(|error| Failure::Input(error.to_string()))
    }

    /// Returns the metrics of the table and their values, with the number of rejected jobs if there are any.
    pub fn shown(&self, rows: &[ResultRow]) -> (Vec<Metric>, Vec<ResultRow>) {
        self.of(&self.in_table, rows)
    }

    fn of(&self, metrics: &[usize], rows: &[ResultRow]) -> (Vec<Metric>, Vec<ResultRow>) {
        let mut rows: Vec<ResultRow> = rows.iter().map(|row| row.select(metrics)).collect();
        let mut metrics = metrics.iter().map(|&at| self.metrics[at].clone()).collect();
        tell_rejected(&mut metrics, &mut rows.iter_mut().collect::<Vec<_>>());
        (metrics, rows)
    }

    /// Returns the table of all jobs, a row for each policy.
    pub fn table(&self, rows: &[ResultRow]) -> Table {
        let conditions = conditions(self.prepared, self.measure);
        let (metrics, rows) = self.shown(rows);
        replay_table(&conditions, &metrics, &rows, TimeUnit::Seconds)
    }

    fn tables(&self, rows: &[ResultRow], writer: &WriterSpec) -> SafeText {
        let style = style();
        let text = (writer.write)(&self.table(rows), &style);
        if self.classes.is_empty() {
            return text;
        }
        let conditions = conditions(self.prepared, self.measure);
        let (metrics, rows) = self.shown(rows);
        let table = class_table(&conditions, &metrics, &rows, &self.classes, TimeUnit::Seconds);
        SafeText::lines([text, (writer.write)(&table, &style)])
    }
}

/// Returns the metrics that can be asked for, and the names that definitions of metrics and classes may use.
pub fn catalogue(
    registry: &Registry,
    prepared: &Prepared,
    measure: &MeasureSettings,
) -> Result<(Catalogue, Vocabulary), Failure> {
    let (machine, log) = (&prepared.scenario.machine, &prepared.trace);
    let catalogue = Catalogue::of(registry.metrics(), machine, &variants());
    let vocabulary = Vocabulary::jobs(machine).named(&log.header).dated(log.calendar);
    Ok((measure.defining(catalogue, &vocabulary)?, vocabulary))
}

pub fn conditions(prepared: &Prepared, measure: &MeasureSettings) -> Conditions {
    let scenario = &prepared.scenario;
    let mut conditions = Conditions::new(
        &prepared.trace,
        &scenario.workload,
        &scenario.machine,
        &prepared.reading,
        scenario.order.to_string(),
        measure.options(),
    );
    conditions.replaced = prepared.replaced.all(&prepared.reading, &prepared.findings);
    conditions.further = stated(&ReplayFacts::of(prepared));
    if measure.tells_classes_apart() && !prepared.tells_classes_apart {
        let rule = scenario.workload.interactive_rule().to_string();
        conditions.further.push(("interactive".into(), rule));
    }
    conditions
}
