//! The fonts that PDF figures contain: Liberation Sans, reduced to Latin, Greek and some signs.
//!
//! Its letters are as wide as Helvetica's, so a figure looks the same as SVG and as PDF.

use batchlab_traces::sorted::SortedMap;

pub(super) struct Font {
    pub name: &'static str,
    pub file: &'static [u8],
    glyphs: SortedMap<char, u16>,
    advances: Vec<u16>,
}

/// Units of all lengths in the fonts per font size.
pub(super) const UNITS: f64 = 2048.0;
/// Highest and lowest point of letters, and height of capitals, in units.
pub(super) const HEIGHTS: [f64; 3] = [1854.0, -434.0, 1409.0];

impl Font {
    pub fn regular() -> Font {
        Font::of("BatchlabSans-Regular", include_bytes!("fonts/BatchlabSans-Regular.ttf"))
    }

    pub fn bold() -> Font {
        Font::of("BatchlabSans-Bold", include_bytes!("fonts/BatchlabSans-Bold.ttf"))
    }

    fn of(name: &'static str, file: &'static [u8]) -> Font {
        let metrics = number(table(file, *b"hhea"), 34);
        let widths = table(file, *b"hmtx");
        let advances = (0..usize::from(metrics)).map(|at| number(widths, at * 4)).collect();
        Font { name, file, glyphs: glyphs(table(file, *b"cmap")), advances }
    }

    /// Returns the glyph of a character; 0, an empty box, if the font has none.
    pub fn glyph(&self, character: char) -> u16 {
        self.glyphs.get(&character).copied().unwrap_or(0)
    }

    pub fn glyphs(&self) -> impl Iterator<Item = (char, u16)> + '_ {
        self.glyphs.iter().map(|(&character, &glyph)| (character, glyph))
    }

    /// Returns the advances of all glyphs, for a font size of 1000.
    pub fn advances(&self) -> impl Iterator<Item = f32> + '_ {
        self.advances.iter().map(|&advance| (f64::from(advance) * 1000.0 / UNITS) as f32)
    }

    pub fn width(&self, text: &str, size: f64) -> f64 {
        let last = self.advances.last().copied().unwrap_or(0);
        let advance = |glyph: u16| self.advances.get(usize::from(glyph)).copied().unwrap_or(last);
        let units: f64 = text.chars().map(|character| f64::from(advance(self.glyph(character)))).sum();
        units * size / UNITS
    }
}

fn number(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
}

fn long(bytes: &[u8], at: usize) -> usize {
    usize::from(number(bytes, at)) << 16 | usize::from(number(bytes, at + 2))
}

/// Returns a table of a font file; empty if the file has none of this name.
fn table(file: &[u8], name: [u8; 4]) -> &[u8] {
    let entries = (0..usize::from(number(file, 4))).map(|at| 12 + at * 16);
    let mut found = entries.filter(|&entry| file.get(entry..entry + 4) == Some(&name[..]));
    found.next().and_then(|entry| file.get(long(file, entry + 8)..)).unwrap_or(&[])
}

/// Returns the glyphs of characters by the subtable of format 4.
fn glyphs(cmap: &[u8]) -> SortedMap<char, u16> {
    let offsets = (0..usize::from(number(cmap, 2))).map(|at| long(cmap, 4 + at * 8 + 4));
    let subtables = offsets.filter_map(|offset| cmap.get(offset..));
    let mut glyphs = SortedMap::new();
    let Some(map) = subtables.into_iter().find(|map| number(map, 0) == 4) else { return glyphs };
    let size = usize::from(number(map, 6));
    for segment in (0..size).step_by(2) {
        let [end, start, delta, offset] =
            [14, 16 + size, 16 + 2 * size, 16 + 3 * size].map(|part| number(map, part + segment));
        for code in start..=end {
            let glyph = match offset {
                0 => code.wrapping_add(delta),
                _ => {
                    let at = 16 + 3 * size + segment + usize::from(offset) + 2 * usize::from(code - start);
                    match number(map, at) {
                        0 => 0,
                        glyph => glyph.wrapping_add(delta),
                    }
                }
            };
            if let Some(character) = char::from_u32(u32::from(code)).filter(|_| glyph > 0 && code < u16::MAX)
            {
                glyphs.insert(character, glyph);
            }
        }
    }
    glyphs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_as_those_of_helvetica() {
        for font in [Font::regular(), Font::bold()] {
            assert_eq!(font.glyphs().count(), 401, "{}", font.name);
            for character in "Az09é–×≤µαΩ…".chars() {
                assert!(font.glyph(character) > 0, "{character} of {}", font.name);
            }
        }
        // Helvetica's widths by its metrics file: W 944, i 222, 0 556.
        let regular = Font::regular();
        assert_eq!(["W", "i", "0"].map(|text| regular.width(text, 1000.0).round()), [944.0, 222.0, 556.0]);
    }
}
