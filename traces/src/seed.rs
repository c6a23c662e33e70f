//! Independent random streams.

use chacha20::ChaCha12Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Returns the random stream of one source of randomness in an experiment.
///
/// The stream depends on the experiment's seed and on the name of the source, so adding a policy, a step or
/// a workload never changes the numbers of another (common random numbers). ChaCha with 12 rounds is named
/// explicitly because its output, unlike that of a "standard" generator, is fixed for all versions.
pub fn stream(seed: u64, name: &str) -> ChaCha12Rng {
    let mut key = [0u8; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    // FNV-1a over the name, in three lanes with different offsets: 192 bits of key from the name.
    for lane in 0..3u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64 ^ lane.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for &byte in name.as_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let at = 8 + lane as usize * 8;
        key[at..at + 8].copy_from_slice(&hash.to_le_bytes());
    }
    ChaCha12Rng::from_seed(key)
}

/// Returns a number uniform in [0, 1), a multiple of 2^-53.
pub fn unit(stream: &mut impl Rng) -> f64 {
    (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_and_by_name_and_repeat() {
        let first = |seed, name| stream(seed, name).next_u64();
        assert_eq!(first(1, "easy"), first(1, "easy"));
        assert_ne!(first(1, "easy"), first(2, "easy"));
        assert_ne!(first(1, "easy"), first(1, "fcfs"));
    }
}
