//! Draws keyed by job.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::SeedableRng;

use crate::seed;

/// A random stream in which every key has its own stretch.
///
/// The draw of one key does not depend on which other keys are drawn, or in which order.
pub struct Draws(ChaCha12Rng);

/// Words of the stream per key, as a power of two.
const STRETCH: u32 = 16;

impl Draws {
    pub fn new(seed: u64, name: &str) -> Draws {
        Draws(seed::stream(seed, name))
    }

    /// Returns the first number of a key's stretch, uniform in [0, 1).
    pub fn unit(&mut self, key: u64) -> f64 {
        self.0.set_word_pos(u128::from(key) << STRETCH);
        seed::unit(&mut self.0)
    }

    /// Returns the first number of a key's stretch, uniform in (0, 1), so that no quantile of it is infinite.
    pub fn open_unit(&mut self, key: u64) -> f64 {
        // The middle of the interval that a multiple of 2^-53 represents, kept below 1.
        (self.unit(key) + f64::EPSILON / 4.0).min(1.0 - f64::EPSILON / 2.0)
    }
}

/// Returns the key of a copy of a row, or of a row of another log. Keys of rows are below 2^32; derived keys
/// are spread over 52 bits, so that half a million of them collide with a probability of 3 in 100,000.
pub fn derived(key: u64, copy: u64) -> u64 {
    if copy == 0 {
        return key;
    }
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&key.to_le_bytes());
    seed[8..16].copy_from_slice(&copy.to_le_bytes());
    chacha20::rand_core::Rng::next_u64(&mut ChaCha12Rng::from_seed(seed)) >> 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_key_draws_depends_on_no_other() {
        let mut all = Draws::new(7, "memory");
        let drawn: Vec<f64> = (0..50).map(|key| all.unit(key)).collect();
        let mut some = Draws::new(7, "memory");
        assert_eq!((some.unit(41), some.unit(3)), (drawn[41], drawn[3]));
        assert_ne!(Draws::new(7, "gpu").unit(3), drawn[3]);
        assert!(drawn.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn copies_have_keys_of_their_own_and_the_first_keeps_its_own() {
        let keys: crate::sorted::SortedSet<u64> =
            (0..100).flat_map(|key| (0..20).map(move |copy| derived(key, copy))).collect();
        assert_eq!(keys.len(), 2000);
        assert_eq!(derived(5, 0), 5);
        assert!(keys.iter().all(|&key| key < 1 << 52));
    }
}
