//! Findings about workloads of Batsim.

use batchlab_traces::kinds;

kinds! {
    NO_SUBMIT: Warning "batsim-no-submit",
        "{job|jobs} without a `subtime` of at least 0",
        "left out",
        "correct the workload";
    TRAILING: Warning "batsim-trailing",
        "{text|texts} behind the workload",
        "left out",
        "look at the end of the file: it is damaged, or several workloads are in it";
    NO_PROFILE: Warning "batsim-no-profile",
        "{job|jobs} whose profile is not in the file, or has no time",
        "kept without a run time",
        "complete the profiles of the workload";
    MODEL: Warning "batsim-model",
        "{job|jobs} whose profile computes, communicates or reads: its run time depends on a model of the platform",
        "kept without a run time",
        "run the workload in Batsim, and give the delays of its jobs.csv as profiles of type `delay`";
}
