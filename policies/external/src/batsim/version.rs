//! The versions of the protocol: each has the same news and wishes.

use batchlab_traces::Time;

use super::news::{Heard, News, Stamped, Wish};
use super::values::Dialect;
use super::{v4, v5};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatsimVersion {
    /// Version 4, and the used part of version 3.
    Four,
    /// Version 5, in JSON.
    Five,
}

impl BatsimVersion {
    fn dialect(self) -> &'static Dialect {
        match self {
            BatsimVersion::Four => &v4::DIALECT,
            BatsimVersion::Five => &v5::DIALECT,
        }
    }

    /// The simulator's message.
    pub fn tell(self, now: Time, news: &[Stamped<News>]) -> Vec<u8> {
        let Dialect { envelope, told, .. } = self.dialect();
        let mut message = envelope.message(now, news.iter().map(|news| told(news.at, &news.what)));
        message.extend(envelope.end);
        message
    }

    /// Reads the scheduler's answer.
    pub fn wishes(self, message: &[u8]) -> Heard<Wish> {
        let Dialect { envelope, wish, .. } = self.dialect();
        envelope.read(message, wish)
    }

    /// Reads the simulator's message.
    pub fn news(self, message: &[u8]) -> Heard<News> {
        let Dialect { envelope, heard, .. } = self.dialect();
        envelope.read(message, heard)
    }

    /// The scheduler's answer.
    pub fn answer(self, now: Time, wishes: &[Stamped<Wish>]) -> Vec<u8> {
        let Dialect { envelope, said, .. } = self.dialect();
        envelope.message(now, wishes.iter().map(|wish| said(wish.at, &wish.what)))
    }
}
