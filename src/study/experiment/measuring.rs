//! What is measured of each replay of an experiment, and how it is put into rows.

use batchlab_traces::expr::Vocabulary;
use batchlab_traces::located::LocatedToml;
use batchlab_traces::reading::parse_duration;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::definition::MeasureText;
use super::frame::Measure;
use super::section::{ExperimentError, Section};
use batchlab_engine::Inventory;
use batchlab_engine::metrics::{
    self, Catalogue, Class, MeasureKey, MeasureOptions, Measurement, Metric, Scope, own,
};
use batchlab_engine::replay::comparison::variants;
use batchlab_engine::replay::engine::Scenario;

/// What is measured, checked as far as possible without a workload.
#[derive(Clone, Debug)]
pub struct Measuring {
    text: MeasureText,
    /// Options of the measurement: bounds, trimming and prefix.
    pub options: MeasureOptions,
}

pub struct Measures {
    /// For each metric defined for this workload: its place in a row, the metric, and whether the user asked for it.
    metrics: Vec<(usize, Metric, bool)>,
    classes: Vec<Class>,
    /// The width of a row, including metrics that are not defined for this workload.
    width: usize,
}

/// The values of a replay, or of a block of it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitRow {
    /// The unit; `None` means the whole of a replay that is also measured in blocks, or the only unit.
    pub unit: Option<u32>,
    pub values: Vec<Option<f64>>,
}

impl Measuring {
    pub fn read(text: &str, file: &str) -> Result<Measuring, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        Measuring::of(&MeasureText::read(&Section::whole(&toml, &table))?)
    }

    /// Reads the declaration in the file.
    pub fn of(text: &MeasureText) -> Result<Measuring, ExperimentError> {
        let mut options = MeasureOptions::default();
        let time = |key: &str, value: &Option<String>, default: Time| match value {
            None => Ok(default),
            Some(value) => parse_duration(value).map_err(|error| text.wrong(key, error)),
        };
        options.tau = time("tau", &text.tau, options.tau)?;
        options.prefix = time("prefix", &text.prefix, options.prefix)?;
        if let Some(warmup) = &text.warmup {
            options.warmup = warmup.parse().map_err(|error| text.wrong("warmup", error))?;
        }
        if let Some(cooldown) = &text.cooldown {
            options.cooldown = cooldown.parse().map_err(|error| text.wrong("cooldown", error))?;
        }
        Ok(Measuring { text: text.clone(), options })
    }

    /// Returns the keys of the metrics that the file asks for; the default metrics of tables if it names none.
    fn asked(&self, catalogue: &Catalogue) -> Vec<String> {
        if self.text.metrics.is_empty() {
            return catalogue.for_table().iter().map(Metric::key).collect();
        }
        let mut keys: Vec<String> = Vec::new();
        for key in self.text.metrics.iter().flat_map(|list| own::items(list)).map(own::key) {
            if !keys.iter().any(|known| known == key) {
                keys.push(key.into());
            }
        }
        keys
    }

    /// Returns what can be measured of a scenario; conditions of classes and metrics of the file's own may use the names of the
    /// vocabulary.
    pub fn here(
        &self,
        registry: &Inventory,
        scenario: &Scenario,
        vocabulary: &Vocabulary,
    ) -> Result<Measures, ExperimentError> {
        let catalogue = Catalogue::of(registry.metrics(), &scenario.machine, &variants());
        let catalogue = catalogue.defining(&self.text.metrics.join(","), vocabulary);
        let catalogue = catalogue.map_err(|error| self.text.wrong("metrics", error))?;
        let mut keys = self.asked(&catalogue);
        let asked = keys.len();
        let further = metrics::DIAGNOSTICS.iter().filter(|key| !keys.iter().any(|known| known == *key));
        keys.extend(further.map(|key| (*key).to_owned()).collect::<Vec<_>>());
        let found = keys.iter().enumerate();
        let found = found.filter_map(|(at, key)| Some((at, catalogue.find(key).ok()?, at < asked)));
        let classes = metrics::classes(&self.text.classes, vocabulary);
        let classes = classes.map_err(|error| self.text.wrong("classes", error))?;
        Ok(Measures { metrics: found.collect(), classes, width: keys.len() })
    }

    /// Refuses a metric that none of the workloads defines.
    pub fn check(
        &self,
        registry: &Inventory,
        scenario: &Scenario,
        known: &[Measure],
    ) -> Result<(), ExperimentError> {
        let catalogue = Catalogue::of(registry.metrics(), &scenario.machine, &variants());
        let keys = self.asked(&catalogue);
        let unknown = keys.iter().find(|key| !known.iter().any(|measure| measure.metric == **key));
        match unknown.map(|key| catalogue.find(key)) {
            Some(Err(unknown)) => Err(self.text.wrong("metrics", unknown)),
            _ => Ok(()),
        }
    }

    pub fn has_classes(&self) -> bool {
        !self.text.classes.is_empty()
    }

    /// Returns the part of a replay's key that describes the measurement.
    pub fn identity(&self) -> String {
        let MeasureText { metrics, classes, .. } = &self.text;
        let options = self.options;
        format!("{}|{}|{}|{}", metrics.join(","), classes.join("\u{1f}"), options.tau, options.trimming())
    }
}

impl Measures {
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Returns the measures as results describe them: each metric, followed by the same metric for each class. A metric that is
    /// not defined for the workload has no entry.
    pub fn described(&self) -> Vec<(usize, Measure)> {
        let mut all = Vec::new();
        for (at, metric, asked) in &self.metrics {
            let whole = described(metric, None);
            all.push((at * (1 + self.classes.len()), Measure { is_diagnostic: !asked, ..whole }));
            let of_jobs = is_of_classes(metric, *asked) && metric.spec.scope == Scope::Jobs;
            for (index, class) in self.classes.iter().enumerate().filter(|_| of_jobs) {
                let of_class = Measure { is_diagnostic: !asked, ..described(metric, Some(class)) };
                all.push((at * (1 + self.classes.len()) + 1 + index, of_class));
            }
        }
        all
    }

    /// Returns the number of places in a row before places that no workload fills are removed.
    pub fn places(&self) -> usize {
        self.width * (1 + self.classes.len())
    }

    pub fn metrics(&self) -> Vec<Metric> {
        self.metrics.iter().map(|(_, metric, _)| metric.clone()).collect()
    }

    fn values(&self, measurement: &Measurement<'_>) -> Vec<Option<f64>> {
        let mut values = vec![None; self.places()];
        let step = 1 + self.classes.len();
        for (at, metric, _) in &self.metrics {
            values[at * step] = metric.value(measurement);
        }
        for (index, class) in self.classes.iter().enumerate() {
            let of_class = measurement.of_class(class);
            for (at, metric, _) in
                self.metrics.iter().filter(|(_, metric, asked)| is_of_classes(metric, *asked))
            {
                values[at * step + 1 + index] = metric.value(&of_class);
            }
        }
        values
    }

    /// Returns the rows of a replay: that of the whole, and those of its blocks of submission time if it has blocks. O(jobs log
    /// jobs), and the metrics of each block with jobs.
    pub fn rows(
        &self,
        measurement: &Measurement<'_>,
        unit: Option<u32>,
        block: Option<Time>,
    ) -> Vec<UnitRow> {
        let mut rows = vec![UnitRow { unit, values: self.values(measurement) }];
        let Some(length) = block.filter(|length| *length > Time::ZERO) else { return rows };
        let window = *measurement.window();
        let workload = measurement.workload();
        let number = |at: Time| (at - window.from).ticks().div_euclid(length.ticks());
        // A last block that the log covers only in part is left out: it has fewer jobs for reasons unrelated to the policy.
        let whole = 0..number(window.to + Time::from_ticks(1));
        let mut blocks: SortedMap<i64, Vec<JobId>> = SortedMap::new();
        for &job in measurement.jobs().iter().chain(measurement.rejected()) {
            blocks.entry(number(workload.submit(job))).or_default().push(job);
        }
        for (block, jobs) in blocks.into_iter().filter(|(block, _)| whole.contains(block)) {
            let values = self.values(&measurement.part(jobs));
            rows.push(UnitRow { unit: u32::try_from(block).ok(), values });
        }
        rows
    }
}

/// Whether a metric is measured of each class: those that the user asked for, and the rejected jobs.
fn is_of_classes(metric: &Metric, asked: bool) -> bool {
    asked || std::ptr::eq(metric.spec, &raw const metrics::family::counts::REJECTED)
}

pub fn described(metric: &Metric, class: Option<&Class>) -> Measure {
    let key = metric.key();
    Measure {
        key: MeasureKey { metric: &key, class: class.map(|class| class.name.as_str()) }.to_string(),
        metric: key,
        class: class.map(|class| class.name.clone()),
        unit: metric.unit(),
        better: metric.spec.better,
        domain: metric.domain(),
        definition: match class {
            None => metric.definition(),
            Some(class) => format!("{}; of the jobs with {}", metric.definition(), class.definition),
        },
        is_diagnostic: false,
    }
}
