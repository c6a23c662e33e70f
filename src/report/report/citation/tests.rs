//! Tests of the works and of the citations that name them.

use batchlab_support::hosts::HOSTS;
use batchlab_support::order::ORDERS;
use batchlab_traces::Citation;
use batchlab_traces::clean::PRESETS;
use batchlab_traces::models::{MODELS, tsafrir};
use batchlab_traces::shape::STEPS;
use batchlab_traces::sorted::SortedSet;

use super::bibliography::has_year;
use super::used::{ARCHIVE, PHI};
use super::work::{PublishedWork, WorkKind, escaped};
use super::works::{all, find, named, of_statistics, work_on};
use crate::report::tables::Statistic;
use batchlab_engine::Inventory;
use batchlab_engine::metrics::CLASS_PRESETS;
use batchlab_engine::stats::{Method, TestKind};

/// Returns the citations of everything that experiments can use.
fn cites() -> Vec<Citation> {
    let mut policies = batchlab_policies::Registry::builtin();
    policies.register(batchlab_slurm::SPEC).unwrap();
    let registry = Inventory::new(policies.into());
    let policies = registry.policies().specs().iter().map(|spec| spec.cite).collect::<Vec<_>>();
    let metrics = registry.metrics().specs().map(|spec| spec.cite).collect::<Vec<_>>();
    let others = [tsafrir::CITE, PHI, ARCHIVE].into_iter();
    others
        .chain(policies)
        .chain(metrics)
        .chain(ORDERS.iter().map(|spec| spec.cite))
        .chain(HOSTS.iter().map(|spec| spec.cite))
        .chain(PRESETS.iter().map(|spec| spec.cite))
        .chain(MODELS.iter().map(|spec| spec.cite))
        .chain(STEPS.iter().map(|spec| spec.cite))
        .chain(CLASS_PRESETS.iter().map(|spec| spec.cite))
        .collect()
}

/// Returns the keys that statistics have in [`work_on`].
fn keys_of_statistics() -> Vec<&'static str> {
    let tests =
        [TestKind::PairedT, TestKind::LogPairedT, TestKind::SignFlip, TestKind::Wilcoxon, TestKind::Bca];
    let intervals =
        [Method::StudentT, Method::LogStudentT, Method::Bca, Method::Fieller, Method::BlockBootstrap];
    let others = [
        Statistic::Bonferroni,
        Statistic::GeometricMean,
        Statistic::Mser5,
        Statistic::MeanRanks,
        Statistic::Lorenz,
        Statistic::LetterValues,
    ];
    let all = tests.map(Statistic::Test).into_iter().chain(intervals.map(Statistic::Interval)).chain(others);
    all.filter_map(work_on).collect()
}

/// Returns the keys that no work has.
fn unknown<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    keys.into_iter().filter(|key| find(key).is_none()).collect()
}

#[test]
fn every_key_is_that_of_a_work() {
    for cite in cites() {
        let keys = cite.works.unwrap_or_else(|| panic!("`{}` has no keys", cite.words));
        assert_eq!(unknown(keys.iter().copied()), [""; 0], "{}", cite.words);
        assert!(!keys.is_empty() || !has_year(cite.words), "`{}` names a work, but no key", cite.words);
    }
    assert_eq!(unknown(keys_of_statistics()), [""; 0]);
}

#[test]
fn a_misspelt_key_is_found() {
    assert_eq!(unknown(["lifka95", "lifka59"]), ["lifka59"]);
}

#[test]
fn every_work_is_cited() {
    let cites = cites();
    let keys = cites.iter().flat_map(|cite| cite.works.unwrap_or_default()).copied();
    let known: SortedSet<&str> = keys.chain(keys_of_statistics()).collect();
    for work in all() {
        assert!(known.contains(work.key.as_str()), "{} is cited by nothing", work.key);
    }
}

/// A plug-in that cites as this program does names the same works.
#[test]
fn words_name_the_works_that_the_keys_name() {
    for cite in cites() {
        let (works, others) = named(cite.words);
        let keys: Vec<&str> = works.iter().map(|work| work.key.as_str()).collect();
        assert_eq!(keys, cite.works.unwrap_or_default(), "{}", cite.words);
        let lost: Vec<String> = others.into_iter().filter(|clause| has_year(clause)).collect();
        assert!(lost.is_empty(), "no work for {lost:?} of `{}`", cite.words);
    }
}

#[test]
fn statistics_are_cited_by_what_they_are() {
    let keys =
        |used: &[Statistic]| of_statistics(used).iter().map(|work| work.key.as_str()).collect::<Vec<_>>();
    assert_eq!(keys(&[]), [""; 0]);
    assert_eq!(
        keys(&[
            Statistic::Interval(Method::Fieller),
            Statistic::Test(TestKind::PairedT),
            Statistic::Bonferroni,
            Statistic::Bonferroni,
        ]),
        ["dunn61", "fieller54"]
    );
}

#[test]
fn keys_are_used_once_and_every_work_has_its_fields() {
    let mut keys = SortedSet::new();
    for work in all() {
        assert!(keys.insert(&work.key), "{} twice", work.key);
        assert!(work.key.ends_with(|last: char| last.is_ascii_alphanumeric()), "{}", work.key);
        assert!((1900..2030).contains(&work.year), "{}", work.key);
        // A work that appeared online has the key of that year.
        let years = [work.year, work.year - 1].map(|year| (year % 100).to_string());
        let is_of = |year: &String| work.key.contains(&format!("{year:0>2}"));
        assert!(years.iter().any(is_of), "{} is of {}", work.key, work.year);
        for text in [&work.authors, &work.title, &work.place] {
            assert!(!text.is_empty() && text == text.trim(), "{}: `{text}`", work.key);
        }
        let authors = work.authors.split(" and ");
        assert!(authors.clone().all(|author| author.split(", ").count() == 2), "{}", work.key);
        let entry = work.bibtex("Cited for this & that");
        assert_eq!(entry.matches('{').count(), entry.matches('}').count(), "{entry}");
    }
}

/// Works of proceedings on a disc, which have no page numbers.
const WITHOUT_PAGES: [&str; 1] = ["leinberger99"];

#[test]
fn papers_and_articles_have_their_pages() {
    let has_pages = |work: &&PublishedWork| {
        matches!(work.kind, WorkKind::Article | WorkKind::InProceedings)
            && !WITHOUT_PAGES.contains(&work.key.as_str())
    };
    for work in all().filter(has_pages) {
        assert!(work.fields.iter().any(|(name, _)| name == "pages"), "{} has no pages", work.key);
    }
}

#[test]
fn names_that_are_alike_are_told_apart() {
    let keys = |cite: &str| named(cite).0.iter().map(|work| work.key.as_str()).collect::<Vec<_>>();
    assert_eq!(keys("Tsafrir, Ouaknine and Feitelson, input shaking, MASCOTS 2007"), ["tsafrir07shaking"]);
    assert_eq!(keys("Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007"), ["tsafrir07"]);
    assert_eq!(keys("Feitelson and Rudolph 1998, Metrics"), ["feitelson98"]);
    assert_eq!(
        keys("Feitelson,\n  Rudolph, Computer 23(5), 1990, and Feitelson, JSSPP 1996"),
        ["feitelson90", "feitelson96"]
    );
    assert_eq!(
        named("a plain count; Nobody 1901"),
        (Vec::new(), vec!["a plain count".into(), "Nobody 1901".into()])
    );
}

#[test]
fn an_entry_is_what_programs_that_typeset_read() {
    let text = r#"
        key = "nobody01"
        kind = "inproceedings"
        authors = "Nobody, A. and Else, Some"
        title = "On 100% of C_1 & {braces}"
        place = "Job Scheduling Strategies for Parallel Processing"
        year = 2001
        fields = [["series", "LNCS"], ["volume", "1"], ["number", "2"], ["pages", "3--4"], ["doi", "10.1000/a_b"]]
    "#;
    let work: PublishedWork = toml::from_str(text).unwrap();
    assert_eq!(
        work.bibtex("Cited for policy A~B"),
        "@inproceedings{nobody01,\n  author = {Nobody, A. and Else, Some},\n  title = {{On 100\\% of C\\_1 \\& \
         \\textbraceleft{}braces\\textbraceright{}}},\n  booktitle = {Job Scheduling Strategies for Parallel Processing},\n  year = {2001},\n  series = \
         {LNCS},\n  volume = {1},\n  number = {2},\n  pages = {3--4},\n  doi = {10.1000/a_b},\n  annote = {Cited for policy \
         A\\textasciitilde{}B}\n}\n"
    );
    assert_eq!(
        work.text(),
        "Nobody, A.; Else, Some: On 100% of C_1 & {braces}. Job Scheduling Strategies for Parallel Processing LNCS 1(2), \
         3\u{2013}4, doi 10.1000/a_b, 2001."
    );
    assert_eq!(escaped("a\\b^c\n"), "a\\textbackslash{}b\\textasciicircum{}c ");
}
