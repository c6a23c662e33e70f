use batchlab::report::tables::{Form, Names, Published, compared};
use batchlab::study::Study;
use batchlab::table::{Style, TimeUnit, writer};

use super::frame;

const CSV: &str = "\
workload,policy,load,metric,value,low,high,source
KTH_SP2 & co,EASY,0.9,mean_wait,6000,5500,6500,\"A, 2001, table 3\"
KTH_SP2 & co,sjf #1|x,0.90,mean_wait,100,,,
100% <log>,$cons,0.9,utilization,0.8,,,
100% <log>,EASSY,0.9,mean_wait,1,,,
100% <log>,EASY,0.9,mean_wait,\"1,200\",,,
100% <log>,EASY,,mean_wait,1,,,
";

#[test]
fn published_numbers_stand_beside_measured_ones() {
    let frame = frame();
    let (published, findings) = Published::read(CSV, "p.csv", &Names::of(&frame)).unwrap();
    assert_eq!(published.rows.len(), 3);
    let findings: Vec<String> = findings.list().iter().map(ToString::to_string).collect();
    assert!(findings[0].contains("2 published numbers name nothing that was measured"), "{findings:?}");
    assert!(findings[0].contains("p.csv:5: unknown policy `EASSY` (did you mean `EASY`?)"), "{findings:?}");
    assert!(findings[0].contains("p.csv:7: it does not say which load; known are 0.7, 0.9"), "{findings:?}");
    assert!(findings[1].contains("p.csv:6: `1,200`"), "{findings:?}");
    let table = compared(&published, &Study::new(&frame), TimeUnit::Seconds, Form::Wide);
    let text = (writer("table").unwrap().write)(&table, &Style { width: 160, ..Style::default() });
    let expected = include_str!("golden/published.txt").replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(*text, *expected);
    let table = compared(&published, &Study::new(&frame), TimeUnit::Seconds, Form::Long);
    let csv = (writer("csv").unwrap().write)(&table, &Style::default());
    let expected = "\
workload,load,policy,metric,published,published_low,published_high,measured,measured_low,measured_high,difference,within,source
KTH_SP2 & co,0.9,EASY,mean_wait,6000,5500,6500,6350.896250000002,3810.813040433327,8890.979459566672,0.05848270833333369,\
yes,\"A, 2001, table 3\"
";
    assert!(csv.starts_with(expected), "{csv}");
}

#[test]
fn an_unknown_column_gets_a_list_of_the_known_ones() {
    let names = Names::of(&frame());
    let error = |text: &str| Published::read(text, "p.csv", &names).unwrap_err().to_string();
    let expected = "p.csv:1: unknown column `polcy` (did you mean `policy`?); known are workload, policy, metric, \
                    class, value, low, high, source, load";
    assert_eq!(error("workload,polcy,value\n"), expected);
    assert!(error("workload,policy\n").contains("the column `value` is missing"));
    assert!(error("").contains("is missing"));
}
