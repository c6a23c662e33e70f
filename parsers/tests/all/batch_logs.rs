//! Tests on genuine accounting logs of batch systems, if they are present.

use batchlab_parsers::{Input, Options, read_trace};
use batchlab_traces::{Field, Trace};

use crate::every_format::rows;
use crate::helpers::{column, read_shared};
use crate::samples::findings;

fn read(name: &str) -> Option<Trace> {
    read_shared(&format!("logs/{name}"))
}

#[test]
fn pbs_records_of_three_servers_and_eleven_years() {
    let Some(trace) = read("pbs/xdmod-accounting-logs.log") else { return };
    assert_eq!(trace.provenance.source.format, "pbs");
    let found = "archive-zero-unknown*3 archive-repeated pbs-walltime-differs*3 archive-size-differs \
                 archive-run-above-request archive-run-far-above-request";
    assert_eq!(findings(&trace), found);
    // The last column says that a job has no time limit.
    let expected = [
        // The file contains it twice.
        "6 0 99 2197 32 -1 476.25 32 14400 -1 1 1 1 1 1 -1 -1 -1 4 8 -1 -1 -1 -1 -1",
        "6464684 154154832 10085 9350 4 9249 41966 4 86400 510208 0 2 2 2 2 -1 -1 -1 1 4 2040832 1 -1 -1 -1",
        "2994 192331373 9984 156 65 -1 10.215384 65 163 -1 1 2 2 2 3 -1 -1 -1 5 13 -1 -1 1 -1 -1",
        "2995 192331373 9984 156 12 -1 55.333333 12 163 -1 1 2 2 2 4 -1 -1 -1 2 -1 -1 -1 -1 -1 -1",
        "7904 224026499 1 8407 -1 -1 -1 28 345600 -1 0 3 3 3 5 -1 -1 -1 1 28 -1 -1 -1 1 -1",
        "10711 326487723 133706 100000 28 -1 448.75 24 -1 5242880 1 3 3 4 6 -1 -1 -1 1 24 125829120 -1 -1 4 1",
        "10712 326487733 133706 100000 28 -1 -1 28 345600 -1 1 3 3 5 6 -1 -1 -1 1 28 -1 -1 -1 2 -1",
        "3073070 345867036 6 36072 48 254.020833 273859.083333 48 36000 3958336 0 4 4 6 5 -1 -1 -1 1 48 190000128 -1 -1 4 -1",
    ];
    assert_eq!(rows(&trace), expected);
}

#[test]
fn lsf_events_with_compressed_and_plain_lists_of_hosts() {
    let Some(trace) = read("lsf/xdmod-accounting-logs.log") else { return };
    assert_eq!(trace.provenance.source.format, "lsf");
    assert_eq!(
        findings(&trace),
        "archive-cpu-above-run*2 archive-contradicted archive-size-differs archive-one-name*4 archive-numbered"
    );
    let expected = [
        "404717 0 453 40368 128 45269.713203 83792 128 43200 -1 1 1 1 1 1 -1 -1 -1 8 1 404717",
        "404718 0 453 40368 8 724315.41125 1340672 128 43200 -1 1 1 1 1 1 -1 -1 -1 4 1 404717",
    ];
    assert_eq!(rows(&trace), expected);
}

#[test]
fn lsf_names_may_be_of_any_letters() {
    let Some(trace) = read("lsf/xdmod-utf8-multibyte-chars.log") else { return };
    assert_eq!(findings(&trace), "archive-cpu-above-run");
    let expected = ["404717 0 453 40368 128 45269.713203 83792 128 43200 -1 1 1 1 1 1 -1 -1 -1 8 1"];
    assert_eq!(rows(&trace), expected);
}

#[test]
fn grid_engine_records_of_one_slot() {
    let Some(trace) = read("sge/xdmod-accounting-logs.log") else { return };
    assert_eq!(trace.provenance.source.format, "sge");
    let found = "archive-cpu-above-run*2 sge-memory-per-slot archive-repeated archive-one-name*4";
    assert_eq!(findings(&trace), found);
    let expected = [
        // The file contains it twice, once without its memory.
        "22947 0 333733 60 1 60.13 184720 1 36000 1073741824 1 1 1 1 1 -1 -1 -1 1073741824",
    ];
    assert_eq!(rows(&trace), expected);
}

#[test]
fn univa_records_in_milliseconds() {
    let Some(trace) = read("uge/xdmod-accounting-logs.log") else { return };
    assert_eq!(trace.provenance.source.format, "uge");
    assert_eq!(findings(&trace), "sge-milliseconds*2 archive-cpu-above-run sge-memory-per-slot");
    let expected = [
        "22947 0 333733 60 1 60.13 184720 1 36000 -1 1 1 1 1 1 -1 -1 -1 -1 -1",
        "4437956 341350000.288 1.587 12837.318 16 12424.397 40778 16 -1 1048576 1 2 2 2 2 -1 -1 -1 16777216 1",
    ];
    assert_eq!(rows(&trace), expected);
}

#[test]
fn a_run_that_only_an_r_record_of_pbs_tells_is_a_record() {
    let job = "user=ann group=users jobname=r queue=workq ctime=1740996180 Resource_List.ncpus=1 Resource_List.walltime=01:00:00";
    let queued = "03/03/2025 10:03:00;Q;105.pbs;queue=workq\n";
    let started = format!("03/03/2025 10:06:40;S;105.pbs;{job} start=1740996400\n");
    let back =
        format!("03/03/2025 10:17:00;R;105.pbs;{job} start=1740996400 end=1740997020 Exit_status=-16\n");
    let again = format!("03/03/2025 10:17:10;S;105.pbs;{job} start=1740997030\n");
    let ended =
        format!("03/03/2025 10:37:00;E;105.pbs;{job} start=1740997030 end=1740998220 Exit_status=0\n");
    for log in [
        [queued, &started, &back, &again, &ended].concat(),
        [queued, &back, &ended].concat(),
        // The same record twice is one run.
        [queued, &back, &back, &ended].concat(),
    ] {
        let trace = read_trace(Input::from_bytes("pbs.log", log.clone()), &Options::default()).unwrap();
        assert_eq!(column(&trace, Field::Run), [620, 1190], "{log}");
        assert_eq!(column(&trace, Field::Status), [0, 1], "{log}");
    }
    // A record R of a job that never ran states no run.
    let never = [queued, "03/03/2025 10:17:00;R;105.pbs;queue=workq\n", &ended].concat();
    let trace = read_trace(Input::from_bytes("pbs.log", never), &Options::default()).unwrap();
    assert_eq!(trace.len(), 1);
}
