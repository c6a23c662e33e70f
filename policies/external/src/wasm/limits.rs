//! The limits of a module, and the cost of its instructions.

use wasmi::errors::{MemoryError, TableError};
use wasmi::{CompilationMode, Config, CustomFuelCosts, Engine, ResourceLimiter};
use wasmi_core::LimiterError;

/// The greatest depth of nested calls.
pub const DEEPEST: usize = 10_000;

/// The most bytes of all their values together.
const STACK: usize = 8 << 20;

/// Bytes that an element of a table takes.
const ELEMENT: usize = 8;

/// An engine that counts instructions and gives the same results on any machine. Functions are translated when a module
/// is loaded, not at their first call, so that each call costs the same. Every NaN that arises has the same bits.
pub fn engine() -> Engine {
    // A unit pays for as many bytes as are moved in the time of one or two instructions.
    let bulk = CustomFuelCosts {
        bytes_copied_per_fuel: 8,
        fuel_per_bytes_translated: 0,
        fuel_per_bytes_validated: 0,
    };
    let mut config = Config::default();
    config
        .consume_fuel(true)
        .fuel_cost(bulk)
        .compilation_mode(CompilationMode::Eager)
        .ignore_custom_sections(true)
        .wasm_multi_memory(false)
        .set_max_recursion_depth(DEEPEST)
        .set_max_stack_height(STACK);
    Engine::new(&config)
}

/// The memory of one instance: its linear memory, its tables and what the program holds for it, together.
#[derive(Debug)]
pub struct MemoryLimiter {
    used: usize,
    /// In bytes, by the program for the instance.
    held: usize,
    most: usize,
    /// Whether a request was refused since this was last reset.
    pub refused: bool,
}

impl MemoryLimiter {
    pub fn new(most: usize) -> MemoryLimiter {
        MemoryLimiter { used: 0, held: 0, most, refused: false }
    }

    /// Sets the bytes that the program holds for it; returns whether they are within the limit.
    pub fn hold(&mut self, bytes: usize) -> bool {
        self.held = bytes;
        self.used.saturating_add(bytes) <= self.most
    }

    fn grow(&mut self, by: usize) -> bool {
        let wanted = self.used.saturating_add(by);
        if wanted.saturating_add(self.held) > self.most {
            self.refused = true;
            return false;
        }
        self.used = wanted;
        true
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        Ok(self.grow(desired.saturating_sub(current)))
    }

    fn memory_grow_failed(&mut self, _error: &MemoryError) -> Result<(), LimiterError> {
        self.refused = true;
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        Ok(self.grow(desired.saturating_sub(current).saturating_mul(ELEMENT)))
    }

    fn table_grow_failed(&mut self, _error: &TableError) -> Result<(), LimiterError> {
        self.refused = true;
        Ok(())
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        usize::MAX
    }

    fn memories(&self) -> usize {
        1
    }
}
