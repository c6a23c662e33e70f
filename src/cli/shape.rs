use batchlab_parsers::{Output, OutputFolder, swf};
use batchlab_traces::Finding;
use batchlab_traces::shape::ShapedLog;

use super::arguments::{OfShape, TRACE, arguments};
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::shaping::{StepsFile, shaped};

arguments! {
    /// Shape a log by the steps of a file: filter, slice, merge, scale, shake, sample, augment
    ///
    /// The file holds `[[step]]` tables, applied in their order; `batchlab list steps` prints them, `batchlab
    /// list steps NAME` one in full. Each step is reported on standard error with its count and recorded in the
    /// header of the output. A split writes several files: OUT.swf becomes OUT-01.swf, OUT-02.swf and so on.
    /// Paths of other logs in steps are relative to the folder of the file. Files are written whole or not at
    /// all.
    #[command(after_help = "\
A file of steps:

  [[step]]
  kind = \"window\"
  days = [0, 90]

  [[step]]
  kind = \"filter\"
  keep = \"procs > 1 and run > 1min\"

Example: batchlab shape KTH-SP2.swf.gz --steps quarter.toml -o quarter.swf
         batchlab shape sacct.txt --steps quarter.toml -o - | batchlab info -")]
    pub struct ShapeCommand {
        trace: String = TRACE,
        settings: OfShape,
    }
}

impl ShapeCommand {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.trace == "-" && self.settings.0.shape.steps == "-" {
            return Err(Failure::Usage("only one of log and steps can be standard input".into()));
        }
        let settings = &self.settings.0;
        let registry = &settings.plugins.of_files(registry)?;
        let steps = StepsFile::read(&settings.shape.steps)?;
        let output = &settings.shape.output;
        if steps.steps.splits() && output == "-" {
            return Err(Failure::Usage("a split writes several files: -o must name one".into()));
        }
        // The output is opened first, so that a wrong name is found before time is spent on reading.
        let whole = if steps.steps.splits() { None } else { Some(begin(output)?) };
        let trace = settings.scenario.source.read(registry, &self.trace)?;
        let shaped = shaped(settings, registry, &steps, trace)?;
        if !self.is_quiet() {
            tell_findings(&shaped.logs);
        }
        match whole {
            Some(file) => self.write(file, output, &shaped.logs),
            None => self.write_parts(&shaped.logs),
        }
    }

    fn is_quiet(&self) -> bool {
        self.settings.0.scenario.source.quiet
    }

    fn write(&self, mut output: Output, path: &str, logs: &[ShapedLog]) -> Result<(), Failure> {
        for log in logs {
            swf::write(&log.trace, &mut output).map_err(|error| Failure::writing(path, error))?;
        }
        output.commit().map_err(|error| Failure::writing(path, error))?;
        self.tell_written(path, logs);
        Ok(())
    }

    /// Writes the parts of a split; none appears before all are complete.
    fn write_parts(&self, logs: &[ShapedLog]) -> Result<(), Failure> {
        let mut outputs = Vec::new();
        for log in logs {
            let path = part_path(&self.settings.0.shape.output, &log.part);
            let mut output = OutputFolder::beside(&path)?;
            swf::write(&log.trace, &mut output).map_err(|error| Failure::writing(&path, error))?;
            outputs.push((output, path));
        }
        for ((output, path), log) in outputs.into_iter().zip(logs) {
            output.commit().map_err(|error| Failure::writing(&path, error))?;
            self.tell_written(&path, std::slice::from_ref(log));
        }
        Ok(())
    }

    fn tell_written(&self, path: &str, logs: &[ShapedLog]) {
        let records: u64 = logs.iter().map(|log| log.trace.len() as u64).sum();
        if !self.is_quiet() {
            tell::note(&format!("{} written to {path}", text::counted(records, "record")));
        }
    }
}

fn begin(path: &str) -> Result<Output, Failure> {
    Output::create(path).map_err(|error| Failure::writing(path, error))
}

/// Reports the findings of all parts; common ones are reported once.
fn tell_findings(logs: &[ShapedLog]) {
    let mut told: Vec<&Finding> = Vec::new();
    for finding in logs.iter().flat_map(|log| log.trace.findings.list()) {
        if !told.contains(&finding) {
            told.push(finding);
        }
    }
    tell::finding_list(told);
}

/// Returns the file name of a part: the number goes before endings such as `.swf`, `.txt` and `.gz`.
fn part_path(path: &str, part: &str) -> String {
    let folder = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let packed = path.len() - path.strip_suffix(".gz").map_or(0, |_| 3);
    let ending = path[folder..packed].rfind('.').filter(|&at| at > 0).map_or(packed, |at| folder + at);
    format!("{}-{part}{}", &path[..ending], &path[ending..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_before_the_endings() {
        for (path, expected) in [
            ("out.swf", "out-01.swf"),
            ("a.b/KTH-SP2-2.1.swf.gz", "a.b/KTH-SP2-2.1-01.swf.gz"),
            ("a.b/out", "a.b/out-01"),
            ("out.gz", "out-01.gz"),
            (".swf", ".swf-01"),
        ] {
            assert_eq!(part_path(path, "01"), expected);
        }
    }
}
