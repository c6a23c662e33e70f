//! Tables in every form.

use batchlab::metrics::{Catalogue, MeasureOptions, lower_bounds};
use batchlab::replay::{ResultRow, RowKind, class_table, replay_table};
use batchlab::table::{Style, Table, TimeUnit, writer};

use super::{Replay, zhang};
use crate::metrics::schedule::Schedule;

fn table() -> Table {
    let replay = Replay::new();
    let metrics = replay.metrics("mean_wait,max_wait,mean_bsld,makespan,utilization");
    replay_table(&replay.conditions, &metrics, &replay.rows(&metrics, &[]), TimeUnit::Seconds)
}

fn written(table: &Table, format: &str, style: Style) -> String {
    (writer(format).unwrap().write)(table, &style).into()
}

#[test]
fn on_a_terminal() {
    let expected = r"Replay of SITE-A_2001-1
SITE-A_2001-1 (sha256 0123456789ab): 5 jobs used, 0 dropped; 64
  processors
sizes requested; estimates requested; overruns raise; events batch
τ = 10 s; no warm-up, no cool-down; seed 1; batchlab

                        mean     max
                        wait    wait    mean  makespan  utilization
policy                   (s)     (s)    bsld       (s)          (%)
───────────────────────────────────────────────────────────────────
fcfs                  11,880  24,800  203.16    25,900        63.60
easy:candidates=sjf,   2,680   8,400    3.14     9,500        65.49
predictor=last2,
corrector=increment
log                   11,880  24,800  203.16    25,900        63.60
lower bound                0       0    1.00    20,000            -

* easy:candidates=sjf,predictor=last2,corrector=increment: 1 job
  killed; run time is then the service received
* lower bound: what no schedule that runs every job to its end can
  beat
";
    assert_eq!(written(&table(), "table", Style { width: 70, ..Style::default() }), expected);
}

#[test]
fn the_default_columns_fit_a_hundred_characters() {
    let procs = 100;
    let options = MeasureOptions::default();
    let mut rows = Vec::new();
    let mut metrics = Vec::new();
    for (label, name) in [
        ("easy", "easy.submit-first"),
        ("easy:candidates=sjf,predictor=last2,corrector=increment", "easy-plus-plus.submit-first"),
    ] {
        let Some(schedule) = Schedule::reference(&format!("KTH-SP2-1996-derived.{name}"), procs) else {
            return;
        };
        metrics = Catalogue::new(&schedule.machine, &[]).for_table();
        let measurement = schedule.measure(options);
        rows.push(ResultRow::measure(label, RowKind::Policy, &measurement, &metrics, &[]));
        let bounds = lower_bounds(&schedule.workload, &schedule.machine, options, &metrics).unwrap();
        rows.push(ResultRow::bounds(bounds));
    }
    rows.remove(1);
    let mut conditions = Replay::new().conditions;
    conditions.procs = procs;
    let table = replay_table(&conditions, &metrics, &rows, TimeUnit::Seconds);
    let text = written(&table, "table", Style::default());
    let grid = text.split_once("\n\n").unwrap().1.split("\n\n").next().unwrap();
    let expected = r"                       mean  median     p95      max                            mean
                       wait    wait    wait     wait   mean  median    p95  response  utilization
policy                  (s)     (s)     (s)      (s)   bsld    bsld   bsld       (s)          (%)
─────────────────────────────────────────────────────────────────────────────────────────────────
easy                  6,837       0  37,619  262,194  92.58       1  439.9    15,697        68.56
easy:candidates=sjf,  6,236       0  34,911  528,201  63.50       1  171.3    15,096        68.56
predictor=last2,
corrector=increment
lower bound               0       0       0        0   1.00       1    1.0     8,860            -";
    assert_eq!(grid, expected);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn colour_is_only_around_the_best() {
    let plain = written(&table(), "table", Style::default());
    assert!(!plain.contains('\u{1b}'));
    let coloured = written(&table(), "table", Style { colour: true, ..Style::default() });
    assert_eq!(coloured.matches("\u{1b}[1m").count(), 5, "{coloured}");
    let mut stripped = coloured;
    for code in ["\u{1b}[1m", "\u{1b}[32m", "\u{1b}[39m", "\u{1b}[22m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn in_markdown() {
    let expected = r"**Replay of SITE-A\_2001-1**

SITE-A\_2001-1 (sha256 0123456789ab): 5 jobs used, 0 dropped; 64 processors  
sizes requested; estimates requested; overruns raise; events batch  
τ = 10 s; no warm-up, no cool-down; seed 1; batchlab

| policy | mean wait (s) | max wait (s) | mean bsld | makespan (s) | utilization (%) |
| :--- | ---: | ---: | ---: | ---: | ---: |
| fcfs | 11,880 | 24,800 | 203.16 | 25,900 | 63.60 |
| easy:candidates=sjf,predictor=last2,corrector=increment | 2,680 | 8,400 | 3.14 | 9,500 | 65.49 |
| log | 11,880 | 24,800 | 203.16 | 25,900 | 63.60 |
| lower bound | 0 | 0 | 1.00 | 20,000 | - |

- easy:candidates=sjf,predictor=last2,corrector=increment: 1 job killed; run time is then the service received
- lower bound: what no schedule that runs every job to its end can beat
- wait: first start - submit
- bsld: max(1, response / max(run, tau))
- makespan: last end - first submit, of all jobs of the replay
- utilization: sum(procs \* run) / (P \* makespan), of all jobs of the replay, drain included
";
    assert_eq!(written(&table(), "markdown", Style::default()), expected);
}

#[test]
fn in_latex() {
    let expected = r"% needs \usepackage{array, booktabs, graphicx}
\begin{table*}
  \centering
  \caption{Replay of SITE-A\_2001-1.}
  \footnotesize \setlength{\tabcolsep}{3pt}
  \setbox0=\hbox{%
  \begin{tabular}{>{\raggedright\arraybackslash}p{0.438\linewidth}rrrrr}
    \toprule
     & mean & max &  &  &  \\
     & wait & wait & mean & makespan & utilization \\
    policy & (s) & (s) & bsld & (s) & (\%) \\
    \midrule
    fcfs & 11,880 & 24,800 & 203.16 & 25,900 & 63.60 \\
    easy:candidates=sjf,predictor=last2,corrector=increment & \textbf{2,680} & \textbf{8,400} & \textbf{3.14} & \textbf{9,500} & \textbf{65.49} \\
    log & 11,880 & 24,800 & 203.16 & 25,900 & 63.60 \\
    lower bound & 0 & 0 & 1.00 & 20,000 & -- \\
    \bottomrule
  \end{tabular}
  }%
  \ifdim\wd0>\linewidth \resizebox{\linewidth}{!}{\box0}\else \box0\fi
  \par\smallskip\noindent\begin{minipage}{\linewidth}\scriptsize\raggedright
  SITE-A\_2001-1 (sha256 0123456789ab): 5 jobs used, 0 dropped; 64 processors.
  sizes requested; estimates requested; overruns raise; events batch.
  $\tau$ = 10 s; no warm-up, no cool-down; seed 1; batchlab.
  easy:candidates=sjf,predictor=last2,corrector=increment: 1 job killed; run time is then the service received.
  lower bound: what no schedule that runs every job to its end can beat.
  wait: first start - submit.
  bsld: max(1, response / max(run, tau)).
  makespan: last end - first submit, of all jobs of the replay.
  utilization: sum(procs $\ast$ run) / (P $\ast$ makespan), of all jobs of the replay, drain included.
  \end{minipage}\par
\end{table*}
";
    assert_eq!(written(&table(), "latex", Style::default()), expected);
}

#[test]
fn in_csv() {
    let expected = r#"policy,mean_wait,max_wait,mean_bsld,makespan,utilization,trace,format,sha256,procs,nodes,jobs_used,jobs_dropped,size,estimate,overrun,events,load,scale_run,tau,prefix,warmup,cooldown,seed,tool
fcfs,11880,24800,203.1611111111111,25900,0.6359797297297297,logs/SITE-A_2001-1.swf.gz,swf,0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,64,1,5,0,requested,requested,raise,batch,1,1,10,0,none,none,1,batchlab
"easy:candidates=sjf,predictor=last2,corrector=increment",2680,8400,3.144444444444445,9500,0.6549342105263158,logs/SITE-A_2001-1.swf.gz,swf,0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,64,1,5,0,requested,requested,raise,batch,1,1,10,0,none,none,1,batchlab
log,11880,24800,203.1611111111111,25900,0.6359797297297297,logs/SITE-A_2001-1.swf.gz,swf,0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,64,1,5,0,requested,requested,raise,batch,1,1,10,0,none,none,1,batchlab
lower bound,0,0,1,20000,,logs/SITE-A_2001-1.swf.gz,swf,0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef,64,1,5,0,requested,requested,raise,batch,1,1,10,0,none,none,1,batchlab
"#;
    assert_eq!(written(&table(), "csv", Style::default()), expected);
}

#[test]
fn in_json() {
    let json: serde_json::Value = serde_json::from_str(&written(&table(), "json", Style::default())).unwrap();
    assert_eq!(json["rows"][0]["policy"], "fcfs");
    assert_eq!(json["rows"][0]["mean_wait"], 11_880);
    assert!(json["rows"][3]["utilization"].is_null());
    assert_eq!(json["columns"][1]["better"], "lower");
    assert_eq!(json["conditions"]["procs"], 64);
}

#[test]
fn by_classes() {
    let replay = Replay::new();
    let metrics = replay.metrics("jobs,mean_wait,makespan");
    let rows = replay.rows(&metrics, &zhang());
    let table = class_table(&replay.conditions, &metrics, &rows, &zhang(), TimeUnit::Hours);
    let expected = r"Replay of SITE-A_2001-1 by classes of jobs
SITE-A_2001-1 (sha256 0123456789ab): 5 jobs used, 0 dropped; 64 processors
sizes requested; estimates requested; overruns raise; events batch
τ = 10 s; no warm-up, no cool-down; seed 1; batchlab

                                                   mean
                                                   wait
class  policy                                jobs   (h)
───────────────────────────────────────────────────────
small  fcfs                                     2  4.11
small  easy:candidates=sjf,predictor=last2,     2  0.00
       corrector=increment
small  log                                      2  4.11
large  fcfs                                     3  2.76
large  easy:candidates=sjf,predictor=last2,     3  1.24
       corrector=increment
large  log                                      3  2.76

* easy:candidates=sjf,predictor=last2,corrector=increment: 1 job killed; run time is then the
  service received
";
    assert_eq!(written(&table, "table", Style::default()), expected);
}
