//! The versions of the protocol: each has the same news and wishes.

use batchlab_traces::Time;

use super::news::{Heard, News, Stamped, Wish};
use super::{v4, v5};

/// A version of Batsim's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatsimVersion {
    /// Version 4, and the used part of version 3.
    Four,
    /// Version 5, in JSON.
    Five,
}

impl BatsimVersion {
    /// Returns the simulator's message.
    pub fn tell(self, now: Time, news: &[Stamped<News>]) -> Vec<u8> {
        match self {
            BatsimVersion::Four => v4::tell(now, news),
            BatsimVersion::Five => v5::tell(now, news),
        }
    }

    /// Reads the scheduler's answer.
    ///
    /// # Errors
    /// In words, when it is not one.
    pub fn wishes(self, message: &[u8]) -> Heard<Wish> {
        match self {
            BatsimVersion::Four => v4::wishes(message),
            BatsimVersion::Five => v5::wishes(message),
        }
    }

    /// Reads the simulator's message.
    ///
    /// # Errors
    /// In words, when it is not one.
    pub fn news(self, message: &[u8]) -> Heard<News> {
        match self {
            BatsimVersion::Four => v4::news(message),
            BatsimVersion::Five => v5::news(message),
        }
    }

    /// Returns the scheduler's answer.
    pub fn answer(self, now: Time, wishes: &[Stamped<Wish>]) -> Vec<u8> {
        match self {
            BatsimVersion::Four => v4::answer(now, wishes),
            BatsimVersion::Five => v5::answer(now, wishes),
        }
    }
}
