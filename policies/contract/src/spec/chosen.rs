use super::{BuildError, ParamKind, ParamQuantity, ParamSpec, Params, PolicySpec, Setting};
use crate::needs::Needs;
use crate::plugin::Plugin;
use crate::policy::Policy;

/// A policy chosen by a spec: checked, not yet built.
#[derive(Clone, Debug)]
pub struct Chosen {
    spec: PolicySpec,
    params: Params,
}

/// The most processors of a machine that is modelled as one node per processor.
const MOST_PROCESSORS: i64 = 1 << 20;

/// Two choices with the same name and parameters are equal; a name is unique in a registry.
impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.spec.name == other.spec.name && self.params == other.params
    }
}

impl Eq for Chosen {}

impl Chosen {
    /// Returns a policy with the values of its parameters.
    pub fn new(spec: PolicySpec, params: Params) -> Chosen {
        Chosen { spec, params }
    }

    /// Whether every plug-in in it was opened; a spec with a stand-in cannot be replayed.
    pub fn is_opened(&self) -> bool {
        self.params.plugin().is_none_or(|plugin| plugin.opened)
            && self.params.policies().all(Chosen::is_opened)
    }

    /// Whether it is a plug-in, or has one in it.
    pub fn has_plugin(&self) -> bool {
        self.params.plugin().is_some() || self.params.policies().any(Chosen::has_plugin)
    }

    /// Returns the spec in canonical form.
    pub fn canonical(&self) -> String {
        self.params.canonical(self.spec.name, self.spec.params)
    }

    /// Returns the policy's registry entry.
    pub fn spec(&self) -> &PolicySpec {
        &self.spec
    }

    /// Returns its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Whether it is a plug-in that only ranks jobs.
    pub fn is_order(&self) -> bool {
        self.params.plugin().is_some_and(Plugin::is_order)
    }

    /// Returns the needs of the policy with these parameters, including its orders, its limits and the policy inside it.
    pub fn needs(&self) -> Needs {
        self.spec.needs.and(self.params.needs(self.spec.params))
    }

    /// Returns the parameters that were set but have no effect under this policy, each as `key=value`.
    pub fn idle(&self) -> Vec<String> {
        let set = |param: &ParamSpec| {
            let value = self.params.text(param.name);
            (matches!(param.kind, ParamKind::Idle(_)) && value != param.default)
                .then(|| format!("{}={value}", param.name))
        };
        let own = self.spec.params.iter().filter_map(set);
        own.chain(self.params.policies().flat_map(Chosen::idle)).collect()
    }

    /// Returns the limits on processors that a single job may exceed, each with its parameter. Such a job would never start.
    pub fn job_limits(&self) -> Vec<(&'static str, i64)> {
        let bounds = |param: &ParamSpec| match param.kind {
            ParamKind::Limit(_, ParamQuantity::Procs) => {
                self.params.count(param.name).map(|most| (param.name, most as i64))
            }
            _ => None,
        };
        let own = self.spec.params.iter().filter_map(bounds);
        own.chain(self.params.policies().flat_map(Chosen::job_limits)).collect()
    }

    /// Creates the policy for one replay.
    ///
    /// # Errors
    /// When it cannot work in the setting.
    pub fn build(&self, setting: &Setting<'_>) -> Result<Box<dyn Policy>, BuildError> {
        if self.spec.needs.pool && !setting.machine.is_pool() {
            return Err(BuildError::Unfit(format!(
                "`{}` places jobs on a pool; this machine has {} nodes: leave --nodes or --machine out",
                self.spec.name,
                setting.machine.nodes()
            )));
        }
        let costs = setting.costs.under(self.needs().costs);
        if self.needs().processors && setting.machine.procs() > MOST_PROCESSORS {
            return Err(BuildError::Unfit(format!(
                "`{}` looks at each processor by itself; this machine has {} of them, and {MOST_PROCESSORS} are the most",
                self.spec.name,
                setting.machine.procs()
            )));
        }
        let apart = self.needs().processors.then(|| setting.machine.by_processor());
        let setting = match &apart {
            Some(machine) => &Setting { machine, by_node: true, costs, ..*setting },
            None => &Setting { costs, ..*setting },
        };
        (self.spec.build)(&self.params, setting).map_err(|error| match error {
            BuildError::Fault { fault, .. } => BuildError::Fault { policy: self.canonical(), fault },
            other => other,
        })
    }
}
