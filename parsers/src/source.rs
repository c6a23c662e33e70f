//! Where bytes come from: files, pipes, memory; packed or plain.
//!
//! A thread of its own reads, hashes and unpacks, and hands over buffers that fit a processor's cache, so
//! that unpacking and parsing overlap; a few buffers exist in all, and each is used again.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use batchlab_traces::provenance::Source;
use flate2::bufread::MultiGzDecoder;

use crate::error::ReadError;
use crate::source::meter::Meter;

mod meter;

/// Bytes in one buffer.
const BUFFER: usize = 256 << 10;
/// Buffers that exist at any time.
const IN_FLIGHT: usize = 6;

/// Something to read a log from.
pub struct Input {
    name: String,
    reader: Box<dyn Read + Send>,
    total: Option<u64>,
    progress: Option<Progress>,
}

/// Is told, after each buffer, how many bytes of the file were read, and its size if known.
type Progress = Box<dyn FnMut(u64, Option<u64>)>;

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// When the file is missing, a directory, or not to be read.
    pub fn open(path: &str) -> Result<Input, ReadError> {
        if path == "-" {
            return Ok(Input::from_reader("-", io::stdin()));
        }
        let error = |source| ReadError::Io { name: path.into(), source };
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.is_dir() {
            return Err(error(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        let total = metadata.is_file().then_some(metadata.len());
        Ok(Input { name: path.into(), reader: Box::new(file), total, progress: None })
    }

    /// Reads from anything; `name` stands in messages and in the provenance.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Input {
        Input { name: name.into(), reader: Box::new(reader), total: None, progress: None }
    }

    /// Reads bytes in memory.
    pub fn from_bytes(name: &str, bytes: impl AsRef<[u8]> + Send + 'static) -> Input {
        let total = Some(bytes.as_ref().len() as u64);
        Input { name: name.into(), reader: Box::new(Cursor::new(bytes)), total, progress: None }
    }

    /// Has `progress` called after each buffer with the bytes of the file read so far (packed bytes, if it is
    /// packed) and the file's size, if known.
    #[must_use]
    pub fn with_progress(mut self, progress: impl FnMut(u64, Option<u64>) + 'static) -> Input {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts reading.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn stream(self) -> Result<Stream, ReadError> {
        let Input { name, reader, total, progress } = self;
        let (full_in, full) = sync_channel(IN_FLIGHT);
        let (empty, empty_out) = sync_channel(IN_FLIGHT);
        for _ in 0..IN_FLIGHT {
            // The channel has room for all of them.
            let _ = empty.send(Buffer::default());
        }
        thread::Builder::new()
            .name("read".into())
            .spawn(move || feed(reader, &full_in, &empty_out))
            .map_err(|source| ReadError::Io { name: name.clone(), source })?;
        Ok(Stream {
            name,
            total,
            progress,
            full,
            empty,
            current: Buffer::default(),
            peeked: false,
            end: None,
        })
    }
}

/// What the reading thread hands over.
enum Message {
    /// A buffer of unpacked bytes, with the number of bytes read from the file until now.
    Bytes(Buffer, u64),
    /// The end of the file, reached one way or another.
    End(End),
    /// The system refused to read on.
    Failed(io::Error),
}

/// Room for bytes, filled from its beginning.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    fn filled(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Fills the room; `false` at the end of the input. What was read before an error stays in it.
    fn fill(&mut self, reader: &mut impl Read) -> io::Result<bool> {
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

/// What is known once all bytes are read.
#[derive(Clone, Debug)]
struct End {
    sha256: String,
    bytes: u64,
    torn: Option<String>,
}

/// The unpacked bytes of an [`Input`], buffer by buffer.
pub struct Stream {
    name: String,
    total: Option<u64>,
    progress: Option<Progress>,
    full: Receiver<Message>,
    empty: SyncSender<Buffer>,
    current: Buffer,
    peeked: bool,
    end: Option<End>,
}

impl Stream {
    /// Returns the next buffer; `None` at the end.
    ///
    /// # Errors
    /// When the system refuses to read on.
    pub fn next_buffer(&mut self) -> Result<Option<&[u8]>, ReadError> {
        if !self.peeked {
            self.advance()?;
        }
        self.peeked = false;
        Ok(Some(self.current.filled()).filter(|bytes| !bytes.is_empty()))
    }

    /// Returns the first buffer without taking it; empty for an empty file.
    ///
    /// # Errors
    /// When the system refuses to read on.
    pub fn peek(&mut self) -> Result<&[u8], ReadError> {
        if !self.peeked {
            self.advance()?;
            self.peeked = true;
        }
        Ok(self.current.filled())
    }

    /// Returns the input's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns why a packed file could not be unpacked to its end; known after the last buffer.
    pub fn torn(&self) -> Option<&str> {
        self.end.as_ref()?.torn.as_deref()
    }

    /// Returns name, digest and size for the provenance; the latter two are known after the last buffer.
    pub fn source(&self, format: &str) -> Source {
        Source {
            name: self.name.clone(),
            format: format.into(),
            sha256: self.end.as_ref().map(|end| end.sha256.clone()).unwrap_or_default(),
            bytes: self.end.as_ref().map_or(0, |end| end.bytes),
        }
    }

    fn advance(&mut self) -> Result<(), ReadError> {
        let used = std::mem::take(&mut self.current);
        if self.end.is_some() {
            return Ok(());
        }
        if !used.bytes.is_empty() {
            // Fails only when the reading thread has nothing left to read.
            let _ = self.empty.send(used);
        }
        match self.full.recv() {
            Ok(Message::Bytes(buffer, read)) => {
                self.current = buffer;
                self.tell(read);
            }
            Ok(Message::End(end)) => {
                self.tell(end.bytes);
                self.end = Some(end);
            }
            Ok(Message::Failed(source)) => return Err(ReadError::Io { name: self.name.clone(), source }),
            Err(_) => {
                let source = io::Error::other("the reading thread stopped");
                return Err(ReadError::Io { name: self.name.clone(), source });
            }
        }
        Ok(())
    }

    fn tell(&mut self, read: u64) {
        if let Some(progress) = &mut self.progress {
            progress(read, self.total);
        }
    }
}

/// The reading thread: it ends at the end of the input, or when nobody listens any more.
fn feed(reader: Box<dyn Read + Send>, full: &SyncSender<Message>, empty: &Receiver<Buffer>) {
    let mut meter = Meter::new(reader);
    let mut start = Vec::new();
    // A pipe may hand over its bytes one at a time: two are needed to tell what it is.
    let sniffed = (&mut meter).take(GZIP.len() as u64).read_to_end(&mut start);
    let packed = start == GZIP;
    let mut raw = BufReader::with_capacity(BUFFER / 4, Cursor::new(start).chain(meter));
    let fed = match sniffed {
        Ok(_) if packed => unpack(&mut raw, full, empty),
        Ok(_) => pass_on(&mut raw, full, empty),
        Err(error) => Err(Stop::Failed(error)),
    };
    let message = match fed {
        Err(Stop::Unheard) => return,
        Err(Stop::Failed(error)) => Message::Failed(error),
        Ok(torn) => match io::copy(&mut raw, &mut io::sink()) {
            Err(error) => Message::Failed(error),
            Ok(_) => {
                let (bytes, sha256) = raw.into_inner().into_inner().1.finish();
                Message::End(End { sha256, bytes, torn })
            }
        },
    };
    // Nobody listening is no error: the parser stopped early.
    let _ = full.send(message);
}

/// Why the reading thread stops before the end.
enum Stop {
    Unheard,
    Failed(io::Error),
}

/// The first two bytes of a gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The input with its first bytes put back.
type Raw = BufReader<Chain<Cursor<Vec<u8>>, Meter>>;

fn pass_on(
    raw: &mut Raw,
    full: &SyncSender<Message>,
    empty: &Receiver<Buffer>,
) -> Result<Option<String>, Stop> {
    loop {
        let mut buffer = next_empty(empty)?;
        let filled = buffer.fill(raw);
        let read = raw.get_ref().get_ref().1.bytes();
        hand_over(buffer, read, full)?;
        match filled {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => return Err(Stop::Failed(error)),
        }
    }
}

fn unpack(
    raw: &mut Raw,
    full: &SyncSender<Message>,
    empty: &Receiver<Buffer>,
) -> Result<Option<String>, Stop> {
    let mut decoder = MultiGzDecoder::new(raw);
    loop {
        let mut buffer = next_empty(empty)?;
        let filled = buffer.fill(&mut decoder);
        let meter = decoder.get_ref().get_ref().get_ref().1;
        let (read, failed) = (meter.bytes(), meter.failed());
        hand_over(buffer, read, full)?;
        match filled {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) if failed => return Err(Stop::Failed(error)),
            Err(error) => return Ok(Some(error.to_string())),
        }
    }
}

fn next_empty(empty: &Receiver<Buffer>) -> Result<Buffer, Stop> {
    let mut buffer = empty.recv().map_err(|_| Stop::Unheard)?;
    buffer.bytes.resize(BUFFER, 0);
    buffer.len = 0;
    Ok(buffer)
}

fn hand_over(buffer: Buffer, read: u64, full: &SyncSender<Message>) -> Result<(), Stop> {
    if buffer.len == 0 {
        return Ok(());
    }
    full.send(Message::Bytes(buffer, read)).map_err(|_| Stop::Unheard)
}
