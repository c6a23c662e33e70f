//! One field of all jobs, as narrow as its values allow.

use crate::number::Number;

/// A column of numbers. It takes no memory while all values are equal or each is the one before plus 1, four bytes per job
/// while they fit in 32 bits, and eight otherwise.
///
/// Reading is O(1); appending is amortised O(1), with at most three conversions over a column's life per property (width, unit).
#[derive(Clone, Debug)]
pub struct Column {
    store: Store,
    micro: bool,
}

#[derive(Clone, Debug)]
enum Store {
    Constant {
        value: i64,
        len: usize,
    },
    /// At least two values, each the one before plus 1.
    Counted {
        first: i64,
        len: usize,
    },
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

/// The values of a column as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<'a> {
    /// One value for all rows.
    Constant(i64),
    /// The value of the first row; each further value is the one before plus 1.
    Counted(i64),
    /// Values of 32 bits.
    Narrow(&'a [i32]),
    /// Values of 64 bits.
    Wide(&'a [i64]),
}

impl Default for Column {
    fn default() -> Column {
        Column { store: Store::Constant { value: -1, len: 0 }, micro: false }
    }
}

impl Column {
    /// Returns the number of jobs.
    pub fn len(&self) -> usize {
        match &self.store {
            Store::Constant { len, .. } | Store::Counted { len, .. } => *len,
            Store::Narrow(values) => values.len(),
            Store::Wide(values) => values.len(),
        }
    }

    /// Whether the column has no jobs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a row.
    ///
    /// # Panics
    /// When the row is not below [`Column::len`].
    #[inline]
    pub fn get(&self, row: usize) -> Number {
        Number { value: self.raw(row), micro: self.micro }
    }

    /// Returns the value of a row in whole units, without decimals.
    #[inline]
    pub fn whole(&self, row: usize) -> i64 {
        self.get(row).truncated()
    }

    /// Returns the value of every row if all are equal, to detect, for example, a log without memory.
    pub fn constant(&self) -> Option<Number> {
        match self.store {
            Store::Constant { value, .. } => Some(Number { value, micro: self.micro }),
            _ => None,
        }
    }

    /// Whether values are stored without decimals.
    pub fn is_whole(&self) -> bool {
        !self.micro
    }

    /// Returns the values as they are stored: whole numbers, or millionths if [`Column::is_whole`] is false.
    pub fn stored(&self) -> Stored<'_> {
        match &self.store {
            Store::Constant { value, .. } => Stored::Constant(*value),
            Store::Counted { first, .. } => Stored::Counted(*first),
            Store::Narrow(values) => Stored::Narrow(values),
            Store::Wide(values) => Stored::Wide(values),
        }
    }

    /// Returns all values in order.
    pub fn iter(&self) -> impl Iterator<Item = Number> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Copies the values of consecutive rows, beginning with `first`, as floats; whole values up to 2^53 are exact.
    ///
    /// # Panics
    /// When the rows go beyond [`Column::len`].
    pub fn copy_to(&self, first: usize, out: &mut [f64]) {
        let rows = first..first + out.len();
        assert!(rows.end <= self.len(), "rows {rows:?} of {}", self.len());
        if rows.is_empty() {
            return;
        }
        match &self.store {
            Store::Constant { .. } => out.fill(self.get(0).to_f64()),
            Store::Counted { .. } => {
                out.iter_mut().zip(rows).for_each(|(to, row)| *to = self.get(row).to_f64());
            }
            Store::Narrow(values) if self.micro => fill(out, &values[rows], |value| f64::from(value) / 1e6),
            Store::Narrow(values) => fill(out, &values[rows], f64::from),
            Store::Wide(values) if self.micro => fill(out, &values[rows], |value| value as f64 / 1e6),
            Store::Wide(values) => fill(out, &values[rows], |value| value as f64),
        }
    }

    /// Returns a column of the given rows, in their order; the same as collecting their values.
    ///
    /// # Panics
    /// When a row is not below [`Column::len`].
    #[must_use]
    pub fn gather(&self, rows: &[u32]) -> Column {
        let Some(&first) = rows.first() else { return Column::default() };
        let store = match &self.store {
            Store::Constant { value, len } => {
                assert!(rows.iter().all(|&row| (row as usize) < *len), "a row beyond {len}");
                Store::Constant { value: *value, len: rows.len() }
            }
            Store::Narrow(values) => {
                let value = i64::from(values[first as usize]);
                let picked = || rows.iter().map(|&row| i64::from(values[row as usize]));
                if picked().all(|other| other == value) {
                    Store::Constant { value, len: rows.len() }
                } else if picked().zip(value..).all(|(other, next)| other == next) {
                    Store::Counted { first: value, len: rows.len() }
                } else {
                    Store::Narrow(rows.iter().map(|&row| values[row as usize]).collect())
                }
            }
            Store::Counted { .. } | Store::Wide(_) => {
                return rows.iter().map(|&row| self.get(row as usize)).collect();
            }
        };
        Column { store, micro: self.micro }
    }

    /// Appends a number.
    #[inline]
    pub fn push(&mut self, number: Number) {
        if number.micro != self.micro {
            return self.push_other_unit(number);
        }
        match &mut self.store {
            Store::Constant { value, len } if *value == number.value || *len == 0 => {
                *value = number.value;
                *len += 1;
            }
            Store::Narrow(values) if fits(number.value) => values.push(number.value as i32),
            Store::Wide(values) => values.push(number.value),
            _ => self.push_otherwise(number.value),
        }
    }

    /// Releases memory that was reserved ahead.
    pub fn shrink(&mut self) {
        match &mut self.store {
            Store::Constant { .. } | Store::Counted { .. } => {}
            Store::Narrow(values) => values.shrink_to_fit(),
            Store::Wide(values) => values.shrink_to_fit(),
        }
    }

    /// Forgets the values: all rows are unknown.
    pub(crate) fn forget(&mut self) {
        *self = Column { store: Store::Constant { value: -1, len: self.len() }, micro: false };
    }

    /// Returns the bytes of heap in use.
    pub fn heap_bytes(&self) -> usize {
        match &self.store {
            Store::Constant { .. } | Store::Counted { .. } => 0,
            Store::Narrow(values) => values.capacity() * 4,
            Store::Wide(values) => values.capacity() * 8,
        }
    }

    #[inline]
    fn raw(&self, row: usize) -> i64 {
        match &self.store {
            Store::Narrow(values) => values[row] as i64,
            Store::Wide(values) => values[row],
            Store::Constant { value, len } if row < *len => *value,
            Store::Counted { first, len } if row < *len => first + row as i64,
            Store::Constant { .. } | Store::Counted { .. } => self.beyond(row),
        }
    }

    #[cold]
    fn beyond(&self, row: usize) -> ! {
        panic!("row {row} of {}", self.len())
    }

    #[inline(never)]
    fn push_otherwise(&mut self, value: i64) {
        match &mut self.store {
            Store::Counted { first, len } if value.checked_sub(*first) == Some(*len as i64) => *len += 1,
            &mut Store::Constant { value: first, len: 1 } if value.checked_sub(first) == Some(1) => {
                self.store = Store::Counted { first, len: 2 };
            }
            _ => self.push_wider(value),
        }
    }

    #[cold]
    fn push_wider(&mut self, value: i64) {
        let len = self.len();
        let narrow = match self.store {
            Store::Constant { value: old, .. } => fits(value) && fits(old),
            Store::Counted { first, len } => fits(value) && fits(first) && fits(first + len as i64 - 1),
            Store::Narrow(_) | Store::Wide(_) => false,
        };
        let capacity = (len + 1).next_power_of_two();
        if narrow {
            let mut values = Vec::with_capacity(capacity);
            values.extend((0..len).map(|row| self.raw(row) as i32));
            values.push(value as i32);
            self.store = Store::Narrow(values);
        } else {
            let mut values = Vec::with_capacity(capacity);
            values.extend((0..len).map(|row| self.raw(row)));
            values.push(value);
            self.store = Store::Wide(values);
        }
    }

    #[cold]
    fn push_other_unit(&mut self, number: Number) {
        if !self.micro {
            let old = std::mem::take(self);
            self.micro = true;
            for value in old.iter() {
                self.push(Number { value: value.to_micro(), micro: true });
            }
        }
        self.push(Number { value: number.to_micro(), micro: true });
    }
}

impl FromIterator<Number> for Column {
    fn from_iter<I: IntoIterator<Item = Number>>(numbers: I) -> Column {
        let mut column = Column::default();
        for number in numbers {
            column.push(number);
        }
        column.shrink();
        column
    }
}

fn fill<T: Copy>(out: &mut [f64], values: &[T], change: impl Fn(T) -> f64) {
    for (to, value) in out.iter_mut().zip(values) {
        *to = change(*value);
    }
}

fn fits(value: i64) -> bool {
    i32::try_from(value).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[i64]) -> Column {
        values.iter().map(|&value| Number::whole(value)).collect()
    }

    #[test]
    fn values_that_are_equal_or_count_on_cost_nothing_and_small_ones_four_bytes() {
        assert_eq!(column(&[-1; 1000]).heap_bytes(), 0);
        assert_eq!(column(&[4, 5, 6, 7]).heap_bytes(), 0);
        assert_eq!(column(&[1, 2, 3, 3]).heap_bytes(), 16);
        assert_eq!(column(&[1, 1 << 40]).heap_bytes(), 16);
    }

    #[test]
    fn what_went_in_comes_out_whatever_the_width() {
        let most = i64::from(i32::MAX);
        for values in [
            &[5, 5, most, most + 1, -1, 0][..],
            &[5, 6, 7, 9, most + 1],
            &[most - 1, most, most + 1, 5],
            &[i64::MAX - 1, i64::MAX, i64::MIN, i64::MIN + 1],
            &[-1, 0, 1],
            &[7, 8],
            &[7, 6],
        ] {
            let column = column(values);
            assert_eq!(column.iter().map(Number::truncated).collect::<Vec<_>>(), values);
        }
    }

    #[test]
    fn gathered_rows_are_kept_as_if_they_had_been_pushed() {
        let decimals: Column =
            [1_500_000, 2_000_000, 2_000_000].into_iter().map(Number::from_micro).collect();
        for source in
            [column(&[4, 4, 4]), column(&[1, 2, 2]), column(&[6, 7, 8]), column(&[1 << 40, 5, 5]), decimals]
        {
            for rows in [&[][..], &[2, 1], &[0, 1], &[2, 0, 1], &[0, 1, 2]] {
                let pushed: Column = rows.iter().map(|&row| source.get(row as usize)).collect();
                assert_eq!(format!("{:?}", source.gather(rows)), format!("{pushed:?}"));
            }
        }
    }

    #[test]
    fn rows_are_copied_as_floats_whatever_the_width_and_unit() {
        let half = [2_500_000, 3_000_000, -1_000_000].into_iter().map(Number::from_micro).collect::<Column>();
        for (column, expected) in [
            (column(&[7; 3]), [7.0; 3]),
            (column(&[1, 2, -1]), [1.0, 2.0, -1.0]),
            (column(&[8, 9, 10]), [8.0, 9.0, 10.0]),
            (column(&[1 << 53, 0, 5]), [(1u64 << 53) as f64, 0.0, 5.0]),
            (half, [2.5, 3.0, -1.0]),
        ] {
            let (mut all, mut last) = ([0.0; 3], [0.0; 1]);
            column.copy_to(0, &mut all);
            column.copy_to(2, &mut last);
            assert_eq!((all, last), (expected, [expected[2]]));
            column.copy_to(3, &mut []);
        }
    }

    #[test]
    fn one_decimal_turns_the_whole_column_into_millionths() {
        let mut column = column(&[489, -1]);
        column.push(Number::from_micro(2_500_000));
        column.push(Number::whole(7));
        let shown: Vec<String> =
            column.iter().map(|number| Number::from_micro(number.to_micro()).to_string()).collect();
        assert_eq!(shown, ["489", "-1", "2.5", "7"]);
    }
}
