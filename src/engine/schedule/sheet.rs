//! Lines of CSV as this program and others write them: with and without quotes, and with words for what is missing.

use std::borrow::Cow;

/// Words that programs write for a missing value, in lower case.
const MISSING: [&str; 7] = ["", "nan", "na", "<na>", "null", "none", "nat"];

/// Splits a line into cells, without the quotes and blanks around them. A quote within quotes is doubled.
pub(super) fn cells(line: &str) -> Vec<Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(',').map(|cell| Cow::Borrowed(cell.trim())).collect();
    }
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(text) = rest {
        let (cell, after) = first_cell(text);
        cells.push(cell);
        rest = after;
    }
    cells
}

fn first_cell(text: &str) -> (Cow<'_, str>, Option<&str>) {
    let Some(mut rest) = text.trim_start().strip_prefix('"') else {
        return match text.split_once(',') {
            Some((cell, after)) => (cell.trim().into(), Some(after)),
            None => (text.trim().into(), None),
        };
    };
    let mut cell = String::new();
    while let Some((part, after)) = rest.split_once('"') {
        cell.push_str(part);
        rest = after;
        match rest.strip_prefix('"') {
            Some(after) => {
                cell.push('"');
                rest = after;
            }
            None => return (cell.trim().to_owned().into(), rest.split_once(',').map(|(_, after)| after)),
        }
    }
    // The quotes do not end on this line.
    (format!("\"{cell}{rest}").into(), None)
}

/// Returns how many cells of a row come before those of the header: R's `write.table` names all columns but that of the
/// rows' names, which are quoted.
pub(super) fn unnamed(header: usize, line: &str, cells: usize) -> usize {
    usize::from(cells == header + 1 && line.trim_start().starts_with('"'))
}

pub(super) fn is_missing(cell: &str) -> bool {
    MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_belong_to_no_cell() {
        let split = |line| cells(line).join("|");
        assert_eq!(split("job_id, start ,end"), "job_id|start|end");
        assert_eq!(split(r#""","job_id", "start" ,"end""#), "|job_id|start|end");
        assert_eq!(split(r#""1",7,"0:8,1:4",30"#), "1|7|0:8,1:4|30");
        assert_eq!(split(r#"1,"a ""b"" c","#), r#"1|a "b" c|"#);
        assert_eq!(split(r#"1,"open"#), r#"1|"open"#);
    }

    #[test]
    fn missing_values_have_several_names() {
        assert!(["", "NaN", "NA", "nan", "<NA>", "NULL", "None", "NaT"].into_iter().all(is_missing));
        assert!(!["0", "-", "n", "na n"].into_iter().any(is_missing));
    }

    #[test]
    fn a_name_of_a_row_has_no_name_itself() {
        assert_eq!(unnamed(3, r#""1",7,0,10"#, 4), 1);
        assert_eq!(unnamed(3, "7,0,10,", 4), 0);
        assert_eq!(unnamed(4, r#""1",7,0,10"#, 4), 0);
    }
}
