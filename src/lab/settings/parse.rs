//! Values of options that are no type of their own.

use std::str::FromStr;

use batchlab_policies::Costs;
use batchlab_policies::costs::CostsError;
use batchlab_traces::machine::ChosenCapacity;

const MOST_THREADS: usize = 1024;

pub fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| (1..=MOST_THREADS).contains(number))
        .ok_or_else(|| format!("it must be a whole number from 1 to {MOST_THREADS}"))
}

pub fn at_least_one<N: FromStr + Default + PartialOrd>(text: &str) -> Result<N, String> {
    text.parse()
        .ok()
        .filter(|number| *number > N::default())
        .ok_or_else(|| "it must be a whole number from 1".into())
}

/// Returns the error of a text that is not a number; it says a share in per cent as a number.
pub fn not_a_number(text: &str) -> String {
    match text.strip_suffix('%').and_then(|percent| percent.trim().parse::<f64>().ok()) {
        Some(percent) => format!("`{text}` is not a number: write {}", percent / 100.0),
        None => format!("`{text}` is not a number"),
    }
}

pub fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| not_a_number(text))?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("it must be above zero".into()) }
}

/// Parses costs; costs that are not given are zero.
pub fn costs(text: &str) -> Result<Costs, String> {
    if text.is_empty() {
        Ok(Costs::default())
    } else {
        text.parse().map_err(|error: CostsError| error.to_string())
    }
}

/// Parses `memory=64GB` or `gpu=none`; `mem` is memory.
pub fn capacity(text: &str) -> Result<(String, ChosenCapacity), String> {
    let error = || format!("`{text}` is neither NAME=AMOUNT, such as memory=64GB or gpu=16, nor NAME=none");
    let (name, amount) = text.split_once('=').ok_or_else(error)?;
    let name = if name == "mem" { "memory" } else { name };
    if name.is_empty() || name == "procs" {
        return Err(error());
    }
    let capacity = match amount {
        "none" => ChosenCapacity::LeftOut,
        _ => ChosenCapacity::Of(amount.parse().map_err(|_| error())?),
    };
    Ok((name.into(), capacity))
}

pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|&(index, of)| 1 <= index && index <= of)
        .ok_or_else(|| "it is I/N, such as 3/16, I from 1 to N".into())
}
