//! The notes of a paper: what must be known about its tables, and each of it once.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::foreign::SafeText;
use batchlab_traces::sorted::SortedMap;

use super::room::{self, ColumnWidths};
use super::{below, escape, float_of};
use crate::table::{Clause, Conditions, EVERY_WORKLOAD, Sentence, Table};

/// How the definition of a change ends that is otherwise that of a ratio.
const LESS: &str = ", less 1";

/// A sentence, or a clause of one.
#[derive(Clone)]
struct Part {
    /// The sentence: what it begins with, or its first clause.
    key: String,
    /// What the sentence begins with; empty for most.
    of: String,
    /// What stands between the part and one before it.
    joint: &'static str,
    clause: Clause,
}

impl Part {
    /// Returns it as a sentence of its own.
    fn alone(&self) -> String {
        format!("{}{}", self.of, self.clause.paper())
    }
}

/// Returns the conditions, notes and definitions of all tables that keep them out of their own notes; empty if there are none.
///
/// A sentence, or a clause of the conditions, stands once, in a paragraph with the tables for which it holds; then the definitions. A
/// paper that has some of the tables shows what concerns these: LaTeX knows their labels from its second run on.
pub fn notes_of(tables: &[Table]) -> SafeText {
    let tables: Vec<Table> = tables
        .iter()
        .filter(|table| table.paper.conditions == Conditions::File)
        .map(Table::for_readers)
        .collect();
    let mut text = String::new();
    for (of, parts) in by_tables(&tables, parts_of) {
        let of: Vec<&Table> = of.iter().map(|&at| &tables[at]).collect();
        let name = match &of[..] {
            all if all.len() == tables.len() && all.len() > 1 => "All tables".into(),
            several => names(several),
        };
        text += &if_shown(&of, &format!("\\paragraph{{{name}}}\n{}", lines(&parts)));
    }
    let mut head = Some("Definitions");
    for (of, definitions) in by_tables(&tables, |table| definitions_of(table, &tables)) {
        let of: Vec<&Table> = of.iter().map(|&at| &tables[at]).collect();
        text += &head.take().map_or_else(String::new, |head| format!("\\paragraph{{{head}}}\n"));
        text += &if_shown(&of, &lines(&definitions));
    }
    if text.contains("\\batchlab") {
        text = format!("{}{text}\n", reference(&tables));
    }
    // Names of logs are long words that LaTeX does not divide.
    SafeText::of(&if text.is_empty() { text } else { format!("{SLOPPY}{text}\\par\\endgroup\n") })
}

/// Returns conditions, notes, and the meanings of signs that are cut below the table; clauses that were said are left out.
fn parts_of(table: &Table) -> Vec<Part> {
    let width = room::width_of(table, float_of(table, &ColumnWidths::of(table)));
    let signs = if below(table, width).is_cut { meanings(table) } else { Vec::new() };
    let mut parts: Vec<Part> = Vec::new();
    for part in table.caption.iter().chain(&table.notes).flat_map(parts_of_sentence).chain(whole(signs)) {
        let is_said = |known: &Part| known.clause.paper() == part.clause.paper();
        if !(part.of.is_empty() && parts.iter().any(is_said) || part.clause.paper().is_empty()) {
            parts.push(part);
        }
    }
    parts
}

fn parts_of_sentence(sentence: &Sentence) -> impl Iterator<Item = Part> + '_ {
    let Sentence { of, joint, clauses } = sentence;
    let first = clauses.first().map_or("", Clause::paper);
    let key = if of.is_empty() { first } else { of };
    let part = move |clause: &Clause| Part { key: key.into(), of: of.clone(), joint, clause: clause.clone() };
    clauses.iter().map(part)
}

/// Returns sentences of one part.
fn whole(texts: Vec<String>) -> impl Iterator<Item = Part> {
    texts.into_iter().map(|text| Part {
        key: text.clone(),
        of: String::new(),
        joint: "",
        clause: text.into(),
    })
}

/// Returns the full texts of signs; signs with the same reason share it.
fn meanings(table: &Table) -> Vec<String> {
    let mut meanings: Vec<(String, &str)> = Vec::new();
    for (sign, note) in table.signed_footnotes() {
        let (what, reason) = note.split_once(": ").unwrap_or((note, ""));
        match meanings.iter_mut().find(|(_, known)| !reason.is_empty() && *known == reason) {
            Some((signs, _)) => signs.extend([", ", &sign, " ", what]),
            None => meanings.push((format!("{sign} {what}"), reason)),
        }
    }
    let text = |(signs, reason): &(String, &str)| match *reason {
        "" => signs.clone(),
        reason => format!("{signs}: {reason}"),
    };
    meanings.iter().map(text).collect()
}

/// Returns the definitions that no clause of the conditions has given, each with all names that it defines. A change is defined by its
/// ratio if one of the tables has it.
fn definitions_of(table: &Table, tables: &[Table]) -> Vec<Part> {
    let ratio_of = |what: &str| {
        let ratio = what.strip_suffix(LESS)?;
        let all = tables.iter().flat_map(|table| &table.definitions);
        all.map(|(name, known)| (name, known.paper())).find(|(_, known)| *known == ratio)
    };
    let is_said =
        |name: &str| table.caption.iter().flat_map(|line| &line.clauses).any(|clause| clause.defines == name);
    let mut definitions: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, what: String| match definitions.iter_mut().find(|(_, known)| *known == what) {
        Some((names, _)) if names == name => {}
        Some((names, _)) => names.extend([", ", name]),
        None => definitions.push((name.to_owned(), what)),
    };
    for (name, what) in table.definitions.iter().filter(|(name, _)| !is_said(name)) {
        let what = what.paper();
        match ratio_of(what) {
            Some((ratio, known)) => {
                add(ratio, known.to_owned());
                add(name, format!("the {ratio}{LESS}"));
            }
            None => add(name, what.to_owned()),
        }
    }
    whole(definitions.iter().map(|(names, what)| format!("{names}: {what}")).collect()).collect()
}

/// Returns how notes refer to tables: by their number, or by their name if the paper has none of all tables, and whether
/// the paper has one of some tables.
fn reference(tables: &[Table]) -> String {
    let labels = tables.iter().map(|table| &table.paper.label).filter(|label| !label.is_empty());
    let has = labels.map(|label| format!("\\batchlabhas{{{label}}}")).collect::<Vec<_>>().concat();
    format!("{REFERENCE}\\edef\\batchlabnone{{\\ifnum0{has}>0 \\else 1\\fi}}\n")
}

const SLOPPY: &str = "\\begingroup\\sloppy\n";
const REFERENCE: &str = "\\providecommand{\\batchlabhas}[1]{\\ifcsname r@#1\\endcsname 1\\fi}
\\DeclareRobustCommand{\\batchlabfirst}{\\def\\batchlabcomma{}}
\\DeclareRobustCommand{\\batchlabname}[1]{\\batchlabcomma #1\\def\\batchlabcomma{, }}
\\DeclareRobustCommand{\\batchlabtable}[2]{\\ifcsname r@#1\\endcsname\\batchlabname{\\ref{#1}}\\else
  \\ifnum0\\batchlabnone>0 \\batchlabname{\\texttt{#2}}\\fi\\fi}
";

/// Returns a text that LaTeX shows if the paper has one of the tables, or none of all tables.
fn if_shown(tables: &[&Table], text: &str) -> String {
    let labels: Vec<&str> = tables.iter().map(|table| table.paper.label.as_str()).collect();
    if labels.contains(&"") {
        return text.into();
    }
    let has = labels.iter().map(|label| format!("\\batchlabhas{{{label}}}")).collect::<Vec<_>>().concat();
    format!("\\ifnum0\\batchlabnone{has}>0\n{text}\\fi\n")
}

/// Returns how a paper refers to tables; those without a label by their titles.
fn names(tables: &[&Table]) -> String {
    let labels: Vec<&str> = tables.iter().map(|table| table.paper.label.as_str()).collect();
    if labels.contains(&"") {
        return tables.iter().map(|table| escape(&table.title)).collect::<Vec<_>>().join(", ");
    }
    let name =
        |label: &&str| format!("\\batchlabtable{{{label}}}{{{}}}", escape(label.trim_start_matches("tab:")));
    let has = labels.iter().map(|label| format!("\\batchlabhas{{{label}}}")).collect::<Vec<_>>().concat();
    let several = format!("\\ifnum0\\batchlabnone\\batchlabnone{has}>1 s\\fi");
    let ending = if labels.len() > 1 { several.as_str() } else { "" };
    format!("\\batchlabfirst Table{ending}~{}", labels.iter().map(name).collect::<Vec<_>>().concat())
}

/// Returns parts as lines: a part behind another of the same sentence goes on with it.
fn lines(parts: &[Part]) -> String {
    let mut lines: Vec<(&Part, usize, String)> = Vec::new();
    for part in parts {
        match lines.last_mut().filter(|(first, ..)| first.key == part.key) {
            // A colon stands behind the beginning that tables share, and a semicolon between its numbers.
            Some((first, count, line)) => {
                let joint = if *count == 1 && first.alone() == first.key { part.joint } else { "; " };
                line.extend([joint, part.clause.paper()]);
                *count += 1;
            }
            None => lines.push((part, 1, sentence(part))),
        }
    }
    lines.iter().map(|(.., line)| format!("{}.\n", escape(line))).collect::<Vec<_>>().concat()
}

/// Returns the begin of a line, with a capital first letter unless it begins with a name.
fn sentence(part: &Part) -> String {
    let text = part.alone();
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let is_sentence = part.of == EVERY_WORKLOAD || part.of.is_empty() && part.clause.is_prose;
    if is_sentence { format!("{}{rest}", first.to_uppercase()) } else { text }
}

/// Returns parts, each once, by the tables that have them: what most tables share comes first. O(n log n).
fn by_tables(tables: &[Table], parts: impl Fn(&Table) -> Vec<Part>) -> Vec<(Vec<usize>, Vec<Part>)> {
    let (mut order, mut holders) = (Vec::new(), SortedMap::<String, Vec<usize>>::new());
    for (at, table) in tables.iter().enumerate() {
        for part in parts(table) {
            let of = holders.entry(part.alone()).or_default();
            if of.is_empty() {
                order.push(part);
            }
            if of.last() != Some(&at) {
                of.push(at);
            }
        }
    }
    let mut groups: Vec<(Vec<usize>, Vec<Part>)> = Vec::new();
    for part in order {
        let of = &holders[&part.alone()];
        match groups.iter_mut().find(|(known, _)| known == of) {
            Some((_, parts)) => parts.push(part),
            None => groups.push((of.clone(), vec![part])),
        }
    }
    groups.arrange_by_key(|(of, _)| std::cmp::Reverse(of.len()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(label: &str, caption: &[Sentence], definitions: &[(&str, &str)]) -> Table {
        let owned = |(name, what): &(&str, &str)| ((*name).to_owned(), (*what).into());
        let mut table = Table {
            title: label.into(),
            caption: caption.to_vec(),
            definitions: definitions.iter().map(owned).collect(),
            ..Table::default()
        };
        table.paper.label = label.into();
        table.paper.conditions = Conditions::File;
        table
    }

    #[test]
    fn what_tables_share_stands_once_with_their_numbers() {
        let tables = [
            table(
                "tab:a",
                &["64 processors".into(), "means over units".into()],
                &[("wait", "start - submit")],
            ),
            table("tab:b", &["64 processors".into()], &[("wait", "start - submit")]),
            table("tab:c", &["64 processors".into(), "means over units".into()], &[]),
        ];
        let expected = "\\edef\\batchlabnone{\\ifnum0\\batchlabhas{tab:a}\\batchlabhas{tab:b}\\batchlabhas{tab:c}>0 \\else 1\\fi}
\\ifnum0\\batchlabnone\\batchlabhas{tab:a}\\batchlabhas{tab:b}\\batchlabhas{tab:c}>0
\\paragraph{All tables}
64 processors.
\\fi
\\ifnum0\\batchlabnone\\batchlabhas{tab:a}\\batchlabhas{tab:c}>0
\\paragraph{\\batchlabfirst Table\\ifnum0\\batchlabnone\\batchlabnone\\batchlabhas{tab:a}\\batchlabhas{tab:c}>1 s\\fi~\\batchlabtable{tab:a}{a}\\batchlabtable{tab:c}{c}}
means over units.
\\fi
\\paragraph{Definitions}
\\ifnum0\\batchlabnone\\batchlabhas{tab:a}\\batchlabhas{tab:b}>0
wait: start - submit.
\\fi
";
        assert_eq!(*notes_of(&tables), format!("{SLOPPY}{REFERENCE}{expected}\n\\par\\endgroup\n"));
        assert_eq!(*notes_of(&[]), *"");
    }

    /// Returns a text of notes without the lines that LaTeX reads.
    fn shown(tables: &[Table]) -> Vec<String> {
        let text = notes_of(tables).to_string();
        text.lines()
            .skip(8)
            .filter(|line| !line.starts_with("\\ifnum") && *line != "\\fi")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn nothing_is_said_twice() {
        let paper = |text: &str, words: &str| Clause::prose(text).in_a_paper(words);
        let of_own = |head: Clause, own| Sentence { joint: ": ", ..Sentence::new("", [head, own]) };
        let caution = |text, words| of_own(paper("", "caution: intervals held less"), paper(text, words));
        let alike = |most| of_own(Clause::prose("units alike count as fewer"), Clause::prose(most));
        let lines = [
            Sentence::new("a: ", [paper("7 windows of 1 d", "7 windows"), "40 jobs".into()]),
            Sentence::new(EVERY_WORKLOAD, [paper("", "windows of 1 d"), "seed 1".into(), "tool 2".into()]),
            Clause { defines: "value", ..Clause::prose("values are means") }.into(),
            Sentence::new(
                "",
                [paper("experiment e, seed 1", "experiment e"), paper("", "seed 1"), "tool 2".into()],
            ),
        ];
        let told: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let expected = ["a: 7 windows of 1 d; 40 jobs", "every workload: seed 1; tool 2"];
        assert_eq!(
            (&told[..2], told[3].as_str()),
            (&expected.map(String::from)[..], "experiment e, seed 1; tool 2")
        );
        let mut one = table("tab:a", &lines, &[("value", "mean"), ("ratio", "a by b")]);
        one.definitions[1].1 = paper("a by b; lower is better", "a by b");
        let mut other =
            table("tab:b", &lines[..3], &[("two", "less"), ("three", "less"), ("change", "a by b, less 1")]);
        one.notes = vec![
            alike("at most 3"),
            caution("t held 90 %; more helps", "t"),
            caution("BCa held 80 %", "BCa"),
        ];
        other.notes = vec![alike("at most 7")];
        let expected = [
            "\\paragraph{All tables}",
            "a: 7 windows; 40 jobs.",
            "Every workload: windows of 1 d; seed 1; tool 2.",
            "Values are means.",
            "Units alike count as fewer.",
            "\\paragraph{\\batchlabfirst Table~\\batchlabtable{tab:a}{a}}",
            "Experiment e.",
            "At most 3.",
            "Caution: intervals held less: t; BCa.",
            "\\paragraph{\\batchlabfirst Table~\\batchlabtable{tab:b}{b}}",
            "At most 7.",
            "\\paragraph{Definitions}",
            "ratio: a by b.",
            "two, three: less.",
            "change: the ratio, less 1.",
            "",
            "\\par\\endgroup",
        ];
        assert_eq!(shown(&[one, other]), expected);
    }

    #[test]
    fn signs_with_one_reason_share_it() {
        let mut table = table("tab:a", &[], &[]);
        table.footnotes =
            ["no interval: no spread", "not tested: no spread", "no interval: few", "saturated"]
                .map(String::from)
                .into();
        let expected = [
            "\u{2021}a no interval, \u{a7} not tested: no spread",
            "\u{2021}b no interval: few",
            "\u{2020} saturated",
        ];
        assert_eq!(meanings(&table), expected);
    }
}
