//! README and the pages of `docs/`: their commands run, and print the output that the pages show.

mod blocks;
mod pasted;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use batchlab::traces::Header;
use batchlab::traces::header::Named;
use batchlab::traces::machine::MachineFile;
use serde_json::json;

use crate::cmd::Folder;

/// Returns the pages whose commands are tested here, from the root; `policies/PLUGINS.md` has a test of its own.
fn tested_pages() -> Vec<String> {
    let mut found = Vec::new();
    pages(&root().join("docs"), &mut found);
    let name = |path: PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = found.into_iter().map(name).collect();
    names.push("README.md".into());
    names.sort();
    names
}

/// The logs that pages name, which are not part of the project.
const LOGS: [(&str, &str); 4] = [
    ("pwa:kth-sp2", "KTH-SP2-1996-2.1-cln.swf.gz"),
    ("pwa:kth-sp2@2", "KTH-SP2-1996-2.swf.gz"),
    ("pwa:lanl-cm5", "LANL-CM5-1994-4.1-cln.swf.gz"),
    ("pwa:nasa-ipsc", "NASA-iPSC-1993-3.1-cln.swf.gz"),
];

/// A cache with these logs, if they lie beside the checkout.
static CACHE: LazyLock<(tempfile::TempDir, bool)> = LazyLock::new(|| {
    let cache = tempfile::tempdir().unwrap();
    let has_all = LOGS.iter().all(|(name, file)| {
        let file = root().join("../shared/traces").join(file);
        let fetch = [name, "--file", file.to_str().unwrap()];
        file.exists()
            && batchlab()
                .env("BATCHLAB_CACHE", cache.path())
                .arg("fetch")
                .args(fetch)
                .output()
                .unwrap()
                .status
                .success()
    });
    (cache, has_all)
});

fn batchlab() -> Command {
    Command::new(env!("CARGO_BIN_EXE_batchlab"))
}

/// Whether what a text names is here; says so if it is not.
fn is_here(page: &str, text: &str) -> bool {
    let is_here = CACHE.1 || !text.contains("pwa:");
    if !is_here {
        eprintln!("skipped a command of {page}: no ../shared/traces");
    }
    is_here
}

/// The longest README that people read to its end.
const LINES: usize = 250;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the content of a page's fences in a language, in order.
fn fences<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    page.split(&format!("```{language}\n")).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Returns the arguments of a command line of a page, without quotes and comment.
fn arguments(line: &str) -> Vec<String> {
    shlex::split(line.split(" #").next().unwrap()).unwrap_or_else(|| panic!("quotes in {line}"))
}

fn printed(args: &[String], folder: &Path) -> String {
    let mut command = batchlab();
    command.env("BATCHLAB_CACHE", CACHE.0.path()).env_remove("BATCHLAB_CATALOGUE");
    let done = command.args(args).current_dir(folder).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn the_readme_has_at_most_250_lines() {
    let lines = read("README.md").lines().count();
    assert!(lines <= LINES, "{lines} lines");
}

/// `UPDATE_SAMPLES=1` writes what is printed into the pages.
#[test]
fn every_console_block_is_what_the_program_prints() {
    let mut blocks = 0;
    for page in &tested_pages() {
        for block in fences(&read(page), "console") {
            let command = block.lines().next().unwrap();
            let args = command
                .strip_prefix("$ cargo run --release -- ")
                .or_else(|| command.strip_prefix("$ batchlab "))
                .unwrap_or_else(|| panic!("{page}: `{command}` is not a command of batchlab"));
            blocks += 1;
            if !is_here(page, command) {
                continue;
            }
            shows(page, block, &printed(&arguments(args), root()));
        }
    }
    assert_eq!(blocks, 56, "console blocks");
}

/// Fails if a block of a page, a command and what it prints, shows something else; `UPDATE_SAMPLES` writes it into the page.
fn shows(page: &str, block: &str, printed: &str) {
    let (command, shown) = block.split_once('\n').unwrap();
    let lines =
        |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    if std::env::var_os("UPDATE_SAMPLES").is_some() && lines(printed) != lines(shown) {
        let anew = format!("{command}\n{}\n", lines(printed).join("\n"));
        std::fs::write(root().join(page), read(page).replacen(block, &anew, 1)).unwrap();
        return;
    }
    assert_eq!(lines(printed), lines(shown), "{page}: `{command}` prints otherwise:\n{printed}");
}

#[test]
fn the_tables_of_the_referees_page_are_those_of_its_experiment() {
    let (folder, page) = (Folder::new(), "docs/REFEREES.md");
    let results = |name: &str| folder.path(name).display().to_string();
    for name in ["referees", "load"] {
        let run = ["run", &format!("docs/guide/{name}.toml"), "--out", &results(name)];
        let _ = printed(&run.map(str::to_owned), root());
    }
    let text = read(page);
    let blocks = fences(&text, "text");
    for block in &blocks {
        let mut args = arguments(block.lines().next().unwrap().strip_prefix("$ batchlab ").unwrap());
        args[1] = results(&args[1]);
        shows(page, block, &printed(&args, root()));
    }
    assert_eq!(blocks.len(), 4, "tables");
}

#[test]
fn the_page_of_a_search_is_what_the_search_writes() {
    let (folder, page) = (Folder::new(), "docs/guide/tune.md");
    let out = folder.path("tuned").display().to_string();
    let searched =
        batchlab().args(["tune", "docs/guide/tune.toml", "--out", &out, "-q"]).current_dir(root()).output();
    assert!(matches!(searched.unwrap().status.code(), Some(0 | 1)));
    let text = read(page);
    shows(page, fences(&text, "text")[0], &folder.read("tuned/tuned.md"));
    assert_eq!(fences(&text, "toml")[0], read("docs/guide/tune.toml"));
}

/// What windows do to ratios stands on the page as it was measured.
#[test]
fn the_rows_about_warm_up_are_those_of_the_measurement() {
    let (page, measured) = (read("docs/REFEREES.md"), read("examples/warmup.md"));
    let section = page.split("## Does warm-up matter?").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(rows.len(), 2 + 4 * 2, "head and two policies on four logs");
    assert!(rows.iter().all(|row| measured.contains(&format!("\n{row}\n"))), "{rows:?}");
}

/// Whether all shell blocks of a page are run.
fn is_pasted(page: &str) -> bool {
    page == "README.md" || page.starts_with("docs/guide/")
}

#[test]
fn every_verb_and_option_of_a_shell_block_exists() {
    let mut commands = 0;
    for page in tested_pages().iter().filter(|page| !is_pasted(page)) {
        let text = read(page);
        for line in fences(&text, "sh").into_iter().flat_map(str::lines) {
            let Some(command) = line.strip_prefix("batchlab ") else { continue };
            let args = arguments(command);
            let help = printed(&[args[0].clone(), "--help".into()], root());
            assert!(help.contains("Usage"), "{page}: no verb `{}`", args[0]);
            for option in args.iter().filter(|arg| arg.starts_with('-')) {
                assert!(help.contains(option.as_str()), "{page}: `{}` has no option {option}", args[0]);
            }
            commands += 1;
        }
    }
    assert_eq!(commands, 42, "commands in shell blocks");
}

#[test]
fn the_pictures_of_the_scenarios_are_what_their_commands_draw() {
    let folder = Folder::new();
    let page = read("docs/SCENARIOS.md");
    let mut drawn = 0;
    for line in fences(&page, "sh") {
        let mut args = arguments(line.trim().strip_prefix("batchlab ").unwrap());
        let file = args.last_mut().unwrap();
        let beside = std::mem::replace(file, folder.path("drawn.svg").display().to_string());
        let _ = printed(&args, root());
        assert!(folder.read("drawn.svg") == read(&beside), "{beside} is not what `{}` draws", line.trim());
        drawn += 1;
    }
    assert_eq!(drawn, 5, "pictures");
}

/// What the guide shows of TOML files is in a file of the project, or is a catalogue or a claim of the reader.
#[test]
fn the_files_of_the_guide_are_those_that_it_shows() {
    let known = ["docs/guide/windows.toml", "traces/data/rules.toml"].map(read).concat();
    for page in ["docs/guide/compare.md", "docs/guide/clean.md"] {
        for part in fences(&read(page), "toml").into_iter().flat_map(|fence| fence.split("\n\n")) {
            assert!(known.contains(part.trim_end()), "{page}: in no file:\n{part}");
        }
    }
    assert_eq!(fences(&read("docs/EXPERIMENTS.md"), "toml")[0], read("docs/guide/mine.toml"));
    let catalogue = read("docs/guide/formats.md");
    let entry = fences(&catalogue, "toml")[0];
    assert_eq!(batchlab::catalogue::CatalogueLog::all(entry, "page").unwrap().len(), 1);
    let logs = batchlab::catalogue::Catalogue::new(None, None);
    let files = logs.logs().unwrap().iter().flat_map(|log| &log.file);
    let hashed = files.filter(|file| !file.sha256.is_empty()).count();
    assert!(hashed == 8 && catalogue.contains("eight files of the catalogue have one"), "{hashed}");
}

#[test]
fn the_summary_lists_every_page() {
    let summary = read("docs/SUMMARY.md");
    for page in tested_pages() {
        let Some(name) = page.strip_prefix("docs/").filter(|name| *name != "SUMMARY.md") else { continue };
        assert!(summary.contains(&format!("]({name})")), "{name} is not in docs/SUMMARY.md");
    }
}

/// The program of `docs/book.toml` takes a page beside the sources into the book, and a link to any other file becomes text.
#[test]
fn pages_beside_the_sources_become_chapters_of_the_book() {
    let content =
        "[plug-ins](../../policies/PLUGINS.md#a-crate), [a file](../../Cargo.toml), [a log](words.swf)";
    let chapter = json!({"name": "x", "content": content, "number": null, "sub_items": [],
        "path": "guide/x.md", "source_path": "guide/x.md", "parent_names": []});
    let about = json!({"root": root().join("docs"), "config": {"book": {"src": "."}}});
    let input = json!([about, {"items": [{"Chapter": chapter}]}]).to_string();
    let mut command = Command::new("python3");
    command.arg(root().join("docs/outside.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut python) = command.spawn() else {
        eprintln!("skipped: no python3");
        return;
    };
    python.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let printed = python.wait_with_output().unwrap().stdout;
    let book: serde_json::Value = serde_json::from_slice(&printed).unwrap();
    let [first, .., last] = &book["items"].as_array().unwrap()[..] else { panic!("{book}") };
    assert_eq!(
        first["Chapter"]["content"],
        "[plug-ins](../project/policies/PLUGINS.md#a-crate), a file, [a log](words.swf)"
    );
    let added = [&last["Chapter"]["path"], &last["Chapter"]["name"]];
    assert_eq!(added, ["project/policies/PLUGINS.md", "A policy of your own"]);
}

/// The starts that the tables of the page expect are those of the replays.
#[test]
fn the_jobs_of_the_scenarios_start_as_expected() {
    let page = read("docs/SCENARIOS.md");
    let mut checked = 0;
    for part in page.split("\n## ").skip(1) {
        let command = fences(part, "sh")[0].trim().strip_prefix("batchlab explain ").unwrap();
        let args = arguments(command);
        let folder = Folder::new();
        let schedule = folder.path("s.csv").display().to_string();
        let options: Vec<&str> = args[2..args.len() - 2].iter().map(String::as_str).collect();
        let replay = [&["replay", &args[0], "-q", "--policy", "easy", "--schedule", &schedule], &options[..]];
        let _ = printed(&replay.concat().into_iter().map(str::to_owned).collect::<Vec<_>>(), root());
        let starts: Vec<String> = folder.read("s.csv").lines().skip(1).map(str::to_owned).collect();
        for row in
            part.lines().filter(|line| line.starts_with("| ") && line.contains(':') && !line.contains("---"))
        {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let clock = cells[6].rsplit(' ').next().unwrap();
            let (hours, minutes) = clock.split_once(':').unwrap();
            let expected = hours.parse::<i64>().unwrap() * 3600 + minutes.parse::<i64>().unwrap() * 60;
            let found = starts.iter().find(|row| row.split(',').next() == Some(cells[1])).unwrap();
            assert_eq!(found.split(',').nth(2), Some(expected.to_string().as_str()), "{row}");
            checked += 1;
        }
    }
    assert_eq!(checked, 25, "jobs");
}

#[test]
fn the_small_experiment_runs_as_its_commands_say() {
    let page = read("docs/EXPERIMENTS.md");
    let folder = Folder::new();
    folder.write("mine.toml", fences(&page, "toml")[0]);
    for line in fences(&page, "sh")[0].lines() {
        let args = arguments(line.strip_prefix("batchlab ").unwrap());
        folder.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
    }
    assert!(folder.path("results.html").is_file() && folder.path("artifact.zip").is_file());
}

#[test]
fn the_test_of_rules_that_a_page_shows_is_one_that_runs() {
    assert!(read("docs/LOGS.md").contains(&read("tests/cleaning/example.rs")), "the example test");
}

/// Each policy of the field serves all jobs of a part of the sample, those with GPUs on a machine that has them.
#[test]
fn policies_of_the_field_run_as_the_page_writes_them() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let page = read("docs/POLICIES.md");
    let (_, table) = page.split_once("## Policies of the field").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let specs =
        table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | `").nth(1)?.split('`').next());
    let root = env!("CARGO_MANIFEST_DIR");
    let specs: Vec<String> =
        specs.map(|spec| spec.replace("(python3 ", &format!("(python3 {root}/"))).collect();
    assert!(specs.len() > 20, "{specs:?}");
    let (folder, window) = (Folder::new(), "[[step]]\nkind = \"window\"\njobs = [2001, 150]\n");
    let gpus = "[[step]]\nkind = \"filter\"\nkeep = \"procs <= 16\"\n[[step]]\nkind = \"resource\"\nname = \"gpu\"\n\
                scope = \"node\"\nlaw = \"uniform\"\nmin = 100\nmax = 2500\n";
    folder.write("all.toml", window);
    folder.write("gpus.toml", &format!("{window}{gpus}"));
    folder.write(
        "machine.toml",
        "[[resource]]\nname = \"gpu\"\ndevice = 1000\n[[nodes]]\ncount = 4\nprocs = 16\ngpu = 4000\n",
    );
    let log = format!("{root}/traces/data/lublin-128.swf.gz");
    let (with_gpus, others): (Vec<&String>, Vec<&String>) =
        specs.iter().partition(|spec| spec.contains("fgd"));
    let on_gpus = ["--steps", "gpus.toml", "--machine", "machine.toml", "--layout", "tasks:16"];
    for (specs, options, jobs) in [(others, &on_gpus[..0], "150"), (with_gpus, &on_gpus, "128")] {
        let policies = specs.iter().flat_map(|spec| ["--policy", spec.as_str()]);
        let options = if options.is_empty() { &["--steps", "all.toml"] } else { options };
        let measured = ["replay", log.as_str(), "-q", "--metrics", "jobs", "--format", "csv"];
        let command: Vec<&str> =
            measured.into_iter().chain(policies).chain(options.iter().copied()).collect();
        let done = folder.run(&command);
        let printed = done.succeeded();
        let served = printed.lines().filter(|line| line.contains(&format!(",{jobs},{log}"))).count();
        assert_eq!(served, specs.len(), "{printed}");
    }
}

#[test]
fn the_machine_of_the_page_is_one() {
    let page = read("docs/MACHINES.md");
    let file = MachineFile::parse(fences(&page, "toml")[0], "mixed.toml").unwrap();
    let partition = vec![Named { number: 3, name: "large".into() }];
    let machine = file.machine(&Header { partition, ..Header::default() }).unwrap();
    assert_eq!((machine.nodes(), machine.procs(), file.task_procs()), (144, 1152, Some(8)));
    assert_eq!((machine.capacity(128), machine.partitions(128)), (&[8, 64 << 20, 4000][..], &[2, 3][..]));
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        // Files left by builds and git are not part of the project.
        if entry.file_type().unwrap().is_dir()
            && name != "target"
            && name != "node_modules"
            && !name.as_encoded_bytes().starts_with(b".")
        {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Whether a page has a heading of this name, as forges and mdBook make names of headings.
fn has_heading(page: &Path, name: &str) -> bool {
    let is_part = |letter: &char| letter.is_alphanumeric() || "-_ ".contains(*letter);
    let named = |title: &str| -> String {
        title
            .to_lowercase()
            .chars()
            .filter(is_part)
            .map(|letter| if letter == ' ' { '-' } else { letter })
            .collect()
    };
    let text = std::fs::read_to_string(page).unwrap();
    let mut titles = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| named(line.trim_start_matches('#').trim()));
    titles.any(|title| title == name)
}

#[test]
fn every_link_between_pages_leads_to_a_file_and_its_heading() {
    let (mut found, mut links) = (Vec::new(), 0);
    pages(root(), &mut found);
    for page in found {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            // Web addresses, and headings of the same page.
            if file.is_empty() || file.contains(':') {
                continue;
            }
            let there = page.parent().unwrap().join(file);
            // Tables of results name files of a folder of results, of which the project keeps only a part.
            if page.starts_with(root().join("tests/experiments")) {
                continue;
            }
            assert!(there.exists(), "{}: {target} does not exist", page.display());
            let is_page = there.extension().is_some_and(|extension| extension == "md");
            let is_named = heading.is_empty() || !is_page || has_heading(&there, heading);
            assert!(is_named, "{}: {target}: no such heading", page.display());
            links += 1;
        }
    }
    assert!(links > 50, "{links} links");
}
