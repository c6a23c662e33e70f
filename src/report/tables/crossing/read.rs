//! Reading of a declared crossing.

use super::super::Names;
use super::super::read::{Read, name, position, positions, values};
use super::{CrossingSpec, number};
use crate::experiment::keys::{FILE_NAME, KeySpec, POLICIES, WHERE, WORKLOADS, key};
use crate::experiment::{Section, SectionSpec};

/// `[[crossing]]`.
pub static SECTION: SectionSpec = SectionSpec {
    name: "crossing",
    summary: "the value of a parameter at which a metric reaches a bound, with its interval, from all \
        values of the sweep",
    example: "[[crossing]]\nmetric = \"mean_slowdown\"\nalong = \"load\"\nbound = 20",
    keys: &[
        KeySpec { default: "metric and bound", ..FILE_NAME },
        key("title", "text", "", "its title"),
        key("metric", "metric", "", "what reaches the bound"),
        key("along", "parameter", "", "along what; three values at least, all numbers"),
        key("bound", "number above 0", "", "the bound"),
        WORKLOADS,
        POLICIES,
        WHERE,
    ],
};
/// The least number of values along the sweep: two would make a crossing a mere interpolation on a straight
/// line.
const LEAST: usize = 3;

impl CrossingSpec {
    /// Reads and checks a `[[crossing]]` using names only; nothing needs to have run.
    ///
    /// # Errors
    /// Unknown keys and names, with suggestions; a parameter with values that are not numbers, or with fewer
    /// than three; a bound that is not positive. Each error gives the line.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<CrossingSpec> {
        SECTION.check(section)?;
        let keys: Vec<&str> = names.measures.iter().map(|measure| measure.key.as_str()).collect();
        let measure = section.needed("metric")?;
        position(section, "metric", &measure, &keys)?;
        let labels: Vec<&str> = names.policies.iter().map(String::as_str).collect();
        let workloads: Vec<&str> = names.workloads.iter().map(|(name, _)| name.as_str()).collect();
        let bound = section.number("bound")?.ok_or_else(|| section.error("[[crossing]] needs `bound`"))?;
        if bound <= 0.0 {
            return Err(section.wrong("bound", "`bound` must be above 0: the curve is read in logarithms"));
        }
        let along = along(section, names)?;
        let mut values = values(section, names)?;
        sort(section, names, along, &mut values[along])?;
        Ok(CrossingSpec {
            name: if section.has("name") { name(section)? } else { file_name(&measure, bound) },
            title: section.text("title")?,
            measure,
            along,
            bound,
            workloads: positions(section, "workloads", &workloads)?,
            policies: positions(section, "policies", &labels)?,
            values,
        })
    }
}

fn along(section: &Section<'_>, names: &Names) -> Read<usize> {
    let given = section.needed("along")?;
    let known: Vec<&str> = names.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    if known.is_empty() {
        return Err(section.wrong("along", "along: nothing is swept: give the experiment a [sweep]"));
    }
    position(section, "along", &given, &known)
}

/// Sorts the values of a parameter by their numbers.
fn sort(section: &Section<'_>, names: &Names, along: usize, values: &mut [usize]) -> Read<()> {
    let parameter = &names.parameters[along];
    let wrong = |what: String| Err(section.wrong("along", &what));
    let mut numbers = Vec::new();
    for &at in values.iter() {
        match number(&parameter.values[at]) {
            Some(number) => numbers.push((number, at)),
            None => {
                return wrong(format!(
                    "along: the value `{}` of `{}` is not a number",
                    parameter.values[at], parameter.name
                ));
            }
        }
    }
    numbers.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return wrong(format!("along: `{}` has the value {} twice", parameter.name, pair[0].0));
    }
    if numbers.len() < LEAST {
        let count = numbers.len();
        return wrong(format!(
            "along: a curve needs at least {LEAST} values, and `{}` has {count}",
            parameter.name
        ));
    }
    values.iter_mut().zip(numbers).for_each(|(value, (_, at))| *value = at);
    Ok(())
}

/// Returns the file name: `crossing-mean_bsld-20`.
fn file_name(measure: &str, bound: f64) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    format!("crossing-{measure}-{bound}").chars().map(plain).collect()
}
