//! Signals that end the program: nothing half-written stays, no child lives on, and the exit code says what happened.

use batchlab_parsers::discard_unfinished;

/// Has Ctrl-C (SIGINT), SIGTERM and SIGHUP remove unfinished files, kill the children of plug-ins with all that they have
/// started, and end the program with the code that shells report for the signal: 130, 143, 129.
///
/// A signal that is ignored stays ignored: Ctrl-C by a job in the background of a script, SIGHUP under `nohup`.
pub fn install() {
    // The program's only children are those of plug-ins.
    #[cfg(target_os = "linux")]
    batchlab_policies::external::process::adopt();
    handle();
}

/// Ends the program in the middle of whatever it does.
fn end(code: i32) -> ! {
    // Held until the end too: no replay notices that its child is gone, and no other child starts.
    #[cfg(unix)]
    let _none = batchlab_policies::external::process::kill_all();
    // Held until the end: no other thread puts a file in place any more.
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
        // Without a handler the system ends the program all the same.
        let Ok(mut signals) = Signals::new(wanted) else { return };
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                end(128 + signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
    });
}

/// Returns the mask of ignored signals, the lowest bit for signal 1; where the system does not tell, none is taken for
/// ignored.
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
