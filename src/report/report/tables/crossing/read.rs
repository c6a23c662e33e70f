//! Reading of a declared crossing.

use batchlab_traces::located::values::{Number, Ordered, Scalar, Scalars, Texts, Verbatim};

use super::super::Names;
use super::super::read::{Read, labels, measured, name, position, positions, values};
use super::{CrossingSpec, number};
use batchlab_engine::table::{Conditions, Float, PaperWidth};
use batchlab_study::experiment::keys::{FILE_NAME, KeySpec, POLICIES, WHERE, WORKLOADS, section};
use batchlab_study::experiment::{Parameter, Section};

const NAME: KeySpec = KeySpec { default: "metric and bound", ..FILE_NAME };

section! {
    /// the value of a parameter at which a metric reaches a bound, with its interval, from all
    /// values of the sweep
    "crossing" => CrossingKeys, SECTION;
    "[[crossing]]\nmetric = \"mean_slowdown\"\nalong = \"load\"\nbound = 20"
    name: Option<Verbatim> = NAME;
    /// its title
    title: Option<Verbatim> = "text";
    /// what reaches the bound
    metric: Verbatim = "metric";
    /// along what; three values at least, all numbers
    along: Verbatim = "parameter";
    /// the bound
    bound: Number = "number above 0";
    /// its caption in LaTeX, as that of a table
    caption: Option<Verbatim> = "text", "the title";
    /// in LaTeX: table, table* or longtable
    float: Option<Float> = "column, page or long", "the narrowest that fits";
    /// in LaTeX: the class of the paper, or the width of its text
    size: Option<PaperWidth> = "ieee, acm, llncs, elsarticle or mm", "the experiment's";
    /// in LaTeX, conditions and notes go to tables/notes.tex, or all of them below the table
    conditions: Option<Conditions> = "file or note", "file";
    /// what metrics, policies, workloads, parameters, values or classes are called
    label: Option<Ordered<Scalar>> = "table";
    workloads: Option<Texts> = WORKLOADS;
    policies: Option<Texts> = POLICIES;
    r#where: Option<Ordered<Scalars>> = WHERE;
}

type CrossingSection<'a> = Section<'a, CrossingKeys>;

/// The least number of values along the sweep: two would make a crossing a mere interpolation on a straight line.
const LEAST: usize = 3;

impl CrossingSpec {
    /// Checks the keys of a `[[crossing]]`, without the names that they use.
    pub fn check_keys(section: &Section<'_>) -> Read<()> {
        section.read::<CrossingKeys>().map(|_| ())
    }

    /// Reads and checks a `[[crossing]]` using names only; nothing needs to have run. Refuses a parameter with values that are not
    /// numbers, or with fewer than three; and a bound that is not positive.
    pub fn read(section: &Section<'_>, names: &Names) -> Read<CrossingSpec> {
        let section: &CrossingSection<'_> = &section.read()?;
        let keys = &section.keys;
        let measures: Vec<&str> = names.measures.iter().map(|measure| measure.key.as_str()).collect();
        measured(section.key("metric"), &keys.metric.0, &measures)?;
        let (measure, bound) = (&keys.metric.0, keys.bound.0);
        if bound <= 0.0 {
            return Err(section.wrong("bound", "`bound` must be above 0: the curve is read in logarithms"));
        }
        let along = along(section, names)?;
        let mut values = values(section.key("where"), keys.r#where.as_ref(), names)?;
        sort(section, names, along, &mut values[along])?;
        let name = keys.name.as_ref().map(|given| name(section, given)).transpose()?;
        Ok(CrossingSpec {
            name: name.unwrap_or_else(|| file_name(measure, bound)),
            title: keys.title.clone().map(|title| title.0),
            caption: keys.caption.clone().map(|caption| caption.0),
            float: keys.float,
            width: keys.size,
            conditions: keys.conditions.unwrap_or(Conditions::File),
            labels: labels(section.key("label"), keys.label.as_ref(), names, &measures)?,
            measure: measure.clone(),
            along,
            bound,
            workloads: positions(section.key("workloads"), keys.workloads.as_ref(), &names.workload_names())?,
            policies: positions(section.key("policies"), keys.policies.as_ref(), &names.policy_labels())?,
            values,
        })
    }
}

fn along(section: &CrossingSection<'_>, names: &Names) -> Read<usize> {
    if names.parameters.is_empty() {
        return Err(section.wrong("along", "along: nothing is swept: give the experiment a [sweep]"));
    }
    position(section.key("along"), &section.keys.along.0, &names.parameter_names())
}

/// Sorts the values of a parameter by their numbers.
fn sort(section: &CrossingSection<'_>, names: &Names, along: usize, values: &mut [usize]) -> Read<()> {
    let Parameter { name, values: texts } = &names.parameters[along];
    let wrong = |what: String| section.wrong("along", &what);
    let numbered = |&at: &usize| {
        let not = || wrong(format!("along: the value `{}` of `{name}` is not a number", texts[at]));
        Ok((number(&texts[at]).ok_or_else(not)?, at))
    };
    let mut numbers = values.iter().map(numbered).collect::<Read<Vec<(f64, usize)>>>()?;
    numbers.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(wrong(format!("along: `{name}` has the value {} twice", pair[0].0)));
    }
    if numbers.len() < LEAST {
        let count = numbers.len();
        return Err(wrong(format!("along: a curve needs at least {LEAST} values, and `{name}` has {count}")));
    }
    values.iter_mut().zip(numbers).for_each(|(value, (_, at))| *value = at);
    Ok(())
}

/// Returns the file name: `crossing-mean_bsld-20`.
fn file_name(measure: &str, bound: f64) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    format!("crossing-{measure}-{bound}").chars().map(plain).collect()
}
