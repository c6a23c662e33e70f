//! One replay's conversation with a plug-in.

use crate::event::Event;
use crate::plugin::about::Asks;
use crate::plugin::fault::Fault;
use crate::plugin::verb::Verb;
use crate::refused::Refused;
use crate::spec::Setting;
use crate::turn::Turn;

/// The value of a parameter in the form passed to a plug-in.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number; durations are in seconds.
    Number(f64),
    /// A word: the value of a choice or a text, or `none` or `inf`.
    Word(String),
}

/// The facts that a plug-in gets at the beginning of a replay.
#[derive(Clone, Copy, Debug)]
pub struct Begin<'a> {
    /// Which of the plug-in's policies, counted from 0 in its description.
    pub which: usize,
    /// The parameters that the policy itself declared, in its order, with their values.
    pub params: &'a [(&'static str, ParamValue)],
    /// The machine, and how the replay is set up.
    pub setting: &'a Setting<'a>,
}

/// The facts that a plug-in gets at a decision.
pub struct Asked<'a, 't> {
    /// The instant, the jobs, the machine.
    pub turn: &'a Turn<'t>,
    /// The events since its last decision; a job is described at its submission.
    pub events: &'a [Event],
    /// Which verbs of its last answer were refused, counted from 0, and why.
    pub refused: &'a [(usize, Refused)],
    /// A number below 2^53 from the policy's random stream; the same seed gives the same numbers.
    pub random: u64,
    /// Whether run times are passed: only to a plug-in that declared clairvoyance.
    pub clairvoyant: bool,
    /// The facts that the plug-in asks to see.
    pub asks: Asks,
}

impl Asked<'_, '_> {
    /// Returns the amount of each resource that is in service on a node.
    pub fn in_service(&self, node: usize) -> Vec<i64> {
        let mut amounts = self.turn.in_service(node);
        amounts.truncate(self.turn.machine().kinds());
        amounts
    }
}

/// A plug-in serving one replay. Dropping it ends the plug-in, whatever it is doing.
pub trait Conversation: Send {
    /// Requests the scores of jobs; the lowest is served first.
    ///
    /// `columns` holds the values of the declared columns, column by column, `rows` values in each; a plug-in may keep
    /// them, and leave anything in their place. The scores overwrite the contents of `scores`, one per row.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault>;

    /// Reports the events and requests verbs, which overwrite the contents of `verbs`.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault>;

    /// Returns the work of the last call, in units of about half a microsecond: a replay in which nothing happens ends after
    /// a number of such units.
    fn work(&self) -> u64 {
        10
    }

    /// Charges the bytes that the program holds for the plug-in to the plug-in's memory. The value replaces the last one.
    ///
    /// # Errors
    /// When both together exceed the plug-in's limit; never for a carrier without a memory limit.
    fn hold(&mut self, _bytes: usize) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends the conversation after the last job.
    ///
    /// # Errors
    /// When the plug-in does not end well.
    fn end(&mut self) -> Result<(), Fault>;
}
