//! Messages of version 5 in JSON: `{"now": 5.0, "events": [{"timestamp": 5.0, "event_type": "ExecuteJobEvent", "event": {…}}]}`.
//!
//! Before the first message the simulator sends the length and the text of the scheduler's initialisation; the answer is a
//! number, 2 for JSON, and a message with the scheduler's greeting. The simulator's messages end with a zero byte.

use batchlab_traces::Time;
use serde_json::{Map, Value, json};

use super::hosts::HostSet;
use super::news::{BatsimJob, Completion, News, Wish, attributes_of_text, needs, text_of};
use super::values::{Data, Dialect, Envelope, Event, host_count, seconds};

pub const DIALECT: Dialect =
    Dialect { envelope: Envelope { kind: "event_type", data: "event", end: &[0] }, told, heard, said, wish };

/// The flag of a scheduler that speaks JSON.
pub const JSON: u32 = 2;

/// The profile of jobs whose run times are not forwarded.
const DELAY: &str = "w0!delay";

/// The name of a scheduler's greeting.
const HELLO: &str = "EDCHelloEvent";

/// The simulator's very first message.
pub fn init(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

/// The scheduler's answer to the very first message.
pub fn hello(name: &str, version: &str) -> Vec<u8> {
    let features = json!({
        "dynamic_registration": false,
        "profile_reuse": false,
        "acknowledge_dynamic_jobs": false,
        "forward_profiles_on_job_submission": false,
        "forward_profiles_on_jobs_killed": false,
        "forward_profiles_on_simulation_begins": false,
        "forward_unknown_external_events": false,
    });
    let event = json!({
        "batprotocol_version": "",
        "decision_component_name": name,
        "decision_component_version": version,
        "decision_component_commit": "",
        "requested_simulation_features": features,
    });
    let message = DIALECT.envelope.message(Time::ZERO, [(Time::ZERO, HELLO, event)]);
    [&JSON.to_le_bytes(), message.as_slice()].concat()
}

/// Reads the scheduler's greeting, whose messages have to be JSON; returns whether it asks for the profiles of jobs.
pub fn greeting(message: &[u8]) -> Result<bool, String> {
    let (flags, message) = message.split_first_chunk::<4>().ok_or("it is shorter than 4 bytes")?;
    let flags = u32::from_le_bytes(*flags);
    if flags & JSON == 0 {
        return Err(format!(
            "its messages are not JSON (flag {flags}; JSON is {JSON}); a scheduler of Batsim's own tests speaks JSON with \
             init={{\"format_json\": true}}"
        ));
    }
    let read = |data: Data<'_>| {
        if data.kind != HELLO {
            return Err(format!("it says {} and not {HELLO}", data.kind));
        }
        let features = data.part("requested_simulation_features");
        if features.has("dynamic_registration") {
            return Err(format!("it wants dynamic_registration: {}", needs::JOBS));
        }
        let profiles =
            ["forward_profiles_on_jobs_killed", "forward_profiles_on_simulation_begins", "profile_reuse"];
        if let Some(wanted) = profiles.into_iter().find(|name| features.has(name)) {
            return Err(format!(
                "it wants {wanted}: profiles are told with their jobs alone, with profiles=forward"
            ));
        }
        if data.part("scheduling_constraints").has("compute_sharing") {
            return Err("it wants compute_sharing: a host runs one job at a time".into());
        }
        Ok(features.has("forward_profiles_on_job_submission"))
    };
    let (_, greetings) = DIALECT.envelope.read(message, read)?;
    greetings.first().map(|greeting| greeting.what).ok_or_else(|| format!("it has no {HELLO}"))
}

fn told(at: Time, news: &News) -> Event {
    let (kind, event) = match news {
        News::Begins { hosts, .. } => ("SimulationBeginsEvent", begins(*hosts)),
        News::Ends => ("SimulationEndsEvent", json!({})),
        News::Submitted(job) => ("JobSubmittedEvent", submitted(at, job)),
        News::Completed { id, how, .. } => {
            ("JobCompletedEvent", json!({ "job_id": id, "state": how.name(), "return_code": 0 }))
        }
        News::Killed { ids, progress } => {
            let part = |(id, part): &(String, f64)| {
                let progress = json!({ "profile_id": DELAY, "progress": part });
                json!({ "job_id": id, "wrapper": { "kill_progress_type": "KillProgressAtomicProfile",
                                                   "kill_progress": progress } })
            };
            let progresses: Vec<Value> = progress.iter().map(part).collect();
            ("JobsKilledEvent", json!({ "job_ids": ids, "progresses": progresses }))
        }
        News::Called { id, is_last } => {
            ("RequestedCallEvent", json!({ "call_me_later_id": id, "last_periodic_call": is_last }))
        }
        News::AllSubmitted => ("AllStaticJobsHaveBeenSubmittedEvent", json!({})),
        News::Hosts { hosts, available } => {
            let kind = if *available { "event_machine_available" } else { "event_machine_unavailable" };
            ("ExternalEventOccurredEvent", external(kind, &hosts.to_string()))
        }
        News::Other(name) => ("ExternalEventOccurredEvent", external(name, "")),
    };
    (at, kind, event)
}

fn external(kind: &str, hosts: &str) -> Value {
    let told = json!({ "type": kind, "resources": hosts }).to_string();
    json!({ "id": "", "external_event_type": "GenericExternalEvent", "external_event": { "data": told } })
}

fn begins(hosts: u32) -> Value {
    let host = |id: u32| {
        json!({ "id": id, "name": format!("host{id}"), "pstate": 0, "pstate_count": 1, "state": "IDLE",
                "properties": [], "zone_properties": [], "core_count": 1, "computation_speed": [1.0] })
    };
    json!({
        "host_number": hosts,
        "computation_host_number": hosts,
        "computation_hosts": (0..hosts).map(host).collect::<Vec<Value>>(),
        "storage_host_number": 0,
        "storage_hosts": [],
        "batsim_execution_context_json": "{}",
        "batsim_arguments": [],
        "workloads": [{ "name": "w0", "filename": "" }],
        "profiles": [],
    })
}

fn submitted(at: Time, job: &BatsimJob) -> Value {
    let profile = job.delay.map_or(DELAY, |_| job.id.as_str());
    let walltime = job.walltime.map_or(Value::Null, seconds);
    let described = json!({ "resource_request": job.hosts, "walltime": walltime, "extra_data": job.extra_data(), "rigid": true,
                            "profile_id": profile });
    let mut event = json!({ "job_id": job.id, "job": described, "submission_time": seconds(at) });
    if let Some(delay) = job.delay {
        event["profile"] = json!({ "id": job.id, "profile_type": "DelayProfile",
                                   "profile": { "delay": seconds(delay) } });
        if let Some(extra) = job.profile(delay).get("extra_data") {
            event["profile"]["extra_data"] = text_of(extra).into();
        }
    }
    event
}

fn heard(data: Data<'_>) -> Result<News, String> {
    Ok(match data.kind {
        "SimulationBeginsEvent" => News::Begins {
            hosts: host_count(data.number("computation_host_number")?)?,
            registers: false,
            profiles: false,
        },
        "SimulationEndsEvent" => News::Ends,
        "JobSubmittedEvent" => {
            let (job, profile) = (data.part("job"), data.part("profile"));
            let is_delay = profile.text_or_none("profile_type") == "DelayProfile";
            News::Submitted(BatsimJob {
                id: data.text("job_id")?.into(),
                hosts: job.hosts_wanted("resource_request")?,
                walltime: job.limit("walltime")?,
                attributes: attributes_of_text(job.text_or_none("extra_data")),
                own: Map::new(),
                delay: if is_delay { profile.part("profile").limit("delay")? } else { None },
            })
        }
        "JobCompletedEvent" => News::Completed {
            id: data.text("job_id")?.into(),
            how: Completion::of(data.text_or_none("state")),
            hosts: HostSet::default(),
        },
        "JobsKilledEvent" => News::Killed { ids: data.texts("job_ids")?, progress: Vec::new() },
        "RequestedCallEvent" => News::Called {
            id: data.text("call_me_later_id")?.into(),
            is_last: data.has("last_periodic_call"),
        },
        "AllStaticJobsHaveBeenSubmittedEvent" => News::AllSubmitted,
        other => News::Other(other.into()),
    })
}

fn said(at: Time, wish: &Wish) -> Event {
    let once = |id: &str, at: Time| {
        // The protocol has whole numbers of a unit.
        let time = at.ticks().div_euclid(1000) + i64::from(at.ticks().rem_euclid(1000) > 0);
        let when = json!({ "time": time, "time_unit": "Millisecond" });
        json!({ "call_me_later_id": id, "when_type": "OneShot", "when": when })
    };
    let (kind, event) = match wish {
        Wish::Execute { id, hosts } => {
            let strategy = json!({ "strategy": "SpreadOverHostsFirst" });
            let kind = "PredefinedExecutorPlacementStrategyWrapper";
            let allocation = json!({ "host_allocation": hosts.to_string(), "executor_placement_type": kind,
                                     "executor_placement": strategy });
            ("ExecuteJobEvent", json!({ "job_id": id, "allocation": allocation }))
        }
        Wish::Reject(id) => ("RejectJobEvent", json!({ "job_id": id })),
        Wish::Kill(ids) => ("KillJobsEvent", json!({ "job_ids": ids })),
        Wish::Call { id, at } => ("CallMeLaterEvent", once(id, *at)),
        Wish::CallEvery { id, period, .. } => ("CallMeLaterEvent", once(id, at + *period)),
        Wish::StopCalls(id) => ("StopCallMeLaterEvent", json!({ "call_me_later_id": id })),
        Wish::Registered | Wish::Describe { .. } | Wish::Remark(_) | Wish::Beyond { .. } => {
            ("FinishRegistrationEvent", json!({}))
        }
    };
    (at, kind, event)
}

fn wish(data: Data<'_>) -> Result<Wish, String> {
    let beyond = |needs| Wish::Beyond { name: data.kind.to_owned(), needs };
    Ok(match data.kind {
        "ExecuteJobEvent" => {
            let allocation = data.part("allocation");
            let is_mapped =
                allocation.text_or_none("executor_placement_type") == "CustomExecutorToHostMapping";
            let placement = allocation.part("executor_placement");
            let hosts = allocation.hosts("host_allocation")?;
            if data.has("profile_allocation_override")
                || (is_mapped && !placement.is_one_each("mapping", hosts.count()))
            {
                beyond(needs::EXECUTORS)
            } else if data.has("storage_placement") {
                beyond(needs::STORAGE)
            } else {
                Wish::Execute { id: data.text("job_id")?.into(), hosts }
            }
        }
        "RejectJobEvent" => Wish::Reject(data.text("job_id")?.into()),
        "KillJobsEvent" => Wish::Kill(data.texts("job_ids")?),
        "CallMeLaterEvent" => call(data)?,
        "StopCallMeLaterEvent" => Wish::StopCalls(data.text("call_me_later_id")?.into()),
        "FinishRegistrationEvent" => Wish::Registered,
        "RegisterJobEvent" | "RegisterProfileEvent" => beyond(needs::JOBS),
        "ForceSimulationStopEvent" => beyond(needs::STOP),
        "CreateProbeEvent"
        | "StopProbeEvent"
        | "TriggerProbeEvent"
        | "ResetProbeEvent"
        | "ChangeHostsPStateEvent"
        | "TurnOnOffHostsEvent" => beyond(needs::POWER),
        _ => beyond(needs::UNKNOWN),
    })
}

/// Reads a call: once, or with a period.
fn call(data: Data<'_>) -> Result<Wish, String> {
    let id = data.text("call_me_later_id")?.to_owned();
    let when = data.part("when");
    let scale = if when.text_or_none("time_unit") == "Millisecond" { 1000 } else { 1 };
    let scaled = |time: Time| Time::from_ticks(time.ticks() / scale);
    if data.text_or_none("when_type") != "Periodic" {
        return Ok(Wish::Call { id, at: scaled(when.time("time")?) });
    }
    let period = scaled(when.time("period")?);
    if period <= Time::ZERO {
        return Err(format!("a call every {period} s; a period is above 0"));
    }
    let count = when.part("mode").number("nb_periods").ok().map(|count| count.max(0.0) as u64);
    Ok(Wish::CallEvery { id, offset: scaled(when.time("offset").unwrap_or_default()), period, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of the documentation of the protocol's messages (batprotocol, `docs/expected-output`, commit 7746655).
    fn documented(kind: &str, event: &str) -> Wish {
        let event = format!(r#"{{"timestamp": 0.0, "event_type": "{kind}", "event": {event}}}"#);
        let message = format!(r#"{{"now": 0.0, "events": [{event}]}}"#);
        DIALECT.envelope.read(message.as_bytes(), wish).unwrap().1.remove(0).what
    }

    #[test]
    fn a_feature_that_cannot_be_granted_is_refused_by_name() {
        let hello = String::from_utf8(hello("own", "1")).unwrap();
        assert_eq!(greeting(hello.as_bytes()), Ok(false));
        let wanted = hello.replace("simulation_begins\":false", "simulation_begins\":true");
        assert!(greeting(wanted.as_bytes()).unwrap_err().contains("forward_profiles_on_simulation_begins"));
    }

    #[test]
    fn documented_calls_are_read() {
        let call =
            |when: &str| documented("CallMeLaterEvent", &format!(r#"{{"call_me_later_id": "c", {when}}}"#));
        let (once, every) = (r#""when_type": "OneShot", "when""#, r#""when_type": "Periodic", "when""#);
        let at = call(&format!(r#"{once}: {{"time": 42, "time_unit": "Second"}}"#));
        assert_eq!(at, Wish::Call { id: "c".into(), at: Time::from_secs(42) });
        let finite = call(&format!(
            r#"{every}: {{"period": 20, "offset": 0, "time_unit": "Second", "mode_type": "FinitePeriodNumber", "mode": {{"nb_periods": 5}}}}"#
        ));
        let (offset, period) = (Time::ZERO, Time::from_secs(20));
        assert_eq!(finite, Wish::CallEvery { id: "c".into(), offset, period, count: Some(5) });
        let endless = call(&format!(
            r#"{every}: {{"period": 500, "offset": 27, "time_unit": "Millisecond", "mode_type": "Infinite", "mode": {{}}}}"#
        ));
        let (offset, period) = (Time::from_ticks(27_000), Time::from_ticks(500_000));
        assert_eq!(endless, Wish::CallEvery { id: "c".into(), offset, period, count: None });
    }

    #[test]
    fn documented_executions_are_read() {
        let execute = |hosts: &str, placement: &str, storage: &str| {
            let event = format!(
                r#"{{"job_id": "w0!0", "allocation": {{"host_allocation": "{hosts}", {placement}}}, "profile_allocation_override": [], "storage_placement": [{storage}]}}"#
            );
            documented("ExecuteJobEvent", &event)
        };
        let spread = r#""executor_placement_type": "PredefinedExecutorPlacementStrategyWrapper", "executor_placement": {"strategy": "SpreadOverHostsFirst"}"#;
        let mapped = |mapping: &str| {
            format!(
                r#""executor_placement_type": "CustomExecutorToHostMapping", "executor_placement": {{"mapping": {mapping}}}"#
            )
        };
        let runs = |wish: Wish| matches!(wish, Wish::Execute { .. });
        assert!(runs(execute("0-1", spread, "")));
        assert!(runs(execute("37 51", &mapped("[1, 0]"), "")));
        assert!(!runs(execute("13 17", &mapped("[0, 0, 0, 0]"), "")));
        assert!(!runs(execute("0-3 19", spread, r#"{"storage_name": "pfs", "host_id": 19}"#)));
    }
}
