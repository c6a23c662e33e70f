use crate::needs::Needs;
use crate::spec::{ParamKind, ParamSpec, Words as _};
use batchlab_contract::costs::{CostKind, MigrationCharge, SCENARIO, StatedCosts, SwitchCharge};

/// Context switch as a share of a slice (Zhang et al. 2000, section 5: CS).
pub const CS: ParamSpec = ParamSpec {
    name: "cs",
    kind: ParamKind::Cost(CostKind::Switch),
    default: SCENARIO,
    help: "share of a slice that each context switch takes, in place of the scenario's (--cost switch=)",
    ..ParamSpec::PLAIN
};

/// Which jobs pay for a switch.
pub const CS_CHARGE: ParamSpec = ParamSpec {
    name: "cs-charge",
    kind: ParamKind::Choice(&["all", "changed"]),
    default: "all",
    help: "which jobs pay at the beginning of a slice: all its jobs, or those that did not run just before \
        on these processors",
    needs: |value| {
        let charge = if value == "changed" { SwitchCharge::Changed } else { SwitchCharge::All };
        stating(StatedCosts { charge: Some(charge), ..StatedCosts::NONE })
    },
};

/// Cost of migrating a job (Zhang et al. 2000, section 5.4: C).
pub const C: ParamSpec = ParamSpec {
    name: "c",
    kind: ParamKind::Cost(CostKind::Migrate),
    default: SCENARIO,
    help: "time of a migration, checkpoint and restart, in place of the scenario's (--cost migrate=)",
    ..ParamSpec::PLAIN
};

/// How the migrations of an event are paid for.
pub const C_CHARGE: ParamSpec = ParamSpec {
    name: "c-charge",
    kind: ParamKind::Choice(MigrationCharge::WORDS),
    default: "event",
    help: "c is paid for where a job stands after an event, or for each migration by itself",
    needs: |value| {
        let charge = if value == "step" { MigrationCharge::Step } else { MigrationCharge::Event };
        stating(StatedCosts { migrate_charge: Some(charge), ..StatedCosts::NONE })
    },
};

/// Rate of swapping (Setia et al. 1999, section 4.1).
pub const SWAP: ParamSpec = ParamSpec {
    name: "swap",
    kind: ParamKind::Cost(CostKind::Swap),
    default: SCENARIO,
    help: "rate at which each processor swaps its part of a job, such as 20MB/s, in place of the scenario's \
           (--cost swap=); `none` takes no time",
    ..ParamSpec::PLAIN
};

/// Whether a first load takes time.
pub const SWAP_IN_FIRST: ParamSpec = ParamSpec {
    name: "swap-in-first",
    kind: ParamKind::Choice(&["false", "true"]),
    default: "false",
    help: "whether loading a job for the first time takes as long as swapping it in",
    needs: |value| stating(StatedCosts { first_load: Some(value == "true"), ..StatedCosts::NONE }),
};

const fn stating(costs: StatedCosts) -> Needs {
    Needs { costs, ..Needs::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_states_its_own_cost() {
        let changed = CS_CHARGE.needs_of("changed").costs;
        assert_eq!(changed, StatedCosts { charge: Some(SwitchCharge::Changed), ..StatedCosts::NONE });
        let first = SWAP_IN_FIRST.needs_of("false").costs;
        assert_eq!(first, StatedCosts { first_load: Some(false), ..StatedCosts::NONE });
        assert_eq!(SWAP.needs_of("none").costs, StatedCosts { swap: Some(None), ..StatedCosts::NONE });
        assert_eq!(C.needs_of("scenario"), Needs::NONE);
    }
}
