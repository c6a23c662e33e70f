//! Plots as PNG, made of their SVG: with the fonts of the PDF, and none of the machine's.

/// Pixels of PNG per pixel of SVG: 300 dots per inch.
const SCALE: f32 = 300.0 / 96.0;
/// The family of the fonts in `fonts`.
const FAMILY: &str = "Batchlab Sans";

/// Returns a plot as PNG, of its SVG as [`Page`](super::Page) writes it.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, String> {
    use resvg::{tiny_skia, usvg};

    use super::font::Font;

    let mut options = usvg::Options { font_family: FAMILY.into(), ..usvg::Options::default() };
    let fonts = options.fontdb_mut();
    for font in [Font::regular(), Font::bold()] {
        fonts.load_font_data(font.file.to_vec());
    }
    fonts.set_sans_serif_family(FAMILY);
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|length| (length * SCALE).ceil() as u32);
    let mut image = tiny_skia::Pixmap::new(width, height).ok_or("the plot is too large for a PNG")?;
    // The last pixels of a length that is no whole number would be half transparent.
    image.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut image.as_mut());
    image.encode_png().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::Pixmap;

    use super::super::svg::{Anchor, Svg};
    use super::png;

    /// Draws a text on a white ground of 100 × 20 pixels.
    fn drawn(words: &str) -> Vec<u8> {
        let mut svg = Svg::new((100.0, 20.0), 1.0, "", "");
        svg.words((5.0, 15.0), Anchor::Start, "", words);
        png(&svg.finish()).unwrap()
    }

    #[test]
    fn a_png_has_300_dots_per_inch_and_the_letters_of_the_embedded_font() {
        let dark = |words: &str| {
            let image = Pixmap::decode_png(&drawn(words)).unwrap();
            assert_eq!((image.width(), image.height()), (313, 63));
            image.pixels().iter().filter(|pixel| pixel.red() < 128).count()
        };
        // An "l" is a bar of 10 pixels × 0.7 of the font size, an "M" has four strokes.
        assert_eq!(dark(""), 0);
        assert!(dark("l") > 40 && dark("M") > 3 * dark("l"), "{} and {}", dark("l"), dark("M"));
        assert_eq!(drawn("mean wait"), drawn("mean wait"));
    }
}
