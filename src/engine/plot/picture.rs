//! The forms of a picture's file, by the ending of its name.

use std::path::Path;

use super::pdf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Svg,
    Pdf,
    /// PNG, if the program was built with the feature `png`.
    Png,
}

/// How to get PNG from a program that was built without it.
const NO_PNG: &str = "this program was built without PNG: `cargo install --path . --features png` builds one with \
                      it; SVG and PDF need no feature";

impl Picture {
    /// Returns the form of a file: by its ending, SVG if it has another one.
    ///
    /// # Errors
    /// If the program was built without this form.
    pub fn of(path: &str) -> Result<Picture, String> {
        let ending = Path::new(path).extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("pdf") => Ok(Picture::Pdf),
            Some("png") if cfg!(feature = "png") => Ok(Picture::Png),
            Some("png") => Err(NO_PNG.into()),
            _ => Ok(Picture::Svg),
        }
    }

    /// Returns the bytes of a plot in this form, of its SVG as [`Page`](super::Page) writes it.
    pub fn bytes(self, svg: &str) -> Result<Vec<u8>, String> {
        match self {
            Picture::Svg => Ok(svg.as_bytes().to_vec()),
            Picture::Pdf => pdf(svg),
            #[cfg(feature = "png")]
            Picture::Png => super::png::png(svg),
            #[cfg(not(feature = "png"))]
            Picture::Png => Err(NO_PNG.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides_and_png_needs_its_feature() {
        let form = |path: &str| Picture::of(path);
        assert_eq!(
            (form("a.PDF"), form("a.svg"), form("-")),
            (Ok(Picture::Pdf), Ok(Picture::Svg), Ok(Picture::Svg))
        );
        if cfg!(feature = "png") {
            assert_eq!(form("b/a.png"), Ok(Picture::Png));
        } else {
            assert!(form("b/a.png").unwrap_err().contains("--features png"));
        }
    }
}
