//! One replay's conversation with a plug-in.

use crate::event::Event;
use crate::external::fault::Fault;
use crate::external::verb::Verb;
use crate::refused::Refused;
use crate::spec::{ParamSpec, Params, Setting};
use crate::turn::Turn;

/// What a plug-in is begun with.
#[derive(Clone, Copy, Debug)]
pub struct Begin<'a> {
    /// Which of the plug-in's policies, counted from 0 in its description.
    pub which: usize,
    /// The policy's parameters, those of the carrier included.
    pub params: &'a Params,
    /// Those that the policy itself declared.
    pub declared: &'a [ParamSpec],
    /// The machine, and how the replay is set up.
    pub setting: &'a Setting<'a>,
}

/// What a plug-in is told at a decision.
pub struct Asked<'a, 't> {
    /// The instant, the jobs, the machine.
    pub turn: &'a Turn<'t>,
    /// What happened since it was told last; a job is described when it is submitted.
    pub events: &'a [Event],
    /// Which verbs of its last answer were refused, counted from 0, and why.
    pub refused: &'a [(usize, Refused)],
    /// A number below 2^53 from the policy's random stream; the same seed gives the same numbers.
    pub random: u64,
    /// Whether run times are told: only to those who declared that they look at them.
    pub clairvoyant: bool,
}

/// A plug-in at work for one replay. Dropping it ends it, whatever it does.
pub trait Conversation: Send {
    /// Asks for the scores of jobs; the least is served first.
    ///
    /// `columns` holds the values of the columns that the plug-in declared, column by column, `rows` in each. The
    /// scores replace what `scores` holds, one per row.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    fn order(&mut self, columns: &[f64], rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault>;

    /// Tells what happened and asks for verbs, which replace what `verbs` holds.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault>;

    /// Counts what the program holds for the plug-in, in bytes, against the plug-in's own memory. It replaces what was
    /// counted before.
    ///
    /// # Errors
    /// When both together are more than the plug-in may have; never of a carrier that does not limit memory.
    fn hold(&mut self, _bytes: usize) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends the conversation in good order, after the last job.
    ///
    /// # Errors
    /// When the plug-in does not end well.
    fn end(&mut self) -> Result<(), Fault>;
}
