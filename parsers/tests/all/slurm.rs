//! Tests of Slurm's three logs.

mod arrays;
mod gres;
mod odd;
mod real;
mod samples;
