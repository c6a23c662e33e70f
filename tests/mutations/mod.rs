//! Wrong EASYs and what they cost: the table of the replay semantics, to find one's bug.

mod mutant;
mod table;
