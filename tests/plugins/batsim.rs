//! Tests of schedulers written for Batsim: our own served policies, a scheduler in Python that speaks ZeroMQ's wire protocol
//! by itself, and misbehaving ones.

#![cfg(target_os = "linux")]

mod agree;
mod border;
pub mod hostile;
mod session;

/// The common part of the schedulers in these tests: a REP socket without any module.
const SCHEDULER: &str = include_str!("batsim/scheduler.py");
