//! Works that define policies, queue orders and rules of host selection.

use crate::report::citation::work::PublishedWork;
use crate::report::citation::work::WorkKind::{InProceedings, Report};

pub(super) const WORKS: &[PublishedWork] = &[
    PublishedWork::jsspp("lifka95", "Lifka, David A.", "The ANL/IBM SP Scheduling System", 1995, &[
        ("series", "LNCS"),
        ("volume", "949"),
        ("pages", "295--303"),
    ])
    .named(&[&["Lifka", "1995"]]),
    PublishedWork::article(
        "mualem01",
        "Mu'alem, Ahuva W. and Feitelson, Dror G.",
        "Utilization, Predictability, Workloads, and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling",
        "IEEE Transactions on Parallel and Distributed Systems",
        2001,
    )
    .with(&[("volume", "12"), ("number", "6"), ("pages", "529--543"), ("doi", "10.1109/71.932708")])
    .named(&[&["Mu'alem", "2001"]]),
    PublishedWork::article(
        "tsafrir07",
        "Tsafrir, Dan and Etsion, Yoav and Feitelson, Dror G.",
        "Backfilling Using System-Generated Predictions Rather than User Runtime Estimates",
        "IEEE Transactions on Parallel and Distributed Systems",
        2007,
    )
    .with(&[("volume", "18"), ("number", "6"), ("pages", "789--803"), ("doi", "10.1109/TPDS.2007.70606")])
    .named(&[&["Tsafrir, Etsion", "2007"]]),
    PublishedWork::jsspp(
        "jackson01",
        "Jackson, David and Snell, Quinn and Clement, Mark",
        "Core Algorithms of the Maui Scheduler",
        2001,
        &[("series", "LNCS"), ("volume", "2221"), ("pages", "87--102")],
    )
    .named(&[&["Jackson", "2001"]]),
    PublishedWork::jsspp(
        "yoo03",
        "Yoo, Andy B. and Jette, Morris A. and Grondona, Mark",
        "SLURM: Simple Linux Utility for Resource Management",
        2003,
        &[("series", "LNCS"), ("volume", "2862"), ("pages", "44--60")],
    )
    .named(&[&["Yoo, Jette", "2003"]]),
    PublishedWork::jsspp(
        "srinivasan02",
        "Srinivasan, Srividya and Kettimuthu, Rajkumar and Subramani, Vijay and Sadayappan, P.",
        "Selective Reservation Strategies for Backfill Job Scheduling",
        2002,
        &[("series", "LNCS"), ("volume", "2537"), ("pages", "55--71")],
    )
    .named(&[&["Srinivasan, Kettimuthu", "2002"]]),
    PublishedWork::jsspp(
        "ward02",
        "Ward, William A. and Mahood, Carrie L. and West, John E.",
        "Scheduling Jobs on Parallel Systems Using a Relaxed Backfill Strategy",
        2002,
        &[("series", "LNCS"), ("volume", "2537"), ("pages", "88--102")],
    )
    .named(&[&["Ward", "2002"]]),
    PublishedWork::of(
        InProceedings,
        "talby99",
        "Talby, David and Feitelson, Dror G.",
        "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using Slack-Based Backfilling",
        "International Parallel Processing Symposium (IPPS/SPDP)",
        1999,
    )
    .with(&[("pages", "513--517")])
    .named(&[&["Talby", "1999"]]),
    PublishedWork::jsspp(
        "shmueli03",
        "Shmueli, Edi and Feitelson, Dror G.",
        "Backfilling with Lookahead to Optimize the Performance of Parallel Job Scheduling",
        2003,
        &[("series", "LNCS"), ("volume", "2862"), ("pages", "228--251")],
    )
    .named(&[&["Shmueli", "2003"]]),
    PublishedWork::article(
        "shmueli05",
        "Shmueli, Edi and Feitelson, Dror G.",
        "Backfilling with Lookahead to Optimize the Packing of Parallel Jobs",
        "Journal of Parallel and Distributed Computing",
        2005,
    )
    .with(&[("volume", "65"), ("number", "9"), ("pages", "1090--1107")])
    .named(&[&["JPDC 65(9), 2005"]]),
    PublishedWork::of(
        InProceedings,
        "kettimuthu02",
        "Kettimuthu, Rajkumar and Subramani, Vijay and Srinivasan, Srividya and Gopalsamy, Thiagaraja and \
         Panda, D. K. and Sadayappan, P.",
        "Selective Preemption Strategies for Parallel Job Scheduling",
        "International Conference on Parallel Processing (ICPP)",
        2002,
    )
    .with(&[("pages", "602--610"), ("doi", "10.1109/ICPP.2002.1040918")])
    .named(&[&["Kettimuthu", "ICPP 2002"]]),
    PublishedWork::article(
        "kettimuthu05",
        "Kettimuthu, Rajkumar and Subramani, Vijay and Srinivasan, Srividya and Gopalsamy, Thiagaraja and \
         Panda, D. K. and Sadayappan, P.",
        "Selective Preemption Strategies for Parallel Job Scheduling",
        "International Journal of High Performance Computing and Networking",
        2005,
    )
    .with(&[("volume", "3"), ("number", "2/3"), ("pages", "122--152")])
    .named(&[&["Kettimuthu", "2005"], &["IJHPCN 3(2/3), 2005"]]),
    PublishedWork::jsspp(
        "feitelson97",
        "Feitelson, Dror G. and Rudolph, Larry and Schwiegelshohn, Uwe and Sevcik, Kenneth C. and Wong, Parkson",
        "Theory and Practice in Parallel Job Scheduling",
        1997,
        &[("series", "LNCS"), ("volume", "1291"), ("pages", "1--34")],
    )
    .named(&[&["Feitelson, Rudolph, Schwiegelshohn", "1997"]]),
    PublishedWork::jsspp(
        "aida98",
        "Aida, Kento and Kasahara, Hironori and Narita, Seinosuke",
        "Job Scheduling Scheme for Pure Space Sharing among Rigid Jobs",
        1998,
        &[("series", "LNCS"), ("volume", "1459"), ("pages", "98--121")],
    )
    .named(&[&["Aida", "1998"]]),
    PublishedWork::of(
        InProceedings,
        "leinberger99",
        "Leinberger, William and Karypis, George and Kumar, Vipin",
        "Job Scheduling in the Presence of Multiple Resource Requirements",
        "ACM/IEEE Conference on Supercomputing (SC)",
        1999,
    )
    .named(&[&["Leinberger", "1999"]]),
    PublishedWork::article(
        "sheikhalishahi15",
        "Sheikhalishahi, Mehdi and Wallace, Richard M. and Grandinetti, Lucio and Vazquez-Poletti, Jos\u{e9} Luis and \
         Guerriero, Francesca",
        "A Multi-Dimensional Job Scheduling",
        "Future Generation Computer Systems",
        2016,
    )
    .with(&[("volume", "54"), ("pages", "123--131"), ("doi", "10.1016/j.future.2015.03.014")])
    .named(&[&["Sheikhalishahi", "2015"], &["Sheikhalishahi", "2016"]]),
    PublishedWork::article(
        "setia99",
        "Setia, Sanjeev and Squillante, Mark S. and Naik, Vijay K.",
        "The Impact of Job Memory Requirements on Gang-Scheduling Performance",
        "ACM SIGMETRICS Performance Evaluation Review",
        1999,
    )
    .with(&[("volume", "26"), ("number", "4"), ("pages", "30--39")])
    .named(&[&["Setia", "1999"]]),
    // The published form of the technical report that the policies follow.
    PublishedWork::jsspp(
        "zhang01",
        "Zhang, Yanyong and Franke, Hubertus and Moreira, Jos\u{e9} E. and Sivasubramaniam, Anand",
        "An Integrated Approach to Parallel Scheduling Using Gang-Scheduling, Backfilling, and Migration",
        2001,
        &[("series", "LNCS"), ("volume", "2221"), ("pages", "133--158")],
    )
    .named(&[&["Zhang", "2000"]]),
    PublishedWork::of(
        InProceedings,
        "ousterhout82",
        "Ousterhout, John K.",
        "Scheduling Techniques for Concurrent Systems",
        "International Conference on Distributed Computing Systems (ICDCS)",
        1982,
    )
    .with(&[("pages", "22--30")])
    .named(&[&["Ousterhout", "1982"]]),
    PublishedWork::article(
        "feitelson90",
        "Feitelson, Dror G. and Rudolph, Larry",
        "Distributed Hierarchical Control for Parallel Processing",
        "Computer",
        1990,
    )
    .with(&[("volume", "23"), ("number", "5"), ("pages", "65--77")])
    .named(&[&["Feitelson, Rudolph, Computer 23(5), 1990"]]),
    PublishedWork::of(
        InProceedings,
        "tang09",
        "Tang, Wei and Lan, Zhiling and Desai, Narayan and Buettner, Daniel",
        "Fault-Aware, Utility-Based Job Scheduling on Blue Gene/P Systems",
        "IEEE International Conference on Cluster Computing (Cluster)",
        2009,
    )
    .with(&[("pages", "1--10"), ("doi", "10.1109/CLUSTR.2009.5289206")])
    .named(&[&["Tang", "2009"]]),
    PublishedWork::of(
        InProceedings,
        "carastan17",
        "Carastan-Santos, Danilo and de Camargo, Raphael Y.",
        "Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning",
        "International Conference for High Performance Computing, Networking, Storage and Analysis (SC)",
        2017,
    )
    .with(&[("pages", "1--13"), ("doi", "10.1145/3126908.3126955")])
    .named(&[&["Carastan-Santos", "2017"]]),
    PublishedWork::jsspp(
        "lelong17",
        "Lelong, J\u{e9}r\u{f4}me and Reis, Valentin and Trystram, Denis",
        "Tuning EASY-Backfilling Queues",
        2017,
        &[("series", "LNCS"), ("volume", "10773"), ("pages", "43--61")],
    )
    .named(&[&["Lelong", "2017"]]),
    PublishedWork::of(
        InProceedings,
        "ghodsi11",
        "Ghodsi, Ali and Zaharia, Matei and Hindman, Benjamin and Konwinski, Andy and Shenker, Scott and Stoica, Ion",
        "Dominant Resource Fairness: Fair Allocation of Multiple Resource Types",
        "USENIX Symposium on Networked Systems Design and Implementation (NSDI)",
        2011,
    )
    .with(&[("pages", "323--336")])
    .named(&[&["Ghodsi", "2011"]]),
    PublishedWork::of(
        InProceedings,
        "grandl14",
        "Grandl, Robert and Ananthanarayanan, Ganesh and Kandula, Srikanth and Rao, Sriram and Akella, Aditya",
        "Multi-Resource Packing for Cluster Schedulers",
        "ACM SIGCOMM",
        2014,
    )
    .with(&[("pages", "455--466")])
    .named(&[&["Grandl", "2014"]]),
    PublishedWork::article(
        "johnson74",
        "Johnson, D. S. and Demers, A. and Ullman, J. D. and Garey, M. R. and Graham, R. L.",
        "Worst-Case Performance Bounds for Simple One-Dimensional Packing Algorithms",
        "SIAM Journal on Computing",
        1974,
    )
    .with(&[("volume", "3"), ("number", "4"), ("pages", "299--325")])
    .named(&[&["Johnson, Demers", "1974"]]),
    PublishedWork::of(
        Report,
        "panigrahy11",
        "Panigrahy, Rina and Talwar, Kunal and Uyeda, Lincoln and Wieder, Udi",
        "Heuristics for Vector Bin Packing",
        "Microsoft Research",
        2011,
    )
    .named(&[&["Panigrahy", "2011"]]),
];
