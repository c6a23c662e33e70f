//! The priorities of a file, resolved for the jobs of a workload.

use std::collections::HashMap;

use super::file::{Preemptible, PriorityClass, Reach};
use super::{Preempted, PrioritiesError, PriorityFile};
use crate::class::NO_CLASS;
use crate::limits::LimitsError;
use crate::sorted::{SortedMap, SortedSet};
use crate::{Example, Findings, JobId, Machine, Provenance, Refusal, SourcePlace, Trace, Workload, kinds};

kinds! {
    IDLE_CLASS: Note "class-idle",
        "{class|classes} of the file of --priorities of which the log has no job",
        "{it has|they have} no effect",
        "compare the names and numbers with those of `batchlab info LOG`";
    IDLE_PREEMPTION: Note "preemption-idle",
        "{key|keys} about preemption of the file of --priorities without effect",
        "nothing is preempted because of {it|them}",
        "jobs with `preempts` take processors from jobs of lower tiers with `preempted`: compare the tiers (`priority`)";
}

/// The priorities of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityTable {
    /// What a job may do to others, and how others may preempt it, for each combination of classes; the first is that of
    /// jobs without a class.
    standings: Vec<JobPriority>,
    /// The position in `standings` of each job, by its row in the trace.
    of_row: Vec<u32>,
    /// Whether suspended jobs give back a resource, by its position on the machine.
    releases: Vec<bool>,
}

/// What the classes of a job state together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JobPriority {
    /// Its tier.
    pub tier: i32,
    /// It takes processors from running jobs of tiers below this one.
    pub preempts: Option<i32>,
    /// How it is preempted, if it is.
    pub preempted: Option<Preemptible>,
}

impl PriorityTable {
    /// Returns what the classes of a job state.
    #[inline]
    pub fn standing(&self, workload: &Workload, job: JobId) -> JobPriority {
        let standing = self.of_row.get(workload.row(job)).copied().unwrap_or(0);
        self.standings.get(standing as usize).copied().unwrap_or_default()
    }

    /// Returns, if jobs may be suspended, whether they give back each resource of the machine meanwhile.
    pub fn suspends(&self) -> Option<&[bool]> {
        let suspends = |standing: &JobPriority| {
            standing.preempted.is_some_and(|preempted| preempted.preempted == Preempted::Suspended)
        };
        (self.preempts() && self.standings.iter().any(suspends)).then_some(&self.releases[..])
    }

    /// Whether a job may ever take processors from another.
    pub fn preempts(&self) -> bool {
        self.standings.iter().any(|one| self.standings.iter().any(|other| one.takes_from(other)))
    }
}

impl JobPriority {
    /// Whether a job may take processors from another, by their standings.
    fn takes_from(&self, other: &JobPriority) -> bool {
        other.preempted.is_some() && self.preempts.is_some_and(|below| other.tier < below)
    }
}

/// A key that two classes state differently, and both places.
type Contradiction<'a> = (&'static str, &'a SourcePlace, &'a SourcePlace);

/// What the classes so far state of jobs, with the places.
#[derive(Clone, Default)]
struct Merged<'a> {
    tier: Option<&'a (i32, SourcePlace)>,
    reach: Option<&'a (Reach, SourcePlace)>,
    preempted: Option<&'a (Preemptible, SourcePlace)>,
}

impl<'a> Merged<'a> {
    /// Adds what a class states; returns the key, and both its places, if it contradicts.
    fn with(&self, class: &'a PriorityClass) -> Result<Merged<'a>, Contradiction<'a>> {
        fn one<'a, T: PartialEq>(
            key: &'static str,
            known: Option<&'a (T, SourcePlace)>,
            more: Option<&'a (T, SourcePlace)>,
        ) -> Result<Option<&'a (T, SourcePlace)>, Contradiction<'a>> {
            match (known, more) {
                (Some(known), Some(more)) if known.0 != more.0 => Err((key, &known.1, &more.1)),
                (known, more) => Ok(known.or(more)),
            }
        }
        Ok(Merged {
            tier: one("priority", self.tier, class.tier.as_ref())?,
            reach: one("preempts", self.reach, class.reach.as_ref())?,
            preempted: one("preempted", self.preempted, class.preempted.as_ref())?,
        })
    }

    fn standing(&self) -> JobPriority {
        let tier = self.tier.map_or(0, |(tier, _)| *tier);
        let preempts = match self.reach.map_or(Reach::Nobody, |(reach, _)| *reach) {
            Reach::Nobody => None,
            Reach::Lower => Some(tier),
            Reach::Below(below) => Some(below.min(tier)),
        };
        JobPriority { tier, preempts, preempted: self.preempted.map(|(preempted, _)| *preempted) }
    }
}

impl PriorityFile {
    /// Resolves the classes for the jobs of a log. A job of several classes has the keys of all of them.
    ///
    /// O(jobs × classes).
    ///
    /// # Errors
    /// When a name is not one of the log's or of the machine's, when two classes of a job state the same key differently,
    /// or when strict reading refuses a finding.
    pub fn apply(
        &self,
        workload: Workload,
        machine: &Machine,
        trace: &Trace,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<(Workload, PriorityTable), LimitsError> {
        let rows = workload.jobs().map(|job| workload.row(job) + 1).max().unwrap_or(0);
        let mut of_row = vec![0u32; rows];
        let mut merged = vec![Merged::default()];
        for class in &self.classes {
            let members = class.members.of_jobs(&workload, trace)?;
            let mut next: HashMap<u32, u32> = HashMap::new();
            for job in workload.jobs().filter(|&job| members[workload.row(job)] != NO_CLASS) {
                let standing = &mut of_row[workload.row(job)];
                *standing = match next.get(standing) {
                    Some(&known) => known,
                    None => {
                        let more = merged[*standing as usize].with(class).map_err(|(key, known, place)| {
                            let job = workload.number(job);
                            let what = format!(
                                "job {job} is of two classes that state `{key}` differently: here, and at {known}; make the \
                                 classes exclude each other, or state the key in one of them"
                            );
                            PrioritiesError { place: place.clone(), what }
                        })?;
                        merged.push(more);
                        let added = merged.len() as u32 - 1;
                        *next.entry(*standing).or_insert(added)
                    }
                };
            }
            if next.is_empty() {
                let detail = class.members.words.clone();
                findings.report(&IDLE_CLASS, || Example::at(&class.members.place, detail))?;
            }
        }
        let standings: Vec<JobPriority> = merged.iter().map(Merged::standing).collect();
        let mut used = vec![false; standings.len()];
        workload.jobs().for_each(|job| used[of_row[workload.row(job)] as usize] = true);
        report_idle_preemption(&merged, &standings, &used, findings)?;
        let table = PriorityTable { standings, of_row, releases: self.released(machine)? };
        let tiers: Vec<i32> =
            table.of_row.iter().map(|&standing| table.standings[standing as usize].tier).collect();
        let ranked = workload.jobs().filter(|&job| tiers[workload.row(job)] != 0).count() as u64;
        provenance.step("priorities", format!("{ranked} jobs of tiers other than 0"), ranked);
        Ok((workload.with_tiers(&tiers), table))
    }

    /// Returns whether suspended jobs give back each resource of a machine.
    fn released(&self, machine: &Machine) -> Result<Vec<bool>, PrioritiesError> {
        let mut released = vec![false; machine.kinds()];
        match &self.releases {
            None => {
                released[0] = true;
                if let Some(devices) = machine.devices() {
                    released[devices.resource()] = true;
                }
            }
            Some(named) => {
                for (name, place) in named {
                    let Some(kind) = machine.resource(name) else {
                        let known: Vec<&str> =
                            machine.resources().iter().map(|resource| resource.name.as_str()).collect();
                        let what =
                            format!("the machine has no resource `{name}`; it has {}", known.join(", "));
                        return Err(PrioritiesError { place: place.clone(), what });
                    };
                    released[kind] = true;
                }
            }
        }
        Ok(released)
    }
}

/// Reports the keys about preemption that apply to no two of the jobs, each place once.
fn report_idle_preemption(
    merged: &[Merged<'_>],
    standings: &[JobPriority],
    used: &[bool],
    findings: &mut Findings,
) -> Result<(), Refusal> {
    let of_jobs = || standings.iter().zip(used).filter(|(_, used)| **used).map(|(standing, _)| standing);
    let mut idle: SortedMap<&SourcePlace, &str> = SortedMap::new();
    let mut effective = SortedSet::new();
    for (merged, standing) in
        merged.iter().zip(standings).zip(used).filter(|(_, used)| **used).map(|(one, _)| one)
    {
        let takes = merged.reach.filter(|_| standing.preempts.is_some()).map(|(_, place)| {
            let why = "`preempts`, and no job of a lower tier can be preempted";
            (place, of_jobs().any(|other| standing.takes_from(other)), why)
        });
        let loses = merged.preempted.map(|(_, place)| {
            let why = "`preempted`, and no job of a higher tier preempts others";
            (place, of_jobs().any(|other| other.takes_from(standing)), why)
        });
        for (place, has_effect, why) in takes.into_iter().chain(loses) {
            if has_effect {
                effective.insert(place);
            } else {
                idle.insert(place, why);
            }
        }
    }
    for (place, why) in idle.into_iter().filter(|(place, _)| !effective.contains(place)) {
        findings.report(&IDLE_PREEMPTION, || Example::at(place, why))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;
    use crate::workload::PlainJob;

    fn workload() -> Workload {
        let plain = || PlainJob::new(Time::ZERO, Time::SECOND, vec![1]);
        let job = |user, partition| PlainJob { user, partition, ..plain() };
        Workload::from_jobs(&[job(1, 1), job(1, 2), job(2, 1), job(2, 2)])
    }

    fn apply(text: &str) -> Result<(Workload, PriorityTable), LimitsError> {
        let file = PriorityFile::parse(text, "p.toml").unwrap();
        let machine = Machine::pool(4).unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        file.apply(workload(), &machine, &Trace::default(), &mut findings, &mut provenance)
    }

    #[test]
    fn suspended_jobs_give_back_what_the_file_names() {
        let suspend = "[[class]]\nuser = 1\npriority = 1\npreempts = true\n[[class]]\nuser = 2\npreempted = \"suspend\"\n";
        assert_eq!(apply(suspend).unwrap().1.suspends(), Some(&[true][..]));
        assert_eq!(apply(&suspend.replace("suspend", "cancel")).unwrap().1.suspends(), None);
        let error = apply(&format!("releases = [\"procs\", \"gpu\"]\n{suspend}")).unwrap_err().to_string();
        assert_eq!(error, "p.toml:1:22: the machine has no resource `gpu`; it has procs");
    }

    #[test]
    fn a_job_of_several_classes_has_the_keys_of_all() {
        let text = "[[class]]\nuser = 1\npriority = 10\n[[class]]\npartition = 2\npreempts = 5\n\
                    [[class]]\nuser = 2\npartition = 1\npreempted = \"cancel\"\n";
        let (workload, table) = apply(text).unwrap();
        let standing = |job| table.standing(&workload, JobId(job));
        assert_eq!([0, 1, 2, 3].map(|job| standing(job).tier), [10, 10, 0, 0]);
        assert_eq!([0, 1, 2, 3].map(|job| standing(job).preempts), [None, Some(5), None, Some(0)]);
        assert_eq!([0, 1, 2, 3].map(|job| standing(job).preempted.is_some()), [false, false, true, false]);
        assert_eq!([0, 1, 2, 3].map(|job| workload.tier(JobId(job))), [10, 10, 0, 0]);
        assert!(table.preempts());
    }

    #[test]
    fn two_classes_that_contradict_each_other_are_refused_with_both_places() {
        let text = "[[class]]\nuser = 1\npriority = 10\n[[class]]\npartition = 2\npriority = 5\n";
        let error = apply(text).unwrap_err().to_string();
        let expected = "p.toml:6:12: job 2 is of two classes that state `priority` differently: here, and at p.toml:3:12";
        assert!(error.starts_with(expected), "{error}");
        assert!(apply("[[class]]\nuser = 1\npriority = 5\n[[class]]\npartition = 2\npriority = 5\n").is_ok());
    }
}
