//! The notes of a paper: what must be known about its tables, and each of it once.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::foreign::SafeText;
use batchlab_traces::sorted::SortedMap;

use super::room::{self, ColumnWidths};
use super::{below, escape, float_of};
use crate::table::{Conditions, EVERY_WORKLOAD, Table};

/// How the lines of a caption begin whose clauses stand for themselves. A clause that begins with "their" stays with the one before.
const OF_CLAUSES: [&str; 4] = ["values are ", "intervals at ", "compared with ", EXPERIMENT];
/// How the line begins that names the experiment and the program.
const EXPERIMENT: &str = "experiment ";
/// Notes whose end, from some words on, is advice for the author or an explanation that a paper does without.
const ASIDES: [(&str, &str); 2] = [("caution: ", "; "), ("intervals of ", ": that they would ")];
/// Words of a caution that a paper does without: the sentence names the kind of interval, and what was simulated.
const SUPERFLUOUS: [(&str, &str); 2] =
    [("intervals of this kind (", "intervals ("), ("simulations of this:", "simulations:")];
/// How notes begin whose first clause tables share, while the numbers behind it are their own.
const HEADS: [&str; 2] = ["where neighbouring units ", "a typical unit "];
/// Ends of definitions that a paper does without, from some words on.
const ASIDES_OF_DEFINITIONS: [&str; 4] =
    ["; lower is better", "; higher is better", ": 0 if all ", ": 1 if all "];
/// What is said of logs of which no job is dropped.
const NONE_DROPPED: [&str; 2] = [", 0 dropped in all", ", 0 dropped in the first unit"];
/// How the definition of a change ends that is otherwise that of a ratio.
const LESS: &str = ", less 1";
/// How sentences begin that do not begin with a name.
const BEGINS: [&str; 10] = [
    EVERY_WORKLOAD,
    "values are ",
    "intervals ",
    "compared with ",
    EXPERIMENT,
    "where ",
    "a typical ",
    "at most ",
    "units in ",
    "caution: ",
];

/// A sentence, or a clause of one.
#[derive(Clone)]
struct Part {
    /// How the sentence begins; empty for a sentence of one part.
    of: String,
    /// What stands between it and the part before.
    joint: &'static str,
    text: String,
}

impl Part {
    fn whole(text: impl Into<String>) -> Part {
        Part { of: String::new(), joint: "", text: text.into() }
    }

    /// Returns it as a sentence of its own.
    fn alone(&self) -> String {
        let begin = if self.of == EVERY_WORKLOAD { EVERY_WORKLOAD } else { "" };
        format!("{begin}{}", self.text)
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
    SafeText::of(&text)
}

/// Returns conditions, notes, and the meanings of signs that are cut below the table.
fn parts_of(table: &Table) -> Vec<Part> {
    let width = room::width_of(table, float_of(table, &ColumnWidths::of(table)));
    let signs = if below(table, width).is_cut { meanings(table) } else { Vec::new() };
    let is_said = |clause: &str| {
        let mut others = table.caption.iter().filter(|line| !line.starts_with(EXPERIMENT));
        others.any(|line| line.trim_start_matches(EVERY_WORKLOAD).split("; ").any(|said| said == clause))
    };
    let is_new = |part: &Part| !part.of.starts_with(EXPERIMENT) || !is_said(&part.text);
    let lines = with_shared_units(&table.caption);
    let conditions = lines.iter().flat_map(|line| clauses(line)).filter(is_new);
    let notes = table.notes.iter().flat_map(|note| parts_of_note(note));
    conditions.chain(notes).chain(signs.into_iter().map(Part::whole)).collect()
}

/// Returns the lines of a caption; if the lines of all workloads have the same words behind the number of their units, these stand
/// with what holds for every workload.
fn with_shared_units(lines: &[String]) -> Vec<String> {
    let Some(every) = lines.iter().position(|line| line.starts_with(EVERY_WORKLOAD)) else {
        return lines.to_vec();
    };
    let units = |line: &String| -> Option<(String, String, String)> {
        let (name, rest) = line.split_once(": ")?;
        let (units, rest) = rest.split_once("; ")?;
        let (number, what) = units.split_once(' ')?;
        Some((
            format!("{name}: {number} {}", what.split([' ', ',']).next()?),
            what.to_owned(),
            rest.to_owned(),
        ))
    };
    let found: Vec<(String, String, String)> = lines[..every].iter().filter_map(units).collect();
    let Some((_, shared, _)) = found.first().filter(|(_, what, _)| what.contains(' ')) else {
        return lines.to_vec();
    };
    if found.len() < every || found.iter().any(|(_, what, _)| what != shared) {
        return lines.to_vec();
    }
    let conditions = lines[every].replacen(EVERY_WORKLOAD, &format!("{EVERY_WORKLOAD}{shared}; "), 1);
    let workloads = found.iter().map(|(begin, _, rest)| format!("{begin}; {rest}"));
    workloads.chain([conditions]).chain(lines[every + 1..].iter().cloned()).collect()
}

/// Returns the clauses of a line of the conditions.
fn clauses(line: &str) -> Vec<Part> {
    let every = line.strip_prefix(EVERY_WORKLOAD);
    if every.is_none() && !OF_CLAUSES.iter().any(|begin| line.starts_with(begin)) {
        return vec![Part::whole(
            NONE_DROPPED.iter().fold(line.to_owned(), |line, of| line.replacen(of, "", 1)),
        )];
    }
    let line = if line.starts_with(EXPERIMENT) { &line.replacen(", seed ", "; seed ", 1) } else { line };
    let mut texts: Vec<String> = Vec::new();
    for clause in every.unwrap_or(line).split("; ") {
        match texts.last_mut().filter(|_| clause.starts_with("their ")) {
            Some(before) => before.extend(["; ", clause]),
            None => texts.push(clause.to_owned()),
        }
    }
    let of = every.map_or_else(|| texts[0].clone(), |_| EVERY_WORKLOAD.to_owned());
    texts.into_iter().map(|text| Part { of: of.clone(), joint: "; ", text }).collect()
}

/// Returns a note without what a paper does without; its head and its numbers apart if tables may share the head.
fn parts_of_note(note: &str) -> Vec<Part> {
    let aside =
        ASIDES.iter().filter(|(begin, _)| note.starts_with(begin)).find_map(|(_, end)| note.find(end));
    let note = note[..aside.unwrap_or(note.len())].to_owned();
    let note = SUPERFLUOUS.iter().fold(note, |note, (long, short)| note.replacen(long, short, 1));
    match note.split_once(": ").filter(|_| HEADS.iter().any(|head| note.starts_with(head))) {
        Some((head, own)) => {
            [head, own].map(|text| Part { of: head.into(), joint: ": ", text: text.into() }).into()
        }
        None => vec![Part::whole(note)],
    }
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
        all.map(|(name, known)| (name, without_aside(known))).find(|(_, known)| *known == ratio)
    };
    let is_said = |name: &str| {
        let clauses = table.caption.iter().flat_map(|line| line.split("; "));
        clauses.filter_map(|clause| clause.strip_prefix(name)).any(|rest| rest.starts_with([' ', 's']))
    };
    let mut definitions: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, what: String| match definitions.iter_mut().find(|(_, known)| *known == what) {
        Some((names, _)) if names == name => {}
        Some((names, _)) => names.extend([", ", name]),
        None => definitions.push((name.to_owned(), what)),
    };
    for (name, what) in table.definitions.iter().filter(|(name, _)| !is_said(name)) {
        let what = without_aside(what);
        match ratio_of(what) {
            Some((ratio, known)) => {
                add(ratio, known.to_owned());
                add(name, format!("the {ratio}{LESS}"));
            }
            None => add(name, what.to_owned()),
        }
    }
    definitions.iter().map(|(names, what)| Part::whole(format!("{names}: {what}"))).collect()
}

fn without_aside(definition: &str) -> &str {
    let aside = ASIDES_OF_DEFINITIONS.iter().find_map(|begin| definition.find(begin));
    &definition[..aside.unwrap_or(definition.len())]
}

/// Returns how notes refer to tables: by their number, or by their name if the paper has none of all tables, and whether
/// the paper has one of some tables.
fn reference(tables: &[Table]) -> String {
    let labels = tables.iter().map(|table| &table.paper.label).filter(|label| !label.is_empty());
    let has = labels.map(|label| format!("\\batchlabhas{{{label}}}")).collect::<Vec<_>>().concat();
    format!("{REFERENCE}\\edef\\batchlabnone{{\\ifnum0{has}>0 \\else 1\\fi}}\n")
}

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
    let mut lines: Vec<(&str, String)> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some((of, line)) if *of == part.of && !of.is_empty() => line.extend([part.joint, &part.text]),
            _ => lines.push((&part.of, part.alone())),
        }
    }
    lines.iter().map(|(_, line)| format!("{}.\n", escape(&sentence(line)))).collect::<Vec<_>>().concat()
}

/// Returns a sentence with a capital first letter, unless it may begin with a name.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    if BEGINS.iter().any(|begin| text.starts_with(begin)) {
        format!("{}{rest}", first.to_uppercase())
    } else {
        text.to_owned()
    }
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

    fn table(label: &str, caption: &[&str], definitions: &[(&str, &str)]) -> Table {
        let owned = |(name, what): &(&str, &str)| ((*name).to_owned(), (*what).to_owned());
        let mut table = Table {
            title: label.into(),
            caption: caption.iter().map(ToString::to_string).collect(),
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
            table("tab:a", &["64 processors", "means over units"], &[("wait", "start - submit")]),
            table("tab:b", &["64 processors"], &[("wait", "start - submit")]),
            table("tab:c", &["64 processors", "means over units"], &[]),
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
        assert_eq!(*notes_of(&tables), format!("{REFERENCE}{expected}\n"));
        assert_eq!(*notes_of(&[]), *"");
    }

    /// Returns a text of notes without the lines that LaTeX reads.
    fn shown(tables: &[Table]) -> Vec<String> {
        let text = notes_of(tables).to_string();
        text.lines()
            .skip(7)
            .filter(|line| !line.starts_with("\\ifnum") && *line != "\\fi")
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn nothing_is_said_twice() {
        let pairs = "compared with EASY, paired by unit; p of the t-test; adjusted by Bonferroni for those of one metric";
        let lines = [
            "a: 7 windows of 1 d, each replayed by itself; 40 jobs used",
            "b: 9 windows of 1 d, each replayed by itself; 50 jobs",
            "every workload: seed 1; tool 2",
            "values are means over units",
            pairs,
            "experiment e, seed 1; tool 2",
        ];
        let mut one = table(
            "tab:a",
            &lines,
            &[("value", "mean over units"), ("p", "p-value"), ("ratio", "a by b; lower is better")],
        );
        let mut other = table(
            "tab:b",
            &lines[..4],
            &[("value", "mean over units"), ("two", "less"), ("three", "less"), ("change", "a by b, less 1")],
        );
        other.caption.push(format!("{pairs} and class; their intervals hold together"));
        one.notes = vec![
            "where neighbouring units are alike, they are fewer: at most 3".into(),
            "caution: 95 % intervals of this kind (t) held 90 % in simulations of this: 4 units; more help"
                .into(),
        ];
        other.notes = vec!["where neighbouring units are alike, they are fewer: at most 7".into()];
        let expected = [
            "\\paragraph{All tables}",
            "a: 7 windows; 40 jobs used.",
            "b: 9 windows; 50 jobs.",
            "Every workload: windows of 1 d, each replayed by itself; seed 1; tool 2.",
            "Values are means over units.",
            "Compared with EASY, paired by unit; p of the t-test.",
            "Where neighbouring units are alike, they are fewer.",
            "\\paragraph{\\batchlabfirst Table~\\batchlabtable{tab:a}{a}}",
            "adjusted by Bonferroni for those of one metric.",
            "Experiment e.",
            "At most 3.",
            "Caution: 95 \\% intervals (t) held 90 \\% in simulations: 4 units.",
            "\\paragraph{\\batchlabfirst Table~\\batchlabtable{tab:b}{b}}",
            "adjusted by Bonferroni for those of one metric and class; their intervals hold together.",
            "At most 7.",
            "\\paragraph{Definitions}",
            "ratio: a by b.",
            "two, three: less.",
            "change: the ratio, less 1.",
            "",
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
