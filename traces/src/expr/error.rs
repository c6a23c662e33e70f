mod problem;

use std::fmt;
use std::ops::Range;

pub use problem::Problem;
pub(super) use problem::repeated;

use crate::located::line;

/// Why an expression was refused: the text, the position, and the reason.
///
/// Printed as the line of the text, a line of carets below the position, and the reason.
/// [`ExprError::reason`] is the last line alone.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct ExprError(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    text: String,
    span: Range<usize>,
    problem: Problem,
}

/// The most characters of a long line shown before and behind the position.
const AROUND: usize = 60;

impl ExprError {
    pub(super) fn new(text: &str, span: Range<usize>, problem: Problem) -> ExprError {
        ExprError(Box::new(Inner { text: text.into(), span, problem }))
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Returns the problem in one line, without the text.
    pub fn reason(&self) -> String {
        self.0.problem.to_string()
    }

    /// Returns the bytes of the text that the error is about; empty, at the end of the text, if something is missing there.
    pub fn span(&self) -> Range<usize> {
        self.0.span.clone()
    }

    /// Returns line and column of the position, both from 1; columns count characters.
    pub fn position(&self) -> (usize, usize) {
        let before = &self.0.text[..self.0.span.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (line(&self.0.text, self.0.span.start), before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { text, span, problem } = &*self.0;
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.start..].find('\n').map_or(text.len(), |at| span.start + at);
        let before: Vec<char> = text[start..span.start].chars().collect();
        let marked = text[span.start..span.end.clamp(span.start, end)].chars().count();
        let cut = before.len().saturating_sub(AROUND);
        let shown: String = text[start..end].chars().skip(cut).take(before.len() - cut + AROUND).collect();
        let dots = if cut > 0 { "..." } else { "" };
        let shown: String = shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let blanks = dots.len() + before.len() - cut;
        let carets = marked.clamp(1, AROUND);
        writeln!(f, "{dots}{}", shown.trim_end())?;
        writeln!(f, "{:blanks$}{}", "", "^".repeat(carets))?;
        write!(f, "{problem}")
    }
}
