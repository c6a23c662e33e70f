//! The sweep: parameters, readings, and texts that depend on them.

use super::frame::Parameter;

/// The name of the parameter whose values are the readings.
pub const READING: &str = "reading";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    pub parameters: Vec<Parameter>,
    pub readings: Vec<PaperReading>,
}

/// One way to read what a paper leaves open: values for several parameters, under one name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PaperReading {
    pub name: String,
    /// Why it is a defensible reading.
    pub because: Option<String>,
    pub set: Vec<(String, String)>,
}

impl Sweep {
    /// Returns the parameters as results list them; `reading` is the last if there are readings.
    pub fn columns(&self) -> Vec<Parameter> {
        let mut columns = self.parameters.clone();
        if !self.readings.is_empty() {
            let values = self.readings.iter().map(|reading| reading.name.clone()).collect();
            columns.push(Parameter { name: READING.into(), values });
        }
        columns
    }

    /// Returns the names of everything that varies: parameters, and what readings set.
    pub fn variables(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        for (name, _) in self.readings.iter().flat_map(|reading| &reading.set) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns all points, each as the position of its value in each column; the last column changes fastest.
    pub fn points(&self) -> Vec<Vec<usize>> {
        let mut points = vec![Vec::new()];
        for column in self.columns() {
            let longer = |point: Vec<usize>| {
                (0..column.values.len()).map(move |at| [&point[..], &[at]].concat()).collect::<Vec<_>>()
            };
            points = points.into_iter().flat_map(longer).collect();
        }
        points
    }

    pub fn values(&self, point: &[usize]) -> Vec<(&str, &str)> {
        let parameters = self.parameters.iter().zip(point);
        let values = parameters.map(|(swept, &at)| (swept.name.as_str(), swept.values[at].as_str()));
        let reading = point.get(self.parameters.len()).and_then(|&at| self.readings.get(at));
        let set = reading.into_iter().flat_map(|reading| &reading.set);
        values.chain(set.map(|(name, value)| (name.as_str(), value.as_str()))).collect()
    }

    /// Returns the names in braces in a text. Braces around anything else are ignored, and so are those of `${name}`, which is a
    /// variable of a shell.
    pub fn names(text: &str) -> impl Iterator<Item = &str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (_, name, after) = next_name(rest)?;
            rest = after;
            Some(name)
        })
    }

    /// Returns a text with names in braces replaced by the values of a point; the error is a name without a value.
    pub fn fill(text: &str, values: &[(&str, &str)]) -> Result<String, String> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, name, after)) = next_name(rest) {
            let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            filled = filled + before + value.ok_or_else(|| name.to_owned())?;
            rest = after;
        }
        Ok(filled + rest)
    }
}

/// Returns the first name in braces, with the texts before and after them.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(open, _)| {
        let (before, from) = text.split_at(open);
        let (name, after) = from[1..].split_once('}')?;
        (is_name(name) && !before.ends_with('$')).then_some((before, name, after))
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic())
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, values: &[&str]) -> Parameter {
        Parameter { name: name.into(), values: values.iter().map(|value| (*value).into()).collect() }
    }

    fn reading(name: &str, pairs: &str) -> PaperReading {
        PaperReading { name: name.into(), because: None, set: vec![("pairs".into(), pairs.into())] }
    }

    #[test]
    fn every_value_meets_every_other() {
        let sweep = Sweep {
            parameters: vec![parameter("load", &["0.7", "0.9"]), parameter("k", &["2", "4", "8"])],
            readings: vec![reading("printed", "p"), reading("meant", "m")],
        };
        let points = sweep.points();
        assert_eq!((points.len(), &points[0], &points[11]), (12, &vec![0, 0, 0], &vec![1, 2, 1]));
        assert_eq!(points[1], [0, 0, 1]);
        assert_eq!(sweep.values(&points[11]), [("load", "0.9"), ("k", "8"), ("pairs", "m")]);
        assert_eq!(sweep.variables(), ["load", "k", "pairs"]);
        assert_eq!(Sweep::default().points(), [Vec::<usize>::new()]);
    }

    #[test]
    fn names_in_braces_are_filled_in_and_other_braces_stay() {
        let values = [("k", "4"), ("load", "0.9")];
        assert_eq!(Sweep::fill("bb-easy:w={k},x={load}", &values).unwrap(), "bb-easy:w=4,x=0.9");
        let text = "mend = { procs = \"{k}\" } {";
        assert_eq!(Sweep::fill(text, &values).unwrap(), "mend = { procs = \"4\" } {");
        assert_eq!(Sweep::names(text).collect::<Vec<_>>(), ["k"]);
        assert_eq!(Sweep::fill("{j}", &values).unwrap_err(), "j");
        assert_eq!(
            Sweep::fill("exec:(sh -c 'k=1; ./p ${k} {k}')", &values).unwrap(),
            "exec:(sh -c 'k=1; ./p ${k} 4')"
        );
    }
}
