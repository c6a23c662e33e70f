//! Experiments and searches on clusters under Slurm: the script that submits an array of parts, and a job that puts them together.
//!
//! The script contains nothing specific to the machine on which it was written. It submits the incomplete shards as one
//! array, and a job that depends on it; to recover, run it again. A shard of an experiment is complete if its `experiment.toml` is
//! that of the experiment byte for byte, `results.csv` exists and there is no journal; the job is a merge. An island of a search is
//! complete if its copy of the file is that of the search byte for byte; the job chooses and judges.

use batchlab_engine::replay::conditions::TOOL;

/// The script, with placeholders between `@` for the experiment's own values.
const SCRIPT: &str = include_str!("slurm/submit.sh");

/// The most tasks of an array unless the user gives a limit: Slurm's default `MaxArraySize` is 1001, above the largest index.
pub const MOST_TASKS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub name: String,
    /// Its file, as a path relative to where the script will be run.
    pub experiment: String,
    /// The folder of its results, as a path relative to the same place.
    pub out: String,
    pub work: ArrayWork,
    pub tasks: usize,
    pub cpus: usize,
    /// Options of `sbatch`, each a whole word such as `--partition=long`.
    pub options: Vec<String>,
    pub further: Vec<String>,
}

/// What the tasks of an array do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayWork {
    /// Shards of an experiment with this number of replays.
    Shards { replays: usize },
    /// Islands of a search with this budget, in words.
    Islands { budget: String },
}

/// A word that cannot be quoted in a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` has a character in it that a script cannot hold; take another name", .0.escape_debug())]
pub struct Unquotable(pub String);

impl Array {
    /// Returns the script that submits the experiment; it needs bash 4 and Slurm 20.11, or later versions. It submits the
    /// incomplete parts as one array, and a job that depends on it. Names with control characters are refused.
    pub fn script(&self) -> Result<String, Unquotable> {
        let mut options = vec![format!("    {}", quoted(&format!("--job-name=batchlab-{}", self.name))?)];
        for option in &self.options {
            options.push(format!("    {}", quoted(option)?));
        }
        let mut further = String::new();
        for word in &self.further {
            further.extend([" ", &quoted(word)?]);
        }
        let experiment = quoted(&no_option(&self.experiment))?;
        let out = quoted(&no_option(&self.out))?;
        let mut words = vec![
            ("tool", TOOL.into()),
            ("experiment", experiment.clone()),
            ("out", out.clone()),
            ("shards", self.tasks.to_string()),
            ("cpus", self.cpus.to_string()),
            ("options", options.join("\n")),
        ];
        words.extend(self.parts(&experiment, &out, &further));
        Ok(filled(SCRIPT, &words))
    }

    /// Returns the words that differ between shards and islands, given quoted names and options.
    fn parts(&self, experiment: &str, out: &str, further: &str) -> [(&'static str, String); 8] {
        let Array { name, tasks, cpus, .. } = self;
        let in_tasks = batchlab_traces::number::counted(*tasks as u64, "task");
        match &self.work {
            ArrayWork::Shards { replays } => {
                let replays = batchlab_traces::number::counted(*replays as u64, "replay");
                [
                    ("what", format!("Experiment {name} on Slurm: {replays} in {in_tasks}, then a merge")),
                    ("part", "shard".into()),
                    ("parts", "shards".into()),
                    ("of", "-of-$shards".into()),
                    ("complete", COMPLETE_SHARD.into()),
                    (
                        "task",
                        format!(
                            "run {experiment} --shard \"$SLURM_ARRAY_TASK_ID/{tasks}\" \\\n    --out {out}\"/shards/\
                             $SLURM_ARRAY_TASK_ID-of-{tasks}\" --resume --quiet --threads {cpus}{further}"
                        ),
                    ),
                    ("final", format!("merge {out}/shards/*-of-{tasks}/ -o {out} --quiet")),
                    ("end", "merge".into()),
                ]
            }
            ArrayWork::Islands { budget } => {
                let search = format!("tune {experiment} --out {out} --quiet --threads {cpus}{further}");
                [
                    ("what", format!("Search {name} on Slurm: {budget} in {in_tasks}, then the judgement")),
                    ("part", "island".into()),
                    ("parts", "islands".into()),
                    ("of", String::new()),
                    ("complete", COMPLETE_ISLAND.into()),
                    ("task", format!("{search} --island \"$SLURM_ARRAY_TASK_ID\"")),
                    ("final", format!("{search} --resume")),
                    ("end", "judgement".into()),
                ]
            }
        }
    }
}

const COMPLETE_SHARD: &str = "\
# A shard is complete when it is of this very experiment, its results are written and no run is left half done.
is_complete() {
    [ -f \"$1/results.csv\" ] && [ ! -e \"$1/journal.jsonl\" ] && cmp -s \"$experiment\" \"$1/experiment.toml\"
}";

const COMPLETE_ISLAND: &str = "\
# An island is complete when the file beside it, which is written at its end, is this very search.
is_complete() {
    cmp -s \"$experiment\" \"$1.toml\"
}";

/// Returns a path that no program mistakes for an option.
fn no_option(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.into() }
}

fn quoted(word: &str) -> Result<String, Unquotable> {
    if word.contains(char::is_control) {
        return Err(Unquotable(word.into()));
    }
    shlex::try_quote(word).map(String::from).map_err(|_| Unquotable(word.into()))
}

/// Replaces placeholders between `@` in one pass, so that inserted text is not searched again.
fn filled(text: &str, words: &[(&str, String)]) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('@') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        filled += before;
        let word = words
            .iter()
            .find(|(name, _)| after.strip_prefix(name).is_some_and(|behind| behind.starts_with('@')));
        match word {
            Some((name, word)) => {
                filled += word;
                rest = &after[name.len() + 1..];
            }
            None => {
                filled.push('@');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array() -> Array {
        Array {
            name: "small".into(),
            experiment: "the small one's.toml".into(),
            out: "results of 50%".into(),
            work: ArrayWork::Shards { replays: 1200 },
            tasks: 16,
            cpus: 2,
            options: vec!["--partition=long".into(), "--comment=$HOME `date`".into()],
            further: vec!["--plugin".into(), "my plugin.wasm".into()],
        }
    }

    #[test]
    fn words_are_quoted_and_none_is_filled_in_twice() {
        let script = array().script().unwrap();
        for line in [
            "# Experiment small on Slurm: 1,200 replays in 16 tasks, then a merge. Written by batchlab ",
            "experiment=\"the small one's.toml\"\n",
            "out='results of 50%'\n",
            "    '--comment=$HOME `date`'\n",
            " --resume --quiet --threads 2 --plugin 'my plugin.wasm'\nTASK\n",
            " merge 'results of 50%'/shards/*-of-16/ -o 'results of 50%' --quiet\nMERGE\n",
        ] {
            assert!(script.contains(line), "`{line}` is not in {script}");
        }
        let odd = Array { experiment: "@out@.toml".into(), out: "-x".into(), ..array() }.script().unwrap();
        assert!(odd.contains("experiment=@out@.toml\nout=./-x\n"), "{odd}");
    }

    #[test]
    fn what_cannot_be_quoted_is_refused() {
        let refused = Array { out: "two\nlines".into(), ..array() }.script().unwrap_err();
        assert_eq!(refused.0, "two\nlines");
        assert!(refused.to_string().starts_with(r"`two\nlines` has a character"));
    }
}
