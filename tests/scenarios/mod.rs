//! Policies on a handful of jobs, with every start computed by hand.

mod aida;
mod gang;
mod lookahead;
mod pages;
mod toy;
