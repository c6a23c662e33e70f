//! What is asked for without end is refused before it is begun, with the bound.

use super::Folder;

/// Blocks without jobs are not units; the others have the jobs that were submitted in them.
#[test]
fn blocks_have_their_jobs() {
    let folder = Folder::new();
    let rows =
        [(0, -1, 10, 1, 10, 1), (5, -1, 10, 1, 10, 1), (100, -1, 10, 1, 10, 1), (250, -1, 10, 1, 10, 1)];
    folder.write("a.swf", &super::log(1, &rows));
    folder.write(
        "e.toml",
        "[experiment]\nname = \"e\"\n[measure]\nmetrics = [\"mean_wait\"]\n[[workload]]\ntrace = \"a.swf\"\nblocks = \"50s\"\n\
         [[policy]]\nspec = \"fcfs\"\n",
    );
    folder.run(&["run", "e.toml", "--out", "r", "-q"]).succeeded();
    let results = folder.read("r/results.csv");
    let mut reader = csv::Reader::from_reader(results.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (unit, wait) = (at("unit"), at("mean_wait"));
    let rows: Vec<(String, String)> = reader
        .records()
        .map(Result::unwrap)
        .map(|row| (row[unit].to_owned(), row[wait].to_owned()))
        .collect();
    // Blocks 0 and 2; the last, from 250, is covered only in part.
    let rows: Vec<(&str, &str)> = rows.iter().map(|(unit, wait)| (&**unit, &**wait)).collect();
    assert_eq!(rows, [("whole", "1.25"), ("0", "2.5"), ("2", "0")], "{results}");
}
