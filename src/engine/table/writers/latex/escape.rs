//! Escapes text for LaTeX: no character is read as a command, and `pdflatex` knows each of them.

use std::fmt::Write;

/// Escapes LaTeX commands, and writes characters outside of the Latin letters as commands. A character that
/// Latin fonts lack is written as its number, such as `U+0416`, because `pdflatex` would stop at it.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = None;
    for character in text.chars() {
        // Fonts join these pairs: `--` would become a dash, which is wrong in an option of a command.
        let is_joined =
            matches!((before, character), (Some('-'), '-') | (Some(','), ',') | (Some('?' | '!' | '`'), '`'));
        if is_joined || (before, character) == (Some('\''), '\'') {
            escaped.push_str("{}");
        }
        before = Some(character);
        match (sign(character), character) {
            (Some(sign), _) => escaped.push_str(sign),
            (None, ' '..='~' | '\u{c0}'..='\u{ff}') => escaped.push(character),
            (None, _) if LETTERS.contains(character) => escaped.push(character),
            (None, _) if character.is_whitespace() => escaped.push(' '),
            (None, _) if character.is_control() => {}
            (None, _) => {
                let _ = write!(escaped, "\\texttt{{U+{:04X}}}", u32::from(character));
            }
        }
    }
    escaped
}

/// Letters beyond Latin-1 that the encoding T1 has.
const LETTERS: &str = "ĂăĄąĆćČčĎďĐđĘęĚěĞğİıĹĺĽľŁłŃńŇňŊŋŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž";

/// Returns the replacement of a character; `None` if it stands for itself or is unknown.
fn sign(character: char) -> Option<&'static str> {
    SIGNS.iter().find(|(sign, _)| *sign == character).map(|(_, written)| *written)
}

/// Signs, each with what is written for it.
macro_rules! signs {
    ($($sign:literal $written:literal)+) => { &[$(($sign, $written)),+] };
}

/// All characters that are replaced.
pub(super) const SIGNS: &[(char, &str)] = signs! {
    '&' "\\&"  '%' "\\%"  '$' "\\$"  '#' "\\#"  '_' "\\_"  '{' "\\{"  '}' "\\}"
    // A bracket at the beginning of a line would be read as an optional argument of the `\\` before it.
    '[' "{[}"  ']' "{]}"  '\\' "\\textbackslash{}"  '~' "\\textasciitilde{}"  '^' "\\textasciicircum{}"
    '<' "\\textless{}"  '>' "\\textgreater{}"  '|' "\\textbar{}"  '"' "''"  '*' "$\\ast$"
    '\u{a0}' "~"  '\u{feff}' ""  '¡' "!{}`"  '¿' "?{}`"  '¢' "c"  '£' "\\pounds{}"  '©' "\\copyright{}"  '«' "$\\ll$"
    '»' "$\\gg$"  '¬' "$\\neg$"  '\u{ad}' "\\-"  '°' "$^\\circ$"  '±' "$\\pm$"
    '¹' "$^1$"  '²' "$^2$"  '³' "$^3$"  '⁴' "$^4$"  '⁵' "$^5$"  '⁶' "$^6$"  '⁷' "$^7$"  '⁸' "$^8$"  '⁹' "$^9$"
    '⁰' "$^0$"  '⁻' "$^-$"  'ⁿ' "$^n$"  'ᵏ' "$^k$"
    '₀' "$_0$"  '₁' "$_1$"  '₂' "$_2$"  '₃' "$_3$"  '₄' "$_4$"  '₅' "$_5$"  '₊' "$_+$"  'ᵢ' "$_i$"  'ₗ' "$_l$"
    'ₜ' "$_t$"
    'µ' "$\\mu$"  '¶' "$\\mathparagraph$"  '§' "$\\mathsection$"  '·' "$\\cdot$"  '×' "$\\times$"  '÷' "$\\div$"
    '–' "--"  '—' "---"  '‘' "`"  '’' "'"  '“' "``"  '”' "''"  '…' "\\ldots{}"  '†' "$\\dagger$"  '‡' "$\\ddagger$"
    '•' "$\\bullet$"
    '−' "$-$"  '√' "$\\surd$"  '∞' "$\\infty$"
    '≈' "$\\approx$"  '≠' "$\\neq$"  '≤' "$\\leq$"  '≥' "$\\geq$"  '→' "$\\rightarrow$"  '←' "$\\leftarrow$"
    '⌈' "$\\lceil$"  '⌉' "$\\rceil$"  '⌊' "$\\lfloor$"  '⌋' "$\\rfloor$"  '─' "---"
    'Γ' "$\\Gamma$"  'Δ' "$\\Delta$"  'Θ' "$\\Theta$"  'Λ' "$\\Lambda$"  'Ξ' "$\\Xi$"  'Π' "$\\Pi$"  'Σ' "$\\Sigma$"
    'Φ' "$\\Phi$"  'Ψ' "$\\Psi$"  'Ω' "$\\Omega$"
    'α' "$\\alpha$"  'β' "$\\beta$"  'γ' "$\\gamma$"  'δ' "$\\delta$"  'ε' "$\\varepsilon$"  'ζ' "$\\zeta$"
    'η' "$\\eta$"  'θ' "$\\theta$"  'ι' "$\\iota$"  'κ' "$\\kappa$"  'λ' "$\\lambda$"  'μ' "$\\mu$"  'ν' "$\\nu$"
    'ξ' "$\\xi$"  'π' "$\\pi$"  'ρ' "$\\rho$"  'σ' "$\\sigma$"  'τ' "$\\tau$"  'υ' "$\\upsilon$"  'φ' "$\\varphi$"
    'χ' "$\\chi$"  'ψ' "$\\psi$"  'ω' "$\\omega$"
};

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use batchlab_traces::sorted::{SortedMap, SortedSet};

    use super::*;

    #[test]
    fn signs_of_latex_are_text() {
        assert_eq!(
            escape("50% of a_b & {c} \\ ~^"),
            "50\\% of a\\_b \\& \\{c\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{}"
        );
        assert_eq!(escape("τ ≤ 10 × Φ"), "$\\tau$ $\\leq$ 10 $\\times$ $\\Phi$");
        assert_eq!(escape("lognormal, σ = 1"), "lognormal, $\\sigma$ = 1");
        assert_eq!(escape("--windows -1"), "-{}-windows -1");
    }

    #[test]
    fn what_no_latin_font_has_is_its_number_and_what_is_no_character_nothing() {
        assert_eq!(escape("Zürich, Łódź"), "Zürich, Łódź");
        assert_eq!(escape("Ж作"), "\\texttt{U+0416}\\texttt{U+4F5C}");
        assert_eq!(escape("a\u{1b}[1m\tb\nc\u{7f}"), "a{[}1m b c");
    }

    /// Collects the source files of a folder that contain printed texts.
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "toml") {
                found.push(path);
            }
        }
    }

    /// Every character in the sources, except in comments and unit tests: these include all characters that a
    /// text of the program can print.
    #[test]
    fn every_character_of_our_texts_is_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = Vec::new();
        let policies = "policies/src policies/contract/src policies/external/src policies/support/src";
        for folder in "src traces/src parsers/src".split(' ').chain(policies.split(' ')) {
            sources(&root.join(folder), &mut files);
        }
        let mut unknown: SortedMap<char, SortedSet<PathBuf>> = SortedMap::new();
        let mut seen = 0;
        // This file itself lists unknown characters.
        for file in files.iter().filter(|file| !file.ends_with("latex/escape.rs")) {
            let text = std::fs::read_to_string(file).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let line = line.split(" // ").next().unwrap();
                for character in line.chars().filter(|of| !of.is_ascii()) {
                    seen += 1;
                    if escape(&character.to_string()).contains("U+") {
                        unknown.entry(character).or_default().insert(file.clone());
                    }
                }
            }
        }
        assert!(seen > 20, "{seen} characters");
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn signs_stand_once() {
        let signs: SortedSet<char> = SIGNS.iter().map(|(sign, _)| *sign).collect();
        assert_eq!(signs.len(), SIGNS.len());
        assert!(SIGNS.iter().all(|(_, written)| written.is_ascii()));
    }
}
