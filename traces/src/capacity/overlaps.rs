use super::{Closure, Evicted};
use crate::arrange::Arrange as _;
use crate::sorted::SortedMap;
use crate::{Example, Findings, Machine, Refusal, SourcePlace, Time, kinds};

kinds! {
    OVERLAPPING: Warning "calendar-overlap",
        "{closure|closures} of more than what the other events leave in service",
        "only what is in service goes out of service",
        "correct `from`, `to` and the amounts of the calendar's events if they are not meant to overlap";
}

/// Cuts closures so that those of a node never add up to more than its capacity, and sorts them by beginning. A closure that
/// others overlap for a while is cut into several in time. O(n log n + overlaps) for n closures.
///
/// If two events overlap on a node, one that evicts jobs comes before a reservation, and a reservation before a drain;
/// otherwise the event that begins first comes first. On a pool, where an event has no place, reservations come first and
/// are not cut in time: an event takes what is not reserved.
pub(super) fn disjoint(
    mut all: Vec<(Closure, SourcePlace)>,
    machine: &Machine,
    findings: &mut Findings,
) -> Result<Vec<Closure>, Refusal> {
    let rank = |closure: &Closure| match (closure.kept_for, closure.evicted) {
        (Some(_), _) if machine.is_pool() => 0,
        _ if machine.is_pool() => 1,
        (None, Evicted::Requeued | Evicted::Killed) => 0,
        (Some(_), _) => 1,
        (None, Evicted::Drained) => 2,
    };
    all.arrange_by_key(|(closure, _)| closure.from);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.arrange_by_key(|&at| rank(&all[at].0));
    let mut out: Vec<OutOfService> = vec![OutOfService::default(); machine.nodes()];
    let mut cut = Vec::with_capacity(all.len());
    for at in order {
        let (closure, place) = &all[at];
        let capacity = machine.amounts(closure.node);
        let pieces = out[closure.node].add(closure, &capacity, machine.is_pool());
        if pieces != [closure.clone()] {
            let detail = format!("from {} s", closure.from);
            findings.report(&OVERLAPPING, || Example::at(place, detail))?;
        }
        cut.extend(pieces.into_iter().map(|piece| (piece.from, at, piece)));
    }
    cut.arrange_by_key(|&(from, at, _)| (from, at));
    Ok(cut.into_iter().map(|(.., piece)| piece).collect())
}

/// What is out of service of a node, by the instants at which this changes.
#[derive(Clone, Debug, Default)]
struct OutOfService(SortedMap<Time, Vec<i64>>);

impl OutOfService {
    /// Adds a closure, as far as something is in service. Returns its parts in time.
    fn add(&mut self, closure: &Closure, capacity: &[i64], is_pool: bool) -> Vec<Closure> {
        for border in [closure.from, closure.to] {
            let before = self.0.range(..=border).next_back();
            let level = before.map_or_else(|| vec![0; capacity.len()], |(_, level)| level.clone());
            self.0.insert(border, level);
        }
        let levels = || self.0.range(closure.from..closure.to);
        let at_most = |level: &[i64], amounts: &[i64]| -> Vec<i64> {
            capacity.iter().zip(level).zip(amounts).map(|((all, out), &most)| most.min(all - out)).collect()
        };
        let mut pieces: Vec<Closure> = Vec::new();
        if is_pool && closure.kept_for.is_some() {
            let amounts =
                levels().fold(closure.amounts.clone(), |amounts, (_, level)| at_most(level, &amounts));
            pieces.push(Closure { amounts, ..closure.clone() });
        } else {
            for (&from, level) in levels() {
                let amounts = at_most(level, &closure.amounts);
                match pieces.last_mut() {
                    Some(last) if last.amounts == amounts => {}
                    last => {
                        if let Some(last) = last {
                            last.to = from;
                        }
                        pieces.push(Closure { from, amounts, ..closure.clone() });
                    }
                }
            }
        }
        pieces.retain(|piece| piece.amounts.iter().any(|&amount| amount > 0));
        for piece in &pieces {
            for (_, level) in self.0.range_mut(piece.from..piece.to) {
                for (out, amount) in level.iter_mut().zip(&piece.amounts) {
                    *out += amount;
                }
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::{EventTime, KeptFor};

    /// Closures of a machine with one node of 8 processors: `what from..to amount`.
    fn shown(closures: &[(&str, i64, i64, i64)], machine: &Machine) -> Vec<String> {
        let closure = |&(what, from, to, amount): &(&str, i64, i64, i64)| Closure {
            from: Time::from_secs(from),
            to: Time::from_secs(to),
            node: 0,
            amounts: vec![amount],
            evicted: if what == "outage" { Evicted::Requeued } else { Evicted::Drained },
            known: Time::MAX,
            kept_for: (what == "reservation")
                .then_some(KeptFor { reservation: 0, until: Time::from_secs(to) }),
            event: EventTime::default(),
        };
        let place = SourcePlace { file: "c.toml".into(), line: 1, column: 1 };
        let all = closures.iter().map(|known| (closure(known), place.clone())).collect();
        let cut = disjoint(all, machine, &mut Findings::default()).unwrap();
        let show = |closure: &Closure| {
            let what = match (closure.kept_for, closure.evicted) {
                (Some(_), _) => "reservation",
                (None, Evicted::Drained) => "drain",
                _ => "outage",
            };
            format!("{what} {}..{} {}", closure.from, closure.to, closure.amounts[0])
        };
        cut.iter().map(show).collect()
    }

    #[test]
    fn what_is_out_of_service_goes_out_again_when_the_first_event_is_over() {
        let pool = Machine::pool(8).unwrap();
        assert_eq!(
            shown(&[("outage", 0, 10, 8), ("drain", 5, 20, 8)], &pool),
            ["outage 0..10 8", "drain 10..20 8"]
        );
        assert_eq!(
            shown(&[("outage", 0, 30, 6), ("drain", 10, 20, 4), ("drain", 15, 40, 1)], &pool),
            ["outage 0..30 6", "drain 10..20 2", "drain 20..40 1"]
        );
        assert_eq!(
            shown(&[("outage", 0, 10, 4), ("outage", 10, 20, 8)], &pool),
            ["outage 0..10 4", "outage 10..20 8"]
        );
    }

    #[test]
    fn on_a_pool_events_take_what_is_not_reserved() {
        assert_eq!(
            shown(&[("outage", 0, 30, 6), ("reservation", 10, 20, 4)], &Machine::pool(8).unwrap()),
            ["outage 0..10 6", "outage 10..20 4", "reservation 10..20 4", "outage 20..30 6"]
        );
        assert_eq!(
            shown(&[("reservation", 0, 10, 6), ("reservation", 5, 20, 4)], &Machine::pool(8).unwrap()),
            ["reservation 0..10 6", "reservation 5..20 2"]
        );
    }

    #[test]
    fn on_a_node_an_outage_interrupts_a_reservation_and_a_reservation_a_drain() {
        let nodes = Machine::uniform(16, 2).unwrap();
        assert_eq!(
            shown(&[("drain", 0, 50, 8), ("reservation", 10, 40, 8), ("outage", 20, 30, 8)], &nodes),
            [
                "drain 0..10 8",
                "reservation 10..20 8",
                "outage 20..30 8",
                "reservation 30..40 8",
                "drain 40..50 8"
            ]
        );
    }
}
