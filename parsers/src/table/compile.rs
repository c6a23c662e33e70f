//! Compiles a mapping file to a mapping.

mod check;
mod column;
mod meaning;

use std::ops::Range;
use std::str::FromStr;

use batchlab_traces::Header;
use batchlab_traces::header::ColumnScope;
use batchlab_traces::located::{LocatedError, LocatedToml, Spanned, keys};
use toml::de::DeTable;

use self::meaning::meaning;
use super::error::MappingError;
use super::mapping::{Constant, LineFormat, LogProperties, MISSING, Mapping, Per, TextForm, Zero};
use super::raw::{DecimalMark, OtherCounts, RawConstant, RawMachine, RawMapping};
use super::split::Separator;
use super::target::{MemoryTarget, Resource, To};
use super::words::WordSet;
use crate::normal::counted;

impl FromStr for Mapping {
    type Err = MappingError;

    fn from_str(text: &str) -> Result<Mapping, MappingError> {
        Ok(compile(&LocatedToml::new(text, ""))?)
    }
}

fn compile(toml: &LocatedToml<'_>) -> Result<Mapping, LocatedError> {
    let file = toml.parse()?;
    toml.expect_keys(&file, &[keys::<RawMapping>(), &["column", "constant"]].concat())?;
    let raw: RawMapping = toml.part(&file, 0)?;
    let layout = layout(toml, &raw)?;
    let described = toml.list(&file, "column")?;
    let missing = raw.missing.unwrap_or_else(|| WordSet::of(MISSING));
    let (resources, used) = (Vec::new(), Vec::new());
    let mut compiler = Compiler { toml, layout: &layout, missing, zero: raw.zero, resources, used };
    let columns = described.iter().map(|&(table, at)| compiler.column(table, at));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let constants = toml.list(&file, "constant")?;
    let constants = constants.into_iter().map(|(table, at)| compiler.constant(table, at));
    let constants = constants.collect::<Result<_, _>>()?;
    let begins: Vec<usize> = described.iter().map(|&(_, at)| at).collect();
    compiler.check(&columns, &begins)?;
    let resources = compiler.resources;
    let queues = raw.queues.into_iter().map(|(name, number)| (name, number.0)).collect();
    let (zone, zero) = (raw.zone.map(|zone| zone.0), raw.zero);
    let facts = LogProperties { header: header(raw.machine), zone, zero, queues };
    Ok(Mapping { layout, columns, constants, resources, facts })
}

fn layout(toml: &LocatedToml<'_>, raw: &RawMapping) -> Result<LineFormat, LocatedError> {
    if let (Some(exactly), Some(_)) = (&raw.columns, &raw.columns_at_least) {
        let what = "`columns` and `columns_at_least` exclude one another";
        return Err(toml.error(exactly.span().start, what));
    }
    if let Some(empty) = raw.comment.iter().find(|comment| comment.get_ref().is_empty()) {
        return Err(toml.error(empty.span().start, "a comment begins with something"));
    }
    let separator = raw.separator.unwrap_or(Separator::Blank);
    Ok(LineFormat {
        separator,
        quoted: raw.quoted.unwrap_or(separator == Separator::Byte(b',')),
        comments: raw.comment.iter().map(|comment| comment.get_ref().as_bytes().into()).collect(),
        skip: raw.skip.map_or(0, |skip| u32::try_from(skip.0).unwrap_or(u32::MAX)),
        heading: raw.heading,
        exactly: raw.columns.as_ref().map(|columns| columns.get_ref().0 as usize),
        at_least: raw.columns_at_least.map_or(0, |columns| columns.0 as usize),
        leave_out: raw.other_counts == OtherCounts::LeaveOut,
        comma: raw.decimal == DecimalMark::Comma,
    })
}

struct Compiler<'a> {
    toml: &'a LocatedToml<'a>,
    layout: &'a LineFormat,
    /// Texts for missing values, to which a column may add its own.
    missing: WordSet,
    zero: Zero,
    resources: Vec<(Resource, Option<i64>)>,
    /// Each destination, with the place where the mapping names it.
    used: Vec<(To, Range<usize>)>,
}

impl Compiler<'_> {
    fn constant(&mut self, table: &DeTable<'_>, at: usize) -> Result<Constant, LocatedError> {
        let RawConstant { to, value } = self.toml.table(table, at)?;
        let to = self.destination(&to)?;
        let per = matches!(to, To::Memory(_)).then_some(Per::Processor);
        let form =
            per.map_or(TextForm::Plain, |per| TextForm::Memory(super::amount::MemoryUnit::Bytes(1024), per));
        let meaning = meaning(self.toml, &to, &value)?;
        let resource = self.further(&to, &form, None);
        Ok(Constant { to, meaning, resource })
    }

    fn error(&self, at: &Range<usize>, what: impl AsRef<str>) -> LocatedError {
        self.toml.error(at.start, what)
    }

    fn line(&self, at: &Range<usize>) -> u32 {
        self.toml.place(at.start).line
    }

    /// Returns a text of the file, without its quotes.
    fn text(&self, at: &Range<usize>) -> String {
        self.toml.written(at.clone()).trim_matches(['"', '\'']).to_owned()
    }

    /// Takes a destination; each can be named once.
    fn destination(&mut self, raw: &Spanned<To>) -> Result<To, LocatedError> {
        let to = raw.get_ref().clone();
        if matches!(to, To::Check(_) | To::Ignore) {
            return Ok(to);
        }
        if let Some((_, before)) = self.used.iter().find(|(other, _)| clash(other, &to)) {
            let (given, line) = (self.text(&raw.span()), self.line(before));
            let what =
                format!("`{given}` is given here and on line {line}; drop one of them, or make it a check");
            return Err(self.error(&raw.span(), what));
        }
        self.used.push((to.clone(), raw.span()));
        Ok(to)
    }

    /// Returns the index of the further column that a destination fills, if it fills one.
    fn further(&mut self, to: &To, form: &TextForm, capacity: Option<i64>) -> Option<usize> {
        let resource = match (to, form) {
            (To::Resource(resource), _) => resource.clone(),
            (To::Memory(MemoryTarget::Requested), TextForm::Memory(_, Per::Job | Per::Node)) => {
                Resource::memory()
            }
            (To::NodeSpec, _) => {
                for name in ["nodes", "ppn"] {
                    self.resources.push((Resource::of_job(name), None));
                }
                Resource::of_job("exclusive")
            }
            _ => return None,
        };
        self.resources.push((resource, capacity));
        Some(self.resources.len() - 1)
    }

    fn is_used(&self, wanted: &To) -> bool {
        self.used.iter().any(|(to, _)| to == wanted)
    }

    fn knows_nodes(&self) -> bool {
        self.is_used(&To::NodeSpec) || self.is_used(&To::Resource(Resource::of_job("nodes")))
    }
}

/// Whether two destinations are the same.
fn clash(one: &To, other: &To) -> bool {
    match (one, other) {
        (To::Resource(one), To::Resource(other)) => one.name == other.name,
        (To::NodeSpec, To::Resource(resource)) | (To::Resource(resource), To::NodeSpec) => {
            ["nodes", "ppn", "exclusive", "gpu"].contains(&resource.name.as_str())
        }
        // The memory of whole jobs uses a further column of this name.
        (To::Memory(MemoryTarget::Requested), To::Resource(Resource { name, scope, .. }))
        | (To::Resource(Resource { name, scope, .. }), To::Memory(MemoryTarget::Requested)) => {
            name == "memory" && *scope != ColumnScope::Job
        }
        _ => one == other,
    }
}

fn header(machine: RawMachine) -> Header {
    Header {
        computer: machine.computer,
        installation: machine.installation,
        acknowledge: machine.acknowledge,
        information: machine.information,
        conversion: machine.conversion,
        max_nodes: machine.nodes.and_then(|nodes| counted(nodes.0)),
        max_procs: machine.procs.and_then(|procs| counted(procs.0)),
        max_runtime: machine.runtime.map(|runtime| runtime.0),
        max_memory: machine.memory.map(|memory| memory.0),
        queues: machine.queues,
        notes: machine.notes,
        ..Header::default()
    }
}
