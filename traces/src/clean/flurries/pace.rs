//! The submissions that came at a burst's pace.
//!
//! A two-state automaton after J. Kleinberg, *Bursty and hierarchical structure in streams*, KDD 2002: gaps
//! between submissions are exponential with the user's usual rate or with a burst's rate; entering a burst
//! costs ln n; the likeliest sequence of states determines which gaps belong to bursts. The burst's rate
//! need not be known: it is re-estimated from the chosen gaps until the choice no longer changes.

use std::ops::Range;

use crate::time::Time;

/// The most estimates of the burst's rate; after that, the last choice is used.
const ROUNDS: usize = 30;

/// Returns the parts of a user's submissions within `stretch` that came at a burst's pace, two or more in each.
///
/// `submits` are all submissions of the user, ascending; `span` is the length of the log. O(n) per round.
pub(super) fn fast(submits: &[Time], stretch: &Range<usize>, span: Time) -> Vec<Range<usize>> {
    let within = &submits[stretch.clone()];
    // A second is added to each gap, so that submissions within one second are not infinitely fast.
    let gaps: Vec<f64> = within.windows(2).map(|pair| (pair[1] - pair[0]).secs() + 1.0).collect();
    if gaps.is_empty() {
        return Vec::new();
    }
    let inside = (within[within.len() - 1] - within[0]).secs();
    let others = submits.len() - within.len();
    let usual = (others as f64 + 1.0) / (span.secs() - inside).max(inside).max(1.0);
    let mut chosen = vec![true; gaps.len()];
    for _ in 0..ROUNDS {
        let (count, time) = gaps
            .iter()
            .zip(&chosen)
            .filter(|(_, chosen)| **chosen)
            .fold((0.0, 0.0), |(count, time), (gap, _)| (count + 1.0, time + gap));
        let burst = count / time;
        if count == 0.0 || burst <= usual {
            return Vec::new();
        }
        let next = likeliest(&gaps, usual, burst);
        if next == chosen {
            break;
        }
        chosen = next;
    }
    stretches(&chosen).map(|part| stretch.start + part.start..stretch.start + part.end + 1).collect()
}

/// Returns for each gap whether it belongs to a burst, in the likeliest sequence.
fn likeliest(gaps: &[f64], usual: f64, burst: f64) -> Vec<bool> {
    let enter = (gaps.len() as f64 + 1.0).ln();
    let cost = |rate: f64, gap: f64| rate * gap - rate.ln();
    // Cost of the best sequence that ends outside and inside a burst; `from` stores where each came from.
    let (mut outside, mut inside) = (0.0, enter);
    let mut from: Vec<(bool, bool)> = Vec::with_capacity(gaps.len());
    for &gap in gaps {
        let out = if inside < outside { (inside, true) } else { (outside, false) };
        let stay = if inside <= outside + enter { (inside, true) } else { (outside + enter, false) };
        from.push((out.1, stay.1));
        (outside, inside) = (out.0 + cost(usual, gap), stay.0 + cost(burst, gap));
    }
    let mut states = vec![false; gaps.len()];
    let mut state = inside < outside;
    for (at, &(out, stay)) in from.iter().enumerate().rev() {
        states[at] = state;
        state = if state { stay } else { out };
    }
    states
}

/// Returns the maximal runs of chosen gaps.
fn stretches(chosen: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + chosen[at..].iter().position(|&chosen| chosen)?;
        let end =
            chosen[start..].iter().position(|&chosen| !chosen).map_or(chosen.len(), |more| start + more);
        at = end;
        Some(start..end)
    })
}
