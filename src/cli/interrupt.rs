//! Ctrl-C: nothing half-written stays, no child lives on, and the exit code says what happened.

use batchlab_parsers::discard_unfinished;

/// What shells report for a program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Has Ctrl-C remove unfinished files, kill the children of plug-ins and end the program with code 130.
///
/// Where the interrupt is ignored (a job in the background of a script), it stays ignored.
pub fn install() {
    let handler = || {
        // Held until the end too: no replay notices that its child is gone, and no other child starts.
        #[cfg(unix)]
        let _none = batchlab_policies::external::process::kill_all();
        // Held until the end: no other thread puts a file in place any more.
        let _still = discard_unfinished();
        std::process::exit(INTERRUPTED);
    };
    // Without a handler the system ends the program all the same.
    let _ = ctrlc::try_set_handler(handler);
}
