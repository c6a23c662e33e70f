//! Works that define metrics.

use crate::report::citation::work::PublishedWork;
use crate::report::citation::work::WorkKind::{InProceedings, Report};

pub(super) const WORKS: &[PublishedWork] = &[
    PublishedWork::jsspp(
        "feitelson98",
        "Feitelson, Dror G. and Rudolph, Larry",
        "Metrics and Benchmarking for Parallel Job Scheduling",
        1998,
        &[("series", "LNCS"), ("volume", "1459"), ("pages", "1--24")],
    )
    .named(&[&["Feitelson and Rudolph 1998"]]),
    PublishedWork::jsspp(
        "frachtenberg05",
        "Frachtenberg, Eitan and Feitelson, Dror G.",
        "Pitfalls in Parallel Job Scheduling Evaluation",
        2005,
        &[("series", "LNCS"), ("volume", "3834"), ("pages", "257--282")],
    )
    .named(&[&["Frachtenberg", "2005"]]),
    PublishedWork::of(
        Report,
        "jain84",
        "Jain, Raj and Chiu, Dah-Ming and Hawe, William R.",
        "A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer Systems",
        "Digital Equipment Corporation",
        1984,
    )
    .with(&[("number", "DEC-TR-301")])
    .named(&[&["Jain", "1984"]]),
    PublishedWork::article(
        "little61",
        "Little, John D. C.",
        "A Proof for the Queuing Formula: L = \u{3bb}W",
        "Operations Research",
        1961,
    )
    .with(&[("volume", "9"), ("number", "3"), ("pages", "383--387")])
    .named(&[&["Little", "1961"]]),
    PublishedWork::jsspp(
        "sabin05",
        "Sabin, Gerald and Sadayappan, P.",
        "Unfairness Metrics for Space-Sharing Parallel Job Schedulers",
        2005,
        &[("series", "LNCS"), ("volume", "3834"), ("pages", "238--256")],
    )
    .named(&[&["Sabin", "2005"]]),
    PublishedWork::article(
        "schwiegelshohn00",
        "Schwiegelshohn, Uwe and Yahyapour, Ramin",
        "Fairness in Parallel Job Scheduling",
        "Journal of Scheduling",
        2000,
    )
    .with(&[("volume", "3"), ("number", "5"), ("pages", "297--320")])
    .named(&[&["Schwiegelshohn and Yahyapour", "2000"]]),
    PublishedWork::of(
        InProceedings,
        "zotkin99",
        "Zotkin, Dmitry and Keleher, Peter J.",
        "Job-Length Estimation and Performance in Backfilling Schedulers",
        "IEEE International Symposium on High Performance Distributed Computing (HPDC)",
        1999,
    )
    .with(&[("pages", "236--243")])
    .named(&[&["Zotkin", "1999"]]),
    PublishedWork::of(
        InProceedings,
        "yuan10",
        "Yuan, Yulai and Yang, Guangwen and Wu, Yongwei and Zheng, Weimin",
        "PV-EASY: A Strict Fairness Guaranteed and Prediction Enabled Scheduler in Parallel Job Scheduling",
        "ACM International Symposium on High Performance Distributed Computing (HPDC)",
        2010,
    )
    .with(&[("pages", "240--251"), ("doi", "10.1145/1851476.1851505")])
    .named(&[&["Yuan", "PV-EASY"]]),
    PublishedWork::of(
        InProceedings,
        "weng23",
        "Weng, Qizhen and Yang, Lingyun and Yu, Yinghao and Wang, Wei and Tang, Xiaochuan and Yang, Guodong and \
         Zhang, Liping",
        "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent",
        "USENIX Annual Technical Conference (ATC)",
        2023,
    )
    .with(&[("pages", "995--1008")])
    .named(&[&["Weng", "2023"]]),
];
