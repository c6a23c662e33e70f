use std::ffi::OsString;
use std::path::Path;

use batchlab_traces::clean::Preset;

use super::*;

fn built_in() -> Catalogue {
    Catalogue::new(Some(CacheFolder::new("cache")), None)
}

#[test]
fn every_log_of_the_program_is_whole() {
    let catalogue = built_in();
    let logs = catalogue.logs().unwrap();
    assert!(logs.len() >= 40, "{}", logs.len());
    for log in logs {
        let CatalogueLog { name, title, page, licence, file, rules, cite, .. } = log;
        assert!(!title.is_empty() && page.starts_with("https://") && !licence.is_empty(), "{name}");
        assert!(!file.is_empty() && file.iter().all(|one| one.address.is_some()), "{name}");
        assert!(rules.as_ref().is_none_or(|rules| Preset::find(rules).is_ok()), "{name}: rules");
        assert!(log.collection() != "pwa" || log.stem.is_some() && cite == &["feitelson14"], "{name}");
        assert!(file.iter().all(|one| one.bytes.is_some() != one.sha256.is_empty()), "{name}: size and hash");
    }
}

/// The addresses that nobody has downloaded from with this program yet. Whoever does takes `untried` from the entry.
#[test]
fn untried_addresses_are_marked() {
    let catalogue = built_in();
    let files = catalogue.logs().unwrap().iter().flat_map(|log| &log.file);
    let (untried, tried): (Vec<&LogFile>, Vec<&LogFile>) = files.partition(|file| file.untried);
    assert_eq!((untried.len(), tried.len()), (49, 0));
}

#[test]
fn presets_of_the_archive_have_the_names_of_their_logs() {
    let catalogue = built_in();
    for preset in batchlab_traces::clean::PRESETS.iter().filter(|preset| preset.name.starts_with("pwa:")) {
        let log = catalogue.find(preset.name).unwrap().log;
        assert_eq!(log.rules.as_deref(), Some(preset.name));
    }
}

#[test]
fn a_name_is_a_path_in_the_cache_and_a_path_stays_one() {
    let catalogue = built_in();
    let found = catalogue.find("pwa:kth-sp2").unwrap();
    assert_eq!((found.file.version.as_str(), found.name()), ("2.1-cln", "pwa:kth-sp2".into()));
    let other = catalogue.find("pwa:kth-sp2@2").unwrap();
    assert_eq!((other.file.file.as_str(), other.name()), ("KTH-SP2-1996-2.swf.gz", "pwa:kth-sp2@2".into()));
    assert_eq!(catalogue.path(other).unwrap(), Path::new("cache/logs/pwa/KTH-SP2-1996-2.swf.gz"));
    for path in ["-", "a.swf", "./pwa:kth-sp2", "C:\\a.swf", "c:a.swf", "http://host/a.swf", "", ":", "pwa"] {
        assert_eq!(catalogue.locate(path).as_deref(), Ok(path));
    }
    let error = |name: &str| catalogue.locate(name).unwrap_err();
    assert!(error("pwa:kth-sp2").to_string().ends_with("run `batchlab fetch pwa:kth-sp2`"));
    assert!(
        error("pwa:kth_sp2").to_string().contains("did you mean `pwa:kth-sp2`"),
        "{}",
        error("pwa:kth_sp2")
    );
    assert!(error("pwa:kth-sp2@3").to_string().contains("known are 2.1-cln, 2"));
    assert!(error("pwa:../../etc/passwd").is_usage() && !error("pwa:ricc").is_usage());
    assert_eq!(Catalogue::default().locate("pwa:ricc"), Err(CatalogueError::NoCache));
}

#[test]
fn the_cache_is_where_the_user_says() {
    let of = |set: &[(&str, &str)]| {
        let value =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, to)| OsString::from(to));
        CacheFolder::of_user(value).map(|folder| folder.path().to_string_lossy().into_owned())
    };
    let all = [("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("BATCHLAB_CACHE", "b")];
    assert_eq!(of(&all).as_deref(), Some("b"));
    assert_eq!(of(&all[..2]).as_deref(), Some("/x/batchlab"));
    assert_eq!(of(&all[..1]).as_deref(), Some("/h/.cache/batchlab"));
    assert_eq!(of(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")]).as_deref(), Some("/h/.cache/batchlab"));
    assert_eq!(of(&[("HOME", "")]), None);
}

#[test]
fn entries_that_cannot_be_right_are_refused() {
    let log = |name: &str, file: &str, rest: &str| {
        let text = format!(
            "[[log]]\nname = \"{name}\"\ntitle = \"t\"\npage = \"https://p\"\n[[log.file]]\nversion = \"1\"\nfile = \"{file}\"\n{rest}\n"
        );
        CatalogueLog::all(&text, "c.toml").map(|logs| logs.len()).map_err(|error| error.to_string())
    };
    assert_eq!(log("site:a", "a.swf", "address = \"https://h/a\""), Ok(1));
    for file in ["../a.swf", "a/b.swf", "a\\\\b.swf", ".hidden", "", "-a", "a b"] {
        let told = log("site:a", file, "").unwrap_err();
        assert!(told.starts_with("c.toml:1:1") && told.contains("no name of a file"), "{file}: {told}");
    }
    for name in ["a", "../x:a", "site:", "site:../a", "s:a", "site:a@1", "si te:a"] {
        assert!(log(name, "a.swf", "").unwrap_err().contains("no name of a log"), "{name}");
    }
    for (rest, told) in [
        ("address = \"file:///etc/passwd\"", "neither https nor http"),
        ("address = \"ftp://h/a\"", "neither https nor http"),
        ("sha256 = [\"abc\"]", "no SHA-256"),
        ("hash = 1", "hash"),
        ("[[log.file]]\nversion = \"2\"\nfile = \"a.swf\"", "stands twice"),
    ] {
        assert!(log("site:a", "a.swf", rest).unwrap_err().contains(told), "{rest}");
    }
    assert!(CatalogueLog::all("[[logs]]", "c.toml").unwrap_err().to_string().contains("did you mean `log`"));
}

#[test]
fn logs_are_recognised_by_name_and_by_hash() {
    let catalogue = built_in();
    let of = |file: &str, hash: &str, thanks: &[&str]| {
        let thanks: Vec<String> = thanks.iter().map(|whom| (*whom).to_owned()).collect();
        catalogue.recognise(file, hash, &thanks)
    };
    let kth = of("KTH-SP2-1996-2.1-cln.swf.gz", "00", &[]).unwrap();
    assert_eq!((kth.authors.as_str(), kth.year.as_str()), ("Malinowsky, Lars", "1996"));
    assert!(kth.url.ends_with("/l_kth_sp2/") && kth.by.contains("by its name"), "{kth:?}");
    let text = &catalogue.find("pwa:kth-sp2").unwrap().file.sha256[1];
    let renamed = of("kth.swf", text, &[]).unwrap();
    assert_eq!((renamed.title, renamed.by), (kth.title, "Recognised by its SHA-256"));
    let seth = of("HPC2N-2002-2.2-cln.swf", "00", &["A. Person (p@site), Institute"]).unwrap();
    assert_eq!((seth.authors.as_str(), seth.year.as_str()), ("A. Person", "2002"));
    let other = of("HPC-Site-2007-1.1-cln.swf", "00", &["A. Person (p@site), Institute", "B. Else"]).unwrap();
    assert_eq!((other.authors.as_str(), other.year.as_str()), ("A. Person and B. Else", "2007"));
    assert_eq!(of("HPC-Site-2007-1.1-cln.swf", "00", &[]), None);
    assert_eq!(of("site-log.swf", "00", &["A. Person"]), None);
    assert_eq!(of("run-2024-final.swf", "00", &["A. Person"]), None);
}
