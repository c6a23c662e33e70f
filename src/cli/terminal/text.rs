//! Words and numbers for people.

pub use batchlab_traces::number::{counted, grouped as count};

pub use crate::lab::replays::table_style::width;
use crate::table::writers::wrap::wrap as lines;

/// Breaks a text between words; lines after the first are indented by `indent` spaces, and the first one is
/// assumed to follow as many characters.
pub fn wrap(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return text.into() };
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    lines(&words, width.saturating_sub(indent).max(20), "").join(&format!("\n{:indent$}", ""))
}

/// Returns a share as a percentage: "27.4 %".
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Returns a time in a suitable unit: "42 s", "3.5 min", "12.0 h", "11.2 d".
pub fn duration(seconds: f64) -> String {
    match seconds.abs() {
        below if below < 60.0 => format!("{} s", (seconds * 10.0).round() / 10.0),
        below if below < 3600.0 => format!("{:.1} min", seconds / 60.0),
        below if below < 48.0 * 3600.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} d", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_the_width_and_left_alone_without_one() {
        let text = "the first job of the queue that fits starts";
        assert_eq!(wrap(text, 4, None), text);
        assert_eq!(wrap(text, 4, Some(26)), "the first job of the\n    queue that fits starts");
    }

    #[test]
    fn numbers_are_printed_for_people() {
        assert_eq!((count(7), count(1_234), count(447_794)), ("7".into(), "1,234".into(), "447,794".into()));
        assert_eq!((counted(1, "job"), counted(2000, "job")), ("1 job".into(), "2,000 jobs".into()));
        assert_eq!(percent(0.27449), "27.4 %");
        let shown = [0.0, 59.94, 210.0, 43_200.0, 967_680.0].map(duration);
        assert_eq!(shown, ["0 s", "59.9 s", "3.5 min", "12.0 h", "11.2 d"]);
    }
}
