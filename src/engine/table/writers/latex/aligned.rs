//! Numbers that stand with their points below each other.

use super::escape::escape;
use crate::table::Printed;

/// How wide the numbers of a column are: a shorter one gets invisible digits, so that all points are in a line.
#[derive(Clone, Debug, Default)]
pub struct Aligned {
    /// For a number or the first end of an interval, and for the second end.
    ends: [End; 2],
}

/// The longest parts of the numbers at one place of the cells.
#[derive(Clone, Debug, Default)]
struct End {
    whole: String,
    decimals: String,
}

/// How a number is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSetting {
    /// As text, without a package.
    Plain,
    /// By siunitx.
    Siunitx,
}

/// Sets the best number bold: bold digits are wider, and the decimals take the room of common ones.
pub const BEST: &str = "  \\providecommand{\\batchlabbest}[2]{\\textbf{#1}\\rlap{\\textbf{#2}}\\phantom{#2}}";
/// Its name.
const BEST_NAME: &str = "\\batchlabbest";

impl Aligned {
    /// Returns the widths of the numbers of a column. O(cells).
    pub fn of<'c>(cells: impl Iterator<Item = &'c Printed>) -> Aligned {
        let mut aligned = Aligned::default();
        for cell in cells {
            for (end, text) in aligned.ends.iter_mut().zip(ends(&cell.text)) {
                let Some((whole, decimals)) = parts(text) else { continue };
                if whole.len() > end.whole.len() {
                    end.whole = whole.into();
                }
                if decimals.len() > end.decimals.len() {
                    end.decimals = decimals.into();
                }
            }
        }
        aligned
    }

    /// Returns how many characters a cell has with its invisible ones.
    pub fn characters(&self, text: &str) -> usize {
        let missing = |(end, text): (&End, &str)| {
            parts(text).map_or(0, |(_, decimals)| end.decimals.len().saturating_sub(decimals.len()))
        };
        text.chars().count() + self.ends.iter().zip(ends(text)).map(missing).sum::<usize>()
    }

    /// Returns the text of a cell; bold if it is the best. What is no number stays text.
    pub fn text(&self, text: &str, setting: NumberSetting, is_bold: bool) -> String {
        match &ends(text)[..] {
            [first, second] => {
                let [first, second] =
                    [(0, first), (1, second)].map(|(at, end)| self.number(at, end, setting, false));
                let text = format!("{{[}}{first}, {}{second}{{]}}", self.space_before(text));
                if is_bold { format!("\\textbf{{{text}}}") } else { text }
            }
            _ => self.number(0, text, setting, is_bold),
        }
    }

    /// Returns the invisible digits in front of the second end of an interval.
    fn space_before(&self, text: &str) -> String {
        let own = ends(text).last().and_then(|end| parts(end)).map_or(0, |(whole, _)| whole.len());
        let longest = &self.ends[1].whole;
        invisible(&longest[..longest.len().saturating_sub(own)])
    }

    /// Returns a number at a place of its cell, with the invisible decimals that it lacks.
    fn number(&self, at: usize, text: &str, setting: NumberSetting, is_bold: bool) -> String {
        let Some((whole, decimals)) = parts(text) else {
            let text = escape(text);
            return if is_bold { format!("\\textbf{{{text}}}") } else { text };
        };
        let space = invisible(&self.ends[at].decimals[decimals.len()..]);
        let number = match (is_bold, decimals) {
            (false, _) => set(&format!("{whole}{decimals}"), setting),
            (true, "") => format!("\\textbf{{{}}}", set(whole, setting)),
            (true, decimals) => format!("{BEST_NAME}{{{}}}{{{decimals}}}", set(whole, setting)),
        };
        number + &space
    }
}

/// Whether a text has bold numbers with decimals.
pub fn has_best(lines: &[String]) -> bool {
    lines.iter().any(|line| line.contains(BEST_NAME))
}

/// Returns the two ends of an interval; another text as it is.
fn ends(text: &str) -> Vec<&str> {
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(ends) => ends.splitn(2, ", ").collect(),
        None => vec![text],
    }
}

/// Returns what stands in front of the point of a number, and the point with what follows; `None` if it is no number.
fn parts(text: &str) -> Option<(&str, &str)> {
    let plain = text.strip_prefix('<').unwrap_or(text).replace(',', "");
    let is_number = plain.parse::<f64>().is_ok_and(f64::is_finite);
    is_number.then(|| text.split_at(text.find('.').unwrap_or(text.len())))
}

fn invisible(digits: &str) -> String {
    let digits = digits.replace('-', "$-$").replace('+', "$+$");
    if digits.is_empty() { String::new() } else { format!("\\phantom{{{digits}}}") }
}

/// Returns a number in LaTeX. The sign of "<0.001" stands in mathematics: siunitx sets it in the font of the text, in which some
/// encodings have another sign in its place.
fn set(number: &str, setting: NumberSetting) -> String {
    if setting == NumberSetting::Plain {
        return match number.strip_prefix('-') {
            Some(digits) => format!("$-${digits}"),
            None => number.strip_prefix('<').map_or_else(|| number.into(), |digits| format!("$<${digits}")),
        };
    }
    let plain = number.replace(',', "");
    let (sign, digits) = plain.strip_prefix('<').map_or(("", plain.as_str()), |digits| ("$<$", digits));
    format!("{sign}\\num{{{digits}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], setting: NumberSetting) -> Vec<String> {
        let cell = |(at, text): (usize, &&str)| Printed {
            text: (*text).into(),
            best: at == 0,
            ..Printed::default()
        };
        let cells: Vec<Printed> = texts.iter().enumerate().map(cell).collect();
        let aligned = Aligned::of(cells.iter());
        cells.iter().map(|cell| aligned.text(&cell.text, setting, cell.best)).collect()
    }

    #[test]
    fn points_of_a_column_stand_below_each_other() {
        assert_eq!(
            column(&["5.4", "25,128", "-91.34", "<0.001", "better"], NumberSetting::Siunitx),
            [
                "\\batchlabbest{\\num{5}}{.4}\\phantom{01}",
                "\\num{25128}\\phantom{.001}",
                "\\num{-91.34}\\phantom{1}",
                "$<$\\num{0.001}",
                "better",
            ]
        );
        assert_eq!(
            column(&["5", "-1,234.5", "<0.1"], NumberSetting::Plain),
            ["\\textbf{5}\\phantom{.5}", "$-$1,234.5", "$<$0.1"]
        );
    }

    #[test]
    fn points_of_both_ends_stand_below_each_other() {
        assert_eq!(
            column(&["--", "[0.9, 1.25]", "[-10, 1,234]"], NumberSetting::Siunitx)[1..],
            [
                "{[}\\num{0.9}, \\phantom{1,23}\\num{1.25}{]}",
                "{[}\\num{-10}\\phantom{.9}, \\num{1234}\\phantom{.25}{]}",
            ]
        );
    }
}
