//! Findings about policies and jobs together that do not prevent a replay.

use batchlab_support::spec::Chosen;
use batchlab_support::{Costs, Fact, Needs};
use batchlab_traces::Provenance;
use batchlab_traces::finding::{Example, Findings, Refusal};
use batchlab_traces::kinds;
use batchlab_traces::number::grouped;

use super::without;
use crate::replay::engine::Scenario;

/// Reports jobs without a known user, group or partition if a policy needs these. If a policy distinguishes
/// interactive from batch jobs, reports that all jobs belong to one class.
pub fn report<'a>(
    policies: impl IntoIterator<Item = &'a Chosen>,
    scenario: &Scenario,
    findings: &mut Findings,
    provenance: &mut Provenance,
) -> Result<(), Refusal> {
    let policies: Vec<&Chosen> = policies.into_iter().collect();
    report_costs(&policies, scenario, findings)?;
    report_idle(&policies, findings)?;
    let needs = policies.iter().fold(Needs::NONE, |needs, policy| needs.and(policy.needs()));
    if needs.classes {
        report_classes(scenario, findings)?;
    }
    for fact in needs.facts.list() {
        let kind = match fact {
            Fact::Memory => continue,
            Fact::User => &NO_USER,
            Fact::Group => &NO_GROUP,
            Fact::Partition => &NO_PARTITION,
        };
        let count = without(scenario, fact);
        let total = scenario.workload.len();
        provenance.step(kind.code, format!("{}: {}", kind.what(count), kind.done(count)), count);
        findings.report_many(kind, count, || Example {
            place: None,
            detail: format!("{} of {} jobs", grouped(count), grouped(total as u64)),
        })?;
    }
    Ok(())
}

fn report_idle(policies: &[&Chosen], findings: &mut Findings) -> Result<(), Refusal> {
    for policy in policies {
        for param in policy.idle() {
            let detail = || format!("`{param}` in `{}`", policy.canonical());
            findings.report(&IDLE_PARAM, || Example { place: None, detail: detail() })?;
        }
    }
    Ok(())
}

/// Reports that all jobs are interactive or all are batch jobs.
fn report_classes(scenario: &Scenario, findings: &mut Findings) -> Result<(), Refusal> {
    let (all, interactive) = (scenario.workload.len(), scenario.workload.interactive_jobs());
    let kind = match interactive {
        0 => &ALL_BATCH,
        _ if interactive == all => &ALL_INTERACTIVE,
        _ => return Ok(()),
    };
    findings.report_many(kind, all as u64, || Example {
        place: None,
        detail: format!("interactive are jobs by the rule `{}`", scenario.workload.interactive_rule()),
    })
}

fn report_costs(policies: &[&Chosen], scenario: &Scenario, findings: &mut Findings) -> Result<(), Refusal> {
    let sharing = policies.iter().filter(|policy| policy.needs().time_sharing);
    let costs: Vec<(String, Costs)> =
        sharing.map(|policy| (policy.canonical(), scenario.costs.under(policy.needs().costs))).collect();
    for pair in costs.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
        let [(one, before), (two, after)] = pair else { continue };
        findings.report(&MIXED_COSTS, || Example {
            place: None,
            detail: format!("`{one}`: {before}; `{two}`: {after}"),
        })?;
    }
    Ok(())
}

kinds! {
    NO_USER: Warning "job-no-user",
        "{job|jobs} without a user (field 12)",
        "{it counts|they count} as {one of one unknown user|those of one unknown user}",
        "set `user` with a rule if they matter to users' shares and limits";
    NO_GROUP: Warning "job-no-group",
        "{job|jobs} without a group (field 13)",
        "{it counts|they count} as {one of one unknown group|those of one unknown group}",
        "set `group` with a rule if they matter to groups' limits";
    NO_PARTITION: Warning "job-no-partition",
        "{job|jobs} without a partition (field 16)",
        "{it counts|they count} as {one of one unknown partition|those of one unknown partition}",
        "set `partition` with a rule if they matter to partitions' limits";
    ALL_BATCH: Warning "classes-no-interactive",
        "{job|jobs}, and none is interactive",
        "{it counts as a batch job|all count as batch jobs}: a policy that distinguishes the two kinds \
         sees only one",
        ONE_CLASS_ADVICE;
    ALL_INTERACTIVE: Warning "classes-no-batch",
        "{job|jobs}, and none is a batch job",
        "{it counts|all count} as interactive: a policy that distinguishes the two kinds sees only one",
        ONE_CLASS_ADVICE;
}

const ONE_CLASS_ADVICE: &str = "say which are interactive with --interactive, by a condition such as 'queue = 3', or \
                                split them by run time with shortest:0.42 (the share of Setia et al. 1999, table 1)";

kinds! {
    IDLE_PARAM: Note "param-no-effect",
        "{parameter|parameters} without effect",
        "the schedule is that of the policy without {it|them}",
        "leave it out; `batchlab list policies NAME` says what each parameter does";
    MIXED_COSTS: Warning "costs-differ",
        "{policy|policies} under other costs than the one before",
        "each row is charged its own, so that differences between rows are due to costs too",
        "say costs once for all with --cost, and leave `cs`, `cs-charge`, `c`, `swap` and `swap-in-first` out of the specs";
}
