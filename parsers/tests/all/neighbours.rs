//! Tests that files of other programs, packed files and archives are named, with what to do.

use batchlab_parsers::{Input, Options, ReadError, format, read_trace};

fn error(bytes: impl AsRef<[u8]>) -> ReadError {
    read_trace(Input::from_bytes("log", bytes.as_ref().to_vec()), &Options::default()).unwrap_err()
}

#[test]
fn packed_files_are_named_with_the_command_that_unpacks_them() {
    for (bytes, name, command) in [
        (&b"\xfd7zXZ\0\0\x04"[..], "an xz file", "xz -dc log | batchlab"),
        (b"BZh91AY&SY\0", "a bzip2 file", "bzip2 -dc log | batchlab"),
        (b"\x28\xb5\x2f\xfd\0", "a zstd file", "zstd -dc log | batchlab"),
        (b"\x04\x22\x4d\x18\0", "an lz4 file", "lz4 -dc log | batchlab"),
        (b"PK\x03\x04\x14\0", "a zip archive", "unzip -p log LOG | batchlab"),
        (b"7z\xbc\xaf\x27\x1c\0", "a 7z archive", "7z x -so log LOG | batchlab"),
    ] {
        let words = error(bytes).to_string();
        assert!(words.contains(name) && words.contains(command), "{words}");
        // The user's word for the format does not change what the bytes are.
        let options = Options { format: format("swf"), ..Options::default() };
        let words = read_trace(Input::from_bytes("log", bytes), &options).unwrap_err().to_string();
        assert!(words.contains(name), "{words}");
    }
}

#[test]
fn an_archive_of_tar_is_named_also_within_gzip() {
    use std::io::Write;
    let mut tar = vec![0; 1024];
    tar[..5].copy_from_slice(b"a.swf");
    tar[257..262].copy_from_slice(b"ustar");
    assert!(error(&tar).to_string().contains("a tar archive"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&tar).unwrap();
    assert!(error(gzip.finish().unwrap()).to_string().contains("a tar archive"));
}

#[test]
fn files_of_other_programs_are_named() {
    let elastisim = r#"{"jobs": [{"type": "rigid", "submit_time": 0, "num_nodes": 2, "arguments": {}}]}"#;
    let words = error(elastisim).to_string();
    assert!(words.contains("ElastiSim") && words.contains("--mapping"), "{words}");
    let options = Options { format: format("sacct-json"), ..Options::default() };
    let words = read_trace(Input::from_bytes("log", elastisim), &options).unwrap_err().to_string();
    assert!(words.contains("ElastiSim"), "{words}");
    let quoted = "\"JobID\",\"User\",\"Submit\"\n\"1\",\"ann\",\"2025-03-03T10:00:00\"\n";
    assert!(error(quoted).to_string().contains("sacct -P"));
    assert!(error("NodeName=n[1-4] CPUs=8\nPartitionName=a Nodes=n[1-4]\n").to_string().contains("--slurm"));
    assert!(error("job_id,submit,start\n1,2,3\n").to_string().contains("--mapping FILE.toml"));
}
