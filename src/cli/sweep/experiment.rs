use std::path::{Component, Path, absolute};

use batchlab_traces::clean::Preset;

use super::{DELAYS, SweepCommand};
use crate::lab::Given;
use crate::lab::logs::rules::is_text;
use crate::lab::options::{self, Files};
use crate::metrics::own;
use crate::replay::conditions::short_name;

/// The metric against which curves are drawn in addition to the load.
const USE: &str = "utilization";

impl SweepCommand {
    pub fn name(&self) -> String {
        let of = self.trace.as_deref().map(short_name).or(self.model.as_deref()).unwrap_or_default();
        let plain =
            |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
        format!("sweep-{}", of.chars().map(plain).collect::<String>())
    }

    /// Returns the experiment (TOML); file names are relative to a folder if given, else to the current one.
    pub fn experiment(&self, folder: Option<&Path>) -> String {
        let mut parts = vec![self.head(), self.measure(), self.workload(folder)];
        let loads: Vec<String> = self.load.0.iter().map(ToString::to_string).collect();
        parts.push(format!("[sweep]\nload = [{}]\n", loads.join(", ")));
        parts.extend(self.policies().iter().map(|spec| format!("[[policy]]\nspec = {}\n", quoted(spec))));
        parts.extend(self.tables());
        parts.extend(self.criterion.iter().map(|criterion| {
            let measure = quoted(&criterion.measure());
            format!("[[crossing]]\nmetric = {measure}\nalong = \"load\"\nbound = {}\n", criterion.bound)
        }));
        parts.extend(self.plots());
        parts.join("\n")
    }

    fn head(&self) -> String {
        let (name, seed, replications) = (quoted(&self.name()), self.seed, self.replications);
        format!("[experiment]\nname = {name}\nseed = {seed}\nreplications = {replications}\n")
    }

    fn measure(&self) -> String {
        let mut metrics: Vec<&str> = Vec::new();
        let typed = self.measured.0.iter().filter(|given| given.name == "metrics");
        let typed = typed.flat_map(|given| &given.values).flat_map(|list| own::items(list));
        let criteria = self.criterion.iter().map(|criterion| criterion.metric.as_str());
        for metric in criteria.chain(typed).chain([USE]) {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        let mut lines = vec![format!("[measure]\nmetrics = {}\n", list(&metrics))];
        for Given { name, values } in self.measured.0.iter().filter(|given| given.name != "metrics") {
            let value = if name == "classes" { list(values) } else { quoted(&values.join(",")) };
            lines.push(format!("{name} = {value}\n"));
        }
        lines.concat()
    }

    fn workload(&self, folder: Option<&Path>) -> String {
        let seen = |path: &str| quoted(&seen_from(folder, path));
        let mut lines = vec!["[[workload]]\n".to_owned()];
        if let Some(trace) = &self.trace {
            lines.push(format!("trace = {}\n", seen(trace)));
        }
        if let Some(model) = &self.model {
            lines.push(format!("model = {}\n", quoted(model)));
        }
        if let Some(jobs) = self.jobs {
            lines.push(format!("jobs = {jobs}\n"));
        }
        if !self.set.is_empty() {
            let pair = |(key, value): &(String, String)| format!("{} = {}", quoted(key), quoted(value));
            let pairs: Vec<String> = self.set.iter().map(pair).collect();
            lines.push(format!("set = {{ {} }}\n", pairs.join(", ")));
        }
        if let Some(log) = &self.log {
            lines.push(format!("log = {}\n", seen(log)));
        }
        if let Some(length) = &self.windows {
            lines.push(format!("windows = {}\n", quoted(length)));
        }
        for Given { name, values } in self.replayed.0.iter().filter(|given| given.name != DELAYS) {
            let files = options::spec(name).map_or(Files::No, |option| option.files);
            if files == Files::No {
                lines.push(format!("{name} = {}\n", quoted(&values.join(","))));
                continue;
            }
            let is_file =
                |value: &str| files == Files::Read || !is_text(value) && Preset::find(value).is_err();
            let file = |value: &String| if is_file(value) { seen_from(folder, value) } else { value.clone() };
            let files: Vec<String> = values.iter().map(file).collect();
            let value = if let [file] = &files[..] { quoted(file) } else { list(&files) };
            lines.push(format!("{name} = {value}\n"));
        }
        lines.concat()
    }

    /// Returns the classes of the criteria, all jobs first, each with its metrics.
    fn classes(&self) -> Vec<(Option<&str>, Vec<&str>)> {
        let mut classes: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
        for criterion in &self.criterion {
            let class = criterion.class.as_deref();
            let at = classes.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
                classes.push((class, Vec::new()));
                classes.len() - 1
            });
            if !classes[at].1.contains(&criterion.metric.as_str()) {
                classes[at].1.push(&criterion.metric);
            }
        }
        classes
    }

    fn tables(&self) -> Vec<String> {
        let of = self.name();
        let subject = of.trim_start_matches("sweep-");
        let table = |(class, metrics): (Option<&str>, Vec<&str>)| {
            let further: &[&str] = if class.is_none() { &["offered_load", USE] } else { &[] };
            let further = further.iter().filter(|key| !metrics.contains(key));
            let metrics: Vec<&str> = metrics.iter().chain(further).copied().collect();
            let (name, title, classes) = match class {
                Some(class) => (
                    format!("curves-{}", plain(class)),
                    format!("Response of {subject} to load, {class} jobs"),
                    format!("classes = {}\n", list(&[class])),
                ),
                None => ("curves".into(), format!("Response of {subject} to load"), String::new()),
            };
            format!(
                "[[table]]\nname = {}\ntitle = {}\nrows = [\"policy\", \"load\"]\nmetrics = {}\n{classes}",
                quoted(&name),
                quoted(&title),
                list(&metrics)
            )
        };
        self.classes().into_iter().map(table).collect()
    }

    /// Returns a plot against load and a plot against utilization, for each metric and class.
    fn plots(&self) -> Vec<String> {
        let mut plots = Vec::new();
        for (class, metrics) in self.classes() {
            for metric in metrics {
                for x in ["load", USE].into_iter().filter(|x| *x != metric) {
                    let of =
                        class.map_or_else(|| metric.to_owned(), |class| format!("{metric}-{}", plain(class)));
                    let classes =
                        class.map_or_else(String::new, |class| format!("classes = {}\n", list(&[class])));
                    plots.push(format!(
                        "[[plot]]\nname = {}\nkind = \"lines\"\nmetric = {}\nx = {}\nlog = true\n{classes}",
                        quoted(&format!("{of}-{x}")),
                        quoted(metric),
                        quoted(x)
                    ));
                }
            }
        }
        plots
    }
}

/// Returns a text in a form suitable for file names.
fn plain(text: &str) -> String {
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    text.chars().map(plain).collect()
}

/// Returns the name of a file relative to a folder if both are relative; otherwise the absolute path.
fn seen_from(folder: Option<&Path>, path: &str) -> String {
    let Some(folder) = folder else { return path.to_owned() };
    let mut depth = 0;
    let is_below = folder.components().all(|part| {
        depth += usize::from(matches!(part, Component::Normal(_)));
        matches!(part, Component::Normal(_) | Component::CurDir)
    });
    if Path::new(path).is_absolute() {
        path.to_owned()
    } else if is_below {
        "../".repeat(depth) + path
    } else {
        absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_control() => {
                quoted.extend(format!("\\U{:08x}", u32::from(control)).chars());
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

fn list(texts: &[impl AsRef<str>]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_seen_from_the_folder_of_the_results() {
        let seen = |folder: &str, path: &str| seen_from(Some(Path::new(folder)), path);
        assert_eq!(seen("sweep-week", "logs/week.swf"), "../logs/week.swf");
        assert_eq!(seen("./a/b", "week.swf"), "../../week.swf");
        assert_eq!(seen("a", "/logs/week.swf"), "/logs/week.swf");
        assert!(Path::new(&seen("../a", "week.swf")).is_absolute());
        assert_eq!(seen_from(None, "week.swf"), "week.swf");
    }

    #[test]
    fn any_text_survives_quotes() {
        let text = "a \"b\" \\ c\n\u{7f}\u{e9}";
        let toml = format!("key = {}", quoted(text));
        let table = toml::de::DeTable::parse(&toml).unwrap().into_inner();
        assert_eq!(table.get("key").and_then(|value| value.get_ref().as_str()), Some(text));
    }
}
