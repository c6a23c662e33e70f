//! Brings a log into the cache: from the first of its addresses that has it, or from a file that was brought by other means.
//!
//! What arrives is kept in a file `.part` beside its place, with a file `.part.from` that says from where it came. A transfer
//! that ends early goes on where it ended, if the server can still tell that the file is the same. A file takes its place
//! only when its SHA-256 is one of those that the catalogue has; where the catalogue has none, the result says what arrived.

#[cfg(feature = "fetch")]
mod transfer;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use batchlab_parsers::neighbour::is_page;
use batchlab_parsers::{Input, OutputFolder, sha256};

use super::{LogFile, NamedLog};

#[derive(Clone, Debug)]
pub struct FetchSettings {
    pub address: Option<String>,
    /// Whether a file that is there is brought again.
    pub again: bool,
    /// How long a server may send nothing.
    pub patience: Duration,
    /// Certificates that are trusted in the place of the built-in ones, as PEM.
    pub roots: Option<Vec<u8>>,
    pub proxies: bool,
}

#[derive(Debug)]
pub struct Fetched {
    pub path: PathBuf,
    pub bytes: u64,
    pub sha256: String,
    /// Whether this, or that of the unpacked text, is one that the catalogue has; `None` if it has none.
    pub verified: Option<Verified>,
    pub how: Brought,
    /// Why the addresses that were tried before have failed.
    pub failed: Vec<FetchError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    File,
    /// The unpacked text: the file was packed again.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    There,
    /// It was downloaded, from a byte on: 0 unless an earlier transfer had brought a part.
    Downloaded(u64),
    Copied,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    #[error(
        "{name} has no address in the catalogue: download it by way of {page}, then `batchlab fetch {name} --file FILE`"
    )]
    NoAddress { name: String, page: String },
    #[error(
        "this build of batchlab cannot download (feature `fetch`): download {address}, then `batchlab fetch {name} --file FILE`"
    )]
    NotBuilt { name: String, address: String },
    #[error("{address}: only https and http addresses are downloaded")]
    Scheme { address: String },
    #[error(
        "{address}: the server answered {status}; {page} says where the log is now (--address), or use --file"
    )]
    Status { address: String, status: u16, page: String },
    #[error(
        "cannot download {address}: {why}; what has arrived is kept: run the command again, or use --file"
    )]
    Network { address: String, why: String },
    #[error("{address}: redirected to {to}, which is not followed: {why}")]
    Redirect { address: String, to: String, why: &'static str },
    #[error("{address}: redirected {times} times: give the address where the log is (--address)")]
    Circle { address: String, times: u32 },
    #[error("{address}: the transfer ended after {got} of {of} bytes; they are kept: run the command again")]
    Torn { address: String, got: u64, of: u64 },
    #[error("{address}: more than the {bytes} bytes of the log arrive: it is another file, and was removed")]
    TooLong { address: String, bytes: u64 },
    #[error("{what}: it is not packed by gzip, as its name says: probably a page; it was not kept")]
    NotPacked { what: String },
    #[error(
        "{what}: {found}, not a log; --address names the address of the log itself, --file a file that is here"
    )]
    NoLog { what: String, found: &'static str },
    #[error("{0}")]
    Place(String),
    #[error(
        "{what}: its SHA-256 is {got}, and the catalogue has {known}: it is another file, and was not kept"
    )]
    Hash { what: String, got: String, known: String },
    #[error("{path}: its SHA-256 is {got}, which is none that the catalogue has: fetch it with --again")]
    Damaged { path: String, got: String },
    #[error("{path}: another process downloads this log")]
    Busy { path: String },
    #[error("cannot write {path}: {why}")]
    Write { path: String, why: String },
    #[error("cannot read {path}: {why}")]
    Unread { path: String, why: String },
    /// No address has the log.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    All(Vec<FetchError>),
}

/// Hears how many bytes are there, and how many there will be.
pub type ByteCount<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Brings a version of a log to its place. Time: that of the transfer and of hashing.
///
/// # Errors
/// If it cannot be brought, or another file arrives; the place is then as it was.
pub fn fetch(
    named: NamedLog<'_>,
    to: &Path,
    settings: &FetchSettings,
    told: ByteCount<'_>,
) -> Result<Fetched, FetchError> {
    if to.is_file() && !settings.again {
        let (bytes, hash) = hashed(to)?;
        let known = verified(named.file, to, &hash)?;
        let damaged = || FetchError::Damaged { path: to.display().to_string(), got: hash.clone() };
        let verified = known.ok_or_else(damaged)?;
        if verified.is_none() {
            check_log(to, &format!("{}: an earlier download (--again replaces it)", to.display()))?;
        }
        let how = Brought::There;
        return Ok(Fetched { path: to.into(), bytes, sha256: hash, verified, how, failed: Vec::new() });
    }
    let given = settings.address.iter();
    let known = named.file.addresses().filter(|_| settings.address.is_none());
    let mut failed = Vec::new();
    for address in given.chain(known) {
        if !["https://", "http://"].iter().any(|scheme| address.starts_with(scheme)) {
            return Err(FetchError::Scheme { address: address.clone() });
        }
        match bring(named, address, to, settings, told) {
            Ok(fetched) => return Ok(Fetched { failed, ..fetched }),
            Err(error) if error.is_of_this_machine() => return Err(error),
            Err(error) => failed.push(error),
        }
    }
    Err(match failed.len() {
        0 => FetchError::NoAddress { name: named.name(), page: named.log.page.clone() },
        1 => failed.remove(0),
        _ => FetchError::All(failed),
    })
}

/// Downloads a log from one of its addresses.
#[cfg_attr(not(feature = "fetch"), expect(unused_variables, reason = "nothing is downloaded"))]
fn bring(
    named: NamedLog<'_>,
    address: &str,
    to: &Path,
    settings: &FetchSettings,
    told: ByteCount<'_>,
) -> Result<Fetched, FetchError> {
    #[cfg(not(feature = "fetch"))]
    return Err(FetchError::NotBuilt { name: named.name(), address: address.into() });
    #[cfg(feature = "fetch")]
    {
        let part = transfer::download(named, address, to, settings, told)?;
        keep(named, address, &part.path, to, Brought::Downloaded(part.from))
    }
}

impl FetchError {
    /// Whether no other address helps.
    fn is_of_this_machine(&self) -> bool {
        use FetchError::{Busy, NotBuilt, Place, Unread, Write};
        matches!(self, NotBuilt { .. } | Place(_) | Busy { .. } | Write { .. } | Unread { .. })
    }
}

/// Takes a file that was brought by other means into the cache: the log, or its text, which is packed if the catalogue has its hash.
pub fn take(named: NamedLog<'_>, file: &Path, to: &Path) -> Result<Fetched, FetchError> {
    let shown = file.display().to_string();
    let mut source = File::open(file).map_err(|error| unread(file, &error))?;
    make_folder(to)?;
    let part = own_part(to)?;
    let mut target = File::create(&part).map_err(|error| unwritten(&part, &error))?;
    let is_to_be_packed = to.extension().is_some_and(|ending| ending == "gz") && !is_packed(file)?;
    let copied = if is_to_be_packed && named.file.sha256.contains(&hashed(file)?.1) {
        let mut packed = flate2::write::GzEncoder::new(target, flate2::Compression::default());
        io::copy(&mut source, &mut packed).and_then(|_| packed.finish().map(drop))
    } else {
        io::copy(&mut source, &mut target).map(drop)
    };
    copied.map_err(|error| unwritten(&part, &error))?;
    keep(named, &shown, &part, to, Brought::Copied)
}

/// Checks a file that arrived, and gives it its place; another file is removed.
fn keep(
    named: NamedLog<'_>,
    what: &str,
    part: &Path,
    to: &Path,
    how: Brought,
) -> Result<Fetched, FetchError> {
    let checked = || -> Result<(u64, String, Option<Verified>), FetchError> {
        let (bytes, hash) = hashed(part)?;
        if to.extension().is_some_and(|extension| extension == "gz") && !is_packed(part)? {
            return Err(FetchError::NotPacked { what: what.into() });
        }
        let known = named.file.sha256.join(" and ");
        let verified = verified(named.file, part, &hash)?;
        let verified =
            verified.ok_or_else(|| FetchError::Hash { what: what.into(), got: hash.clone(), known })?;
        if verified.is_none() {
            check_log(part, what)?;
        }
        Ok((bytes, hash, verified))
    };
    match checked() {
        Ok((bytes, sha256, verified)) => {
            fs::rename(part, to).map_err(|error| unwritten(to, &error))?;
            let _ = fs::remove_file(beside(part, ".from"));
            Ok(Fetched { path: to.into(), bytes, sha256, verified, how, failed: Vec::new() })
        }
        Err(error) => {
            if !matches!(error, FetchError::Unread { .. }) {
                remove(part);
            }
            Err(error)
        }
    }
}

/// Refuses a page that a server sent in the place of a log, packed or not, and an empty file.
fn check_log(path: &Path, what: &str) -> Result<(), FetchError> {
    // What cannot be unpacked is for the hash, or for the reader of the log.
    let Ok(mut stream) = Input::open(path).and_then(Input::stream) else { return Ok(()) };
    let found = match stream.next_buffer() {
        Ok(Some(beginning)) if is_page(beginning) => "it is a web page or another document",
        Ok(None) => "it is empty",
        _ => return Ok(()),
    };
    Err(FetchError::NoLog { what: what.into(), found })
}

fn remove(part: &Path) {
    let _ = fs::remove_file(part);
    let _ = fs::remove_file(beside(part, ".from"));
}

/// Compares a file with the hashes of the catalogue: `Some(None)` if there are none, `None` if it is another file.
#[expect(clippy::option_option, reason = "nothing to compare with is no failure")]
fn verified(known: &LogFile, path: &Path, hash: &str) -> Result<Option<Option<Verified>>, FetchError> {
    let has = |hash: &str| known.sha256.iter().any(|one| one == hash);
    if known.sha256.is_empty() {
        return Ok(Some(None));
    }
    if has(hash) {
        return Ok(Some(Some(Verified::File)));
    }
    if !is_packed(path)? {
        return Ok(None);
    }
    let file = File::open(path).map_err(|error| unread(path, &error))?;
    // What cannot be unpacked is another file.
    let text = sha256(flate2::read::MultiGzDecoder::new(io::BufReader::new(file)));
    Ok(text.is_ok_and(|text| has(&text)).then_some(Some(Verified::Text)))
}

fn hashed(path: &Path) -> Result<(u64, String), FetchError> {
    let read = || -> io::Result<(u64, String)> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        Ok((bytes, sha256(io::BufReader::with_capacity(1 << 18, file))?))
    };
    read().map_err(|error| unread(path, &error))
}

fn is_packed(path: &Path) -> Result<bool, FetchError> {
    let mut first = Vec::new();
    let read = File::open(path).and_then(|file| file.take(2).read_to_end(&mut first));
    read.map_err(|error| unread(path, &error))?;
    Ok(first == [0x1f, 0x8b])
}

fn make_folder(to: &Path) -> Result<(), FetchError> {
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))
}

/// Returns the path of what arrives for a file of the cache; no link leads elsewhere.
fn own_part(to: &Path) -> Result<PathBuf, FetchError> {
    let folder = OutputFolder::new(to.parent().unwrap_or(Path::new("")));
    let own = |path: &Path| folder.own(path.file_name().unwrap_or_default());
    let part = beside(to, ".part");
    own(&beside(&part, ".from"))
        .and_then(|_| own(&part))
        .map_err(|error| FetchError::Place(error.to_string()))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn unwritten(path: &Path, error: &io::Error) -> FetchError {
    FetchError::Write { path: path.display().to_string(), why: error.to_string() }
}

fn unread(path: &Path, error: &io::Error) -> FetchError {
    FetchError::Unread { path: path.display().to_string(), why: error.to_string() }
}
