//! What is said while the application works, and who hears it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use batchlab_parsers::Input;
use batchlab_traces::Finding;

/// Hears what there is to say on the way to a result.
pub trait Observer: Send + Sync {
    fn findings(&self, findings: &[&Finding]);

    fn note(&self, text: &str);

    fn reading(&self, input: Input) -> Input;

    /// Returns what hears how many of a number of replays have ended.
    fn replays(&self, what: &str, replays: usize) -> Box<dyn Fn(u64) + Send + Sync>;
}

/// An observer that several hold; by default, one that hears nothing.
#[derive(Clone)]
pub struct Observed(Arc<dyn Observer>);

impl Observed {
    pub fn by(observer: impl Observer + 'static) -> Observed {
        Observed(Arc::new(observer))
    }
}

impl Deref for Observed {
    type Target = dyn Observer;

    fn deref(&self) -> &(dyn Observer + 'static) {
        &*self.0
    }
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observed")
    }
}

impl Default for Observed {
    fn default() -> Observed {
        Observed::by(Nobody)
    }
}

struct Nobody;

impl Observer for Nobody {
    fn findings(&self, _: &[&Finding]) {}

    fn note(&self, _: &str) {}

    fn reading(&self, input: Input) -> Input {
        input
    }

    fn replays(&self, _: &str, _: usize) -> Box<dyn Fn(u64) + Send + Sync> {
        Box::new(|_| ())
    }
}
