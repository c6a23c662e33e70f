//! Counts and hashes bytes as they are read.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// A reader that counts the bytes read through it and computes their SHA-256.
pub(super) struct Meter {
    inner: Box<dyn Read + Send>,
    hash: Sha256,
    bytes: u64,
    failed: bool,
}

impl Meter {
    pub(super) fn new(inner: Box<dyn Read + Send>) -> Meter {
        Meter { inner, hash: Sha256::new(), bytes: 0, failed: false }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the system reported a read error: this distinguishes a broken disk from a broken archive.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Returns the number of bytes read and their SHA-256 in hexadecimal.
    pub(super) fn finish(self) -> (u64, String) {
        let mut hex = String::with_capacity(64);
        for byte in self.hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        (self.bytes, hex)
    }
}

/// Returns the SHA-256 of all bytes of a reader, in hexadecimal. O(bytes), in constant memory.
pub fn sha256(reader: impl Read + Send + 'static) -> io::Result<String> {
    let mut meter = Meter::new(Box::new(reader));
    io::copy(&mut meter, &mut io::sink())?;
    Ok(meter.finish().1)
}

impl Read for Meter {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(count) => {
                self.hash.update(&buffer[..count]);
                self.bytes += count as u64;
                Ok(count)
            }
            Err(error) => {
                self.failed |= error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        let mut meter = Meter::new(Box::new(&b"abc"[..]));
        io::copy(&mut meter, &mut io::sink()).unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(meter.finish(), (3, expected.into()));
    }
}
