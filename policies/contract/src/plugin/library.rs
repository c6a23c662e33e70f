//! A loaded plug-in, and one of its policies.

use std::fmt::Debug;
use std::sync::Arc;

use super::about::{About, GuestKind};
use super::conversation::{Begin, Conversation};
use super::fault::Fault;
use crate::spec::ParamSpec;

/// A plug-in on which any number of replays can begin at the same time.
pub trait Library: Debug + Send + Sync {
    /// Begins a conversation for one replay.
    ///
    /// # Errors
    /// When the plug-in misbehaves.
    fn begin(&self, begin: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault>;
}

/// One policy of a plug-in.
#[derive(Clone, Debug)]
pub struct Plugin {
    /// Its description.
    pub about: About,
    /// Its position among the plug-in's policies, from 0.
    pub which: usize,
    /// The parameters that it declares.
    pub declared: Vec<ParamSpec>,
    /// Whether it was opened; otherwise it is a stand-in.
    pub opened: bool,
    /// The library, where replays begin.
    pub library: Arc<dyn Library>,
}

impl PartialEq for Plugin {
    fn eq(&self, other: &Plugin) -> bool {
        self.which == other.which && self.about == other.about
    }
}

/// Equality is total: descriptions come from JSON, which has finite numbers only.
impl Eq for Plugin {}

impl Plugin {
    /// Whether it ranks jobs for a built-in policy.
    pub fn is_order(&self) -> bool {
        self.about.kind == GuestKind::Order
    }

    /// Returns the stand-in for a plug-in that is not opened, with a description that is known of it, or without one.
    pub fn shut(about: About, declared: Vec<ParamSpec>) -> Plugin {
        Plugin { about, which: 0, declared, opened: false, library: Arc::new(Shut) }
    }
}

#[derive(Debug)]
struct Shut;

impl Library for Shut {
    fn begin(&self, _: &Begin<'_>) -> Result<Box<dyn Conversation>, Fault> {
        Err(Fault::Shut)
    }
}
