//! Tests of how the batch systems' readers handle odd records, one line or two at a time.

use batchlab_traces::{Field, Trace};

use crate::helpers::{column, read_as as read};
use crate::samples::findings;

fn value(trace: &Trace, field: Field) -> String {
    trace.get(0, field).to_string()
}

/// An E record of a job submitted, started and ended 1, 2 and 3 thousand seconds after a round instant.
fn pbs(more: &str) -> Trace {
    let text = format!(
        "09/13/2020 13:16:40;E;5.pbs;user=ann queue=q jobname=x ctime=1600001000 start=1600002000 end=1600003000 {more}\n"
    );
    read("pbs", text)
}

#[test]
fn pbs_exit_codes_are_completed_failed_or_cancelled() {
    for (code, limit, status, found) in [
        ("0", "01:00:00", "1", ""),
        ("1", "01:00:00", "0", ""),
        ("-11", "01:00:00", "0", ""),
        ("-3", "01:00:00", "0", ""),
        ("271", "01:00:00", "5", "pbs-terminated"),
        ("271", "00:16:40", "0", ""),
        ("265", "01:00:00", "5", "pbs-terminated"),
        ("x", "01:00:00", "-1", "pbs-bad-value"),
    ] {
        let trace = pbs(&format!("Exit_status={code} Resource_List.walltime={limit}"));
        assert_eq!((value(&trace, Field::Status), findings(&trace)), (status.into(), found.into()), "{code}");
    }
}

#[test]
fn pbs_requests_of_one_kind_go_before_those_of_another() {
    for (request, procs) in [
        ("Resource_List.ncpus=1 Resource_List.nodes=2:ppn=4", "8"),
        ("Resource_List.nodes=1 Resource_List.select=3:ncpus=2", "6"),
        ("Resource_List.ncpus=12 Resource_List.nodect=2", "12"),
        ("Resource_List.procs=5 Resource_List.nodect=1", "5"),
        ("Resource_List.nodect=2", "2"),
        ("", "-1"),
    ] {
        assert_eq!(value(&pbs(request), Field::Requested), procs, "{request}");
    }
}

#[test]
fn pbs_places_tell_what_was_given() {
    for (places, procs) in [
        ("exec_host=n1/0+n1/1", "2"),
        ("exec_host=n1/0*0 exec_vnode=(n1:ncpus=24)", "24"),
        ("exec_host=n1/0*0 resources_used.ncpus=7", "7"),
        ("resources_used.ncpus=7", "7"),
    ] {
        assert_eq!(value(&pbs(places), Field::Allocated), procs, "{places}");
    }
}

#[test]
fn pbs_jobs_that_never_started_have_no_run_time_and_each_run_of_requeued_ones_is_a_record() {
    let requeued = "01/01/2020 00:00:00;S;1.s;ctime=1577836800 start=1577836800\n\
                    01/01/2020 00:01:00;R;1.s;\n\
                    01/01/2020 00:02:00;S;1.s;ctime=1577836800 start=1577836920\n\
                    01/01/2020 00:03:00;E;1.s;ctime=1577836800 start=1577836920 end=1577836980\n";
    let trace = read("pbs", requeued);
    // Two runs of 60 s; the second one could not start before the first had ended.
    assert_eq!(column(&trace, Field::Wait), [0, 120]);
    assert_eq!(column(&trace, Field::Run), [60, 60]);
    assert_eq!(column(&trace, Field::Status), [0, -1]);
    let extra = |name: &str| trace.resource(name).map(|column| [column.whole(0), column.whole(1)]);
    assert_eq!((extra("id"), extra("eligible")), (Some([1, 1]), Some([-1, 60])));
    assert_eq!(findings(&trace), "pbs-requeued job-held zone-assumed archive-numbered");
    let lost = requeued.replace(";R;", ";C;");
    let trace = read("pbs", lost);
    assert_eq!((trace.len(), value(&trace, Field::Wait)), (1, "120".into()));
    assert_eq!(findings(&trace), "pbs-other-record pbs-run-lost");
    let back = "01/01/2020 00:00:00;S;1.s;ctime=1577836800 start=1577836800 exec_host=n1/0\n01/01/2020 00:01:00;R;1.s;\n";
    let trace = read("pbs", back);
    assert_eq!(column(&trace, Field::Wait), [0, -1]);
    assert_eq!(column(&trace, Field::Run), [60, -1]);
    assert_eq!(column(&trace, Field::Allocated), [1, -1]);
    assert_eq!(findings(&trace), "pbs-requeued job-held zone-assumed job-unfinished archive-numbered");
    // The server ended it, and no E record follows.
    let aborted = "01/01/2020 00:00:00;S;1.s;ctime=1577836800 start=1577836800\n01/01/2020 00:01:00;A;1.s;\n";
    let trace = read("pbs", aborted);
    assert_eq!((value(&trace, Field::Run), value(&trace, Field::Status)), ("60".into(), "5".into()));
}

#[test]
fn a_deletion_after_the_end_is_no_job() {
    let text = "01/01/2020 00:03:00;E;1.s;ctime=1577836800 start=1577836920 end=1577836980\n\
                01/01/2020 00:04:00;D;1.s;requestor=ann\n01/01/2020 00:05:00;D;2.s;requestor=ann\n";
    let trace = read("pbs", text);
    assert_eq!(trace.len(), 2);
    assert_eq!(findings(&trace), "pbs-other-record pbs-never-started archive-submit-from-end");
}

#[test]
fn the_clock_of_a_pbs_server_is_derived_from_its_own_epochs() {
    // Local time is two hours ahead of UTC; the Q record has no epoch.
    let text = "07/01/2020 02:00:00;Q;2.s;queue=q\n\
                07/01/2020 03:00:01;E;1.s;ctime=1593561600 start=1593561600 end=1593565200\n";
    let trace = read("pbs", text);
    assert_eq!(trace.header.unix_start_time, Some(1_593_561_600));
    assert_eq!(column(&trace, Field::Submit), [0, 0]);
    assert_eq!(findings(&trace), "archive-one-name job-unfinished");
    let alone = read("pbs", "07/01/2020 02:00:00;Q;2.s;queue=q\n");
    assert_eq!(findings(&alone), "zone-assumed job-unfinished");
}

/// A `JOB_FINISH` event with the given lists and no fields after the usage.
fn lsf(lists: &str, status: &str) -> String {
    format!(
        "\"JOB_FINISH\" \"9.1\" 1600003000 7 1 2 8 1600001000 0 0 1600002000 \"ann\" \"q\" \"\" \"\" \"\" \"h\" \"/\" \"\" \
         \"\" \"\" \"f\" {lists} {status} 1.0 \"x\" \"./x\" 80.5 -1 0\n"
    )
}

#[test]
fn lsf_lists_are_counted_and_broken_ones_reported() {
    for (lists, allocated, found) in [
        ("0 2 \"4*a\" \"4*b\"", "8", ""),
        ("0 3 \"a\" \"a\" \"b\"", "3", "archive-size-differs"),
        ("2 \"a\" \"b\" 1 \"8*a\"", "8", ""),
        ("1 \"8*a\"", "8", ""),
        ("0 99 \"a\"", "-1", "lsf-broken-event"),
        ("-1 0", "-1", "lsf-broken-event"),
        ("0 1 \"x*a\"", "-1", "lsf-bad-value"),
    ] {
        let trace = read("lsf", lsf(lists, "64"));
        let seen = (value(&trace, Field::Allocated), findings(&trace));
        assert_eq!(seen, (allocated.into(), found.into()), "{lists}");
        assert_eq!([value(&trace, Field::Wait), value(&trace, Field::Run)], ["1000", "1000"], "{lists}");
    }
    assert_eq!(value(&read("lsf", lsf("0 1 \"8*a\"", "64")), Field::Cpu), "10.0625");
}

#[test]
fn a_quote_that_is_not_closed_spoils_one_event() {
    let whole = lsf("0 1 \"8*a\"", "64");
    let open = whole.replace("\"./x\"", "\"./x");
    let next = whole.replace(" 7 1 2 8 ", " 8 1 2 8 ");
    let trace = read("lsf", format!("{open}and so on\n{next}"));
    assert_eq!(trace.len(), 2);
    assert_eq!(findings(&trace), "lsf-open-quote lsf-dropped-line archive-one-name*3");
}

fn sge(failed: &str, exit: &str, times: &str, category: &str) -> Trace {
    let usage = "60:1.0:0.0:1.0:0:0:0:0:1:0:0:0.0:24:0:0:0:41:549";
    let line = format!(
        "q:h:g:o:x:7:sge:0:{times}:{failed}:{exit}:{usage}:NONE:D:mpi:4:0:60.0:7.3:0.0:{category}:0.0:NONE:4096.0:0:0\n"
    );
    read("sge", line)
}

const TIMES: &str = "1600001000:1600002000:1600003000";

#[test]
fn grid_engine_codes_are_completed_failed_or_cancelled() {
    for (failed, exit, category, status, found) in [
        ("0", "0", "-l h_rt=3600", "1", ""),
        ("0", "3", "-l h_rt=3600", "0", ""),
        ("14", "0", "-l h_rt=3600", "1", ""),
        ("100", "137", "-l h_rt=3600", "5", "sge-killed"),
        ("100", "137", "-l h_rt=1000", "0", ""),
        ("100", "137", "NONE", "0", ""),
        ("37", "0", "-l h_rt=1000", "0", ""),
        ("25", "0", "NONE", "0", "sge-rescheduled"),
        ("x", "0", "NONE", "-1", "sge-bad-value"),
    ] {
        let trace = sge(failed, exit, TIMES, category);
        let seen = (value(&trace, Field::Status), findings(&trace));
        assert_eq!(seen, (status.into(), found.into()), "{failed} {exit} {category}");
    }
}

#[test]
fn grid_engine_times_may_be_of_three_units() {
    for times in [
        TIMES.to_owned(),
        "1600001000000:1600002000000:1600003000000".into(),
        "1600001000000000:1600002000000000:1600003000000000".into(),
    ] {
        let trace = sge("0", "0", &times, "NONE");
        assert_eq!([value(&trace, Field::Wait), value(&trace, Field::Run)], ["1000", "1000"]);
        assert_eq!(trace.header.unix_start_time, Some(1_600_001_000));
    }
}

#[test]
fn a_spoilt_field_of_grid_engine_does_not_move_the_others() {
    let trace = sge("0", "0", "1600001000:x:1600003000", "NONE");
    assert_eq!(findings(&trace), "sge-bad-value archive-run-from-submit");
    assert_eq!([value(&trace, Field::Job), value(&trace, Field::Allocated)], ["7", "4"]);
}

#[test]
fn grid_engine_requests_are_read_with_their_colons() {
    let trace = sge("0", "0", TIMES, "-l h_rt=1:00:00,h_vmem=1M -pe mpi 2-8");
    assert_eq!(
        [Field::RequestedTime, Field::RequestedMemory].map(|field| value(&trace, field)),
        ["3600", "1024"]
    );
    assert_eq!(trace.resource("memory").map(|memory| memory.whole(0)), Some(4096));
    assert_eq!(value(&trace, Field::Requested), "4");
    assert_eq!(findings(&trace), "sge-colons sge-memory-per-slot");
}
