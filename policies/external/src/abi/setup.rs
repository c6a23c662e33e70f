//! `batchlab_setup`: the facts that a policy gets at the beginning of a replay.

use batchlab_traces::reading::Overrun;

use super::{VERSION, pair, push_text};
use batchlab_contract::plugin::{Begin, ParamValue, machine_json};

/// Words of the fixed part.
const HEAD: usize = 5;

/// Returns the record: the fixed part, capacities node by node, parameters as text, the machine as JSON.
pub fn write_setup(begin: &Begin<'_>) -> Vec<u64> {
    let machine = begin.setting.machine;
    let overrun = match begin.setting.overrun {
        Overrun::Raise => 0,
        Overrun::Kill => 1,
        Overrun::Overdue => 2,
    };
    let mut words = vec![0; HEAD];
    let capacities = words.len();
    words.extend((0..machine.nodes()).flat_map(|node| machine.capacity(node)).map(|amount| *amount as u64));
    let params = words.len();
    push_text(&mut words, &params_text(begin));
    let described = words.len();
    push_text(&mut words, machine_json(begin.setting).to_string().as_bytes());
    let at = |word: usize| 8 * word as u32;
    words[0] = pair(VERSION, begin.which as u32);
    words[1] = pair(machine.kinds() as u32, machine.nodes() as u32);
    words[2] = pair(overrun, begin.setting.periodic.into());
    words[3] = pair(at(capacities), at(params));
    words[4] = pair(at(described), at(words.len()));
    words
}

/// The parameters as `key=value`, each followed by a zero, and another zero after the last.
fn params_text(begin: &Begin<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    for (name, value) in begin.params {
        let value = match value {
            ParamValue::Number(number) => number.to_string(),
            ParamValue::Word(word) => word.clone(),
        };
        text.extend_from_slice(format!("{name}={value}\0").as_bytes());
    }
    text
}
