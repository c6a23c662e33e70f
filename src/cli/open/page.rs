//! The files of the page: those in the program, or those of a folder.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use crate::lab::Failure;

/// The files that `web/build` made, by name; none if the program was built without them.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The file that every page has.
pub const FIRST: &str = "index.html";

/// The ending of files that stand for those without it.
const PACKED: &str = ".gz";

#[derive(Debug)]
pub struct Page {
    files: Vec<(String, Cow<'static, [u8]>)>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct PageFile<'a> {
    pub bytes: &'a [u8],
    pub kind: &'static str,
    /// Whether the bytes are packed with gzip, and the file that they stand for is not.
    pub is_packed: bool,
}

impl Page {
    /// Returns the page in the program; `None` if it was built without.
    pub fn embedded() -> Option<Page> {
        let files = EMBEDDED.iter().map(|&(name, bytes)| (name.to_owned(), Cow::Borrowed(bytes)));
        Page::of(files.collect())
    }

    pub fn in_folder(folder: &Path) -> Result<Page, Failure> {
        let failed = |error: std::io::Error| Failure::Input(format!("--page {}: {error}", folder.display()));
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_file() {
                files.push((name, Cow::Owned(fs::read(&path).map_err(failed)?)));
            }
        }
        Page::of(files).ok_or_else(|| {
            Failure::Input(format!(
                "--page {}: it has no {FIRST} or no engine (batchlab.wasm); run `web/build`, which makes web/dist",
                folder.display()
            ))
        })
    }

    fn of(files: Vec<(String, Cow<'static, [u8]>)>) -> Option<Page> {
        let page = Page { files };
        (page.file(FIRST).is_some() && page.file("batchlab.wasm").is_some()).then_some(page)
    }

    /// Returns a file by its name; one that is there packed only stands for the file without the ending.
    pub fn file(&self, name: &str) -> Option<PageFile<'_>> {
        let find = |name: &str| self.files.iter().find(|(known, _)| known == name).map(|(_, bytes)| &**bytes);
        let (bytes, is_packed) = match find(name) {
            Some(bytes) => (bytes, false),
            None => (find(&format!("{name}{PACKED}"))?, true),
        };
        Some(PageFile { bytes, kind: kind(name), is_packed })
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_file_stands_for_the_plain_one() {
        let file = |name: &str| (name.to_owned(), Cow::Borrowed(&b"bytes"[..]));
        let page = Page::of(vec![file("index.html"), file("batchlab.wasm.gz"), file("week.swf.gz")]).unwrap();
        let engine = page.file("batchlab.wasm").unwrap();
        assert_eq!((engine.kind, engine.is_packed), ("application/wasm", true));
        assert!(!page.file("week.swf.gz").unwrap().is_packed);
        assert_eq!(page.file("nowhere"), None);
        assert!(Page::of(vec![file("index.html")]).is_none());
    }
}
