use chacha20::rand_core::Rng;

use super::parameters::LublinClass;
use crate::models::error::ModelError;
use crate::seed;

/// Sizes: serial, powers of two, and other sizes; the latter two follow a two-stage uniform law of the log2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    set: LublinClass,
    procs: f64,
}

impl Sizes {
    /// Returns the law of sizes on a machine. Fails when the shares exceed 1, or the stages are out of order or beyond the
    /// machine.
    pub(super) fn new(class: &str, set: &LublinClass, procs: u32) -> Result<Sizes, ModelError> {
        let procs = f64::from(procs);
        let within = |key: &str, value: f64, least: f64, most: f64| {
            // A small tolerance allows the log2 of the machine to be given in decimals.
            if (least..=most + 1e-9).contains(&value) {
                return Ok(());
            }
            let expected = format!("from {least} to {most}");
            Err(ModelError::Unfit { key: format!("{class}.{key}"), value, expected })
        };
        within("uhi", set.uhi, 0.0, procs.log2())?;
        within("umed", set.umed, 0.0, set.uhi)?;
        within("ulow", set.ulow, 0.0, set.umed)?;
        within("pow2", set.pow2, 0.0, 1.0 - set.serial)?;
        Ok(Sizes { set: *set, procs })
    }

    /// Draws a size, from 1 to the machine's.
    pub(super) fn draw(&self, stream: &mut impl Rng) -> i64 {
        let set = &self.set;
        let kind = seed::unit(stream);
        if kind <= set.serial {
            return 1;
        }
        let (low, high) =
            if seed::unit(stream) <= set.uprob { (set.ulow, set.umed) } else { (set.umed, set.uhi) };
        let mut log2 = low + seed::unit(stream) * (high - low);
        if kind <= set.serial + set.pow2 {
            log2 = log2.round().min(set.uhi.floor());
        }
        log2.exp2().round().min(self.procs) as i64
    }
}
