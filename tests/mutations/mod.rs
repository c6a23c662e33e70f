//! Wrong variants of EASY and their effect: the table of the replay semantics, for finding one's own error.

mod mutant;
mod table;
