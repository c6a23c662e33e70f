//! Recognises packed files and archives, other than gzip, by their first bytes.

/// A kind of packed file or archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The name, with its article.
    pub name: &'static str,
    /// The command that writes the content to standard output, before the name of the file.
    pub command: &'static str,
    /// What follows the name of the file: the log within an archive.
    pub member: &'static str,
}

const KINDS: [(&[u8], Packing); 12] = [
    (b"\xfd7zXZ\0", packed("an xz file", "xz -dc")),
    (b"BZh", packed("a bzip2 file", "bzip2 -dc")),
    (b"\x28\xb5\x2f\xfd", packed("a zstd file", "zstd -dc")),
    (b"\x04\x22\x4d\x18", packed("an lz4 file", "lz4 -dc")),
    (b"\x5d\0\0", packed("an lzma file", "xz -dc --format=lzma")),
    (b"LZIP", packed("an lzip file", "lzip -dc")),
    (b"\x1f\x9d", packed("a compress (.Z) file", "gzip -dc")),
    (b"PK\x03\x04", archive("a zip archive", "unzip -p")),
    (b"PK\x05\x06", archive("an empty zip archive", "unzip -p")),
    (b"7z\xbc\xaf\x27\x1c", archive("a 7z archive", "7z x -so")),
    (b"Rar!\x1a\x07", archive("a rar archive", "unrar p -inul")),
    (b"\x89HDF\r\n\x1a\n", archive("an HDF5 file", "h5dump -d DATASET")),
];

const fn packed(name: &'static str, command: &'static str) -> Packing {
    Packing { name, command, member: "" }
}

const fn archive(name: &'static str, command: &'static str) -> Packing {
    Packing { name, command, member: " LOG" }
}

/// The place and text that identify a tar archive (POSIX.1-1988, ustar).
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Returns the kind of a packed file or archive that begins with these bytes.
pub(super) fn packing(beginning: &[u8]) -> Option<Packing> {
    if beginning.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
        return Some(archive("a tar archive", "tar -xOf"));
    }
    let (magic, found) = KINDS.iter().find(|(magic, _)| beginning.starts_with(magic))?;
    // The level of compression, and the digits of pi or of its square root, follow.
    let is_bzip2 =
        || beginning.get(3).is_some_and(u8::is_ascii_digit) && matches!(beginning.get(4), Some(b'1' | 0x17));
    (*magic != b"BZh" || is_bzip2()).then_some(*found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_first_bytes() {
        let named = |bytes: &[u8]| packing(bytes).map(|found| found.name);
        assert_eq!(named(b"BZh91AY&SY"), Some("a bzip2 file"));
        assert_eq!(named(b"BZhello 1 2 3"), None);
        assert_eq!(named(b"PK\x03\x04\x14\0"), Some("a zip archive"));
        assert_eq!(named(b"; Version: 2.2\n"), None);
        let mut tar = vec![0; 512];
        tar[..5].copy_from_slice(b"a.swf");
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(packing(&tar).map(|found| found.command), Some("tar -xOf"));
    }
}
