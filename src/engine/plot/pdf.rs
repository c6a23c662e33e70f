//! Plots as PDF, made of their SVG: the same picture, with its fonts in it, in the same bytes on every machine.

use batchlab_traces::sorted::SortedMap;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{
    CidFontType, ColorSpaceOperand, FontFlags, PaintType, SystemInfo, TilingType, UnicodeCmap,
};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use roxmltree::{Document, Node};

use super::font::{Font, HEIGHTS, UNITS};

/// Points of PDF per pixel of SVG.
const POINT: f32 = 0.75;
const LEVEL: u8 = 6;
const INFO: SystemInfo<'_> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A colour: red, green, blue from 0 to 1.
type Colour = [f32; 3];

/// What fills an area.
enum Paint {
    None,
    Plain(Colour),
    Pattern(String),
}

/// What is inherited from the elements around an element.
#[derive(Clone, Copy)]
struct Inherited {
    ink: Colour,
    size: f64,
}

struct Drawing {
    content: Content,
    fonts: [Font; 2],
    /// Which of the fonts are used.
    used: [bool; 2],
    /// The opacities of areas and lines in thousandths, with the number of their state.
    states: SortedMap<(u16, u16), usize>,
    patterns: SortedMap<String, usize>,
}

/// Returns a plot as PDF, of its SVG as [`Page`](super::Page) writes it.
pub fn pdf(svg: &str) -> Result<Vec<u8>, String> {
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let view: Vec<f64> = words(root.attribute("viewBox").unwrap_or_default());
    let [width, height, wide] = [view.get(2).copied(), view.get(3).copied(), number(root, "width")]
        .map(|length| length.unwrap_or(1.0) as f32);
    let zoom = POINT * wide / width;
    let base = [zoom, 0.0, 0.0, -zoom, 0.0, height * zoom];
    let mut drawing = Drawing::default();
    drawing.content.save_state().transform(base);
    drawing.children(root, Inherited { ink: [0.0; 3], size: 10.0 })?;
    drawing.content.restore_state();
    let title = root.children().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
    drawing.finish(&document, (width * zoom, height * zoom), zoom, title.unwrap_or_default())
}

impl Default for Drawing {
    fn default() -> Drawing {
        let fonts = [Font::regular(), Font::bold()];
        let (states, patterns) = Default::default();
        Drawing { content: Content::new(), fonts, used: [false; 2], states, patterns }
    }
}

impl Drawing {
    fn children(&mut self, node: Node<'_, '_>, inherited: Inherited) -> Result<(), String> {
        node.children().filter(Node::is_element).try_for_each(|child| self.element(child, inherited))
    }

    fn element(&mut self, node: Node<'_, '_>, inherited: Inherited) -> Result<(), String> {
        let inherited = Inherited {
            ink: node.attribute("color").map_or(Ok(inherited.ink), colour)?,
            size: number(node, "font-size").unwrap_or(inherited.size),
        };
        let of = |key: &str| number(node, key).unwrap_or(0.0) as f32;
        match node.tag_name().name() {
            "title" | "desc" | "defs" => Ok(()),
            "g" => {
                let (x, y) = moved(node)?;
                self.content.save_state().transform([1.0, 0.0, 0.0, 1.0, x, y]);
                self.children(node, inherited)?;
                self.content.restore_state();
                Ok(())
            }
            "text" => self.text(node, inherited),
            "line" => self.shape(node, inherited, |content| {
                content.move_to(of("x1"), of("y1")).line_to(of("x2"), of("y2"));
                Ok(())
            }),
            "rect" => self.shape(node, inherited, |content| {
                content.rect(of("x"), of("y"), of("width"), of("height"));
                Ok(())
            }),
            "circle" => self.shape(node, inherited, |content| {
                let (x, y, r) = (of("cx"), of("cy"), of("r"));
                content.move_to(x - r, y);
                arc(content, (x - r, y), (x + r, y), r);
                arc(content, (x + r, y), (x - r, y), r);
                Ok(())
            }),
            "path" => {
                self.shape(node, inherited, |content| path(content, node.attribute("d").unwrap_or_default()))
            }
            other => Err(format!("`{other}` cannot be drawn as PDF")),
        }
    }

    /// Draws an outline: its area, its line or both.
    fn shape(
        &mut self,
        node: Node<'_, '_>,
        inherited: Inherited,
        outline: impl Fn(&mut Content) -> Result<(), String>,
    ) -> Result<(), String> {
        let fill = paint(node.attribute("fill").unwrap_or("currentColor"), inherited.ink)?;
        let stroke = paint(node.attribute("stroke").unwrap_or("none"), inherited.ink)?;
        let is_line = node.has_tag_name("line");
        self.content.save_state();
        self.set_opacity(node);
        if node.has_tag_name("path") && node.has_attribute("transform") {
            let (x, y) = moved(node)?;
            self.content.transform([1.0, 0.0, 0.0, 1.0, x, y]);
        }
        let is_filled = !is_line && !matches!(fill, Paint::None);
        match fill {
            Paint::Plain([red, green, blue]) => {
                self.content.set_fill_rgb(red, green, blue);
            }
            Paint::Pattern(name) => {
                let next = self.patterns.len();
                let at = *self.patterns.entry(name).or_insert(next);
                self.content.set_fill_color_space(ColorSpaceOperand::Pattern);
                self.content.set_fill_pattern([], Name(format!("P{at}").as_bytes()));
            }
            Paint::None => {}
        }
        let is_stroked = matches!(stroke, Paint::Plain(_));
        if let Paint::Plain([red, green, blue]) = stroke {
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(number(node, "stroke-width").unwrap_or(1.0) as f32);
            let dashes: Vec<f64> = words(node.attribute("stroke-dasharray").unwrap_or_default());
            self.content.set_dash_pattern(dashes.into_iter().map(|dash| dash as f32), 0.0);
        }
        outline(&mut self.content)?;
        match (is_filled, is_stroked) {
            (true, true) => self.content.fill_nonzero_and_stroke(),
            (true, false) => self.content.fill_nonzero(),
            (false, true) => self.content.stroke(),
            (false, false) => self.content.end_path(),
        };
        self.content.restore_state();
        Ok(())
    }

    fn text(&mut self, node: Node<'_, '_>, inherited: Inherited) -> Result<(), String> {
        let text = node.text().unwrap_or_default();
        let which = usize::from(node.attribute("font-weight") == Some("bold"));
        self.used[which] = true;
        let font = &self.fonts[which];
        let width = font.width(text, inherited.size);
        let back = match node.attribute("text-anchor") {
            Some("middle") => width / 2.0,
            Some("end") => width,
            _ => 0.0,
        };
        let glyphs: Vec<u8> =
            text.chars().flat_map(|character| font.glyph(character).to_be_bytes()).collect();
        let degrees = match node.attribute("transform").and_then(|turn| turn.strip_prefix("rotate(")) {
            Some(turn) => words(turn.trim_end_matches(')')).first().copied().unwrap_or(0.0),
            None => 0.0,
        };
        let (sin, cos) = degrees.to_radians().sin_cos();
        let [x, y] = ["x", "y"].map(|key| number(node, key).unwrap_or(0.0));
        let (x, y) = (x - back * cos, y - back * sin);
        // The page grows downwards and letters upwards.
        let matrix = [cos, sin, sin, -cos, x, y].map(|value| rounded(value) as f32);
        let Paint::Plain([red, green, blue]) =
            paint(node.attribute("fill").unwrap_or("currentColor"), inherited.ink)?
        else {
            return Ok(());
        };
        self.content.save_state();
        self.set_opacity(node);
        self.content.set_fill_rgb(red, green, blue).begin_text();
        self.content.set_font(Name(FONTS[which]), inherited.size as f32);
        self.content.set_text_matrix(matrix).show(Str(&glyphs)).end_text();
        self.content.restore_state();
        Ok(())
    }

    fn set_opacity(&mut self, node: Node<'_, '_>) {
        let [fill, stroke] = ["fill-opacity", "stroke-opacity"]
            .map(|key| (number(node, key).unwrap_or(1.0).clamp(0.0, 1.0) * 1000.0).round() as u16);
        if (fill, stroke) != (1000, 1000) {
            let next = self.states.len();
            let at = *self.states.entry((fill, stroke)).or_insert(next);
            self.content.set_parameters(Name(format!("G{at}").as_bytes()));
        }
    }

    fn finish(
        self,
        document: &Document<'_>,
        (width, height): (f32, f32),
        zoom: f32,
        title: &str,
    ) -> Result<Vec<u8>, String> {
        let mut refs = (1..).map(Ref::new);
        let mut next = || refs.next().unwrap_or(Ref::new(1));
        let [catalog, tree, page, content, info] = [(); 5].map(|()| next());
        let fonts: Vec<(usize, [Ref; 5])> =
            (0..2).filter(|&at| self.used[at]).map(|at| (at, [(); 5].map(|()| next()))).collect();
        let states: Vec<((u16, u16), usize, Ref)> =
            self.states.iter().map(|(&state, &at)| (state, at, next())).collect();
        let patterns: Vec<(&str, usize, Ref)> =
            self.patterns.iter().map(|(name, &at)| (name.as_str(), at, next())).collect();
        let mut pdf = Pdf::new();
        // What pdfTeX includes without a warning; transparency needs no more.
        pdf.set_version(1, 4);
        pdf.catalog(catalog).pages(tree);
        pdf.document_info(info)
            .title(TextStr(title))
            .creator(TextStr(concat!("batchlab ", env!("CARGO_PKG_VERSION"))));
        pdf.pages(tree).kids([page]).count(1);
        let mut of_page = pdf.page(page);
        of_page.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content);
        let mut resources = of_page.resources();
        let mut list = resources.fonts();
        for (at, refs) in &fonts {
            list.pair(Name(FONTS[*at]), refs[0]);
        }
        list.finish();
        let mut list = resources.ext_g_states();
        for (_, at, state) in &states {
            list.pair(Name(format!("G{at}").as_bytes()), state);
        }
        list.finish();
        let mut list = resources.patterns();
        for (_, at, pattern) in &patterns {
            list.pair(Name(format!("P{at}").as_bytes()), pattern);
        }
        list.finish();
        resources.finish();
        of_page.finish();
        let packed = compress_to_vec_zlib(&self.content.finish(), LEVEL);
        pdf.stream(content, &packed).filter(Filter::FlateDecode);
        for ((fill, stroke), _, state) in states {
            let share = |thousandths: u16| f32::from(thousandths) / 1000.0;
            pdf.ext_graphics(state).non_stroking_alpha(share(fill)).stroking_alpha(share(stroke));
        }
        for (name, _, pattern) in patterns {
            put_pattern(&mut pdf, document, name, pattern, (zoom, height))?;
        }
        for (at, refs) in fonts {
            put_font(&mut pdf, &self.fonts[at], refs);
        }
        Ok(pdf.finish())
    }
}

/// Names of the fonts within the document.
const FONTS: [&[u8]; 2] = [b"F0", b"F1"];

fn put_pattern(
    pdf: &mut Pdf,
    document: &Document<'_>,
    name: &str,
    at: Ref,
    (zoom, height): (f32, f32),
) -> Result<(), String> {
    let mut nodes = document.descendants();
    let node = nodes.find(|node| node.has_tag_name("pattern") && node.attribute("id") == Some(name));
    let node = node.ok_or_else(|| format!("there is no pattern `{name}`"))?;
    let mut tile = Drawing::default();
    let ink = node.attribute("color").map_or(Ok([0.0; 3]), colour)?;
    tile.children(node, Inherited { ink, size: 10.0 })?;
    let turn = node.attribute("patternTransform").and_then(|turn| turn.strip_prefix("rotate("));
    let degrees: f64 = turn.and_then(|turn| turn.trim_end_matches(')').parse().ok()).unwrap_or(0.0);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (sin, cos) = (rounded(sin) as f32 * zoom, rounded(cos) as f32 * zoom);
    let size = number(node, "width").unwrap_or(4.0) as f32;
    let content = tile.content.finish();
    let mut pattern = pdf.tiling_pattern(at, &content);
    pattern
        .paint_type(PaintType::Colored)
        .tiling_type(TilingType::ConstantSpacing)
        .bbox(Rect::new(0.0, 0.0, size, size))
        .x_step(size)
        .y_step(size)
        .matrix([cos, -sin, -sin, -cos, 0.0, height]);
    pattern.resources();
    Ok(())
}

fn put_font(pdf: &mut Pdf, font: &Font, [whole, descendant, descriptor, file, map]: [Ref; 5]) {
    let name = Name(font.name.as_bytes());
    pdf.type0_font(whole)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(descendant)
        .to_unicode(map);
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2).base_font(name).system_info(INFO).font_descriptor(descriptor);
    cid.cid_to_gid_map_predefined(Name(b"Identity"));
    cid.widths().consecutive(0, font.advances());
    cid.finish();
    let [ascent, descent, capitals] = HEIGHTS.map(|height| (height * 1000.0 / UNITS) as f32);
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(-203.0, -222.0, 1000.0, 966.0))
        .italic_angle(0.0)
        .ascent(ascent)
        .descent(descent)
        .cap_height(capitals)
        .stem_v(80.0)
        .font_file2(file);
    let packed = compress_to_vec_zlib(font.file, LEVEL);
    let mut stream = pdf.stream(file, &packed);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), font.file.len() as i32);
    stream.finish();
    let mut characters = UnicodeCmap::new(Name(b"Custom"), INFO);
    for (character, glyph) in font.glyphs() {
        characters.pair(glyph, character);
    }
    pdf.cmap(map, &characters.finish());
}

fn number(node: Node<'_, '_>, key: &str) -> Option<f64> {
    node.attribute(key)?.parse().ok()
}

/// Returns numbers that blanks or commas separate.
fn words(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect()
}

/// Rounds to millionths: sines must not differ between machines.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn moved(node: Node<'_, '_>) -> Result<(f32, f32), String> {
    let transform = node.attribute("transform").unwrap_or("translate(0 0)");
    let inner = transform.strip_prefix("translate(").and_then(|rest| rest.strip_suffix(')'));
    match inner.map(words).as_deref() {
        Some(&[x, y]) => Ok((x as f32, y as f32)),
        _ => Err(format!("`{transform}` cannot be drawn as PDF")),
    }
}

fn paint(text: &str, ink: Colour) -> Result<Paint, String> {
    Ok(match text {
        "none" => Paint::None,
        "currentColor" => Paint::Plain(ink),
        text => match text.strip_prefix("url(#") {
            Some(name) => Paint::Pattern(name.trim_end_matches(')').into()),
            None => Paint::Plain(colour(text)?),
        },
    })
}

/// Reads a colour such as `#fff` or `#0072b2`.
fn colour(text: &str) -> Result<Colour, String> {
    let wrong = || format!("`{text}` is no colour of plots");
    let digits = text.strip_prefix('#').ok_or_else(wrong)?;
    let long: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.into(),
    };
    let part = |at: usize| long.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
    let parts = [part(0), part(2), part(4)];
    match parts {
        [Some(red), Some(green), Some(blue)] => Ok([red, green, blue].map(|part| f32::from(part) / 255.0)),
        _ => Err(wrong()),
    }
}

/// Draws the outline of a path in absolute coordinates, with arcs of circles only.
fn path(content: &mut Content, text: &str) -> Result<(), String> {
    let mut at = (0.0_f32, 0.0_f32);
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let end =
            rest[1..].find(|letter: char| letter.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers: Vec<f32> = words(&rest[1..end]).into_iter().map(|number| number as f32).collect();
        match (command, &numbers[..]) {
            ('M', &[x, y]) => {
                at = (x, y);
                content.move_to(x, y);
            }
            ('L', &[x, y]) => at = (x, y),
            ('H', &[x]) => at.0 = x,
            ('V', &[y]) => at.1 = y,
            ('A', &[radius, _, _, _, _, x, y]) => {
                arc(content, at, (x, y), radius);
                at = (x, y);
            }
            ('Z', []) => {
                content.close_path();
            }
            _ => return Err(format!("the path `{}` cannot be drawn as PDF", &rest[..end])),
        }
        if matches!(command, 'L' | 'H' | 'V') {
            content.line_to(at.0, at.1);
        }
        rest = &rest[end..];
    }
    Ok(())
}

/// Draws half a circle clockwise on the screen, from one end of a horizontal diameter to the other.
fn arc(content: &mut Content, from: (f32, f32), to: (f32, f32), radius: f32) {
    // Two quarters, each a cubic Bézier curve.
    const HANDLE: f32 = 0.552_284_8;
    let (middle, side) = (f32::midpoint(from.0, to.0), if to.0 > from.0 { -radius } else { radius });
    let top = from.1 + side;
    let bend = side * HANDLE;
    let reach = (to.0 - from.0) / 2.0 * HANDLE;
    content.cubic_to(from.0, from.1 + bend, middle - reach, top, middle, top);
    content.cubic_to(middle + reach, top, to.0, to.1 + bend, to.0, to.1);
}
