//! Tests of processes that a child starts and that leave its process group: daemons, new sessions, orphans.

use super::signals::{WAITS, is_ignored, signalled};
use super::{MARK, folder, none_left, python, run};

/// Starts processes that outlive their parents: in the child's group, in a new session, as daemons, and one
/// without the marking environment variable.
const DAEMONS: &str = include_str!("daemons.py");

fn daemons() -> String {
    DAEMONS.replace("MARK", MARK)
}

#[test]
fn every_descendant_ends_with_its_conversation() {
    if !python() {
        return;
    }
    let folder = folder(&format!("greet()\n{}say({{'ready': True}})\nfcfs()\n", daemons()));
    let spec = "exec:(python3 child.py),timeout=60s";
    let twin = "exec:(python3 child.py twin),timeout=60s";
    run(&folder, &["replay", "a.swf", "-q", "--threads", "2", "--policy", spec, "--policy", twin])
        .succeeded();
    none_left(&folder);
}

/// A conversation ends its own descendants, but not those of another conversation that continues.
#[test]
fn the_descendants_of_another_conversation_live_on() {
    if !python() {
        return;
    }
    // The slow child checks its daemon once the quick one has ended, and fails if the daemon is gone.
    let slow = include_str!("two.py");
    let folder = folder(slow);
    let (quick, slow) = ("exec:(python3 child.py),timeout=60s", "exec:(python3 child.py slow),timeout=60s");
    run(&folder, &["replay", "a.swf", "-q", "--threads", "2", "--policy", slow, "--policy", quick])
        .succeeded();
    none_left(&folder);
}

#[test]
fn a_signal_ends_every_descendant() {
    if !python() {
        return;
    }
    let child = format!("{}{WAITS}while True: time.sleep(1000)\n", daemons());
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(signal) {
            continue;
        }
        // The replay, its child and four processes that the child started.
        assert_eq!(signalled(&child, signal, 6).code(), Some(code), "{signal}");
    }
}
