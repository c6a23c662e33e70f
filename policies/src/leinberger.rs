//! Backfilling with K resources: Leinberger, Karypis and Kumar 1999.

pub mod bb_easy;
pub mod bl_easy;
pub mod ff_cons;
pub mod ff_easy;

use crate::backfill::{depth, easy};
use crate::policy::Policy;
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting};
use crate::support::kinds::for_kinds;
use crate::support::releases::ExtraRule;
use crate::support::select::SelectionRule;

const FAMILY: &str = "Leinberger 1999";

/// How many jobs hold a reservation in the generalised backfill.
pub const PROTECT: ParamSpec = ParamSpec {
    name: "protect",
    kind: ParamKind::Count { least: 1, infinite: true },
    default: "1",
    help: "how many jobs hold a reservation, as the depth of `depth`: reservations, not queue positions",
    ..ParamSpec::PLAIN
};

/// Builds one policy with one of three selectors. On a pool with one reservation the shadow time admits
/// candidates; with more reservations, and on nodes, a plan of reservations does.
fn build(rule: SelectionRule, params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let reservations = params.count(PROTECT.name);
    if reservations == Some(1) && !setting.by_node {
        return for_kinds(setting, &easy::EasyFactory { params, selection: rule, rule: ExtraRule::All });
    }
    for_kinds(setting, &depth::Selecting { params, reservations, rule })
}
