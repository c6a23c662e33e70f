use batchlab_parsers::Formats;
use batchlab_traces::sorted::SortedSet;

use super::*;
use crate::lab::settings::AllSettings;

const VERBS: [(Caller, &[OptionGroup]); 7] = [
    (Caller::Workload, SCENARIO),
    (Caller::Sweep, SCENARIO),
    (Caller::Read, OF_READ),
    (Caller::Shape, OF_SHAPE),
    (Caller::Replay, OF_REPLAY),
    (Caller::Compare, OF_REPLAY),
    (Caller::Run, OF_RUN),
];

fn options() -> impl Iterator<Item = &'static OptionSpec> {
    VERBS.iter().flat_map(|(_, groups)| groups.iter().copied().flatten())
}

#[test]
fn an_option_has_one_row_in_each_verb() {
    for (caller, groups) in VERBS {
        let names: Vec<&str> = groups.iter().copied().flatten().map(|option| option.name).collect();
        let unique: SortedSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len(), "{caller:?}");
    }
    assert!(of_scenario().all(|option| OF_REPLAY.iter().copied().flatten().any(|of| of.name == option.name)));
}

#[test]
fn the_default_that_is_shown_is_what_holds() {
    let plain = format!("{:?}", AllSettings::default());
    for option in options() {
        let Some(default) = option.default else { continue };
        let (Takes::One(set) | Takes::Many(set) | Takes::List(set)) = option.takes else {
            panic!("--{}", option.name)
        };
        let mut settings = AllSettings::default();
        set(&mut settings, default).unwrap();
        assert_eq!(format!("{settings:?}"), plain, "--{}", option.name);
    }
}

#[test]
fn a_flag_and_a_path_set_something() {
    let plain = format!("{:?}", AllSettings::default());
    for option in options() {
        let mut settings = AllSettings::default();
        match option.takes {
            Takes::Nothing(on) => on(&mut settings),
            Takes::Path(to) | Takes::Paths(to) => to(&mut settings, "there".into()),
            _ if option.files != Files::No => {
                assign(&mut settings, &[(option, vec!["there".into()])], &Formats::default()).unwrap();
            }
            _ => continue,
        }
        assert_ne!(format!("{settings:?}"), plain, "--{}", option.name);
    }
}

#[test]
fn what_a_row_names_is_an_option_of_its_verb() {
    for (caller, groups) in VERBS {
        let names: SortedSet<&str> = groups.iter().copied().flatten().map(|option| option.name).collect();
        for option in groups.iter().copied().flatten() {
            let others = option.excludes.iter().chain(&option.requires).chain(&option.unless);
            for other in others {
                assert!(names.contains(other), "{caller:?}: --{} names --{other}", option.name);
            }
        }
    }
    for option in options() {
        for caller in option.withheld {
            let (_, groups) = VERBS.into_iter().find(|(known, _)| known == caller).unwrap();
            let of_verb = groups.iter().copied().flatten().any(|of| of.name == option.name);
            assert!(of_verb, "{caller:?} has no --{} to lack", option.name);
        }
    }
}

#[test]
fn conditions_have_places_of_their_own() {
    let places: Vec<u8> = of_scenario().filter_map(|option| Some(option.stated?.place)).collect();
    assert_eq!(places.iter().collect::<SortedSet<_>>().len(), places.len());
}

#[test]
fn what_decides_nothing_is_neither_stated_nor_a_file() {
    for option in of_scenario().filter(|option| option.decides == Decides::Nothing) {
        assert!(option.stated.is_none() && option.files == Files::No, "--{}", option.name);
    }
}

#[test]
fn what_is_wrong_is_said_as_on_the_command_line() {
    let said = |given: &[(&str, &str)]| {
        let given: Vec<_> =
            given.iter().map(|(name, value)| (spec(name).unwrap(), vec![(*value).to_owned()])).collect();
        assign(&mut AllSettings::default(), &given, &Formats::default()).unwrap_err()
    };
    assert_eq!(said(&[("procs", "x")]), "invalid value 'x' for '--procs <N>': `x` is not a whole number");
    assert_eq!(
        said(&[("nodes", "2"), ("machine", "m.toml")]),
        "the argument '--nodes <N>' cannot be used with '--machine <FILE.toml>'"
    );
    assert_eq!(
        said(&[("machine", "m.toml"), ("nodes", "2"), ("procs", "3")]),
        "the argument '--machine <FILE.toml>' cannot be used with:\n  --nodes <N>\n  --procs <N>"
    );
    assert!(
        said(&[("from", "foo")])
            .starts_with("invalid value 'foo' for '--from <FORMAT>'\n  [possible values: swf")
    );
}
