//! A transfer by HTTP, which goes on after it was torn.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, Proxy, http};

use super::{
    ByteCount, FetchError, FetchSettings, NamedLog, beside, make_folder, own_part, remove, unwritten,
};

/// How often a transfer that brings something goes on after it was torn.
const ATTEMPTS: u32 = 5;

const REDIRECTIONS: u32 = 5;

/// The most bytes of a log whose size is not known: more than any that is published.
const MOST: u64 = 1 << 40;

pub(super) struct Arrived {
    pub(super) path: PathBuf,
    /// The bytes that were there before.
    pub(super) from: u64,
}

struct Arriving<'a> {
    address: &'a str,
    path: PathBuf,
    file: File,
    bytes: u64,
    /// The bytes that were there before.
    from: u64,
    /// The most bytes that may arrive.
    most: u64,
}

enum Ended {
    Whole,
    /// It was torn, and this many bytes were wanted.
    Torn(u64),
    /// What is there is not a part of the server's file: from the beginning.
    Other,
}

pub(super) fn download(
    named: NamedLog<'_>,
    address: &str,
    to: &Path,
    settings: &FetchSettings,
    told: ByteCount<'_>,
) -> Result<Arrived, FetchError> {
    let agent = agent(address, settings)?;
    make_folder(to)?;
    let mut arriving = Arriving::open(address, own_part(to)?, named.file.bytes)?;
    let mut attempts = 0;
    loop {
        let before = arriving.bytes;
        match arriving.request(&agent, named, told)? {
            Ended::Whole => break,
            Ended::Other => arriving.begin("")?,
            Ended::Torn(of) if attempts >= ATTEMPTS || arriving.bytes <= before => {
                return Err(FetchError::Torn { address: address.into(), got: arriving.bytes, of });
            }
            Ended::Torn(_) => {}
        }
        attempts += 1;
        if attempts > ATTEMPTS {
            let why = "the server's file changes all the time".into();
            return Err(FetchError::Network { address: address.into(), why });
        }
    }
    arriving.file.sync_all().map_err(|error| unwritten(&arriving.path, &error))?;
    Ok(Arrived { from: arriving.from, path: arriving.path })
}

impl<'a> Arriving<'a> {
    /// Opens the file with what has arrived, for this process alone.
    fn open(address: &'a str, path: PathBuf, bytes: Option<u64>) -> Result<Arriving<'a>, FetchError> {
        let opened = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let file = opened.map_err(|error| unwritten(&path, &error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(FetchError::Busy { path: path.display().to_string() });
            }
            // A file system without locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let there = file.metadata().map_err(|error| unwritten(&path, &error))?.len();
        Ok(Arriving { address, path, file, bytes: there, from: there, most: bytes.unwrap_or(MOST) })
    }

    /// Returns the mark that the server gave the file of which a part is there, if it came from this address.
    fn known_from(&self) -> Option<String> {
        let text = fs::read_to_string(beside(&self.path, ".from")).ok()?;
        let (address, mark) = text.split_once('\n')?;
        let mark = mark.trim();
        (self.bytes > 0 && address == self.address && !mark.is_empty()).then(|| mark.to_owned())
    }

    /// Begins from the first byte, of a file with a mark.
    fn begin(&mut self, mark: &str) -> Result<(), FetchError> {
        let written = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        written.map_err(|error| unwritten(&self.path, &error))?;
        (self.bytes, self.from) = (0, 0);
        let from = beside(&self.path, ".from");
        fs::write(&from, format!("{}\n{mark}\n", self.address)).map_err(|error| unwritten(&from, &error))
    }

    /// Asks for what is missing, and writes what comes.
    fn request(
        &mut self,
        agent: &Agent,
        named: NamedLog<'_>,
        told: ByteCount<'_>,
    ) -> Result<Ended, FetchError> {
        let known = self.known_from();
        let answer = self.answer(agent, known.as_deref())?;
        let status = answer.status().as_u16();
        let start = match status {
            200 => {
                self.begin(&mark_of(answer.headers()))?;
                0
            }
            206 if known.is_some() && begins_at(answer.headers(), self.bytes) => self.bytes,
            206 | 416 => return Ok(Ended::Other),
            _ => {
                let page = named.log.page.clone();
                return Err(FetchError::Status { address: self.address.into(), status, page });
            }
        };
        let length = answer.body().content_length();
        self.write(answer.into_body().into_reader(), length.map(|length| start + length), told)
    }

    /// Returns the answer of the server to which the address leads.
    fn answer(&self, agent: &Agent, known: Option<&str>) -> Result<http::Response<Body>, FetchError> {
        let mut at = self.address.to_owned();
        for _ in 0..=REDIRECTIONS {
            let mut request = agent.get(&at);
            if let Some(mark) = known {
                request = request.header("Range", format!("bytes={}-", self.bytes)).header("If-Range", mark);
            }
            let answer = request.call().map_err(|error| self.failed(&error))?;
            if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            let to = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or_default();
            at = next(&at, to).map_err(|why| FetchError::Redirect {
                address: self.address.into(),
                to: to.into(),
                why,
            })?;
        }
        Err(FetchError::Circle { address: self.address.into(), times: REDIRECTIONS + 1 })
    }

    fn write(
        &mut self,
        mut body: impl Read,
        of: Option<u64>,
        told: ByteCount<'_>,
    ) -> Result<Ended, FetchError> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match body.read(&mut buffer) {
                Ok(read) => read,
                // What has arrived is kept; the next request goes on from there.
                Err(_) if of.is_some_and(|of| self.bytes < of) => {
                    return Ok(Ended::Torn(of.unwrap_or_default()));
                }
                Err(error) => {
                    return Err(FetchError::Network { address: self.address.into(), why: error.to_string() });
                }
            };
            if read == 0 {
                return Ok(match of {
                    Some(of) if self.bytes < of => Ended::Torn(of),
                    _ => Ended::Whole,
                });
            }
            self.bytes += read as u64;
            if self.bytes > self.most {
                remove(&self.path);
                return Err(FetchError::TooLong { address: self.address.into(), bytes: self.most });
            }
            self.file.write_all(&buffer[..read]).map_err(|error| unwritten(&self.path, &error))?;
            told(self.bytes, of);
        }
    }

    fn failed(&self, error: &ureq::Error) -> FetchError {
        FetchError::Network { address: self.address.into(), why: error.to_string() }
    }
}

/// Returns the address to which a redirection leads: another one of the web, or a path on the same server. A log that is
/// published under https is not taken from an address that anybody on the way can change.
fn next(at: &str, to: &str) -> Result<String, &'static str> {
    let is_secure = at.starts_with("https://");
    if to.starts_with("https://") || to.starts_with("http://") && !is_secure {
        return Ok(to.into());
    }
    if to.starts_with("http://") {
        return Err("it leads from https to http");
    }
    if !to.starts_with('/') || to.starts_with("//") {
        return Err("only https and http addresses are downloaded");
    }
    let scheme = if is_secure { "https://" } else { "http://" };
    let host = at[scheme.len()..].split('/').next().unwrap_or_default();
    Ok(format!("{scheme}{host}{to}"))
}

/// Returns the mark of a file by which the server recognises it: a strong tag, or its date.
fn mark_of(headers: &http::HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let tag = text("etag").filter(|tag| tag.starts_with('"'));
    tag.or_else(|| text("last-modified")).unwrap_or_default().to_owned()
}

fn begins_at(headers: &http::HeaderMap, byte: u64) -> bool {
    let range = headers.get("content-range").and_then(|value| value.to_str().ok());
    range
        .and_then(|range| range.strip_prefix("bytes "))
        .is_some_and(|range| range.starts_with(&format!("{byte}-")))
}

fn agent(address: &str, settings: &FetchSettings) -> Result<Agent, FetchError> {
    let failed = |why: String| FetchError::Network { address: address.into(), why };
    let mut tls = TlsConfig::builder();
    if let Some(pem) = &settings.roots {
        let mut trusted = Vec::new();
        for item in parse_pem(pem) {
            if let PemItem::Certificate(one) =
                item.map_err(|error| failed(format!("SSL_CERT_FILE: {error}")))?
            {
                trusted.push(one);
            }
        }
        tls = tls.root_certs(RootCerts::new_with_certs(&trusted));
    }
    let proxy = settings.proxies.then(Proxy::try_from_env).flatten();
    let config = Agent::config_builder()
        .tls_config(tls.build())
        .proxy(proxy)
        .http_status_as_error(false)
        .https_only(address.starts_with("https://"))
        // Redirections are followed by `next`.
        .max_redirects(0)
        .timeout_connect(Some(settings.patience.min(Duration::from_secs(30))))
        .timeout_recv_response(Some(settings.patience))
        .timeout_per_read(Some(settings.patience))
        .user_agent(concat!("batchlab/", env!("CARGO_PKG_VERSION")));
    Ok(config.build().new_agent())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirections_stay_in_the_web_and_never_leave_https() {
        assert_eq!(next("https://a/x", "https://b/y").as_deref(), Ok("https://b/y"));
        assert_eq!(next("http://a/x", "https://b/y").as_deref(), Ok("https://b/y"));
        assert_eq!(next("https://a:1/x/z", "/y").as_deref(), Ok("https://a:1/y"));
        for to in ["http://b/y", "file:///y", "//b/y", "y", "", "ftp://b/y", "javascript:y"] {
            assert!(next("https://a/x", to).is_err(), "{to}");
        }
    }
}
