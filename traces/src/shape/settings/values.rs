//! Values that steps have in common.

use toml::Value;

use crate::located::values::{length, number, value_of_toml};
use crate::time::Time;

/// Declares types of numbers within bounds, each with what it accepts.
macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident: $range:expr, $expected:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(in crate::shape) struct $name(pub f64);

        $crate::value_of_toml!($name, $expected, |value| {
            $crate::located::values::number(value).filter(|number| ($range).contains(number)).map($name)
        });
    )*};
}
pub(in crate::shape) use numbers;

/// Declares enums whose variants parameters name in lower case; the first variant is the default.
macro_rules! choices {
    ($($(#[$meta:meta])* $vis:vis $name:ident: $default:ident $(| $other:ident)+);+ $(;)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        $vis enum $name {
            #[default]
            $default,
            $($other,)+
        }
    )+};
}
pub(in crate::shape) use choices;

numbers! {
    Factor: 1e-6..=1e6, "a factor from 0.000001 to 1000000";
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::shape) struct Range(pub [f64; 2]);

value_of_toml!(Range, "two numbers in ascending order, as [a, b] or \"a..b\"", |value| {
    let (from, to): (f64, f64) = match value {
        Value::Array(items) if items.len() == 2 => number(&items[0]).zip(number(&items[1]))?,
        Value::String(text) => {
            let (from, to) = text.split_once("..")?;
            (from.trim().parse().ok()?, to.trim().parse().ok()?)
        }
        _ => return None,
    };
    (from.is_finite() && to.is_finite() && from <= to).then_some(Range([from, to]))
});

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::shape) struct Signed(pub Time);

value_of_toml!(
    Signed,
    "a length of time: a number of seconds, or a text such as \"7d\" or \"-36h\"",
    |value| {
        let back = match value {
            Value::String(text) => text.trim().strip_prefix('-').map(|text| Value::String(text.into())),
            other => number(other).filter(|&seconds| seconds < 0.0).map(|seconds| Value::Float(-seconds)),
        };
        match back {
            Some(back) => length(&back).map(|time| Signed(Time::ZERO - time)),
            None => length(value).map(Signed),
        }
    }
);

/// One word, which may be the name of a column.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::shape) struct Word(pub String);

value_of_toml!(Word, "one word without `=`", |value| {
    let word = value.as_str()?.trim();
    let plain = |word: &str| !word.contains(|letter: char| letter.is_whitespace() || letter == '=');
    (!word.is_empty() && plain(word)).then(|| Word(word.to_owned()))
});
