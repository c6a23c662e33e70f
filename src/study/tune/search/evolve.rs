//! A search that varies and crosses the best so far.

use batchlab_traces::seed::unit;
use chacha20::ChaCha12Rng;

use super::{GENERATION, Proposer};
use crate::tune::formula::below;
use crate::tune::space::{Genome, SearchSpace};

/// Keeps a population of the best, and makes the next generation from parents that won a tournament among three.
pub(super) struct Evolve<'a> {
    space: &'a SearchSpace,
    random: ChaCha12Rng,
    /// The best so far, best first.
    population: Vec<Genome>,
}

const POPULATION: usize = 24;

/// The share of a generation that is drawn at random, so that the population does not become a family.
const FRESH: f64 = 0.1;

impl<'a> Evolve<'a> {
    pub(super) fn new(space: &'a SearchSpace, random: ChaCha12Rng) -> Evolve<'a> {
        Evolve { space, random, population: Vec::new() }
    }

    fn parent(&mut self) -> Genome {
        // The population is in order, so the best of three is that of the least position.
        let at = (0..3).map(|_| below(self.population.len(), &mut self.random)).min().unwrap_or(0);
        self.population[at].clone()
    }

    fn child(&mut self) -> Genome {
        if self.population.is_empty() || unit(&mut self.random) < FRESH {
            return self.space.draw(&mut self.random);
        }
        let parent = self.parent();
        let crossed = if unit(&mut self.random) < 0.5 {
            let other = self.parent();
            self.space.cross(&parent, &other, &mut self.random)
        } else {
            parent.clone()
        };
        // A child that is its parent would be replayed for nothing.
        if crossed == parent || unit(&mut self.random) < 0.5 {
            self.space.vary(&crossed, &mut self.random)
        } else {
            crossed
        }
    }
}

impl Proposer for Evolve<'_> {
    fn ask(&mut self) -> Vec<Genome> {
        (0..GENERATION).map(|_| self.child()).collect()
    }

    fn tell(&mut self, _: &[&Genome], best: &[&Genome]) {
        // The size is a second objective: what is smaller than all better ones stays in the population, too.
        let mut least = usize::MAX;
        let stays = |(at, genome): &(usize, &&Genome)| {
            let size = self.space.size(genome);
            let is_smaller = size < least;
            least = least.min(size);
            *at < POPULATION || is_smaller
        };
        self.population =
            best.iter().enumerate().filter(stays).map(|(_, genome)| (**genome).clone()).collect();
    }
}
