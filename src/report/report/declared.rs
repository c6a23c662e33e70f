//! The tables, plots and claims of an experiment file.

use batchlab_traces::located::LocatedToml;

use super::multiverse::Multiverse;
use super::named_table::TableSource;
use super::{claims, multiverse, verdict, who};
use crate::report::claims::{Checked, ClaimSpec, check_all};
use crate::report::plots::PlotSpec;
use crate::report::tables::{CrossingSpec, Names, TableSpec};
use batchlab_engine::plot::FigureSize;
use batchlab_engine::table::PaperWidth;
use batchlab_study::experiment::detail::Wanted;
use batchlab_study::experiment::detail::user_sums::USER_SUMS;
use batchlab_study::experiment::detail::who::WHO;
use batchlab_study::experiment::file_name::is_same_file;
use batchlab_study::experiment::keys::ExperimentKeys;
use batchlab_study::experiment::{ExperimentError, Planned, Section, UnitKind};
use batchlab_study::study::Study;

/// The name of the file with the conditions, notes and definitions of tables, for LaTeX.
pub const NOTES: &str = "notes";

/// Names of tables that are always generated and so cannot be declared.
const RESERVED: [&str; 4] = [claims::NAME, multiverse::NAME, who::NAME, NOTES];

/// The outputs that an experiment file declares.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Tables, in the order of the file; one table of all values if the file declares none.
    pub tables: Vec<TableSpec>,
    pub crossings: Vec<CrossingSpec>,
    pub plots: Vec<PlotSpec>,
    pub claims: Vec<ClaimSpec>,
    /// The readings that conclusions should survive.
    pub multiverse: Option<Multiverse>,
    /// The size of tables and plots that have none of their own.
    pub size: Option<PaperWidth>,
}

impl Declared {
    /// Reads the declarations of an experiment file and checks them against the names that its results have or will have.
    pub fn read(text: &str, file: &str, names: &Names) -> Result<Declared, ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let whole = Section::whole(&toml, &table);
        let size = match whole.section("experiment")? {
            Some(head) => head.read::<ExperimentKeys>()?.keys.size,
            None => None,
        };
        let (mut declared, mut errors) = (Declared { size, ..Declared::default() }, Vec::new());
        let tables = whole.sections("table")?;
        for section in &tables {
            errors.extend(declared.read_table(section, names).err());
        }
        if tables.is_empty() {
            declared.tables = of_everything(names)?;
            declared.tables.iter_mut().for_each(|spec| spec.width = size);
        }
        for section in whole.sections("crossing")? {
            errors.extend(declared.read_crossing(&section, names).err());
        }
        for section in whole.sections("plot")? {
            errors.extend(declared.read_plot(&section, names).err());
        }
        match Multiverse::read(&whole, names) {
            Ok(multiverse) => declared.multiverse = multiverse,
            Err(error) => errors.push(error),
        }
        match ClaimSpec::read_all(&whole, names) {
            Ok(claims) => declared.claims = claims,
            Err(error) => errors.push(error),
        }
        ExperimentError::all(errors).map_or(Ok(declared), Err)
    }

    /// Checks the keys of all declarations, before anything is known of logs and results.
    pub fn check_keys(text: &str, file: &str) -> Result<(), ExperimentError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        let whole = Section::whole(&toml, &table);
        let mut errors = Vec::new();
        for section in whole.sections("table")? {
            errors.extend(TableSpec::check_keys(&section).err());
        }
        for section in whole.sections("crossing")? {
            errors.extend(CrossingSpec::check_keys(&section).err());
        }
        for section in whole.sections("plot")? {
            errors.extend(PlotSpec::check_keys(&section).err());
        }
        for section in whole.sections("claim")? {
            errors.extend(ClaimSpec::check_keys(&section).err());
        }
        ExperimentError::all(errors).map_or(Ok(()), Err)
    }

    fn read_table(&mut self, section: &Section<'_>, names: &Names) -> Result<(), ExperimentError> {
        let mut spec = TableSpec::read(section, names)?;
        spec.width = spec.width.or(self.size);
        if self.tables.iter().any(|known| is_same_file(&known.name, &spec.name)) {
            return Err(section.wrong("name", &format!("there are two tables `{}`", spec.name)));
        }
        unreserved(section, &spec.name)?;
        self.tables.push(spec);
        Ok(())
    }

    /// Reads a crossing; its files stand beside those of the tables.
    fn read_crossing(&mut self, section: &Section<'_>, names: &Names) -> Result<(), ExperimentError> {
        let mut spec = CrossingSpec::read(section, names)?;
        spec.width = spec.width.or(self.size);
        if self.sources().any(|known| is_same_file(known.name(), &spec.name)) {
            let what = format!("there are two tables `{}`: give this one a name of its own", spec.name);
            return Err(section.wrong("name", &what));
        }
        unreserved(section, &spec.name)?;
        self.crossings.push(spec);
        Ok(())
    }

    fn read_plot(&mut self, section: &Section<'_>, names: &Names) -> Result<(), ExperimentError> {
        let mut spec = PlotSpec::read(section, names)?;
        if !section.has("size") {
            spec.layout.size = self.figure_size();
        }
        let name = &spec.name;
        if is_same_file(name, verdict::FIGURE) {
            let what =
                format!("name: the plot `{name}` is generated for every experiment; choose another name");
            return Err(section.wrong("name", &what));
        }
        if self.plots.iter().any(|known| is_same_file(&known.name, name)) {
            return Err(section.wrong("name", &format!("there are two plots `{name}`")));
        }
        self.plots.push(spec);
        Ok(())
    }

    /// Returns the size of figures that have none of their own.
    pub fn figure_size(&self) -> FigureSize {
        self.size.map_or(FigureSize::Panel, FigureSize::Paper)
    }

    /// Returns the sources of its tables: values first, then crossings.
    pub fn sources(&self) -> impl Iterator<Item = TableSource<'_>> {
        self.tables.iter().map(TableSource::Values).chain(self.crossings.iter().map(TableSource::Crossings))
    }

    pub fn check(&self, study: &Study<'_>) -> Vec<Checked> {
        let multiverse = self.multiverse.as_ref().map(|multiverse| multiverse.parameter);
        check_all(&self.claims, study, multiverse)
    }

    /// Returns the details of a replay that are needed by plots and by the table of who makes the means; `kind` is that of its unit.
    pub fn details(&self, line: &Planned, kind: UnitKind) -> Vec<Wanted> {
        let unit = if kind == UnitKind::Blocks { None } else { Some(line.unit) };
        // Users of a synthetic workload carry no meaning, so the table of users is not made for replications of a model.
        let is_log = kind != UnitKind::Replications;
        let mut details: Vec<Wanted> = if is_log { vec![Wanted::whole(&WHO)] } else { Vec::new() };
        let reads_users = |table: &TableSpec| table.reads_users(line.workload, line.policy, &line.point);
        details.extend(self.tables.iter().any(reads_users).then_some(Wanted::whole(&USER_SUMS)));
        for plot in &self.plots {
            let detail = plot.detail_of(line.workload, line.policy, &line.point, unit);
            details
                .extend(detail.filter(|detail| !details.iter().any(|known| known.name() == detail.name())));
        }
        details
    }
}

/// Refuses names of tables that are always generated.
fn unreserved(section: &Section<'_>, name: &str) -> Result<(), ExperimentError> {
    if RESERVED.iter().any(|taken| is_same_file(name, taken)) {
        let what = format!("name: the table `{name}` is generated for every experiment; choose another name");
        return Err(section.wrong("name", &what));
    }
    Ok(())
}

/// Returns the default table, for an experiment that declares none.
pub(super) fn of_everything(names: &Names) -> Result<Vec<TableSpec>, ExperimentError> {
    let has_intervals = |kind: &UnitKind| !matches!(kind, UnitKind::One | UnitKind::Shaken);
    let with_intervals = names.workloads.iter().all(|(_, kind)| has_intervals(kind));
    let cells = if with_intervals { "[\"value\", \"interval\"]" } else { "[\"value\"]" };
    let text = format!("[[table]]\nname = \"results\"\ncells = {cells}\n");
    let toml = LocatedToml::new(&text, "the table of all results");
    let table = toml.parse()?;
    Section::whole(&toml, &table).sections("table")?.iter().map(|of| TableSpec::read(of, names)).collect()
}
