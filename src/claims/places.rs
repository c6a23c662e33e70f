//! Where a claim is to hold.

use crate::experiment::{Frame, Site};

/// Workloads and values of parameters, by position: the claim is about every combination of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The workloads.
    pub workloads: Vec<usize>,
    /// For each parameter the values that count.
    pub values: Vec<Vec<usize>>,
}

impl Places {
    /// Returns all sites, in the order of the results.
    pub fn sites(&self) -> Vec<Site> {
        let mut points = vec![Vec::new()];
        for values in &self.values {
            let longer = |point: &Vec<usize>| {
                values.iter().map(|&at| [&point[..], &[at]].concat()).collect::<Vec<Vec<usize>>>()
            };
            points = points.iter().flat_map(longer).collect();
        }
        let sites =
            |&workload: &usize| points.iter().map(move |point| Site { workload, point: point.clone() });
        self.workloads.iter().flat_map(sites).collect()
    }

    /// Returns the places at which a parameter has one value.
    #[must_use]
    pub fn only(&self, parameter: usize, value: usize) -> Places {
        let mut only = self.clone();
        only.values[parameter] = vec![value];
        only
    }
}

/// Returns a site in words: whatever results differ in, without a parameter that is told elsewhere; empty where there is
/// one site only.
pub(super) fn words(frame: &Frame, site: &Site, without: Option<usize>) -> String {
    let mut words = Vec::new();
    if frame.workloads.len() > 1 {
        words.push(frame.workloads[site.workload].name.clone());
    }
    for (at, parameter) in frame.parameters.iter().enumerate() {
        if parameter.values.len() > 1 && Some(at) != without {
            words.push(format!("{} = {}", parameter.name, frame.value(site, at)));
        }
    }
    words.join(", ")
}
