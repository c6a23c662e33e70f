//! A site's own laboratory: batchlab with one more policy, log format and metric.

mod metric;
mod parser;
mod policy;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use batchlab::{RegisterError, Registry};

fn main() -> ExitCode {
    match registry() {
        Ok(registry) => batchlab::main_with(&registry),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the built-in entries and this site's own.
fn registry() -> Result<Registry, RegisterError> {
    let mut registry = Registry::builtin();
    registry.register_policy(policy::SPEC)?;
    registry.register_format(&parser::SPEC)?;
    registry.register_metric(&metric::SPEC)?;
    Ok(registry)
}
