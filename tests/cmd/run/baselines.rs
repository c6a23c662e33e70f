//! Experiments whose tables compare with several policies or with a value of a parameter.

use super::{Folder, lines};

/// Three jobs on the first day, five on the second and one on the third, which fills no window; each lasts 60 s on one
/// processor.
fn two_days(table: &str) -> Folder {
    let folder = Folder::new();
    let submits = [[0; 3].as_slice(), &[86_400; 5], &[172_800]].concat();
    let job = |(at, submit): (usize, &u32)| {
        format!("{} {submit} -1 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n", at + 1)
    };
    let log: String = submits.iter().enumerate().map(job).collect();
    folder.write("days.swf", &format!("; MaxProcs: 1\n{log}"));
    folder.write(
        "compared.toml",
        &format!(
            "[experiment]\nname = \"compared\"\n[measure]\nmetrics = [\"mean_response\"]\n[[workload]]\ntrace = \"days.swf\"\n\
             windows = \"1d\"\n[sweep]\nprocs = [1, 2]\n[[policy]]\nlabel = \"FCFS\"\nspec = \"fcfs\"\n[[policy]]\nlabel = \
             \"EASY\"\nspec = \"easy\"\n[[table]]\nname = \"t\"\n{table}\n"
        ),
    );
    folder
}

#[test]
fn one_processor_is_compared_with_two() {
    let folder =
        two_days("where = { procs = 1 }\nratio_to = { procs = 2 }\ncells = [\"ratio\", \"ratio_of_means\"]");
    folder.run(&["run", "compared.toml", "--out", "r", "-q"]).succeeded();
    // Responses of 60, 120, 180 s and 60 to 300 s on one processor: means of 120 and 180 s. On two 60, 60, 120 s and
    // 60, 60, 120, 120, 180 s: 80 and 108 s. The ratios are 1.5 and 1.6667, and that of means is 300/188.
    let (ratio, of_means) = (2.5_f64.sqrt(), 300.0 / 188.0);
    let lines = lines(&folder, "r/tables/t.csv");
    assert_eq!(lines.len(), 2);
    for line in &lines {
        let number = |name: &str| line[name].parse::<f64>().unwrap();
        assert!((number("ratio") - ratio).abs() < 1e-9, "{line:?}");
        assert!((number("ratio_of_means") - of_means).abs() < 1e-9, "{line:?}");
    }
    for file in ["README.md", "tables/notes.tex", "tables/t.html", "tables/t.txt"] {
        assert!(folder.read(&format!("r/{file}")).contains("compared with procs 2 under the"), "{file}");
    }
    assert!(
        folder.read("r/tables/t.md").contains("FCFS, mean response time (s): days, procs 2: 94"),
        "{}",
        folder.read("r/tables/t.md")
    );
}

#[test]
fn wrong_keys_are_refused_before_anything_runs() {
    let refused = |table: &str, why: &str| {
        two_days(table).run(&["run", "compared.toml", "--dry-run"]).failed(2, why);
    };
    refused("ratio_to = { proc = 1 }", "compared.toml:18:21: proc: unknown `proc` (did you mean `procs`?)");
    refused("ratio_to = { procs = 3 }", "compared.toml:18:22: procs: unknown `3`; known are 1, 2");
    refused("baselines = [\"FCFS\", \"ESAY\"]", "baselines: unknown `ESAY` (did you mean `EASY`?)");
}
