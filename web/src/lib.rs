//! batchlab in a browser: what the page in `web/page` takes from the library, as a WebAssembly module.
//!
//! It is thin. Everything that computes is in the crate `batchlab`, whose calls ([`batchlab::lab::calls`]) Python makes too. Here a
//! question comes as JSON ([`Question`]), some with the bytes of a log, and the answer goes back as JSON, with columns of numbers
//! as bytes that the page draws without a copy. The module has no imports except one by which it reports progress: it cannot
//! reach a network, a file or a clock.

mod answer;
mod drawn;
mod host;
mod laboratory;
mod policies;
mod question;

pub use answer::Answer;
pub use laboratory::Laboratory;
pub use question::Question;
