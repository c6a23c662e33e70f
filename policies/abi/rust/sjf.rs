//! Shortest job first, as an order: batchlab replay LOG --policy 'easy:order=(wasm:sjf.wasm)'

mod batchlab;

use batchlab::{Policy, Setup};

struct Sjf;

impl Policy for Sjf {
    const ABOUT: &'static str = r#"{"name": "sjf", "kind": "order", "columns": ["estimate"],
        "summary": "shortest estimate first"}"#;

    fn begin(_: &Setup<'_>) -> Result<Sjf, String> {
        Ok(Sjf)
    }

    fn order(&mut self, columns: &[&[f64]], scores: &mut [f64]) {
        scores.copy_from_slice(columns[0]);
    }
}

export!(Sjf);
