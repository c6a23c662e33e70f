//! The carriers of this program.

use batchlab_contract::plugin::{Carrier, LoadError};

/// All carriers, one line each.
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

/// Returns the carrier of a name.
pub fn carrier(name: &str) -> Option<&'static Carrier> {
    CARRIERS.iter().find(|carrier| carrier.name == name)
}

/// Returns the carrier of a file, by its extension.
///
/// # Errors
/// When no carrier has the extension, or the program was built without the carrier.
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
