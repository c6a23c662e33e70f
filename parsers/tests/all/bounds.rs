//! Tests that endless or oversized input takes bounded memory and gives a finding.

use batchlab_traces::{Field, Trace};

use crate::helpers::{column, read_as as read};

fn detail(trace: &Trace, code: &str) -> String {
    let finding = trace.findings.list().iter().find(|finding| finding.kind.code == code);
    finding.map_or_else(|| panic!("no {code}"), |finding| finding.examples[0].detail.clone())
}

/// A job of `sacct --json` with `more` among its keys.
fn job(number: u32, more: &str) -> String {
    format!(
        r#"{{"job_id":{number},{more}"user":"ann","association":{{}},"state":{{"current":["COMPLETED"]}},
        "time":{{"submission":1704067200,"start":1704067210,"end":1704067310,"elapsed":100}}}}"#
    )
}

#[test]
fn a_token_without_end_ends_the_reading_of_json_with_the_jobs_before() {
    let endless = "x".repeat(17 << 20);
    for (what, more) in [
        ("16 MiB", format!(r#""name":"{endless}"#)),
        ("16 MiB", format!(r#""{endless}"#)),
        ("16 MiB", format!(r#""nodes":{}"#, endless.replace('x', "1"))),
    ] {
        let text = format!(r#"{{"jobs":[{}, {{"job_id":2,{more}"#, job(1, ""));
        let trace = read("sacct-json", text);
        assert_eq!((trace.len(), trace.findings.count("slurm-json-torn")), (1, 1));
        let told = detail(&trace, "slurm-json-torn");
        assert!(told.contains(what), "{told}");
        // The digest covers the whole log.
        assert_eq!(trace.provenance.source.sha256.len(), 64);
    }
    let nested = format!(r#"{{"jobs":[{}],"meta":{}"#, job(1, ""), "[".repeat(2000));
    let told = detail(&read("sacct-json", nested), "slurm-json-torn");
    assert!(told.contains("1,000 brackets"), "{told}");
}

#[test]
fn content_after_64_mib_of_a_job_in_json_is_unknown_and_the_next_job_is_complete() {
    let flags = format!(r#""flags":[{}0],"#, "0,".repeat(2 << 20));
    let trace = read("sacct-json", format!(r#"{{"jobs":[{}, {}]}}"#, job(1, &flags), job(2, "")));
    assert_eq!((trace.len(), trace.findings.count("slurm-json-long-job")), (2, 1));
    let users = column(&trace, Field::User);
    assert!(users.contains(&-1) && users.contains(&1), "{users:?}");
}

#[test]
fn the_steps_of_a_job_take_the_memory_of_one() {
    let step =
        r#"{"tres":{"requested":{"total":[{"type":"mem","count":1048576}]}},"time":{"total":{"seconds":2}}}"#;
    // About 300 MB if all steps were kept.
    let steps = vec![step; 100_000].join(",");
    let more = format!(
        r#""steps":[{steps}],"required":{{"CPUs":1}},"tres":{{"allocated":[{{"type":"cpu","count":1}}]}},"#
    );
    let trace = read("sacct-json", format!(r#"{{"jobs":[{}]}}"#, job(1, &more)));
    assert_eq!(trace.findings.count("slurm-json-long-job"), 0);
    assert_eq!((column(&trace, Field::Cpu), column(&trace, Field::UsedMemory)), (vec![200_000], vec![1024]));
}

#[test]
fn comments_of_swf_are_kept_up_to_16_mib() {
    let notes = |bytes: usize| format!("; Note: {}\n", "x".repeat(992)).repeat(bytes / 1000);
    let job = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n";
    for text in
        [notes(20 << 20) + job, job.to_owned() + &notes(20 << 20), notes(9 << 20) + job + &notes(9 << 20)]
    {
        let trace = read("swf", text);
        let header = &trace.header;
        let later = header.later_comments.iter().map(|(_, line)| line);
        let kept: usize = header.lines.iter().chain(later).map(String::len).sum();
        assert!((15 << 20..16 << 20).contains(&kept), "{kept}");
        assert!(trace.len() == 1 && trace.findings.count("swf-many-comments") > 0);
    }
}

#[test]
fn a_header_declares_at_most_256_columns() {
    let declared = (1..=300).fold(String::new(), |text, at| text + &format!("; Resource: {at} r{at}\n"));
    let trace = read("swf", declared + "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n");
    assert_eq!((trace.header.resources.len(), trace.findings.count("swf-header-value")), (256, 44));
}

#[test]
fn resources_with_a_name_for_each_job_make_at_most_256_columns() {
    let row = |job: u32| format!("{job}|1704067200|1704067210|1704067310|COMPLETED|1|license/l{job}=1\n");
    let heading = "JobIDRaw|Submit|Start|End|State|AllocCPUS|ReqTRES\n".to_owned();
    let trace = read("sacct", (1..=300).fold(heading, |text, job| text + &row(job)));
    assert_eq!((trace.len(), trace.header.resources.len()), (300, 256));
    assert_eq!(trace.findings.count("archive-many-columns"), 44);
}
