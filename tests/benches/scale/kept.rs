//! Exponents that are kept, to be compared with those of another commit.

use std::collections::BTreeMap;
use std::process::ExitCode;

use super::growth::Growth;

/// An exponent that has risen by so much fails the bench.
pub const RISE: f64 = 0.15;

/// Below so many seconds of the longest replay an exponent says little.
const SHORT: f64 = 0.02;

/// What the arguments say.
#[derive(Default)]
pub struct Kept {
    names: Vec<String>,
    save: Option<String>,
    against: Option<String>,
}

impl Kept {
    /// Reads the arguments: names, `--save FILE`, `--against FILE`; those that Cargo adds are ignored.
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Kept {
        let mut kept = Kept::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--save" => kept.save = Some(args.next().expect("--save FILE")),
                "--against" => kept.against = Some(args.next().expect("--against FILE")),
                _ if arg.starts_with("--") => {}
                _ => kept.names.push(arg),
            }
        }
        kept
    }

    /// Whether a case is to be timed.
    pub fn is_meant(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }

    /// Writes the exponents, and compares them; fails if one has risen.
    pub fn conclude(&self, grown: &[Growth]) -> ExitCode {
        if let Some(path) = &self.save {
            let lines = grown
                .iter()
                .filter_map(|growth| Some(format!("{}\t{:.3}\n", growth.name, growth.exponent()?)));
            std::fs::write(path, lines.collect::<String>()).unwrap();
        }
        let Some(path) = &self.against else { return ExitCode::SUCCESS };
        let before = std::fs::read_to_string(path).unwrap();
        let before: BTreeMap<&str, f64> = before
            .lines()
            .filter_map(|line| {
                line.split_once('\t').map(|(name, exponent)| (name, exponent.parse().unwrap()))
            })
            .collect();
        let risen = grown.iter().filter_map(|growth| {
            let (old, new) = (*before.get(growth.name.as_str())?, growth.exponent()?);
            (new - old >= RISE && growth.seconds() >= SHORT)
                .then(|| format!("{}: {old:.2} -> {new:.2}", growth.name))
        });
        let risen: Vec<String> = risen.collect();
        println!("\nExponents that have risen by {RISE} or more since `{path}`: {}", risen.len());
        for line in &risen {
            println!("* {line}");
        }
        if risen.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
