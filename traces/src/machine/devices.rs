//! A resource that comes in devices: GPUs. A job gets whole ones, or a part of one.

/// The devices of a machine: on each node, the capacity of one resource is that of a number of equal devices.
///
/// A job's share of a node that needs up to one device lies on a single device; a larger share has whole devices, its need
/// rounded up. So two devices with 600 of 1000 free have no room for 1000, nor for 700.
///
/// Amounts of a node *in devices* are those of each resource, followed by those of each device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    resource: usize,
    size: i64,
    /// The number of resources: where the amounts of devices begin.
    first: usize,
    most: usize,
}

/// The devices of a node that a job has, as bits, the lowest for device 0.
pub type DeviceSet = u32;

impl Devices {
    /// The most devices of a node.
    pub const MOST: usize = DeviceSet::BITS as usize;

    /// Returns the devices of `size` units of a resource on nodes with at most `most` of them.
    pub(super) fn new(resource: usize, size: i64, kinds: usize, most: usize) -> Devices {
        Devices { resource, size, first: kinds, most }
    }

    /// Returns the index of the resource.
    pub fn resource(&self) -> usize {
        self.resource
    }

    /// Returns the capacity of a device.
    pub fn size(&self) -> i64 {
        self.size
    }

    /// Returns the most devices of a node of the machine.
    pub fn most(&self) -> usize {
        self.most
    }

    pub(super) fn amounts(&self, capacity: &[i64]) -> Vec<i64> {
        let has = (capacity[self.resource] / self.size) as usize;
        let devices = (0..self.most).map(|device| if device < has { self.size } else { 0 });
        capacity.iter().copied().chain(devices).collect()
    }

    /// Returns the amount that a share holds for its need: the need itself on one device, or whole devices.
    #[inline]
    pub fn held(&self, amount: i64) -> i64 {
        match amount % self.size {
            over if amount > self.size && over > 0 => amount.saturating_add(self.size - over),
            _ => amount,
        }
    }

    /// Replaces the amount of the resource by the most that one share can get: all devices that are entirely free, otherwise
    /// the free part of the device with most room. If `room` lacks amounts of devices, the devices are assumed to fill from
    /// the first on.
    #[inline]
    pub fn limit(&self, room: &mut [i64]) {
        let whole_and_part = match room.get(self.first..self.first + self.most) {
            Some(devices) => {
                let whole = devices.iter().filter(|&&free| free >= self.size).count() as i64;
                (whole * self.size, devices.iter().copied().max().unwrap_or(0))
            }
            None => (room[self.resource] / self.size * self.size, room[self.resource]),
        };
        // The amount itself may be smaller, even below zero, if it is promised twice.
        let most = if whole_and_part.0 > 0 { whole_and_part.0 } else { whole_and_part.1 };
        room[self.resource] = most.min(room[self.resource]);
    }

    /// Chooses devices for a share: for a part of a device, the device with the least room that is enough, otherwise whole
    /// free devices. Ties go to the lowest device. `None` if there is no room. O(devices).
    pub fn choose(&self, amount: i64, room: &[i64]) -> Option<DeviceSet> {
        let devices = || room[self.first..].iter().take(self.most).copied().enumerate();
        let amount = self.held(amount);
        if amount <= 0 {
            return Some(0);
        }
        if amount <= self.size {
            let enough = devices().filter(|&(_, free)| free >= amount);
            return enough.min_by_key(|&(_, free)| free).map(|(device, _)| 1 << device);
        }
        let whole = devices().filter(|&(_, free)| free >= self.size).map(|(device, _)| 1 << device);
        let need = (amount / self.size) as usize;
        let (mut set, mut found) = (0, 0);
        for device in whole.take(need) {
            set |= device;
            found += 1;
        }
        (found == need).then_some(set)
    }

    /// Whether a set has as many devices as a share needs, and only devices of a node with these capacities.
    pub fn suits(&self, set: DeviceSet, amount: i64, capacity: &[i64]) -> bool {
        let has = capacity[self.resource] / self.size;
        let need = (amount.max(0) as u64).div_ceil(self.size as u64);
        u64::from(set.count_ones()) == need && i64::from(DeviceSet::BITS - set.leading_zeros()) <= has
    }

    /// Sets the amounts of a share's devices, and what it holds of the resource.
    #[inline]
    pub fn spread(&self, set: DeviceSet, amounts: &mut [i64]) {
        let held = self.held(amounts[self.resource]);
        amounts[self.resource] = held;
        for device in members(set) {
            if let Some(amount) = amounts.get_mut(self.first + device) {
                *amount = held.min(self.size);
            }
        }
    }

    /// Returns the index of a device among the amounts of a node in devices.
    pub fn index(&self, device: usize) -> usize {
        self.first + device
    }
}

/// Returns the devices of a set, ascending.
pub fn members(set: DeviceSet) -> impl Iterator<Item = usize> {
    (0..Devices::MOST).filter(move |&device| set >> device & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three devices of 1000 beside processors and the sum.
    const GPUS: Devices = Devices { resource: 1, size: 1000, first: 2, most: 3 };

    #[test]
    fn a_part_is_on_one_device() {
        let usable = |devices: [i64; 3]| {
            let mut room = [9, devices.iter().sum(), devices[0], devices[1], devices[2]];
            GPUS.limit(&mut room);
            room[1]
        };
        assert_eq!(
            [usable([400, 400, 0]), usable([400, 1000, 0]), usable([1000, 0, 1000])],
            [400, 1000, 2000]
        );
        assert_eq!(usable([-100, 400, 0]), 300, "promised twice");
        let mut capped = [9, 2600];
        GPUS.limit(&mut capped);
        assert_eq!(capped, [9, 2000]);
    }

    #[test]
    fn a_part_takes_the_fullest_device_and_more_takes_whole_ones() {
        let choose =
            |amount, devices: [i64; 3]| GPUS.choose(amount, &[9, 0, devices[0], devices[1], devices[2]]);
        assert_eq!(choose(400, [1000, 400, 600]), Some(0b010));
        assert_eq!(choose(500, [1000, 400, 1000]), Some(0b001));
        assert_eq!(choose(700, [600, 600, 600]), None);
        assert_eq!(choose(2000, [1000, 999, 1000]), Some(0b101));
        assert_eq!((choose(1500, [1000, 999, 1000]), choose(1500, [1000, 999, 0])), (Some(0b101), None));
        assert_eq!(choose(0, [0, 0, 0]), Some(0));
    }

    #[test]
    fn a_share_holds_its_devices() {
        let spread = |set, amount| {
            let mut amounts = [4, amount, 0, 0, 0];
            GPUS.spread(set, &mut amounts);
            amounts
        };
        assert_eq!(spread(0b010, 400), [4, 400, 0, 400, 0]);
        assert_eq!(spread(0b110, 1500), [4, 2000, 0, 1000, 1000]);
        assert!(GPUS.suits(0b110, 1500, &[8, 3000]) && !GPUS.suits(0b010, 1500, &[8, 3000]));
        assert!(!GPUS.suits(0b100, 400, &[8, 2000]) && GPUS.suits(0, 0, &[8, 2000]));
    }
}
