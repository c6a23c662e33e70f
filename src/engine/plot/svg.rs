//! SVG, written element by element.

use std::fmt::Write;

use batchlab_traces::foreign;

use super::look;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG document being written. Lengths are pixels, y grows downwards.
#[derive(Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// Begins a document with a white background; title and description are for readers who cannot see the plot.
    ///
    /// Ink is `currentColor`: black by default, and the page's `color` if the document is embedded in a page.
    pub fn new((width, height): (f64, f64), zoom: f64, title: &str, description: &str) -> Svg {
        let (wide, high) = (pixels(width * zoom), pixels(height * zoom));
        let (width, height) = (pixels(width), pixels(height));
        let size = format!("width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\"");
        let mut svg = Svg { text: String::new() };
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" class=\"plot\" {size} role=\"img\" \
             color=\"#000\" fill=\"currentColor\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\">"
        ));
        svg.raw(&format!("<title>{}</title>", escape(title)));
        svg.raw(&format!("<desc>{}</desc>", escape(description)));
        svg.raw(&look::patterns());
        svg.raw(&format!("<rect class=\"ground\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"));
        svg
    }

    pub fn open(&mut self, x: f64, y: f64) {
        self.raw(&format!("<g transform=\"translate({} {})\">", pixels(x), pixels(y)));
    }

    pub fn close(&mut self) {
        self.raw("</g>");
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixels);
        self.raw(&format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {attributes}/>"));
    }

    pub fn rect(&mut self, corner: (f64, f64), width: f64, height: f64, attributes: &str) {
        let [x, y, width, height] = [corner.0, corner.1, width, height].map(pixels);
        self.raw(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {attributes}/>"));
    }

    pub fn titled_rect(
        &mut self,
        corner: (f64, f64),
        (width, height): (f64, f64),
        attributes: &str,
        title: &str,
    ) {
        let [x, y, width, height] = [corner.0, corner.1, width, height].map(pixels);
        let title = escape(title);
        self.raw(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {attributes}><title>{title}</title></rect>"
        ));
    }

    /// Draws an outline moved to a point; with a tooltip unless the title is empty.
    pub fn outline(&mut self, at: (f64, f64), path: &str, attributes: &str, title: &str) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        let rest = match title {
            "" => "/>".into(),
            title => format!("><title>{}</title></path>", escape(title)),
        };
        self.raw(&format!("<path transform=\"translate({x} {y})\" d=\"{path}\" {attributes}{rest}"));
    }

    pub fn area(&mut self, points: &[(f64, f64)], attributes: &str) {
        let mut path = joined(points);
        if !path.is_empty() {
            path.push('Z');
        }
        self.path(&path, attributes);
    }

    /// Draws rectangles as one path, each by its left, top, right and bottom.
    pub fn tiles(&mut self, rectangles: &[[f64; 4]], attributes: &str) {
        let mut path = String::new();
        for rectangle in rectangles {
            let [left, top, right, bottom] = rectangle.map(pixels);
            let _ = write!(path, "M{left} {top}H{right}V{bottom}H{left}Z");
        }
        self.path(&path, attributes);
    }

    pub fn lines(&mut self, points: &[(f64, f64)], attributes: &str) {
        self.path(&joined(points), attributes);
    }

    /// Draws steps: horizontally from each point to the x of the next, then vertically to it.
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

    /// Writes a text with its base line at a point.
    pub fn words(&mut self, at: (f64, f64), anchor: Anchor, attributes: &str, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        if words.is_empty() {
            return;
        }
        let (x, y) = (pixels(at.0), pixels(at.1));
        let gap = if attributes.is_empty() { "" } else { " " };
        let words = escape(words);
        self.raw(&format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{gap}{attributes}>{words}</text>"
        ));
    }

    /// Writes a text rotated upwards, with the middle of its base line at a point.
    pub fn words_upwards(&mut self, at: (f64, f64), words: &str) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        self.words(at, Anchor::Middle, &format!("transform=\"rotate(-90 {x} {y})\""), words);
    }

    /// Writes a slanted text that ends at a point below and to the right of its beginning.
    pub fn words_slanted(&mut self, at: (f64, f64), degrees: f64, words: &str) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        let turn = format!("transform=\"rotate({} {x} {y})\"", pixels(-degrees));
        self.words(at, Anchor::End, &turn, words);
    }

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

fn joined(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, &(x, y)) in points.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(path, "{}{} {}", if at == 0 { "M" } else { "L" }, pixels(x), pixels(y));
    }
    path
}

/// Prints a length in hundredths of a pixel without trailing zeros; 0 if it is not finite.
pub fn pixels(length: f64) -> String {
    let hundredths = if length.is_finite() { (length * 100.0).round() as i64 } else { 0 };
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match (size / 100, size % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, rest) => format!("{sign}{whole}.{}", format!("{rest:02}").trim_end_matches('0')),
    }
}

/// Escapes XML markup and replaces characters that XML does not allow.
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
            character if foreign::is_unsafe(character) => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}
