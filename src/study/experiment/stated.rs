//! The conditions under which a workload was replayed, recorded for each point of the sweep.

use batchlab_traces::number::group_digits;
use serde::{Deserialize, Serialize};

use batchlab_engine::replay::conditions::Phrase;
use batchlab_engine::table::{Clause, EVERY_WORKLOAD, Sentence};

use super::frame::{DesignPoint, Frame, UnitKind, WorkloadFacts};

/// The conditions of a workload at some points of the sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stated {
    /// The points, each as the position of its value for each parameter.
    pub points: Vec<Vec<usize>>,
    pub phrases: Vec<Phrase>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadCondition {
    pub clause: Clause,
    /// What the notes of a paper say once if all workloads have it.
    pub shared: String,
    /// What they then say of this workload; empty for nothing.
    pub own: String,
}

impl<T: Into<Clause>> From<T> for WorkloadCondition {
    fn from(clause: T) -> WorkloadCondition {
        let clause = clause.into();
        WorkloadCondition { shared: clause.paper().to_owned(), own: String::new(), clause }
    }
}

/// What ends the words about a log of which no job is dropped; the notes of a paper say nothing of it.
const NONE_DROPPED: &str = ", 0 dropped";
/// What ends them for a log from which units are cut; the notes of a paper do without.
const OF_ALL: &str = " in all";
/// The most different texts of a condition that are listed.
const LISTED: usize = 4;

impl WorkloadFacts {
    /// Records the conditions at a point; points with equal conditions share an entry.
    pub fn state(&mut self, point: &[usize], phrases: &[Phrase]) {
        match self.conditions.iter_mut().find(|stated| stated.phrases == phrases) {
            Some(stated) if stated.points.iter().any(|known| known == point) => {}
            Some(stated) => stated.points.push(point.to_vec()),
            None => {
                self.conditions.push(Stated { points: vec![point.to_vec()], phrases: phrases.to_vec() });
            }
        }
    }

    /// Returns the conditions of the points that are shown, or of all points if none of these is known. A number that differs
    /// between them becomes a range; other differing texts are listed.
    pub fn conditions_at(&self, is_shown: impl Fn(&[usize]) -> bool) -> Vec<WorkloadCondition> {
        let has_shown = |stated: &&Stated| stated.points.iter().any(|point| is_shown(point));
        let mut shown: Vec<&Stated> = self.conditions.iter().filter(has_shown).collect();
        if shown.is_empty() {
            shown = self.conditions.iter().collect();
        }
        let mut abouts: Vec<&str> = Vec::new();
        for phrase in shown.iter().flat_map(|stated| &stated.phrases) {
            if !abouts.contains(&phrase.about.as_str()) {
                abouts.push(&phrase.about);
            }
        }
        abouts.into_iter().filter_map(|about| told(about, &shown)).collect()
    }
}

impl Frame {
    /// Returns the conditions of a workload at some of its design points in words, with the number of jobs measured in their
    /// units; `unit` is the only unit shown, if given.
    pub fn conditions(
        &self,
        workload: usize,
        design_points: &[DesignPoint],
        unit: Option<u32>,
    ) -> Vec<WorkloadCondition> {
        let facts = &self.workloads[workload];
        let here: Vec<&DesignPoint> = design_points.iter().filter(|at| at.workload == workload).collect();
        let mut words = facts.conditions_at(|point| here.iter().any(|at| at.point == point));
        if facts.units != UnitKind::One {
            words.extend(self.jobs(&here, unit).map(WorkloadCondition::from));
        }
        words
    }

    /// Returns the number of jobs measured in a unit, in words.
    fn jobs(&self, design_points: &[&DesignPoint], unit: Option<u32>) -> Option<Clause> {
        let jobs = self.measure("jobs")?;
        let units = design_points
            .iter()
            .flat_map(|at| (0..self.policies.len()).flat_map(move |policy| self.units(at, policy, jobs)));
        let units = units.filter(|(of, _)| unit.is_none_or(|unit| unit == *of));
        let widen = |ends: Option<(f64, f64)>, (_, jobs): (u32, f64)| {
            Some(ends.map_or((jobs, jobs), |(least, most)| (least.min(jobs), most.max(jobs))))
        };
        let (least, most) = units.fold(None, widen)?;
        let text = |jobs: f64| format!("{} jobs", group_digits(&format!("{jobs:.0}")));
        let words = merged(&[&text(least), &text(most)])?;
        let within = if unit.is_some() { "" } else { " in a unit" };
        let paper = format!("{words} a unit");
        Some(Clause::from(format!("{words} measured{within}")).in_a_paper(paper))
    }
}

/// Returns a sentence for each workload, its name and its conditions, and a last one with what holds for all of them.
pub fn lines(workloads: &[(&str, Vec<WorkloadCondition>)]) -> Vec<Sentence> {
    let in_all = |has: &dyn Fn(&WorkloadCondition) -> bool| {
        workloads.len() > 1 && workloads.iter().all(|(_, conditions)| conditions.iter().any(has))
    };
    let is_common = |of: &WorkloadCondition| in_all(&|other| other.clause.text == of.clause.text);
    let is_shared = |of: &WorkloadCondition| in_all(&|other| other.shared == of.shared);
    let own = |of: &WorkloadCondition| {
        let clause = of.clause.clone();
        if is_shared(of) { clause.in_a_paper(&of.own) } else { clause }
    };
    let common = |of: &WorkloadCondition| {
        let shared = || is_shared(of).then(|| Clause::default().in_a_paper(&of.shared));
        is_common(of).then(|| of.clause.clone()).or_else(shared)
    };
    let of_workload = |(name, conditions): &(&str, Vec<WorkloadCondition>)| {
        Sentence::new(format!("{name}: "), conditions.iter().filter(|of| !is_common(of)).map(own))
    };
    let first = workloads.first().into_iter().flat_map(|(_, conditions)| conditions);
    let every = Sentence::new(EVERY_WORKLOAD, first.filter_map(common));
    let lines = workloads.iter().map(of_workload).chain([every]);
    lines.filter(|line| !line.clauses.is_empty()).collect()
}

/// Returns conditions as one text.
pub fn words(conditions: &[WorkloadCondition]) -> String {
    conditions.iter().map(|of| of.clause.text.as_str()).collect::<Vec<_>>().join("; ")
}

/// Returns what some points state about a condition; `None` if it needs no mention.
fn told(about: &str, shown: &[&Stated]) -> Option<WorkloadCondition> {
    let of =
        |stated: &&Stated| stated.phrases.iter().filter(|phrase| phrase.about == about).cloned().collect();
    let phrases: Vec<Vec<Phrase>> = shown.iter().map(of).collect();
    let all: Vec<&Phrase> = phrases.iter().flatten().collect();
    if all.iter().all(|phrase| phrase.is_silent) {
        return None;
    }
    let some = if phrases.iter().any(Vec::is_empty) { " at some points" } else { "" };
    let words = |of: fn(&Phrase) -> &str| merged(&all.iter().map(|phrase| of(phrase)).collect::<Vec<_>>());
    let text = words(|phrase| &phrase.text)? + some;
    let paper = match about {
        "log" => text.split(NONE_DROPPED).next()?.trim_end_matches(OF_ALL).to_owned(),
        _ => text.clone(),
    };
    let condition = WorkloadCondition::from(Clause::from(text).in_a_paper(paper));
    Some(match all.iter().filter(|phrase| phrase.replaced.is_empty()).count() {
        0 if some.is_empty() => {
            let (shared, replaced) = (words(Phrase::rule)?, words(|phrase| &phrase.replaced)?);
            let own = format!("{}: {replaced}", shared.split(' ').next()?);
            WorkloadCondition { shared, own, ..condition }
        }
        _ => condition,
    })
}

/// Merges several texts into one: with ranges if they differ in numbers only, else listed after their common beginning.
fn merged(texts: &[&str]) -> Option<String> {
    let mut known: Vec<&str> = Vec::new();
    for text in texts {
        if !known.contains(text) {
            known.push(text);
        }
    }
    let (first, rest) = known.split_first()?;
    let words: Vec<Vec<&str>> = known.iter().map(|text| text.split(' ').collect()).collect();
    if rest.is_empty() {
        return Some((*first).to_owned());
    }
    let column = |at: usize| words.iter().map(|words| words[at]).collect::<Vec<&str>>();
    if words.iter().all(|of| of.len() == words[0].len()) {
        let ranges: Option<Vec<String>> = (0..words[0].len()).map(|at| range(&column(at))).collect();
        if let Some(ranges) = ranges {
            return Some(ranges.join(" "));
        }
    }
    let shared = words.iter().map(Vec::len).min().unwrap_or(0).saturating_sub(1);
    let is_same = |at: &usize| column(*at).iter().all(|word| *word == words[0][*at]);
    let same = (0..shared).take_while(is_same).count();
    let ends = words.iter().map(|words| words[same..].join(" "));
    let mut ends: Vec<String> = if known.len() > LISTED {
        let more = format!("{} others", known.len() + 1 - LISTED);
        ends.take(LISTED - 1).chain([more]).collect()
    } else {
        ends.collect()
    };
    let last = ends.pop()?;
    let listed = format!("{} or {last}", ends.join(", "));
    Some(words[0][..same].iter().copied().chain([listed.as_str()]).collect::<Vec<_>>().join(" "))
}

/// Returns the common word, or the range of numbers with the same characters around them.
fn range(words: &[&str]) -> Option<String> {
    let first = words.first()?;
    if words.iter().all(|word| word == first) {
        return Some((*first).to_owned());
    }
    let is_around = |of: char| !of.is_alphanumeric() && of != '-';
    let inner = |word: &'_ str| -> Option<(String, f64, String)> {
        let number = word.trim_matches(is_around);
        let (before, after) = word.split_once(number)?;
        let value = number.replace(',', "").parse::<f64>().ok().filter(|value| value.is_finite())?;
        Some((number.to_owned(), value, format!("{before} {after}")))
    };
    let inner: Vec<(String, f64, String)> = words.iter().map(|word| inner(word)).collect::<Option<_>>()?;
    if inner.iter().any(|(.., around)| *around != inner[0].2) {
        return None;
    }
    let by_value = |one: &&(String, f64, String), other: &&(String, f64, String)| one.1.total_cmp(&other.1);
    let (least, most) = (&inner.iter().min_by(by_value)?.0, &inner.iter().max_by(by_value)?.0);
    let (before, after) = inner[0].2.split_once(' ')?;
    Some(format!("{before}{least} to {most}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workload at loads 0.9, 1 and 1.2: (position of the load, jobs, estimates, load).
    fn facts() -> WorkloadFacts {
        let mut facts = WorkloadFacts::default();
        for (at, jobs, estimates, load) in
            [(0, "1,200", "requested", 0.9), (1, "980", "requested", 1.0), (2, "980", "phi:0.2", 1.2)]
        {
            let phrases = [
                Phrase::new("log", format!("KTH (sha256 1e3c): {jobs} jobs used, 0 dropped")),
                Phrase::new("machine", "100 processors"),
                Phrase::new("estimates", format!("estimates {estimates}")),
                Phrase::new("load", format!("offered load × {load}")).silent_if(load == 1.0),
            ];
            facts.state(&[at], &phrases);
        }
        facts
    }

    fn said(facts: &WorkloadFacts, is_shown: impl Fn(&[usize]) -> bool) -> String {
        words(&facts.conditions_at(is_shown))
    }

    #[test]
    fn conditions_are_those_of_what_is_shown() {
        let told = |points: &[usize]| said(&facts(), |point| points.contains(&point[0]));
        assert_eq!(
            told(&[1]),
            "KTH (sha256 1e3c): 980 jobs used, 0 dropped; 100 processors; estimates requested"
        );
        assert_eq!(
            told(&[0]),
            "KTH (sha256 1e3c): 1,200 jobs used, 0 dropped; 100 processors; estimates requested; offered load × 0.9"
        );
    }

    #[test]
    fn numbers_that_differ_are_a_range_and_words_a_list() {
        let told = |points: &[usize]| said(&facts(), |point| points.contains(&point[0]));
        assert_eq!(
            told(&[0, 1]),
            "KTH (sha256 1e3c): 980 to 1,200 jobs used, 0 dropped; 100 processors; estimates requested; offered load × \
             0.9 to 1"
        );
        assert_eq!(
            told(&[1, 2]),
            "KTH (sha256 1e3c): 980 jobs used, 0 dropped; 100 processors; estimates requested or phi:0.2; offered load × \
             1 to 1.2"
        );
        // None of the known points is shown, so all of them are stated.
        assert_eq!(told(&[7]), told(&[0, 1, 2]));
    }

    #[test]
    fn what_holds_at_some_points_only_says_so() {
        let mut facts = facts();
        facts.conditions[2].phrases.push(Phrase::new("cost", "cost switch=1"));
        assert!(said(&facts, |_| true).ends_with("; cost switch=1 at some points"));
        assert!(said(&facts, |point| point[0] == 2).ends_with("; cost switch=1"));
    }

    #[test]
    fn what_holds_for_every_workload_is_stated_once() {
        let words =
            |texts: &[&str]| texts.iter().map(|text| (*text).into()).collect::<Vec<WorkloadCondition>>();
        let lines = |workloads: &[(&str, Vec<WorkloadCondition>)]| {
            lines(workloads).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let of_kth = words(&["11 windows", "100 processors", "sizes requested", "seed 1"]);
        let of_ricc = words(&["10 windows", "8,192 processors", "sizes requested", "seed 1"]);
        assert_eq!(
            lines(&[("KTH", of_kth.clone()), ("RICC", of_ricc)]),
            [
                "KTH: 11 windows; 100 processors",
                "RICC: 10 windows; 8,192 processors",
                "every workload: sizes requested; seed 1"
            ]
        );
        assert_eq!(
            lines(&[("KTH", of_kth.clone())]),
            ["KTH: 11 windows; 100 processors; sizes requested; seed 1"]
        );
        assert_eq!(
            lines(&[("KTH", of_kth.clone()), ("again", of_kth)]),
            ["every workload: 11 windows; 100 processors; sizes requested; seed 1"]
        );
    }

    #[test]
    fn many_texts_are_a_few_and_a_number() {
        let texts = ["events a", "events b", "events c", "events d", "events e"];
        assert_eq!(merged(&texts).unwrap(), "events a, b, c or 2 others");
        assert_eq!(merged(&texts[..2]).unwrap(), "events a or b");
        assert_eq!(merged(&["x 1", "x 2 y"]).unwrap(), "x 1 or 2 y");
        assert_eq!(merged(&["(3 nodes,", "(2 nodes,", "(10 nodes,"]).unwrap(), "(2 to 10 nodes,");
        assert_eq!(merged(&["log-1", "log-2"]).unwrap(), "log-1 or log-2");
        assert_eq!(merged(&[]), None);
    }
}
