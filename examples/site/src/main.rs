//! A site's own laboratory: batchlab with one policy, one log format and one metric more.

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

/// Returns what is built in, and what this site adds.
fn registry() -> Result<Registry, RegisterError> {
    let mut registry = Registry::builtin();
    registry.register_policy(policy::SPEC)?;
    registry.register_format(&parser::SPEC)?;
    registry.register_metric(&metric::SPEC)?;
    Ok(registry)
}
