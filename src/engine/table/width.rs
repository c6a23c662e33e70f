//! The widths of columns and pages of text in papers, for tables and figures.

use batchlab_traces::located::values::{number, read_word_or};

/// The class of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Venue {
    /// `IEEEtran`, for conferences and journals of IEEE: two columns.
    Ieee,
    /// `acmart` with the option `sigconf`, for conferences of ACM: two columns.
    Acm,
    /// `llncs`, for Lecture Notes in Computer Science (JSSPP, Euro-Par): one column.
    Llncs,
    /// `elsarticle` with the option `5p`, for large journals of Elsevier (FGCS, JPDC, Parallel Computing): two columns.
    Elsarticle,
}

/// A width for which a table or a figure is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperWidth {
    /// A column of text of a class.
    Column(Venue),
    /// The whole text of a class, over both columns.
    Text(Venue),
    /// Tenths of a millimetre.
    Tenths(u16),
}

/// The lengths of a class, in points of TeX (72.27 to the inch).
struct Lengths {
    column: f64,
    text: f64,
    height: f64,
}

/// The least and the greatest width that can be given, in millimetres.
const MILLIMETRES: std::ops::RangeInclusive<f64> = 40.0..=400.0;
/// The greatest height of a figure of a given width: the text of a page of `llncs`, the lowest of the classes.
const LEAST_HEIGHT: f64 = 549.1;
/// Points of TeX to a millimetre.
const POINTS: f64 = 72.27 / 25.4;

impl Venue {
    /// All classes, by the names of their columns.
    pub const ALL: [(&str, Venue); 4] = [
        ("ieee", Venue::Ieee),
        ("acm", Venue::Acm),
        ("llncs", Venue::Llncs),
        ("elsarticle", Venue::Elsarticle),
    ];

    /// Returns the class with its options, as `\documentclass` takes it.
    pub const fn class(self) -> &'static str {
        match self {
            Venue::Ieee => "[conference]{IEEEtran}",
            Venue::Acm => "[sigconf, nonacm]{acmart}",
            Venue::Llncs => "{llncs}",
            Venue::Elsarticle => "[final, 5p, times, twocolumn]{elsarticle}",
        }
    }

    /// Returns the lengths `\columnwidth`, `\textwidth` and `\textheight`, as pdflatex prints them for the classes of TeX
    /// Live 2022; a test compares them with the installed classes.
    const fn lengths(self) -> Lengths {
        match self {
            Venue::Ieee => Lengths { column: 252.0, text: 516.0, height: 672.0 },
            Venue::Acm => Lengths { column: 241.1475, text: 506.295, height: 626.0 },
            Venue::Llncs => Lengths { column: 347.1235, text: 347.1235, height: 549.1383 },
            Venue::Elsarticle => Lengths { column: 252.0, text: 522.0, height: 682.0 },
        }
    }
}

impl PaperWidth {
    /// The widths by name, as files and options name them.
    pub const NAMES: [(&str, PaperWidth); 7] = [
        ("ieee", PaperWidth::Column(Venue::Ieee)),
        ("ieee-text", PaperWidth::Text(Venue::Ieee)),
        ("acm", PaperWidth::Column(Venue::Acm)),
        ("acm-text", PaperWidth::Text(Venue::Acm)),
        ("llncs", PaperWidth::Column(Venue::Llncs)),
        ("elsarticle", PaperWidth::Column(Venue::Elsarticle)),
        ("elsarticle-text", PaperWidth::Text(Venue::Elsarticle)),
    ];

    /// Returns a width in millimetres; `None` outside of 40 to 400.
    pub fn millimetres(width: f64) -> Option<PaperWidth> {
        MILLIMETRES.contains(&width).then(|| PaperWidth::Tenths((width * 10.0).floor() as u16))
    }

    /// Returns the width, in points of TeX.
    pub fn points(self) -> f64 {
        let Lengths { column, text, .. } = self.lengths();
        if matches!(self, PaperWidth::Text(_)) { text } else { column }
    }

    fn lengths(self) -> Lengths {
        match self {
            PaperWidth::Column(venue) | PaperWidth::Text(venue) => venue.lengths(),
            PaperWidth::Tenths(tenths) => {
                let width = f64::from(tenths) / 10.0 * POINTS;
                Lengths { column: width, text: width, height: LEAST_HEIGHT }
            }
        }
    }

    /// Returns the whole text of the same paper if it is wider than this width.
    pub fn wider(self) -> Option<PaperWidth> {
        match self {
            PaperWidth::Column(venue) if self.page() > self.points() => Some(PaperWidth::Text(venue)),
            _ => None,
        }
    }

    /// Returns the width of a column of the same paper, in points of TeX.
    pub fn column(self) -> f64 {
        self.lengths().column
    }

    /// Returns the width of the whole text of the same paper, in points of TeX.
    pub fn page(self) -> f64 {
        self.lengths().text
    }

    /// Returns the height of a page of text, in points of TeX.
    pub fn height(self) -> f64 {
        self.lengths().height
    }
}

impl<'de> serde::Deserialize<'de> for PaperWidth {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = |value: &toml::Value| PaperWidth::millimetres(number(value)?);
        read_word_or(deserializer, &PaperWidth::NAMES, "a width of 40 to 400 mm", given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The widths in millimetres, which authors' guides state in other units.
    #[test]
    fn widths_of_classes_in_millimetres() {
        let millimetres = |width: PaperWidth| (width.points() / POINTS * 10.0).round() / 10.0;
        let widths = PaperWidth::NAMES.map(|(name, width)| (name, millimetres(width)));
        let expected = [
            ("ieee", 88.6),
            ("ieee-text", 181.4),
            ("acm", 84.8),
            ("acm-text", 177.9),
            ("llncs", 122.0),
            ("elsarticle", 88.6),
            ("elsarticle-text", 183.5),
        ];
        assert_eq!(widths, expected);
        assert_eq!(PaperWidth::millimetres(122.04).map(millimetres), Some(122.0));
        assert_eq!([39.0, 401.0, f64::NAN].map(PaperWidth::millimetres), [None; 3]);
    }
}
