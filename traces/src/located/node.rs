//! A value of a file as serde reads it. One type stands for tables, lists, keys, places and dates alike, so that the code that
//! reads a struct is compiled once, and not for each of them.

use std::fmt;
use std::ops::Range;
use std::vec::IntoIter;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::de::{DeTable, DeValue};
use toml::value::Datetime;

use super::read::keys;
use super::spanned::Spanned;
use super::{LocatedValue, integer, number};

/// Why a value cannot be read: serde's words, and where the value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub what: String,
    /// The bytes of the value, once known.
    pub span: Option<Range<usize>>,
}

impl Wrong {
    /// Adds where the value stands, unless it is a value within that is wrong.
    fn within(mut self, span: Range<usize>) -> Wrong {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(what: T) -> Wrong {
        Wrong { what: what.to_string(), span: None }
    }
}

pub(super) struct Node<'de> {
    span: Range<usize>,
    shape: Shape<'de>,
}

enum Shape<'de> {
    Text(&'de str),
    Written(String),
    Date(String),
    Whole(i64),
    Unsigned(u64),
    Large,
    Real(f64),
    Truth(bool),
    List(&'de [LocatedValue<'de>]),
    Table(Vec<(Node<'de>, Node<'de>)>),
}

impl<'de> Node<'de> {
    pub fn new(value: &'de LocatedValue<'de>) -> Node<'de> {
        let span = value.span();
        let shape = match value.get_ref() {
            DeValue::String(text) => Shape::Text(text),
            DeValue::Integer(_) => whole(integer(value.get_ref())),
            DeValue::Float(_) => number(value.get_ref()).map_or(Shape::Large, Shape::Real),
            DeValue::Boolean(truth) => Shape::Truth(*truth),
            DeValue::Array(items) => Shape::List(items),
            DeValue::Table(table) => return Node::table(table, &|_| true, span),
            DeValue::Datetime(date) => Shape::Date(date.to_string()),
        };
        Node { span, shape }
    }

    pub fn table(
        table: &'de DeTable<'de>,
        is_chosen: &dyn Fn(&str) -> bool,
        span: Range<usize>,
    ) -> Node<'de> {
        let chosen = table.iter().filter(|(key, _)| is_chosen(key.get_ref()));
        let pairs = chosen.map(|(key, value)| {
            (Node { span: key.span(), shape: Shape::Text(key.get_ref()) }, Node::new(value))
        });
        Node { span, shape: Shape::Table(pairs.collect()) }
    }

    fn items(items: &'de [LocatedValue<'de>]) -> Items<'de> {
        Items(items.iter().map(Node::new).collect::<Vec<_>>().into_iter())
    }

    /// Returns the error that another kind of value is expected.
    fn refused(&self, expected: &dyn Expected) -> Wrong {
        let found = match &self.shape {
            Shape::Text(text) => Unexpected::Str(text),
            Shape::Written(text) | Shape::Date(text) => Unexpected::Str(text),
            Shape::Whole(whole) => Unexpected::Signed(*whole),
            Shape::Unsigned(whole) => Unexpected::Unsigned(*whole),
            Shape::Large => Unexpected::Other("large number"),
            Shape::Real(real) => Unexpected::Float(*real),
            Shape::Truth(truth) => Unexpected::Bool(*truth),
            Shape::List(_) => Unexpected::Seq,
            Shape::Table(_) => Unexpected::Map,
        };
        Wrong::invalid_type(found, expected).within(self.span.clone())
    }
}

fn whole<'de>(number: Option<i128>) -> Shape<'de> {
    let unsigned = || number.and_then(|number| u64::try_from(number).ok()).map(Shape::Unsigned);
    let signed = number.and_then(|number| i64::try_from(number).ok()).map(Shape::Whole);
    signed.or_else(unsigned).unwrap_or(Shape::Large)
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let span = self.span.clone();
        let read = match self.shape {
            Shape::Text(text) => visitor.visit_borrowed_str(text),
            Shape::Written(text) => visitor.visit_str(&text),
            // A date is to `toml::Value` a table with a key of its own.
            Shape::Date(text) => {
                let node = |shape| Node { span: span.clone(), shape };
                let key = Shape::Text(keys::<Datetime>()[0]);
                visitor.visit_map(Entries::new(vec![(node(key), node(Shape::Written(text)))]))
            }
            Shape::Whole(whole) => visitor.visit_i64(whole),
            Shape::Unsigned(whole) => visitor.visit_u64(whole),
            Shape::Real(real) => visitor.visit_f64(real),
            Shape::Truth(truth) => visitor.visit_bool(truth),
            Shape::List(items) => visitor.visit_seq(Node::items(items)),
            Shape::Table(pairs) => visitor.visit_map(Entries::new(pairs)),
            Shape::Large => return Err(self.refused(&visitor)),
        };
        read.map_err(|wrong| wrong.within(span))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = match self.shape {
            Shape::Text(text) => visitor.visit_borrowed_str(text),
            Shape::Written(text) => visitor.visit_str(&text),
            _ => return Err(self.refused(&visitor)),
        };
        read.map_err(|wrong: Wrong| wrong.within(self.span))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.shape {
            Shape::List(items) => {
                visitor.visit_seq(Node::items(items)).map_err(|wrong: Wrong| wrong.within(self.span))
            }
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.shape {
            Shape::Table(pairs) => {
                visitor.visit_map(Entries::new(pairs)).map_err(|wrong: Wrong| wrong.within(self.span))
            }
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    /// A value with its place, by its name; else a list, or one value in its place.
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let span = self.span.clone();
        let items = match self.shape {
            _ if name == Spanned::<()>::NAME => {
                let byte = |at: usize| Node { span: span.clone(), shape: Shape::Unsigned(at as u64) };
                vec![byte(span.start), byte(span.end), self]
            }
            Shape::List(items) => {
                return visitor.visit_seq(Node::items(items)).map_err(|wrong: Wrong| wrong.within(span));
            }
            Shape::Table(_) => return Err(self.refused(&visitor)),
            _ => vec![self],
        };
        visitor.visit_seq(Items(items.into_iter())).map_err(|wrong: Wrong| wrong.within(span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let span = self.span.clone();
        let word = match self.shape {
            Shape::Table(_) => return Err(Wrong::custom("wanted a word").within(span)),
            Shape::Text(word) => word,
            // Refused as an unknown word, so that the known words are named.
            _ => "",
        };
        let word = Node { span: span.clone(), shape: Shape::Text(word) };
        visitor.visit_enum(word).map_err(|wrong: Wrong| wrong.within(span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple ignored_any
    }
}

struct Items<'de>(IntoIter<Node<'de>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        let Some(node) = self.0.next() else { return Ok(None) };
        let span = node.span.clone();
        seed.deserialize(node).map(Some).map_err(|wrong| wrong.within(span))
    }
}

struct Entries<'de> {
    rest: IntoIter<(Node<'de>, Node<'de>)>,
    /// The value of the key that was read last.
    value: Option<Node<'de>>,
}

impl<'de> Entries<'de> {
    fn new(pairs: Vec<(Node<'de>, Node<'de>)>) -> Entries<'de> {
        Entries { rest: pairs.into_iter(), value: None }
    }

    /// Returns the value of the key that was read last.
    fn value(&mut self) -> Result<Node<'de>, Wrong> {
        self.value.take().ok_or_else(|| Wrong::custom("a key comes before its value"))
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        let value = self.value()?;
        let span = value.span.clone();
        seed.deserialize(value).map_err(|wrong| wrong.within(span))
    }
}

/// A word that stands for one of several values.
impl<'de> EnumAccess<'de> for Node<'de> {
    type Error = Wrong;
    type Variant = Alone;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Alone), Wrong> {
        Ok((seed.deserialize(self)?, Alone))
    }
}

/// Nothing stands beside a word.
pub(super) struct Alone;

impl<'de> VariantAccess<'de> for Alone {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Wrong> {
        Err(Wrong::custom("a word has no value beside it"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::custom("a word has no values beside it"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::custom("a word has no keys beside it"))
    }
}
