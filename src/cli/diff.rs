use super::arguments::{arguments, place};
use super::terminal::form::print;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::read_schedule;
use crate::schedule::diff::diff;

arguments! {
    /// Find where two schedules of a log begin to differ, and by which rule
    ///
    /// Prints the first start (or end, or on machines with nodes the nodes) that differs, the state of the machine and the
    /// queue at that instant, and the rule of EASY backfilling that tells the two apart. Exit code 1 when they differ.
    #[command(after_help = "\
Example: batchlab diff KTH-SP2.swf.gz ours.csv theirs.csv --overrun kill
         batchlab diff sacct.txt ours.csv theirs.csv --procs 4096")]
    pub struct Diff {
        scenario: ScenarioSettings,
        plugins: PluginSettings,
        a: String = place("a", "A.csv", "The first schedule, A").reads(),
        b: String = place("b", "B.csv", "The second schedule, B").reads(),
    }
}

impl Diff {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = &self.plugins.of_files(registry)?;
        let prepared = self.scenario.prepare(registry)?;
        let workload = &prepared.scenario.workload;
        let (a, b) =
            (read_schedule(&self.a, &prepared.scenario)?, read_schedule(&self.b, &prepared.scenario)?);
        tell::prepared(&prepared, self.scenario.source.quiet);
        match diff(&prepared.scenario, &a, &b) {
            None => {
                let with_nodes = !a.places.is_empty() && !b.places.is_empty();
                let what = if with_nodes { "starts, ends and nodes" } else { "starts and ends" };
                print(&format!("all {} {what} agree\n", workload.len()))
            }
            Some(difference) => {
                print(&format!("{difference}\n"))?;
                Err(Failure::Check("the schedules differ".into()))
            }
        }
    }
}
