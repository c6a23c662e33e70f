//! Works that define the statistics of tables.

use crate::report::citation::work::PublishedWork;
use crate::report::citation::work::WorkKind::Book;

pub(super) const WORKS: &[PublishedWork] = &[
    PublishedWork::article(
        "kuensch89",
        "K\u{fc}nsch, Hans R.",
        "The Jackknife and the Bootstrap for General Stationary Observations",
        "The Annals of Statistics",
        1989,
    )
    .with(&[("volume", "17"), ("number", "3"), ("pages", "1217--1241")])
    .named(&[&["Kuensch", "1989"]]),
    PublishedWork::article(
        "dunn61",
        "Dunn, Olive Jean",
        "Multiple Comparisons among Means",
        "Journal of the American Statistical Association",
        1961,
    )
    .with(&[("volume", "56"), ("number", "293"), ("pages", "52--64")])
    .named(&[&["Dunn", "1961"]]),
    PublishedWork::article(
        "fieller54",
        "Fieller, E. C.",
        "Some Problems in Interval Estimation",
        "Journal of the Royal Statistical Society, Series B",
        1954,
    )
    .with(&[("volume", "16"), ("number", "2"), ("pages", "175--185")])
    .named(&[&["Fieller", "1954"]]),
    PublishedWork::article(
        "efron87",
        "Efron, Bradley",
        "Better Bootstrap Confidence Intervals",
        "Journal of the American Statistical Association",
        1987,
    )
    .with(&[("volume", "82"), ("number", "397"), ("pages", "171--185")])
    .named(&[&["Efron", "1987"]]),
    PublishedWork::article(
        "wilcoxon45",
        "Wilcoxon, Frank",
        "Individual Comparisons by Ranking Methods",
        "Biometrics Bulletin",
        1945,
    )
    .with(&[("volume", "1"), ("number", "6"), ("pages", "80--83")])
    .named(&[&["Wilcoxon", "1945"]]),
    PublishedWork::of(
        Book,
        "fisher35",
        "Fisher, Ronald A.",
        "The Design of Experiments",
        "Oliver and Boyd",
        1935,
    )
    .named(&[&["Fisher", "1935"]]),
    PublishedWork::article(
        "white97",
        "White, K. Preston",
        "An Effective Truncation Heuristic for Bias Reduction in Simulation Output",
        "Simulation",
        1997,
    )
    .with(&[("volume", "69"), ("number", "6"), ("pages", "323--334")])
    .named(&[&["White", "1997"]]),
    PublishedWork::article(
        "fleming86",
        "Fleming, Philip J. and Wallace, John J.",
        "How Not to Lie with Statistics: The Correct Way to Summarize Benchmark Results",
        "Communications of the ACM",
        1986,
    )
    .with(&[("volume", "29"), ("number", "3"), ("pages", "218--221")])
    .named(&[&["Fleming", "1986"]]),
    PublishedWork::article(
        "demsar06",
        "Dem\u{161}ar, Janez",
        "Statistical Comparisons of Classifiers over Multiple Data Sets",
        "Journal of Machine Learning Research",
        2006,
    )
    .with(&[("volume", "7"), ("pages", "1--30")])
    .named(&[&["Dem\u{161}ar", "2006"]]),
    PublishedWork::article(
        "lorenz05",
        "Lorenz, M. O.",
        "Methods of Measuring the Concentration of Wealth",
        "Publications of the American Statistical Association",
        1905,
    )
    .with(&[("volume", "9"), ("number", "70"), ("pages", "209--219")])
    .named(&[&["Lorenz", "1905"]]),
    PublishedWork::article(
        "hofmann17",
        "Hofmann, Heike and Wickham, Hadley and Kafadar, Karen",
        "Letter-Value Plots: Boxplots for Large Data",
        "Journal of Computational and Graphical Statistics",
        2017,
    )
    .with(&[("volume", "26"), ("number", "3"), ("pages", "469--477")])
    .named(&[&["Hofmann", "2017"]]),
];
