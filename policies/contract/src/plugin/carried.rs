//! A policy whose decisions come from a plug-in.
//!
//! A refused verb ends the replay unless the plug-in asks for reports of refusals: a policy whose books are wrong should not
//! continue by luck. In the event orders `submit-first` and `finish-first` a job of zero length is gone as it starts; the
//! plug-in gets `Released` within the same decision.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Citation, JobId};
use chacha20::rand_core::Rng;

use super::about::{About, Asks};
use super::conversation::{Asked, Begin, Conversation};
use super::fault::Fault;
use super::intern::{intern, intern_params};
use super::machine::param_values;
use super::verb::Verb;
use crate::cluster::Placed;
use crate::event::Event;
use crate::journal::Entry;
use crate::policy::{Policy, PolicyError};
use crate::refused::Refused;
use crate::spec::{BuildError, ParamSpec, Params, PolicySpec, Setting};
use crate::turn::Turn;

/// The most times that a plug-in is called again after refusals within one decision.
const ROUNDS: usize = 1000;

/// The most future instants for which a plug-in may request wake-ups.
const MOST_WAKES: usize = 1 << 20;

/// Verbs that are read and applied in a unit of work.
const VERBS: u64 = 16;

/// Bytes charged to the memory of a plug-in for each pending wake-up.
const WAKE: usize = 16;

/// Returns the registry entry of a plug-in's policy or order for listings and checks, under the name used in specs, with these
/// parameters.
///
/// # Errors
/// In words, when it needs something unknown.
pub fn spec(about: &About, name: &str, params: &[ParamSpec]) -> Result<PolicySpec, String> {
    Ok(PolicySpec {
        name: intern(name),
        family: "from outside",
        summary: intern(&about.summary),
        cite: Citation::foreign(intern(&about.cite)),
        rule: intern(&about.rule),
        params: intern_params(params),
        needs: about.needs()?,
        build,
    })
}

/// Begins the plug-in named by the parameters.
fn build(params: &Params, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
    let Some(plugin) = params.plugin() else {
        return Err(BuildError::Unfit("this policy is described, and no plug-in carries it".into()));
    };
    let given = param_values(params, &plugin.declared);
    let begin = Begin { which: plugin.which, params: &given, setting };
    let conversation = plugin
        .library
        .begin(&begin)
        .map_err(|fault| BuildError::Fault { policy: plugin.about.name.clone(), fault })?;
    Ok(Box::new(Carried {
        conversation,
        told_of_refusals: plugin.about.told_of_refusals,
        clairvoyant: plugin.about.needs().is_ok_and(|needs| needs.clairvoyance),
        asks: plugin.about.asks(),
        displaces: plugin.about.needs().is_ok_and(|needs| needs.time_sharing),
        verbs: Vec::new(),
        refused: Vec::new(),
        passed: Vec::new(),
        promises: 0,
    }))
}

struct Carried {
    conversation: Box<dyn Conversation>,
    told_of_refusals: bool,
    clairvoyant: bool,
    asks: Asks,
    /// Whether it takes jobs off the machine itself.
    displaces: bool,
    verbs: Vec<Verb>,
    refused: Vec<(usize, Refused)>,
    /// Jobs of the last answer whose run time is zero; they no longer hold anything.
    passed: Vec<Event>,
    promises: usize,
}

impl Policy for Carried {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let told = self.told(turn.events());
        let mut happened = &told[..];
        self.refused.clear();
        let mut passed = Vec::new();
        let mut rounds = 0;
        while rounds < ROUNDS {
            let random = turn.rng().next_u64() >> 11;
            let asked = Asked {
                turn,
                events: if self.passed.is_empty() { happened } else { &self.passed },
                refused: &self.refused,
                random,
                clairvoyant: self.clairvoyant,
                asks: self.asks,
            };
            self.conversation.decide(&asked, &mut self.verbs)?;
            turn.called(self.conversation.work() + self.verbs.len() as u64 / VERBS);
            self.refused.clear();
            passed.clear();
            for (index, verb) in self.verbs.iter().enumerate() {
                match verb.apply(turn) {
                    Ok(Placed::Holds) => {}
                    Ok(Placed::Passing) => passed.extend(verb.job().map(Event::Released)),
                    Err(refused) if self.told_of_refusals => self.refused.push((index, refused)),
                    Err(refused) => return Err(refused.into()),
                }
                self.promises += usize::from(turn.is_journalled() && matches!(verb, Verb::Promise { .. }));
                if turn.wakes() > MOST_WAKES {
                    return Err(Fault::Wakes { most: MOST_WAKES }.into());
                }
            }
            let held = WAKE * turn.wakes() + size_of::<Entry>() * self.promises;
            if held > 0 {
                self.conversation.hold(held)?;
            }
            happened = &[];
            std::mem::swap(&mut self.passed, &mut passed);
            if self.refused.is_empty() && self.passed.is_empty() {
                return Ok(());
            }
            // Starts of jobs with a run time of zero are progress and end by themselves; only refusals count as rounds.
            rounds += usize::from(!self.refused.is_empty());
        }
        let last = self.refused.last().map_or(String::new(), |(_, refused)| refused.to_string());
        Err(Fault::Stubborn { rounds: ROUNDS, last }.into())
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        Ok(self.conversation.end()?)
    }
}

impl Carried {
    /// Returns the events as the plug-in knows them. If too little is in service for a job that had to leave the machine, it
    /// has left the queue, too: both are one event. For a plug-in that does not ask for changes of the capacity, a job that
    /// had to leave ended, and is submitted again. O(n log n).
    fn told<'a>(&self, events: &'a [Event]) -> Cow<'a, [Event]> {
        let is_displaced = |event: &Event| matches!(event, Event::Displaced(_));
        if self.displaces || !events.iter().any(is_displaced) {
            return Cow::Borrowed(events);
        }
        let killed: SortedSet<JobId> = events
            .iter()
            .filter_map(|event| if let Event::Killed(job) = event { Some(*job) } else { None })
            .collect();
        let told = events.iter().flat_map(|&event| match event {
            Event::Displaced(job) if killed.contains(&job) => [None, None],
            Event::Displaced(job) if !self.asks.capacity => {
                [Some(Event::Killed(job)), Some(Event::Submitted(job))]
            }
            event => [Some(event), None],
        });
        Cow::Owned(told.flatten().collect())
    }
}
