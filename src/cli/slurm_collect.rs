use batchlab_parsers::Output;
use batchlab_slurm::collect::Collection;
use batchlab_traces::notation::instant::iso;
use batchlab_traces::notation::whole;

use super::arguments::{QUIET, SCRIPT, arguments, option, place, switch};
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;

arguments! {
    /// Print a script that collects on a cluster what --slurm, slurm-check and when need
    ///
    /// The script is for any POSIX shell and Slurm 20.11 to 25.x. It only reads, by the commands of Slurm, and writes one new folder:
    /// the jobs of the past (sacct, with all columns that batchlab reads), the queue, the settings, partitions, nodes, reservations,
    /// accounts, service classes, shares, priorities, and what happened to nodes and reservations. What it cannot get is in the
    /// folder's missing.txt, with each command and its error. Run it with an account that sees the jobs of all users.
    /// The options are defaults of the script, which takes them as well: sh collect.sh --since 30 --tar FOLDER.
    #[command(after_help = "\
Example: batchlab slurm-collect > collect.sh      # then on the cluster: sh collect.sh FOLDER
         batchlab slurm-check FOLDER/sacct.txt --slurm FOLDER")]
    pub struct SlurmCollect {
        folder: String = place(
            "folder", "NAME", "The folder that the script makes [default: slurm- with date and time behind it]",
        ).default_unshown(""),
        since: String =
            option("since", "DAYS|YYYY-MM-DD", "Begin of the accounting: so many days ago, or a date")
                .default("14")
                .by(|arg| arg.value_parser(since)),
        tar: bool = switch("tar", "Pack the folder into NAME.tar.gz, which --slurm takes as it is"),
        output: String = SCRIPT,
        quiet: bool = QUIET,
    }
}

impl SlurmCollect {
    pub fn run(&self, _: &Registry) -> Result<(), Failure> {
        let Self { since, folder, tar, .. } = self;
        let collection = Collection { since: since.clone(), folder: folder.clone(), tar: *tar };
        let script = collection.script(concat!("batchlab ", env!("CARGO_PKG_VERSION")));
        Output::write_text(&self.output, &script).map_err(|error| Failure::writing(&self.output, error))?;
        if self.output != "-" && !self.quiet {
            tell::note(&format!("run it on the cluster: sh {}", self.output));
        }
        Ok(())
    }
}

/// Reads the beginning of the accounting: a number of days, or a date.
fn since(text: &str) -> Result<String, String> {
    let is_days = whole(text.as_bytes()).is_some_and(|days| (0..100_000).contains(&days));
    // The script passes it to sacct, and compares it by its form.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let is_date = text.len() == 10 && iso(text.as_bytes()).is_some();
    if is_plain && (is_days || is_date) {
        return Ok(text.to_owned());
    }
    Err("it must be a number of days, or a date such as 2026-12-01".into())
}
