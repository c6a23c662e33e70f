use super::*;
use crate::books::CANDIDATES;
use crate::hosts::PLACE;

#[test]
fn a_loaded_plug_in_is_an_order_by_its_name() {
    static CARRIER: Carrier = Carrier {
        contained: true,
        allowed: "always",
        name: "wasm",
        subject: "FILE",
        ends: &[".wasm"],
        summary: "",
        params: &[],
        load: |path, _, _| {
            let (path, why, there) = (path.into(), String::new(), String::new());
            Err(LoadError::Missing { path, why, there })
        },
    };
    let declared = &[ORDER, CANDIDATES, PREDICTOR, PLACE];
    let spec = crate::limits::SPEC;
    let mut policies =
        Policies::new(BuiltIn { policies: &[], in_order: spec, predicting: spec, labels: &[] });
    policies.plugins.push(Named { name: "mine".into(), carrier: &CARRIER, subject: "my.wasm#mine".into() });
    let spelled = |key: &str, value: &str| {
        policies.orders_spelled_out(declared, vec![(key.into(), value.into())]).remove(0).1
    };
    assert_eq!(spelled("order", "mine"), "(wasm:my.wasm#mine)");
    assert_eq!(spelled("candidates", "(mine:k=2)"), "(wasm:my.wasm#mine,k=2)");
    assert_eq!(spelled("predictor", "mine"), "(wasm:my.wasm#mine)");
    for (key, value) in [
        ("order", "sjf"),
        ("predictor", "last2"),
        ("order", "expr(mine)"),
        ("order", "other"),
        ("place", "mine"),
    ] {
        assert_eq!(spelled(key, value), value);
    }
}
