//! PBS node specifications: `2:ppn=8:fast+1:ppn=4#excl`.

use batchlab_traces::notation::decimal::LARGEST;
use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::u32;
use nom::combinator::all_consuming;
use nom::error::Error;
use nom::sequence::preceded;

use crate::chunks::{ChunkConstraint, asked};

/// The totals of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeSpec {
    pub(super) nodes: i64,
    /// Processors of each node, if all nodes have the same number.
    pub(super) ppn: Option<i64>,
    pub(super) gpus: i64,
    /// Whether no other job may share the nodes.
    pub(super) exclusive: bool,
    /// The properties of the nodes and the names of nodes.
    pub(super) constraint: Vec<u8>,
}

/// Parses a specification: parts joined by `+`, each a number of nodes or a node's name, then properties
/// separated by colons, among them `ppn=` (1 if missing), `gpu=` or `gpus=` per node, and `excl`. After a `#`
/// follow words for all parts, of which `excl` is read. `None` if a part is empty or a total is more than a record can hold.
pub(super) fn node_spec(text: &[u8]) -> Option<NodeSpec> {
    let ChunkConstraint { exclusive, constraint } = asked(text);
    let text = text.split(|&byte| byte == b'#').next().unwrap_or_default();
    let (mut spec, mut first) = (NodeSpec { exclusive, constraint, ..NodeSpec::default() }, true);
    for part in text.split(|&byte| byte == b'+') {
        let mut words = part.split(|&byte| byte == b':');
        let head = words.next().filter(|head| !head.is_empty())?;
        // A part that does not begin with a number names a node.
        let nodes = if head.first()?.is_ascii_digit() { number(head).unwrap_or(1) } else { 1 };
        let (mut ppn, mut gpus) = (1, 0);
        for word in words {
            ppn = setting("ppn=", word).unwrap_or(ppn);
            gpus = setting("gpus=", word).or_else(|| setting("gpu=", word)).unwrap_or(gpus);
        }
        spec.nodes += nodes;
        spec.gpus = spec.gpus.checked_add(nodes.checked_mul(gpus)?).filter(|&gpus| gpus <= LARGEST)?;
        spec.ppn = if first || spec.ppn == Some(ppn) { Some(ppn) } else { None };
        first = false;
    }
    Some(spec)
}

fn number(text: &[u8]) -> Option<i64> {
    all_consuming(u32::<_, Error<&[u8]>>).parse(text).ok().map(|(_, number)| number.into())
}

fn setting(key: &'static str, text: &[u8]) -> Option<i64> {
    let mut parser = all_consuming(preceded(tag(key), u32::<_, Error<&[u8]>>));
    parser.parse(text).ok().map(|(_, number)| number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let spec = |text: &str| node_spec(text.as_bytes()).map(|spec| (spec.nodes, spec.ppn, spec.gpus));
        assert_eq!(spec("1:ppn=64:x86_64:cl_zewura#excl"), Some((1, Some(64), 0)));
        assert_eq!(spec("1:ppn=1+2:ppn=2"), Some((3, None, 0)));
        assert_eq!(spec("3:ppn=8+1:ppn=8:gpus=2"), Some((4, Some(8), 2)));
        assert_eq!(spec("zewura19.cerit-sc.cz:ppn=12:brno"), Some((1, Some(12), 0)));
        assert_eq!(spec("1:^zewura17:^zewura12:ppn=24"), Some((1, Some(24), 0)));
        assert_eq!(spec("2"), Some((2, Some(1), 0)));
        let asked = node_spec(b"2:ppn=4:ib+1:ppn=2:ib#excl").unwrap();
        assert_eq!((asked.exclusive, &asked.constraint[..]), (true, &b"ib"[..]));
        assert_eq!((spec(""), spec("1+"), spec("4294967295:gpus=4294967295")), (None, None, None));
        assert_eq!(spec("99999999999999:ppn=99999999999999"), Some((1, Some(1), 0)));
    }
}
