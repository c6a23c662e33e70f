//! Searches: each proposes the next candidates from the order of the earlier ones.

mod cma;
mod evolve;

use batchlab_traces::seed::stream;
use chacha20::ChaCha12Rng;
use serde::Deserialize;

use super::space::{Genome, SearchSpace};
use cma::Cma;
use evolve::Evolve;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// Draws each candidate by itself.
    Random,
    /// Adapts a normal distribution of numbers.
    Cma,
    /// Varies and crosses the best so far: of any space.
    Evolve,
}

impl SearchKind {
    pub const WORDS: [(&str, SearchKind); 3] =
        [("random", SearchKind::Random), ("cma", SearchKind::Cma), ("evolve", SearchKind::Evolve)];

    /// Returns the usual search of a space. With some hundred candidates random draws find as much (`examples/tune/README.md`).
    pub fn of(space: &SearchSpace) -> SearchKind {
        if space.is_numeric() && space.dimensions() > 1 { SearchKind::Cma } else { SearchKind::Evolve }
    }

    pub fn word(self) -> &'static str {
        SearchKind::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// A search proposes candidates, a generation at a time, and learns from their order.
pub(super) trait Proposer {
    /// Returns the next candidates.
    fn ask(&mut self) -> Vec<Genome>;

    /// Takes the generation, best first, and the best of all candidates that were measured on all units, best first.
    fn tell(&mut self, generation: &[&Genome], best: &[&Genome]);
}

/// The candidates of a generation, if a search has no number of its own.
const GENERATION: usize = 32;

/// Returns the search of an island, from 1 on.
pub(super) fn search<'a>(
    kind: SearchKind,
    space: &'a SearchSpace,
    seed: u64,
    island: usize,
) -> Box<dyn Proposer + 'a> {
    let name = if island == 1 { "search".to_owned() } else { format!("search {island}") };
    let random = stream(seed, &name);
    match kind {
        SearchKind::Random => Box::new(Random { space, random }),
        SearchKind::Cma => Box::new(Cma::new(space.dimensions(), random)),
        SearchKind::Evolve => Box::new(Evolve::new(space, random)),
    }
}

struct Random<'a> {
    space: &'a SearchSpace,
    random: ChaCha12Rng,
}

impl Proposer for Random<'_> {
    fn ask(&mut self) -> Vec<Genome> {
        (0..GENERATION).map(|_| self.space.draw(&mut self.random)).collect()
    }

    fn tell(&mut self, _: &[&Genome], _: &[&Genome]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the least value of a function that a search finds with 600 candidates.
    fn least(kind: SearchKind, space: &SearchSpace, seed: u64, of: &dyn Fn(&Genome) -> f64) -> f64 {
        let mut search = search(kind, space, seed, 1);
        let (mut least, mut asked, mut best) = (f64::INFINITY, 0, Vec::new());
        while asked < 600 {
            let mut generation: Vec<(f64, Genome)> =
                search.ask().into_iter().map(|genome| (of(&genome), genome)).collect();
            asked += generation.len();
            generation.sort_by(|a, b| a.0.total_cmp(&b.0));
            least = least.min(generation[0].0);
            best.extend(generation.iter().cloned());
            best.sort_by(|a, b| a.0.total_cmp(&b.0));
            best.truncate(24);
            let genomes =
                |of: &[(f64, Genome)]| -> Vec<Genome> { of.iter().map(|(_, one)| one.clone()).collect() };
            let (generation, best) = (genomes(&generation), genomes(&best));
            search.tell(&generation.iter().collect::<Vec<_>>(), &best.iter().collect::<Vec<_>>());
        }
        least
    }

    fn numbers(names: usize) -> SearchSpace {
        let written: Vec<(String, Vec<String>)> =
            (0..names).map(|name| (format!("x{name}"), vec!["-1 .. 1".into()])).collect();
        SearchSpace::of(&written).unwrap()
    }

    /// A narrow valley along the diagonal, its bottom off the middle.
    fn valley(genome: &Genome) -> f64 {
        let x = genome.numbers();
        let along: f64 = x.iter().map(|x| x - 0.7).sum();
        let across: f64 = x.windows(2).map(|pair| (pair[0] - pair[1]).powi(2)).sum();
        along.powi(2) + 100.0 * across
    }

    #[test]
    fn each_search_that_learns_beats_random_draws_in_a_valley() {
        let (space, seeds) = (numbers(5), 1..=9);
        let median = |kind| {
            let mut found: Vec<f64> = seeds.clone().map(|seed| least(kind, &space, seed, &valley)).collect();
            found.sort_by(f64::total_cmp);
            found[4]
        };
        let [random, cma, evolve] = [SearchKind::Random, SearchKind::Cma, SearchKind::Evolve].map(median);
        assert!(cma < random / 100.0, "cma {cma}, random {random}");
        assert!(evolve < random / 5.0, "evolve {evolve}, random {random}");
    }

    #[test]
    fn a_search_repeats_by_its_seed() {
        let space = numbers(3);
        for kind in [SearchKind::Random, SearchKind::Cma, SearchKind::Evolve] {
            let found = |seed| least(kind, &space, seed, &valley);
            assert_eq!(found(3), found(3));
            assert_ne!(found(3), found(4));
        }
    }

    #[test]
    fn a_formula_is_found_among_trees() {
        let written = vec![("x".to_owned(), vec!["tree(procs, estimate, wait; 5)".to_owned()])];
        let space = SearchSpace::of(&written).unwrap();
        let product = |genome: &Genome| {
            let text = space.spec("{x}", genome);
            let parts = ["procs", "estimate", "*"].iter().filter(|part| text.contains(**part)).count();
            3.0 - parts as f64 + space.size(genome) as f64 / 100.0
        };
        assert!(least(SearchKind::Evolve, &space, 1, &product) <= 0.03);
    }
}
