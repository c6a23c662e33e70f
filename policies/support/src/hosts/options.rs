//! Choices of host selection that papers leave open, by name.

use crate::needs::Needs;
use crate::spec::{ParamKind, ParamSpec};

pub const AVAILABILITY: ParamSpec = ParamSpec {
    name: "availability",
    kind: ParamKind::Choice(&["start", "stay"]),
    default: "start",
    help: "nodes are scored by what is free at the job's start, or by the least that is free during its stay",
    ..ParamSpec::PLAIN
};

pub const SHARE: ParamSpec = ParamSpec {
    name: "share",
    kind: ParamKind::Choice(&["true", "false"]),
    default: "true",
    help: "tasks of one job may share a node, or have a node each",
    needs: |value| Needs { spread: value == "false", ..Needs::NONE },
};

pub const RESCORE: ParamSpec = ParamSpec {
    name: "rescore",
    kind: ParamKind::Choice(&["task", "job"]),
    default: "task",
    help: "nodes are scored again after each task, or ranked once per job and filled in that order",
    ..ParamSpec::PLAIN
};
