//! Words as values: the choices of a parameter, declared once with the values that they name.

/// A type whose values are named by the words of a parameter. `words!` declares them.
pub trait Words: Copy + 'static {
    /// The words, for [`ParamKind::Choice`](super::ParamKind::Choice).
    const WORDS: &'static [&'static str];
    /// The value of each word.
    const VALUES: &'static [Self];

    /// Returns the value that a word names.
    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|known| *known == word).map(|at| Self::VALUES[at])
    }
}

/// Declares the words of a type's values.
#[macro_export]
macro_rules! words {
    ($of:ty { $($value:ident = $word:literal),+ $(,)? }) => {
        impl $crate::spec::Words for $of {
            const WORDS: &'static [&'static str] = &[$($word),+];
            const VALUES: &'static [$of] = &[$(<$of>::$value),+];
        }
    };
}
