//! The machine and the parameters in the form passed to plug-ins.

use batchlab_traces::machine::Sharing;
use batchlab_traces::reading::Overrun;
use serde_json::{Map, Value, json};

use super::conversation::ParamValue;
use crate::spec::{ParamKind, ParamSpec, Params, Setting};

/// Returns the parameters that a plug-in declared, in its order, with their values.
pub fn param_values(params: &Params, declared: &[ParamSpec]) -> Vec<(&'static str, ParamValue)> {
    let value = |name: &'static str, kind: ParamKind| {
        let number = match kind {
            ParamKind::Count { .. } | ParamKind::NumberOr { .. } => params.number(name),
            ParamKind::Duration | ParamKind::Span { .. } => {
                params.duration(name).map(batchlab_traces::Time::secs)
            }
            _ => None,
        };
        number.map_or_else(|| ParamValue::Word(params.text(name).into()), ParamValue::Number)
    };
    declared.iter().map(|param| (param.name, value(param.name, param.kind))).collect()
}

/// Returns the machine and the rules of the replay as JSON: resources, the capacities of each node, its partitions.
pub fn machine_json(setting: &Setting<'_>) -> Value {
    let machine = setting.machine;
    let resource = |resource: &batchlab_traces::machine::Resource| {
        let sharing = match resource.sharing {
            Sharing::Space => "space",
            Sharing::Time => "time",
        };
        json!({ "name": resource.name, "unit": resource.unit, "sharing": sharing })
    };
    let mut told = Map::new();
    told.insert("resources".into(), machine.resources().iter().map(resource).collect());
    told.insert("nodes".into(), (0..machine.nodes()).map(|node| json!(machine.capacity(node))).collect());
    if !machine.is_pool() {
        told.insert(
            "partitions".into(),
            (0..machine.nodes()).map(|node| json!(machine.partitions(node))).collect(),
        );
    }
    let overrun = match setting.overrun {
        Overrun::Raise => "raise",
        Overrun::Kill => "kill",
        Overrun::Overdue => "overdue",
    };
    told.insert("overrun".into(), overrun.into());
    told.insert("periodic".into(), setting.periodic.into());
    Value::Object(told)
}

/// Returns the position of the resource that comes in devices, and the capacity of each device as JSON; `None` without devices.
pub fn devices_json(setting: &Setting<'_>) -> Option<Value> {
    let devices = setting.machine.devices()?;
    Some(json!({ "resource": devices.resource(), "size": devices.size() }))
}
