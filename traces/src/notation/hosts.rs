//! Lists of hosts and of numbers: `n[1-3,07],r[1-2]n[01-04]`, `0-3,8`, `n1/0-3+n2/0*13`, `4*n1`.

use super::whole;

/// The most names that a list may stand for.
pub const MOST: usize = 1_000_000;

/// The most bytes of all names of a list.
const MOST_BYTES: usize = 256 << 20;

/// The most digits of a number: those of the largest one.
const DIGITS: usize = 20;

/// A range of numbers of a list, such as `01-16`; a single number is a range of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    /// The first number.
    pub first: u64,
    /// The last number, at least the first.
    pub last: u64,
    /// The digits of the first number as written: further numbers have leading zeros up to this width.
    width: usize,
}

impl NumberRange {
    /// Parses `7` or `01-16`, with blanks around it; `None` for another text, for a range that goes down, and for more than 20
    /// digits.
    pub fn parse(text: &[u8]) -> Option<NumberRange> {
        let text = text.trim_ascii();
        let dash = text.iter().position(|&byte| byte == b'-');
        let (first, last) =
            dash.map_or((text, text), |at| (text[..at].trim_ascii(), text[at + 1..].trim_ascii()));
        let number = |text: &[u8]| whole(text).filter(|_| text[0].is_ascii_digit()).map(i64::unsigned_abs);
        let range = NumberRange { first: number(first)?, last: number(last)?, width: first.len() };
        (range.first <= range.last && range.width <= DIGITS).then_some(range)
    }

    /// Returns how many numbers it has.
    pub fn count(self) -> u64 {
        (self.last - self.first).saturating_add(1)
    }

    fn digits(self) -> impl Iterator<Item = String> {
        (self.first..=self.last).map(move |number| format!("{number:0width$}", width = self.width))
    }
}

/// Parses `0-3,8`: the inside of a bracket of a list of hosts, a list of processors, and the nodes of an outage of the Standard
/// Workload Format. `None` for another text, and if a range goes down.
pub fn ranges(text: &str) -> Option<Vec<NumberRange>> {
    text.split(',').map(|part| NumberRange::parse(part.as_bytes())).collect()
}

/// Returns the parts of a list of hosts that commas outside of brackets separate: `n[1-3,7]` and `m4` of `n[1-3,7],m4`. Empty
/// parts are left out.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = text.split(move |letter: char| {
        depth += i32::from(letter == '[') - i32::from(letter == ']');
        letter == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// Returns the names of a list of hosts, in its order. Numbers keep their leading zeros, and several brackets in a name are
/// multiplied out, the last one fastest. `None` if a bracket is open or has something else than numbers, if a range goes down, if
/// there are more than `most` names, or if all names together have more than 256 MiB. O(names).
///
/// Source: `hostlist_create` of Slurm (`src/common/hostlist.c`), which `scontrol show hostnames` prints; `bhosts` of LSF and
/// `pbsnodes` list names of the same form.
pub fn names(text: &str, most: usize) -> Option<Vec<String>> {
    let (mut names, mut left) = (Vec::new(), MOST_BYTES);
    for part in parts(text) {
        let part = HostPattern::parse(part)?;
        let count = usize::try_from(part.count()?).ok().filter(|count| *count <= most - names.len())?;
        left = left.checked_sub(count.checked_mul(part.longest())?)?;
        names.append(&mut part.names());
    }
    Some(names)
}

/// Returns how many names a list of hosts stands for, as [`names`] would; `None` if it is no such list. O(length of the text).
pub fn count(text: &str) -> Option<u64> {
    parts(text).try_fold(0_u64, |sum, part| sum.checked_add(HostPattern::parse(part)?.count()?))
}

/// One part of a list of hosts, `rack[1-2]n[01-16]-ib`.
struct HostPattern<'a> {
    /// The text before each bracket, and the ranges in it.
    brackets: Vec<(&'a str, Vec<NumberRange>)>,
    /// The text behind the last bracket.
    tail: &'a str,
}

impl HostPattern<'_> {
    fn parse(part: &str) -> Option<HostPattern<'_>> {
        let (mut brackets, mut tail) = (Vec::new(), part);
        while let Some((before, after)) = tail.split_once('[') {
            let (inside, behind) = after.split_once(']')?;
            brackets.push((before, ranges(inside)?));
            tail = behind;
        }
        let is_open = tail.contains(']') || brackets.iter().any(|(before, _)| before.contains(']'));
        (!is_open).then_some(HostPattern { brackets, tail })
    }

    fn count(&self) -> Option<u64> {
        self.brackets.iter().try_fold(1_u64, |product, (_, ranges)| {
            let sum = ranges.iter().try_fold(0_u64, |sum, range| sum.checked_add(range.count()))?;
            product.checked_mul(sum)
        })
    }

    /// Returns a bound on the bytes of each name.
    fn longest(&self) -> usize {
        let before = self.brackets.iter().map(|(before, _)| before.len() + DIGITS);
        before.sum::<usize>() + self.tail.len()
    }

    fn names(&self) -> Vec<String> {
        let mut made = vec![String::new()];
        for (before, ranges) in &self.brackets {
            let longer = |name: &String| {
                let numbers = ranges.iter().flat_map(|range| range.digits());
                numbers.map(|number| format!("{name}{before}{number}")).collect::<Vec<_>>()
            };
            made = made.iter().flat_map(longer).collect();
        }
        made.into_iter().map(|name| name + self.tail).collect()
    }
}

/// The slots of a job and the number of different hosts they are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    /// Slots on all hosts.
    pub slots: i64,
    /// Number of different hosts.
    pub hosts: i64,
}

impl Slots {
    /// Parses `exec_host` of PBS: `i02n33/7+i02n33/6`, `n1/0,2-5`, `c1/0-3+c2/0-7`, `c1/0*13+c2/0*13` (PBS Professional: 13
    /// processors each); `None` if a slot is written otherwise. O(n log n) in the hosts.
    pub fn of_pbs(text: &[u8]) -> Option<Slots> {
        let mut tally = SlotTally::default();
        for part in text.split(|&byte| byte == b'+') {
            let slash = part.iter().position(|&byte| byte == b'/');
            let (host, list) = slash.map_or((part, &b"0"[..]), |at| (&part[..at], &part[at + 1..]));
            if host.is_empty() {
                return None;
            }
            for item in list.split(|&byte| byte == b',') {
                tally.add(host, slots_of_pbs(item))?;
            }
        }
        Some(tally.total())
    }
}

/// Returns the number of slots that `7`, `0-3` or `0*13` stands for.
fn slots_of_pbs(item: &[u8]) -> Option<i64> {
    match item.iter().position(|&byte| byte == b'*') {
        Some(star) => whole(&item[star + 1..]).filter(|&count| count >= 0),
        None => i64::try_from(NumberRange::parse(item)?.count()).ok(),
    }
}

/// The slots of a job so far, host by host.
#[derive(Debug, Default)]
pub struct SlotTally<'a> {
    names: Vec<&'a [u8]>,
    slots: i64,
}

impl<'a> SlotTally<'a> {
    /// Adds a host as LSF writes it (`lsb.acct`, `bjobs`): `n1`, or `4*n1` for four slots there. `None` if the count cannot be read;
    /// the host counts then, without slots.
    pub fn add_of_lsf(&mut self, text: &'a [u8]) -> Option<()> {
        match text.iter().position(|&byte| byte == b'*') {
            Some(star) => self.add(&text[star + 1..], whole(&text[..star]).filter(|&count| count >= 0)),
            None => self.add(text, Some(1)),
        }
    }

    /// Adds slots of a host; `None` if they are not known, or the sum is too large.
    fn add(&mut self, host: &'a [u8], slots: Option<i64>) -> Option<()> {
        // Slots of one host are adjacent.
        if self.names.last() != Some(&host) {
            self.names.push(host);
        }
        self.slots = self.slots.checked_add(slots?)?;
        Some(())
    }

    /// Returns the slots of all hosts. O(n log n) in the hosts.
    pub fn total(mut self) -> Slots {
        self.names.sort_unstable();
        self.names.dedup();
        Slots { slots: self.slots, hosts: self.names.len() as i64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_out() {
        let shown = |text| {
            let names = names(text, MOST);
            assert_eq!(count(text), names.as_ref().map(|names| names.len() as u64), "{text}");
            names.map(|names| names.join(" "))
        };
        assert_eq!(shown("n[1-3,7],login").as_deref(), Some("n1 n2 n3 n7 login"));
        assert_eq!(shown("n[08-10,2].x, a,").as_deref(), Some("n08.x n09.x n10.x n2.x a"));
        assert_eq!(shown("r[1-2]n[01-02]-ib").as_deref(), Some("r1n01-ib r1n02-ib r2n01-ib r2n02-ib"));
        assert_eq!(shown("tux[0-1]x[1-2]").as_deref(), Some("tux0x1 tux0x2 tux1x1 tux1x2"));
        assert_eq!(shown("").as_deref(), Some(""));
        for wrong in [
            "n[1-3", "n1-3]", "n]1[", "n[3-1]", "n[a-b]", "n[[1]]", "n[]", "n[1-]", "n[-1]", "n[+1]",
            "a]b[1]",
        ] {
            assert_eq!(shown(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lists_are_bounded() {
        for wide in ["n[0-99999999]", "a[1-2000]b[1-2000]", "n[0-18446744073709551615]", "n[1-999999],n[1-9]"]
        {
            assert_eq!(names(wide, MOST), None, "{wide}");
        }
        assert_eq!((count("a[1-2000]b[1-2000]"), names("n[1-3]", 2)), (Some(4_000_000), None));
        let long = "n".repeat(10_000);
        assert_eq!(names(&format!("{long}[1-999999]"), MOST), None, "10 GB of names");
        assert_eq!(names(&format!("n[1-999999]{long}"), MOST), None);
        for zeros in [20, 100_000] {
            assert_eq!(
                names(&format!("n[{}1]", "0".repeat(zeros)), MOST),
                None,
                "{zeros} zeros before a one"
            );
        }
        assert_eq!(names(&format!("{long}[1-9]"), MOST).unwrap().len(), 9);
    }

    #[test]
    fn numbers_are_ranges() {
        let counts = |text| ranges(text).map(|ranges| ranges.iter().map(|range| range.count()).sum::<u64>());
        assert_eq!((counts("0-3,8"), counts("0 - 1, 5"), counts("7")), (Some(5), Some(3), Some(1)));
        assert_eq!([counts("3-1"), counts("x"), counts(""), counts("1,")], [None; 4]);
    }

    #[test]
    fn slots_are_listed_counted_or_ranges() {
        let slots = |text: &str| Slots::of_pbs(text.as_bytes()).map(|seen| (seen.slots, seen.hosts));
        assert_eq!(slots("i02n33/7+i02n33/6+i02n32/0"), Some((3, 2)));
        assert_eq!(slots("c1/0*13+c2/0*13"), Some((26, 2)));
        assert_eq!(slots("c1/0-3+c2/0-7"), Some((12, 2)));
        assert_eq!(slots("n1/0,2-5,9"), Some((6, 1)));
        assert_eq!(slots("a/0+b/0+a/1"), Some((3, 2)));
        assert_eq!(slots("[h]/0*0"), Some((0, 1)));
        assert_eq!(slots("n1"), Some((1, 1)));
        for no in ["", "/3", "n1/x", "n1/3-1", "n1/0*x", "n1/", "a+/1", "n1/0-9223372036854775807+n1/0"] {
            assert_eq!(slots(no), None, "{no}");
        }
        let mut tally = SlotTally::default();
        assert_eq!(
            [&b"n1"[..], b"4*n2", b"n2", b"x*n3"].map(|host| tally.add_of_lsf(host).is_some()),
            [true, true, true, false]
        );
        assert_eq!(tally.total(), Slots { slots: 6, hosts: 3 });
    }
}
