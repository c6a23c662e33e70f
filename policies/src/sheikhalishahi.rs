//! Policies of Sheikhalishahi, Wallace, Grandinetti, Vazquez-Poletti, Guerriero, FGCS 2015: multi-capacity
//! bin-packing at the queue and at the choice of hosts.

pub mod bkfl;
mod cycle;
pub mod mcbp;
mod options;
mod ranking;
