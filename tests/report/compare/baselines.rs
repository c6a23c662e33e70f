use batchlab::experiment::{Frame, FrameRow, Parameter, PolicyFacts, UnitKind};
use batchlab::report::tables::Names;
use batchlab::table::{Cell, Style, Table, writer};

use super::{made, notes_of, read};
use crate::lab::cases;

/// A frame of one workload with six replications and one metric: the values of the first three by policy and point, which the
/// others repeat.
fn hand_made(
    parameters: &[(&str, [&str; 2])],
    policies: &[&str],
    rows: &[(usize, &[usize], [f64; 3])],
) -> Frame {
    let mut frame = super::frame();
    frame.workloads.truncate(1);
    frame.workloads[0].units = UnitKind::Replications;
    frame.workloads[0].name = "LNL".into();
    frame.measures.truncate(1);
    let parameter = |(name, values): &(&str, [&str; 2])| Parameter {
        name: (*name).into(),
        values: values.map(String::from).to_vec(),
    };
    frame.parameters = parameters.iter().map(parameter).collect();
    let policy = |label: &&str| PolicyFacts { label: (*label).into(), spec: label.to_lowercase() };
    frame.policies = policies.iter().map(policy).collect();
    let row = |&(policy, point, values): &(usize, &[usize], [f64; 3])| {
        [0, 1, 2, 3, 4, 5].map(|unit: u32| FrameRow {
            workload: 0,
            point: point.to_vec(),
            policy,
            unit: Some(unit),
            values: vec![Some(values[unit as usize % 3])],
            ..frame.rows[0].clone()
        })
    };
    let mut rows: Vec<FrameRow> = rows.iter().flat_map(row).collect();
    rows.sort_by_key(|row| (row.point.clone(), row.policy, row.unit));
    frame.rows = rows;
    frame
}

/// Two policies, memories M of 128 and 256 MB, and P of 768 and 896 processors.
///
/// The ratios of 128 to 256 MB are 1, 2 and 4 for D at 768 processors, a half of that for B, the inverses at 896.
fn setia() -> Frame {
    hand_made(
        &[("M", ["128", "256"]), ("P", ["768", "896"])],
        &["D", "B"],
        &[
            (0, &[0, 0], [10.0, 40.0, 120.0]),
            (0, &[1, 0], [10.0, 20.0, 30.0]),
            (1, &[0, 0], [5.0, 20.0, 60.0]),
            (1, &[1, 0], [10.0, 20.0, 30.0]),
            (0, &[0, 1], [10.0, 10.0, 7.5]),
            (0, &[1, 1], [10.0, 20.0, 30.0]),
            (1, &[0, 1], [20.0, 20.0, 15.0]),
            (1, &[1, 1], [10.0, 20.0, 30.0]),
        ],
    )
}

/// Three policies: the ratios of BGS to GS are 1, 2 and 4, those of MGS to GS 1, 1/2 and 1/4.
fn zhang() -> Frame {
    let rows: [(usize, &[usize], [f64; 3]); 3] =
        [(0, &[], [1.0, 2.0, 4.0]), (1, &[], [1.0, 4.0, 16.0]), (2, &[], [1.0, 1.0, 1.0])];
    hand_made(&[], &["GS", "BGS", "MGS"], &rows)
}

fn cells(table: &Table) -> Vec<Vec<String>> {
    let word = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => format!("{number:.3}"),
        Cell::Interval(low, high) => format!("{low:.3} to {high:.3}"),
        Cell::Empty => "-".into(),
    };
    table.rows.iter().map(|row| row.cells.iter().map(word).collect()).collect()
}

fn headings(table: &Table) -> Vec<String> {
    let words = |column: &batchlab::table::TableColumn| {
        column
            .groups
            .iter()
            .map(String::as_str)
            .chain([column.heading.as_str()])
            .collect::<Vec<_>>()
            .join(" / ")
    };
    table.columns.iter().map(words).collect()
}

#[test]
fn values_of_a_parameter_are_compared_by_policy_and_point() {
    let keys = "name = \"t\"\nrows = [\"P\"]\ncolumns = [\"policy\"]\nmetrics = [\"mean_wait\"]\nwhere = { M = 128 }\n\
                ratio_to = { M = 256 }\n";
    let table = made(&format!("{keys}cells = [\"ratio\", \"p\"]"), &setia());
    assert_eq!(headings(&table), ["P", "D / ratio", "D / p", "B / ratio", "B / p"]);
    // Logarithms of 1, 2, 4, 1, 2, 4 have the mean ln 2 and the deviation ln 2 · √(4/5): t = √7.5 at five degrees of freedom,
    // p = 0.0409. Two policies are compared at a P: twice that. The logarithms of the ratios of B have the mean 0: p = 1.
    assert_eq!(
        cells(&table),
        [["768", "2.000", "0.082", "1.000", "1.000"], ["896", "0.500", "0.082", "1.000", "1.000"]]
    );
    // Student's t at the level of 97.5 % and five degrees of freedom is 3.1634: 2^(1 ± 3.1634 · √(4/5)/√6).
    let valued = made(&format!("{keys}cells = [\"value\", \"ratio\"]"), &setia());
    assert!(
        notes_of(&valued)
            .contains(&"D, mean wait (s): LNL, M 256, P 768: 20; LNL, M 256, P 896: 20".to_owned()),
        "{:?}",
        notes_of(&valued)
    );
    let intervals = made(keys, &setia());
    assert_eq!(cells(&intervals)[0][1..3], ["2.000", "0.898 to 4.454"]);
    let caption = table.conditions().join("\n");
    assert!(
        caption.contains(
            "compared with M 256 under the same policy, all else being equal, paired by unit: the same unit has the same \
             seed, and the same jobs unless they depend on M"
        ),
        "{caption}"
    );
    let family = "those of one metric at one workload and point of the other parameters (2 tests each)";
    assert!(caption.contains(family), "{caption}");
    // What the ratios are to: the mean of 10, 20 and 30.
    let of_baseline = "D, mean wait (s): LNL, M 256, P 768: 20; LNL, M 256, P 896: 20".to_owned();
    assert!(notes_of(&table).contains(&of_baseline), "{:?}", notes_of(&table));
    assert!(table.facts.contains(&("baseline".into(), Cell::Text("M 256".into()))));
}

#[test]
fn the_value_itself_is_compared_with_nothing() {
    let table = made(
        "name = \"t\"\nmetrics = [\"mean_wait\"]\nwhere = { P = 768 }\npolicies = [\"D\"]\nratio_to = { M = 256 }\n\
         cells = [\"value\", \"ratio\"]",
        &setia(),
    );
    assert_eq!(cells(&table), [["128", "56.667", "2.000"], ["256", "20.000", "-"]]);
    // The row of 256 says what the ratio is to.
    assert!(!notes_of(&table).iter().any(|note| note.starts_with("D at")), "{:?}", notes_of(&table));
}

#[test]
fn several_baselines_stand_over_columns() {
    let table =
        made("name = \"t\"\nbaselines = [\"GS\", \"BGS\"]\ncells = [\"value\", \"ratio\", \"p\"]", &zhang());
    let of = |last: &str| format!("mean wait / {last}");
    let expected = ["policy".into(), of("value"), of("against GS / ratio"), of("against GS / p")]
        .into_iter()
        .chain([of("against BGS / ratio"), of("against BGS / p")])
        .collect::<Vec<String>>();
    assert_eq!(headings(&table), expected);
    // Each pair has t = √7.5 and p = 0.0409. BGS to GS and GS to BGS are one test: three in all, three times that.
    assert_eq!(
        cells(&table),
        [
            ["GS", "2.333", "-", "-", "0.500", "0.123"],
            ["BGS", "7.000", "2.000", "0.123", "-", "-"],
            ["MGS", "1.000", "0.500", "0.123", "0.250", "0.123"]
        ]
    );
    let caption = table.conditions().join("\n");
    assert!(caption.contains("compared with GS and BGS, paired by unit"), "{caption}");
    assert!(caption.contains("3 tests"), "{caption}");
    assert!(table.paper.caption.contains("omparisons are with GS and BGS"), "{}", table.paper.caption);
}

#[test]
fn several_baselines_stand_over_rows() {
    let keys = "name = \"t\"\nrows = [\"baseline\", \"policy\"]\nbaselines = [\"GS\", \"BGS\"]\npolicies = [\"BGS\", \"MGS\"]\n\
                cells = [\"ratio\"]";
    let table = made(keys, &zhang());
    assert_eq!(headings(&table)[..2], ["baseline", "policy"]);
    assert_eq!(
        cells(&table),
        [["GS", "BGS", "2.000"], ["GS", "MGS", "0.500"], ["BGS", "BGS", "-"], ["BGS", "MGS", "0.250"]]
    );
    assert_eq!(notes_of(&table)[..2], ["GS, mean wait (s): LNL: 2.3", "BGS, mean wait (s): LNL: 7"]);
}

/// Three units have an interval and no test: two policies are compared at a P, each at 97.5 %.
#[test]
fn intervals_of_few_units_hold_together_too() {
    let mut frame = setia();
    frame.rows.retain(|row| row.unit < Some(3));
    let keys =
        "name = \"t\"\nrows = [\"P\"]\ncolumns = [\"policy\"]\nwhere = { M = 128 }\nratio_to = { M = 256 }\n";
    let table = made(keys, &frame);
    // The logarithms have the mean and the deviation ln 2; Student's t at two degrees of freedom is 6.2053: 2^(1 ± 6.2053/√3).
    assert_eq!(cells(&table)[0][1..3], ["2.000", "0.167 to 23.962"]);
    let caption = table.conditions().join("\n");
    assert!(caption.contains("(Student t on logarithms) hold together at 95 %, each at 97.5 %"), "{caption}");
}

#[test]
fn every_form_names_the_baselines() {
    let frame = zhang();
    let names = Names::of(&frame);
    let keys = "name = \"t\"\nbaselines = [\"GS\", \"BGS\"]\ncells = [\"value\", \"ratio\"]";
    let written = |table: &Table, form: &str| (writer(form).unwrap().write)(table, &Style::default());
    let table = made(keys, &frame);
    for form in ["table", "markdown", "latex", "html"] {
        let text = written(&table, form);
        // In LaTeX the conditions of all tables are a file of their own, and the caption says it.
        let compared =
            if form == "latex" { "comparisons are with GS and BGS" } else { "compared with GS and BGS" };
        for words in ["against GS", "against BGS", compared] {
            assert!(text.contains(words), "{form} lacks {words}:\n{text}");
        }
    }
    let spec = read(keys, &names).unwrap().for_programs(&names);
    let table = batchlab::report::tables::table(&spec, &batchlab::study::Study::new(&frame));
    let csv = written(&table, "csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("workload,class,policy,baseline,metric,value,"), "{csv}");
    assert_eq!(rows.len(), 1 + 3 * 2, "{csv}");
    assert!(csv.contains("LNL,all,MGS,BGS,mean_wait,1,"), "{csv}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_its_key() {
    let refused =
        |keys: &str, frame: &Frame| read(&format!("name = \"t\"\n{keys}"), &Names::of(frame)).unwrap_err();
    for (keys, error) in cases("baselines") {
        let told = refused(keys, &setia());
        assert!(told.contains(error), "{keys}: {told}");
    }
    let mut none = zhang();
    none.baseline = None;
    let told = refused("rows = [\"policy\", \"baseline\"]", &none);
    assert!(told.contains("nothing to show: the experiment has no baseline"), "{told}");
}
