//! Compiles a mapping file to a mapping.

mod check;
mod column;
mod layout;
mod meaning;

use std::ops::Range;

use batchlab_traces::Header;
use batchlab_traces::header::ColumnScope;
use toml::Spanned;

use super::error::{MappingError, MappingText};
use super::mapping::{At, Constant, LogProperties, Mapping, Per, TextForm, TextTarget, Zero};
use super::raw::{RawConstant, RawMachine, RawMapping};
use super::target::{MemoryTarget, Resource, To};
use crate::normal::counted;

/// Checks a mapping file and compiles it.
///
/// # Errors
/// The first error, with its line.
pub(super) fn compile(raw: &RawMapping, source: MappingText<'_>) -> Result<Mapping, MappingError> {
    let layout = layout::layout(raw, source)?;
    let (zone, zero) = (layout::zone(raw, source)?, layout::zero(raw, source)?);
    let mut compiler = Compiler { source, raw, zero, resources: Vec::new(), used: Vec::new() };
    let columns: Vec<_> =
        raw.column.iter().map(|column| compiler.column(column)).collect::<Result<_, _>>()?;
    let constants =
        raw.constant.iter().map(|constant| compiler.constant(constant)).collect::<Result<_, _>>()?;
    compiler.check(&columns)?;
    let queues = raw.queues.iter().map(|(name, number)| (name.clone(), *number)).collect();
    let facts = LogProperties { header: header(&raw.machine), zone, zero, queues };
    Ok(Mapping { layout, columns, constants, resources: compiler.resources, facts })
}

struct Compiler<'a> {
    source: MappingText<'a>,
    raw: &'a RawMapping,
    zero: Zero,
    resources: Vec<(Resource, Option<i64>)>,
    /// Each destination, with the place where the mapping names it.
    used: Vec<(To, Range<usize>)>,
}

impl Compiler<'_> {
    fn constant(&mut self, raw: &Spanned<RawConstant>) -> Result<Constant, MappingError> {
        let RawConstant { to, value } = raw.get_ref();
        let to = self.destination(to)?;
        let per = matches!(to, To::Memory(_)).then_some(Per::Processor);
        let form =
            per.map_or(TextForm::Plain, |per| TextForm::Memory(super::amount::MemoryUnit::Bytes(1024), per));
        let meaning = self.meaning(&to, value)?;
        let resource = self.further(&to, &form, None);
        Ok(Constant { to, meaning, resource })
    }

    /// Takes a destination; each can be named once.
    fn destination(&mut self, raw: &Spanned<String>) -> Result<To, MappingError> {
        let to = To::named(raw.get_ref()).map_err(|what| self.source.error(&raw.span(), what))?;
        if matches!(to, To::Check(_) | To::Ignore) {
            return Ok(to);
        }
        if let Some((_, before)) = self.used.iter().find(|(other, _)| clash(other, &to)) {
            let line = self.source.line(before);
            let what = format!(
                "`{}` is given here and on line {line}; drop one of them, or make it a check",
                raw.get_ref()
            );
            return Err(self.source.error(&raw.span(), what));
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

fn header(machine: &RawMachine) -> Header {
    Header {
        computer: machine.computer.clone(),
        installation: machine.installation.clone(),
        acknowledge: machine.acknowledge.clone(),
        information: machine.information.clone(),
        conversion: machine.conversion.clone(),
        max_nodes: machine.nodes.and_then(counted),
        max_procs: machine.procs.and_then(counted),
        max_runtime: machine.runtime,
        max_memory: machine.memory,
        queues: machine.queues.clone(),
        notes: machine.notes.clone(),
        ..Header::default()
    }
}

/// Returns the columns by which a target's number is multiplied.
fn factors(target: &TextTarget) -> impl Iterator<Item = &At> {
    target.times.iter()
}
