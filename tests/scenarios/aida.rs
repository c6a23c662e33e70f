//! The schemes of Aida et al. 1998: sorted and searched queues, limits on waiting.

use batchlab::Registry;
use batchlab::policies::spec::Setting;
use batchlab::traces::Machine;

#[test]
fn values_that_a_limit_must_not_use_are_refused_with_the_reason() {
    let machine = Machine::pool(4).unwrap();
    let refused = |spec: &str| {
        let chosen = Registry::builtin().choose(spec).map_err(|error| error.to_string())?;
        chosen.build(&Setting::new(&machine)).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(
        refused("fpfs:waitlimit=expr(run)").unwrap_err(),
        "`waitlimit=expr(run)`: `run` cannot be used here: a policy cannot see what happens after its decision; it \
         knows `estimate`"
    );
    for (expression, reason) in [
        ("wait", "has not waited yet"),
        ("hour", "the log does not say when its zero was"),
        ("procs>2", "is a condition"),
        ("estimate*estimate", "a limit on waiting is a time, and this is"),
        ("10*estimat", "did you mean `estimate`"),
        ("10*", ""),
    ] {
        let error = refused(&format!("fpfs:waitlimit=expr({expression})")).unwrap_err();
        assert!(error.contains(reason), "{expression}: {error}");
    }
    assert_eq!(
        refused("mpfs:waitlimit=soon").unwrap_err(),
        "`waitlimit=soon`: waitlimit takes a time such as 600, 10min, none, or expr(...) as in expr(10*estimate)"
    );
    let canonical = |spec| Registry::builtin().choose(spec).unwrap().canonical();
    assert_eq!(canonical("lpfs:rescan=true,waitlimit=expr(10*estimate)"), "lpfs:waitlimit=expr(10*estimate)");
}
