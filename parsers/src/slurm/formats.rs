//! The formats of Slurm's logs. Each is read with its histories.

use super::{history, jobcomp, json, sacct, show_job, squeue};
use crate::formats::FormatSpec;

/// The entry of `sacct -P` in [`crate::FORMATS`].
pub const SACCT: FormatSpec = FormatSpec {
    name: sacct::NAME,
    summary: "Slurm's accounting as text: sacct -P, with or without a heading",
    cite: "Slurm, sacct(1), versions 17.11 to 26.05; Open XDMoD, resource manager Slurm",
    looks_like: sacct::LOOKS_LIKE,
    likeness: sacct::likeness,
    read: |pass| history::read(pass, &SACCT, sacct::fill),
};

/// The entry of `sacct --json` in [`crate::FORMATS`].
pub const SACCT_JSON: FormatSpec = FormatSpec {
    name: "sacct-json",
    summary: "Slurm's accounting as JSON: sacct --json",
    cite: "Slurm, sacct(1), versions 21.08 to 26.05; REST API schema dbv0.0.37 and later",
    looks_like: "a JSON object with a list of jobs, each with job_id, association and time",
    likeness: json::likeness,
    read: |pass| {
        pass.refuse_other(&SACCT_JSON)?;
        history::read(pass, &SACCT_JSON, json::fill)
    },
};

/// The entry of `squeue --json` in [`crate::FORMATS`].
pub const SQUEUE_JSON: FormatSpec = FormatSpec {
    name: "squeue-json",
    summary: "Slurm's queue as JSON: squeue --json, scontrol show job --json",
    cite: "Slurm, squeue(1), versions 21.08 to 25.05; REST API schema v0.0.37 and later",
    looks_like: "a JSON object with a list of jobs, each with job_id, job_state and submit_time",
    likeness: json::queue_likeness,
    read: |pass| {
        pass.refuse_other(&SQUEUE_JSON)?;
        history::read(pass, &SQUEUE_JSON, json::fill_queue)
    },
};

/// The entry of `jobcomp/filetxt` in [`crate::FORMATS`].
pub const JOBCOMP: FormatSpec = FormatSpec {
    name: "slurm-jobcomp",
    summary: "Slurm's job completion log: jobcomp/filetxt",
    cite: "Slurm, slurm.conf(5), JobCompType=jobcomp/filetxt",
    looks_like: "lines of JobId=... UserId=... Name=... JobState=... StartTime=... EndTime=...",
    likeness: jobcomp::likeness,
    read: |pass| history::read(pass, &JOBCOMP, jobcomp::fill),
};

/// The entry of `scontrol show job` in [`crate::FORMATS`].
pub const SHOW_JOB: FormatSpec = FormatSpec {
    name: "slurm-show-job",
    summary: "The jobs that Slurm's controller knows: scontrol show job, with or without -o",
    cite: "Slurm, scontrol(1), show job",
    looks_like: "JobId=... JobName=..., then UserId=..., JobState=..., SubmitTime=...",
    likeness: show_job::likeness,
    read: |pass| history::read(pass, &SHOW_JOB, show_job::fill),
};

/// The entry of `squeue` in [`crate::FORMATS`].
pub const SQUEUE: FormatSpec = FormatSpec {
    name: squeue::NAME,
    summary: "Slurm's queue as text: squeue with columns separated by bars",
    cite: "Slurm, squeue(1), versions 20.11 to 25.05",
    looks_like: squeue::LOOKS_LIKE,
    likeness: squeue::likeness,
    read: |pass| history::read(pass, &SQUEUE, squeue::fill),
};
