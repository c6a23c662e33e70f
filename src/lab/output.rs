//! Where results are shown: a terminal, or something else.

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};

use crate::table::Style;

/// Returns the width of the terminal in characters; `None` if standard output is no terminal, so that lines
/// in pipes are not broken.
pub fn width() -> Option<usize> {
    let size = stdout().is_terminal().then(terminal_size::terminal_size).flatten()?;
    Some(usize::from(size.0.0))
}

/// Returns the style of tables on standard output.
pub fn style() -> Style {
    let colour = stdout().is_terminal() && AutoStream::choice(&stdout()) != ColorChoice::Never;
    let width = width().unwrap_or(Style::default().width);
    Style { colour, width, ..Style::default() }
}
