use super::*;
use proptest::prelude::*;

fn slot(from: i64, to: i64, amount: i64) -> Slot<1> {
    Slot { from: Time::from_secs(from), to: Time::from_secs(to), amount: [amount] }
}

fn secs(seconds: i64) -> Time {
    Time::from_secs(seconds)
}

#[test]
fn a_job_finds_the_first_hole_that_is_long_enough() {
    let mut profile = Profile::new(secs(0), [4]);
    profile.take(slot(0, 10, 4));
    profile.take(slot(15, 30, 2));
    assert_eq!(profile.earliest(secs(0), [2], secs(100)), Some(secs(10)));
    assert_eq!(profile.earliest(secs(0), [3], secs(5)), Some(secs(10)));
    assert_eq!(profile.earliest(secs(0), [3], secs(6)), Some(secs(30)));
    assert_eq!(profile.earliest(secs(0), [5], secs(1)), None);
}

/// Returns a profile with steps of three seconds each; the last of them are shared steps.
fn of_steps(free: &[i64], rest: &Rest<1>, own: usize) -> Profile<1> {
    let begin = rest.begin_after(secs(3 * own as i64));
    let mut profile = Profile::new(secs(0), [free[0]]);
    for (at, pair) in (1..).zip(free.windows(2)).take_while(|(at, _)| secs(3 * at) < begin) {
        profile.release(secs(3 * at), [pair[1] - pair[0]]);
    }
    profile.follow(rest, begin);
    profile
}

proptest! {
    #[test]
    fn steps_of_a_rest_are_those_of_the_profile(
        free in prop::collection::vec(0i64..9, 1..150),
        owns in (0usize..150, 0usize..150),
        taken in prop::collection::vec((0i64..450, 1i64..90, 1i64..3), 0..6),
        advanced in 0i64..450,
        asked in prop::collection::vec((0i64..450, 1i64..9, 0i64..90), 1..9),
    ) {
        let steps = (0..).zip(&free).map(|(at, &free)| (secs(3 * at), [free]));
        let rest = Rest::new(steps);
        let mut whole = of_steps(&free, &Rest::new(std::iter::empty()), 0);
        let (mut one, mut other) = (of_steps(&free, &rest, owns.0), of_steps(&free, &rest, owns.1));
        prop_assert!(one.is_like(&other) && one.is_like(&whole) && whole.is_like(&other));
        for profile in [&mut whole, &mut one] {
            for &(from, length, amount) in &taken {
                profile.take(slot(from, from + length, amount));
            }
            profile.advance(secs(advanced));
        }
        other.advance(secs(advanced));
        prop_assert!(one.is_like(&whole));
        prop_assert_eq!(one.is_like(&other), whole.is_like(&other));
        prop_assert_eq!(one.holes(), whole.holes());
        for &(from, need, duration) in &asked {
            let (at, until) = (secs(advanced + from), secs(advanced + from + duration));
            let answers = |profile: &Profile<1>| (
                profile.earliest(at, [need], until - at),
                profile.has_room(Slot { from: at, to: until, amount: [need] }),
                profile.free_since(at, secs(advanced), [need]),
                (profile.least(at, until), profile.free_at(at)),
            );
            prop_assert_eq!(answers(&one), answers(&whole));
        }
    }

    /// Every answer equals that of a table with one entry per second, and giving everything back leaves no trace.
    #[test]
    fn the_profile_answers_as_a_table_of_seconds(
        slots in prop::collection::vec((0i64..160, 1i64..40, 1i64..5, any::<bool>()), 0..90),
        asked in prop::collection::vec((0i64..30, 0i64..170, 1i64..20, 0i64..30), 1..8),
    ) {
        let mut profile = Profile::new(secs(0), [30]);
        let mut table = vec![30i64; 400];
        let mut kept = Vec::new();
        for &(from, length, amount, keeps) in &slots {
            profile.take(slot(from, from + length, amount));
            let (taken, back) = if keeps { (amount, None) } else { (0, Some(slot(from, from + length, amount))) };
            kept.push((from, length, amount, back));
            for free in &mut table[from as usize..(from + length) as usize] {
                *free -= taken;
            }
        }
        for back in kept.iter().filter_map(|one| one.3) {
            profile.give(back);
        }
        for &(need, from, duration, more) in &asked {
            let fits = |at: i64| table[at as usize..(at + duration) as usize].iter().all(|&free| free >= need);
            let expected = (from..300).find(|&at| fits(at)).map(secs);
            prop_assert_eq!(profile.earliest(secs(from), [need], secs(duration)), expected);
            prop_assert_eq!(profile.has_room(slot(from, from + duration, need)), fits(from));
            let last = from + more;
            match profile.search(secs(from), secs(last), [need], secs(duration)) {
                Ok(at) => prop_assert!(Some(at) == expected && at <= secs(last)),
                Err(none_before) => {
                    prop_assert!(expected.is_none_or(|at| at > secs(last) && at >= none_before));
                }
            }
            let run = (0..from).rev().take_while(|&at| table[at as usize] >= need).last().unwrap_or(from);
            prop_assert_eq!(profile.free_since(secs(from), secs(0), [need]), secs(run));
            prop_assert_eq!(profile.free_since(secs(from), secs(2), [need]), secs(run.max(2).min(from)));
            let least = table[from as usize..(from + duration) as usize].iter().min().copied();
            prop_assert_eq!(Some(profile.least(secs(from), secs(from + duration))[0]), least);
            prop_assert_eq!(profile.free_at(secs(from))[0], table[from as usize]);
            let most = table[..=from as usize].iter().max().copied();
            prop_assert!(Some(profile.most_free(secs(from + 1))[0]) >= most);
        }
        prop_assert!(profile.own.begins.iter().eq(profile.own.runs.iter().map(|run| &run.begins()[0])));
        for run in &profile.own.runs {
            prop_assert!((1..=MOST).contains(&run.len()), "{} steps", run.len());
            prop_assert!(run.begins().is_sorted());
            let mut exact = run.clone();
            exact.sum_up();
            prop_assert!(within(&run.least, &exact.least) && within(&exact.most, &run.most));
        }
        for &(from, length, amount, back) in &kept {
            if back.is_none() {
                profile.give(slot(from, from + length, amount));
            }
        }
        prop_assert_eq!(profile.since(secs(0)).count(), 1);
    }
}
