use super::arguments::{POLICY, arguments, option, place};
use super::terminal::form::print;
use super::terminal::{tell, text};
use crate::Registry;
use crate::lab::Failure;
use crate::lab::replays::explaining::Explained;
use crate::lab::scenario::job::JobName;
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::parsers::Output;
use crate::plot::{FigureSize, PageLayout, Picture};

arguments! {
    /// Explain why a job of a log waited under a policy
    ///
    /// Replays the log, and prints what delayed the job and for how long, which jobs overtook it and by which
    /// rule, and which start it was promised.
    #[command(after_help = "\
Example: batchlab explain KTH-SP2.swf.gz 4711 --policy easy
         batchlab explain sacct.txt id:123_4 --procs 4096 --policy easy --plot wait.svg")]
    pub struct Explain {
        scenario: ScenarioSettings,
        plugins: PluginSettings,
        job: JobName = place(
            "job", "JOB", "The job: its number in the log (field 1), or id: and the name that its batch system gave it: \
             `id:150`, `id:123_4` for a task of an array, `id:123+1` for a component of a heterogeneous job",
        ),
        policy: Option<String> = POLICY,
        plot: Option<String> = option(
            "plot", "FILE", "Draw which job ran where and when around its wait, with reservations: as SVG, or as PDF or PNG \
             by the file's ending",
        ).writes(),
    }
}

impl Explain {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if let Some(path) = &self.plot {
            Picture::of(path).map_err(|error| Failure::Usage(format!("--plot {path}: {error}")))?;
        }
        let spec = self.scenario.slurm.policy(self.policy.as_deref());
        let chosen = self.plugins.typed(registry)?.choose(&spec)?;
        let mut prepared = self.scenario.prepare(&self.plugins.of_files(registry)?)?;
        prepared.suit([&chosen])?;
        let scenario = &prepared.scenario;
        let workload = &scenario.workload;
        let Some(&job) = self.job.find(&prepared.trace, workload)?.first() else {
            return Err(Failure::Usage(format!(
                "job {} is not among the {} that are replayed of {}",
                self.job,
                text::counted(workload.len() as u64, "job"),
                self.scenario.trace
            )));
        };
        tell::prepared(&prepared, self.scenario.source.quiet);
        if let (JobName::Own(id), false) = (self.job, self.scenario.source.quiet) {
            tell::note(&format!("id:{id} is job {} of the log", workload.number(job)));
        }
        let Some(explained) = Explained::of(&prepared, &chosen, self.job)? else { return Ok(()) };
        if let Some(path) = &self.plot {
            draw(path, &explained)?;
        }
        print(&format!("{}\n", explained.words()))
    }
}

/// Writes a chart of the jobs around the wait of a job.
fn draw(path: &str, explained: &Explained<'_>) -> Result<(), Failure> {
    let page = explained.chart().map_err(|failure| match failure {
        Failure::Input(error) => Failure::Input(format!("--plot: {error}")),
        failure => failure,
    })?;
    let file = Output::create(path).map_err(|error| Failure::writing(path, error))?;
    super::info::draw(path, file, &page, PageLayout { size: FigureSize::Text, ..PageLayout::PAGE })
}
