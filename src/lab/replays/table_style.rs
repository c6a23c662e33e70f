//! Where results are shown: a terminal, or something else.

#[cfg(feature = "cli")]
use std::io::{IsTerminal, stdout};

#[cfg(feature = "cli")]
use anstream::{AutoStream, ColorChoice};

use crate::table::Style;

/// Returns the width of the terminal in characters; `None` if standard output is no terminal, so that lines
/// in pipes are not broken.
#[cfg(feature = "cli")]
pub fn width() -> Option<usize> {
    let size = stdout().is_terminal().then(terminal_size::terminal_size).flatten()?;
    Some(usize::from(size.0.0))
}

#[cfg(feature = "cli")]
pub fn style() -> Style {
    let colour = stdout().is_terminal() && AutoStream::choice(&stdout()) != ColorChoice::Never;
    let width = width().unwrap_or(Style::default().width);
    Style { colour, width, ..Style::default() }
}

#[cfg(not(feature = "cli"))]
pub fn style() -> Style {
    Style::default()
}
