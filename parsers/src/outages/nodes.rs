//! Lists of nodes.

use batchlab_traces::capacity::NodeName;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag};
use nom::character::complete::digit1;
use nom::combinator::{all_consuming, opt};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

const MOST: usize = 100_000;

/// Returns the names of a host list: `n1`, `n[1-3,07]`, `a1,b[2-3]`; `None` if the text is no host
/// list, or has more than 100,000 names.
pub(super) fn hosts(text: &str) -> Option<Vec<NodeName>> {
    let (_, groups) = all_consuming(separated_list1(tag(","), group)).parse(text).ok()?;
    let mut names = Vec::new();
    for (prefix, ranges) in groups {
        let Some((ranges, suffix)) = ranges else {
            names.push(NodeName { name: prefix.into(), number: None });
            continue;
        };
        for (first, last) in ranges {
            let (from, to): (usize, usize) = (first.parse().ok()?, last.unwrap_or(first).parse().ok()?);
            if to < from || to - from >= MOST - names.len().min(MOST) {
                return None;
            }
            let name = |number| format!("{prefix}{number:0width$}{suffix}", width = first.len());
            names.extend((from..=to).map(|number| NodeName { name: name(number), number: None }));
        }
    }
    Some(names).filter(|names| names.len() <= MOST)
}

/// Returns numbers from 0: `0-3,7`; `None` if the text is no such list or has more than 100,000 numbers.
pub(super) fn numbers(text: &str) -> Option<Vec<NodeName>> {
    let (_, ranges) = all_consuming(separated_list1(tag(","), range)).parse(text).ok()?;
    let mut nodes = Vec::new();
    for (first, last) in ranges {
        let (from, to): (usize, usize) = (first.parse().ok()?, last.unwrap_or(first).parse().ok()?);
        if to < from || to - from >= MOST - nodes.len().min(MOST) {
            return None;
        }
        nodes.extend((from..=to).map(|number| NodeName { name: String::new(), number: Some(number) }));
    }
    Some(nodes)
}

type Range<'a> = (&'a str, Option<&'a str>);
type Group<'a> = (&'a str, Option<(Vec<Range<'a>>, &'a str)>);

fn group(input: &str) -> IResult<&str, Group<'_>> {
    let (input, prefix) = is_not("[],").parse(input)?;
    let brackets = delimited(tag("["), separated_list1(tag(","), range), tag("]"));
    let suffix = alt((is_not("[],"), tag("")));
    let (input, ranges) = opt((brackets, suffix)).parse(input)?;
    Ok((input, (prefix, ranges)))
}

fn range(input: &str) -> IResult<&str, Range<'_>> {
    (digit1, opt(preceded(tag("-"), digit1))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes_are_bounded() {
        let names =
            |text: &str| hosts(text).map(|list| list.into_iter().map(|node| node.name).collect::<Vec<_>>());
        assert_eq!(names("n[08-10,2].x,a").unwrap(), ["n08.x", "n09.x", "n10.x", "n2.x", "a"]);
        for wrong in ["", "n[1-", "n[3-1]", "n[1-999999999]", "n1,", "n[0-99999,0-99999]"] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
        assert_eq!(numbers("0-1,5").unwrap().len(), 3);
        assert_eq!((numbers("3-1"), numbers("x"), numbers("0-999999999")), (None, None, None));
    }
}
