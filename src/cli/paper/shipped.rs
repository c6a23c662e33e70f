//! The folders of papers that are part of the program: `build.rs` lists them.

use batchlab_traces::nearest::{meant, nearest};

/// The name of a paper's folder, and its files with their contents.
pub type Shipped = (&'static str, &'static [(&'static str, &'static str)]);

/// All folders, by name.
pub static SHIPPED: &[Shipped] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

/// Returns the folder of a name.
pub fn shipped(name: &str) -> Result<&'static Shipped, String> {
    let names = || SHIPPED.iter().map(|(name, _)| *name);
    SHIPPED.iter().find(|(known, _)| *known == name).ok_or_else(|| {
        let meant = meant(nearest(name, names()));
        format!(
            "there is no paper `{name}`{meant}, and no folder of this name; there are {}",
            names().collect::<Vec<_>>().join(", ")
        )
    })
}
