use std::fmt::Write as _;

use batchlab_traces::Trace;
use batchlab_traces::clean::{Cleaned, Preset, RuleReport, Rules, RulesError};
use batchlab_traces::number::{counted, grouped};

use crate::lab::Failure;
use crate::lab::observer::Observed;
use crate::lab::texts::read_text;

pub fn read(name: &str) -> Result<Rules, Failure> {
    if Preset::find(name).is_ok() {
        return Ok(Rules::preset(name)?);
    }
    if is_text(name) {
        return name.parse().map_err(|error| unusable("rules", &error));
    }
    let text = read_text(name).map_err(|error| {
        let preset = match Preset::find(name) {
            Err(unknown) if !name.contains('.') => format!("; {unknown}"),
            _ => String::new(),
        };
        match error {
            Failure::Input(error) => Failure::Input(error + &preset),
            error => error,
        }
    })?;
    text.parse().map_err(|error| unusable(name, &error))
}

/// Whether the rules or steps of an experiment are given as text rather than as a file name.
pub fn is_text(name: &str) -> bool {
    name.contains('\n')
}

/// Returns the trace cleaned by the rules of a file or preset, and tells an observer, if there is one, what they did.
pub fn cleaned(trace: &Trace, name: &str, observer: Option<&Observed>) -> Result<Trace, Failure> {
    let Cleaned { trace: cleaned, report } = apply(trace, name)?;
    if let Some(observer) = observer {
        for rule in &report.rules {
            observer.note(&format!("rule {}", line(rule).trim_end()));
        }
    }
    some_left(name, trace.len(), &cleaned)?;
    Ok(cleaned)
}

/// Applies the rules of a file or preset. Failed expectations are an error.
pub fn apply(trace: &Trace, name: &str) -> Result<Cleaned, Failure> {
    let cleaned = read(name)?.apply(trace).map_err(|error| unusable(name, &error))?;
    if cleaned.report.holds() { Ok(cleaned) } else { Err(Failure::Check(cleaned.report.to_string())) }
}

pub fn unusable(name: &str, error: &RulesError) -> Failure {
    Failure::Usage(format!("{name}: {error}"))
}

/// Refuses rules that leave no job, because no reader accepts a log without jobs.
pub fn some_left(name: &str, before: usize, cleaned: &Trace) -> Result<(), Failure> {
    if cleaned.is_empty() && before > 0 {
        let jobs = counted(before as u64, "job");
        return Err(Failure::Input(format!("the rules of {name} leave none of {jobs}")));
    }
    Ok(())
}

/// Returns what a rule did, in one line: "first-jobs: 14 jobs dropped: the first jobs waited for days".
pub fn line(rule: &RuleReport) -> String {
    let done = if rule.action == "drop" { "dropped" } else { "mended" };
    let published = match rule.published {
        Some(published) if published != rule.count => format!(" (published: {})", grouped(published)),
        _ => String::new(),
    };
    let jobs = counted(rule.count, "job");
    let unheld = match rule.unheld {
        0 => String::new(),
        values => {
            format!("; {} that no log can hold, so the old ones stayed", counted(values, "value"))
        }
    };
    format!("{}: {jobs} {done}{published}{unheld}: {}\n", rule.id, rule.because)
}

/// Returns what a rule did, with its text and examples.
pub fn explained(rule: &RuleReport) -> String {
    let mut page = line(rule) + "    " + &rule.text + "\n";
    for example in &rule.examples {
        let _ = writeln!(page, "    {example}");
    }
    let shown = rule.examples.len() as u64;
    if rule.count > shown {
        let _ = writeln!(page, "    and {} more", grouped(rule.count - shown));
    }
    page
}
