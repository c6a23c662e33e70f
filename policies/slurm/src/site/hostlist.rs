//! Lists of hosts: `n[1-3,7],login`.

/// The most names of a list.
const MOST: usize = 1_000_000;

/// The most bytes of all names of a list.
const MOST_BYTES: usize = 256 << 20;

/// Returns the names of a list of hosts, in its order; `None` if a bracket is open, a range is backwards, or there are more
/// than a million names, or names that are too long for that many. Numbers keep their leading zeros; several brackets in a name are multiplied out.
pub fn hosts(text: &str) -> Option<Vec<String>> {
    let (mut names, mut left) = (Vec::new(), MOST_BYTES);
    let mut depth = 0;
    let mut begin = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                expand(text[begin..at].trim(), &mut names, &mut left)?;
                begin = at + 1;
            }
            _ => {}
        }
        if !(0..=1).contains(&depth) {
            return None;
        }
    }
    if depth != 0 {
        return None;
    }
    expand(text[begin..].trim(), &mut names, &mut left)?;
    Some(names)
}

/// Adds the names of one part, `rack[1-2]n[01-16]`; writes at most `left` bytes.
fn expand(part: &str, names: &mut Vec<String>, left: &mut usize) -> Option<()> {
    if part.is_empty() {
        return Some(());
    }
    let mut made = vec![String::new()];
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('[') {
        let (ranges, behind) = after.split_once(']')?;
        let numbers = numbers(ranges)?;
        let count = made.len().checked_mul(numbers.len())?;
        let longest =
            made.first().map_or(0, String::len) + before.len() + numbers.first().map_or(0, String::len);
        *left = left.checked_sub(count.checked_mul(longest)?)?;
        if count.checked_add(names.len())? > MOST {
            return None;
        }
        let longer = |name: &String| {
            numbers.iter().map(move |number| format!("{name}{before}{number}")).collect::<Vec<_>>()
        };
        made = made.iter().flat_map(longer).collect();
        rest = behind;
    }
    *left = left.checked_sub(made.len().checked_mul(rest.len())?)?;
    for name in &mut made {
        name.push_str(rest);
    }
    (names.len() + made.len() <= MOST).then(|| names.append(&mut made))
}

/// Returns the numbers of `1-3,07`.
fn numbers(ranges: &str) -> Option<Vec<String>> {
    let mut numbers = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.trim().split_once('-').unwrap_or((range.trim(), range.trim()));
        let (from, to): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let width = first.len();
        if to < from || to - from >= MOST as u64 || numbers.len() > MOST {
            return None;
        }
        if (to - from + 1).checked_mul(width as u64)? > MOST_BYTES as u64 {
            return None;
        }
        numbers.extend((from..=to).map(|number| format!("{number:0width$}")));
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_out() {
        let shown = |text| hosts(text).map(|names| names.join(" "));
        assert_eq!(shown("n[1-3,7],login").as_deref(), Some("n1 n2 n3 n7 login"));
        assert_eq!(shown("n[08-10]").as_deref(), Some("n08 n09 n10"));
        assert_eq!(shown("r[1-2]n[1-2]-ib").as_deref(), Some("r1n1-ib r1n2-ib r2n1-ib r2n2-ib"));
        assert_eq!(shown("").as_deref(), Some(""));
        for wrong in ["n[1-3", "n1-3]", "n[3-1]", "n[a-b]", "n[[1]]", "n[0-99999999]", "a[1-2000]b[1-2000]"] {
            assert_eq!(hosts(wrong), None, "{wrong}");
        }
        let long = "n".repeat(10_000);
        assert_eq!(hosts(&format!("{long}[1-999999]")), None, "10 GB of names");
        assert_eq!(hosts(&format!("n[1-999999]{long}")), None);
        assert_eq!(hosts(&format!("n[{}1-999999]", "0".repeat(10_000))), None);
        assert_eq!(hosts(&format!("{long}[1-9]")).unwrap().len(), 9);
    }
}
