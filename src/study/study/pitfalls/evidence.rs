//! The input of checks, and how they name parts of it.

use batchlab_support::registry::Policies;

use super::pitfall::{About, Case};
use super::setting::WorkloadSetting;
use crate::experiment::{DesignPoint, Frame, Parameter, UnitKind};

#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    pub frame: &'a Frame,
    pub policies: &'a Policies,
    /// How the workloads were prepared: one for each, or one for each point of a sweep that changes the preparation.
    pub settings: &'a [WorkloadSetting],
    /// Means over workloads that tables show.
    pub means: &'a [MeanAcross],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeanAcross {
    pub table: String,
    pub workloads: usize,
    pub is_geometric: bool,
}

impl Evidence<'_> {
    pub fn workload(&self, workload: usize) -> About {
        let name = self.frame.workloads.get(workload).map(|facts| facts.name.clone());
        About { workload: name, ..About::default() }
    }

    /// Returns a subject: a design point, and a policy if given.
    pub fn design_point(&self, design_point: &DesignPoint, policy: Option<usize>) -> About {
        let parameters = self.frame.parameters.iter().zip(&design_point.point);
        let value = |(parameter, &at): (&Parameter, &usize)| {
            (parameter.name.clone(), parameter.values.get(at).cloned().unwrap_or_default())
        };
        let policy = policy.and_then(|policy| self.frame.policies.get(policy));
        About {
            point: parameters.map(value).collect(),
            policy: policy.map(|facts| facts.label.clone()),
            ..self.workload(design_point.workload)
        }
    }

    /// Applies a check to the preparation of each workload; equal observations on a workload are reported once.
    pub fn in_settings(&self, look: impl Fn(&WorkloadSetting) -> Option<String>) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for setting in self.settings {
            let case = look(setting).map(|seen| Case { about: self.workload(setting.workload), seen });
            cases.extend(case.filter(|case| !cases.contains(case)));
        }
        cases
    }

    /// Returns the findings about the logs, warnings or notes; those of several preparations of a workload once.
    pub fn of_logs(&self, are_warnings: bool) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for setting in self.settings {
            let found = setting.findings.iter().filter(|finding| finding.is_warning == are_warnings);
            for seen in found.map(|finding| finding.words.clone()) {
                let case = Case { about: self.workload(setting.workload), seen };
                if !cases.contains(&case) {
                    cases.push(case);
                }
            }
        }
        cases
    }

    /// Applies a check to each policy at each design point.
    pub fn in_design_points(&self, look: impl Fn(&DesignPoint, usize) -> Option<String>) -> Vec<Case> {
        let mut cases = Vec::new();
        for design_point in self.frame.design_points() {
            for policy in 0..self.frame.policies.len() {
                let about = || self.design_point(&design_point, Some(policy));
                cases.extend(look(&design_point, policy).map(|seen| Case { about: about(), seen }));
            }
        }
        cases
    }

    /// Returns the workloads with a kind of units, each with its greatest number of units.
    pub fn units(&self, kind: UnitKind) -> Vec<(usize, usize)> {
        let workloads = self.frame.workloads.iter().enumerate().filter(|(_, facts)| facts.units == kind);
        workloads.map(|(workload, _)| (workload, self.count(workload))).collect()
    }

    fn count(&self, workload: usize) -> usize {
        let rows = self.frame.rows.iter().filter(|row| row.workload == workload);
        rows.filter_map(|row| row.unit).max().map_or(0, |last| last as usize + 1)
    }

    /// Whether the user asked for a measure.
    pub fn asks(&self, key: &str) -> bool {
        self.frame.measures.iter().any(|measure| measure.key == key && !measure.is_diagnostic)
    }

    /// Whether a parameter of this name is swept.
    pub fn sweeps(&self, name: &str) -> bool {
        self.frame.parameters.iter().any(|parameter| parameter.name == name && parameter.values.len() > 1)
    }
}

/// Returns the value for the whole replay, else the mean over the units that have a value.
pub(super) fn value(frame: &Frame, design_point: &DesignPoint, policy: usize, key: &str) -> Option<f64> {
    let measure = frame.measure(key)?;
    frame.whole(design_point, policy, measure).or_else(|| {
        let units = frame.units(design_point, policy, measure);
        let sum: f64 = units.iter().map(|(_, value)| value).sum();
        (!units.is_empty()).then(|| sum / units.len() as f64)
    })
}
