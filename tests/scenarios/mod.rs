//! Policies on a handful of jobs, with every start computed by hand.

mod aida;
mod capacity;
mod gang;
mod leinberger;
mod lookahead;
mod nodes;
mod pages;
mod priorities;
mod setia;
mod sheikhalishahi;
mod suspended;
mod suspension;
mod toy;
