//! Parses an irregular line token by token, with a finding for each anomaly.

use batchlab_traces::field::FIELDS;
use batchlab_traces::notation::decimal::{Decimal, DecimalError, decimal};
use batchlab_traces::notation::whole;
use batchlab_traces::{Field, Number, Record, Refusal};

use crate::lines::{End, Line};
use crate::reporter::Reporter;
use crate::swf::identities::{Identities, is_identity, several};
use crate::swf::kinds;

/// Parses any line; `false` if it is not a record.
pub(super) fn careful(
    line: &Line<'_>,
    record: &mut Record,
    identities: &mut Identities,
    reporter: &mut Reporter<'_>,
) -> Result<bool, Refusal> {
    let expected = FIELDS + record.extra.len();
    let count = tokens(line.bytes).count();
    let torn = line.end == End::File && count < expected;
    let readable = if torn { count - 1 } else { count };
    record.values = [-1; FIELDS];
    record.micro = 0;
    record.extra.fill(-1);
    for (index, token) in tokens(line.bytes).take(readable.min(expected)).enumerate() {
        let number = match decimal(token) {
            Ok(decimal) => {
                note_spelling(line, token, decimal, reporter)?;
                decimal.number
            }
            Err(fault) if is_named(line, index, count) => {
                match named(line, token, index, identities, reporter)? {
                    Some(number) => number,
                    None if index == Field::Job.index() => return dropped(line, token, index, reporter),
                    None => {
                        report_fault(line, token, index, fault, reporter)?;
                        Number::UNKNOWN
                    }
                }
            }
            Err(_) if index <= Field::Submit.index() => {
                return dropped(line, token, index, reporter);
            }
            // Amounts of further columns are whole and never scaled: all 64 bits can be kept.
            Err(DecimalError::OutOfRange) if index >= FIELDS && whole(token).is_some() => {
                Number::whole(whole(token).unwrap_or(-1))
            }
            Err(fault) => {
                report_fault(line, token, index, fault, reporter)?;
                Number::UNKNOWN
            }
        };
        match Field::ALL.get(index) {
            Some(&field) => record.set(field, number),
            None => record.extra[index - FIELDS] = resource(line, token, number, reporter)?,
        }
    }
    if readable <= Field::Submit.index() {
        reporter.report(&kinds::DROPPED_LINE, line, line.bytes, |text| text)?;
        return Ok(false);
    }
    report_count(line, count, expected, torn, reporter)?;
    preceding(line, record, identities, reporter)?;
    Ok(true)
}

fn dropped(
    line: &Line<'_>,
    token: &[u8],
    index: usize,
    reporter: &mut Reporter<'_>,
) -> Result<bool, Refusal> {
    let missing = Field::ALL[index].name();
    reporter.report(&kinds::DROPPED_LINE, line, token, |token| format!("{token} as {missing}"))?;
    Ok(false)
}

/// Whether a field may hold a word: it is an identity, and numbers for its times follow the identity of a job.
fn is_named(line: &Line<'_>, index: usize, count: usize) -> bool {
    let Some(&field) = Field::ALL.get(index) else { return false };
    let times = || tokens(line.bytes).skip(1).take(3).filter(|token| decimal(token).is_ok()).count();
    is_identity(field) && (field != Field::Job || count > 3 && times() == 3)
}

/// Returns the number of an identity that is not a plain number.
fn named(
    line: &Line<'_>,
    token: &[u8],
    index: usize,
    identities: &mut Identities,
    reporter: &mut Reporter<'_>,
) -> Result<Option<Number>, Refusal> {
    let field = Field::ALL[index];
    let first = several(token).filter(|_| field == Field::Preceding).and_then(|mut parts| parts.next());
    let token = first.unwrap_or(token);
    let Some(number) = identities.number(field, token) else { return Ok(None) };
    if whole(token) != Some(number) {
        reporter.report(&kinds::NAMED, line, token, |token| format!("{token} as {}", field.name()))?;
    }
    Ok(Some(Number::whole(number)))
}

/// Takes the second and further preceding jobs of a line.
fn preceding(
    line: &Line<'_>,
    record: &Record,
    identities: &mut Identities,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    let token = tokens(line.bytes).nth(Field::Preceding.index()).unwrap_or_default();
    let Some(parts) = several(token) else { return Ok(()) };
    let think = record.get(Field::Think);
    let delay = if think.to_micro() > 0 { think.to_micro().div_euclid(1_000_000) } else { -1 };
    let mut more = 0;
    for part in parts.skip(1) {
        let number = decimal(part).ok().map(|decimal| decimal.number.truncated());
        let Some(number) = number.or_else(|| identities.number(Field::Preceding, part)) else { continue };
        if number > 0 && !identities.also_after(more, number, delay) {
            reporter.report(&kinds::MANY_BEFORE, line, part, |part| part)?;
        }
        more += usize::from(number > 0);
    }
    if more > 0 {
        reporter.report(&kinds::SEVERAL_BEFORE, line, token, |token| token)?;
    }
    Ok(())
}

/// Fields that hold counts or identifiers.
const WHOLE: u32 = {
    let whole = [
        Field::Job,
        Field::Allocated,
        Field::Requested,
        Field::Status,
        Field::User,
        Field::Group,
        Field::Executable,
        Field::Queue,
        Field::Partition,
        Field::Preceding,
    ];
    let (mut mask, mut at) = (0, 0);
    while at < whole.len() {
        mask |= 1 << whole[at].index();
        at += 1;
    }
    mask
};

/// Whether the record has decimals in fields that must be whole.
#[inline]
pub(super) fn has_fraction(record: &Record) -> bool {
    record.micro & WHOLE != 0
}

/// Reports decimals in fields that must be whole, as a note.
pub(super) fn report_fractions(
    line: &Line<'_>,
    record: &Record,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    if !has_fraction(record) {
        return Ok(());
    }
    for field in Field::ALL.into_iter().filter(|field| record.micro & WHOLE & 1 << field.index() != 0) {
        let token = tokens(line.bytes).nth(field.index()).unwrap_or_default();
        reporter.report(&kinds::FRACTION, line, token, |token| format!("{token} as {}", field.name()))?;
    }
    Ok(())
}

pub(super) fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|token| !token.is_empty())
}

fn note_spelling(
    line: &Line<'_>,
    token: &[u8],
    decimal: Decimal,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    let read_as = |token| format!("{token} read as {}", decimal.number);
    if decimal.exponent {
        reporter.report(&kinds::EXPONENT, line, token, read_as)?;
    }
    if decimal.rounded {
        reporter.report(&kinds::ROUNDED, line, token, read_as)?;
    }
    Ok(())
}

fn report_fault(
    line: &Line<'_>,
    token: &[u8],
    index: usize,
    fault: DecimalError,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    let kind = match fault {
        DecimalError::Garbage => &kinds::BAD_TOKEN,
        DecimalError::OutOfRange => &kinds::OUT_OF_RANGE,
    };
    let field = Field::ALL.get(index).map_or("resource", |field| field.name());
    reporter.report(kind, line, token, |token| format!("{token} as {field}"))
}

fn resource(
    line: &Line<'_>,
    token: &[u8],
    number: Number,
    reporter: &mut Reporter<'_>,
) -> Result<i64, Refusal> {
    if number.micro {
        let cut = |token| format!("{token} read as {}", number.truncated());
        reporter.report(&kinds::RESOURCE_FRACTION, line, token, cut)?;
    }
    Ok(number.truncated())
}

fn report_count(
    line: &Line<'_>,
    count: usize,
    expected: usize,
    torn: bool,
    reporter: &mut Reporter<'_>,
) -> Result<(), Refusal> {
    let detail = |_| format!("{count} fields, {expected} expected");
    if torn {
        reporter.report(&kinds::TORN_LINE, line, line.bytes, detail)?;
    } else if count < expected {
        reporter.report(&kinds::SHORT_LINE, line, line.bytes, detail)?;
    } else if count > expected {
        let extra = tokens(line.bytes).nth(expected).unwrap_or_default();
        reporter.report(&kinds::EXTRA_FIELDS, line, extra, detail)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use batchlab_traces::Findings;

    use super::*;
    use crate::swf::fields::regular;

    proptest! {
        #[test]
        fn the_quick_and_the_careful_reader_agree(
            tokens in prop::collection::vec("-1|[0-9]{1,9}|[+-]?[0-9]{1,14}([.][0-9]{0,7})?|-0[.]5|1e3", 18..21),
            gaps in prop::collection::vec(" {1,9}|\t| \t ", 21),
            resources in 0..3_usize,
        ) {
            let text: String = gaps.iter().zip(&tokens).flat_map(|(gap, token)| [gap.as_str(), token]).collect();
            let blank = Record { extra: vec![-1; resources], ..Record::default() };
            let (mut quick, mut slow) = (blank.clone(), blank);
            let taken = regular(text.as_bytes(), &mut quick).is_ok_and(|(rest, ())| rest.is_empty());
            let line = Line { number: 1, bytes: text.as_bytes(), end: End::Feed };
            let mut findings = Findings::lenient();
            let mut reporter = Reporter { findings: &mut findings, file: "a.swf".into() };
            let read = careful(&line, &mut slow, &mut Identities::default(), &mut reporter);
            if taken {
                prop_assert_eq!(read, Ok(true));
                prop_assert_eq!(quick, slow);
                prop_assert!(findings.list().is_empty());
            } else {
                // A point without decimals after it and a seventh decimal that is zero are not reported; the
                // fast path rejects them because they are rare.
                let past_sixth = |token: &String| token.split('.').nth(1).is_some_and(|decimals| decimals.len() == 7);
                let plain = tokens.iter().any(|token| token.ends_with('.') || past_sixth(token));
                prop_assert!(plain || !findings.list().is_empty());
            }
        }
    }
}
