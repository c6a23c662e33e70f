//! Tests of the page in a real browser: two sizes, light and dark; skipped if no browser is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::picture::Picture;
use super::{Folder, results};

/// Program names of browsers that can run without a window.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let all = || std::env::split_paths(&path);
    BROWSERS.iter().find_map(|name| all().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

/// Inserted before the page's own content: records errors.
const WATCH: &str = "<script>window.problems=[];const problem=(what)=>problems.push(String(what));\
addEventListener('error',(e)=>problem(e.message||e.target?.outerHTML),true);\
addEventListener('unhandledrejection',(e)=>problem(e.reason));\
addEventListener('securitypolicyviolation',(e)=>problem(e.blockedURI+' '+e.violatedDirective));\
const error=console.error;console.error=(...words)=>{problem(words.join(' '));error(...words)};</script>";

/// Run when the page is loaded: records the state of the page, and tries its script.
const TRY: &str = include_str!("try.html");

/// A frame of the given width, since windows cannot be as narrow as phones; the page's report becomes the title.
fn frame(width: u32) -> String {
    format!(
        "<!DOCTYPE html><meta charset=utf-8><title>waiting</title><style>body{{margin:0}}iframe{{border:0;display:block}}</style>\
         <iframe src=watched.html width={width} height=1400></iframe>\
         <script>addEventListener('message',(e)=>{{document.title=e.data}})</script>"
    )
}

fn shown(browser: &Path, folder: &Folder, width: u32, dark: bool) -> (Value, Picture) {
    folder.write("frame.html", &frame(width));
    let look = if dark { "dark" } else { "light" };
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{width}-{look}.png"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"])
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path("profile").display()))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--window-size={},1400", width.max(500)))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", folder.path("frame.html").display()))
        .output()
        .unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let title = dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let title = title.expect("a title").0.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
    let said = serde_json::from_str(&title).unwrap_or_else(|_| panic!("the page says nothing: {title}"));
    (said, Picture::of(&std::fs::read(picture).unwrap()))
}

fn sheets(browser: &Path, folder: &Folder) -> usize {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"])
        .arg(format!("--user-data-dir={}", folder.path("profile").display()))
        .arg(format!("--print-to-pdf={}", folder.path("page.pdf").display()))
        .arg(format!("file://{}", folder.path("report.html").display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let pdf = std::fs::read(folder.path("page.pdf")).unwrap();
    let sign = b"/Type /Page\n";
    pdf.windows(sign.len()).filter(|bytes| bytes == sign).count()
}

#[test]
fn a_browser_shows_it_on_phones_and_screens_light_and_dark() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no browser ({}) on the PATH", BROWSERS.join(", "));
        return;
    };
    let folder = results();
    folder.run(&["report", "r", "-o", "report.html"]).succeeded();
    let page = folder.read("report.html");
    let watched = page.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen(
        "</body>",
        &format!("{TRY}</body>"),
        1,
    );
    folder.write("watched.html", &watched);
    let sheets = sheets(&browser, &folder);
    assert!((1..=4).contains(&sheets), "what is folded is left out in print: {sheets} sheets");
    for (width, dark) in [(390, false), (390, true), (1280, false), (1280, true)] {
        let (said, picture) = shown(&browser, &folder, width, dark);
        assert_eq!(said["problems"], Value::Array(Vec::new()), "{width}");
        assert_eq!(
            (&said["width"], &said["scroll"]),
            (&width.into(), &width.into()),
            "nothing beyond the edge"
        );
        let numbers = |name: &str| -> Vec<f64> {
            said[name].as_array().unwrap().iter().map(|of| of.as_f64().unwrap()).collect()
        };
        let (sorted, reversed) = (numbers("sorted"), numbers("reversed"));
        assert!(sorted.len() > 10 && sorted.is_sorted() && !reversed.is_sorted(), "{sorted:?}");
        assert!(reversed.iter().rev().is_sorted(), "{reversed:?}");
        assert_eq!(said["forest"], if width < 640 { "narrow" } else { "wide" });
        assert_eq!(said["cut"], 0, "elements beyond the edge at {width}");
        for done in ["restored", "zoomed", "reset", "filtered", "unfiltered"] {
            assert_eq!(said[done], true, "{done} at {width}");
        }
        assert_ne!(said["ground"], said["other"], "the button changes between light and dark");
        assert_eq!(said["ground"], said["again"]);
        assert!(picture.width >= width as usize && picture.height >= 1000);
        assert!(picture.drawn() > 0.02, "not blank: {}", picture.drawn());
        assert_eq!(picture.brightness() < 128.0, dark, "{}", picture.brightness());
    }
}
