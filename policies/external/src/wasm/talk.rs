//! A conversation with an instance.

use wasmi::{TypedFunc, WasmParams, WasmResults};

use super::guest::{CompiledModule, Guest};
use crate::abi::{self, functions};
use batchlab_contract::plugin::{Asked, Begin, Conversation, Fault, Verb};

/// Size in bytes of the smallest buffer that is requested.
const LEAST_ROOM: usize = 4096;

/// The work of a call that does nothing, in units of [`Conversation::work`].
const CALL: u64 = 2;

/// Units of fuel that are burnt in a unit of work.
const FUEL: u64 = 200;

/// Words of the state that are passed in a unit of work.
const WORDS: u64 = 64;

pub struct Talk {
    guest: Guest,
    order: Option<TypedFunc<(u32, u32, u32), u32>>,
    decide: Option<TypedFunc<(u32, u32), u32>>,
    reason: Option<TypedFunc<u32, u32>>,
    deinit: TypedFunc<u32, ()>,
    room: TypedFunc<u32, u32>,
    /// The buffer returned last: its address and its size in bytes.
    given: (u32, usize),
    /// The policy that `batchlab_init` returned.
    policy: u32,
    /// Reused for each call.
    words: Vec<u64>,
}

impl Talk {
    pub fn begin(source: &CompiledModule, begin: &Begin<'_>) -> Result<Talk, Fault> {
        let guest = Guest::new(source)?;
        let init = guest.function(functions::INIT)?;
        let mut talk = Talk {
            order: guest.optional(functions::ORDER)?,
            decide: guest.optional(functions::DECIDE)?,
            reason: guest.optional(functions::FAULT)?,
            deinit: guest.function(functions::DEINIT)?,
            room: guest.function(functions::ROOM)?,
            given: (0, 0),
            policy: 0,
            words: abi::write_setup(begin),
            guest,
        };
        let setup = talk.tell()?;
        talk.policy = talk.call(functions::INIT, init, setup)?;
        if talk.policy == 0 {
            return Err(talk.guest.gave_up(functions::INIT, talk.reason, 0));
        }
        if let Some(reason) = talk.reason
            && let Some(reason) = talk.guest.reason(reason, talk.policy)?
        {
            return Err(Fault::GaveUp(reason));
        }
        Ok(talk)
    }

    /// Calls a function. If it traps, the plug-in's own message, such as that of a panic, is reported: it
    /// says more than the kind of trap.
    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        during: &'static str,
        function: TypedFunc<P, R>,
        params: P,
    ) -> Result<R, Fault> {
        self.guest.call(during, function, params).map_err(|fault| match (fault, self.reason) {
            (Fault::Trapped { during, why }, Some(reason)) => {
                let said = self.guest.reason(reason, self.policy).ok().flatten();
                Fault::Trapped { during, why: said.unwrap_or(why) }
            }
            (fault, _) => fault,
        })
    }

    /// Writes the record to the instance's memory and returns its address.
    fn tell(&mut self) -> Result<u32, Fault> {
        let at = self.make_room(8 * self.words.len())?;
        let bytes = self.guest.bytes_mut(functions::ROOM, at, 8 * self.words.len())?;
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(&self.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Ok(at)
    }

    /// Returns a buffer of at least `bytes` bytes: the last one, or a new one of at least twice its size.
    fn make_room(&mut self, bytes: usize) -> Result<u32, Fault> {
        if bytes > self.given.1 {
            let wanted = bytes.next_power_of_two().max(LEAST_ROOM);
            let wrong = |why: String| Fault::Answer { during: functions::ROOM, why };
            let asked =
                u32::try_from(wanted).map_err(|_| wrong(format!("{wanted} bytes cannot be asked for")))?;
            let at = self.call(functions::ROOM, self.room, asked)?;
            if at == 0 {
                return Err(self.guest.gave_up(functions::ROOM, self.reason, self.policy));
            }
            if at % 8 != 0 {
                return Err(wrong(format!("{at} is not a multiple of 8")));
            }
            self.guest.bytes(functions::ROOM, at, wanted)?;
            self.given = (at, wanted);
        }
        Ok(self.given.0)
    }
}

impl Conversation for Talk {
    fn order(&mut self, columns: &mut Vec<f64>, rows: usize, scores: &mut Vec<f64>) -> Result<(), Fault> {
        const DURING: &str = functions::ORDER;
        scores.clear();
        if rows == 0 {
            return Ok(());
        }
        let order = self.order.ok_or_else(|| lacks(DURING))?;
        self.words.clear();
        self.words.extend(columns.iter().map(|value| value.to_bits()));
        let at = self.tell()?;
        let answer = self.call(DURING, order, (self.policy, at, rows as u32))?;
        if answer == 0 {
            return Err(self.guest.gave_up(DURING, self.reason, self.policy));
        }
        let bytes = self.guest.bytes(DURING, answer, 8 * rows)?;
        let (words, _) = bytes.as_chunks();
        scores.extend(words.iter().map(|word| f64::from_le_bytes(*word)));
        Ok(())
    }

    fn decide(&mut self, asked: &Asked<'_, '_>, verbs: &mut Vec<Verb>) -> Result<(), Fault> {
        const DURING: &str = functions::DECIDE;
        let decide = self.decide.ok_or_else(|| lacks(DURING))?;
        abi::write_state(asked, &mut self.words);
        let at = self.tell()?;
        let answer = self.call(DURING, decide, (self.policy, at))?;
        if answer == 0 {
            return Err(self.guest.gave_up(DURING, self.reason, self.policy));
        }
        let (head, _) = self.guest.bytes(DURING, answer, 8)?.as_chunks();
        let bytes = abi::answer_bytes(head[0])?;
        abi::read_answer(self.guest.bytes(DURING, answer, bytes)?, verbs)
    }

    fn work(&self) -> u64 {
        CALL + self.guest.burnt() / FUEL + self.words.len() as u64 / WORDS
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Fault> {
        self.guest.hold(bytes)
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.call(functions::DEINIT, self.deinit, self.policy)
    }
}

fn lacks(name: &str) -> Fault {
    Fault::Function { name: name.into(), why: "it is not exported".into() }
}
