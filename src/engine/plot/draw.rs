//! Draws marks: converts units of the axes to pixels.

use super::axis::Axis;
use super::key::draw_dot;
use super::mark::{Area, HorizontalRange, Mark, Point, Stroke, VerticalRange};
use super::svg::{Anchor, Svg};
use super::thin::thin;

/// Height of a line of text within a panel.
const LINE: f64 = 11.0;
const HEAD: f64 = 5.0;
/// Half the width of the cap of a whisker.
const CAP: f64 = 3.0;

/// The rectangle that holds the marks, with the axes that map values to it.
pub(super) struct PlotArea<'a> {
    pub width: f64,
    pub height: f64,
    pub x: &'a Axis,
    pub y: &'a Axis,
}

impl PlotArea<'_> {
    pub fn x(&self, value: f64) -> f64 {
        self.x.scale.position(value) * self.width
    }

    pub fn y(&self, value: f64) -> f64 {
        (1.0 - self.y.scale.position(value)) * self.height
    }

    fn at(&self, point: Point) -> (f64, f64) {
        (self.x(point.0), self.y(point.1))
    }

    pub fn draw(&self, svg: &mut Svg, mark: &Mark) {
        match mark {
            Mark::Line(stroke, points) => svg.lines(&self.thinned(points), &stroke.attributes()),
            Mark::Steps(stroke, points) => svg.steps(&self.thinned(points), &stroke.attributes()),
            Mark::Areas(areas) => {
                for area in areas {
                    self.draw_area(svg, area, None);
                }
            }
            Mark::Titled(areas) => {
                for (area, title) in areas {
                    self.draw_area(svg, area, Some(title));
                }
            }
            Mark::Tiles(fill, areas) => {
                let corner =
                    |area: &Area| [self.x(area.x.0), self.y(area.y.1), self.x(area.x.1), self.y(area.y.0)];
                let corners: Vec<_> = areas.iter().map(corner).collect();
                svg.tiles(&corners, &fill.attributes());
            }
            Mark::Band(look, spans) => self.draw_band(svg, *look, spans),
            Mark::Whiskers(stroke, spans) => self.draw_whiskers(svg, *stroke, spans),
            Mark::Ranges(stroke, ranges) => self.draw_ranges(svg, *stroke, ranges),
            Mark::Dots(look, dots) => {
                for dot in dots {
                    draw_dot(svg, *look, self.at(dot.at), dot.is_hollow, &dot.title);
                }
            }
            Mark::Words(words) => {
                for words in words {
                    let (x, y) = self.at(words.at);
                    svg.words((x, y + 3.5 + LINE * words.below), Anchor::Middle, "", &words.text);
                }
            }
        }
    }

    fn thinned(&self, points: &[Point]) -> Vec<(f64, f64)> {
        thin(&points.iter().map(|&point| self.at(point)).collect::<Vec<_>>())
    }

    fn draw_area(&self, svg: &mut Svg, area: &Area, title: Option<&str>) {
        let (left, right) = (self.x(area.x.0), self.x(area.x.1));
        let (low, high) = (self.y(area.y.0), self.y(area.y.1));
        let (width, height) = (right - left, low - high);
        if width > 0.0 && height > 0.0 {
            match title {
                Some(title) => {
                    svg.titled_rect((left, high), (width, height), &area.fill.attributes(), title);
                }
                None => svg.rect((left, high), width, height, &area.fill.attributes()),
            }
        }
    }

    fn draw_band(&self, svg: &mut Svg, look: usize, spans: &[VerticalRange]) {
        let upper = spans.iter().map(|span| self.at((span.x, span.high)));
        let lower = spans.iter().rev().map(|span| self.at((span.x, span.low)));
        let around: Vec<(f64, f64)> = upper.chain(lower).collect();
        svg.area(&around, &super::look::band(look));
    }

    fn draw_whiskers(&self, svg: &mut Svg, stroke: Stroke, spans: &[VerticalRange]) {
        let attributes = stroke.undashed();
        for span in spans {
            let (x, low, high) = (self.x(span.x), self.y(span.low), self.y(span.high));
            svg.line((x, low), (x, high), &attributes);
            for end in [low, high] {
                svg.line((x - CAP, end), (x + CAP, end), &attributes);
            }
        }
    }

    fn draw_ranges(&self, svg: &mut Svg, stroke: Stroke, ranges: &[HorizontalRange]) {
        let attributes = stroke.undashed();
        let scale = &self.x.scale;
        for range in ranges {
            let y = self.y(range.y);
            let (low, high) = (self.x(range.low), self.x(range.high));
            svg.line((low, y), (high, y), &attributes);
            for (end, is_cut, inwards) in
                [(low, range.low < scale.from(), HEAD), (high, range.high > scale.to(), -HEAD)]
            {
                for side in [-CAP, CAP] {
                    let from = if is_cut { end + inwards } else { end };
                    svg.line((from, y + side), (end, y), &attributes);
                }
            }
        }
    }
}
