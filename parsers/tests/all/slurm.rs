//! Tests of Slurm's three logs.

mod gres;
mod odd;
mod real;
mod samples;
