//! The carriers of this program.

use batchlab_contract::plugin::{Carrier, LoadError};

pub const CARRIERS: &[Carrier] = &[
    #[cfg(unix)]
    super::process::CARRIER,
    #[cfg(unix)]
    super::batsim::CARRIER,
    #[cfg(any(unix, windows))]
    super::shared::CARRIER,
    #[cfg(feature = "wasm")]
    super::wasm::CARRIER,
];

pub fn carrier(name: &str) -> Option<&'static Carrier> {
    CARRIERS.iter().find(|carrier| carrier.name == name)
}

/// The carrier of a file, by its extension.
pub fn carrier_of_file(path: &str) -> Result<&'static Carrier, LoadError> {
    let by_end = |carrier: &&Carrier| carrier.ends.iter().any(|end| path.ends_with(end));
    CARRIERS.iter().find(by_end).ok_or_else(|| LoadError::Foreign {
        path: path.into(),
        carrier: "--plugin",
        why: format!(
            "its name ends in none of {}",
            CARRIERS.iter().flat_map(|carrier| carrier.ends).copied().collect::<Vec<_>>().join(", ")
        ),
    })
}
