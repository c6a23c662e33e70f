//! How a table stands in a paper: caption, label, float, and the place of its conditions.

use batchlab_traces::word_of_toml;

use super::PaperWidth;

/// How a table stands in a paper. Only the LaTeX writer uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paper {
    /// The caption, one or two sentences; empty means the title.
    pub caption: String,
    /// Whether the caption is LaTeX, as an author wrote it; otherwise it is plain text.
    pub is_latex: bool,
    /// The label that `\ref` takes; empty means no label.
    pub label: String,
    /// The float; `None` means the narrowest float that the table fits.
    pub float: Option<Float>,
    /// The width for which it is made; `None` means that of the narrowest common class.
    pub width: Option<PaperWidth>,
    /// Where conditions, cautions and definitions are printed.
    pub conditions: Conditions,
}

/// The environment that holds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// `table`: as wide as a column of text.
    Column,
    /// `table*`: as wide as the page.
    Page,
    /// `longtable`: breaks over pages; in a class of two columns it takes pages of one column.
    Long,
}

impl Float {
    /// The floats by name, as files and options name them.
    pub const NAMES: [(&str, Float); 3] =
        [("column", Float::Column), ("page", Float::Page), ("long", Float::Long)];
}

word_of_toml!(Float, &Float::NAMES);

/// The place of what must be known about a table: conditions, cautions, definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conditions {
    /// In a note below the table.
    #[default]
    Note,
    /// In one file for all tables, `notes.tex`, which a paper inputs where it describes its methods or in a supplement; below
    /// the table stand the meanings of its signs.
    File,
}

impl Conditions {
    /// The places by name, as files and options name them.
    pub const NAMES: [(&str, Conditions); 2] = [("note", Conditions::Note), ("file", Conditions::File)];
}

word_of_toml!(Conditions, &Conditions::NAMES);
