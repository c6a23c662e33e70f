use super::*;
use crate::sorted::SortedSet;
use crate::{Field, Trace};

fn rows(trace: &Trace) -> Vec<Vec<i64>> {
    let row = |at| Field::ALL.iter().map(|&field| trace.get(at, field).truncated()).collect();
    (0..trace.len()).map(row).collect()
}

fn column(trace: &Trace, field: Field) -> Vec<i64> {
    trace.column(field).iter().map(crate::Number::truncated).collect()
}

fn generate(jobs: u32, settings: &[&str]) -> Trace {
    MODELS[0].generate(jobs, 128, 1, settings).unwrap()
}

/// Generates from any model; a model that needs a log is fitted to that of another.
fn generate_any(model: &ModelSpec, jobs: u32, settings: &[String]) -> Trace {
    if model.fitted != Fitted::Always {
        return model.generate(jobs, model.procs, 1, settings).unwrap();
    }
    let log = generate(2000, &["users=9"]);
    model.generate_from(Some(&log), jobs, procs_of(model), 1, settings).unwrap()
}

fn procs_of(model: &ModelSpec) -> u32 {
    if model.procs == 0 { 128 } else { model.procs }
}

fn error(settings: &[&str]) -> String {
    MODELS[0].generate(50, 128, 1, settings).unwrap_err().to_string()
}

#[test]
fn every_model_is_described_and_generates_with_its_defaults() {
    let names: SortedSet<_> = MODELS.iter().map(|model| model.name).collect();
    assert_eq!(names.len(), MODELS.len());
    for model in MODELS {
        assert!(!model.summary.is_empty() && !model.cite.words.is_empty(), "{}", model.name);
        let keys: SortedSet<_> = model.parameters().map(|param| param.name).collect();
        assert_eq!(keys.len(), model.parameters().count(), "{} has a parameter twice", model.name);
        let trace = generate_any(model, 50, &[]);
        assert_eq!(trace.len(), 50);
        let procs = i64::from(procs_of(model));
        for row in rows(&trace) {
            assert!(row[Field::Run.index()] >= 0 && (1..=procs).contains(&row[Field::Requested.index()]));
        }
        assert!(column(&trace, Field::Submit).is_sorted());
    }
}

#[test]
fn every_default_can_be_set_and_changes_nothing() {
    for model in MODELS {
        for param in model.parameters() {
            assert!(param.kind.accepts(param.default), "{}={}", param.name, param.default);
            assert!(!param.help.is_empty() && !param.help.ends_with('.'), "{}", param.name);
            let base = match param.name.split_once('.') {
                Some((class, _)) => vec![format!("types={class}")],
                None => vec![],
            };
            let mut set = base.clone();
            set.push(format!("{}={}", param.name, param.default));
            let of = |settings: &[String]| rows(&generate_any(model, 50, settings));
            assert_eq!(of(&base), of(&set), "{}", set.last().unwrap());
        }
    }
}

#[test]
fn the_header_says_what_it_is_and_how_to_make_it_again() {
    let trace = MODELS[0].generate(3, 64, 9, &["types=untyped", "estimates=phi:0.2"]).unwrap();
    let header = &trace.header;
    assert_eq!(header.version.as_deref(), Some("2.2"));
    assert_eq!((header.max_jobs, header.max_records), (Some(3), Some(3)));
    assert_eq!(header.max_procs.as_ref().unwrap().count, 64);
    assert_eq!(header.unix_start_time, None);
    let command = "batchlab generate lublin -o - --jobs 3 --procs 64 --seed 9 --set types=untyped --set \
                   estimates=phi:0.2";
    assert_eq!(header.notes[0], format!("made by {command}"));
    assert!(header.notes.iter().any(|note| note.contains("Zhang et al. 2000")));
    assert_eq!(trace.provenance.steps[0].detail, command);
    let lines = &header.lines;
    assert_eq!(lines[..2], ["; Version: 2.2", "; Computer: none (synthetic workload)"]);
    assert!(
        lines.contains(&"; MaxProcs: 64".to_string()) && lines.contains(&"; Queue: 0 untyped".to_string())
    );
    assert_eq!(lines.iter().filter(|line| line.starts_with("; Note: ")).count(), header.notes.len());
    assert!(trace.findings.list().is_empty() && trace.calendar.is_none());
}

#[test]
fn a_wrong_setting_is_named_with_the_right_ones() {
    let unknown = error(&["batch.serail=0.3"]);
    assert!(
        unknown.starts_with(
            "model `lublin` has no parameter `batch.serail` (did you mean `batch.serial`?); its parameters \
             are types, load, batch.serial, "
        ),
        "{unknown}"
    );
    assert_eq!(error(&["batch.serial=1.3"]), "`batch.serial=1.3`: the value must be a number from 0 to 1");
    assert_eq!(
        error(&["types=all"]),
        "`types=all`: the value must be one of both, batch, interactive, untyped"
    );
    assert_eq!(error(&["users=-1"]), "`users=-1`: the value must be a whole number from 0 to 100000");
    assert_eq!(
        error(&["estimates=phi:1"]),
        "`estimates=phi:1`: the value must be model, none, phi:X (0 <= X < 1), tsafrir or tsafrir:MAX \
         (MAX a time of an hour or more)"
    );
    assert_eq!(error(&["load"]), "`load` is not a setting: write key=value");
    assert_eq!(error(&["load=1", "load=2"]), "`load` is set twice");
    assert_eq!(error(&["estimate-cap=18h"]), "`estimate-cap` has no effect with estimates=none");
    assert_eq!(error(&["estimate-values=9"]), "`estimate-values` has no effect with estimates=none");
    assert_eq!(
        error(&["estimates=tsafrir:18h", "estimate-cap=9h"]),
        "`estimate-cap` has no effect with estimates=tsafrir:64800"
    );
    assert_eq!(
        error(&["estimates=phi:0.2", "estimate-max-share=0.1"]),
        "`estimate-max-share` has no effect with estimates=phi:0.2"
    );
    assert!(error(&["load=NaN"]).contains("from 0.01 to 100"));
}

#[test]
fn the_extremes_of_every_parameter_end_in_jobs_or_in_an_error_that_names_one() {
    let log = generate(1000, &[]);
    for model in MODELS {
        let log = (model.fitted == Fitted::Always).then_some(&log);
        for param in model.params.iter().filter(|param| !param.name.contains('.')) {
            let extremes = match param.kind {
                ModelParamKind::Number { least, most } => vec![least.to_string(), most.to_string()],
                ModelParamKind::Count { least, most } => vec![least.to_string(), most.to_string()],
                ModelParamKind::Word(words) => words.iter().map(ToString::to_string).collect(),
                ModelParamKind::Form { .. } => continue,
            };
            for value in extremes {
                let setting = format!("{}={value}", param.name);
                match model.generate_from(log, 200, procs_of(model), 1, &[&setting]) {
                    Ok(trace) => {
                        assert_eq!(trace.len(), 200, "{} {setting}", model.name);
                        assert!(column(&trace, Field::Submit).is_sorted(), "{} {setting}", model.name);
                        assert!(column(&trace, Field::Run).iter().all(|&run| run >= 0));
                    }
                    Err(error) => assert!(error.to_string().contains('`'), "{}: {error}", model.name),
                }
            }
        }
    }
}

#[test]
fn every_model_has_jobs_for_one_processor_and_for_many() {
    for model in MODELS.iter().filter(|model| model.fitted != Fitted::Always) {
        for procs in [1, 3, 5000] {
            let trace = model.generate::<&str>(100, procs, 1, &[]).unwrap();
            let sizes = column(&trace, Field::Requested);
            assert!(sizes.iter().all(|size| (1..=i64::from(procs)).contains(size)), "{} {procs}", model.name);
        }
    }
}

#[test]
fn a_log_is_for_models_that_can_be_fitted_and_some_want_one() {
    let log = generate(20, &[]);
    for model in MODELS {
        let error = |log| model.generate_from::<&str>(log, 5, 128, 1, &[]).unwrap_err().to_string();
        match model.fitted {
            Fitted::Always => assert_eq!(
                error(None),
                format!("model `{}` is fitted to a log: name one (--log FILE)", model.name)
            ),
            Fitted::Never => assert_eq!(
                error(Some(&log)),
                format!("model `{}` has its own parameters and is fitted to no log", model.name)
            ),
            Fitted::Optionally => {
                for log in [None, Some(&log)] {
                    assert_eq!(model.generate_from::<&str>(log, 5, 128, 1, &[]).unwrap().len(), 5);
                }
            }
        }
        if model.fitted != Fitted::Always {
            assert_eq!(model.default_size(None), (model.jobs, model.procs));
        }
    }
}

#[test]
fn nothing_cannot_be_generated() {
    let error = |jobs, procs| MODELS[0].generate::<&str>(jobs, procs, 1, &[]).unwrap_err().to_string();
    assert_eq!(error(0, 128), "a workload needs at least one job");
    assert_eq!(error(1, 0), "a workload needs at least one processor");
}

#[test]
fn a_model_is_found_by_name() {
    assert_eq!(find("lublin").unwrap().name, "lublin");
    let message = "unknown model `lubin` (did you mean `lublin`?); the models are lublin, ";
    assert!(find("lubin").unwrap_err().to_string().starts_with(message));
    for model in MODELS {
        assert_eq!(find(model.name).unwrap().name, model.name);
    }
}

#[test]
fn estimates_are_uniform_fractions_never_below_the_run_time() {
    let jobs = 20_000;
    let trace = generate(jobs, &["estimates=phi:0.2", "types=batch"]);
    let exact = (0..trace.len())
        .filter(|&row| trace.get(row, Field::Run) == trace.get(row, Field::RequestedTime))
        .count();
    // Only jobs of at least 1000 s, so that rounding to seconds does not distort the fraction.
    let fractions: Vec<f64> = (0..trace.len())
        .map(|row| (trace.get(row, Field::Run).to_f64(), trace.get(row, Field::RequestedTime).to_f64()))
        .filter(|&(run, request)| run >= 1000.0 && request > run)
        .map(|(run, request)| run / request)
        .collect();
    assert!((0..trace.len()).all(|row| trace.time(row, Field::RequestedTime) >= trace.time(row, Field::Run)));
    // Rounding up makes no inexact estimate exact.
    let sigma = (0.2 * 0.8 * f64::from(jobs)).sqrt();
    assert!((exact as f64 - 0.2 * f64::from(jobs)).abs() < 3.29 * sigma, "{exact} exact estimates");
    // Where the estimate is not exact, run / estimate is uniform in (0, 1): mean 1/2, variance 1/12.
    let mean = fractions.iter().sum::<f64>() / fractions.len() as f64;
    let bound = 3.29 * (1.0 / 12.0 / fractions.len() as f64).sqrt();
    assert!((mean - 0.5).abs() < bound, "mean fraction {mean}");
}

#[test]
fn every_model_can_have_the_estimates_of_tsafrir() {
    for model in MODELS {
        let plain = generate_any(model, 300, &["estimates=none".into()]);
        let settings = ["estimates=tsafrir", "estimate-values=12", "estimate-max-share=0.3"];
        let trace = generate_any(model, 300, &settings.map(String::from));
        for field in [Field::Submit, Field::Run, Field::Requested] {
            assert_eq!(column(&plain, field), column(&trace, field), "{}", model.name);
        }
        let requests = column(&trace, Field::RequestedTime);
        let max = requests.iter().max().unwrap();
        let distinct: SortedSet<i64> = requests.iter().copied().collect();
        assert!(max % 3600 == 0 && distinct.len() >= 12, "{}: {distinct:?}", model.name);
        assert!(requests.iter().filter(|&request| request == max).count() >= 85, "{}", model.name);
        for row in 0..trace.len() {
            assert!(trace.time(row, Field::RequestedTime) >= trace.time(row, Field::Run), "{}", model.name);
        }
    }
    let of = |max: &str| column(&generate(300, &[&format!("estimates=tsafrir:{max}")]), Field::RequestedTime);
    assert_eq!(of("50h").into_iter().max(), Some(180_000));
    // Lublin's longest run time is e^12 s, 45.2 hours.
    let longest = column(&generate(300, &["estimates=tsafrir"]), Field::RequestedTime).into_iter().max();
    assert_eq!(longest, Some(46 * 3600));
}

#[test]
fn estimates_and_users_leave_the_jobs_alone() {
    let plain = generate(500, &[]);
    let dressed = generate(500, &["estimates=phi:0.2", "estimate-cap=18h", "users=40"]);
    for field in [Field::Submit, Field::Run, Field::Requested, Field::Queue] {
        assert_eq!(column(&plain, field), column(&dressed, field));
    }
    assert!(column(&plain, Field::RequestedTime).iter().all(|&request| request == -1));
    for row in rows(&dressed) {
        let (run, request) = (row[Field::Run.index()], row[Field::RequestedTime.index()]);
        assert!(request >= run && request <= run.max(64_800), "request {request} of a run of {run}");
    }
}

#[test]
fn users_follow_their_law_at_level_0_001() {
    let jobs = 20_000;
    let users = column(&generate(jobs, &["users=40"]), Field::User);
    let harmonic: f64 = (1..=40).map(|user| 1.0 / f64::from(user)).sum();
    for user in [1, 2, 10, 40] {
        let expected = 1.0 / user as f64 / harmonic;
        let seen = users.iter().filter(|&&one| one == user).count() as f64 / f64::from(jobs);
        let bound = 3.29 * (expected * (1.0 - expected) / f64::from(jobs)).sqrt();
        assert!((seen - expected).abs() < bound, "user {user}: {seen} of the jobs, {expected} expected");
    }
    assert!(users.iter().all(|user| (1..=40).contains(user)));
}

#[test]
fn users_are_dealt_to_groups_in_turns() {
    let log = generate(500, &["users=40", "groups=7"]);
    let [users, groups] = [Field::User, Field::Group].map(|field| column(&log, field));
    assert_eq!(groups, users.iter().map(|user| (user - 1) % 7 + 1).collect::<Vec<_>>());
    assert!(column(&generate(10, &["groups=7"]), Field::Group).iter().all(|&group| group == -1), "no users");
}
