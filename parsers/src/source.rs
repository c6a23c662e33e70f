//! Input bytes from files, pipes or memory; packed or plain.
//!
//! A separate thread reads, hashes and unpacks, and passes on buffers that fit a processor's cache, so that
//! unpacking and parsing overlap. A few buffers exist in total, and each is reused. Without threads (`WebAssembly`), each buffer is
//! read on request.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use batchlab_traces::provenance::Source;

use crate::error::{ReadError, Result};
use crate::source::feed::{Buffer, End, Feeder, IN_FLIGHT, Message, feed};

mod feed;
mod meter;
mod packed;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;

pub use meter::sha256;
pub use packed::Packing;

/// A source from which a log is read.
pub struct Input {
    name: String,
    reader: Box<dyn Read + Send>,
    total: Option<u64>,
    progress: Option<Progress>,
}

/// See [`Input::with_progress`].
type Progress = Box<dyn FnMut(u64, Option<u64>)>;

impl Input {
    /// Opens a file, or standard input for `-`.
    pub fn open(path: impl AsRef<Path>) -> Result<Input> {
        let path = path.as_ref();
        if path.as_os_str() == "-" {
            return Ok(Input::from_reader("-", io::stdin()));
        }
        let name = path.to_string_lossy();
        let error = |source| ReadError::Io { name: name.clone().into_owned(), source };
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.is_dir() {
            return Err(error(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        let total = metadata.is_file().then_some(metadata.len());
        Ok(Input { name: name.clone().into_owned(), reader: Box::new(file), total, progress: None })
    }

    /// Reads from any reader; `name` is used in messages and in the provenance.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Input {
        Input { name: name.into(), reader: Box::new(reader), total: None, progress: None }
    }

    /// Reads bytes in memory.
    pub fn from_bytes(name: &str, bytes: impl AsRef<[u8]> + Send + 'static) -> Input {
        let total = Some(bytes.as_ref().len() as u64);
        Input { name: name.into(), reader: Box::new(Cursor::new(bytes)), total, progress: None }
    }

    /// Sets a function that is called after each buffer with the bytes of the file read so far (packed bytes,
    /// if it is packed) and the file's size, if known.
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
    pub fn stream(self) -> Result<Stream> {
        self.stream_by(HAS_THREADS)
    }

    fn stream_by(self, has_threads: bool) -> Result<Stream> {
        let Input { name, reader, total, progress } = self;
        let feeding = if has_threads {
            Feeding::beside(reader).map_err(|source| ReadError::Io { name: name.clone(), source })?
        } else {
            Feeding::Here(Box::new(Feeder::new(reader)))
        };
        Ok(Stream {
            name,
            total,
            progress,
            feeding,
            current: Buffer::default(),
            peeked: false,
            begun: false,
            end: None,
        })
    }
}

/// Whether the program can have threads.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// Where the input is read.
enum Feeding {
    /// A thread, which receives empty buffers and returns full ones.
    Beside { full: Receiver<Message>, empty: SyncSender<Buffer> },
    /// The calling thread.
    Here(Box<Feeder>),
}

impl Feeding {
    fn beside(reader: Box<dyn Read + Send>) -> io::Result<Feeding> {
        let (full_in, full) = sync_channel(IN_FLIGHT);
        let (empty, empty_out) = sync_channel(IN_FLIGHT);
        for _ in 0..IN_FLIGHT {
            // The channel has room for all buffers.
            let _ = empty.send(Buffer::default());
        }
        thread::Builder::new().name("read".into()).spawn(move || feed(reader, &full_in, &empty_out))?;
        Ok(Feeding::Beside { full, empty })
    }

    /// Returns the next message of the reader, and lets it reuse a buffer.
    fn next(&mut self, used: Buffer) -> Message {
        match self {
            Feeding::Beside { full, empty } => {
                if !used.filled().is_empty() {
                    // Sending fails only if the reading thread has finished.
                    let _ = empty.send(used);
                }
                full.recv()
                    .unwrap_or_else(|_| Message::Failed(io::Error::other("the reading thread stopped")))
            }
            Feeding::Here(feeder) => feeder.next(used),
        }
    }
}

/// The unpacked bytes of an [`Input`], buffer by buffer.
pub struct Stream {
    name: String,
    total: Option<u64>,
    progress: Option<Progress>,
    feeding: Feeding,
    current: Buffer,
    peeked: bool,
    /// Whether the first buffer was received.
    begun: bool,
    end: Option<End>,
}

impl Stream {
    /// Returns the next buffer; `None` at the end.
    pub fn next_buffer(&mut self) -> Result<Option<&[u8]>> {
        if !self.peeked {
            self.advance()?;
        }
        self.peeked = false;
        Ok(Some(self.current.filled()).filter(|bytes| !bytes.is_empty()))
    }

    /// Returns the first buffer without consuming it; empty for an empty file.
    pub fn peek(&mut self) -> Result<&[u8]> {
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

    /// Returns the reason why a packed file could not be unpacked to its end; known after the last buffer.
    pub fn torn(&self) -> Option<&str> {
        self.end.as_ref()?.torn.as_deref()
    }

    /// Returns name, digest and size for the provenance; digest and size are known after the last buffer.
    pub fn source(&self, format: &str) -> Source {
        Source {
            name: self.name.clone(),
            format: format.into(),
            sha256: self.end.as_ref().map(|end| end.sha256.clone()).unwrap_or_default(),
            bytes: self.end.as_ref().map_or(0, |end| end.bytes),
        }
    }

    fn advance(&mut self) -> Result {
        let used = std::mem::take(&mut self.current);
        if self.end.is_some() {
            return Ok(());
        }
        match self.feeding.next(used) {
            Message::Bytes(buffer, read) => {
                let is_first = !std::mem::replace(&mut self.begun, true);
                let beginning = buffer.filled();
                if let Some(found) = is_first.then(|| packed::packing(beginning)).flatten() {
                    return Err(ReadError::Packed { name: self.name.clone(), found });
                }
                self.current = buffer;
                self.tell(read);
            }
            Message::End(end) => {
                self.tell(end.bytes);
                self.end = Some(end);
            }
            Message::Failed(source) => return Err(ReadError::Io { name: self.name.clone(), source }),
        }
        Ok(())
    }

    fn tell(&mut self, read: u64) {
        if let Some(progress) = &mut self.progress {
            progress(read, self.total);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// Returns the bytes of an input, its digest, and its damage.
    fn read(bytes: Vec<u8>, has_threads: bool) -> (Vec<u8>, String, Option<String>) {
        let mut stream = Input::from_bytes("log", bytes).stream_by(has_threads).unwrap();
        let mut all = Vec::new();
        while let Some(buffer) = stream.next_buffer().unwrap() {
            all.extend_from_slice(buffer);
        }
        (all, stream.source("swf").sha256, stream.torn().map(str::to_owned))
    }

    #[test]
    fn without_threads_the_same_is_read() {
        let plain: Vec<u8> = (0..700_000_u32).map(|at| (at % 251) as u8).collect();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain).unwrap();
        let packed = encoder.finish().unwrap();
        let torn = packed[..packed.len() / 2].to_vec();
        for bytes in [Vec::new(), plain.clone(), packed.clone(), torn.clone()] {
            assert_eq!(read(bytes.clone(), false), read(bytes, true));
        }
        assert_eq!(read(packed, false).0, plain);
        assert!(read(torn, false).2.is_some());
    }
}
