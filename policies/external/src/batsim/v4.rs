//! Messages of version 4: `{"now": 5.0, "events": [{"timestamp": 5.0, "type": "EXECUTE_JOB", "data": {…}}]}`.

use batchlab_traces::Time;
use serde_json::{Map, Value, json};

use super::hosts::HostSet;
use super::news::{BatsimJob, Completion, News, Wish, attributes, needs};
use super::values::{Data, Dialect, Envelope, Event, host_count, seconds};

pub const DIALECT: Dialect =
    Dialect { envelope: Envelope { kind: "type", data: "data", end: b"" }, told, heard, said, wish };

/// The name of a workload whose jobs have no others.
const WORKLOAD: &str = "w0";

/// The profile of jobs whose run times are not forwarded.
const DELAY: &str = "delay";

fn told(at: Time, news: &News) -> Event {
    let (kind, data) = match news {
        News::Begins { hosts, registers, profiles } => {
            ("SIMULATION_BEGINS", begins(*hosts, *registers, *profiles))
        }
        News::Ends => ("SIMULATION_ENDS", json!({})),
        News::Submitted(job) => ("JOB_SUBMITTED", submitted(at, job)),
        News::Completed { id, how, hosts } => (
            "JOB_COMPLETED",
            json!({ "job_id": id, "job_state": how.name(), "return_code": 0, "alloc": hosts.to_string() }),
        ),
        News::Killed { ids, progress } => {
            let part =
                |(id, part): &(String, f64)| (id.clone(), json!({ "profile": DELAY, "progress": part }));
            let progress: Map<String, Value> = progress.iter().map(part).collect();
            ("JOB_KILLED", json!({ "job_ids": ids, "job_progress": progress }))
        }
        News::Called { .. } => ("REQUESTED_CALL", json!({})),
        News::AllSubmitted => ("NOTIFY", json!({ "type": "no_more_static_job_to_submit" })),
        News::Hosts { hosts, available } => {
            let kind = if *available { "event_machine_available" } else { "event_machine_unavailable" };
            ("NOTIFY", json!({ "type": kind, "resources": hosts.to_string() }))
        }
        News::Other(name) => ("NOTIFY", json!({ "type": name })),
    };
    (at, kind, data)
}

fn begins(hosts: u32, registers: bool, profiles: bool) -> Value {
    let host = |id: u32| {
        json!({ "id": id, "name": format!("host{id}"), "state": "idle", "properties": { "role": "" },
                "zone_properties": {} })
    };
    json!({
        "nb_resources": hosts,
        "nb_compute_resources": hosts,
        "nb_storage_resources": 0,
        "allow_compute_sharing": false,
        "allow_storage_sharing": true,
        "config": {
            "redis-enabled": false,
            "redis-hostname": "127.0.0.1",
            "redis-port": 6379,
            "redis-prefix": "default",
            "profiles-forwarded-on-submission": profiles,
            "dynamic-jobs-enabled": registers,
            "dynamic-jobs-acknowledged": false,
            "profile-reuse-enabled": false,
            "sched-config": "",
            "forward-unknown-events": false,
        },
        "compute_resources": (0..hosts).map(host).collect::<Vec<Value>>(),
        "storage_resources": [],
        "workloads": { WORKLOAD: "" },
        "profiles": { WORKLOAD: {} },
    })
}

fn submitted(at: Time, job: &BatsimJob) -> Value {
    let name = |id: &str| id.split_once('!').map_or(id, |(_, name)| name).to_owned();
    let profile = if job.delay.is_some() { name(&job.id) } else { DELAY.into() };
    let mut described = json!({ "id": job.id, "subtime": seconds(at), "res": job.hosts, "profile": profile });
    if let Some(walltime) = job.walltime {
        described["walltime"] = seconds(walltime);
    }
    job.add_attributes(&mut described);
    let mut data = json!({ "job_id": job.id, "job": described });
    if let Some(delay) = job.delay {
        data["profile"] = job.profile(delay);
    }
    data
}

fn heard(data: Data<'_>) -> Result<News, String> {
    Ok(match data.kind {
        "SIMULATION_BEGINS" => {
            let count = data.number("nb_compute_resources").or_else(|_| data.number("nb_resources"))?;
            let config = data.part("config");
            let registers = config.has("dynamic-jobs-enabled");
            let profiles = config.has("profiles-forwarded-on-submission");
            News::Begins { hosts: host_count(count)?, registers, profiles }
        }
        "SIMULATION_ENDS" => News::Ends,
        "JOB_SUBMITTED" => {
            let job = data.part("job");
            let profile = data.part("profile");
            let delay = if profile.text_or_none("type") == "delay" { profile.limit("delay")? } else { None };
            if !job.has("res") {
                return Err("a job has no `res`: Redis is not supported".into());
            }
            News::Submitted(BatsimJob {
                id: data.text("job_id")?.into(),
                hosts: job.hosts_wanted("res")?,
                walltime: job.limit("walltime")?,
                delay,
                attributes: attributes(job.value()),
                own: Map::new(),
            })
        }
        "JOB_COMPLETED" => News::Completed {
            id: data.text("job_id")?.into(),
            how: Completion::of(data.text_or_none("job_state")),
            hosts: data.hosts("alloc").unwrap_or_default(),
        },
        "JOB_KILLED" => News::Killed { ids: data.texts("job_ids")?, progress: Vec::new() },
        "REQUESTED_CALL" => News::Called { id: String::new(), is_last: false },
        "NOTIFY" => match data.text("type")? {
            "no_more_static_job_to_submit" => News::AllSubmitted,
            "event_machine_unavailable" => News::Hosts { hosts: data.hosts("resources")?, available: false },
            "event_machine_available" => News::Hosts { hosts: data.hosts("resources")?, available: true },
            other => News::Other(other.into()),
        },
        other => News::Other(other.into()),
    })
}

fn said(at: Time, wish: &Wish) -> Event {
    let (kind, data) = match wish {
        Wish::Execute { id, hosts } => ("EXECUTE_JOB", json!({ "job_id": id, "alloc": hosts.to_string() })),
        Wish::Reject(id) => ("REJECT_JOB", json!({ "job_id": id })),
        Wish::Kill(ids) => ("KILL_JOB", json!({ "job_ids": ids })),
        Wish::Call { at, .. } => ("CALL_ME_LATER", json!({ "timestamp": seconds(*at) })),
        Wish::CallEvery { period, .. } => ("CALL_ME_LATER", json!({ "timestamp": seconds(at + *period) })),
        Wish::Registered => ("NOTIFY", json!({ "type": "registration_finished" })),
        Wish::Describe { id, words } => ("SET_JOB_METADATA", json!({ "job_id": id, "metadata": words })),
        Wish::StopCalls(name) | Wish::Remark(name) | Wish::Beyond { name, .. } => {
            ("NOTIFY", json!({ "type": name }))
        }
    };
    (at, kind, data)
}

fn wish(data: Data<'_>) -> Result<Wish, String> {
    let beyond = |needs| Wish::Beyond { name: data.kind.to_owned(), needs };
    Ok(match data.kind {
        "EXECUTE_JOB" if data.has("storage_mapping") || data.has("additional_io_job") => {
            beyond(needs::STORAGE)
        }
        "EXECUTE_JOB" => {
            let hosts: HostSet = data.hosts("alloc")?;
            if data.has("mapping") && !data.is_one_each("mapping", hosts.count()) {
                return Ok(beyond(needs::EXECUTORS));
            }
            Wish::Execute { id: data.text("job_id")?.into(), hosts }
        }
        "REJECT_JOB" => Wish::Reject(data.text("job_id")?.into()),
        "KILL_JOB" => Wish::Kill(data.texts("job_ids")?),
        "CALL_ME_LATER" => Wish::Call { id: String::new(), at: data.time("timestamp")? },
        "NOTIFY" => match data.text("type")? {
            "registration_finished" => Wish::Registered,
            "continue_registration" => beyond(needs::JOBS),
            other => Wish::Remark(other.into()),
        },
        "SET_JOB_METADATA" => {
            Wish::Describe { id: data.text("job_id")?.into(), words: data.text("metadata")?.into() }
        }
        "CHANGE_JOB_STATE" => Wish::Remark(data.kind.into()),
        "REGISTER_JOB" | "REGISTER_PROFILE" => beyond(needs::JOBS),
        "SET_RESOURCE_STATE" | "QUERY" => beyond(needs::POWER),
        _ => beyond(needs::UNKNOWN),
    })
}
