//! All sections of an experiment file.

use crate::report::{claims, plots, tables};
use batchlab_study::experiment::{SectionSpec, keys, profile};
use batchlab_study::tune;

/// The sections of an experiment file, in the usual order of writing.
pub static SECTIONS: &[&SectionSpec] = &[
    &keys::EXPERIMENT,
    &keys::MEASURE,
    &keys::WORKLOAD,
    &keys::SWEEP,
    &keys::READING,
    &keys::POLICY,
    &tables::TABLE,
    &tables::CROSSING,
    &plots::SECTION,
    &claims::SECTION,
    &profile::SECTION,
    &tune::TUNE,
    &tune::SPACE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_study::experiment::definition;

    #[test]
    fn they_are_those_that_are_read() {
        let mut names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        let mut read = definition::SECTIONS.to_vec();
        names.sort_unstable();
        read.sort_unstable();
        assert_eq!(names, read);
    }

    /// Each `spec = "..."` of an example is a policy, with names in braces replaced by their first value.
    #[test]
    fn policies_of_examples_are_policies() {
        let mut specs = 0;
        for section in SECTIONS {
            let table: toml::Table = section.example.parse().unwrap();
            // The names of a search stand for what it searches.
            for text in section.example.split("spec = \"").skip(1).filter(|_| section.name != "tune") {
                let mut spec = text.split('"').next().unwrap().to_owned();
                if let Some(values) = table.get("sweep").and_then(toml::Value::as_table) {
                    let whole = values.iter().filter_map(|(name, of)| Some((name, of[0].as_integer()?)));
                    for (name, value) in whole {
                        spec = spec.replace(&format!("{{{name}}}"), &value.to_string());
                    }
                }
                let chosen = batchlab_policies::Registry::builtin().choose(&spec);
                assert!(chosen.is_ok(), "{}: {spec}", section.name);
                specs += 1;
            }
        }
        assert!(specs >= 2, "{specs}");
    }

    #[test]
    fn keys_stand_once_and_examples_have_no_others() {
        for section in SECTIONS {
            let names = section.names();
            let is_told = |key: &keys::KeySpec| !key.takes.is_empty() && !key.help.ends_with('.');
            assert!(section.keys.iter().all(is_told), "{}", section.name);
            assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)), "{names:?}");
            let table: toml::Table = section.example.parse().unwrap();
            let one = match &table[section.name] {
                toml::Value::Array(several) => several[0].as_table().unwrap(),
                other => other.as_table().unwrap(),
            };
            let is_free = |key: &String| match section.name {
                "sweep" | "profile" | "space" => true,
                "workload" => key == "estimate",
                _ => false,
            };
            let are_known = one.keys().all(|key| names.contains(&key.as_str()) || is_free(key));
            assert!(are_known, "{}", section.example);
        }
    }
}
