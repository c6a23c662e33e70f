use std::hint::black_box;

use batchlab::traces::{Record, RecordSink};

/// Takes records and discards them in a way that the optimiser cannot remove.
#[derive(Default)]
pub struct Count(pub u64);

impl RecordSink for Count {
    fn record(&mut self, record: &Record) {
        black_box(record);
        self.0 += 1;
    }
}
