use super::*;
use crate::spec::ParamKind;
use crate::words;

const PREDICTOR: ParamSpec = ParamSpec {
    name: "predictor",
    kind: ParamKind::Predictor { words: &["none"], share: "quantile" },
    default: "none",
    ..ParamSpec::PLAIN
};

const DECLARED: &[ParamSpec] = &[
    ParamSpec {
        name: "variant",
        kind: ParamKind::Choice(&["compress", "replan"]),
        default: "compress",
        help: "",
        ..ParamSpec::PLAIN
    },
    ParamSpec {
        name: "k",
        kind: ParamKind::Count { least: 1, infinite: true },
        default: "1",
        ..ParamSpec::PLAIN
    },
    ParamSpec { name: "threshold", kind: ParamKind::Duration, default: "none", ..ParamSpec::PLAIN },
    ParamSpec {
        name: "factor",
        kind: ParamKind::NumberOr { least: 1.0, words: &["inf", "adaptive"] },
        default: "2",
        help: "",
        ..ParamSpec::PLAIN
    },
];

fn check(text: &str) -> Result<Params, ParamError> {
    let spec: SpecText = text.parse().unwrap();
    Params::check("test", DECLARED, &spec.pairs)
}

#[test]
fn the_canonical_form_leaves_defaults_out_and_keeps_the_declared_order() {
    let params = check("test:threshold=20h,k=1,variant=replan").unwrap();
    assert_eq!(params.canonical("test", DECLARED), "test:variant=replan,threshold=20h");
    assert_eq!(params.duration("threshold"), Some(Time::from_secs(72_000)));
    assert_eq!(check("test:k=inf").unwrap().count("k"), None);
}

#[test]
fn a_value_is_read_as_what_it_names() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Further {
        Never,
        Adaptive,
    }
    words!(Further { Never = "inf", Adaptive = "adaptive" });
    let params = check("test:factor=adaptive,k=3").unwrap();
    assert_eq!(params.named(&DECLARED[3]), Some(Further::Adaptive));
    assert_eq!(check("test:factor=3").unwrap().named::<Further>(&DECLARED[3]), None);
    assert_eq!(params.entry("variant", &["replan", "compress"], |word| word), Some(&"compress"));
    assert_eq!(params.entry("variant", &["replan"], |word| word), None);
    assert_eq!((params.share(&PREDICTOR), params.share(&DECLARED[3])), (None, None));
    assert!(!params.are_equal(&DECLARED[1], &DECLARED[2]) && params.are_equal(&DECLARED[1], &DECLARED[1]));
    assert_eq!(params.unfit("k", "it is too many").to_string(), "`k=3`: it is too many");
    let spec: SpecText = "test:predictor=quantile:0.25".parse().unwrap();
    assert_eq!(Params::check("test", &[PREDICTOR], &spec.pairs).unwrap().share(&PREDICTOR), Some(0.25));
}

#[test]
fn a_parameter_has_other_names() {
    const PLACED: &[ParamSpec] = &[ParamSpec {
        name: "place",
        kind: ParamKind::Choice(&["first-fit", "dot"]),
        default: "first-fit",
        ..ParamSpec::PLAIN
    }];
    let check = |text: &str| {
        let spec: SpecText = text.parse().unwrap();
        Params::check("test", PLACED, &spec.pairs)
    };
    assert_eq!(check("test:host=dot").unwrap().canonical("test", PLACED), "test:place=dot");
    let twice = check("test:host=dot,place=dot").unwrap_err().to_string();
    assert_eq!(twice, "`host` and `place` are names of one parameter; give it once");
    let undeclared = Params::check("test", DECLARED, &[("host".into(), "dot".into())]);
    assert!(matches!(undeclared, Err(ParamError::Unknown { .. })));
}

#[test]
fn wrong_keys_and_values_suggest_the_nearest() {
    let error = |text| check(text).unwrap_err().to_string();
    assert_eq!(
        error("test:treshold=1"),
        "`test` has no parameter `treshold` (did you mean `threshold`?); it has: variant, k, threshold, factor"
    );
    assert_eq!(
        error("test:variant=compact"),
        "`variant=compact`: variant takes one of compress, replan (did you mean `compress`?)"
    );
    assert_eq!(error("test:k=0"), "`k=0`: k takes a whole number from 1, or inf");
    let number = "factor takes a number from 1, or inf, or adaptive";
    assert_eq!(error("test:factor=0.5"), format!("`factor=0.5`: {number}"));
    assert_eq!(error("test:factor=nan"), format!("`factor=nan`: {number}"));
    assert_eq!(error("test:factor=infinity"), format!("`factor=infinity`: {number}"));
}

#[test]
fn a_number_may_be_a_word() {
    let number = |text: &str| check(text).unwrap().number("factor");
    assert_eq!((number("test"), number("test:factor=1.5")), (Some(2.0), Some(1.5)));
    assert_eq!((number("test:factor=inf"), number("test:factor=adaptive")), (Some(f64::INFINITY), None));
}

/// What the parameter `variant` means.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Variant {
    Compress,
    Replan,
}

words!(Variant { Compress = "compress", Replan = "replan" });

#[test]
fn a_word_is_a_value() {
    let variant = |text: &str| check(text).unwrap().word::<Variant>(&DECLARED[0]);
    assert_eq!(variant("test:variant=replan"), Ok(Variant::Replan));
    assert_eq!(variant("test"), Ok(Variant::Compress));
    let undeclared = Params::check("test", &[], &[]).unwrap();
    assert_eq!(undeclared.word(&DECLARED[0]), Ok(Variant::Compress));
    assert_eq!(undeclared.is(&DECLARED[0], "replan"), Ok(false));
    assert!(!undeclared.has(&DECLARED[0]));
}

#[test]
fn a_word_without_a_value_is_an_error_that_names_parameter_and_choices() {
    let params = check("test:variant=replan").unwrap();
    let error = |found: Result<bool, ParamError>| found.unwrap_err().to_string();
    assert_eq!(
        error(params.is(&DECLARED[0], "replann")),
        "`variant=replann`: variant takes one of compress, replan (did you mean `replan`?)"
    );
    assert_eq!(error(params.is_on(&DECLARED[0])), "`variant=replan`: variant takes one of true, false");
    let factor = params.word::<Variant>(&DECLARED[3]).unwrap_err().to_string();
    assert_eq!(factor, "`factor=2`: factor takes one of compress, replan");
}

#[test]
fn a_span_is_a_time_above_zero_or_a_word() {
    const SLICED: &[ParamSpec] = &[ParamSpec {
        name: "slice",
        kind: ParamKind::Span { words: &["inf"] },
        default: "200",
        ..ParamSpec::PLAIN
    }];
    let check = |value: &str| Params::check("test", SLICED, &[("slice".into(), value.into())]);
    assert_eq!(check("3h").unwrap().duration("slice"), Some(Time::from_secs(10_800)));
    assert_eq!(check("inf").unwrap().duration("slice"), None);
    for wrong in ["0", "none", "-1", "soon"] {
        let error = check(wrong).unwrap_err().to_string();
        let taken = "slice takes a time above 0 such as 200, 10min, 3h, or inf";
        assert_eq!(error, format!("`slice={wrong}`: {taken}"));
    }
}
