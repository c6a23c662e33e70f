//! The dependencies in the command line of a submission: `sbatch --dependency=afterok:12:13+5,singleton`; and the throttle
//! of an array: `sbatch --array=1-10%2`.

use super::command::last_option;
use batchlab_traces::Time;
use batchlab_traces::notation::{tasks, whole};
use batchlab_traces::trace::{DependencyKind, StatedDependency};

/// The minutes from which on a delay is not read: 32 years.
const LONGEST: i64 = 1 << 24;

/// Returns the dependencies of a command line in order; `Err` with an option that cannot be understood. As for Slurm, the last option
/// counts.
pub(super) fn depends(line: &[u8]) -> Result<Vec<StatedDependency>, String> {
    let line = String::from_utf8_lossy(line);
    let Some(text) = option(&line) else { return Ok(Vec::new()) };
    parse(text).ok_or_else(|| text.to_owned())
}

/// Returns dependencies in the form of a command line: the controller shows each with its state,
/// `afterok:12_*(unfulfilled)`.
pub(super) fn shown(text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut bare = Vec::with_capacity(text.len());
    let mut depth = 0_u32;
    for &byte in text {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => bare.push(byte),
            _ => {}
        }
    }
    [b"sbatch --dependency=", &bare[..]].concat()
}

/// Returns the number of tasks of an array that may run at a time: 2 of `--array=1-10%2`.
pub(super) fn throttle(line: &[u8]) -> Option<i64> {
    let line = String::from_utf8_lossy(line);
    let is_list = |list: &&str| tasks::count(list.as_bytes()).is_some();
    tasks::throttle(last_option(&line, "--array", "-a", is_list)?.as_bytes())
}

/// Returns the value of the last option `--dependency` or `-d`. `-d` may be an argument of the script: it counts if its value begins
/// with a type of dependency.
fn option(line: &str) -> Option<&str> {
    let is_dependency = |value: &&str| value.starts_with(['a', 's']) && parse(value).is_some();
    last_option(line, "--dependency", "-d", is_dependency)
}

/// Parses `afterok:12:13,afterany:14`, all of which must be met, or `afterok:12?afterany:14`, one of which must be met.
fn parse(text: &str) -> Option<Vec<StatedDependency>> {
    let any = text.contains('?');
    let mut list = Vec::new();
    for part in text.split([',', '?']).filter(|part| !part.is_empty()) {
        let (word, jobs) = part.split_once(':').unwrap_or((part, ""));
        let (word, jobs) = if word.starts_with(|letter: char| letter.is_ascii_digit()) {
            // The oldest form, a bare number.
            ("afterany", part)
        } else {
            (word, jobs)
        };
        let kind = match word {
            // The end of the job's burst buffer is not in the log.
            "afterburstbuffer" => DependencyKind::AfterAny,
            _ => DependencyKind::find(word)?,
        };
        if kind == DependencyKind::Singleton {
            list.push(StatedDependency { kind, on: -1, task: -1, delay: Time::ZERO, any });
            continue;
        }
        for job in jobs.split(':') {
            let (job, minutes) = job.split_once('+').unwrap_or((job, "0"));
            let (number, task) = match job.split_once('_') {
                Some((number, "*")) => (number, -1),
                Some((number, task)) => (number, whole(task.as_bytes()).filter(|&task| task >= 0)?),
                None => (job, -1),
            };
            let minutes = whole(minutes.as_bytes()).filter(|minutes| (0..LONGEST).contains(minutes))?;
            let delay = Time::from_secs(minutes * 60);
            // No job has the number 0: `after:7+5:00` names two jobs, and slurmctld refuses the second.
            let on = whole(number.as_bytes()).filter(|&number| number > 0)?;
            list.push(StatedDependency { kind, on, task, delay, any });
        }
    }
    (!list.is_empty()).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind, job, task, delay in seconds, and whether one of several is enough.
    type Seen = (DependencyKind, i64, i64, f64, bool);

    fn seen(line: &str) -> Result<Vec<Seen>, String> {
        let all = depends(line.as_bytes())?;
        Ok(all.into_iter().map(|one| (one.kind, one.on, one.task, one.delay.secs(), one.any)).collect())
    }

    #[test]
    fn every_form_of_the_option_is_read() {
        use DependencyKind::{After, AfterAny, AfterCorr, AfterOk, Singleton};
        let one = |kind, on| (kind, on, -1, 0.0, false);
        assert_eq!(seen("sbatch a.sh"), Ok(vec![]));
        assert_eq!(seen("sbatch a.sh -d 5 -d alpha"), Ok(vec![]), "arguments of the script");
        assert_eq!(
            seen("sbatch --dependency=afterok:12:13 a.sh"),
            Ok(vec![one(AfterOk, 12), one(AfterOk, 13)])
        );
        assert_eq!(seen("sbatch -d afterany:12 a.sh"), Ok(vec![one(AfterAny, 12)]));
        assert_eq!(seen("sbatch -dsingleton a.sh"), Ok(vec![one(Singleton, -1)]));
        assert_eq!(seen("sbatch --dependency 12 a.sh"), Ok(vec![one(AfterAny, 12)]));
        assert_eq!(
            seen("sbatch --dependency='after:12+5:13,aftercorr:14_2' a.sh"),
            Ok(vec![(After, 12, -1, 300.0, false), one(After, 13), (AfterCorr, 14, 2, 0.0, false)])
        );
        assert_eq!(
            seen("sbatch --dependency=afterok:12?afterany:13 a.sh"),
            Ok(vec![(AfterOk, 12, -1, 0.0, true), (AfterAny, 13, -1, 0.0, true)])
        );
    }

    #[test]
    fn the_throttle_of_an_array_is_read() {
        for line in ["sbatch --array=1-10%2 a.sh", "sbatch -a 1,3,5%2 a.sh", "sbatch -a1-10:3%2 a.sh"] {
            assert_eq!(throttle(line.as_bytes()), Some(2), "{line}");
        }
        for line in ["sbatch --array=1-10 a.sh", "sbatch a.sh -a x%2", "sbatch -A 1-10%2 a.sh"] {
            assert_eq!(throttle(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn anything_else_is_told() {
        for wrong in ["afterwards:12", "afterok:x", "afterok", "afterok:-3", "afterok:12+x"] {
            assert_eq!(seen(&format!("sbatch --dependency={wrong} a.sh")), Err(wrong.to_owned()), "{wrong}");
        }
    }
}
