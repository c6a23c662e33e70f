//! Works that define workload models, shaping steps and cleaning rules, or describe logs.

use crate::report::citation::work::PublishedWork;
use crate::report::citation::work::WorkKind::{Book, InProceedings};

/// Key of the work about the Parallel Workloads Archive.
pub(super) const ARCHIVE: &str = "feitelson14";

pub(super) const WORKS: &[PublishedWork] = &[
    PublishedWork::article(
        "lublin03",
        "Lublin, Uri and Feitelson, Dror G.",
        "The Workload on Parallel Supercomputers: Modeling the Characteristics of Rigid Jobs",
        "Journal of Parallel and Distributed Computing",
        2003,
    )
    .with(&[
        ("volume", "63"),
        ("number", "11"),
        ("pages", "1105--1122"),
        ("doi", "10.1016/S0743-7315(03)00108-4"),
    ])
    .named(&[&["Lublin", "2003"]]),
    PublishedWork::of(
        InProceedings,
        "downey97",
        "Downey, Allen B.",
        "A Parallel Workload Model and Its Implications for Processor Allocation",
        "IEEE International Symposium on High Performance Distributed Computing (HPDC)",
        1997,
    )
    .with(&[("pages", "112--123")])
    .named(&[&["Downey", "1997"]]),
    PublishedWork::jsspp("feitelson96", "Feitelson, Dror G.", "Packing Schemes for Gang Scheduling", 1996, &[
        ("series", "LNCS"),
        ("volume", "1162"),
        ("pages", "89--110"),
    ])
    .named(&[&["Feitelson", "JSSPP 1996"]]),
    PublishedWork::jsspp(
        "feitelsonjette97",
        "Feitelson, Dror G. and Jette, Morris A.",
        "Improved Utilization and Responsiveness with Gang Scheduling",
        1997,
        &[("series", "LNCS"), ("volume", "1291"), ("pages", "238--261")],
    )
    .named(&[&["Feitelson and Jette", "1997"]]),
    PublishedWork::jsspp(
        "jann97",
        "Jann, Joefon and Pattnaik, Pratap and Franke, Hubertus and Wang, Fang and Skovira, Joseph and Riordan, Joseph",
        "Modeling of Workload in MPPs",
        1997,
        &[("series", "LNCS"), ("volume", "1291"), ("pages", "95--116")],
    )
    .named(&[&["Jann", "1997"]]),
    PublishedWork::article(
        "johnson89",
        "Johnson, Mary A. and Taaffe, Michael R.",
        "Matching Moments to Phase Distributions: Mixtures of Erlang Distributions of Common Order",
        "Communications in Statistics: Stochastic Models",
        1989,
    )
    .with(&[("volume", "5"), ("number", "4"), ("pages", "711--743")])
    .named(&[&["Johnson and Taaffe", "1989"]]),
    PublishedWork::jsspp(
        "tsafrir05",
        "Tsafrir, Dan and Etsion, Yoav and Feitelson, Dror G.",
        "Modeling User Runtime Estimates",
        2005,
        &[("series", "LNCS"), ("volume", "3834"), ("pages", "1--35")],
    )
    .named(&[&["Tsafrir, Etsion", "2005"]]),
    PublishedWork::article(
        ARCHIVE,
        "Feitelson, Dror G. and Tsafrir, Dan and Krakov, David",
        "Experience with Using the Parallel Workloads Archive",
        "Journal of Parallel and Distributed Computing",
        2014,
    )
    .with(&[
        ("volume", "74"),
        ("number", "10"),
        ("pages", "2967--2982"),
        ("doi", "10.1016/j.jpdc.2014.06.013"),
    ])
    .named(&[&["Parallel Workloads Archive"]]),
    PublishedWork::of(
        InProceedings,
        "tsafrir07shaking",
        "Tsafrir, Dan and Ouaknine, Keren and Feitelson, Dror G.",
        "Reducing Performance Evaluation Sensitivity and Variability by Input Shaking",
        "International Symposium on Modeling, Analysis, and Simulation of Computer and Telecommunication Systems \
         (MASCOTS)",
        2007,
    )
    .with(&[("pages", "231--237")])
    .named(&[&["Tsafrir, Ouaknine", "2007"]]),
    PublishedWork::article(
        "zakay14",
        "Zakay, Netanel and Feitelson, Dror G.",
        "Workload Resampling for Performance Evaluation of Parallel Job Schedulers",
        "Concurrency and Computation: Practice and Experience",
        2014,
    )
    .with(&[("volume", "26"), ("number", "12"), ("pages", "2079--2105")])
    .named(&[&["Zakay", "2014"]]),
    PublishedWork::jsspp(
        "zakay12",
        "Zakay, Netanel and Feitelson, Dror G.",
        "On Identifying User Session Boundaries in Parallel Workload Logs",
        2012,
        &[("series", "LNCS"), ("volume", "7698"), ("pages", "216--234")],
    )
    .named(&[&["Zakay", "2012"]]),
    PublishedWork::of(
        InProceedings,
        "zilber05",
        "Zilber, Julia and Amit, Ofer and Talby, David",
        "What is Worth Learning from Parallel Workloads? A User and Session Based Analysis",
        "International Conference on Supercomputing (ICS)",
        2005,
    )
    .with(&[("pages", "377--386")])
    .named(&[&["Zilber", "2005"]]),
    PublishedWork::of(
        Book,
        "feitelson15",
        "Feitelson, Dror G.",
        "Workload Modeling for Computer Systems Performance Evaluation",
        "Cambridge University Press",
        2015,
    )
    .named(&[&["Feitelson, Workload Modeling", "2015"]]),
    PublishedWork::of(
        InProceedings,
        "gaussier15",
        "Gaussier, Eric and Glesser, David and Reis, Valentin and Trystram, Denis",
        "Improving Backfilling by Using Machine Learning to Predict Running Times",
        "International Conference for High Performance Computing, Networking, Storage and Analysis (SC)",
        2015,
    )
    .with(&[("pages", "64:1--64:10"), ("doi", "10.1145/2807591.2807646")])
    .named(&[&["Gaussier", "2015"]]),
    PublishedWork::of(Book, "nelsen06", "Nelsen, Roger B.", "An Introduction to Copulas", "Springer", 2006)
        .named(&[&["Nelsen", "2006"]]),
];
