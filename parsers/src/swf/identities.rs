//! Numbers for identities: job numbers, users and the like that are not plain numbers.

use batchlab_traces::header::{ColumnScope, Header, ResourceDeclaration};
use batchlab_traces::notation::whole;
use batchlab_traces::trace::{DependencyKind, MOST_DEPENDENCIES, dependency_columns};
use batchlab_traces::{Field, Record};

use crate::entry::Name;
use crate::normal::{LARGEST_IDENTITY, MOST_COLUMNS, Names, WORDS};
use crate::swf::keys::HeaderField;

/// Words for an unknown value.
const UNKNOWN: [&str; 9] = ["nan", "null", "none", "nil", "n/a", "na", "unknown", "(null)", "inf"];

/// Separators of several preceding jobs that no name contains.
const ALWAYS: [u8; 4] = *b"&,;|";

/// Separators of several preceding jobs that are numbers; names contain them too.
const OF_NUMBERS: [u8; 3] = *b":+/";

/// The fields that identify jobs, users and the like.
pub(super) const fn is_identity(field: Field) -> bool {
    matches!(
        field,
        Field::Job
            | Field::User
            | Field::Group
            | Field::Executable
            | Field::Queue
            | Field::Partition
            | Field::Preceding
    )
}

/// The identities that a log gives as words, or as numbers beyond [`LARGEST_IDENTITY`]: numbered above [`WORDS`] by first
/// appearance. Jobs and preceding jobs share their numbers.
pub(super) struct Identities {
    /// Jobs, users, groups, executables, queues and partitions.
    names: [Names; 6],
    after: After,
}

/// The columns of the second and further preceding jobs.
#[derive(Default)]
struct After {
    /// The first free slot: the columns before it are the log's own.
    first: usize,
    /// Number, kind and delay of each slot: positions behind the declared columns.
    slots: Vec<[Option<usize>; 3]>,
    names: Vec<(String, &'static str)>,
    declared: usize,
    values: Vec<(usize, i64)>,
}

impl Default for Identities {
    fn default() -> Identities {
        let names = |at: usize| Names::new(&[("", WORDS)], at == 4);
        Identities { names: [0, 1, 2, 3, 4, 5].map(names), after: After::default() }
    }
}

impl Identities {
    /// Returns the number of an identity; `None` if the text stands for an unknown one.
    pub(super) fn number(&mut self, field: Field, token: &[u8]) -> Option<i64> {
        if let Some(number) = whole(token).filter(|number| (0..=LARGEST_IDENTITY).contains(number)) {
            return Some(number);
        }
        let is_word = token.iter().any(u8::is_ascii_alphanumeric) && !token.starts_with(b"-");
        let is_unknown = UNKNOWN.iter().any(|word| token.eq_ignore_ascii_case(word.as_bytes()));
        let at = match field {
            Field::Job | Field::Preceding => 0,
            other => other.index() - Field::User.index() + 1,
        };
        (is_word && !is_unknown).then(|| self.names[at].number(Name::Text(token)))
    }

    /// Takes the columns that the header declares, once it is complete.
    pub(super) fn declared<'n>(&mut self, names: impl Iterator<Item = &'n str>, count: usize) {
        let names: Vec<&str> = names.collect();
        let is_taken = |at: &usize| names.contains(&dependency_columns(*at)[1].as_str());
        self.after.first = (0..MOST_DEPENDENCIES).take_while(is_taken).count();
        self.after.declared = count;
    }

    /// Keeps the second or a further preceding job of the current record; `false` if there is no room for it.
    pub(super) fn also_after(&mut self, slot: usize, number: i64, delay: i64) -> bool {
        self.after.keep(slot, number, delay)
    }

    /// Drops the further preceding jobs of a line that is not a record.
    pub(super) fn forget(&mut self) {
        self.after.values.clear();
    }

    pub(super) fn append(&mut self, record: &mut Record) {
        if self.after.values.is_empty() {
            return;
        }
        record.extra.resize(self.after.declared + self.after.names.len(), -1);
        for (at, value) in self.after.values.drain(..) {
            record.extra[self.after.declared + at] = value;
        }
    }

    /// Adds names of queues and partitions and columns of further preceding jobs to the header and its lines.
    pub(super) fn describe(&self, header: &mut Header) {
        let Header { lines, queue, partition, .. } = header;
        for (at, key, known) in [(4, HeaderField::Queue, queue), (5, HeaderField::Partition, partition)] {
            let listed = self.names[at].listed().into_iter().filter(|named| is_plain(&named.name));
            for named in listed {
                lines.push(format!("; {}: {} {}", key.name(), named.number, named.name));
                known.push(named);
            }
        }
        let column = |(name, unit): &(String, &str)| ResourceDeclaration {
            name: name.clone(),
            unit: (*unit).into(),
            capacity: None,
            scope: ColumnScope::Job,
        };
        let from = header.resources.len();
        header.resources.extend(self.after.names.iter().map(column));
        let values = HeaderField::Resource.values(header).into_iter().skip(from);
        header.lines.extend(values.map(|value| format!("; {}: {value}", HeaderField::Resource.name())));
    }
}

impl After {
    fn keep(&mut self, slot: usize, number: i64, delay: i64) -> bool {
        let at = self.first + slot;
        if at >= MOST_DEPENDENCIES || self.declared + self.names.len() + 3 > MOST_COLUMNS {
            return false;
        }
        self.slots.resize(self.slots.len().max(slot + 1), [None; 3]);
        let [name, kind, _, wait] = dependency_columns(at);
        let values = [(name, "", number), (kind, "", DependencyKind::AfterAny.code()), (wait, "s", delay)];
        for (column, (name, unit, value)) in values.into_iter().enumerate() {
            if value < 0 {
                continue;
            }
            let place = *self.slots[slot][column].get_or_insert_with(|| {
                self.names.push((name, unit));
                self.names.len() - 1
            });
            self.values.push((place, value));
        }
        true
    }
}

/// Whether a name reads back from a header as it is.
fn is_plain(name: &str) -> bool {
    !name.chars().any(|letter| letter.is_control() || letter.is_whitespace())
}

/// Returns the parts of field 17 if it names several jobs.
pub(super) fn several(token: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let parts = |separators: &'static [u8]| {
        token.split(move |byte| separators.contains(byte)).filter(|part| !part.is_empty())
    };
    let always = token.iter().any(|byte| ALWAYS.contains(byte));
    let numbers = || parts(&OF_NUMBERS).all(|part| part.iter().all(u8::is_ascii_digit));
    let of_numbers = token.iter().any(|byte| OF_NUMBERS.contains(byte)) && numbers();
    match (always, of_numbers) {
        (true, _) => Some(parts(&ALWAYS)),
        (false, true) => Some(parts(&OF_NUMBERS)),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_stay_and_others_are_numbered_by_appearance() {
        let mut all = Identities::default();
        let mut number = |field, text: &str| all.number(field, text.as_bytes());
        assert_eq!(number(Field::User, "92605928607567"), Some(92_605_928_607_567));
        assert_eq!(number(Field::User, "ann"), Some(9_000_000_000_000_001));
        assert_eq!(number(Field::User, "18446744073709551615"), Some(9_000_000_000_000_002));
        assert_eq!(number(Field::User, "ann"), Some(9_000_000_000_000_001));
        assert_eq!(number(Field::Group, "bob"), Some(9_000_000_000_000_001));
        assert_eq!(number(Field::Job, "job-7"), number(Field::Preceding, "job-7"));
        for none in ["nan", "-", "?", "-5", "NULL"] {
            assert_eq!(number(Field::Group, none), None, "{none}");
        }
    }

    #[test]
    fn field_seventeen_may_name_several_jobs() {
        let parts = |text: &'static str| -> Option<Vec<&[u8]>> { Some(several(text.as_bytes())?.collect()) };
        assert_eq!(parts("4&5&6").unwrap(), [b"4", b"5", b"6"]);
        assert_eq!(parts("4:5").unwrap(), [b"4", b"5"]);
        assert_eq!(parts("a/1,b/2").unwrap(), [b"a/1", b"b/2"]);
        assert_eq!((parts("a:b"), parts("4"), parts("-1")), (None, None, None));
    }
}
