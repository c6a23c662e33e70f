use crate::site::{ResetPeriod, TresLimit, TresWeight};
use batchlab_traces::Time;
use batchlab_traces::notation::Bound;
use batchlab_traces::notation::duration::DurationDialect;
use batchlab_traces::notation::hosts::NumberRange;
use batchlab_traces::notation::size::{self, MEGABYTES};

/// Reads a number of seconds, with or without a unit: `30`, `30 sec`.
pub(super) fn seconds(text: &str) -> Option<Time> {
    let time = DurationDialect::Seconds.length(text.trim().as_bytes());
    time.filter(|&time| time <= Time::from_secs(1 << 32))
}

/// Reads a limit on time, which is in minutes without a unit.
pub(super) fn limit(text: &str) -> Option<Bound<Time>> {
    DurationDialect::SlurmLimit.read(text.as_bytes())
}

/// Whether a text begins with a number above 0.
pub(super) fn is_above_zero(text: &str) -> bool {
    let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
    digits.bytes().any(|digit| digit != b'0')
}

pub(super) fn above_zero(text: &str) -> Option<i64> {
    text.trim().parse().ok().filter(|&number| number > 0)
}

pub(super) fn count(text: &str) -> Option<Bound<i64>> {
    let text = text.trim();
    if ["", "unlimited", "infinite", "none", "-1"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(Bound::Unlimited);
    }
    text.parse().ok().filter(|&count| count >= 0).map(Bound::Most)
}

pub(super) fn yes(text: &str) -> bool {
    ["yes", "true", "1", "up"].contains(&text.trim().to_ascii_lowercase().as_str())
}

/// Reads an amount of memory in MB; a plain number is MB.
pub(super) fn megabytes(text: &str) -> Option<i64> {
    let megabytes = MEGABYTES.read(text.trim().as_bytes())? >> 20;
    (megabytes < 1_000_000_000_000).then_some(megabytes)
}

/// Counts the numbers of a list such as `0-3,8`.
pub(super) fn ids(text: &str) -> i64 {
    let count = |part: &str| i64::try_from(NumberRange::parse(part.as_bytes())?.count()).ok();
    text.split(',').filter_map(count).fold(0, i64::saturating_add)
}

/// Reads `CPU=1.0,Mem=0.25G,GRES/gpu=2`: weights of units; a weight of memory with a unit is converted to one of a MB.
pub(super) fn weights(text: &str) -> Option<Vec<TresWeight>> {
    let one = |part: &str| {
        let (resource, weight) = part.split_once('=')?;
        let digits = weight.trim().trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let number: f64 = digits.parse().ok().filter(|number: &f64| number.is_finite())?;
        let unit = size::unit(&weight.trim()[digits.len()..]);
        let per_mb = unit.map_or(1.0, |unit| f64::from(1 << 20) / unit as f64);
        let resource = resource.trim().to_ascii_lowercase();
        let factor = if resource == "mem" { per_mb } else { 1.0 };
        Some(TresWeight { resource, weight: number * factor })
    };
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(one).collect()
}

/// Reads bounds such as `cpu=100,mem=64G,gres/gpu=4`; -1 stands for no bound, of any resource. Source: sacctmgr(1), `GrpTRES`.
pub(super) fn tres(text: &str) -> Option<Vec<TresLimit>> {
    let one = |part: &str| {
        let (resource, most) = part.split_once('=')?;
        let resource = resource.trim().to_ascii_lowercase();
        let most = match most.trim() {
            "-1" => -1,
            most if resource == "mem" => megabytes(most)?,
            most => most.parse().ok()?,
        };
        Some(TresLimit { resource, most })
    };
    let bounds: Option<Vec<TresLimit>> =
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(one).collect();
    bounds.map(|bounds| bounds.into_iter().filter(|bound| bound.most >= 0).collect())
}

/// Reads `Gres=gpu:a100:4,nvme:1`: counts by name, and by name and type.
pub(super) fn gres(text: &str) -> Vec<(String, i64)> {
    let mut counts: Vec<(String, i64)> = Vec::new();
    let mut add = |name: String, count: i64| match counts.iter_mut().find(|(known, _)| *known == name) {
        Some((_, sum)) => *sum += count,
        None => counts.push((name, count)),
    };
    for part in text.split(',').map(|part| part.split('(').next().unwrap_or_default().trim()) {
        let words: Vec<&str> = part.split(':').filter(|word| *word != "no_consume").collect();
        let count = words.last().and_then(|count| count.parse().ok());
        let names = if count.is_some() { &words[..words.len() - 1] } else { &words[..] };
        let Some(&name) = names.first().filter(|name| !name.is_empty()) else { continue };
        add(name.into(), count.unwrap_or(1));
        if let Some(model) = names.get(1) {
            add(format!("{name}:{model}"), count.unwrap_or(1));
        }
    }
    counts
}

/// Reads `Licenses=matlab:10,solver@server:4`: counts by name; a name without a count is one licence.
pub(super) fn licences(text: &str) -> Option<Vec<(String, i64)>> {
    let one = |part: &str| {
        let (name, count) = match part.split_once([':', '=']) {
            Some((name, count)) => (name, count.trim().parse().ok().filter(|&count: &i64| count >= 0)?),
            None => (part, 1),
        };
        Some((name.trim().to_owned(), count))
    };
    text.split([',', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty() && !part.eq_ignore_ascii_case("(null)"))
        .map(one)
        .collect()
}

pub(super) fn reset(text: &str) -> Option<ResetPeriod> {
    Some(match text.trim().to_ascii_uppercase().as_str() {
        "NONE" | "" => ResetPeriod::None,
        "NOW" => ResetPeriod::Now,
        "DAILY" => ResetPeriod::Daily,
        "WEEKLY" => ResetPeriod::Weekly,
        "MONTHLY" => ResetPeriod::Monthly,
        "QUARTERLY" => ResetPeriod::Quarterly,
        "YEARLY" => ResetPeriod::Yearly,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_memory_are_per_megabyte() {
        let read = weights("CPU=1.0,Mem=0.25G,GRES/gpu=2").unwrap();
        let shown: Vec<String> = read.iter().map(|one| format!("{}={}", one.resource, one.weight)).collect();
        assert_eq!(shown, ["cpu=1", "mem=0.000244140625", "gres/gpu=2"]);
        assert_eq!(weights("CPU"), None);
        assert_eq!(
            gres("gpu:a100:4(S:0-1),gpu:v100:2,nvme"),
            [("gpu".into(), 6), ("gpu:a100".into(), 4), ("gpu:v100".into(), 2), ("nvme".into(), 1)]
        );
        let licences = licences("matlab:10,solver@server:4, ansys");
        let expected = [("matlab".into(), 10), ("solver@server".into(), 4), ("ansys".into(), 1)];
        assert_eq!(licences, Some(expected.to_vec()));
        assert_eq!(tres("cpu=8,mem=2G,node=-1").unwrap().len(), 2);
        assert_eq!(tres("cpu=8,mem=-1").unwrap().len(), 1);
        assert_eq!((tres("mem=-2"), tres("mem=lots")), (None, None));
    }
}
