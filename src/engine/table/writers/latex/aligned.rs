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
    sign: String,
    whole: String,
    decimals: String,
}

impl End {
    /// Takes in a number, of which each part may be the longest.
    fn add(&mut self, number: &Parts<'_>) {
        let longest = |known: &mut String, part: &str| {
            if part.len() > known.len() {
                *known = part.into();
            }
        };
        longest(&mut self.sign, number.sign);
        longest(&mut self.whole, number.whole);
        longest(&mut self.decimals, number.decimals);
    }
}

/// The parts of a number as it is printed.
struct Parts<'t> {
    sign: &'t str,
    /// What stands between the sign and the point.
    whole: &'t str,
    /// The point with what follows.
    decimals: &'t str,
}

/// How a number is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSetting {
    /// As text, without a package.
    Plain,
    Siunitx,
}

/// Sets the best number bold: bold digits are wider, and the decimals take the room of common ones.
pub const BEST: &str = "  \\providecommand{\\batchlabbest}[2]{\\textbf{#1}\\rlap{\\textbf{#2}}\\phantom{#2}}";
const BEST_NAME: &str = "\\batchlabbest";

impl Aligned {
    /// Returns the widths of the numbers of a column. O(cells).
    pub fn of<'c>(cells: impl Iterator<Item = &'c Printed>) -> Aligned {
        let mut aligned = Aligned::default();
        for cell in cells {
            for (end, text) in aligned.ends.iter_mut().zip(ends(&cell.text)) {
                if let Some(number) = parts(text) {
                    end.add(&number);
                }
            }
        }
        aligned
    }

    /// Returns how many characters a cell has with its invisible ones.
    pub fn characters(&self, text: &str) -> usize {
        let missing = |(end, text): (&End, &str)| {
            parts(text).map_or(0, |of| end.decimals.len().saturating_sub(of.decimals.len()))
        };
        text.chars().count() + self.ends.iter().zip(ends(text)).map(missing).sum::<usize>()
    }

    /// Returns the text of a cell with its signs, which stand beside the number; bold if it is the best. What is no number stays text.
    pub fn text(&self, text: &str, setting: NumberSetting, is_bold: bool, signs: &str) -> String {
        match &ends(text)[..] {
            [first, second] => {
                let [(first, after_first), (second, after_second)] =
                    [(0, first), (1, second)].map(|(at, end)| self.number(at, end, setting, false));
                // Comma and bracket stand beside their numbers, and the invisible decimals behind these.
                let space = self.space_before(text);
                let text = format!("{{[}}{first},{after_first} {space}{second}{{]}}{signs}{after_second}");
                if is_bold { format!("\\textbf{{{text}}}") } else { text }
            }
            _ => {
                let (number, space) = self.number(0, text, setting, is_bold);
                number + signs + &space
            }
        }
    }

    /// Returns the invisible sign and digits in front of the second end of an interval.
    fn space_before(&self, text: &str) -> String {
        let Some(own) = ends(text).last().and_then(|end| parts(end)) else { return String::new() };
        let longest = &self.ends[1];
        let sign = if own.sign.is_empty() { longest.sign.as_str() } else { "" };
        invisible(&(sign.to_owned() + &longest.whole[..longest.whole.len().saturating_sub(own.whole.len())]))
    }

    /// Returns a number at a place of its cell, and the invisible decimals that it lacks.
    fn number(&self, at: usize, text: &str, setting: NumberSetting, is_bold: bool) -> (String, String) {
        let Some(Parts { sign, whole, decimals }) = parts(text) else {
            let text = escape(text);
            return (if is_bold { format!("\\textbf{{{text}}}") } else { text }, String::new());
        };
        let space = invisible(&self.ends[at].decimals[decimals.len()..]);
        let whole = format!("{sign}{whole}");
        let number = match (is_bold, decimals) {
            (false, _) => set(&format!("{whole}{decimals}"), setting),
            (true, "") => format!("\\textbf{{{}}}", set(&whole, setting)),
            (true, decimals) => format!("{BEST_NAME}{{{}}}{{{decimals}}}", set(&whole, setting)),
        };
        (number, space)
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

/// Returns the parts of a number; `None` if it is no number.
fn parts(text: &str) -> Option<Parts<'_>> {
    let plain = text.strip_prefix('<').unwrap_or(text).replace(',', "");
    if !plain.parse::<f64>().is_ok_and(f64::is_finite) {
        return None;
    }
    let (sign, digits) = text.split_at(text.find(|of| !"<+-".contains(of))?);
    let (whole, decimals) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    Some(Parts { sign, whole, decimals })
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
        cells.iter().map(|cell| aligned.text(&cell.text, setting, cell.best, "")).collect()
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
                "{[}\\num{-10},\\phantom{.9} \\num{1234}{]}\\phantom{.25}",
            ]
        );
        // A sign and digits are invisible each for itself: in most fonts their widths differ.
        assert_eq!(
            column(
                &["--", "[-20.9, -15.5]", "[-9.1, -5.4]", "[-1.0, 4.2]", "[1.0, 14.2]"],
                NumberSetting::Plain
            )[1..],
            [
                "{[}$-$20.9, $-$15.5{]}",
                "{[}$-$9.1, \\phantom{1}$-$5.4{]}",
                "{[}$-$1.0, \\phantom{$-$1}4.2{]}",
                "{[}1.0, \\phantom{$-$}14.2{]}",
            ]
        );
    }
}
