//! The key of a panel: samples of marks and their names, in as many lines as needed.

use super::look;
use super::mark::{Fill, Stroke};
use super::svg::{Anchor, Svg};
use super::text::{fit, width};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sample {
    Line(Stroke),
    /// A line with a marker.
    Marked(usize),
    /// A marker alone; `true` if hollow.
    Dot(usize, bool),
    Area(Fill),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Key {
    entries: Vec<(Sample, String)>,
}

const LINE: f64 = 13.0;
const SIZE: f64 = 10.0;
/// Width between a sample and its name, and after the name.
const GAP: f64 = 4.0;
const SPACE: f64 = 10.0;

const BORDER: &str = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"0.5\"";

impl Sample {
    fn width(self) -> f64 {
        match self {
            Sample::Line(_) | Sample::Marked(_) => 20.0,
            Sample::Area(_) | Sample::Dot(..) => 10.0,
        }
    }
}

impl Key {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the key with the entries of another one that it lacks.
    #[must_use]
    pub fn with(mut self, other: &Key) -> Key {
        for entry in &other.entries {
            if !self.entries.iter().any(|known| known.1 == entry.1) {
                self.entries.push(entry.clone());
            }
        }
        self
    }

    pub fn add(&mut self, sample: Sample, name: &str) {
        self.entries.push((sample, name.into()));
    }

    /// Returns the additional height of the key's lines after the first one.
    pub fn extra(&self, room: f64) -> f64 {
        let lines = self.places(room).last().map_or(0, |place| place.1);
        lines as f64 * LINE
    }

    /// Draws the key; the given point is the left end of its first line, at half its height.
    pub fn draw(&self, svg: &mut Svg, (left, top): (f64, f64), room: f64) {
        for ((sample, name), (x, line)) in self.entries.iter().zip(self.places(room)) {
            let at = (left + x, top + line as f64 * LINE);
            draw_sample(svg, *sample, at);
            let start = x + sample.width() + GAP;
            let name = fit(name, room - start, SIZE);
            svg.words((left + start, at.1 + 3.5), Anchor::Start, "", &name);
        }
    }

    /// Returns the position of each entry: x offset and line.
    fn places(&self, room: f64) -> Vec<(f64, usize)> {
        let (mut x, mut line) = (0.0, 0);
        let place = |(sample, name): &(Sample, String)| {
            let wide = sample.width() + GAP + width(name, SIZE);
            if x > 0.0 && x + wide > room {
                (x, line) = (0.0, line + 1);
            }
            let place = (x, line);
            x += wide + SPACE;
            place
        };
        self.entries.iter().map(place).collect()
    }
}

fn draw_sample(svg: &mut Svg, sample: Sample, (x, y): (f64, f64)) {
    let line = |svg: &mut Svg, stroke: Stroke| {
        svg.line((x, y), (x + sample.width(), y), &stroke.attributes());
    };
    match sample {
        Sample::Line(stroke) => line(svg, stroke),
        Sample::Marked(look) => {
            line(svg, Stroke::Of(look));
            draw_dot(svg, look, (x + sample.width() / 2.0, y), false, "");
        }
        Sample::Dot(look, is_hollow) => draw_dot(svg, look, (x + 5.0, y), is_hollow, ""),
        Sample::Area(fill) => {
            svg.rect((x, y - 4.0), sample.width(), 8.0, &fill.attributes());
            if fill != Fill::Reserved {
                svg.rect((x, y - 4.0), sample.width(), 8.0, BORDER);
            }
        }
    }
}

pub(super) fn draw_dot(svg: &mut Svg, look: usize, at: (f64, f64), is_hollow: bool, title: &str) {
    if is_hollow {
        // The marker is filled with the background so that it hides the line behind it; its outline has the colour of the look.
        svg.outline(at, look::marker(look), "class=\"ground\" fill=\"#fff\"", "");
        let outline =
            format!("{} fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\"", look::ink(look));
        svg.outline(at, look::marker(look), &outline, title);
    } else {
        svg.outline(at, look::marker(look), &format!("{} fill=\"currentColor\"", look::ink(look)), title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_on_in_the_next_line_where_there_is_no_room() {
        let mut key = Key::default();
        for name in ["EASY", "conservative", "FCFS"] {
            key.add(Sample::Line(Stroke::Solid), name);
        }
        let lines = |room| key.places(room).iter().map(|place| place.1).collect::<Vec<_>>();
        assert_eq!((lines(1000.0), lines(170.0), lines(10.0)), (vec![0, 0, 0], vec![0, 0, 1], vec![0, 1, 2]));
        assert_eq!((key.extra(1000.0), key.extra(10.0)), (0.0, 26.0));
    }
}
