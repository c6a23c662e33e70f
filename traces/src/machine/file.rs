use serde::Deserialize;
use toml::de::DeTable;

use super::{Amount, Machine, MachineError, Resource, Sharing, processors};
pub use crate::located::LocatedError as MachineFileError;
use crate::located::values::{List, Text, Whole, value_of_toml};
use crate::located::{LocatedToml, Spanned, keys};
use crate::nearest::{meant, nearest};
use crate::notation::hosts;
use crate::{Header, SourcePlace};

/// A machine as a file describes it.
///
/// ```toml
/// task_procs = 8              # processors of a task, which is whole on one node [1]
///
/// [[resource]]                # a resource beside the processors, which are always there
/// name = "memory"
/// unit = "KB"                 # what jobs count it in ["KB" of memory, else a plain count]
/// sharing = "space"           # held while a job is resident; "time": used as fast as it runs ["space"]
///
/// [[resource]]
/// name = "gpu_milli"
/// device = 1000               # a node has whole devices of this amount; a job has a part of one, or whole ones
///
/// [[nodes]]                   # equal nodes; several groups make a mixed machine
/// count = 128                 # [1]
/// procs = 8
/// memory = "16GB"             # of each resource, on each node [0]; a name with a colon is quoted: "gpu:a100" = 4
///
/// [[nodes]]
/// count = 16
/// procs = 8
/// memory = "64GB"
/// partitions = [2, "large"]   # numbers of the log's field 16, or names of its header; without: every job
/// features = ["v100", "ib"]   # what jobs may ask for in their constraints
/// names = "gpu[1-16]"         # of the nodes, one each, as in Slurm; a constraint may name a node too
/// ```
///
/// Nodes are numbered from 0 in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineFile {
    resources: Vec<Resource>,
    groups: Vec<Group>,
    task_procs: Option<i64>,
    /// The resource that comes in devices, and the capacity of one.
    devices: Option<(usize, i64)>,
    start: SourcePlace,
    /// What the description of another simulator, from which this was made, says beside: a finding for each log.
    pub left_out: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Group {
    count: usize,
    amounts: Vec<i64>,
    partitions: Vec<Partition>,
    features: Vec<String>,
    /// One name for each node, or none.
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Partition {
    Number(i64),
    Name(String, SourcePlace),
}

#[derive(Deserialize)]
struct ResourceText {
    name: Spanned<Text>,
    unit: Option<Text>,
    #[serde(default)]
    sharing: Sharing,
    device: Option<Spanned<Whole<1>>>,
}

#[derive(Deserialize)]
struct NodesText {
    count: Option<Whole<1>>,
    partitions: Option<List<PartitionText>>,
    features: Option<List<Text>>,
    names: Option<Spanned<Text>>,
}

enum PartitionText {
    Number(i64),
    Name(String),
}

const PARTITIONS: &str = "a list of numbers of the log's field 16, or of names of its header";

value_of_toml!(PartitionText, PARTITIONS, |value| match value.as_str() {
    Some(name) => Some(PartitionText::Name(name.to_owned())),
    None => value.as_integer().filter(|&number| number >= 0).map(PartitionText::Number),
});

enum AmountText {
    Whole(i64),
    Of(Amount),
}

value_of_toml!(
    AmountText,
    "a whole number from 0, or a text such as \"64GB\"",
    |value| match value.as_str() {
        Some(text) => text.parse().ok().map(AmountText::Of),
        None => value.as_integer().filter(|&amount| amount >= 0).map(AmountText::Whole),
    }
);

impl MachineFile {
    /// Reads a machine file; `file` is its name as the user gave it.
    pub fn parse(text: &str, file: &str) -> Result<MachineFile, MachineFileError> {
        let toml = LocatedToml::new(text, file);
        let table = toml.parse()?;
        toml.expect_keys(&table, &["task_procs", "resource", "nodes"])?;
        let task_procs = toml.value(&table, "task_procs")?.map(|procs: Spanned<Whole<1>>| procs.get_ref().0);
        let mut resources = vec![processors()];
        let mut devices = None;
        for (table, at) in toml.list(&table, "resource")? {
            let text: ResourceText = toml.table(table, at)?;
            if let Some(device) = &text.device {
                if devices.is_some() {
                    return Err(toml.error(device.span().start, "another resource comes in devices already"));
                }
                devices = Some((resources.len(), device.get_ref().0));
            }
            resources.push(resource(&toml, text, &resources)?);
        }
        let groups = toml.list(&table, "nodes")?;
        if groups.is_empty() {
            return Err(toml.error(0, "a machine needs at least one table of [[nodes]]"));
        }
        let groups = groups.into_iter().map(|(table, at)| group(&toml, table, at, &resources));
        let groups: Vec<Group> = groups.collect::<Result<_, _>>()?;
        let nodes = groups.iter().fold(0usize, |sum, group| sum.saturating_add(group.count));
        if nodes > Machine::MOST_NODES {
            return Err(toml.error(0, MachineError::TooManyNodes(nodes).to_string()));
        }
        let start = toml.place(0);
        let machine = MachineFile { resources, groups, task_procs, devices, start, left_out: None };
        machine.plain().map_err(|error| toml.error(0, error.to_string()))?;
        Ok(machine)
    }

    /// Returns the processors of a task, if the file states them.
    pub fn task_procs(&self) -> Option<i64> {
        self.task_procs
    }

    /// Returns the machine for a log, whose header defines the names of partitions.
    pub fn machine(&self, header: &Header) -> Result<Machine, MachineFileError> {
        let mut partitions = Vec::new();
        for group in &self.groups {
            let numbers = group.partitions.iter().map(|partition| number_of(partition, header));
            let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
            partitions.extend(std::iter::repeat_n(numbers, group.count));
        }
        let of_group = |group: &Group| -> Vec<Vec<String>> {
            let named = |at: usize| group.features.iter().chain(group.names.get(at)).cloned().collect();
            (0..group.count).map(named).collect()
        };
        let features = self.groups.iter().flat_map(of_group).collect();
        let machine = self.plain().and_then(|machine| machine.with_partitions(partitions));
        let machine = machine.and_then(|machine| machine.with_features(features));
        machine.map_err(|error| MachineFileError { place: self.start.clone(), what: error.to_string() })
    }

    fn plain(&self) -> Result<Machine, MachineError> {
        let nodes_of = |group: &Group| std::iter::repeat_n(group.amounts.clone(), group.count);
        let nodes: Vec<Vec<i64>> = self.groups.iter().flat_map(nodes_of).collect();
        let machine = Machine::new(self.resources.clone(), &nodes)?;
        match self.devices {
            Some((resource, size)) => machine.with_devices(resource, size),
            None => Ok(machine),
        }
    }
}

/// Returns the number of a partition; a name refers to the header, by the whole name or its first word.
fn number_of(partition: &Partition, header: &Header) -> Result<i64, MachineFileError> {
    let (name, place) = match partition {
        Partition::Number(number) => return Ok(*number),
        Partition::Name(name, place) => (name, place),
    };
    let found = header.partition.iter().find(|known| known.is_called(name));
    found.map(|known| known.number).ok_or_else(|| {
        let meant = meant(nearest(name, header.partition.iter().map(|known| known.name.as_str())));
        let what = format!("the log's header has no partition `{name}`{meant}; numbers need no header");
        MachineFileError { place: place.clone(), what }
    })
}

fn resource(
    toml: &LocatedToml<'_>,
    text: ResourceText,
    known: &[Resource],
) -> Result<Resource, MachineFileError> {
    let at = text.name.span().start;
    let name = text.name.into_inner().0;
    if keys::<NodesText>().contains(&name.as_str()) || known.iter().any(|known| known.name == name) {
        let what = format!("a resource cannot be called `{name}`: there is another thing of this name");
        return Err(toml.error(at, what));
    }
    let plain = if name == "memory" { "KB" } else { "" };
    let unit = text.unit.map_or_else(|| plain.into(), |unit| unit.0);
    Ok(Resource { name, unit, sharing: text.sharing })
}

fn group(
    toml: &LocatedToml<'_>,
    table: &DeTable<'_>,
    at: usize,
    resources: &[Resource],
) -> Result<Group, MachineFileError> {
    let names = resources.iter().map(|resource| resource.name.as_str());
    toml.expect_keys(table, &names.chain(keys::<NodesText>().iter().copied()).collect::<Vec<_>>())?;
    let text: NodesText = toml.part(table, at)?;
    let procs: Option<Spanned<Whole<1>>> = toml.value(table, &resources[0].name)?;
    let procs = procs.ok_or_else(|| toml.error(at, "the nodes have no procs"))?;
    let others = resources[1..].iter().map(|resource| amount(toml, table, resource));
    let amounts = std::iter::once(Ok(procs.get_ref().0)).chain(others).collect::<Result<_, _>>()?;
    let count = text.count.map_or(1, |count| usize::try_from(count.0).unwrap_or(usize::MAX));
    let partition = |partition: Spanned<PartitionText>| {
        let at = partition.span().start;
        match partition.into_inner() {
            PartitionText::Number(number) => Partition::Number(number),
            PartitionText::Name(name) => Partition::Name(name, toml.place(at)),
        }
    };
    Ok(Group {
        count,
        amounts,
        partitions: text.partitions.into_iter().flat_map(|list| list.0).map(partition).collect(),
        features: text.features.into_iter().flat_map(|list| list.0).map(|word| word.into_inner().0).collect(),
        names: text.names.map(|names| names_of(toml, &names, count)).transpose()?.unwrap_or_default(),
    })
}

/// Returns the amount of a resource on each node of a group; 0 without one.
fn amount(toml: &LocatedToml<'_>, table: &DeTable<'_>, resource: &Resource) -> Result<i64, MachineFileError> {
    let Resource { name, unit, .. } = resource;
    let Some(text) = toml.value::<AmountText>(table, name)? else { return Ok(0) };
    let amount = match text.get_ref() {
        AmountText::Whole(amount) => Some(*amount),
        AmountText::Of(amount) => amount.in_units_of(unit),
    };
    let what = || format!("{name} is counted in {unit}: give a plain number");
    amount.ok_or_else(|| toml.error(text.span().start, what()))
}

/// Returns the names of `count` nodes, as a list of hosts: `n[1-16]`, `r[1-2]n[01-08]`, or one name for one node.
fn names_of(
    toml: &LocatedToml<'_>,
    text: &Spanned<Text>,
    count: usize,
) -> Result<Vec<String>, MachineFileError> {
    let what = || format!("`names` must be one name per node, such as \"n[1-{count}]\" for {count} nodes");
    let names = hosts::names(&text.get_ref().0, count).filter(|names| names.len() == count);
    names.ok_or_else(|| toml.error(text.span().start, what()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Named;

    const MIXED: &str = "\
task_procs = 8
[[resource]]
name = \"memory\"
[[resource]]
name = \"gpu\"
sharing = \"time\"
[[nodes]]
count = 2
procs = 8
memory = \"16GB\"
[[nodes]]
procs = 16
memory = 1_000
gpu = 4
partitions = [2, \"large\"]
";

    fn header() -> Header {
        let partition = vec![Named { number: 7, name: "large 64 nodes".into() }];
        Header { partition, ..Header::default() }
    }

    #[test]
    fn groups_of_nodes_are_numbered_in_order() {
        let file = MachineFile::parse(MIXED, "m.toml").unwrap();
        let machine = file.machine(&header()).unwrap();
        assert_eq!((machine.nodes(), machine.kinds(), file.task_procs()), (3, 3, Some(8)));
        assert_eq!((machine.capacity(1), machine.capacity(2)), (&[8, 16 << 20, 0][..], &[16, 1000, 4][..]));
        assert_eq!((machine.partitions(0), machine.partitions(2)), (&[][..], &[2, 7][..]));
        let units: Vec<&str> = machine.resources().iter().map(|resource| resource.unit.as_str()).collect();
        assert_eq!((units, machine.resources()[2].sharing), (vec!["", "KB", ""], Sharing::Time));
    }

    #[test]
    fn nodes_have_features_and_names() {
        let text = "[[nodes]]\ncount = 2\nprocs = 4\nfeatures = [\"ib\"]\nnames = \"r[1-2]n[09]\"\n[[nodes]]\nprocs = 1\n";
        let machine = MachineFile::parse(text, "m.toml").unwrap().machine(&Header::default()).unwrap();
        assert_eq!([0, 1].map(|node| machine.features(node).join(" ")), ["ib r1n09", "ib r2n09"]);
        assert!(machine.features(2).is_empty() && machine.has_features());
    }

    #[test]
    fn partitions_by_name_want_a_header() {
        let file = MachineFile::parse("[[nodes]]\nprocs = 4\npartitions = [\"larg\"]\n", "m.toml").unwrap();
        let error = file.machine(&header()).unwrap_err().to_string();
        assert!(error.starts_with("m.toml:3:15: the log's header has no partition `larg`"), "{error}");
    }
}
