use batchlab_traces::notation::instant::{Stamp, us_apart};
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{space0, space1, u32};
use nom::combinator::{all_consuming, map_opt, not, recognize};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NasRecord<'a> {
    pub(super) user: &'a [u8],
    /// `None` when the column is missing or holds a placeholder.
    pub(super) command: Option<&'a [u8]>,
    pub(super) nodes: i64,
    /// Seconds.
    pub(super) run: i64,
    /// The start, on the machine's wall clock.
    pub(super) start: Stamp,
    /// The start as printed in the log.
    pub(super) when: &'a [u8],
}

/// Words that occur in records of outages and not as users or commands. They are assumed: the log's own words
/// for outages are not published.
const OUTAGES: [&[u8]; 8] =
    [b"down", b"downtime", b"outage", b"dedicated", b"maintenance", b"reboot", b"crash", b"idle"];

impl NasRecord<'_> {
    /// Whether the record is not a job: it has no nodes or describes an outage.
    pub(super) fn is_special(&self) -> bool {
        let is_outage = |name: &[u8]| OUTAGES.iter().any(|outage| name.eq_ignore_ascii_case(outage));
        self.nodes == 0 || is_outage(self.user) || self.command.is_some_and(is_outage)
    }

    /// Whether its user is staff: the name is not `user` plus a number.
    pub(super) fn is_staff(&self) -> bool {
        let number = self.user.strip_prefix(b"user").unwrap_or_default();
        number.is_empty() || !number.iter().all(u8::is_ascii_digit)
    }
}

/// Parses a whole line; `None` if it is not a record.
pub(super) fn record(line: &[u8]) -> Option<NasRecord<'_>> {
    let head = alt((
        (token, space1, token, space1, count, space1, count)
            .map(|(user, _, command, _, nodes, _, run)| (user, Some(command), nodes, run)),
        (token, space1, count, space1, count).map(|(user, _, nodes, _, run)| (user, None, nodes, run)),
    ));
    let record = (head, preceded(space1, when)).map(|((user, command, nodes, run), (start, when))| {
        let command = command.filter(|command| ![&b"-"[..], b"?"].contains(command));
        NasRecord { user, command, nodes, run, start, when }
    });
    all_consuming(delimited(space0, record, space0)).parse(line).ok().map(|(_, record)| record)
}

fn token(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while1(|byte: u8| !byte.is_ascii_whitespace()).parse(input)
}

/// Parses a number that is a whole token.
fn count(input: &[u8]) -> IResult<&[u8], i64> {
    terminated(u32, not(take_while1(|byte: u8| !byte.is_ascii_whitespace()))).map(i64::from).parse(input)
}

/// Parses date and time; also returns their text.
fn when(input: &[u8]) -> IResult<&[u8], (Stamp, &[u8])> {
    let (rest, text) = recognize((token, space1, token)).parse(input)?;
    let (_, stamp) = map_opt((token, space1, token), |(date, _, time)| us_apart(date, time)).parse(text)?;
    Ok((rest, (stamp, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_a_command_a_placeholder_or_none() {
        let commands = [
            "user1 cmd3 4 60 10/19/93 18:06:10",
            "user1 - 4 60 10/19/93 18:06:10",
            "user1 4 60 10/19/93 18:06:10",
        ]
        .map(|line| record(line.as_bytes()).unwrap())
        .map(|record| (record.command, record.nodes, record.run));
        assert_eq!(commands, [(Some(&b"cmd3"[..]), 4, 60), (None, 4, 60), (None, 4, 60)]);
        let padded = record(b"  user1   7    4   60 10/19/93   18:06:10  ").unwrap();
        assert_eq!((padded.command, padded.nodes), (Some(&b"7"[..]), 4));
    }

    #[test]
    fn anything_else_is_none() {
        for line in [
            "",
            "user1",
            "user1 cmd3 4 60 10/19/93",
            "user1 cmd3 x 60 10/19/93 18:06:10",
            "user1 cmd3 4 60 13/19/93 18:06:10",
            "user1 cmd3 4 60 10/19/93 18:06:10 more",
            "user1 cmd3 4 99999999999 10/19/93 18:06:10",
            "user1 cmd3 4 -60 10/19/93 18:06:10",
        ] {
            assert_eq!(record(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn staff_are_all_whose_name_is_no_number() {
        let staff =
            |user: &str| record(format!("{user} x 1 1 10/19/93 18:06:10").as_bytes()).unwrap().is_staff();
        assert_eq!(
            ["user12", "user", "users3", "sysadmin", "intel0"].map(staff),
            [false, true, true, true, true]
        );
    }

    #[test]
    fn records_without_nodes_or_about_an_outage_are_not_jobs() {
        let special = |line: &str| record(line.as_bytes()).unwrap().is_special();
        assert!(special("user2 nsh 0 10 10/19/93 18:16:23"));
        assert!(special("system DOWNTIME 128 7200 10/19/93 18:16:23"));
        assert!(!special("user2 nsh 1 10 10/19/93 18:16:23"));
    }
}
