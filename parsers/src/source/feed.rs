//! The work of the reading thread: reads, hashes, unpacks.

use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender};

use flate2::bufread::MultiGzDecoder;

use crate::source::meter::Meter;

pub(super) const IN_FLIGHT: usize = 6;
const BUFFER: usize = 256 << 10;
/// The first two bytes of a gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The bytes by which a packed file or a table of Parquet is recognised.
const BEGINNING: u64 = 4;

pub(super) enum Message {
    /// A buffer of unpacked bytes, with the number of bytes read from the file so far.
    Bytes(Buffer, u64),
    End(End),
    Failed(io::Error),
}

/// A buffer for bytes, filled from its beginning.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Fills the buffer; `false` at the end of the input. Bytes read before an error are kept.
    fn fill(&mut self, reader: &mut impl Read) -> io::Result<bool> {
        self.bytes.resize(BUFFER, 0);
        self.len = 0;
        while self.len < self.bytes.len() {
            match reader.read(&mut self.bytes[self.len..]) {
                Ok(0) => return Ok(false),
                Ok(count) => self.len += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Properties of the input that are known once all bytes are read.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    /// The reason why a packed file could not be unpacked to its end.
    pub(super) torn: Option<String>,
}

/// Passes on buffers until the end of the input, or until the receiver is dropped.
pub(super) fn feed(reader: Box<dyn Read + Send>, full: &SyncSender<Message>, empty: &Receiver<Buffer>) {
    let mut feeder = Feeder::new(reader);
    while let Ok(buffer) = empty.recv() {
        let message = feeder.next(buffer);
        let is_last = !matches!(message, Message::Bytes(..));
        // A dropped receiver is not an error: the parser stopped early.
        if full.send(message).is_err() || is_last {
            return;
        }
    }
}

/// Reads, hashes and unpacks an input, buffer by buffer.
pub(super) struct Feeder {
    /// The input; `None` before the first buffer and after the last.
    bytes: Option<Bytes>,
    reader: Option<Box<dyn Read + Send>>,
    /// How the bytes ended, if they have.
    ended: Option<Result<Option<String>, io::Error>>,
}

enum Bytes {
    Plain(Box<Raw>),
    Packed(Box<MultiGzDecoder<Raw>>),
    /// A table: all its bytes have been read, because its end describes its contents.
    #[cfg(feature = "parquet")]
    Table(Box<crate::source::parquet::Table>, Box<Raw>),
}

/// The input with its first bytes put back.
type Raw = BufReader<Chain<Cursor<Vec<u8>>, Meter>>;

impl Feeder {
    pub(super) fn new(reader: Box<dyn Read + Send>) -> Feeder {
        Feeder { bytes: None, reader: Some(reader), ended: None }
    }

    /// Returns the next bytes in a buffer, or the end; an error if it is called after the end.
    pub(super) fn next(&mut self, mut buffer: Buffer) -> Message {
        if let Some(reader) = self.reader.take() {
            match Bytes::of(reader) {
                Ok(bytes) => self.bytes = Some(bytes),
                Err(error) => return Message::Failed(error),
            }
        }
        let Some(bytes) = &mut self.bytes else {
            return Message::Failed(io::Error::other("the input has ended"));
        };
        if self.ended.is_none() {
            let filled = buffer.fill(bytes);
            let meter = bytes.meter();
            self.ended = match filled {
                Ok(true) => None,
                Ok(false) => Some(Ok(None)),
                Err(error) if meter.failed() => Some(Err(error)),
                Err(error) => Some(Ok(Some(error.to_string()))),
            };
            if buffer.len > 0 {
                return Message::Bytes(buffer, meter.bytes());
            }
        }
        match self.ended.take() {
            Some(Ok(torn)) => self.bytes.take().map_or_else(
                || Message::Failed(io::Error::other("the input has ended")),
                |bytes| bytes.end(torn),
            ),
            Some(Err(error)) => Message::Failed(error),
            // A buffer that is filled has bytes.
            None => Message::Failed(io::Error::other("a buffer has no bytes")),
        }
    }
}

impl Bytes {
    fn of(reader: Box<dyn Read + Send>) -> io::Result<Bytes> {
        let mut meter = Meter::new(reader);
        let mut start = Vec::new();
        // A pipe may deliver its bytes one at a time.
        (&mut meter).take(BEGINNING).read_to_end(&mut start)?;
        let is_packed = start.starts_with(&GZIP);
        #[cfg(feature = "parquet")]
        let is_table = start == crate::source::parquet::MAGIC;
        let raw = BufReader::with_capacity(BUFFER / 4, Cursor::new(start).chain(meter));
        #[cfg(feature = "parquet")]
        if is_table {
            return Bytes::of_table(raw);
        }
        Ok(if is_packed {
            Bytes::Packed(Box::new(MultiGzDecoder::new(raw)))
        } else {
            Bytes::Plain(Box::new(raw))
        })
    }

    /// Copies all bytes into a temporary file, because a table is read from its end.
    #[cfg(feature = "parquet")]
    fn of_table(mut raw: Raw) -> io::Result<Bytes> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut raw, &mut file)?;
        Ok(Bytes::Table(Box::new(crate::source::parquet::Table::open(file)?), Box::new(raw)))
    }

    /// Returns the meter, which knows the number of bytes read from the file, and whether the system reported a read error.
    fn meter(&self) -> &Meter {
        let raw = match self {
            Bytes::Plain(raw) => raw.as_ref(),
            Bytes::Packed(decoder) => decoder.get_ref(),
            #[cfg(feature = "parquet")]
            Bytes::Table(_, raw) => raw,
        };
        raw.get_ref().get_ref().1
    }

    /// Returns the end. The digest covers the whole file, including the part after damage.
    fn end(self, torn: Option<String>) -> Message {
        let mut raw = match self {
            Bytes::Plain(raw) => *raw,
            Bytes::Packed(decoder) => decoder.into_inner(),
            #[cfg(feature = "parquet")]
            Bytes::Table(_, raw) => *raw,
        };
        if let Err(error) = io::copy(&mut raw, &mut io::sink()) {
            return Message::Failed(error);
        }
        let (bytes, sha256) = raw.into_inner().into_inner().1.finish();
        Message::End(End { sha256, bytes, torn })
    }
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Bytes::Plain(raw) => raw.read(buffer),
            Bytes::Packed(decoder) => decoder.read(buffer),
            #[cfg(feature = "parquet")]
            Bytes::Table(table, _) => table.read(buffer),
        }
    }
}
