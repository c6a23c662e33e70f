//! Nodes of a job as text.

use std::fmt;

use batchlab_policies::Share;

/// Nodes with the number of processors on each: `0:8+3:4`.
pub struct NodeList<'a>(pub &'a [Share]);

impl fmt::Display for NodeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Share { node, procs }) in self.0.iter().enumerate() {
            let plus = if index > 0 { "+" } else { "" };
            write!(f, "{plus}{node}:{procs}")?;
        }
        Ok(())
    }
}

/// Reads nodes, in any order; empty text means no nodes.
pub(super) fn parse(text: &str) -> Option<Vec<Share>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let share = |text: &str| {
        let (node, procs) = text.split_once(':')?;
        Some(Share { node: node.trim().parse().ok()?, procs: procs.trim().parse().ok()? })
    };
    let mut shares: Vec<Share> = text.split('+').map(share).collect::<Option<_>>()?;
    shares.sort_by_key(|share| share.node);
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_as_they_are_written() {
        for text in ["", "7:1", "0:8+3:4"] {
            assert_eq!(NodeList(&parse(text).unwrap()).to_string(), text);
        }
        assert_eq!(parse("3:4+0:8"), parse("0:8+3:4"));
        for wrong in ["7", "0:8+", "0:8,3:4", "-1:4", "a:4", "0:x", "99999999999:1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
