//! Counts the readings under which conclusions hold.

use std::cmp::Ordering;

use batchlab::experiment::Section;
use batchlab::report::Multiverse;
use batchlab::report::tables::Names;
use batchlab::study::Study;
use batchlab::study::multiverse::{Conclusion, conclusions};
use batchlab::table::{Style, writer};
use batchlab_traces::located::LocatedToml;

use super::{READING, frame};

#[test]
fn the_first_reading_concludes_and_the_others_agree_or_not() {
    let frame = frame();
    let study = Study::new(&frame);
    let all = conclusions(&study, READING);
    // Three workloads, two loads, two policies, two measures.
    assert_eq!(all.len(), 24);
    let of = |workload: usize, policy: usize, measure: usize| {
        let is_it = |of: &&Conclusion| {
            (of.design_point.workload, of.policy, of.measure) == (workload, policy, measure)
        };
        all.iter().find(is_it).unwrap()
    };
    let sjf = of(0, 1, 0);
    assert_eq!((sjf.direction(0), sjf.direction(2)), (Some(Ordering::Less), Some(Ordering::Greater)));
    assert_eq!((sjf.survives(), sjf.shown()), (2, Some(2)));
    let fcfs = of(0, 2, 0);
    assert_eq!((fcfs.survives(), fcfs.shown()), (3, Some(3)));
    assert_eq!((of(1, 1, 0).survives(), of(1, 1, 0).shown()), (2, None));
    assert_eq!((of(0, 2, 1).direction(0), of(0, 2, 1).survives()), (None, 0));
}

#[test]
fn the_table_tells_readings_with_their_reasons() {
    let frame = frame();
    let text =
        "[[reading]]\nname = \"printed\"\nbecause = \"it is printed so\"\n[[reading]]\nname = \"meant\"\n";
    let sheet = LocatedToml::new(text, "e.toml");
    let parsed = sheet.parse().unwrap();
    let multiverse = Multiverse::read(&Section::whole(&sheet, &parsed), &Names::of(&frame)).unwrap().unwrap();
    assert_eq!(multiverse.parameter, READING);
    let table = multiverse.table(&Study::new(&frame)).unwrap();
    assert_eq!(table.conditions()[0], "reading = printed: it is printed so");
    let text = (writer("csv").unwrap().write)(&table, &Style::default());
    assert!(text.contains("log,0.9,SJF,mean_wait,less than EASY,2 of 3,2 of 3,loose\n"), "{text}");
    assert!(text.contains("once,0.7,FCFS,mean_wait,more than EASY,3 of 3,,\n"), "{text}");
}

#[test]
fn another_parameter_may_be_the_one() {
    let names = Names::of(&frame());
    let read = |text: &str| {
        let sheet = LocatedToml::new(text, "e.toml");
        let parsed = sheet.parse().unwrap();
        Multiverse::read(&Section::whole(&sheet, &parsed), &names).map_err(|error| error.to_string())
    };
    assert_eq!(read("[experiment]\nname = \"e\"\nmultiverse = \"load\"").unwrap().unwrap().parameter, 0);
    let error = read("[experiment]\nname = \"e\"\nmultiverse = \"laod\"").unwrap_err();
    assert!(error.starts_with("e.toml:3:14: multiverse: unknown `laod` (did you mean `load`?)"), "{error}");
}
