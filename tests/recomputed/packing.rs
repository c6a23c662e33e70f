//! Sheikhalishahi et al. 2015: the order of the queue by algorithms 1 and 2, and backfilling around a few reservations, for
//! jobs that hold whole nodes.

use super::{Clock, Job, NEVER, equal_starts, is_stated, jobs, replayed};
use crate::cmd::Folder;

const NODES: i64 = 144;
const RESERVED: usize = 4;

type Nodes = Vec<bool>;

/// A reservation: from, to, nodes.
type Reservation = (i64, i64, Nodes);

/// Returns the queue by algorithm 2: the sum over all nodes of algorithm 1's scores, highest first, ties as submitted.
fn by_score(queue: &mut [usize], jobs: &[Job], shares: &[Vec<i64>], running: &[usize]) {
    let kinds = shares[0].len();
    let mut weights = vec![0; kinds];
    for &job in running {
        let nodes = jobs[job].needs[0];
        for one in 0..kinds {
            for other in 0..kinds {
                // Free fractions: those of a node that the job's task leaves.
                if shares[job][one] < shares[job][other] {
                    weights[one] += nodes;
                    weights[other] -= nodes;
                }
            }
        }
    }
    let score =
        |job: usize| weights.iter().zip(&shares[job]).map(|(weight, share)| weight * share).sum::<i64>();
    queue.sort_by_key(|&job| (-score(job), job));
}

fn free_nodes(ends: &[(i64, &Nodes)], reserved: &[Reservation], [from, to]: [i64; 2]) -> Vec<usize> {
    let is_free = |node: &usize| {
        ends.iter().all(|(end, nodes)| *end <= from || !nodes[*node])
            && reserved.iter().all(|(begin, end, nodes)| *end <= from || to <= *begin || !nodes[*node])
    };
    (0..NODES as usize).filter(is_free).collect()
}

fn lowest(free: &[usize], count: i64) -> Option<Nodes> {
    let chosen = free.get(..count as usize)?;
    Some((0..NODES as usize).map(|node| chosen.contains(&node)).collect())
}

/// Starts the jobs that fit beside the reservations, in the order of the queue; the first few that do not fit get one. All
/// reservations are made anew at each decision.
fn simulated(jobs: &[Job], shares: Option<&[Vec<i64>]>) -> Vec<i64> {
    let (mut clock, mut queue) = (Clock::new(jobs, vec![NODES]), Vec::<usize>::new());
    let mut held: Vec<Nodes> = vec![Vec::new(); jobs.len()];
    while let Some((now, here)) = clock.next() {
        queue.extend(here);
        if let Some(shares) = shares {
            by_score(&mut queue, jobs, shares, &clock.ends.keys().copied().collect::<Vec<_>>());
        }
        let mut reserved: Vec<Reservation> = Vec::new();
        for job in std::mem::take(&mut queue) {
            let (count, long) = (jobs[job].needs[0], jobs[job].estimate);
            let nodes_at = |clock: &Clock<'_>, held: &[Nodes], from: i64| {
                let ends: Vec<(i64, &Nodes)> = clock
                    .ends
                    .keys()
                    .map(|&job| (clock.starts[job] + jobs[job].estimate, &held[job]))
                    .collect();
                // Jobs that run now hold their nodes, whatever they were estimated.
                let ends: Vec<(i64, &Nodes)> = if from == now {
                    ends.into_iter().map(|(_, nodes)| (NEVER, nodes)).collect()
                } else {
                    ends
                };
                lowest(&free_nodes(&ends, &reserved, [from, from + long]), count)
            };
            if let Some(nodes) = nodes_at(&clock, &held, now) {
                held[job] = nodes;
                clock.start(job, now);
                continue;
            }
            queue.push(job);
            if reserved.len() < RESERVED {
                let ends = clock.ends.keys().map(|&job| clock.starts[job] + jobs[job].estimate);
                let mut instants: Vec<i64> =
                    ends.chain(reserved.iter().map(|of| of.1)).filter(|&at| at > now).collect();
                instants.sort_unstable();
                let found =
                    instants.into_iter().find_map(|at| Some((at, at + long, nodes_at(&clock, &held, at)?)));
                reserved.extend(found);
            }
        }
    }
    clock.starts
}

/// Returns a log whose jobs have whole nodes of 8 processors in place of processors.
fn on_nodes(swf: &str) -> String {
    let line = |job: &Job| {
        let [submit, run, requested] = [job.submit, job.run, job.estimate].map(|time| time / 1_000_000);
        let (number, procs) = (job.number, 8 * job.needs[0]);
        format!("{number} {submit} -1 {run} {procs} -1 -1 {procs} {requested} -1 1 1 1 -1 1 -1 -1 -1\n")
    };
    let jobs: String = jobs(swf).iter().map(line).collect();
    format!("; MaxNodes: {NODES}\n; MaxProcs: {}\n{jobs}", 8 * NODES)
}

fn steps() -> String {
    let drawn = |name: &str| {
        format!(
            "[[step]]\nkind = \"resource\"\nname = \"{name}\"\nscope = \"node\"\ncapacity = 1000\nlaw = \"uniform\"\nmin = 0\n\
             max = 1000\nper = \"node\"\n"
        )
    };
    ["io", "net_in", "net_out"].map(drawn).concat()
}

#[test]
fn packing_of_sheikhalishahi_is_recomputed() {
    let folder = Folder::new();
    let (mut plain, mut packed) = (0, 0);
    folder.write("steps.toml", &steps());
    for seed in ["1", "2", "3"] {
        let options = ["--jobs", "500", "--procs", "144", "--seed", seed, "--set", "estimates=phi:0.2"];
        assert_eq!(
            folder.run(&[&["generate", "lublin", "-o", "n.swf", "-q"], &options[..]].concat()).code,
            0
        );
        folder.write("a.swf", &on_nodes(&folder.read("n.swf")));
        assert_eq!(folder.run(&["shape", "a.swf", "--steps", "steps.toml", "-o", "b.swf"]).code, 0);
        let mut jobs = jobs(&folder.read("b.swf"));
        // In thousandths of a node: processors, then what each of the job's nodes gives of the others.
        let mut shares = Vec::new();
        for job in &mut jobs {
            let nodes = (job.needs[0] + 7) / 8;
            let of_node = |need: &i64| (need + nodes - 1) / nodes;
            shares.push([&[1000], &job.needs[1..].iter().map(of_node).collect::<Vec<_>>()[..]].concat());
            job.needs = vec![nodes];
        }
        let machine = ["--nodes", "144", "--task-procs", "8"];
        let spec = "bkfl:reservations=4,keep=false";
        plain +=
            equal_starts(&jobs, &simulated(&jobs, None), &replayed(&folder, "b.swf", &machine, spec), spec);
        let spec = "mcbp:reservations=4,keep=false";
        packed += equal_starts(
            &jobs,
            &simulated(&jobs, Some(&shares)),
            &replayed(&folder, "b.swf", &machine, spec),
            spec,
        );
    }
    is_stated("sheikhalishahi15", plain, "BKFL");
    is_stated("sheikhalishahi15", packed, "MCBP");
}
