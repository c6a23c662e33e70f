//! SVG, written element by element.

use std::fmt::Write;

/// Where a text stands by its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// An SVG document being written. Lengths are pixels, y grows downwards.
#[derive(Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// Begins a document with a white ground; title and description are for those who do not see it.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Svg {
        let (width, height) = (pixels(width), pixels(height));
        let mut svg = Svg { text: String::new() };
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"10\">"
        ));
        svg.raw(&format!("<title>{}</title>", escape(title)));
        svg.raw(&format!("<desc>{}</desc>", escape(description)));
        svg.raw(
            "<defs><pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect width=\"4\" height=\"4\" fill=\"#fff\"/><line x1=\"0\" \
             y1=\"0\" x2=\"0\" y2=\"4\" stroke=\"#444\" stroke-width=\"1.6\"/></pattern></defs>",
        );
        svg.raw(&format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"));
        svg
    }

    /// Begins a group whose zero is at a point.
    pub fn open(&mut self, x: f64, y: f64) {
        self.raw(&format!("<g transform=\"translate({} {})\">", pixels(x), pixels(y)));
    }

    /// Ends a group.
    pub fn close(&mut self) {
        self.raw("</g>");
    }

    /// Draws a line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixels);
        self.raw(&format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {attributes}/>"));
    }

    /// Draws a rectangle with a corner at a point.
    pub fn rect(&mut self, corner: (f64, f64), width: f64, height: f64, attributes: &str) {
        let [x, y, width, height] = [corner.0, corner.1, width, height].map(pixels);
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {attributes}/>"));
    }

    /// Draws straight lines from point to point.
    pub fn lines(&mut self, points: &[(f64, f64)], attributes: &str) {
        let mut path = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(path, "{}{} {}", if at == 0 { "M" } else { "L" }, pixels(x), pixels(y));
        }
        self.path(&path, attributes);
    }

    /// Draws steps: from each point along x to the next, then up or down to it.
    pub fn steps(&mut self, points: &[(f64, f64)], attributes: &str) {
        let mut path = String::new();
        for (at, &(x, y)) in points.iter().enumerate() {
            let _ = match at {
                0 => write!(path, "M{} {}", pixels(x), pixels(y)),
                _ => write!(path, "H{}V{}", pixels(x), pixels(y)),
            };
        }
        self.path(&path, attributes);
    }

    /// Writes a text, its base line at a point.
    pub fn words(&mut self, at: (f64, f64), anchor: Anchor, attributes: &str, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (pixels(at.0), pixels(at.1));
        let gap = if attributes.is_empty() { "" } else { " " };
        let words = escape(words);
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{gap}{attributes}>{words}</text>"
        ));
    }

    /// Writes a text upwards, the middle of its base line at a point.
    pub fn words_upwards(&mut self, at: (f64, f64), words: &str) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        self.words(at, Anchor::Middle, &format!("transform=\"rotate(-90 {x} {y})\""), words);
    }

    /// Ends the document and returns it.
    pub fn finish(mut self) -> String {
        self.raw("</svg>");
        self.text
    }

    fn path(&mut self, path: &str, attributes: &str) {
        if !path.is_empty() {
            self.raw(&format!("<path d=\"{path}\" {attributes}/>"));
        }
    }

    fn raw(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }
}

/// Prints a length in hundredths of a pixel without trailing zeros; what is not finite is 0.
pub fn pixels(length: f64) -> String {
    let hundredths = if length.is_finite() { (length * 100.0).round() as i64 } else { 0 };
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match (size / 100, size % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, rest) => format!("{sign}{whole}.{}", format!("{rest:02}").trim_end_matches('0')),
    }
}

/// Escapes what XML would read as markup, and replaces characters that it does not allow.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}
