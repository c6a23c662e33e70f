//! Tests of Slurm's three logs.

mod odd;
mod real;
mod samples;
