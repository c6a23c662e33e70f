//! One instance of a module: its functions and its memory, with every call limited and every access checked.

use std::ops::Range;

use wasmi::{Engine, Instance, Linker, Memory, Module, Store, TrapCode, TypedFunc, WasmParams, WasmResults};

use super::limits::{DEEPEST, MemoryLimiter};
use super::module::exports;
use crate::abi::functions;
use batchlab_contract::plugin::{Fault, one_line};

/// The most bytes of the reason for a failure.
const LONGEST_REASON: usize = 64 << 10;

/// A module, and the limits of its instances.
#[derive(Clone, Debug)]
pub struct CompiledModule {
    pub engine: Engine,
    pub module: Module,
    /// Units of fuel for each call.
    pub fuel: u64,
    /// MiB of memory.
    pub memory: u64,
}

#[derive(Debug)]
pub struct Guest {
    store: Store<MemoryLimiter>,
    instance: Instance,
    memory: Memory,
    fuel: u64,
    mebibytes: u64,
}

impl Guest {
    /// Makes an instance and runs the module's start function.
    pub fn new(source: &CompiledModule) -> Result<Guest, Fault> {
        const START: &str = "start";
        let bytes = source.memory.saturating_mul(1 << 20).try_into().unwrap_or(usize::MAX);
        let mut store = Store::new(&source.engine, MemoryLimiter::new(bytes));
        store.limiter(|limits| limits);
        let refuel = store.set_fuel(source.fuel);
        let linker = Linker::new(&source.engine);
        let made = refuel.and_then(|()| linker.instantiate_and_start(&mut store, &source.module));
        let instance =
            made.map_err(|error| fault(START, &error, store.data().refused, source.fuel, source.memory))?;
        let Some(memory) = instance.get_memory(&store, "memory") else {
            let why = format!("no memory is exported under this name; {}", exports(&source.module));
            return Err(Fault::Function { name: "memory".into(), why });
        };
        Ok(Guest { store, instance, memory, fuel: source.fuel, mebibytes: source.memory })
    }

    pub fn function<P: WasmParams, R: WasmResults>(&self, name: &str) -> Result<TypedFunc<P, R>, Fault> {
        self.instance
            .get_typed_func(&self.store, name)
            .map_err(|error| Fault::Function { name: name.into(), why: error.to_string() })
    }

    /// `None` if the function is not exported.
    pub fn optional<P: WasmParams, R: WasmResults>(
        &self,
        name: &str,
    ) -> Result<Option<TypedFunc<P, R>>, Fault> {
        self.instance.get_func(&self.store, name).map(|_| self.function(name)).transpose()
    }

    /// Calls a function with its full allowance of fuel.
    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        during: &'static str,
        function: TypedFunc<P, R>,
        params: P,
    ) -> Result<R, Fault> {
        self.store.data_mut().refused = false;
        let refuel = self.store.set_fuel(self.fuel);
        refuel
            .and_then(|()| function.call(&mut self.store, params))
            .map_err(|error| fault(during, &error, self.store.data().refused, self.fuel, self.mebibytes))
    }

    /// The units of fuel that the last call took.
    pub fn burnt(&self) -> u64 {
        self.store.get_fuel().map_or(0, |left| self.fuel.saturating_sub(left))
    }

    /// Why a function returned NULL: refused memory if any, else the plug-in's own message, else nothing.
    pub fn gave_up(
        &mut self,
        during: &'static str,
        reason: Option<TypedFunc<u32, u32>>,
        policy: u32,
    ) -> Fault {
        let refused = self.store.data().refused;
        match reason.map_or(Ok(None), |reason| self.reason(reason, policy)) {
            Err(fault) => fault,
            Ok(Some(reason)) => Fault::GaveUp(reason),
            Ok(None) if refused => too_much(self.mebibytes),
            Ok(None) => Fault::GaveUp(format!("`{during}` returned NULL, and no reason was given")),
        }
    }

    /// `None` if there was no failure.
    pub fn reason(&mut self, reason: TypedFunc<u32, u32>, policy: u32) -> Result<Option<String>, Fault> {
        match self.call(functions::FAULT, reason, policy)? {
            0 => Ok(None),
            at => self.text(functions::FAULT, at, LONGEST_REASON).map(|text| Some(one_line(text))),
        }
    }

    /// Charges bytes that the program holds for the instance to its memory.
    pub fn hold(&mut self, bytes: usize) -> Result<(), Fault> {
        if self.store.data_mut().hold(bytes) { Ok(()) } else { Err(too_much(self.mebibytes)) }
    }

    pub fn bytes(&self, during: &'static str, at: u32, bytes: usize) -> Result<&[u8], Fault> {
        let memory = self.memory.data(&self.store);
        range(during, at, bytes, memory.len()).map(|range| &memory[range])
    }

    pub fn bytes_mut(&mut self, during: &'static str, at: u32, bytes: usize) -> Result<&mut [u8], Fault> {
        let memory = self.memory.data_mut(&mut self.store);
        range(during, at, bytes, memory.len()).map(|range| &mut memory[range])
    }

    /// A text up to its terminating zero, which must come within `longest` bytes.
    pub fn text(&self, during: &'static str, at: u32, longest: usize) -> Result<&[u8], Fault> {
        let memory = self.memory.data(&self.store);
        let rest = memory.get(at as usize..).unwrap_or_default();
        let rest = &rest[..rest.len().min(longest + 1)];
        match rest.iter().position(|byte| *byte == 0) {
            Some(end) => Ok(&rest[..end]),
            None if rest.len() > longest => {
                Err(Fault::Answer { during, why: format!("the text has no end within {longest} bytes") })
            }
            None => Err(outside(during, &format!("the text at {at} reaches"), memory.len())),
        }
    }
}

fn range(during: &'static str, at: u32, bytes: usize, memory: usize) -> Result<Range<usize>, Fault> {
    let from = at as usize;
    let to = from.checked_add(bytes).filter(|to| *to <= memory);
    to.map(|to| from..to).ok_or_else(|| outside(during, &format!("{bytes} bytes at {at} reach"), memory))
}

fn outside(during: &'static str, what: &str, memory: usize) -> Fault {
    Fault::Answer { during, why: format!("{what} beyond its memory of {memory} bytes") }
}

fn fault(during: &'static str, error: &wasmi::Error, refused: bool, fuel: u64, mebibytes: u64) -> Fault {
    let why = match error.as_trap_code() {
        Some(TrapCode::OutOfFuel) => {
            return Fault::Endless { during, limit: format!("{fuel} units of fuel"), option: "fuel=" };
        }
        // A guest may continue without the refused memory; if it fails in the same call, the memory was the
        // cause.
        _ if refused => return too_much(mebibytes),
        Some(TrapCode::UnreachableCodeReached) => "it came to an `unreachable` instruction".into(),
        Some(TrapCode::MemoryOutOfBounds) => "it read or wrote outside its memory".into(),
        Some(TrapCode::StackOverflow) => {
            format!("its calls are nested more than {DEEPEST} deep, or their values are too many")
        }
        Some(TrapCode::IntegerDivisionByZero) => "it divided a whole number by zero".into(),
        Some(TrapCode::BadConversionToInteger) => "it converted a number that is not representable to a \
            whole number"
            .into(),
        Some(TrapCode::IndirectCallToNull | TrapCode::TableOutOfBounds | TrapCode::BadSignature) => {
            "it called through its table an entry that is not such a function".into()
        }
        _ => one_line(error.to_string().as_bytes()),
    };
    Fault::Trapped { during, why }
}

fn too_much(mebibytes: u64) -> Fault {
    Fault::Memory { limit: format!("{mebibytes} MiB"), option: "memory=" }
}
