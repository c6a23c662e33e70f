//! The rules of policies and orders in words, for listings: what the doc comments beside the code say exactly.

/// Returns the rule of a policy in a few sentences, where one is written down.
pub fn policy(name: &str) -> Option<&'static str> {
    POLICIES.iter().find(|(policy, _)| *policy == name).map(|(_, rule)| *rule)
}

/// Returns the rule of a queue order that a formula does not tell, in a few sentences.
pub fn order(name: &str) -> Option<&'static str> {
    ORDERS.iter().find(|(order, _)| *order == name).map(|(_, rule)| *rule)
}

/// The rules of policies: one entry each.
const POLICIES: &[(&str, &str)] = &[
    (
        "fcfs",
        "At every decision the first job of the queue order starts, again and again, until it does not fit. Nobody \
         behind it starts before it.",
    ),
    (
        "first-fit",
        "At every decision the queue is walked in order, and every job that fits into what is free then starts. \
         Nothing is reserved.",
    ),
    (
        "easy",
        "Heads start while they fit. For the head that does not, the shadow time is the earliest instant at which the \
         expected ends of running jobs leave room for it, all ends at that instant counted; extra is what is free then \
         beyond its need. The others are tried in candidate order: one that fits starts if it is expected to end by \
         the shadow time, or fits into what is left of extra, which it then uses up. The reservation is made anew at \
         every decision. On nodes it is a placement, which candidates leave intact or leave in time.",
    ),
    (
        "depth",
        "The queue is walked in order; each job is put at its earliest start beside those before it. If that is now, \
         it starts; else it holds a reservation. After k reservations the others are tried in candidate order, and \
         start if there is room for all of their estimate. Reservations are made anew at every decision.",
    ),
    (
        "conservative",
        "Every job holds a reservation, made at its submission at the earliest start that delays nobody. At an end, \
         compress lifts each waiting job out in queue order and puts it back at its earliest start, never later than \
         before; replan makes all reservations anew in queue order; fixed leaves them.",
    ),
    (
        "limits",
        "A job is eligible from when the policy within is told of it until it ends. The eligible jobs of each user, \
         group and partition stay within the limits; a job beyond one waits outside, holds no reservation and is not \
         looked at. Outside, jobs that wait for the same user's (group's, partition's) limit become eligible in the \
         order of submission. Jobs of no known user count as those of one.",
    ),
];

/// The rules of orders: one entry each.
const ORDERS: &[(&str, &str)] = &[
    (
        "smf",
        "Memory over all processors of the job: the demand of the resource memory, or, on a machine without it, what \
         the log tells.",
    ),
    (
        "drf",
        "A user's dominant share is the largest fraction of any resource of the machine that the user's running jobs \
         hold. The user with the smallest is served, one job at a time: shares are taken anew after every start.",
    ),
    (
        "tetris",
        "The job whose demands are best aligned with what is free goes first: the largest sum of products of both, as \
         fractions of the capacities of the whole machine, taken anew after every start. With srtf=W work counts too: \
         W * (mean alignment / mean work of the waiting jobs) * r * sum q/c is added to the score.",
    ),
    (
        "fairshare",
        "Processor-seconds that the user's jobs have used, those of running jobs up to now included, each halved for \
         every half-life since it was used. All users have the same share.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    #[test]
    fn every_rule_is_of_a_policy_or_an_order_that_exists() {
        let registry = Registry::builtin();
        let known = |name: &str| registry.specs().iter().any(|spec| spec.name == name);
        assert!(POLICIES.iter().all(|(name, _)| known(name)));
        let known = |name: &str| crate::support::order::ORDERS.iter().any(|order| order.name == name);
        assert!(ORDERS.iter().all(|(name, _)| known(name)));
    }
}
