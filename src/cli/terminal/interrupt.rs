//! Signals that end the program: it leaves no half-written file and no child process, and its exit code names
//! the signal.

use batchlab_parsers::discard_unfinished;

/// Installs handlers for Ctrl-C (SIGINT), SIGTERM and SIGHUP that remove unfinished files, kill the children
/// of plug-ins with all their descendants, and end the program with the code that shells report for the
/// signal: 130, 143, 129.
///
/// A signal that is ignored stays ignored: Ctrl-C for a background job of a script, SIGHUP under `nohup`.
pub fn install() {
    // The only children of the program are those of plug-ins.
    #[cfg(target_os = "linux")]
    batchlab_policies::external::process::adopt();
    handle();
}

fn end(code: i32) -> ! {
    // Held until the end, so that no replay notices that its child is gone, and no other child starts.
    #[cfg(unix)]
    let _none = batchlab_policies::external::process::kill_all();
    // Held until the end, so that no other thread completes a file.
    let _still = discard_unfinished();
    std::process::exit(code)
}

#[cfg(unix)]
fn handle() {
    use std::sync::Once;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        // Without a handler the system still ends the program.
        let Ok(mut signals) = Signals::new(wanted) else { return };
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                end(128 + signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
    });
}

/// Returns the mask of ignored signals, with the lowest bit for signal 1; if the system does not report it,
/// no signal counts as ignored.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn handle() {
    let _ = ctrlc::try_set_handler(|| end(130));
}
