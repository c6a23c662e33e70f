//! Tests of `batchlab report`, and of the README of a folder of results.

mod browser;
mod picture;

use batchlab::Registry;
use batchlab::report::{Report, ReportSection};
use batchlab::study::Study;

use super::Folder;
use super::run::small;

/// The sections that a small experiment declares besides its table.
const SHOWN: &str = include_str!("report/shown.toml");

/// Returns a folder with a log, and in `r` the results of the small experiment.
fn results() -> Folder {
    let folder = small();
    let text = folder.read("small.toml") + SHOWN;
    folder.write("small.toml", &text.replace("label = \"FCFS\"", "label = \"FCFS <b>&\""));
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    folder
}

#[test]
fn a_page_has_everything_and_fetches_nothing() {
    let folder = results();
    folder.run(&["report", "r", "-o", "report.html"]).succeeded();
    let page = folder.read("report.html");
    for part in ["verdict", "tables", "plots", "findings", "policies", "experiment", "provenance", "replays"]
    {
        assert!(page.contains(&format!("<section id=\"{part}\"")), "{part}");
    }
    assert!(
        page.contains("the baseline, has the lowest mean wait") || page.contains(" has the lowest mean wait")
    );
    assert_eq!(
        page.matches("<svg xmlns").count(),
        4,
        "two plots, and the verdict for wide and narrow windows"
    );
    let place = |what: &str| page.find(what).unwrap_or_else(|| panic!("no {what}"));
    assert!(
        place("<figure class=\"forest\"") < place("<div class=\"verdict\""),
        "the verdict is seen before it is read"
    );
    assert!(place("<div class=\"verdict\"") < place("<nav class=\"contents\""));
    for target in ["table-waits", "plot-wait-load", "plot-bars"] {
        assert!(place(&format!("href=\"#{target}\"")) < place(&format!("id=\"{target}\"")), "{target}");
    }
    assert!(page.contains("data-sort="), "tables can be sorted by full numbers");
    // Labels of policies and titles are escaped as text.
    assert!(page.contains("FCFS &lt;b&gt;&amp;") && !page.contains("FCFS <b>"));
    assert!(page.contains("Waits &lt;by&gt; load"));
    let results = folder.read("r/results.csv");
    for line in results.lines().skip(1) {
        let key = line.split(',').next().unwrap();
        assert!(page.contains(&format!("batchlab run small.toml --key {key}")), "{key}");
    }
    assert_eq!(fetched(&page), Vec::<&str>::new());
}

/// Returns all attributes and styles of a page that would load a resource.
fn fetched(page: &str) -> Vec<&str> {
    let from = |sign: &str| {
        let places = page.match_indices(sign).map(|(at, sign)| at + sign.len()).collect::<Vec<_>>();
        places.into_iter().map(|at| page[at..].split(['"', '\'', ')', ' ', '>']).next().unwrap_or_default())
    };
    let signs = ["src=\"", "href=\"", "url(", "@import ", "srcset=\"", "action=\"", "data=\""];
    signs.into_iter().flat_map(from).filter(|target| !target.starts_with('#')).collect()
}

#[test]
fn a_page_of_many_replays_is_bounded() {
    let folder = small();
    let many = folder.read("small.toml").replace("replications = 5", "replications = 150");
    folder.write("small.toml", &many.replace("jobs = 60", "jobs = 5"));
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    folder.run(&["report", "r", "-o", "report.html"]).succeeded();
    let page = folder.read("report.html");
    assert!(page.contains("The first 400 of "), "the rest is in the results");
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
}

#[test]
fn the_verdict_is_short_and_the_rest_is_folded_in_every_form() {
    let folder = results();
    let json: serde_json::Value =
        serde_json::from_str(folder.run(&["report", "r", "--format", "json"]).succeeded()).unwrap();
    let told = |name: &str| json["verdict"][name].as_array().unwrap().clone();
    let short = told("paragraphs");
    let workloads: Vec<&str> = short.iter().map(|of| of["about"].as_str().unwrap()).collect();
    assert_eq!(workloads, ["drawn", "log"]);
    for of in &short {
        let sentences = of["sentences"].as_array().unwrap();
        assert!((1..=4).contains(&sentences.len()), "{sentences:?}");
    }
    let first = short[0]["sentences"][0].as_str().unwrap();
    let details = told("details")[0]["sentences"][0].as_str().unwrap().to_owned();
    let [readme, text] = ["markdown", "text"]
        .map(|form| folder.run(&["report", "r", "--format", form]).succeeded().to_owned());
    let (at, below) = (readme.find(first).unwrap(), readme.find("<details>").unwrap());
    assert!(at < below && below < readme.find(&details).unwrap(), "{readme}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(first) && !text.contains(&details), "{text}");
}

const EVERYTHING: &str = include_str!("report/everything.toml");

#[test]
fn every_section_is_in_every_form() {
    let folder = Folder::with_log();
    folder.write("everything.toml", EVERYTHING);
    // The verdict of the claim does not matter here.
    folder.run(&["run", "everything.toml", "--out", "r", "-q"]);
    let results = batchlab::experiment::Folder::new(folder.path("r"));
    let contents = results.open().unwrap();
    let frame = contents.frame();
    let study = Study::new(&frame);
    let report = Report::of(&results, &contents, &study, Registry::builtin().policies()).unwrap();
    let keys: Vec<&str> = report.sections.iter().map(ReportSection::key).collect();
    assert_eq!(
        keys,
        ["verdict", "tables", "crossings", "who", "plots", "claims", "readings", "findings"],
        "all kinds there are"
    );

    let form = |name: &str| folder.run(&["report", "r", "--format", name]).succeeded().to_owned();
    let [page, markdown, text] = ["html", "markdown", "text"].map(form);
    let json: serde_json::Value = serde_json::from_str(&form("json")).unwrap();
    assert_eq!(markdown, folder.read("r/README.md"));
    for section in &report.sections {
        let (key, heading) = (section.key(), section.heading());
        assert!(page.contains(&format!("<section id=\"{key}\"><h2>{heading}</h2>")), "{key}");
        assert!(markdown.contains(&format!("\n## {heading}\n")), "{key}");
        assert!(text.contains(&format!("\n{heading}\n---")), "{key}");
        assert!(json.get(key).is_some(), "{key}");
        // Each section's content appears in all forms, not only its heading.
        let words = match section {
            ReportSection::Verdict(conclusion, _) => conclusion.paragraphs[0].about.clone(),
            ReportSection::Plots(plots) => plots[0].name.clone(),
            ReportSection::Findings(met) => met[0].spec.code.to_owned(),
            ReportSection::Claims(claims, _) => claims[0].says.clone(),
            ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Readings(_) => section.tables()[0].for_readers.columns[0].heading.clone(),
        };
        for rendered in [&page, &markdown, &text, &json.to_string()] {
            assert!(rendered.contains(&words), "{key}: {words}");
        }
        for table in section.tables() {
            for ending in ["txt", "md", "tex", "html", "csv", "json"] {
                assert!(folder.path(&format!("r/tables/{}.{ending}", table.name)).is_file(), "{key}");
            }
        }
    }
    for file in ["plots/curve.svg", "claims.json", "claims.txt", "findings.json", "findings.txt"] {
        assert!(folder.path(&format!("r/{file}")).is_file(), "{file}");
    }
}

#[test]
fn figures_become_png_if_the_program_was_built_for_it() {
    let folder = results();
    let done = folder.run(&["report", "r", "--figures", "png"]);
    if cfg!(feature = "png") {
        assert_eq!(done.succeeded(), "");
        let png = std::fs::read(folder.path("r/plots/bars.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        // A later run makes the figures again, and PNG only on request.
        folder.run(&["run", "small.toml", "--out", "r", "--resume", "-q"]).succeeded();
        assert!(!folder.path("r/plots/bars.png").exists());
    } else {
        done.failed(
            2,
            "--figures png: this program was built without PNG: `cargo install --path . --features png`",
        );
    }
}
