//! A value with its place in the file.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A value with the bytes of the file in which it stands. Two are equal if their values are.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    span: Range<usize>,
    value: T,
}

impl<T> Spanned<T> {
    /// The name by which it asks for the first byte, the end, and the value.
    pub(super) const NAME: &'static str = "Spanned";

    /// Wraps a value.
    pub fn new(span: Range<usize>, value: T) -> Spanned<T> {
        Spanned { span, value }
    }

    /// Returns the bytes of the value in the file.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// Returns the value alone.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Spanned<T>) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Parts<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Parts<T> {
            type Value = Spanned<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a file")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
                let absent = || A::Error::custom("only values of files have places");
                let start = parts.next_element()?.ok_or_else(absent)?;
                let end = parts.next_element()?.ok_or_else(absent)?;
                let value = parts.next_element()?.ok_or_else(absent)?;
                Ok(Spanned { span: start..end, value })
            }
        }

        deserializer.deserialize_tuple_struct(Self::NAME, 3, Parts(PhantomData))
    }
}
