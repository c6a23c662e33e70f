//! The parameters of a resource.

use crate::shape::condition::Condition;
use crate::shape::spec::Param;

/// The parameters of the step.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "name",
        default: "none",
        takes: "one word",
        help: "name of the column; a column of that name is replaced. With a count above 1 the columns are NAME1, \
               NAME2, ...; needed by all laws but sheikhalishahi, which adds io, net_in and net_out",
    },
    Param {
        name: "unit",
        default: "\"\"",
        takes: "one word",
        help: "unit of the amounts and of the capacity",
    },
    Param {
        name: "scope",
        default: "pool",
        takes: "pool, node or job",
        help: "what has the capacity: the machine, each node, or nothing, for a column that is not a demand",
    },
    Param {
        name: "capacity",
        default: "none",
        takes: "a whole number from 1",
        help: "capacity of the machine or of a node, written to the header",
    },
    Param {
        name: "law",
        default: "none",
        takes: "constant, uniform, normal, lognormal, exponential, empirical, expression, leinberger or \
                sheikhalishahi",
        help: "where amounts come from; this is needed. leinberger: processors / machine * Normal(0.5, v), for \
               `count` resources of which the processors are the first; sheikhalishahi: uniform on [min, max] for \
               io, net_in and net_out, processors and memory as in the log",
    },
    Param { name: "value", default: "none", takes: "a number from 0", help: "the amount, for constant" },
    Param {
        name: "min",
        default: "0",
        takes: "a number from 0",
        help: "the least, for uniform and sheikhalishahi",
    },
    Param {
        name: "max",
        default: "none; 1 for sheikhalishahi",
        takes: "a number from 0",
        help: "the most, not included, for uniform and sheikhalishahi",
    },
    Param { name: "mean", default: "none", takes: "a number", help: "the mean, for normal and exponential" },
    Param {
        name: "sd",
        default: "none",
        takes: "a number above 0",
        help: "the standard deviation, for normal",
    },
    Param { name: "median", default: "none", takes: "a number above 0", help: "the median, for lognormal" },
    Param {
        name: "sigma",
        default: "none",
        takes: "a number above 0",
        help: "the standard deviation of the natural logarithm, for lognormal",
    },
    Param {
        name: "column",
        default: "none",
        takes: "an expression such as memory",
        help: "for empirical: the source from which amounts are drawn, with replacement; values that the \
            log does not give are left out",
    },
    Param {
        name: "from",
        default: "this log",
        takes: "the name of a log",
        help: "for empirical: the log that `column` is of",
    },
    Param {
        name: "expr",
        default: "none",
        takes: "an expression such as 512 * procs or uniform(1, 4)",
        help: "for expression: the amount; its draws are seeded and keyed by job as those of the laws are",
    },
    Param {
        name: "v",
        default: "none",
        takes: "a number above 0",
        help: "for leinberger: the variance of the normal distribution (.01, .1 and 1 in the paper)",
    },
    Param {
        name: "count",
        default: "1; 2 for leinberger",
        takes: "a whole number from 1 to 64",
        help: "how many columns are drawn; for leinberger the number K of resources, the processors included",
    },
    Param {
        name: "cpu",
        default: "draw",
        takes: "draw or keep",
        help: "for leinberger: whether the processors are drawn as the other resources are (fields 5 and 8 and \
               MaxProcs are millionths of the machine then, at least 1), or stay and K-1 resources are added",
    },
    Param {
        name: "on",
        default: "draw",
        takes: "draw or requirement",
        help: "for leinberger: whether `clip` keeps the normal draw within [0, 1], or the requirement, which is the \
               draw times the size; at v = 1, 62 % of the draws are outside",
    },
    Param {
        name: "fraction",
        default: "false; true for leinberger and sheikhalishahi",
        takes: "true or false",
        help: "whether the law gives fractions of the capacity, which is 1,000,000 ppm then unless it is given",
    },
    Param {
        name: "per",
        default: "job; node for sheikhalishahi",
        takes: "job, processor or node",
        help: "what the law gives the amount of; it is multiplied by the job's processors, or by the nodes that they \
               fill (MaxProcs / MaxNodes to a node, rounded up)",
    },
    Param { name: "least", default: "0", takes: "a number from 0", help: "the least amount of a job" },
    Param {
        name: "most",
        default: "the capacity of a pool, else none",
        takes: "a number from 0",
        help: "the most",
    },
    Param {
        name: "clip",
        default: "clamp; redraw for leinberger",
        takes: "clamp or redraw",
        help: "amounts outside the bounds are moved to the bound, or drawn again until they are inside (drawn \
               once from the law cut at the bounds, which is the same and leaves rank correlations alone)",
    },
    Param {
        name: "round",
        default: "nearest",
        takes: "nearest, up or down",
        help: "how amounts become whole numbers of the unit",
    },
    Param {
        name: "correlate",
        default: "none",
        takes: "an expression such as run or procs",
        help: "the column with which the amount is correlated; jobs for which the log does not give it draw \
            freely",
    },
    Param {
        name: "rho",
        default: "none",
        takes: "a number from -1 to 1",
        help: "Spearman's rank correlation with it before rounding, clamping and scaling by `per`, ties of the \
               other being broken at random; both that and the one of the amounts are reported, ties counted as ties",
    },
    Param {
        name: "otherwise",
        default: "0",
        takes: "a whole number from -1",
        help: "amount of the jobs that `where` leaves out, unless the column was there before; -1 is unknown",
    },
    Condition::PARAM,
];
