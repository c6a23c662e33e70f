//! The nodes of a job: `exec_host` and `exec_vnode`.

use batchlab_traces::notation::whole;

use super::request::count;

/// The slots of a job and the number of hosts they are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// Slots on all hosts.
    pub(super) slots: i64,
    /// Number of different hosts.
    pub(super) hosts: i64,
}

/// Parses `i02n33/7+i02n33/6`, `n1/0,2-5`, `c1/0-3+c2/0-7`, `c1/0*13+c2/0*13` (PBS Professional: 13
/// processors each); `None` if a slot is written otherwise. O(n log n) in the hosts.
pub(super) fn exec_host(text: &[u8]) -> Option<Slots> {
    let mut names = Vec::new();
    let mut slots = 0_i64;
    for part in text.split(|&byte| byte == b'+') {
        let (host, list) = match memchr::memchr(b'/', part) {
            Some(at) => (&part[..at], &part[at + 1..]),
            None => (part, &b"0"[..]),
        };
        if host.is_empty() {
            return None;
        }
        // Slots of one host are adjacent.
        if names.last() != Some(&host) {
            names.push(host);
        }
        for item in list.split(|&byte| byte == b',') {
            slots = slots.checked_add(items(item)?)?;
        }
    }
    names.sort_unstable();
    names.dedup();
    Some(Slots { slots, hosts: names.len() as i64 })
}

/// Returns the number of slots that `7`, `0-3` or `0*13` stands for.
fn items(item: &[u8]) -> Option<i64> {
    if let Some(at) = memchr::memchr(b'*', item) {
        return count(&item[at + 1..]);
    }
    let Some(at) = memchr::memchr(b'-', item) else { return count(item).map(|_| 1) };
    let (first, last) = (count(&item[..at])?, count(&item[at + 1..])?);
    if first <= last { (last - first).checked_add(1) } else { None }
}

/// Processors and GPUs allocated to a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AllocatedResources {
    /// Processors, if the log gives them.
    pub(super) procs: Option<i64>,
    /// GPUs, if the log gives them.
    pub(super) gpus: Option<i64>,
}

/// Parses `(c1:ncpus=13:mem=4gb)+(c2[0]:ncpus=13+c2[1]:ncpus=1:ngpus=2)`; `None` if an amount cannot be read.
pub(super) fn exec_vnode(text: &[u8]) -> Option<AllocatedResources> {
    let mut given = AllocatedResources::default();
    for part in text.split(|&byte| byte == b'+') {
        let part = part.strip_prefix(b"(").unwrap_or(part);
        let part = part.strip_suffix(b")").unwrap_or(part);
        for piece in part.split(|&byte| byte == b':').skip(1) {
            let (sum, value) = match piece {
                [b'n', b'c', b'p', b'u', b's', b'=', value @ ..] => (&mut given.procs, value),
                [b'n', b'g', b'p', b'u', b's', b'=', value @ ..] => (&mut given.gpus, value),
                _ => continue,
            };
            *sum = Some(sum.unwrap_or(0).checked_add(whole(value)?)?);
        }
    }
    Some(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(text: &str) -> Option<(i64, i64)> {
        exec_host(text.as_bytes()).map(|seen| (seen.slots, seen.hosts))
    }

    #[test]
    fn slots_are_listed_counted_or_ranges() {
        assert_eq!(hosts("i02n33/7+i02n33/6+i02n32/0"), Some((3, 2)));
        assert_eq!(hosts("c1/0*13+c2/0*13"), Some((26, 2)));
        assert_eq!(hosts("c1/0-3+c2/0-7"), Some((12, 2)));
        assert_eq!(hosts("n1/0,2-5,9"), Some((6, 1)));
        assert_eq!(hosts("a/0+b/0+a/1"), Some((3, 2)));
        assert_eq!(hosts("[h]/0*0"), Some((0, 1)));
        assert_eq!(hosts("n1"), Some((1, 1)));
        for no in ["", "/3", "n1/x", "n1/3-1", "n1/0*x", "n1/", "a+/1", "n1/0-9223372036854775807+n1/0"] {
            assert_eq!(hosts(no), None, "{no}");
        }
    }

    #[test]
    fn virtual_nodes_tell_processors_and_gpus() {
        let given = |text: &str| exec_vnode(text.as_bytes()).map(|given| (given.procs, given.gpus));
        assert_eq!(given("(c1:ncpus=13)+(c2:ncpus=13)"), Some((Some(26), None)));
        let one = "([h][1]:mem=190000128kb:ngpus=2:ncpus=24+[h][0]:ngpus=2:ncpus=24)";
        assert_eq!(given(one), Some((Some(48), Some(4))));
        assert_eq!(given("(c1)"), Some((None, None)));
        assert_eq!(given("(c1:ncpus=x)"), None);
    }
}
