//! Policies that each break one rule.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use batchlab::policies::external::Fault;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::spec::{BuildError, ParamKind, ParamSpec};
use batchlab::policies::{Event, Needs, Policy, PolicySpec, Turn};
use batchlab::traces::{Citation, JobId};

type Decided = Result<(), PolicyError>;

struct Script<D, F>(D, F);

impl<D: FnMut(&mut Turn<'_>) -> Decided + Send, F: FnMut() -> Decided + Send> Policy for Script<D, F> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Decided {
        (self.0)(turn)
    }

    fn finish(&mut self) -> Decided {
        (self.1)()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "what builds a policy may fail")]
fn script(
    decide: impl FnMut(&mut Turn<'_>) -> Decided + Send + 'static,
) -> Result<Box<dyn Policy>, BuildError> {
    Ok(Box::new(Script(decide, || Ok(()))))
}

/// Starts every job that fits, in the order of submission or its reverse.
fn start_all(turn: &mut Turn<'_>, backwards: bool) -> Decided {
    let mut waiting: Vec<JobId> = turn.waiting().collect();
    if backwards {
        waiting.reverse();
    }
    for job in waiting {
        if turn.fits(job) {
            turn.start(job)?;
        }
    }
    Ok(())
}

pub const GREEDY: PolicySpec = PolicySpec {
    name: "greedy",
    family: "wrong",
    summary: "starts every job as it comes, whether it fits or not",
    cite: Citation::foreign("this test"),
    rule: "",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| {
        script(|turn| {
            let waiting: Vec<JobId> = turn.waiting().collect();
            waiting.into_iter().try_for_each(|job| turn.start(job).map(|_| ()).map_err(PolicyError::from))
        })
    },
};

pub const IDLE: PolicySpec =
    PolicySpec { name: "idle", summary: "starts no job", build: |_, _| script(|_| Ok(())), ..GREEDY };

pub const NERVOUS: PolicySpec = PolicySpec {
    name: "nervous",
    summary: "panics when three wait",
    build: |_, _| {
        script(|turn| {
            assert!(turn.waiting().count() < 3, "too many wait");
            start_all(turn, false)
        })
    },
    ..GREEDY
};

static MADE: AtomicUsize = AtomicUsize::new(0);

pub const FICKLE: PolicySpec = PolicySpec {
    name: "fickle",
    summary: "serves the queue backwards in every second replay of the process",
    build: |_, _| {
        let backwards = MADE.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        script(move |turn| start_all(turn, backwards))
    },
    ..GREEDY
};

static HOME: Mutex<Option<ThreadId>> = Mutex::new(None);

pub const ATTACHED: PolicySpec = PolicySpec {
    name: "attached",
    summary: "serves the queue backwards on all threads but the first that it saw",
    build: |_, _| {
        let here = thread::current().id();
        let away = *HOME.lock().unwrap().get_or_insert(here) != here;
        script(move |turn| start_all(turn, away))
    },
    ..GREEDY
};

/// Time for which each job had run when it was last seen, by number.
static SEEN: Mutex<Option<HashMap<i64, i64>>> = Mutex::new(None);

pub const MINDFUL: PolicySpec = PolicySpec {
    name: "mindful",
    summary: "starts first what ran shortest in the last replay",
    build: |_, _| {
        let known = SEEN.lock().unwrap().clone().unwrap_or_default();
        script(move |turn| {
            for event in turn.events() {
                if let Event::Finished(job) = *event {
                    let ran = turn.executed(job).ticks();
                    SEEN.lock().unwrap().get_or_insert_default().insert(turn.job(job).number(), ran);
                }
            }
            let mut waiting: Vec<JobId> = turn.waiting().collect();
            waiting.sort_by_key(|&job| known.get(&turn.job(job).number()).copied());
            for job in waiting {
                if turn.fits(job) {
                    turn.start(job)?;
                }
            }
            Ok(())
        })
    },
    ..GREEDY
};

pub const SULKY: PolicySpec = PolicySpec {
    name: "sulky",
    summary: "is never content at the end",
    build: |_, _| {
        let sulk = || Err(PolicyError::Failed("it was no good".into()));
        Ok(Box::new(Script(|turn: &mut Turn<'_>| start_all(turn, false), sulk)))
    },
    ..GREEDY
};

pub const CHOOSY: PolicySpec = PolicySpec {
    name: "choosy",
    summary: "declines every setting",
    needs: Needs::NONE,
    build: |_, _| Err(BuildError::Unfit("it is never the right day".into())),
    ..GREEDY
};

static ASKED: AtomicUsize = AtomicUsize::new(0);

pub const WAVERING: PolicySpec = PolicySpec {
    name: "wavering",
    summary: "declines every second time",
    build: |_, _| {
        if ASKED.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            script(|turn| start_all(turn, false))
        } else {
            Err(BuildError::Unfit("not now".into()))
        }
    },
    ..GREEDY
};

pub const HALF: PolicySpec = PolicySpec {
    name: "half",
    summary: "declares a word that it does not know what to do with",
    params: &[ParamSpec {
        name: "how",
        kind: ParamKind::Choice(&["now", "later"]),
        default: "now",
        help: "when to start jobs",
        ..ParamSpec::PLAIN
    }],
    build: |params, _| {
        let now = params.text("how") == "now";
        script(move |turn| if now { start_all(turn, false) } else { Ok(()) })
    },
    ..GREEDY
};

pub const MODEST: PolicySpec = PolicySpec {
    name: "modest",
    summary: "gives up, as plug-ins do, where there is more than processors",
    build: |_, setting| match setting.machine.kinds() {
        1 => script(|turn| start_all(turn, false)),
        _ => Err(fault(Fault::GaveUp("it counts processors only".into()))),
    },
    ..GREEDY
};

pub const FRAIL: PolicySpec = PolicySpec {
    name: "frail",
    summary: "breaks down, as plug-ins do, when it is begun",
    build: |_, _| Err(fault(Fault::Trapped { during: "init", why: "unreachable".into() })),
    ..GREEDY
};

fn fault(fault: Fault) -> BuildError {
    BuildError::Fault { policy: "this".into(), fault }
}
