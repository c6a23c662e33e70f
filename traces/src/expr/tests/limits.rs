//! Deep and long texts are refused or parsed, without a crash.

use proptest::prelude::*;

use super::sample::compiled;
use crate::expr::{Expr, Problem};

fn nested(open: &str, close: &str, levels: usize) -> String {
    format!("{}1{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn nesting_ends_at_a_hundred_levels() {
    for (open, close) in [("(", ")"), ("-", ""), ("not ", ""), ("2^", ""), ("abs(", ")"), ("1+2*-3^(", ")")] {
        let levels = if open.contains("-3^") { 33 } else { 100 };
        assert!(Expr::parse(&nested(open, close, levels)).is_ok(), "{open}");
        for levels in [101, 5000] {
            let error = Expr::parse(&nested(open, close, levels)).unwrap_err();
            assert_eq!(error.problem(), &Problem::TooDeep(100), "{open}");
        }
    }
}

#[test]
fn long_chains_are_no_nesting() {
    let users: Vec<String> = (0..4000).map(|user| format!("user = {user}")).collect();
    let program = compiled(&users.join(" or ")).unwrap();
    assert_eq!(program.bools(&super::sample::trace()), [true, true, true, false]);
    assert!(compiled(&vec!["1"; 30_000].join("+")).unwrap().constant().is_some_and(|sum| sum == 30_000.0));
    let set = (0..9000).map(|user| user.to_string()).collect::<Vec<_>>().join(",");
    assert!(compiled(&format!("user in ({set})")).is_ok());
}

#[test]
fn texts_end_at_64_kib() {
    let error = Expr::parse(&" ".repeat(65_537)).unwrap_err();
    assert_eq!(error.to_string().lines().last(), Some("the expression is longer than 65536 bytes"));
    assert_eq!(Expr::parse(&" ".repeat(65_536)).unwrap_err().reason(), "expected a value, found the end");
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_fall(text in any::<String>()) {
        if let Err(error) = compiled(&text) {
            prop_assert!(text.get(error.span()).is_some());
            prop_assert!(error.to_string().contains('^') && error.position().1 > 0);
        }
    }

    #[test]
    fn no_mixture_of_words_makes_the_compiler_fall(
        words in prop::collection::vec(prop::sample::select(WORDS.split('|').collect::<Vec<_>>()), 0..20)
    ) {
        let text = words.join(" ");
        match compiled(&text) {
            Ok(program) => prop_assert_eq!(program.numbers(&super::sample::trace()).len(), 4),
            Err(error) => prop_assert!(text.get(error.span()).is_some() && !error.to_string().is_empty()),
        }
    }
}

/// Words, joined by `|`.
const WORDS: &str = "run|procs|hour|gpu|queue|\"normal\"|'x|`scratch space`|nothing|1|4h|2GB|50%|1e400|7x|(|)|,|..|+|-|\
    *|/|^|=|!=|<|<=|>|and|or|not|in|AND|&&|!|true|if(|min(|sqrt(|known(|date(|\"2006-12-18\"|\u{fc}|\
    uniform(|flurries(|share =|\n|\u{1F600}";
