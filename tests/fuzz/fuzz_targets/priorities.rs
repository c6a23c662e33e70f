#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batchlab_fuzz::counted("priorities", bytes));
