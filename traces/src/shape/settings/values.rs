//! Values of parameters by type.

use serde::Deserialize;
use toml::de::DeValue;

use super::Settings;
use crate::capacity::Instant;
use crate::located::{self, LocatedValue};
use crate::reading::parse_duration;
use crate::shape::error::ShapeError;
use crate::time::Time;

impl Settings<'_> {
    /// Returns a number within bounds; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn number(&self, key: &str, least: f64, most: f64) -> Result<Option<f64>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let fits = number(value).filter(|number| (least..=most).contains(number));
        fits.map(Some).ok_or_else(|| {
            let expected = match most {
                f64::INFINITY => format!("a number from {least}"),
                _ => format!("a number from {least} to {most}"),
            };
            self.wrong(key, &expected)
        })
    }

    /// Returns a positive number; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else, or to more than a million or less than a millionth.
    pub fn factor(&self, key: &str) -> Result<Option<f64>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let fits = number(value).filter(|number| (1e-6..=1e6).contains(number));
        fits.map(Some).ok_or_else(|| self.wrong(key, "a factor from 0.000001 to 1000000"))
    }

    /// Returns a whole number of at least `least`; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn whole(&self, key: &str, least: i64) -> Result<Option<i64>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let fits = whole(value).filter(|&number| number >= least);
        fits.map(Some).ok_or_else(|| self.wrong(key, &format!("a whole number from {least}")))
    }

    /// Returns two numbers in ascending order, written as `[a, b]` or `"a..b"`; `None` if not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn range(&self, key: &str) -> Result<Option<[f64; 2]>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let pair = match value.get_ref() {
            DeValue::Array(items) if items.len() == 2 => number(&items[0]).zip(number(&items[1])),
            DeValue::String(text) => text
                .split_once("..")
                .and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?))),
            _ => None,
        };
        let fits = pair.filter(|(from, to)| from.is_finite() && to.is_finite() && from <= to);
        fits.map(|(from, to)| Some([from, to]))
            .ok_or_else(|| self.wrong(key, "two numbers in ascending order, as [a, b] or \"a..b\""))
    }

    /// Returns two whole numbers `[a, b]`, each at least `least`; `None` if not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn wholes(&self, key: &str, least: i64) -> Result<Option<[i64; 2]>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let pair = match value.get_ref() {
            DeValue::Array(items) if items.len() == 2 => whole(&items[0]).zip(whole(&items[1])),
            _ => None,
        };
        let fits = pair.filter(|&(a, b)| a >= least && b >= least);
        fits.map(|(a, b)| Some([a, b]))
            .ok_or_else(|| self.wrong(key, &format!("two whole numbers [a, b] from {least}")))
    }

    /// Returns yes or no; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.wrong(key, "true or false"))
    }

    /// Returns a text; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else, or is empty.
    pub fn text(&self, key: &str) -> Result<Option<String>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
        text.map(|text| Some(text.to_owned())).ok_or_else(|| self.wrong(key, "a text in quotes"))
    }

    /// Returns one text or a list of texts; empty if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn texts(&self, key: &str) -> Result<Vec<String>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let texts: Option<Vec<String>> = match value.get_ref() {
            DeValue::String(text) => Some(vec![text.to_string()]),
            DeValue::Array(items) => {
                items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect()
            }
            _ => None,
        };
        let fits = texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| !text.is_empty()));
        fits.ok_or_else(|| self.wrong(key, "a text in quotes, or a list of them"))
    }

    /// Returns the value that a word stands for; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let given = value.get_ref().as_str();
        let meant = words.iter().find(|(word, _)| Some(*word) == given);
        meant.map(|&(_, meant)| Some(meant)).ok_or_else(|| {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            self.wrong(key, &format!("one of {}", known.join(", ")))
        })
    }

    /// Returns a duration, in seconds or as a text such as `"36h"`; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else, or is negative.
    pub fn duration(&self, key: &str) -> Result<Option<Time>, ShapeError> {
        match self.signed_duration(key) {
            Ok(Some(time)) if time < Time::ZERO => Err(self.wrong(key, A_DURATION)),
            other => other,
        }
    }

    /// Returns a duration that may be negative, as [`Settings::duration`].
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn signed_duration(&self, key: &str) -> Result<Option<Time>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        duration(value).map(Some).ok_or_else(|| self.wrong(key, A_DURATION))
    }

    /// Returns an instant; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn instant(&self, key: &str) -> Result<Option<Instant>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let read = Instant::deserialize(toml::de::ValueDeserializer::from(value.clone()));
        read.map(Some).map_err(|_| self.wrong(key, Instant::TAKES))
    }

    /// Returns a list of positive durations in ascending order; `None` if it is not set.
    ///
    /// # Errors
    /// When it is set to anything else.
    pub fn durations(&self, key: &str) -> Result<Option<Vec<Time>>, ShapeError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let times: Option<Vec<Time>> =
            value.get_ref().as_array().and_then(|items| items.iter().map(duration).collect());
        let fits = times.filter(|times| {
            times.first().is_some_and(|&first| first > Time::ZERO)
                && times.windows(2).all(|pair| pair[0] < pair[1])
        });
        fits.map(Some).ok_or_else(|| self.wrong(key, "a list of ascending times such as [\"15m\", \"4h\"]"))
    }
}

const A_DURATION: &str = "a time: seconds, or a text such as \"90s\", \"15m\", \"4h\", \"14d\", \"2w\"";

fn number(value: &LocatedValue<'_>) -> Option<f64> {
    located::number(value.get_ref())
}

fn whole(value: &LocatedValue<'_>) -> Option<i64> {
    located::integer(value.get_ref()).and_then(|number| i64::try_from(number).ok())
}

fn duration(value: &LocatedValue<'_>) -> Option<Time> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        _ => number(value)?.to_string(),
    };
    match text.strip_prefix('-') {
        Some(text) => parse_duration(text).ok().map(|time| Time::ZERO - time),
        None => parse_duration(&text).ok(),
    }
}
