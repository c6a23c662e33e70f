//! The policies that specs can name: the built-in ones, and those that a user's crate registers.

#[cfg(test)]
mod tests;

mod guess;

use std::sync::Arc;

use batchlab_traces::nearest::{meant, nearest};

use crate::external;
use crate::external::{
    About, Allowed, Carrier, Ceilings, GuestKind, Library, LoadError, Opens, Plugin, Raised,
};
use crate::order::ORDER;
use crate::plugin::intern;
use crate::predictor::PREDICTOR;
use crate::spec::{
    CARRIED, Chosen, HOST, ParamError, ParamKind, ParamSpec, Params, PolicySpec, SpecText, TextError, bare,
    is_carried,
};

/// The policies that are built in, and what a spec means that names none of them.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    pub policies: &'static [PolicySpec],
    /// The policy that a spec consisting of an order alone stands for: it serves jobs in queue order and does nothing else.
    pub in_order: PolicySpec,
    /// The policy that a predictor alone stands for, EASY.
    pub predicting: PolicySpec,
    /// Labels that papers give to variants of policies, in small letters, and their specs.
    pub labels: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Debug)]
pub struct Policies {
    specs: Vec<PolicySpec>,
    built_in: BuiltIn,
    allowed: Allowed,
    ceilings: Option<Ceilings>,
    /// What is known of commands that are not to be started, by the beginning of their specs.
    described: Vec<(String, About)>,
    plugins: Vec<Named>,
    hosted: Vec<Plugin>,
}

/// A plug-in's policy that specs can name without naming its file.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    carrier: &'static Carrier,
    subject: String,
}

/// Why a spec does not name a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error(transparent)]
    Text(#[from] TextError),
    #[error("no policy is called `{given}`{}; see `batchlab list policies`", guess::meant_specs(specs))]
    Unknown { given: String, specs: Vec<String> },
    #[error("`{0}` names several policies: give each a spec of its own, by a further --policy or [[policy]]")]
    Several(String),
    #[error(
        "`{0}` is an order of the queue and no policy: `{1}` is EASY in this order; see `batchlab list policies`"
    )]
    Order(String, String),
    #[error("`{value}` is not a key=value pair{}", guess::meant_specs(specs))]
    NoKey { value: String, specs: Vec<String> },
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(
        "{1} holds a policy called `{0}`, and there is one already; name it by its file instead of --plugin"
    )]
    Taken(String, String),
    #[error(
        "this program cannot load `{0}:`: `wasm` is a feature that it was built without, `exec` and `batsim` want a Unix system"
    )]
    Without(&'static str),
    #[error(
        "`{key}={value}`: {value} decides which jobs start, and {key} takes what only gives each a number; name it as the policy itself, or take a plug-in of kind order"
    )]
    Decides { key: &'static str, value: String },
    #[error(transparent)]
    Raised(#[from] Raised),
    #[error("no policy called `{given}` is registered in {HOST}{}", meant(nearest.as_deref()))]
    NotHosted { given: String, nearest: Option<String> },
    #[error("there is a policy or an order called `{0}` already; give yours another name")]
    Named(String),
    #[error("policies within policies go {DEEPEST} deep at most")]
    Depth,
}

/// How deep policies may be nested.
const DEEPEST: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a policy called `{0}` is registered already")]
pub struct NameTaken(pub &'static str);

impl Policies {
    pub fn new(built_in: BuiltIn) -> Policies {
        let specs = built_in.policies.to_vec();
        let (allowed, ceilings) = (Allowed::default(), None);
        Policies {
            specs,
            built_in,
            allowed,
            ceilings,
            described: Vec::new(),
            plugins: Vec::new(),
            hosted: Vec::new(),
        }
    }

    pub fn register(&mut self, spec: PolicySpec) -> Result<(), NameTaken> {
        if self.specs.iter().any(|known| known.name == spec.name) {
            return Err(NameTaken(spec.name));
        }
        let last = self.specs.iter().rposition(|known| known.family == spec.family);
        self.specs.insert(last.map_or(self.specs.len(), |last| last + 1), spec);
        Ok(())
    }

    #[must_use]
    pub fn allow_native(mut self) -> Policies {
        self.allowed.native = true;
        self
    }

    #[must_use]
    pub fn allow_exec(mut self) -> Policies {
        self.allowed.exec = true;
        self
    }

    /// Opens only these plug-ins; for any other a spec selects a stand-in.
    #[must_use]
    pub fn opening(mut self, opens: Opens) -> Policies {
        self.allowed.opens = opens;
        self
    }

    pub fn allows_exec(&self) -> bool {
        self.allowed.exec
    }

    /// Takes these descriptions of commands, by the beginning of their specs, and does not start the commands: a spec selects
    /// a stand-in, which has the description and cannot be replayed.
    #[must_use]
    pub fn knowing(mut self, described: Vec<(String, About)>) -> Policies {
        self.described = described;
        self
    }

    /// Refuses specs that set plug-in limits above these values: for specs in files.
    #[must_use]
    pub fn within(mut self, ceilings: Ceilings) -> Policies {
        self.ceilings = Some(ceilings);
        self
    }

    /// Registers the policies of a plug-in under their own names, so that specs need not name its file. The
    /// extension selects the carrier.
    pub fn load(&mut self, path: &str) -> Result<(), SpecError> {
        let carrier = external::carrier_of_file(path)?;
        let options = Params::check(carrier.name, carrier.params, &[])?;
        for about in (carrier.load)(path, &options, self.allowed)?.abouts {
            let policy = self.specs.iter().any(|known| known.name == about.name);
            // As the value of a parameter that takes plug-ins, its name would be ambiguous.
            let taken = |kind: ParamKind| kind.accepts(&about.name);
            let order = about.kind == GuestKind::Order && (taken(ORDER.kind) || taken(PREDICTOR.kind));
            if policy || order || self.plugins.iter().any(|known| known.name == about.name) {
                return Err(SpecError::Taken(about.name, path.into()));
            }
            let subject = format!("{path}#{}", about.name);
            self.plugins.push(Named { name: about.name, carrier, subject });
        }
        Ok(())
    }

    /// Adds a policy of the program that hosts this library: `python:NAME`, or its name alone. One of the same name that
    /// the host has registered before is replaced.
    pub fn host(&mut self, about: About, library: Arc<dyn Library>) -> Result<(), SpecError> {
        let taken = |kind: ParamKind| kind.accepts(&about.name);
        let order = about.kind == GuestKind::Order && (taken(ORDER.kind) || taken(PREDICTOR.kind));
        let known = self.specs.iter().any(|spec| spec.name == about.name)
            || self.plugins.iter().any(|named| named.name == about.name);
        if known || order {
            return Err(SpecError::Named(about.name));
        }
        let wrong = |why: String| LoadError::Description { path: about.name.clone(), why };
        let declared = about.params().map_err(wrong)?;
        self.hosted.retain(|plugin| plugin.about.name != about.name);
        self.hosted.push(Plugin { about, which: 0, declared, opened: true, library });
        Ok(())
    }

    pub fn specs(&self) -> &[PolicySpec] {
        &self.specs
    }

    /// Chooses the policy that a spec names and checks its parameters.
    ///
    /// # Errors
    /// When the text is malformed, or a name or a parameter is unknown; the nearest valid one is given.
    pub fn choose(&self, text: &str) -> Result<Chosen, SpecError> {
        self.choose_at(text, 1)
    }

    fn choose_at(&self, text: &str, depth: usize) -> Result<Chosen, SpecError> {
        if text.trim_start().starts_with("expr(") {
            return self.choose_at(&format!("{}:{}={text}", self.built_in.in_order.name, ORDER.name), depth);
        }
        match text.parse() {
            Ok(text) => self.choose_text(text, depth),
            Err(TextError::NoPair(value)) => Err(self.without_key(text, value, depth)),
            Err(error) => Err(error.into()),
        }
    }

    /// Chooses the policy that a predictor by itself stands for, EASY with this predictor: for those who predict run times
    /// outside of a policy. [`Predictor::from_params`](crate::predictor::Predictor::from_params) builds the predictor.
    ///
    /// # Errors
    /// When it is not a value of the parameter `predictor`, or its plug-in cannot be loaded.
    pub fn choose_predictor(&self, value: &str) -> Result<Chosen, SpecError> {
        let pairs = vec![(PREDICTOR.name.to_owned(), value.trim().to_owned())];
        self.choose_text(SpecText { name: self.built_in.predicting.name.into(), subject: None, pairs }, 1)
    }

    fn choose_text(&self, text: SpecText, depth: usize) -> Result<Chosen, SpecError> {
        let text = self.spelled_out(text);
        if let Some(subject) = &text.subject {
            let plugin = self.carried(&text, subject, GuestKind::Policy)?;
            return if plugin.is_order() { self.in_queue_order(plugin) } else { Ok(plugin) };
        }
        let Some(spec) = self.specs.iter().find(|spec| spec.name == text.name) else {
            return Err(self.unknown(text.name));
        };
        let params = self.params(spec.name, spec.params, text.pairs, depth)?;
        Ok(Chosen::new(*spec, params))
    }

    /// Checks the pairs of a spec against declared parameters, and chooses the policies and plug-ins that they name.
    fn params(
        &self,
        policy: &'static str,
        declared: &[ParamSpec],
        pairs: Vec<(String, String)>,
        depth: usize,
    ) -> Result<Params, SpecError> {
        let mut params = Params::check(policy, declared, &self.orders_spelled_out(declared, pairs))?;
        for param in declared {
            if param.kind == ParamKind::Policy {
                if depth == DEEPEST {
                    return Err(SpecError::Depth);
                }
                let policy = self.choose_at(bare(params.text(param.name)), depth + 1)?;
                params.set_policy(param.name, policy);
            } else if param.kind.takes_plugin() && is_carried(params.text(param.name)) {
                let order = self.order(param.name, params.text(param.name))?;
                params.set_policy(param.name, order);
            }
        }
        Ok(params)
    }

    /// Returns a spec in which the name of a plug-in's policy is replaced by its carrier and file, or by the host and its
    /// name there.
    fn spelled_out(&self, text: SpecText) -> SpecText {
        if let Some(named) = self.plugins.iter().find(|named| named.name == text.name) {
            let subject = Some(named.subject.clone());
            return SpecText { name: named.carrier.name.into(), subject, ..text };
        }
        if self.hosted.iter().any(|plugin| plugin.about.name == text.name) {
            return SpecText { name: HOST.into(), subject: Some(text.name), pairs: text.pairs };
        }
        text
    }

    /// Whether a name is that of a plug-in's policy, or of a policy of the host.
    fn is_named(&self, name: &str) -> bool {
        let mut hosted = self.hosted.iter().map(|plugin| &plugin.about.name);
        self.plugins.iter().map(|plugin| &plugin.name).any(|known| known == name)
            || hosted.any(|known| known == name)
    }

    /// Returns the pairs of a spec, with plug-ins used as orders replaced by their carrier and file.
    fn orders_spelled_out(
        &self,
        declared: &[ParamSpec],
        mut pairs: Vec<(String, String)>,
    ) -> Vec<(String, String)> {
        if self.plugins.is_empty() && self.hosted.is_empty() {
            return pairs;
        }
        let takes = |key: &str, value: &str| {
            let param = declared.iter().find(|param| param.name == key && param.kind.takes_plugin());
            param.is_some_and(|param| !param.kind.accepts(value))
        };
        for (key, value) in &mut pairs {
            if takes(key, value)
                && let Ok(named) = bare(value).parse::<SpecText>()
                && self.is_named(&named.name)
            {
                *value = format!("({})", self.spelled_out(named));
            }
        }
        pairs
    }

    /// Chooses the plug-in that a parameter names for a number of each job.
    fn order(&self, key: &'static str, value: &str) -> Result<Chosen, SpecError> {
        let text: SpecText = bare(value).parse()?;
        let subject = text.subject.as_deref().unwrap_or_default();
        let plugin = self.carried(&text, subject, GuestKind::Order)?;
        if plugin.is_order() {
            return Ok(plugin);
        }
        Err(SpecError::Decides { key, value: plugin.canonical() })
    }

    /// Returns the policy that only serves jobs in an order.
    fn in_queue_order(&self, order: Chosen) -> Result<Chosen, SpecError> {
        let spec = self.built_in.in_order;
        let mut params = Params::check(spec.name, spec.params, &[])?;
        params.set_policy(ORDER.name, order);
        Ok(Chosen::new(spec, params))
    }

    /// Chooses a policy or an order of a plug-in; a plug-in that is not opened is assumed to be of the wanted kind.
    fn carried(&self, text: &SpecText, subject: &str, wanted: GuestKind) -> Result<Chosen, SpecError> {
        if text.name == HOST {
            let Some(plugin) = self.hosted.iter().find(|plugin| plugin.about.name == subject) else {
                let names = self.hosted.iter().map(|plugin| plugin.about.name.as_str());
                let nearest = nearest(subject, names).map(str::to_owned);
                return Err(SpecError::NotHosted { given: subject.into(), nearest });
            };
            return of_plugin(&format!("{HOST}:{subject}"), plugin.clone(), &[], &text.pairs);
        }
        let Some(carrier) = external::carrier(&text.name) else {
            let name = CARRIED.iter().find(|(name, ..)| *name == text.name).map_or("", |(name, ..)| name);
            return Err(SpecError::Without(name));
        };
        let of_carrier = |(key, _): &&(String, String)| carrier.params.iter().any(|param| param.name == key);
        let options: Vec<(String, String)> = text.pairs.iter().filter(of_carrier).cloned().collect();
        let options = Params::check(carrier.name, carrier.params, &options)?;
        if let Some(ceilings) = &self.ceilings {
            ceilings.check(&text.to_string(), carrier, &options)?;
        }
        let begins = carrier.begins(subject);
        let known = self.described.iter().find(|(name, _)| self.allowed.exec && *name == begins);
        if let Some((name, about)) = known {
            let wrong = |why: String| LoadError::Description { path: name.clone(), why };
            let plugin = Plugin::shut(about.clone(), about.params().map_err(wrong)?);
            return of_plugin(name, plugin, carrier.params, &text.pairs);
        }
        if !self.allowed.opens.includes(carrier) {
            return shut(&begins, wanted, &text.pairs);
        }
        let (name, plugin) = carrier.plugin(subject, &options, self.allowed)?;
        of_plugin(&name, plugin, carrier.params, &text.pairs)
    }
}

impl SpecError {
    /// Whether the plug-in is at fault, rather than its user.
    pub fn is_fault(&self) -> bool {
        matches!(self, SpecError::Load(error) if error.is_fault())
    }
}

/// Chooses a plug-in's policy or order, under the name used in specs, with the carrier's parameters and its own.
pub(crate) fn of_plugin(
    name: &str,
    plugin: Plugin,
    of_carrier: &[ParamSpec],
    pairs: &[(String, String)],
) -> Result<Chosen, SpecError> {
    let wrong = |why: String| LoadError::Description { path: name.into(), why };
    let declared = [plugin.declared.as_slice(), of_carrier].concat();
    let spec = crate::plugin::spec(&plugin.about, name, &declared).map_err(wrong)?;
    let mut params = Params::check(spec.name, spec.params, pairs)?;
    params.set_plugin(plugin);
    Ok(Chosen::new(spec, params))
}

/// Chooses the stand-in for a plug-in that is not opened: its parameters are those given in the spec.
fn shut(name: &str, kind: GuestKind, pairs: &[(String, String)]) -> Result<Chosen, SpecError> {
    let param = |(key, _): &(String, String)| ParamSpec {
        name: intern(key),
        kind: ParamKind::Text,
        default: "",
        help: "",
        ..ParamSpec::PLAIN
    };
    let mut declared: Vec<ParamSpec> = Vec::new();
    for param in pairs.iter().map(param) {
        if declared.iter().all(|known| known.name != param.name) {
            declared.push(param);
        }
    }
    of_plugin(name, Plugin::shut(About::unknown(kind), declared), &[], pairs)
}
