//! Looks that distinguish things: six, each with its own colour, dash, marker and pattern.
//!
//! All looks differ without colour. The colours are those of Okabe and Ito (2008), which colour-blind readers can distinguish.
//! Everything without a look is drawn in the ink of the page (`currentColor`), black by default.

/// The number of looks; further things reuse them in turn.
pub const LOOKS: usize = 6;

/// CSS rules that adapt plots to a light or dark page. A page may set `--ink` and `--ground`.
pub const SHEET: &str = "\
svg.plot{color:var(--ink,CanvasText);max-width:100%;height:auto}
svg.plot .ground{fill:var(--ground,Canvas)}
@media (prefers-color-scheme:dark){\
svg.plot .s1{color:#56b4e9}svg.plot .s2{color:#ff9d4d}svg.plot .s3{color:#2bc99a}\
svg.plot .s4{color:#e6a3c8}svg.plot .s5{color:#f0c040}}
";

/// Opacity of the strongest tint: text in ink keeps a contrast of 4.5 to 1 on it, light and dark.
pub const TINT: f64 = 0.45;

/// Colours; the first is the ink of the page.
const COLOURS: [&str; LOOKS] = ["#000", "#0072b2", "#d55e00", "#009e73", "#b5588f", "#b07800"];
const DASHES: [&str; LOOKS] = ["", "6 3", "1.5 2.5", "8 2.5 1.5 2.5", "3 2", "10 3 2 3 2 3"];

/// Returns the class and colour attributes of a look; elements with them are painted with `currentColor`.
pub(super) fn ink(look: usize) -> String {
    match look % LOOKS {
        0 => "class=\"s0\"".into(),
        look => format!("class=\"s{look}\" color=\"{}\"", COLOURS[look]),
    }
}

pub(super) fn line(look: usize) -> String {
    let dash = DASHES[look % LOOKS];
    let dashes = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    format!("{} fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\"{dashes}", ink(look))
}

pub(super) fn bar(look: usize) -> String {
    let fill = match look % LOOKS {
        0 => "fill=\"currentColor\" fill-opacity=\"0.5\"".into(),
        1 => "fill=\"currentColor\" fill-opacity=\"0.25\"".into(),
        look => format!("fill=\"url(#look{look})\""),
    };
    format!("{} {fill} stroke=\"currentColor\" stroke-width=\"0.7\"", ink(look))
}

/// Returns the attributes of a band around a line of a look.
pub(super) fn band(look: usize) -> String {
    format!(
        "{} fill=\"currentColor\" fill-opacity=\"0.12\" stroke=\"currentColor\" stroke-opacity=\"0.5\" \
         stroke-width=\"0.4\"",
        ink(look)
    )
}

/// Returns the definitions of fill patterns: diagonals for [`super::Fill::Hatched`], and one for each look
/// from the third on. Every figure defines them; a page that hides figures defines them once in front, as
/// browsers ignore definitions in hidden figures.
pub fn patterns() -> String {
    let strokes = "stroke=\"currentColor\" stroke-width=";
    let lines = |width: &str| format!("<path d=\"M0 0V4\" {strokes}\"{width}\"/>");
    let pattern = |id: &str, ink: &str, size: &str, turn: &str, drawn: &str| {
        format!(
            "<pattern id=\"{id}\" {ink}width=\"{size}\" height=\"{size}\" patternUnits=\"userSpaceOnUse\"{turn}>\
             <rect class=\"ground\" width=\"{size}\" height=\"{size}\" fill=\"#fff\"/>{drawn}</pattern>"
        )
    };
    let turned = |by: &str| format!(" patternTransform=\"rotate({by})\"");
    let of = |look: usize| format!("{} ", ink(look));
    let crossed = format!("<path d=\"M0 0V5M0 0H5\" {strokes}\"1.4\"/>");
    [
        "<defs>".into(),
        pattern("hatch", "", "4", &turned("45"), &lines("1.6")),
        pattern("look2", &of(2), "4", &turned("45"), &lines("2.4")),
        pattern("look3", &of(3), "4", &turned("-45"), &lines("1.4")),
        pattern("look4", &of(4), "4", "", "<circle cx=\"2\" cy=\"2\" r=\"1.1\" fill=\"currentColor\"/>"),
        pattern("look5", &of(5), "5", "", &crossed),
        "</defs>".into(),
    ]
    .concat()
}

/// Returns the outline of the marker of a look around zero: a path in pixels.
pub(super) fn marker(look: usize) -> &'static str {
    match look % LOOKS {
        0 => "M-3 0A3 3 0 1 1 3 0A3 3 0 1 1 -3 0Z",
        1 => "M-2.7 -2.7H2.7V2.7H-2.7Z",
        2 => "M0 -3.6L3.4 2.4H-3.4Z",
        3 => "M0 -3.8L3.4 0L0 3.8L-3.4 0Z",
        4 => "M0 3.6L3.4 -2.4H-3.4Z",
        _ => "M-1.2 -3.5H1.2V-1.2H3.5V1.2H1.2V3.5H-1.2V1.2H-3.5V-1.2H-1.2Z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ink and ground of the report's page, light and dark.
    const THEMES: [(&str, &str); 2] = [("#1b1f24", "#ffffff"), ("#e3e7ec", "#14181d")];

    fn channels(colour: &str) -> [f64; 3] {
        let digits = colour.trim_start_matches('#');
        let part = |at: usize| match digits.len() {
            3 => u8::from_str_radix(&digits[at..=at].repeat(2), 16),
            _ => u8::from_str_radix(&digits[2 * at..2 * at + 2], 16),
        };
        [0, 1, 2].map(|at| f64::from(part(at).unwrap()) / 255.0)
    }

    /// The relative luminance of WCAG 2.
    fn luminance(colour: [f64; 3]) -> f64 {
        let [red, green, blue] = colour
            .map(|part| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
        one.max(other) / one.min(other)
    }

    fn colours(is_dark: bool) -> Vec<[f64; 3]> {
        let of = |look: usize| match (look, is_dark) {
            (0, _) => channels(THEMES[usize::from(is_dark)].0),
            (look, false) => channels(COLOURS[look]),
            (look, true) => {
                let rule = format!(".s{look}{{color:");
                channels(SHEET.split(&rule).nth(1).and_then(|rest| rest.split('}').next()).unwrap())
            }
        };
        (0..LOOKS).map(of).collect()
    }

    #[test]
    fn lines_and_text_on_tints_have_enough_contrast_light_and_dark() {
        for (is_dark, (ink, ground)) in [false, true].into_iter().zip(THEMES) {
            let (ink, ground) = (channels(ink), channels(ground));
            for (look, colour) in colours(is_dark).into_iter().enumerate() {
                let line = contrast(colour, ground);
                assert!(line >= 3.0, "a line of look {look}, dark {is_dark}: {line:.2}");
                if look > 0 {
                    let mix = |at: usize| colour[at] * TINT + ground[at] * (1.0 - TINT);
                    let tint = [0, 1, 2].map(mix);
                    let text = contrast(ink, tint);
                    assert!(text >= 4.5, "text on a tint of look {look}, dark {is_dark}: {text:.2}");
                }
            }
        }
    }
}
