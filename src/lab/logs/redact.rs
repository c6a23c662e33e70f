//! `--redact`: pseudonyms in the place of names, in all that the program prints and writes.
//!
//! It is a property of the process, like the handling of Ctrl-C: no verb can forget it, and logs that an experiment, a change or
//! a step reads are redacted, too. Names are replaced where a log is read by a verb that matches none of them ([`read()`]), where
//! a scenario has been matched with limits, calendars and associations (`ScenarioArgs`), and in messages ([`message`]).

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use batchlab_parsers::Explanation;
use batchlab_traces::redact::{HIDDEN, Pseudonyms, is_number};
use batchlab_traces::{Header, Trace};

pub const HELP: &str =
    "Replace names of users, groups, accounts and reservations by pseudonyms, and hide what messages quote";

pub const LONG_HELP: &str = "\
Replace names of users, groups, accounts and reservations by pseudonyms (user3 is the user whose number is 3 in every \
output), and hide e-mail addresses and what findings and errors quote of files. Results stay the same. Texts of your own \
stay as they are: names of files, options, labels, experiments";

static IS_ON: AtomicBool = AtomicBool::new(false);

pub fn switch_on() {
    IS_ON.store(true, Ordering::Relaxed);
}

pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Returns the pseudonyms of a log's names, if they are to be replaced.
pub fn names(header: &Header) -> Option<Pseudonyms> {
    is_on().then(|| Pseudonyms::of(header))
}

/// Hides the texts of the columns that hold no numbers.
pub fn explained(explanation: &mut Explanation) {
    let cells = explanation.lines.iter_mut().flat_map(|line| &mut line.cells);
    for cell in cells.filter(|cell| is_on() && !is_number(&cell.text)) {
        cell.text = HIDDEN.into();
    }
}

/// Replaces the names of a log that nothing will be matched with.
pub fn read(trace: &mut Trace) {
    if let Some(names) = names(&trace.header) {
        names.redact(trace);
    }
}

/// Hides what an error quotes.
pub fn message(text: &str) -> Cow<'_, str> {
    if !is_on() {
        return text.into();
    }
    let redacted = Pseudonyms::default().message(text);
    if redacted == text {
        redacted.into()
    } else {
        (redacted + "\nhelp: without --redact this quotes what is wrong").into()
    }
}
