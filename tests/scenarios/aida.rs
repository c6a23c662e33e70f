//! The schemes of Aida et al. 1998: sorted and searched queues, limits on waiting.

use batchlab::Registry;

#[test]
fn a_limit_prints_back_canonical() {
    let canonical = |spec| Registry::builtin().choose(spec).unwrap().canonical();
    assert_eq!(canonical("lpfs:rescan=true,waitlimit=expr(10*estimate)"), "lpfs:waitlimit=expr(10*estimate)");
}
