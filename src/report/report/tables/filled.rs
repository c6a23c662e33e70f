//! The cells of a table, and what was compared for them.

use super::FamilyScope;
use super::layout::{CellSubject, TableLayout};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::{Answer, ComparedNumber, Comparison, Contrast, Family, Question, Study};
use batchlab_traces::sorted::{SortedMap, SortedSet};

/// A layout with what is known about each of its cells.
pub struct Filled<'a> {
    pub layout: TableLayout<'a>,
    /// The subject of each cell; `None` if nothing was replayed or measured.
    pub subjects: Vec<Vec<Option<CellSubject>>>,
    /// The contrasts with baselines, by what was asked.
    answers: SortedMap<Question, Answer>,
    pub families: Vec<Family>,
}

impl<'a> Filled<'a> {
    pub fn new(layout: TableLayout<'a>, study: &Study<'_>) -> Filled<'a> {
        let is_known = |subject: &CellSubject| {
            subject.measure.is_some() && !study.frame().rows(&subject.design_point, subject.policy).is_empty()
        };
        let subjects = |row: &Vec<usize>| {
            layout.columns.iter().map(|column| Some(layout.subject(row, column)).filter(is_known)).collect()
        };
        let subjects = layout.rows.iter().map(subjects).collect();
        let mut filled = Filled { layout, subjects, answers: SortedMap::new(), families: Vec::new() };
        filled.layout_without_empty_rows();
        if filled.layout.spec.has_contrasts() {
            filled.compare(study);
        }
        filled
    }

    /// Drops rows of design points at which nothing was replayed.
    fn layout_without_empty_rows(&mut self) {
        let is_shown = |subjects: &Vec<Option<CellSubject>>| subjects.iter().any(Option::is_some);
        let mut subjects = self.subjects.iter();
        self.layout.rows.retain(|_| subjects.next().is_some_and(is_shown));
        self.subjects.retain(is_shown);
    }

    /// Computes all contrasts of the table, family by family.
    fn compare(&mut self, study: &Study<'_>) {
        let asked: SortedSet<Question> =
            self.known().filter_map(|subject| self.layout.question(subject)).collect();
        let questions: Vec<Question> = asked.into_iter().collect();
        for family in self.families(&questions) {
            let asked: Vec<Question> = family.iter().map(|&at| questions[at].clone()).collect();
            let family = Family::of(study, &asked, self.layout.spec.quantity());
            self.answers.extend(asked.into_iter().zip(family.answers.iter().cloned()));
            self.families.push(family);
        }
    }

    /// Returns the contrast of a cell's subject with its baseline, if it was asked for.
    pub fn answer(&self, subject: &CellSubject) -> Option<&Answer> {
        self.answers.get(&self.layout.question(subject)?)
    }

    /// Returns the families of questions that are tested together, by position.
    pub fn families(&self, questions: &[Question]) -> Vec<Vec<usize>> {
        if self.layout.spec.is_each_alone() {
            return (0..questions.len()).map(|at| vec![at]).collect();
        }
        let mut families: SortedMap<(Option<usize>, Option<DesignPoint>), Vec<usize>> = SortedMap::new();
        for (at, question) in questions.iter().enumerate() {
            let key = match self.layout.spec.family {
                FamilyScope::Table => (None, None),
                FamilyScope::Measure => (Some(question.measure), None),
                FamilyScope::DesignPoint => {
                    (Some(question.measure), Some(question.baseline.design_point.clone()))
                }
            };
            families.entry(key).or_default().push(at);
        }
        families.into_values().collect()
    }

    /// Returns the comparisons of a contrast whose intervals the table prints.
    pub fn printed<'c>(&self, contrast: &'c Contrast) -> Vec<&'c Comparison> {
        let spec = self.layout.spec;
        let order = [ComparedNumber::Ratio, ComparedNumber::RatioOfMeans, ComparedNumber::Difference];
        let is_printed = |quantity: &ComparedNumber| {
            spec.cells.iter().any(|kind| kind.compares() == Some(*quantity) && spec.has_interval(kind))
        };
        let comparison = |quantity| match quantity {
            ComparedNumber::Ratio => contrast.as_ratio(),
            quantity => contrast.by(quantity),
        };
        order.into_iter().filter(is_printed).map(comparison).collect()
    }

    pub fn known(&self) -> impl Iterator<Item = &CellSubject> {
        self.subjects.iter().flatten().flatten()
    }

    /// Returns the design points and measures of the table, each once.
    pub fn compared_values(&self) -> SortedSet<(DesignPoint, usize)> {
        self.known().filter_map(|subject| Some((subject.design_point.clone(), subject.measure?))).collect()
    }

    /// Returns the row and column of the first part of each cell whose subject satisfies the predicate.
    pub fn places(&self, is_about: impl Fn(&CellSubject) -> bool) -> Vec<(usize, usize)> {
        let (labels, slots) = (self.layout.spec.rows.len(), self.layout.slots());
        let kind = self.layout.spec.cells[0].name;
        let first = |column: usize| {
            slots.iter().position(|slot| slot.column == column && slot.part.kind.name == kind)
        };
        let mut places = Vec::new();
        for (row, subjects) in self.subjects.iter().enumerate() {
            let about =
                subjects.iter().enumerate().filter(|(_, subject)| subject.as_ref().is_some_and(&is_about));
            places.extend(about.filter_map(|(column, _)| Some((row, labels + first(column)?))));
        }
        places
    }
}
