//! Tests that the example experiment gives the results recorded beside it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};

use batchlab::Registry;
use batchlab::experiment::{
    Done, Execution, Experiment, ExperimentPlan, Loaded, Loader, PlanError, Sink, Survey, UnitKind,
    WorkloadSpec,
};
use batchlab::metrics::Measurement;
use batchlab::outcome::Stop;
use batchlab::policies::Costs;
use batchlab::replay::comparison::ComparisonError;
use batchlab::replay::engine::{Budget, EventOrder, Interrupt, Scenario};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Workload, models};

use crate::cmd::Folder;

const EXPERIMENT: &str = "tests/experiments/backfilling.toml";

/// A folder with the results of the example in `r`.
static RESULTS: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    let experiment = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXPERIMENT);
    folder.run(&["run", experiment.to_str().unwrap(), "--out", "r", "-q"]).succeeded();
    folder
});

/// Files below a folder, sorted by path.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// Renew the folder with `batchlab run tests/experiments/backfilling.toml --out /tmp/backfilling` and
/// `tests/experiments/record.sh /tmp/backfilling`.
#[test]
fn the_recorded_results_are_those_of_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = &*RESULTS;
    let recorded = root.join("tests/experiments/backfilling");
    let names = files(&recorded);
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let read = |path: PathBuf| {
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
        };
        let made = read(folder.path("r").join(&name));
        assert!(made == read(recorded.join(&name)), "{} is not what the experiment gives", name.display());
    }
}

/// A paper of two columns holds every table of the example: nothing is wider than its column or taller than a page.
#[test]
fn its_tables_go_into_a_paper_of_two_columns() {
    let found = Command::new("kpsewhich").args(["IEEEtran.cls", "siunitx.sty", "multirow.sty"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: pdflatex or IEEEtran, siunitx, multirow are not here");
        return;
    }
    for (conditions, notes) in [("note", true), ("file", false)] {
        let mut line =
            vec!["table", "r", "--format", "latex", "--document=IEEEtran", "--conditions", conditions];
        line.extend(["main", "ratios", "classes", "who", "claims"].iter().flat_map(|name| ["--name", name]));
        let text = RESULTS.run(&line).succeeded().to_owned();
        assert_eq!(
            text.contains("\\paragraph{\\batchlabfirst Table~\\batchlabtable{tab:main}{main}}"),
            !notes,
            "{text}"
        );
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("paper.tex"), text).unwrap();
        let mut pdflatex = Command::new("pdflatex");
        pdflatex.args(["-interaction=nonstopmode", "-halt-on-error", "paper.tex"]).current_dir(folder.path());
        let output = pdflatex.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let log = std::fs::read_to_string(folder.path().join("paper.log")).unwrap();
        let is_fault = |line: &&str| line.contains("Overfull") || line.contains("Float too large");
        let faults: Vec<&str> = log.lines().filter(is_fault).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}

const UNITS: u32 = 12;

/// Draws units, and counts how many of them are still in use.
#[derive(Default)]
struct Counting {
    loads: AtomicUsize,
    units: Mutex<Vec<Weak<Workload>>>,
    most: AtomicUsize,
}

#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    ExperimentPlan(#[from] PlanError),
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
}

impl Loader for Counting {
    type Error = Error;

    fn survey(&self, _: &WorkloadSpec, _: u64) -> Result<Survey, Error> {
        let units = (0..UNITS).collect();
        Ok(Survey { kind: UnitKind::Replications, units, ..Survey::default() })
    }

    fn load(&self, _: &WorkloadSpec, _: u32, seed: u64) -> Result<Loaded, Error> {
        let trace = models::find("lublin").unwrap().generate::<&str>(40, 16, seed, &[]).unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let (machine, reading) = (Machine::pool(16).unwrap(), Reading::default());
        let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
        let workload = Arc::new(workload);
        let mut units = self.units.lock().unwrap();
        units.retain(|unit| unit.strong_count() > 0);
        units.push(Arc::downgrade(&workload));
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.most.fetch_max(units.len(), Ordering::Relaxed);
        let (order, costs) = (EventOrder::Batch, Costs::default());
        let scenario = Scenario {
            workload,
            machine: Arc::new(machine),
            order,
            costs,
            limits: None,
            priorities: None,
            capacity: None,
            slurm: None,
            stop: Stop::default(),
            budget: Budget::default(),
            seed,
        };
        Ok(Loaded { trace, scenario, reading, findings, provenance, prefix: None, further: Vec::new() })
    }
}

struct Forgetful;

impl Sink for Forgetful {
    type Error = String;

    fn wants_journal(&self, _: usize) -> bool {
        false
    }

    fn look(&self, _: usize, _: &Measurement<'_>) -> Result<(), String> {
        Ok(())
    }

    fn take(&self, _: usize, _: Done) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn each_unit_is_loaded_once_and_dropped_after_its_last_policy() {
    let text = "[experiment]\nname = \"memory\"\n[[workload]]\nmodel = \"lublin\"\n[[policy]]\nspec = \"fcfs\"\n\
                [[policy]]\nspec = \"easy\"\n[[policy]]\nspec = \"conservative\"\n";
    let (registry, planning) = (Registry::builtin(), Counting::default());
    let experiment = Experiment::read(text, "memory.toml", &[]).unwrap();
    let plan = ExperimentPlan::of(experiment, &registry, &[], &planning, &mut |_, _| ()).unwrap();
    assert_eq!(plan.tasks.len(), 3 * UNITS as usize);
    for threads in [1, 2] {
        let loader = Counting::default();
        let all: Vec<usize> = (0..plan.tasks.len()).collect();
        let interrupt = Interrupt::default();
        let execution = Execution { plan: &plan, registry: &registry, loader: &loader, threads, interrupt };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| execution.run(&all, &Forgetful)).unwrap().is_empty());
        assert_eq!(loader.loads.into_inner(), UNITS as usize);
        let most = loader.most.into_inner();
        assert!(most <= threads + 1, "{most} units at once on {threads} threads");
    }
}
