//! Whether a policy works wherever it declares that it does.

use super::Check;
use crate::conform::attempt::Miss;

pub const CHECK: Check = Check {
    name: "needs",
    what: "it can be built for a case, or says why not, the same way each time; and there are cases for \
        which it can be built",
    how: "made twice for each case, up to eight for which it can be; reasons to decline are counted, not taken \
          for faults",
    run: |suite, tally| {
        for case in suite.cases {
            let made = tally.held();
            tally.each(suite.chosen, [case], |chosen, play| {
                let [once, again] = [(); 2].map(|()| play.build(chosen).map(|_| ()));
                if once == again { once } else { Err(Miss::Broken(parted(once, again))) }
            });
            if tally.failed() || made == ENOUGH {
                return;
            }
        }
        if tally.held() == 0 {
            let last = tally.last_reason().unwrap_or("there are no cases").to_owned();
            let none = format!("it can be made for none of {} cases: {last}", suite.cases.len());
            tally.fail(none, suite.chosen, suite.cases.first());
        }
    },
};

/// The number of cases for which it can be built after which no more are tried.
const ENOUGH: usize = 8;

fn parted(once: Result<(), Miss>, again: Result<(), Miss>) -> String {
    let words = |made| match made {
        Ok(()) => "it can be made".to_owned(),
        Err(Miss::Skipped(why) | Miss::Broken(why) | Miss::Spent(why)) => why,
    };
    format!("made twice for one case: {}; then: {}", words(once), words(again))
}
