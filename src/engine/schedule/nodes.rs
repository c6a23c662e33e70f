use std::fmt;

use batchlab_support::Share;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::machine::{DeviceSet, members};

/// Nodes with the number of processors on each, and the devices there if any: `0:8+3:4`, `0:8@0.1`.
pub struct NodeList<'a>(pub &'a [Share]);

impl fmt::Display for NodeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, &Share { node, procs, devices }) in self.0.iter().enumerate() {
            let plus = if index > 0 { "+" } else { "" };
            write!(f, "{plus}{node}:{procs}")?;
            for (index, device) in members(devices).enumerate() {
                write!(f, "{}{device}", if index > 0 { '.' } else { '@' })?;
            }
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
        let (node, rest) = text.split_once(':')?;
        let (procs, devices) =
            rest.split_once('@').map_or((rest, None), |(procs, devices)| (procs, Some(devices)));
        let share = Share::new(node.trim().parse().ok()?, procs.trim().parse().ok()?);
        Some(Share { devices: devices.map_or(Some(0), device_set)?, ..share })
    };
    let mut shares: Vec<Share> = text.split('+').map(share).collect::<Option<_>>()?;
    shares.arrange_by_key(|share| share.node);
    Some(shares)
}

/// Reads devices: `0.3`.
fn device_set(text: &str) -> Option<DeviceSet> {
    text.split('.').try_fold(0, |set, device| {
        let device: u32 = device.trim().parse().ok()?;
        let bit: DeviceSet = 1_u32.checked_shl(device)?;
        (set & bit == 0).then_some(set | bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_read_as_they_are_written() {
        for text in ["", "7:1", "0:8+3:4", "0:8@0.1+3:4", "3:1@31"] {
            assert_eq!(NodeList(&parse(text).unwrap()).to_string(), text);
        }
        assert_eq!(parse("3:4+0:8"), parse("0:8+3:4"));
        for wrong in "7 0:8+ 0:8,3:4 -1:4 a:4 0:x 99999999999:1 0:8@ 0:8@32 0:8@1.1 0:8@x".split(' ') {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
