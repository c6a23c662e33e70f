use super::{Place, SortedMap};

/// The place of a key in a map.
pub enum Entry<'m, K, V> {
    Occupied(Occupied<'m, K, V>),
    Vacant(Vacant<'m, K, V>),
}

/// The place of a key that is in the map.
pub struct Occupied<'m, K, V> {
    pub(super) map: &'m mut SortedMap<K, V>,
    pub(super) place: Place,
}

/// The place of a key that is not in the map.
pub struct Vacant<'m, K, V> {
    pub(super) map: &'m mut SortedMap<K, V>,
    pub(super) place: Place,
    pub(super) key: K,
}

impl<'m, K, V> Entry<'m, K, V> {
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'m mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(value()),
        }
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    #[must_use]
    pub fn and_modify(mut self, change: impl FnOnce(&mut V)) -> Entry<'m, K, V> {
        if let Entry::Occupied(entry) = &mut self {
            change(entry.get_mut());
        }
        self
    }
}

impl<'m, K, V> Occupied<'m, K, V> {
    pub fn key(&self) -> &K {
        &self.map.runs[self.place.0][self.place.1].0
    }

    pub fn get(&self) -> &V {
        &self.map.runs[self.place.0][self.place.1].1
    }

    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map.runs[self.place.0][self.place.1].1
    }

    pub fn into_mut(self) -> &'m mut V {
        &mut self.map.runs[self.place.0][self.place.1].1
    }

    pub fn insert(&mut self, value: V) -> V {
        std::mem::replace(self.get_mut(), value)
    }

    pub fn remove(self) -> V {
        self.remove_entry().1
    }

    pub fn remove_entry(self) -> (K, V) {
        self.map.remove_at(self.place)
    }
}

impl<'m, K, V> Vacant<'m, K, V> {
    pub fn insert(self, value: V) -> &'m mut V {
        let (run, at) = self.map.insert_at(self.place, (self.key, value));
        &mut self.map.runs[run][at].1
    }
}
