//! Profiles: the same experiment with other sizes.
//!
//! ```toml
//! [profile.quick.experiment]
//! replications = 2
//! [profile.quick.workload]            # of every workload that says how many jobs it has
//! jobs = 300
//! ```

use std::ops::Range;

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::located::LocatedToml;
use batchlab_traces::nearest::{meant, nearest};
use toml::de::{DeTable, DeValue};

use super::keys::{KeySpec, SectionSpec};
use super::section::ExperimentError;

/// `[profile.NAME.SECTION]`.
pub static SECTION: SectionSpec = SectionSpec {
    name: "profile",
    summary: "values that `run --profile NAME` puts in the place of the file's own: [profile.NAME.SECTION]",
    example: "[profile.quick.experiment]\nreplications = 2\n[profile.quick.workload]\njobs = 300",
    keys: &[KeySpec {
        name: "NAME",
        takes: "{ section = { key = value } }",
        default: "",
        help: "what it replaces; of [[workload]] and other sections that repeat, in each that has the key",
    }],
};

/// A value of a profile and the values of the file that it replaces, by their bytes.
struct Replacement {
    by: Range<usize>,
    of: Vec<Range<usize>>,
}

/// Returns the text of an experiment file with the values of a profile in the place of its own. Lines keep their numbers unless
/// values have several lines. The last line names the profile.
pub fn with_profile(text: &str, file: &str, name: &str) -> Result<String, ExperimentError> {
    let toml = LocatedToml::new(text, file);
    let table = toml.parse()?;
    let Some((_, profile)) = profiles(&toml, &table)?.into_iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = profiles(&toml, &table)?.into_iter().map(|(known, _)| known).collect();
        let known = match &names[..] {
            [] => "it has none".to_owned(),
            names => format!("it has {}", names.join(", ")),
        };
        let meant = meant(nearest(name, names.iter().copied()));
        return Err(toml.error(0, format!("the experiment has no profile `{name}`{meant}; {known}")));
    };
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    for Replacement { by, of } in replacements(&toml, &table, profile)? {
        edits.extend(of.into_iter().map(|range| (range, &text[by.clone()])));
    }
    edits.arrange_by_key(|(range, _)| range.start);
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for (range, value) in edits {
        replaced.push_str(&text[from..range.start]);
        replaced.push_str(value);
        from = range.end;
    }
    replaced.push_str(&text[from..]);
    Ok(format!("{}\n# with profile {name}\n", replaced.trim_end()))
}

pub fn profile_names(text: &str, file: &str) -> Result<Vec<String>, ExperimentError> {
    let toml = LocatedToml::new(text, file);
    let table = toml.parse()?;
    Ok(profiles(&toml, &table)?.into_iter().map(|(name, _)| name.to_owned()).collect())
}

/// Refuses profiles that replace what the file does not have.
pub(super) fn check(toml: &LocatedToml<'_>, table: &DeTable<'_>) -> Result<(), ExperimentError> {
    for (_, profile) in profiles(toml, table)? {
        replacements(toml, table, profile)?;
    }
    Ok(())
}

fn profiles<'t>(
    toml: &LocatedToml<'_>,
    table: &'t DeTable<'_>,
) -> Result<Vec<(&'t str, &'t DeTable<'t>)>, ExperimentError> {
    let Some(value) = table.get("profile") else { return Ok(Vec::new()) };
    let wrong = |at: usize| toml.error(at, "a profile is written as [profile.NAME.SECTION]");
    let DeValue::Table(named) = value.get_ref() else { return Err(wrong(value.span().start)) };
    let one = |(name, value): (&'t toml::Spanned<_>, &'t toml::Spanned<DeValue<'_>>)| match value.get_ref() {
        DeValue::Table(profile) => Ok((as_name(name), profile)),
        _ => Err(wrong(value.span().start)),
    };
    named.iter().map(one).collect()
}

fn as_name<'t>(name: &'t toml::Spanned<std::borrow::Cow<'_, str>>) -> &'t str {
    name.get_ref().as_ref()
}

fn replacements(
    toml: &LocatedToml<'_>,
    table: &DeTable<'_>,
    profile: &DeTable<'_>,
) -> Result<Vec<Replacement>, ExperimentError> {
    let mut all = Vec::new();
    for (section, values) in profile {
        let (name, at) = (section.get_ref().as_ref(), section.span().start);
        let DeValue::Table(values) = values.get_ref() else {
            return Err(toml.error(at, format!("`{name}` is no section: write [profile.NAME.SECTION]")));
        };
        let places: Vec<&DeTable<'_>> = match table.get(name).map(toml::Spanned::get_ref) {
            Some(DeValue::Table(one)) if name != SECTION.name => vec![one],
            Some(DeValue::Array(several)) => {
                several.iter().filter_map(|one| one.get_ref().as_table()).collect()
            }
            _ => {
                let what = format!("the file has no section `{name}` in which to replace a value");
                return Err(toml.error(at, what));
            }
        };
        for (key, value) in values {
            let of = |place: &&DeTable<'_>| Some(place.get(key.get_ref().as_ref())?.span());
            let of: Vec<Range<usize>> = places.iter().filter_map(of).collect();
            if of.is_empty() {
                let what = format!(
                    "no section `{name}` of the file has `{}`: a profile replaces values, so write its usual value there",
                    key.get_ref()
                );
                return Err(toml.error(key.span().start, what));
            }
            all.push(Replacement { by: value.span(), of });
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[experiment]\nname = \"a\"\nreplications = 20\n[[workload]]\nmodel = \"lublin\"\njobs = 5000\n\
                        [[workload]]\ntrace = \"a.swf\"\n[sweep]\nload = [0.5,\n  0.9]\nk = [1]\n\
                        [profile.quick.experiment]\nreplications = 2\n[profile.quick]\nworkload = { jobs = 300 }\n\
                        sweep.load = [0.5]\n";

    #[test]
    fn values_are_replaced_wherever_the_file_has_them() {
        let quick = with_profile(FILE, "e.toml", "quick").unwrap();
        let (experiment, profile) = quick.split_once("[profile.quick.experiment]").unwrap();
        assert_eq!(
            experiment,
            "[experiment]\nname = \"a\"\nreplications = 2\n[[workload]]\nmodel = \"lublin\"\njobs = 300\n[[workload]]\n\
             trace = \"a.swf\"\n[sweep]\nload = [0.5]\nk = [1]\n"
        );
        assert!(profile.ends_with("\n# with profile quick\n"));
        // The text says what it is; the profile changes nothing more.
        let twice = with_profile(&quick, "e.toml", "quick").unwrap();
        assert_eq!(twice.matches("[0.5]\nk = [1]").count(), 1);
    }

    #[test]
    fn a_profile_replaces_only_what_is_there() {
        let wrong = |more: &str| {
            let text = format!("{FILE}{more}");
            let toml = LocatedToml::new(&text, "e.toml");
            check(&toml, &toml.parse().unwrap()).unwrap_err().to_string()
        };
        let error = wrong("[profile.big.experiment]\nseed = 2\n");
        assert_eq!(
            error,
            "e.toml:19:1: no section `experiment` of the file has `seed`: a profile replaces values, so write its usual value there"
        );
        assert!(
            wrong("[profile.big.wokload]\njobs = 2\n")
                .starts_with("e.toml:18:14: the file has no section `wokload`")
        );
        assert!(wrong("big = 3\n").contains("no section"));
        let error = with_profile(FILE, "e.toml", "quik").unwrap_err().to_string();
        assert!(
            error.ends_with("the experiment has no profile `quik` (did you mean `quick`?); it has quick"),
            "{error}"
        );
    }
}
