//! Options as they were given, so that they can be passed on.

/// An option as given: its name, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Name without the dashes.
    pub name: String,
    /// Its values; `true` for a flag.
    pub values: Vec<String>,
}
