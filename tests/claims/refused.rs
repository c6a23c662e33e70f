//! Tests that invalid claims are refused, with their line, before anything runs.

use super::read;
use crate::lab::cases;

#[test]
fn errors_are_reported_with_their_line() {
    for (text, expected) in cases("claims") {
        let error = read(text).map(|_| ()).unwrap_err();
        assert!(error.starts_with("e.toml:") && error.contains(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn two_claims_have_two_names() {
    let claim = "name = \"one\"\nmetric = \"mean_wait\"\norder = [\"EASY\", \"SJF\"]\n";
    let twice = format!("{claim}[[claim]]\nsays = \"more\"\n{claim}");
    assert!(read(&twice).unwrap_err().contains("there are two claims `one`"));
    let unnamed = twice.replace("name = \"one\"\n", "");
    assert_eq!(
        read(&unnamed).unwrap().iter().map(|claim| claim.name.as_str()).collect::<Vec<_>>(),
        ["claim-1", "claim-2"]
    );
}
