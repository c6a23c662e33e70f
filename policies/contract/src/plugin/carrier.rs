//! A carrier: a way in which the program loads a plug-in.

use std::sync::Arc;

use batchlab_traces::nearest::nearest;

use super::about::About;
use super::fault::LoadError;
use super::library::{Library, Plugin};
use crate::spec::{ParamSpec, Params};

/// A way to load policies from outside the program: one constant per carrier.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// Name in specs, before the colon.
    pub name: &'static str,
    /// What follows the colon.
    pub subject: &'static str,
    /// Extensions of its files.
    pub ends: &'static [&'static str],
    /// The kind of plug-ins, in one sentence.
    pub summary: &'static str,
    /// Whether its plug-ins are unable to start processes and to read files.
    pub contained: bool,
    /// The option that allows its plug-ins, and where it is required.
    pub allowed: &'static str,
    /// The carrier's parameters, which every plug-in has in addition to its own.
    pub params: &'static [ParamSpec],
    /// Loads a plug-in and reads its description.
    pub load: fn(&str, &Params, Allowed) -> Result<Loaded, LoadError>,
}

/// The user's permissions, and which plug-ins are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Loading shared libraries.
    pub native: bool,
    /// Starting processes.
    pub exec: bool,
    /// Which plug-ins are opened to read their descriptions.
    pub opens: Opens,
}

/// Which plug-ins a registry opens. For a plug-in that is not opened, a spec selects a stand-in, which has
/// the spec's name and parameters, no description, and cannot be replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opens {
    /// All that are allowed.
    #[default]
    All,
    /// Plug-ins that run contained: WebAssembly modules.
    Contained,
    /// None.
    Nothing,
}

impl Opens {
    /// Whether the plug-ins of a carrier are opened.
    pub fn includes(self, carrier: &Carrier) -> bool {
        match self {
            Opens::All => true,
            Opens::Contained => carrier.contained,
            Opens::Nothing => false,
        }
    }
}

/// A loaded plug-in.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its policies, at least one.
    pub abouts: Vec<About>,
    /// The library, where replays begin.
    pub library: Arc<dyn Library>,
}

/// Whether the carrier of this name starts a process, which is one policy.
pub fn is_process(carrier: &str) -> bool {
    ["exec", "batsim"].contains(&carrier)
}

/// Whether a spec, or one within it, names a carrier that starts a process.
pub fn starts_process(spec: &str) -> bool {
    let carrier =
        |before: &str| before.rsplit(|letter: char| !letter.is_alphanumeric()).next().is_some_and(is_process);
    spec.rsplit(':').skip(1).any(carrier)
}

impl Carrier {
    /// Loads the plug-in that the subject of a spec names; returns it with the spec's canonical beginning, `carrier:subject`.
    ///
    /// # Errors
    /// When the plug-in cannot be loaded, misbehaves, or has no policy of this name.
    pub fn plugin(
        &self,
        subject: &str,
        options: &Params,
        allowed: Allowed,
    ) -> Result<(String, Plugin), LoadError> {
        let (path, name) = match subject.rsplit_once('#') {
            Some((path, name)) if !is_process(self.name) => (path, Some(name)),
            _ => (subject, None),
        };
        let loaded = (self.load)(path, options, allowed)?;
        let which = self.which(path, name, &loaded.abouts)?;
        let about = loaded.abouts[which].clone();
        let wrong = |why: String| LoadError::Description { path: path.into(), why };
        let declared = about.params().map_err(wrong)?;
        if let Some(taken) =
            declared.iter().find(|param| self.params.iter().any(|own| own.name == param.name))
        {
            return Err(wrong(format!("its parameter `{}` is one of every `{}`", taken.name, self.name)));
        }
        let several = if loaded.abouts.len() > 1 { format!("{path}#{}", about.name) } else { path.into() };
        Ok((self.begins(&several), Plugin { about, which, declared, opened: true, library: loaded.library }))
    }

    /// Returns the canonical beginning of a spec, `carrier:subject`.
    pub fn begins(&self, subject: &str) -> String {
        let guarded = subject.contains([',', '(', ')', ' ']);
        if guarded { format!("{}:({subject})", self.name) } else { format!("{}:{subject}", self.name) }
    }

    fn which(&self, path: &str, name: Option<&str>, abouts: &[About]) -> Result<usize, LoadError> {
        let names: Vec<&str> = abouts.iter().map(|about| about.name.as_str()).collect();
        match name {
            None if abouts.len() == 1 => Ok(0),
            None => Err(LoadError::Several {
                carrier: self.name,
                path: path.into(),
                has: names.join(", "),
                first: names[0].into(),
            }),
            Some(name) => names.iter().position(|known| *known == name).ok_or_else(|| LoadError::Unknown {
                path: path.into(),
                given: name.into(),
                nearest: nearest(name, names.iter().copied()).map(str::to_owned),
                has: names.join(", "),
            }),
        }
    }
}
