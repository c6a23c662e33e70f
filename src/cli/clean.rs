use std::fmt::Write as _;

use super::arguments::{Careful, RULES, TRACE, WRITTEN_SWF, arguments, switch};
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::rules;
use batchlab_parsers::{Output, swf};
use batchlab_traces::Findings;
use batchlab_traces::clean::Cleaned;

arguments! {
    /// Clean a log by rules
    ///
    /// Rules apply in their order; each prints one line: how many jobs it touched, and why it is there. The cleaned
    /// log's header lists them. Job numbers and submit times stay. When an expectation of the rules does not hold,
    /// nothing is written and the exit code is 1; when no job is left, nothing is written and it is 3. Applied again,
    /// the same rules change nothing.
    #[command(after_help = "\
Example: batchlab clean KTH-SP2-1996-2.swf.gz --rules pwa:kth-sp2 -o kth-cln.swf.gz
         batchlab clean sacct.txt --rules rules.toml -o cleaned.swf")]
    pub struct Clean {
        trace: String = TRACE,
        rules: String = RULES,
        output: String = WRITTEN_SWF,
        explain: bool = switch("explain", "Show the text of each rule and the first jobs that it touched").heading("Rules"),
        source: Careful<false>,
    }
}

impl Clean {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let rules = rules::read(&self.rules)?;
        let writing = |error| Failure::writing(&self.output, error);
        let mut out = Output::create(&self.output).map_err(writing)?;
        let trace = self.source.read(registry, &self.trace)?;
        if !self.source.quiet {
            tell::findings(&trace.findings);
        }
        let applied = rules.apply(&trace).map_err(|error| rules::unusable(&self.rules, &error));
        let Cleaned { trace: mut cleaned, report } = applied?;
        let say = if self.explain { rules::explained } else { rules::line };
        let mut page: String = report.rules.iter().map(say).collect();
        if !report.holds() {
            self.say(&page)?;
            return Err(Failure::Check(format!("nothing was written: {report}")));
        }
        let (before, after) = (trace.len() as u64, cleaned.len() as u64);
        let _ = writeln!(page, "{} of {} left", text::count(after), text::counted(before, "job"));
        if let Err(failure) = rules::some_left(&self.rules, trace.len(), &cleaned) {
            self.say(&page)?;
            return Err(failure);
        }
        cleaned.findings = Findings::lenient();
        swf::write(&cleaned, &mut out).and_then(|()| out.commit()).map_err(writing)?;
        self.say(&page)
    }

    /// Prints what the rules did, to standard error if the log goes to standard output.
    fn say(&self, page: &str) -> Result<(), Failure> {
        if self.output == "-" {
            tell::note(page.trim_end());
            return Ok(());
        }
        print(page)
    }
}
