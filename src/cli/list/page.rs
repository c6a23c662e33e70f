use std::fmt::Write;

use super::entry::{ListEntry, Parameter};
use crate::cli::terminal::text::wrap;

pub fn overview(entries: &[ListEntry], width: Option<usize>) -> String {
    let column = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut groups: Vec<&str> = Vec::new();
    for entry in entries {
        if !groups.contains(&entry.group) {
            groups.push(entry.group);
        }
    }
    let mut page = String::new();
    for group in groups {
        if !group.is_empty() {
            let gap = if page.is_empty() { "" } else { "\n" };
            let _ = writeln!(page, "{gap}{}", wrap(group, 0, width));
        }
        let indent = if group.is_empty() { 0 } else { 2 };
        for entry in entries.iter().filter(|entry| entry.group == group) {
            let summary = wrap(&entry.summary, indent + column + 2, width);
            let _ = writeln!(page, "{:indent$}{:column$}  {summary}", "", entry.name);
        }
    }
    page
}

pub fn full(entry: &ListEntry, width: Option<usize>) -> String {
    let mut page = format!("{}: {}\n\n", entry.name, wrap(&entry.summary, 0, width));
    let column = entry.facts.iter().map(|(label, _)| label.len()).max().unwrap_or(0).max("Source".len());
    let mut fact = |label: &str, text: &str| {
        // A text of several lines is code, which is not wrapped.
        let text = match text.split_once('\n') {
            Some(_) => text.replace('\n', &format!("\n{:1$}", "", column + 2)),
            None => wrap(text, column + 2, width),
        };
        let _ = writeln!(page, "{label:column$}  {text}");
    };
    if !entry.source.is_empty() {
        fact("Source", &entry.source);
    }
    for (label, text) in &entry.facts {
        fact(label, text);
    }
    if !entry.parameters.is_empty() {
        page.push_str("\nParameters, with their defaults\n");
        for parameter in &entry.parameters {
            page.push_str(&described(parameter, width));
        }
    }
    page
}

fn described(parameter: &Parameter, width: Option<usize>) -> String {
    let Parameter { name, default, takes, help } = parameter;
    format!("  {name}={default}\n      {}\n      takes {}\n", wrap(help, 6, width), wrap(takes, 6, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &'static str, group: &'static str) -> ListEntry {
        let (summary, source) = ("does this".into(), "Somebody, 1999".into());
        ListEntry { name: name.into(), group, summary, source, ..ListEntry::default() }
    }

    #[test]
    fn entries_stand_under_their_groups_in_the_order_of_the_registry() {
        let page = overview(&[entry("a", "queue"), entry("long", "gang"), entry("b", "queue")], None);
        assert_eq!(page, "queue\n  a     does this\n  b     does this\n\ngang\n  long  does this\n");
        assert_eq!(overview(&[entry("swf", "")], None), "swf  does this\n");
    }

    #[test]
    fn one_in_full_names_its_source_and_what_can_be_set() {
        let takes = "a whole number from 1, or inf".into();
        let parameter = Parameter { name: "k", default: "1", takes, help: "how many" };
        let page = full(&ListEntry { parameters: vec![parameter], ..entry("depth", "") }, None);
        assert_eq!(
            page,
            "depth: does this\n\nSource  Somebody, 1999\n\nParameters, with their defaults\n  k=1\n      how \
             many\n      takes a whole number from 1, or inf\n"
        );
    }
}
