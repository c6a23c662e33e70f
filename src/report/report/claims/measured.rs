//! Numbers that were measured for a claim, and their words.

use batchlab_traces::number::group_digits;
use serde::Serialize;

use super::{Checked, ClaimPart, Steps, Verdict};
use batchlab_engine::table::Format;

/// A number that was measured for a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// What the interval says, if it is one in which further draws lie; otherwise it is that of the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<Draws>,
}

/// How a text writes the number of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// The number alone, at the first place of the claim.
    Value,
    Interval,
    /// The lowest and the highest number of all places of the claim, under the same reading.
    Range,
}

/// An interval in which the mean of further draws lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Draws {
    pub runs: u32,
    pub units: usize,
    /// The share of the cases in which it lies there.
    pub level: f64,
}

impl Measured {
    /// Returns value and interval, with the digits that the value needs.
    pub fn words(self) -> String {
        let [value, low, high] = self.numbers();
        if self.interval.is_some() { format!("{value} [{low}, {high}]") } else { value }
    }

    /// Returns value and ends, with the digits that the value needs; without an interval both ends are the value.
    pub(super) fn numbers(self) -> [String; 3] {
        let ends = self.interval.unwrap_or([self.value; 2]);
        let is_whole = [self.value, ends[0], ends[1]].iter().all(|number| number.fract() == 0.0);
        let size = if self.value == 0.0 { ends[0].abs().max(ends[1].abs()) } else { self.value.abs() };
        let before_point = if size > 0.0 { size.log10().floor() as i64 + 1 } else { 1 };
        let decimals = if is_whole { 0 } else { (DIGITS - before_point).clamp(0, 6) as usize };
        [self.value, ends[0], ends[1]].map(|number| Format::PLAIN.print(number, decimals))
    }
}

/// The digits of a measured number.
const DIGITS: i64 = 3;

/// Returns a published number with the digits that it has.
pub fn as_published(number: f64) -> String {
    let text = number.abs().to_string();
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    format!("{}{}{rest}", if number < 0.0 { "-" } else { "" }, group_digits(whole))
}

impl Checked {
    /// Returns the words of its number that was published or is asserted.
    pub fn stated_words(&self, number: f64) -> String {
        let ends = [Some(number), self.to].into_iter().flatten();
        let measured = |value| Measured { value, ..Measured::default() }.words();
        match &self.formula {
            None => ends.map(as_published).collect::<Vec<String>>().join(" to "),
            Some(of) => format!("{} ({of})", ends.map(measured).collect::<Vec<String>>().join(" to ")),
        }
    }

    /// Returns the part under the first reading that has a number, and under the first reading that holds where that is
    /// another one.
    pub fn measured_parts(&self) -> Vec<&ClaimPart> {
        let of = |reading: Option<&str>| {
            let is_it = |part: &&ClaimPart| {
                part.measured.is_some() && (reading.is_none() || part.reading.as_deref() == reading)
            };
            self.parts.iter().find(is_it)
        };
        let Some(default) = of(None) else { return Vec::new() };
        let readings = self.survival.iter().flat_map(|survival| &survival.readings);
        let mut readings = readings.skip_while(|(name, _)| default.reading.as_ref() != Some(name));
        let holds = match readings.next() {
            Some((_, Verdict::Holds)) | None => None,
            Some(_) => self.survival.as_ref().and_then(|of| of.under(Verdict::Holds).first().copied()),
        };
        [Some(default), holds.and_then(|name| of(Some(name)))].into_iter().flatten().collect()
    }

    /// Returns the lowest and the highest number of the places with the reading of one; `None` if that is the only place.
    fn range(&self, of: &ClaimPart) -> Option<String> {
        let places = self.parts.iter().filter(|part| part.reading == of.reading);
        let values: Vec<f64> = places.filter_map(|part| Some(part.measured?.value)).collect();
        let [low, high] =
            [values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?];
        let [low, high] = [low, high].map(|value| Measured { value, ..Measured::default() }.words());
        (values.len() > 1).then(|| format!("{low} to {high}"))
    }

    /// Returns what was measured, under the first reading and under one that holds; `None` if it is about no number.
    pub fn measured_words(&self) -> Option<String> {
        let word = |part: &&ClaimPart| part.measured.map(Measured::words).unwrap_or_default();
        match &self.measured_parts()[..] {
            [] => None,
            [default] => Some(word(default)),
            [default, holds, ..] => Some(format!(
                "{} (default), {} ({})",
                word(default),
                word(holds),
                holds.reading.as_deref().unwrap_or_default()
            )),
        }
    }

    /// Returns what a text says in the place of the claim: the measured value under the default reading, and under one that
    /// holds if only others do; or else how many of its places or parts are as claimed, or else the verdict.
    pub fn in_a_text(&self, form: NumberForm) -> String {
        let word = |part: &ClaimPart| {
            let measured = part.measured.unwrap_or_default();
            let alone = Measured { interval: None, ..measured };
            match form {
                NumberForm::Value => alone.words(),
                NumberForm::Interval => measured.words(),
                NumberForm::Range => self.range(part).unwrap_or_else(|| alone.words()),
            }
        };
        match self.measured_parts()[..] {
            [] => {}
            [default] => return word(default),
            [default, holds, ..] => {
                let reading = holds.reading.as_deref().unwrap_or_default();
                return format!("{} ({} under {reading})", word(default), word(holds));
            }
        }
        let steps: Option<Vec<Steps>> = self.parts.iter().map(|part| part.steps).collect();
        let counted = steps.and_then(|steps| Steps::over(&steps));
        counted
            .or_else(|| self.parts.iter().find_map(|part| part.counted.clone()))
            .unwrap_or_else(|| self.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_three_digits_and_its_interval_as_many_decimals() {
        let words = |value: f64, interval| Measured { value, interval, draws: None }.words();
        assert_eq!(words(0.8333, Some([0.6111, 1.1199])), "0.833 [0.611, 1.120]");
        assert_eq!(words(2.0, Some([0.115, 28.7136])), "2.00 [0.12, 28.71]");
        assert_eq!(words(44272.4, Some([39000.5, 50000.5])), "44,272 [39,000, 50,000]");
        assert_eq!(words(0.0, Some([-4.968, 4.968])), "0.00 [-4.97, 4.97]");
        assert_eq!(words(12.0, None), "12");
        assert_eq!(as_published(0.64), "0.64");
        assert_eq!(as_published(-44272.0), "-44,272");
    }

    #[test]
    fn a_range_has_the_ends_of_the_places_with_the_same_reading() {
        let part = |value: f64, reading: &str| ClaimPart {
            measured: Some(Measured { value, ..Measured::default() }),
            reading: Some(reading.into()),
            ..ClaimPart::new(String::new(), Verdict::Holds, String::new())
        };
        let said = |parts| Checked { parts, ..Checked::default() }.in_a_text(NumberForm::Range);
        assert_eq!(said(vec![part(1.5, "a"), part(0.5, "a"), part(9.0, "b")]), "0.500 to 1.50");
        assert_eq!(said(vec![part(1.5, "a"), part(9.0, "b")]), "1.50");
    }
}
