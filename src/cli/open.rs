mod page;
mod report;
mod server;

use std::path::PathBuf;

use super::arguments::{arguments, option, place, switch};
use super::terminal::form::print;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::redact;
use page::Page;
use server::{OpenedLog, Server};

arguments! {
    /// Open a log in the browser: replay it under policies, compare them, look at every job
    ///
    /// Serves the page of the laboratory on this machine (127.0.0.1) under an address with a random word, and prints the address.
    /// The engine runs in the browser. The page can read its own files and this log, and nothing else. Ctrl-C ends it.
    /// A program that was built without the page writes a report of the log under three policies instead, as one file.
    #[command(after_help = "\
Example: batchlab open KTH-SP2.swf.gz
         batchlab open sacct.txt --port 8080")]
    pub struct Open {
        trace: PathBuf = place("trace", "TRACE", "Log: a file, packed or not").reads(),
        port: Option<u16> = option("port", "N", "Port of the address [default: any free one]"),
        page: Option<PathBuf> =
            option("page", "DIR", "Folder of the page that `web/build` made, instead of the page in the program").reads(),
        quiet: bool = switch("quiet", "Print only the address and errors").short('q'),
    }
}

impl Open {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if redact::is_on() {
            return Err(Failure::Usage(
                "--redact: the page reads the log itself, with its names; write a log without them first, by batchlab convert --redact"
                    .into(),
            ));
        }
        let log = OpenedLog::of(&self.trace)?;
        let page = self.page.as_deref().map(Page::in_folder).transpose()?.or_else(Page::embedded);
        let Some(page) = page else {
            let file = report::write(registry, &self.trace)?;
            tell::note(&format!(
                "{} is a report of the log with its findings, which any browser shows; the page, which replays in the browser, is not in this program: \
                 `web/build` in the checkout makes it, and then build the program again, or give --page DIR",
                file.display()
            ));
            return Ok(());
        };
        let server = Server::begin(page, log, self.port.unwrap_or(0))?;
        print(&format!("{}\n", server.address()))?;
        if !self.quiet {
            tell::note("open this address in a browser; Ctrl-C ends it");
        }
        server.serve()
    }
}
