use batchlab_traces::seed;

pub struct Draw(Box<dyn FnMut() -> f64>);

impl Draw {
    pub fn new(seed: u64, case: usize, stream: &str) -> Draw {
        let mut stream = seed::stream(seed, &format!("conform case {case}{stream}"));
        Draw(Box::new(move || seed::unit(&mut stream)))
    }

    /// Returns a whole number from 0 to below `bound`.
    pub fn below(&mut self, bound: i64) -> i64 {
        ((self.0)() * bound as f64) as i64
    }

    /// Returns a whole number from `first` to `last`, both included.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below(last - first + 1)
    }

    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as i64) as usize]
    }

    /// Returns true with probability 1/`times`.
    pub fn one_in(&mut self, times: i64) -> bool {
        self.below(times) == 0
    }
}
