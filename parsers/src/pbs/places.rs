//! The nodes of a job: `exec_vnode`.

use batchlab_traces::notation::whole;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AllocatedResources {
    pub(super) procs: Option<i64>,
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
