//! What a reader must know about single numbers of a table.

use batchlab_traces::number::grouped;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use super::best::position;
use super::build::is_of_means;
use super::filled::Filled;
use super::layout::CellSubject;
use super::places::Place;
use super::{Axis, Form, rejected};
use batchlab_engine::stats::Interval;
use batchlab_engine::stats::caution::{Caution, least_covered};
use batchlab_engine::table::{Clause, Sentence};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::{Answer, Reason, Side, Study, pitfalls};

/// The most cells of which a note has the numbers; the table for programs has all of them.
const MOST_CELLS: usize = 8;

/// Returns notes about units that were left out, the baselines' values if the table has ratios only, and
/// cautions; each says once where it holds.
pub fn notes(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Sentence> {
    let mut notes: Vec<Sentence> = part(study).into_iter().collect();
    notes.extend(rejected::notes(filled.layout.spec, study));
    notes.extend(absent(filled, study));
    notes.extend(baselines(filled, study).into_iter().map(Sentence::from));
    notes.extend(left_out(filled, study));
    notes.extend(cut(filled, study));
    notes.extend(dependent(filled, study));
    notes.extend(two_answers(filled));
    notes.extend(without_logarithm(filled));
    notes.extend(doubted(filled, study));
    let cautions = least_covered(filled.known().flat_map(|subject| cautions(filled, study, subject)));
    notes.extend(cautions.iter().map(of_caution));
    notes
}

/// Returns the number of missing replays, if the results are incomplete.
pub fn part(study: &Study<'_>) -> Option<Sentence> {
    let (missing, all) = study.part()?;
    let are = if missing == 1 { "is" } else { "are" };
    let [missing, all] = [missing, all].map(|count| grouped(count as u64));
    Some(Clause::prose(format!("a part of the experiment: {missing} of {all} replays {are} missing")).into())
}

/// Returns why a policy of the table is not replayed on one of its workloads.
fn absent(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Sentence> {
    let (spec, frame) = (filled.layout.spec, study.frame());
    let shown = frame
        .absent
        .iter()
        .filter(|of| spec.workloads.contains(&of.workload) && spec.policies.contains(&of.policy));
    shown
        .map(|of| of.words(&frame.workloads[of.workload].name, &frame.policies[of.policy].label).into())
        .collect()
}

/// Returns the metrics with a printed interval that was cut at the end of the metric's domain.
fn cut(filled: &Filled<'_>, study: &Study<'_>) -> Option<Sentence> {
    let spec = filled.layout.spec;
    let values = spec.intervals && spec.shows(&["value"]);
    let mut metrics = Vec::new();
    for subject in filled.known() {
        let Some(measure) = subject.measure else { continue };
        let estimate = spec.pool.estimate(study, &subject.design_point, subject.policy, measure);
        let answer = filled.answer(subject);
        let is_cut = |interval: &Result<Interval, Reason>| interval.as_ref().is_ok_and(|of| of.is_cut);
        let printed = answer.map(|answer| filled.printed(&answer.contrast)).unwrap_or_default();
        if values && is_cut(&estimate.interval) || printed.iter().any(|of| is_cut(&of.interval)) {
            position(&mut metrics, filled.layout.spoken(Axis::Metric, subject.metric));
        }
    }
    (!metrics.is_empty()).then(|| {
        let cut = format!(
            "intervals of {} that would reach beyond the values that are possible end there",
            metrics.join(", ")
        );
        let why = "that they would is a sign of few units, or of a few far above the others";
        Clause::prose(format!("{cut}: {why}")).in_a_paper("").into()
    })
}

/// Returns the greatest dependence of neighbouring units for which printed intervals and tests allow.
fn dependent(filled: &Filled<'_>, study: &Study<'_>) -> Option<Sentence> {
    let spec = filled.layout.spec;
    let values = spec.intervals && spec.shows(&["value"]);
    let of = |subject: &CellSubject| {
        let estimate = spec.pool.estimate(study, &subject.design_point, subject.policy, subject.measure?);
        let compared = filled.answer(subject).and_then(|answer| answer.compared().dependence);
        let all = [estimate.dependence.filter(|_| values), compared].into_iter().flatten();
        all.max_by(|one, other| one.lag1.total_cmp(&other.lag1))
    };
    let found = filled.known().filter_map(|subject| Some((subject, of(subject)?)));
    let (subject, most) = found.max_by(|(_, one), (_, other)| one.lag1.total_cmp(&other.lag1))?;
    let place = filled.layout.places_words([filled.layout.place(subject)]).join("");
    let at = if place.is_empty() { String::new() } else { format!(" ({place})") };
    let lag1 = format!("at most \u{3c1} = {:.2}", most.lag1);
    let count = format!("{} units count as {:.1}", most.units, most.effective());
    let most =
        Clause::prose(format!("{lag1}, with which {count}{at}")).in_a_paper(format!("{lag1} ({count})"));
    let head = Clause::prose(
        "where neighbouring units are alike, by the lag-1 autocorrelation \u{3c1} of what an interval or test is about, they count as \
         fewer",
    );
    Some(with_head(
        head.in_a_paper("units alike in a row count as fewer, by their lag-1 autocorrelation \u{3c1}"),
        most,
    ))
}

/// Returns a caution as a note; the notes of a paper share its beginning and leave out the advice.
pub fn of_caution(caution: &Caution) -> Sentence {
    let Caution { units, covered, simulated, curve } = caution;
    let here = if units == simulated { String::new() } else { format!("; {units} here") };
    let paper = format!("{} {covered:.1} % ({}{here})", curve.method, caution.situation());
    let head = Clause::prose("").in_a_paper("caution: coverage of 95 % intervals in simulations");
    with_head(head, Clause::prose(format!("caution: {}", caution.words())).in_a_paper(paper))
}

/// Returns a sentence whose beginning tables share, while the numbers are their own.
pub fn with_head(head: Clause, numbers: impl Into<Clause>) -> Sentence {
    Sentence { joint: ": ", ..Sentence::new("", [head, numbers.into()]) }
}

/// Returns the cautions about the printed intervals of a cell.
fn cautions(filled: &Filled<'_>, study: &Study<'_>, subject: &CellSubject) -> Vec<Caution> {
    let spec = filled.layout.spec;
    let Some(measure) = subject.measure.filter(|_| spec.intervals) else { return Vec::new() };
    let estimate = spec.pool.estimate(study, &subject.design_point, subject.policy, measure).caution;
    let answer = filled.answer(subject);
    let printed = answer.map(|answer| filled.printed(&answer.contrast)).unwrap_or_default();
    let of_value = estimate.filter(|_| spec.shows(&["value"]));
    of_value.into_iter().chain(printed.into_iter().filter_map(|of| of.caution)).collect()
}

/// Returns the cells with a contrast, each with its answer.
fn answered<'f>(filled: &'f Filled<'_>) -> impl Iterator<Item = (&'f CellSubject, &'f Answer)> {
    filled.known().filter_map(|subject| Some((subject, filled.answer(subject)?)))
}

/// Returns single cells in words, with their numbers; cells with the same numbers share them, and above a number of cells the rest is
/// counted.
pub fn cells_words(filled: &Filled<'_>, cells: Vec<(&CellSubject, String)>) -> String {
    let more = cells.len().saturating_sub(MOST_CELLS);
    let mut named: Vec<(Vec<Place>, String)> = Vec::new();
    for (subject, numbers) in cells.into_iter().take(MOST_CELLS) {
        let place = filled.layout.place(subject);
        match named.iter_mut().find(|(_, known)| *known == numbers) {
            Some((places, _)) => places.push(place),
            None => named.push((vec![place], numbers)),
        }
    }
    let words = named.into_iter().map(|(places, numbers)| {
        let places = filled.layout.places_words(places).join(" and ");
        if places.is_empty() { numbers } else { format!("{places}: {numbers}") }
    });
    words.chain((more > 0).then(|| format!("and {more} more cells"))).collect::<Vec<_>>().join("; ")
}

/// Returns the cells at which geometric mean and means give different answers and the table shows one of them.
fn two_answers(filled: &Filled<'_>) -> Option<Sentence> {
    let spec = filled.layout.spec;
    let [ratios, of_means] =
        [&["ratio", "percent"][..], &["ratio_of_means", "percent_of_means"]].map(|of| spec.shows(of));
    if ratios == of_means {
        return None;
    }
    let cells: Vec<_> = answered(filled)
        .filter_map(|(subject, Answer { contrast, .. })| {
            let (typical, means) = (contrast.ratio.value?, contrast.ratio_of_means.value?);
            let greatest = contrast
                .greatest
                .map_or_else(String::new, |share| format!(", one unit {:.0} % of a sum", share * 100.0));
            let words = || (subject, format!("\u{d7} {typical:.3}, \u{d7} {means:.3}{greatest}"));
            contrast.has_two_answers().then(words)
        })
        .collect();
    (!cells.is_empty()).then(|| {
        let head = "a typical unit (geometric mean of the ratios) and means (units with large values weigh most) give different answers";
        let head = Clause::prose(head).in_a_paper("geometric mean of ratios and ratio of means disagree");
        let places = filled.layout.places_words(cells.iter().map(|(subject, _)| filled.layout.place(subject)));
        with_head(head, Clause::from(cells_words(filled, cells)).in_a_paper(places.join("; ")))
    })
}

/// Returns the cells where the difference is tested and not the ratio; cells whose sign says so are left out.
fn without_logarithm(filled: &Filled<'_>) -> Option<Sentence> {
    let spec = filled.layout.spec;
    let has_sign =
        |answer: &Answer| spec.form == Form::Wide && spec.shows(&["ratio", "percent"]) && is_of_means(answer);
    let is_without = |(_, answer): &(&CellSubject, &Answer)| {
        answer.quantity != spec.quantity() && answer.p.is_ok() && !has_sign(answer)
    };
    let places = answered(filled).filter(is_without).map(|(subject, _)| filled.layout.place(subject));
    let places = filled.layout.places_words(places);
    let ratio = if spec.shows(&["ratio", "percent"]) { "the ratio is that of means, and " } else { "" };
    let at = if places.iter().all(String::is_empty) { "everywhere".into() } else { places.join("; ") };
    (!places.is_empty()).then(|| {
        Clause::prose(format!(
            "where a value is not above 0 in a unit, it has no logarithm: {ratio}the difference of means is tested ({at})"
        ))
        .into()
    })
}

/// Returns the cells at which the check by sign flips disagrees with the test.
fn doubted(filled: &Filled<'_>, study: &Study<'_>) -> Option<Sentence> {
    let spec = filled.layout.spec;
    if !spec.shows(&["p", "p_raw", "verdict"]) || spec.shows(&["p_signs"]) {
        return None;
    }
    let cells: Vec<_> = answered(filled)
        .filter_map(|(subject, answer)| {
            let (test, signs) = (answer.test.as_ref().ok()?, answer.compared().signs.as_ref()?);
            let words = || (subject, format!("p = {:.3}, {} {:.3}", signs.p, test.kind.words(), test.p));
            answer.compared().is_doubted(study.frame().level).then(words)
        })
        .collect();
    (!cells.is_empty()).then(|| {
        let head = "exact sign flips, which assume less, disagree with the test, each alone";
        with_head(Clause::prose(head), cells_words(filled, cells))
    })
}

/// Returns in how many units values are undefined, and how many units have no pair, by groups of cells.
fn left_out(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Sentence> {
    let (mut undefined, mut unpaired) = (SortedMap::new(), SortedMap::new());
    for subject in filled.known() {
        let Some(measure) = subject.measure else { continue };
        let pool = filled.layout.spec.pool;
        let estimate = pool.estimate(study, &subject.design_point, subject.policy, measure);
        let contrast = filled.answer(subject).map(|answer| &answer.contrast);
        if estimate.left_out > 0 {
            let mut place = filled.layout.place(subject);
            // The same for every baseline.
            place.pop();
            place.push(0);
            undefined.insert(place, (estimate.left_out, estimate.units + estimate.left_out));
        } else if let Some(contrast) = contrast.filter(|contrast| contrast.left_out > 0) {
            let all = contrast.units + contrast.left_out;
            unpaired.insert(filled.layout.place(subject), (contrast.left_out, all));
        }
    }
    let said = |what: &str, counted: &SortedMap<Place, (usize, usize)>| {
        (!counted.is_empty()).then(|| {
            let counted = filled.layout.counted_words(counted).join("; ");
            with_head(Clause::prose(format!("{what} are left out")), counted)
        })
    };
    [said("units in which a value is undefined", &undefined), said("units without a pair", &unpaired)]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the baselines' values, a sentence for each baseline and the metrics once, if cells compare with them and no cell
/// shows them, and whether they are saturated.
fn baselines(filled: &Filled<'_>, study: &Study<'_>) -> Vec<String> {
    let layout = &filled.layout;
    if !layout.spec.has_contrasts() {
        return Vec::new();
    }
    let is_shown = |_: &&CellSubject| layout.spec.shows(&["value"]);
    let shown: SortedSet<Side> = filled.known().filter(is_shown).map(CellSubject::side).collect();
    let mut heads: SortedMap<(usize, usize), Vec<String>> = SortedMap::new();
    let mut values: SortedMap<(usize, usize), SortedMap<DesignPoint, SortedMap<usize, String>>> =
        SortedMap::new();
    for subject in filled.known() {
        let Some((measure, baseline)) = subject.measure.zip(layout.spec.baselines.get(subject.baseline))
        else {
            continue;
        };
        let side = baseline.of(&subject.side());
        if shown.contains(&side) {
            continue;
        }
        let Side { design_point, policy } = side;
        let Some(value) = study.estimate(&design_point, policy, measure).value else { continue };
        let format = layout.format(subject.metric, &super::CELLS[0]);
        let number = format.print(value, format.decimals([value].into_iter()));
        let unit = if format.unit.is_empty() { String::new() } else { format!(" ({})", format.unit) };
        let class = study.frame().measures[measure].class.as_deref();
        let class = class.map_or_else(String::new, |class| {
            format!(" of class {}", layout.spec.called(class).unwrap_or(class))
        });
        let key = (subject.baseline, policy);
        let head = format!("{}{class}{unit}", layout.spoken(Axis::Metric, subject.metric));
        let column = position(heads.entry(key).or_default(), head);
        values.entry(key).or_default().entry(design_point).or_default().insert(column, number);
    }
    let place =
        |policy: usize, (design_point, numbers): (DesignPoint, SortedMap<usize, String>), count: usize| {
            let numbers: Vec<&str> =
                (0..count).map(|column| numbers.get(&column).map_or("-", String::as_str)).collect();
            let is_saturated = pitfalls::saturated(study.frame(), &design_point, policy).is_some();
            let saturated = if is_saturated { " (saturated)" } else { "" };
            format!("{}: {}{saturated}", layout.design_point_words(&design_point), numbers.join(" / "))
        };
    let note = |(key, places): ((usize, usize), SortedMap<DesignPoint, SortedMap<usize, String>>)| {
        let heads = &heads[&key];
        let name = &layout.names.policies[key.1];
        let places: Vec<String> = places.into_iter().map(|of| place(key.1, of, heads.len())).collect();
        format!("{}, {}: {}", layout.spec.called(name).unwrap_or(name), heads.join(" / "), places.join("; "))
    };
    values.into_iter().map(note).collect()
}
