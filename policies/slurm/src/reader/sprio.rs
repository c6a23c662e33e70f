//! What `sprio` and `sshare` print: the priorities of the waiting jobs with their factors, and the usage of associations.
//!
//! Source: `sprio(1)` and `sshare(1)` of versions 20.11 to 25.05, and their output under 22.05.8.

use batchlab_traces::located::LocatedError;

use super::file::{SystemFile, place};
use super::printed::{ShownRow, ShownTable};
use crate::site::AssociationUsage;

/// The priorities that `sprio` printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorityTable {
    /// Whether factors are between 0 and 1, and priorities parts of the greatest priority (`sprio -n`).
    pub normalized: bool,
    /// A row for each partition of each job.
    pub rows: Vec<PriorityRow>,
}

/// A job in a partition; `None` for columns that are not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PriorityRow {
    pub job: i64,
    /// The partition, which may be cut off.
    pub partition: Option<String>,
    pub priority: Option<f64>,
    /// The factors in the order of [`FACTORS`].
    pub factors: [Option<f64>; FACTORS.len()],
    /// The factors of resources, if the table has them.
    pub tres: Option<Vec<(String, f64)>>,
    pub line: usize,
}

/// The factors that have a column of their own, as the headings of `sprio` name them.
pub const FACTORS: [&str; 8] = ["SITE", "AGE", "ASSOC", "FAIRSHARE", "JOBSIZE", "PARTITION", "QOS", "NICE"];

/// Reads the output of `sprio`, or a table of it at several instants with a column `Time`, of which those of the last one up to `now`
/// count, in seconds on the site's clock.
pub fn priority_table(file: &SystemFile, now: Option<i64>) -> Result<PriorityTable, LocatedError> {
    let shown = ShownTable::of(file, &["jobid"], now)?;
    let wrong =
        |line: usize, what: &str| LocatedError { place: place(&file.name, line, 0), what: what.into() };
    let Some(priority) = shown.column(&["priority"]) else {
        return Err(wrong(0, "it has no column PRIORITY: give the output of sprio -l"));
    };
    // The name of the partition has the same heading as its factor.
    let mut named = (0..shown.columns.len()).filter(|&at| shown.columns[at] == "partition");
    let (partition, second) = (named.next(), named.next());
    let factor = |name: &str| match name {
        "PARTITION" => second.or(shown.column(&["partitionfactor"])),
        "QOS" => shown.column(&["qosfactor", "qos"]),
        other => shown.column(&[&other.to_ascii_lowercase()]),
    };
    let columns = FACTORS.map(factor);
    let (job, tres) = (shown.column(&["jobid"]), shown.column(&["tres"]));
    let mut table = PriorityTable::default();
    for row in &shown.rows {
        // The weights have a line without a job.
        let Some(job) = row.get(job).and_then(|text| text.parse().ok()) else { continue };
        let Some(text) = row.get(Some(priority)) else {
            return Err(wrong(row.line, "it has fewer columns than the heading"));
        };
        table.normalized |= text.contains('.');
        table.rows.push(PriorityRow {
            job,
            partition: row.get(partition).map(str::to_owned),
            priority: row.number(Some(priority)),
            factors: columns.map(|column| row.number(column)),
            tres: tres.map(|at| resources(row, at)),
            line: row.line,
        });
    }
    Ok(table)
}

/// Returns the factors of resources: `cpu=62,gres/gpu=500`.
fn resources(row: &ShownRow<'_>, column: usize) -> Vec<(String, f64)> {
    let text = row.get(Some(column)).unwrap_or_default();
    let pair = |part: &str| {
        let (name, value) = part.rsplit_once('=')?;
        Some((name.to_ascii_lowercase(), value.parse().ok()?))
    };
    text.split(',').filter_map(pair).collect()
}

/// Reads the output of `sshare`, with `now` as in [`priority_table`].
pub fn share_table(file: &SystemFile, now: Option<i64>) -> Result<Vec<AssociationUsage>, LocatedError> {
    let shown = ShownTable::of(file, &["rawusage", "rawshares", "effectvusage"], now)?;
    let [account, user, partition, usage, effective, factor] =
        ["account", "user", "partition", "rawusage", "effectvusage", "fairshare"]
            .map(|name| shown.column(&[name]));
    if account.is_none() || usage.is_none() {
        let what = "it has no columns Account and RawUsage: give the output of sshare -a -l -P".into();
        return Err(LocatedError { place: place(&file.name, 0, 0), what });
    }
    let of = |row: &ShownRow<'_>| {
        Some(AssociationUsage {
            account: row.get(account)?.to_owned(),
            user: row.get(user).map(str::to_owned),
            partition: row.get(partition).map(str::to_owned),
            usage: row.number(usage),
            // For users whose factor nothing has asked for, a number stands for no value.
            effective: row.number(effective).filter(|&part| part <= 1e6),
            factor: row.number(factor),
            line: row.line,
        })
    };
    Ok(shown.rows.iter().filter_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::notation::instant::{Stamp, iso};

    fn file(text: &str) -> SystemFile {
        SystemFile { name: "a".into(), text: text.into() }
    }

    #[test]
    fn padded_priorities_are_read_by_their_heading() {
        let text = "          JOBID PARTITION     USER   PRIORITY       SITE        AGE      ASSOC  FAIRSHARE    JOBSIZE  PARTITION        QOS        NICE                 TRES\n\
             \x20            69 main           ana       2374          0         70          0        750         55        500       1000           0 cpu=31,gres/gpu=500\n\
             \x20            69 spare          ana       2124          0         70          0        750         55        250       1000        -100                     \n";
        let table = priority_table(&file(text), None).unwrap();
        assert!(!table.normalized);
        let [one, other] = &table.rows[..] else { panic!("{table:?}") };
        assert_eq!((one.job, one.partition.as_deref(), one.priority), (69, Some("main"), Some(2374.0)));
        let number = |row: &PriorityRow| row.factors.map(Option::unwrap);
        assert_eq!(number(one), [0.0, 70.0, 0.0, 750.0, 55.0, 500.0, 1000.0, 0.0]);
        assert_eq!(number(other), [0.0, 70.0, 0.0, 750.0, 55.0, 250.0, 1000.0, -100.0]);
        assert_eq!(one.tres, Some(vec![("cpu".into(), 31.0), ("gres/gpu".into(), 500.0)]));
        assert_eq!(other.tres, Some(vec![]));
    }

    #[test]
    fn normalized_priorities_and_samples_are_told_by_their_values_and_columns() {
        let normalized = "JOBID PARTITION   PRIORITY   AGE        FAIRSHARE  PARTITION\n\
             7 main      0.00000084470749 0.4973333  0.1111111  0.2000000\n";
        let table = priority_table(&file(normalized), None).unwrap();
        assert!(table.normalized);
        assert_eq!(table.rows[0].factors[3], Some(0.111_111_1));
        assert_eq!((table.rows[0].factors[5], table.rows[0].factors[6]), (Some(0.2), None));
        let samples = "Time|JobID|Partition|Priority|Age|PartitionFactor|TRES\n\
             2026-11-25T00:04:53.042|12|long|11356|0|500|cpu=500\n\
             2026-11-25T00:05:23.168|12|long|7470|17|500|cpu=500\n";
        let at = |clock_text: &str| {
            let now = iso(clock_text.as_bytes()).map(Stamp::secs);
            priority_table(&file(samples), now).unwrap().rows[0].priority
        };
        assert_eq!(at("2026-11-25 00:05:22"), Some(11356.0));
        assert_eq!((at("2026-11-25 00:06:00"), at("2026-11-25 00:01:00")), (Some(7470.0), Some(11356.0)));
        assert!(priority_table(&file("4|main|3628|1492\n"), None).is_err(), "without a heading");
    }

    #[test]
    fn shares_are_read_with_bars_and_padded() {
        let bars = "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS\n\
             root|||0.000000|10639||1.000000||\n \
             root|root|1|0.009901|0|0.000000|0.000000|1.000000|inf\n  \
             aero||2|0.666667|3691|0.346948|0.895872||0.744154\n";
        let padded = "Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare \n\
             -------------------- ---------- ---------- ----------- ----------- ------------- ---------- \n\
             root                                          0.000000       10639      1.000000            \n\
             \x20root                      root          1    0.009901           0      0.000000   1.000000 \n\
             \x20 aero                                  2    0.666667        3691      0.895872            \n";
        for text in [bars, padded] {
            let rows = share_table(&file(text), None).unwrap();
            let [root, user, aero] = &rows[..] else { panic!("{rows:?}") };
            assert_eq!((root.usage, root.effective, root.factor), (Some(10639.0), Some(1.0), None));
            assert_eq!((user.user.as_deref(), user.factor), (Some("root"), Some(1.0)));
            assert_eq!((&*aero.account, aero.user.as_deref(), aero.usage), ("aero", None, Some(3691.0)));
            assert_eq!(aero.effective, Some(0.895_872));
        }
        assert!(share_table(&file("Account|User|Share\na|b|1\n"), None).is_err());
    }
}
