//! The text of scripts: cases, names that stand for words, and what the output is compared with.

use serde_json::Value;

pub(super) type Directive = (usize, String, String);

/// Returns the cases of a script by name; each begins with what stands before the first one.
pub(super) fn cases(text: &str) -> Vec<(String, Vec<Directive>)> {
    let (mut shared, mut cases): (Vec<Directive>, Vec<(String, Vec<Directive>)>) = Default::default();
    for (line, at) in text.lines().zip(1..) {
        if let Some(name) = line.strip_prefix("== ") {
            cases.push((name.to_owned(), shared.clone()));
            continue;
        }
        let current = cases.last_mut().map_or(&mut shared, |(_, of_case)| of_case);
        match line.strip_prefix("    ").or(line.is_empty().then_some("")) {
            Some(more) => {
                let Some((.., text)) = current.last_mut() else { continue };
                *text = format!("{text}{more}\n");
            }
            None if line.starts_with('#') => {}
            None => current.push((at, line.to_owned(), String::new())),
        }
    }
    for (.., text) in cases.iter_mut().flat_map(|(_, directives)| directives) {
        // Empty lines below a text stand between directives.
        let length = text.trim_end_matches('\n').len();
        text.truncate(if length == 0 { 0 } else { length + 1 });
    }
    cases
}

/// Replaces `{NAME}` and `{NAME: A; B}` by the text of the name, in which A and B stand for `{1}` and `{2}`.
fn filled(text: &str, names: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    loop {
        let before = text.clone();
        for (name, value) in names {
            let mut from = 0;
            while let Some(at) = text[from..].find(&format!("{{{name}")).map(|at| from + at) {
                from = at + 1;
                let Some((given, _)) = text[from + name.len()..].split_once('}') else { continue };
                let values = given.strip_prefix(": ").or(given.is_empty().then_some(""));
                let Some(values) = values.filter(|values| !values.contains('{')) else { continue };
                let values = values.split("; ").zip(1..);
                let value = values
                    .fold(value.clone(), |value, (given, at)| value.replace(&format!("{{{at}}}"), given));
                text.replace_range(at..=from + name.len() + given.len(), &value);
                from = at + value.len();
            }
        }
        if text == before {
            return text;
        }
    }
}

/// Returns the directives of a case with the texts of `let` in place, once for each row of `with`.
pub(super) fn expanded(directives: &[Directive], names: &[(String, String)]) -> Vec<Vec<Directive>> {
    let (mut done, mut names) = (Vec::new(), names.to_vec());
    for (index, (at, line, text)) in directives.iter().enumerate() {
        // Each line of a text in a line of `change` has the sign of this line.
        let signed = |line: &str| {
            filled(line, &names).replace('\n', &format!("\n{}", line.get(..2).unwrap_or_default())) + "\n"
        };
        let text = if line.starts_with("change ") {
            text.lines().map(signed).collect()
        } else {
            filled(text, &names)
        };
        let line = filled(line, &names);
        if let Some(given) = line.strip_prefix("let ") {
            let (name, value) = given.split_once(' ').unwrap_or((given, ""));
            names.retain(|(known, _)| known != name);
            names.push((name.to_owned(), words(value, &text)));
        } else if let Some(columns) = line.strip_prefix("with ") {
            let row = |row: &str| {
                let cells = columns.split("; ").zip(row.splitn(columns.split("; ").count(), "; "));
                let row = cells.map(|(name, value)| (name.to_owned(), value.to_owned()));
                expanded(&directives[index + 1..], &names.iter().cloned().chain(row).collect::<Vec<_>>())
            };
            return text.lines().flat_map(row).map(|more| [&done[..], &more].concat()).collect();
        } else {
            done.push((*at, line, text));
        }
    }
    vec![done]
}

/// Returns what a pointer of JSON points to, with `*` for each element of a list; what is absent is null.
pub(super) fn pointed(json: &Value, pointer: &str) -> Value {
    match pointer.split_once("/*") {
        None => json.pointer(pointer).cloned().unwrap_or_default(),
        Some((list, below)) => {
            let list = json.pointer(list).and_then(Value::as_array).unwrap();
            list.iter().map(|element| pointed(element, below)).collect()
        }
    }
}

/// Returns whether values of JSON are equal, where 1 is 1.0.
fn equal(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Array(values), Value::Array(expected)) => {
            values.len() == expected.len()
                && values.iter().zip(expected).all(|(value, expected)| equal(value, expected))
        }
        (Value::Number(value), Value::Number(expected)) => value.as_f64() == expected.as_f64(),
        _ => value == expected,
    }
}

/// Returns whether cells are these values, which spaces separate: `*` is any, and LOW..HIGH a range.
pub(super) fn fit(cells: &[&str], values: &str) -> bool {
    let fits = |(cell, value): (&&str, &str)| {
        value == "*" || *cell == value || cell.parse().is_ok_and(|cell| within(cell, value))
    };
    cells.len() == values.split(' ').count() && cells.iter().zip(values.split(' ')).all(fits)
}

/// Returns whether a number lies in a range such as 1..2, which has both bounds.
fn within(number: f64, range: &str) -> bool {
    let bounds = range.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    bounds.is_some_and(|(low, high): (f64, f64)| (low..=high).contains(&number))
}

pub(super) fn is_value(json: &Value, value: &str) -> bool {
    let is_in_range = json.as_f64().is_some_and(|number| within(number, value));
    is_in_range || equal(json, &serde_json::from_str(value).expect(value))
}

/// Returns the words of a directive: its line or else its text, or a string in quotes.
pub(super) fn words(line: &str, text: &str) -> String {
    match line {
        "" => text.strip_suffix('\n').unwrap_or(text).to_owned(),
        line if line.starts_with('"') => serde_json::from_str(line).unwrap_or_else(|_| line.to_owned()),
        line => line.to_owned(),
    }
}

/// Replaces the lines after `-` by those after `+` that follow them; lines that replace none go to the end.
pub(super) fn changed(text: &str, lines: &str) -> String {
    let (mut text, mut old, mut new) = (text.to_owned(), String::new(), String::new());
    for line in lines.lines().map(Some).chain([None]) {
        let sign = line.and_then(|line| line.chars().next());
        if sign.is_none() || sign == Some('-') && !new.is_empty() {
            let place = format!("\n{text}").find(&format!("\n{old}")).unwrap_or_else(|| panic!("no {old}"));
            let place = if old.is_empty() { text.len() } else { place };
            text.replace_range(place..place + old.len(), &new);
            (old, new) = Default::default();
        }
        let line = format!("{}\n", line.and_then(|line| line.get(2..)).unwrap_or_default());
        if sign == Some('-') { old += &line } else { new += &line }
    }
    text
}

pub(super) fn columns(table: &str, names: &[&str]) -> String {
    let (head, rows) = table.split_once('\n').unwrap();
    let at = |name: &&str| head.split(',').position(|heading| heading == *name).expect(name);
    let at: Vec<usize> = names.iter().map(at).collect();
    let cells = |row: &str| {
        at.iter().map(|&at| row.split(',').nth(at).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    rows.lines().map(|row| if at.is_empty() { row.to_owned() } else { cells(row) } + "\n").collect()
}

/// Returns the heading of a table in CSV and its first row whose first column is a key, or another column as in NAME=KEY.
pub(super) fn row_of(table: &str, key: &str) -> String {
    let head = table.lines().next().unwrap();
    let (column, key) = key.split_once('=').unwrap_or((head.split(',').next().unwrap(), key));
    let at = head.split(',').position(|name| name == column).expect(column);
    let row = table.lines().skip(1).find(|row| row.split(',').nth(at) == Some(key)).expect(key);
    format!("{head}\n{row}\n")
}
