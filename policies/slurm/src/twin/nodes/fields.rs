//! Jobs with tasks of one shape on the same nodes have a field in common: what is known of one job holds for the others.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::room::{Count, TaskShape};
use crate::twin::node_set::NodeSet;

#[derive(Clone, Debug, Default)]
pub struct Fields {
    shapes: Vec<Arc<TaskShape>>,
    numbers: FxHashMap<Arc<TaskShape>, usize>,
    all: Vec<Field>,
    /// The number of each field, by shape and nodes.
    places: FxHashMap<(usize, Arc<NodeSet>), usize>,
}

/// The nodes on which jobs with tasks of one shape may run, with the room there.
#[derive(Clone, Debug)]
struct Field {
    shape: usize,
    nodes: Arc<NodeSet>,
    generation: u64,
    now: Count,
}

impl Fields {
    pub fn number(&mut self, shape: Arc<TaskShape>, nodes: &Arc<NodeSet>) -> usize {
        let next = self.shapes.len();
        let number = *self.numbers.entry(shape.clone()).or_insert(next);
        if number == next {
            self.shapes.push(shape);
        }
        let next = self.all.len();
        let field = *self.places.entry((number, nodes.clone())).or_insert(next);
        if field == next {
            let now = Count::default();
            self.all.push(Field { shape: number, nodes: nodes.clone(), generation: 0, now });
        }
        field
    }

    pub fn shape_number(&self, field: usize) -> usize {
        self.all[field].shape
    }

    pub fn shape(&self, field: usize) -> &TaskShape {
        &self.shapes[self.all[field].shape]
    }

    pub fn nodes(&self, field: usize) -> &NodeSet {
        &self.all[field].nodes
    }

    #[inline]
    pub fn room(&self, field: usize, generation: u64) -> Option<Count> {
        let field = &self.all[field];
        (field.generation == generation).then_some(field.now)
    }

    pub fn note(&mut self, field: usize, generation: u64, now: Count) {
        let field = &mut self.all[field];
        (field.generation, field.now) = (generation, now);
    }
}
