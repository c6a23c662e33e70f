//! Sets of hosts, in Batsim's notation: `0-3 7`.

use std::fmt;

const MOST: u64 = 1 << 26;

/// A set of hosts, as closed intervals in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostSet(Vec<(u32, u32)>);

impl HostSet {
    pub fn of(hosts: impl IntoIterator<Item = u32>) -> HostSet {
        HostSet::united(hosts.into_iter().map(|host| (host, host)).collect())
    }

    /// Reads numbers and ranges, separated by spaces or commas; those that overlap are united.
    pub fn parse(text: &str) -> Result<HostSet, String> {
        let number = |word: &str| {
            let read = word.parse::<u32>().ok().filter(|&host| u64::from(host) < MOST);
            read.ok_or_else(|| format!("`{}` is no host", batchlab_traces::foreign::line(word, 20)))
        };
        let mut set = Vec::new();
        for part in text.split([' ', ',']).filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return Err(format!("{first}-{last} is no range of hosts"));
            }
            set.push((first, last));
        }
        Ok(HostSet::united(set))
    }

    fn united(mut intervals: Vec<(u32, u32)>) -> HostSet {
        intervals.sort_unstable();
        let mut set: Vec<(u32, u32)> = Vec::new();
        for (first, last) in intervals {
            match set.last_mut() {
                Some((_, end)) if *end + 1 >= first => *end = last.max(*end),
                _ => set.push((first, last)),
            }
        }
        HostSet(set)
    }

    /// Returns the first and the last host of each interval.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    pub fn count(&self) -> u64 {
        self.0.iter().map(|(first, last)| u64::from(last - first) + 1).sum()
    }

    /// Returns the hosts in ascending order.
    pub fn hosts(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    pub fn last(&self) -> Option<u32> {
        self.0.last().map(|&(_, last)| last)
    }
}

impl fmt::Display for HostSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &(first, last)) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            if first == last {
                write!(f, "{space}{first}")?;
            } else {
                write!(f, "{space}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_numbers_and_ranges() {
        let set = HostSet::parse("7 0-2,4").unwrap();
        assert_eq!((set.count(), set.to_string()), (5, "0-2 4 7".into()));
        assert_eq!(HostSet::of([4, 0, 1, 7, 2]), set);
        assert_eq!(set.hosts().collect::<Vec<u32>>(), [0, 1, 2, 4, 7]);
        assert_eq!(HostSet::parse("").unwrap().count(), 0);
        let error = |text: &str| HostSet::parse(text).unwrap_err();
        // Batsim's documentation of interval sets has this text for five hosts.
        assert_eq!(HostSet::parse("1-2 1-3 5 7").unwrap(), HostSet::of([1, 2, 3, 5, 7]));
        assert_eq!(error("3-1"), "3-1 is no range of hosts");
        assert_eq!(error("-1"), "`` is no host");
        assert_eq!(error("99999999999"), "`99999999999` is no host");
    }
}
