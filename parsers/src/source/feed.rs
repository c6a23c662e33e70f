//! The reading thread: reads, hashes, unpacks.

use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender};

use flate2::bufread::MultiGzDecoder;

use crate::source::meter::Meter;

/// Number of buffers that exist at any time.
pub(super) const IN_FLIGHT: usize = 6;
/// Bytes in one buffer.
const BUFFER: usize = 256 << 10;
/// The first two bytes of a gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A message from the reading thread.
pub(super) enum Message {
    /// A buffer of unpacked bytes, with the number of bytes read from the file so far.
    Bytes(Buffer, u64),
    /// The end of the input.
    End(End),
    /// A read error of the system.
    Failed(io::Error),
}

/// A buffer for bytes, filled from its beginning.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    /// Returns the bytes in the buffer.
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

/// Reads to the end of the input, or until the receiver is dropped.
pub(super) fn feed(reader: Box<dyn Read + Send>, full: &SyncSender<Message>, empty: &Receiver<Buffer>) {
    let mut meter = Meter::new(reader);
    let mut start = Vec::new();
    // A pipe may deliver its bytes one at a time: two are needed to recognise a packed file.
    let sniffed = (&mut meter).take(GZIP.len() as u64).read_to_end(&mut start);
    let packed = start == GZIP;
    let mut raw = BufReader::with_capacity(BUFFER / 4, Cursor::new(start).chain(meter));
    let fed = match sniffed {
        Ok(_) if packed => {
            let meter = |decoder: &MultiGzDecoder<&mut Raw>| progress(decoder.get_ref());
            hand_on(&mut MultiGzDecoder::new(&mut raw), meter, full, empty)
        }
        Ok(_) => hand_on(&mut raw, progress, full, empty),
        Err(error) => Err(Stop::Failed(error)),
    };
    let message = match fed {
        Err(Stop::Unheard) => return,
        Err(Stop::Failed(error)) => Message::Failed(error),
        // The digest covers the whole file, including the part after the damage.
        Ok(torn) => match io::copy(&mut raw, &mut io::sink()) {
            Err(error) => Message::Failed(error),
            Ok(_) => {
                let (bytes, sha256) = raw.into_inner().into_inner().1.finish();
                Message::End(End { sha256, bytes, torn })
            }
        },
    };
    // A dropped receiver is not an error: the parser stopped early.
    let _ = full.send(message);
}

/// The input with its first bytes put back.
type Raw = BufReader<Chain<Cursor<Vec<u8>>, Meter>>;

/// Returns the number of bytes read from the file, and whether the system reported a read error.
fn progress(raw: &Raw) -> (u64, bool) {
    let meter = raw.get_ref().get_ref().1;
    (meter.bytes(), meter.failed())
}

/// The reason why the reading thread stops before the end.
enum Stop {
    Unheard,
    Failed(io::Error),
}

/// Passes on all bytes of the reader; returns the damage at which it stopped, if any.
fn hand_on<R: Read>(
    reader: &mut R,
    progress: impl Fn(&R) -> (u64, bool),
    full: &SyncSender<Message>,
    empty: &Receiver<Buffer>,
) -> Result<Option<String>, Stop> {
    loop {
        let mut buffer = empty.recv().map_err(|_| Stop::Unheard)?;
        let filled = buffer.fill(reader);
        let (read, failed) = progress(reader);
        if buffer.len > 0 {
            full.send(Message::Bytes(buffer, read)).map_err(|_| Stop::Unheard)?;
        }
        match filled {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if failed => return Err(Stop::Failed(error)),
            Err(error) => return Ok(Some(error.to_string())),
        }
    }
}
