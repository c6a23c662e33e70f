//! The tokens of an expression, and their positions in the text.

use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::error::{Error, ErrorKind};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use super::error::{ExprError, Problem, repeated};
use super::unit::{ExprUnit, UNITS};
use crate::nearest::nearest;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64, Option<&'static ExprUnit>),
    Word(&'a str),
    /// A name in backquotes.
    Column(&'a str),
    /// A text in double or single quotes.
    Text(&'a str),
    Symbol(&'a str),
}

#[derive(Clone, Debug)]
pub(super) struct Lexeme<'a> {
    pub(super) token: Token<'a>,
    pub(super) span: Range<usize>,
}

/// The most bytes of a text.
pub(super) const LONGEST: usize = 65_536;

/// Spellings of other languages, and their spelling here.
const FOREIGN: [(&str, &str); 14] = [
    ("&&", "`and`"),
    ("&", "`and`"),
    ("||", "`or`"),
    ("|", "`or`"),
    ("!", "`not`"),
    ("~", "`not`"),
    ("**", "`^`"),
    ("=<", "`<=`"),
    ("=>", "`>=`"),
    ("\u{2264}", "`<=`"),
    ("\u{2265}", "`>=`"),
    ("\u{2260}", "`!=`"),
    ("\u{d7}", "`*`"),
    ("%", "7% for hundredths, a - b * floor(a / b) for a remainder"),
];

/// A token as cut, before its number is read and its unit looked up.
#[derive(Clone, Copy)]
enum Raw<'a> {
    Number { digits: &'a str, unit: &'a str },
    Token(Token<'a>),
    Foreign(&'a str),
    Unclosed(char),
}

/// Splits a text into tokens. O(length).
pub(super) fn tokens(text: &str) -> Result<Vec<Lexeme<'_>>, ExprError> {
    if text.len() > LONGEST {
        return Err(ExprError::new(text, 0..0, Problem::TooLong(LONGEST)));
    }
    let mut lexemes = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let Ok((behind, raw)) = raw(rest) else {
            if let Some(name) = name_with_colon(text, start, lexemes.last()) {
                return Err(ExprError::new(text, name.clone(), Problem::Name(repeated(&text[name]))));
            }
            let other = rest.chars().next().unwrap_or_default();
            let span = start..start + other.len_utf8();
            return Err(ExprError::new(text, span, Problem::Character(other)));
        };
        let span = start..text.len() - behind.len();
        let token = token(raw, &span).map_err(|(span, problem)| ExprError::new(text, span, problem))?;
        lexemes.push(Lexeme { token, span });
        rest = behind.trim_start();
    }
    Ok(lexemes)
}

/// Returns the name that contains the colon directly after a word, such as `gpu:a100`.
fn name_with_colon(text: &str, colon: usize, last: Option<&Lexeme<'_>>) -> Option<Range<usize>> {
    let word = last.filter(|last| matches!(last.token, Token::Word(_)) && last.span.end == colon)?;
    let behind = text[colon..].strip_prefix(':')?;
    let end = behind.find(|c| !(is_name(c) || c == ':')).unwrap_or(behind.len());
    (end > 0).then(|| word.span.start..colon + 1 + end)
}

fn token<'a>(raw: Raw<'a>, span: &Range<usize>) -> Result<Token<'a>, (Range<usize>, Problem)> {
    match raw {
        Raw::Token(token) => Ok(token),
        Raw::Unclosed(quote) => Err((span.start..span.start + 1, Problem::Unclosed(quote))),
        Raw::Foreign(given) => {
            let right = FOREIGN.iter().find(|(foreign, _)| *foreign == given).map_or("", |found| found.1);
            Err((span.clone(), Problem::Foreign { given: given.into(), right }))
        }
        Raw::Number { digits, unit } => {
            let number = digits.replace('_', "").parse::<f64>().unwrap_or(f64::INFINITY);
            let found = ExprUnit::find(unit);
            if !unit.is_empty() && found.is_none() {
                let names = UNITS.iter().map(|unit| unit.name);
                let alike = names.clone().find(|name| name.eq_ignore_ascii_case(unit));
                let problem =
                    Problem::Unit { given: repeated(unit), nearest: alike.or(nearest(unit, names)) };
                return Err((span.end - unit.len()..span.end, problem));
            }
            if !found.map_or(number, |unit| unit.value(number)).is_finite() {
                return Err((span.clone(), Problem::TooLarge));
            }
            Ok(Token::Number(number, found))
        }
    }
}

fn raw(input: &str) -> IResult<&str, Raw<'_>> {
    let word = take_while1(is_name).map(|name| Raw::Token(Token::Word(name)));
    alt((number, word, quoted, symbol, foreign)).parse(input)
}

/// Cuts digits with `_` between them, decimals, an exponent; then the unit.
fn number(input: &str) -> IResult<&str, Raw<'_>> {
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    let decimals = || preceded(char('.'), digits);
    let whole = (digits, opt(decimals())).map(|_| ());
    let digits = recognize((alt((whole, decimals().map(|_| ()))), opt(exponent)));
    let unit = alt((tag("%"), take_while(is_name)));
    (digits, unit).map(|(digits, unit)| Raw::Number { digits, unit }).parse(input)
}

fn digits(input: &str) -> IResult<&str, &str> {
    recognize((digit1, take_while(|c: char| c.is_ascii_digit() || c == '_'))).parse(input)
}

fn quoted(input: &str) -> IResult<&str, Raw<'_>> {
    let between = |quote: char| delimited(char(quote), take_while(move |c| c != quote), char(quote));
    let closed = alt((
        between('"').map(|text| Raw::Token(Token::Text(text))),
        between('\'').map(|text| Raw::Token(Token::Text(text))),
        between('`').map(|name| Raw::Token(Token::Column(name))),
    ));
    alt((closed, one_of("\"'`").map(Raw::Unclosed))).parse(input)
}

fn symbol(input: &str) -> IResult<&str, Raw<'_>> {
    // The longest first, and before them similar tokens of other languages.
    let foreign = alt((tag("**"), tag("=<"), tag("=>"))).map(Raw::Foreign);
    let two = alt((tag(".."), tag("<="), tag(">="), tag("=="), tag("!="), tag("<>")));
    let one = recognize(one_of("+-*/^=<>(),"));
    alt((foreign, alt((two, one)).map(|symbol| Raw::Token(Token::Symbol(symbol))))).parse(input)
}

fn foreign(input: &str) -> IResult<&str, Raw<'_>> {
    for (given, _) in FOREIGN {
        if let Some(behind) = input.strip_prefix(given) {
            return Ok((behind, Raw::Foreign(&input[..given.len()])));
        }
    }
    Err(nom::Err::Error(Error::new(input, ErrorKind::Tag)))
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
