//! Everything that is said of an experiment, made from its folder.

use super::verdict::{Conclusion, conclude};
use super::{Declared, PublicationError, findings, multiverse, who};
use crate::experiment::folder::{Contents, Folder};
use crate::report::claim_files;
use crate::report::claims::Checked;
use crate::report::plots::draw;
use crate::report::tables::{Axis, Names, TableSpec, table};
use crate::study::Study;
use crate::study::pitfalls::Pitfall;
use crate::table::Table;

/// All there is to say of an experiment, as data.
#[derive(Debug)]
pub struct Report<'a> {
    /// What the folder holds.
    pub contents: &'a Contents,
    /// What is known of its results.
    pub study: &'a Study<'a>,
    /// What they show.
    pub conclusion: Conclusion,
    /// The tables for readers.
    pub tables: Vec<Table>,
    /// Of each policy, its values everywhere.
    pub policies: Vec<Table>,
    /// The plots by name, as SVG.
    pub plots: Vec<(String, String)>,
    /// The pitfalls that were met.
    pub pitfalls: Vec<Pitfall>,
    /// What came of the claims.
    pub claims: Vec<Checked>,
    /// How many readings each conclusion survives, where there are several.
    pub readings: Option<Table>,
}

impl<'a> Report<'a> {
    /// Makes a report of a folder. The estimates, contrasts and plots of everything that it declares.
    ///
    /// # Errors
    /// When the experiment declares what cannot be, or a file cannot be read.
    pub fn of(
        folder: &Folder,
        contents: &'a Contents,
        study: &'a Study<'a>,
    ) -> Result<Report<'a>, PublicationError> {
        let names = Names::of(study.frame());
        let declared = Declared::read(&contents.experiment, "experiment.toml", &names)?;
        let mut plots = Vec::new();
        for spec in &declared.figures {
            let page = draw(spec, study, &|key, detail| folder.detail(key, detail));
            let page = page.map_err(|what| PublicationError::Plot { name: spec.name.clone(), what })?;
            plots.push((spec.name.clone(), page.to_svg()));
        }
        let pitfalls = findings::find(folder, study.frame(), &declared)?;
        let base = super::declared::of_everything(&names)?;
        let of_policy = |policy: usize| Some(table(&of_policy(base.first()?, policy, &names), study));
        let declared_tables = declared.tables.iter().map(|spec| table(spec, study));
        Ok(Report {
            contents,
            study,
            conclusion: conclude(study, &pitfalls),
            tables: declared_tables.chain(who::made(folder, study.frame())).collect(),
            policies: (0..names.policies.len()).filter_map(of_policy).collect(),
            plots,
            pitfalls,
            claims: claim_files::check(&declared, study),
            readings: declared.multiverse.as_ref().and_then(|of| multiverse::table(of, study)),
        })
    }
}

/// Returns the table of one policy: its values at every site and of every class, by metric.
fn of_policy(base: &TableSpec, policy: usize, names: &Names) -> TableSpec {
    let mut spec = TableSpec {
        policies: vec![policy],
        columns: vec![Axis::Metric],
        classes: names.classes().into_iter().map(String::from).collect(),
        best: false,
        ..base.clone()
    };
    let in_rows = |axis: &Axis| *axis != Axis::Metric && (spec.count(*axis) > 1 || *axis == Axis::Workload);
    spec.rows = Axis::all(names).into_iter().filter(in_rows).collect();
    spec
}
