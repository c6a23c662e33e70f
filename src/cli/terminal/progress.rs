//! Progress bars on standard error.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use batchlab_parsers::Input;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before a bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears if something takes longer than half a second and standard error is a terminal; it is
/// erased at the end.
pub struct Progress {
    what: String,
    total: Option<u64>,
    template: &'static str,
    began: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Returns the bar of a replay, which counts ended jobs.
    pub fn of_jobs(what: &str, jobs: usize) -> Progress {
        let template = "{wide_msg} {bar:30} {human_pos} of {human_len} jobs, {eta} left";
        Progress::new(what.into(), Some(jobs as u64), template)
    }

    /// Returns the bar of an experiment, which counts ended replays.
    pub fn of_replays(what: &str, replays: usize) -> Progress {
        let template = "{wide_msg} {bar:30} {human_pos} of {human_len} replays, {eta} left";
        Progress::new(what.into(), Some(replays as u64), template)
    }

    /// Returns the bar of trials whose number is unknown.
    pub fn of_trials(what: &str) -> Progress {
        Progress::new(what.into(), None, "{wide_msg} {human_pos} trials, {elapsed}")
    }

    /// Returns the bar of a transfer, which counts bytes.
    pub fn of_bytes(what: String, total: Option<u64>) -> Progress {
        let template = match total {
            Some(_) => "{wide_msg} {bar:30} {binary_bytes} of {binary_total_bytes}, {eta} left",
            None => "{wide_msg} {binary_bytes}",
        };
        Progress::new(what, total, template)
    }

    fn new(what: String, total: Option<u64>, template: &'static str) -> Progress {
        Progress { what, total, template, began: Instant::now(), bar: OnceLock::new() }
    }

    pub fn tell(&self, done: u64) {
        if self.bar.get().is_none() && self.began.elapsed() < PATIENCE {
            return;
        }
        self.bar.get_or_init(|| self.start()).set_position(done);
    }

    fn start(&self) -> ProgressBar {
        // If standard error is not a terminal, nothing is drawn.
        let bar = ProgressBar::with_draw_target(self.total, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(self.template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(self.what.clone());
        bar.with_elapsed(self.began.elapsed())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

pub fn reading(input: Input) -> Input {
    let what = format!("reading {}", input.name());
    let mut bar = None;
    input.with_progress(move |read, total| {
        bar.get_or_insert_with(|| Progress::of_bytes(what.clone(), total)).tell(read);
    })
}
