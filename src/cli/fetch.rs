use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::value_parser;

use super::arguments::{arguments, option, place, switch};
use super::terminal::form::print;
use super::terminal::progress::Progress;
use super::terminal::tell;
use crate::Registry;
use crate::catalogue::fetch::{Brought, FetchError, FetchSettings, Fetched, Verified, fetch, take};
use crate::catalogue::{Catalogue, NamedLog};
use crate::lab::Failure;

arguments! {
    /// Download public logs by name and keep them on this machine, compared with the SHA-256 where the catalogue has one
    ///
    /// A name, such as pwa:kth-sp2, then stands wherever a log may stand: in commands, experiments and Python. pwa:kth-sp2@2 is
    /// another version. `batchlab list logs` shows all names, and what is here; `batchlab list logs NAME` has address, hash,
    /// licence and whom to cite. Prints the path of each log.
    ///
    /// Logs lie in `BATCHLAB_CACHE`, or in the folder batchlab of the user's cache; `BATCHLAB_CATALOGUE` names a file of further
    /// logs. Proxies are those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`; `SSL_CERT_FILE` names certificates to
    /// trust.
    #[command(after_help = "\
Example: batchlab fetch pwa:kth-sp2 && batchlab info pwa:kth-sp2
         batchlab fetch pwa:kth-sp2 --file KTH-SP2-1996-2.1-cln.swf.gz")]
    pub struct Fetch {
        names: Vec<String> = place("names", "NAME", "Names of logs").required(),
        file: Option<PathBuf> =
            option("file", "FILE", "Take this file, downloaded by other means, in the place of a download").reads(),
        address: Option<String> =
            option("address", "URL", "Download from this address in the place of the catalogue's").excludes(&["file"]),
        again: bool = switch("again", "Download a log that is here once more"),
        timeout: u64 = option("timeout", "SECONDS", "Give up if a server sends nothing for this many seconds")
            .default("60")
            .by(|arg| arg.value_parser(value_parser!(u64).range(1..=3600))),
        quiet: bool = switch("quiet", "Print only paths, and errors").short('q'),
    }
}

impl Fetch {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.names.len() > 1 && (self.file.is_some() || self.address.is_some()) {
            return Err(Failure::Usage("--file and --address are of one log: name one".into()));
        }
        let catalogue = registry.catalogue();
        // All names first: a wrong one is told before a long download.
        let named: Vec<NamedLog<'_>> =
            self.names.iter().map(|name| catalogue.find(name)).collect::<Result<_, _>>()?;
        let roots = std::env::var_os("SSL_CERT_FILE").filter(|file| !file.is_empty());
        let settings = FetchSettings {
            address: self.address.clone(),
            again: self.again,
            patience: Duration::from_secs(self.timeout),
            roots: roots.map(|file| trusted(Path::new(&file))).transpose()?,
            proxies: true,
        };
        let mut failures = Vec::new();
        for one in named {
            if let Err(failure) = self.one(catalogue, one, &settings) {
                failures.push(failure);
            }
        }
        match failures.len() {
            0 => Ok(()),
            1 => Err(failures.remove(0)),
            _ => {
                let words: Vec<String> = failures.iter().map(ToString::to_string).collect();
                Err(Failure::Input(words.join("\n")))
            }
        }
    }

    fn one(
        &self,
        catalogue: &Catalogue,
        named: NamedLog<'_>,
        settings: &FetchSettings,
    ) -> Result<(), Failure> {
        let to = catalogue.path(named)?;
        let fetched = match &self.file {
            Some(file) => take(named, file, &to)?,
            None => {
                let mut bar = None;
                let what = format!("fetching {}", named.name());
                fetch(named, &to, settings, &mut |read, total| {
                    bar.get_or_insert_with(|| Progress::of_bytes(what.clone(), total)).tell(read);
                })?
            }
        };
        if !self.quiet {
            tell_about(named, &fetched);
        }
        print(&format!("{}\n", fetched.path.display()))
    }
}

/// Tells what came of a log.
fn tell_about(named: NamedLog<'_>, fetched: &Fetched) {
    let Fetched { bytes, sha256, verified, how, failed, .. } = fetched;
    for error in failed {
        tell::note(&format!("{error}; the next address was tried"));
    }
    let how = match how {
        Brought::There => "is here".to_owned(),
        Brought::Downloaded(0) => "downloaded".to_owned(),
        Brought::Downloaded(from) => format!("downloaded, from byte {from} on"),
        Brought::Copied => "copied".to_owned(),
    };
    let known = match verified {
        Some(Verified::File) => "as the catalogue has it".to_owned(),
        Some(Verified::Text) => "packed again; the SHA-256 of its text is the catalogue's".to_owned(),
        None => format!("unverified: SHA-256 {sha256}; the catalogue has none to compare with"),
    };
    tell::note(&format!("{}: {how}, {bytes} bytes, {known}", named.name()));
    if !named.log.note.is_empty() {
        tell::note(&format!("{}: {}", named.name(), named.log.note));
    }
    if !named.log.licence.is_empty() && !matches!(fetched.how, Brought::There) {
        tell::note(&format!("{}: {}; see {}", named.name(), named.log.licence, named.log.page));
    }
}

/// Reads a file of certificates.
fn trusted(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file)
        .map_err(|error| Failure::Input(format!("SSL_CERT_FILE: cannot read {}: {error}", file.display())))
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Failure {
        match error {
            FetchError::Scheme { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}
