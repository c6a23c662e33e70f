//! What a node has, by the keys of its `NodeName` line.

use batchlab_traces::Findings;

use super::file::SystemError;
use super::grammar::Pair;
use super::partitions::{read, value};
use super::values;

#[derive(Clone, Debug)]
pub(super) struct NodeShape {
    /// Processors for jobs.
    pub(super) cpus: i64,
    /// The processors of a core.
    pub(super) threads: i64,
    pub(super) socket: i64,
    /// Memory for jobs, MB.
    pub(super) memory: i64,
    pub(super) weight: i64,
    pub(super) features: Vec<String>,
    pub(super) gres: Vec<(String, i64)>,
}

/// The states in which the nodes of a line are no part of the machine.
const OUT: [&str; 6] = ["down", "drain", "fail", "failing", "future", "error"];

pub(super) fn is_out(state: &str) -> bool {
    OUT.iter().any(|word| state.eq_ignore_ascii_case(word))
}

impl NodeShape {
    /// Reads the keys of a line; `get` returns the pair of a key.
    pub(super) fn of<'a>(
        get: &impl Fn(&str) -> Option<&'a Pair>,
        findings: &mut Findings,
    ) -> Result<NodeShape, SystemError> {
        let Processors { cpus, threads, socket } = processors(get, findings)?;
        // What the system keeps for itself is not for jobs.
        let mut kept = whole(get, "corespeccount", findings)?.unwrap_or(0).saturating_mul(threads);
        if let Some(pair) = get("cpuspeclist") {
            // A core with one of these processors is not for jobs.
            let cores = values::ids(&pair.value).saturating_add(threads - 1) / threads;
            kept = kept.max(cores.saturating_mul(threads));
        }
        let mut megabytes = |key: &str, default: i64| -> Result<i64, SystemError> {
            Ok(read(get(key), values::megabytes, findings)?.unwrap_or(default))
        };
        let memory = megabytes("realmemory", 1)? - megabytes("memspeclimit", 0)?;
        let features = ["feature", "features"].iter().find_map(|key| get(key));
        let words = features.map(|pair| pair.value.split(',').map(str::trim)).into_iter().flatten();
        Ok(NodeShape {
            cpus: (cpus - kept).max(1),
            threads,
            socket,
            memory: memory.max(1),
            weight: whole(get, "weight", findings)?.unwrap_or(1),
            features: words.filter(|word| !word.is_empty()).map(str::to_owned).collect(),
            gres: get("gres").map(|pair| values::gres(&pair.value)).unwrap_or_default(),
        })
    }

    /// Returns how many bytes each node of the line takes.
    pub(super) fn size(&self) -> usize {
        let features: usize = self.features.iter().map(|feature| feature.len() + 32).sum();
        let gres: usize = self.gres.iter().map(|(name, _)| name.len() + 40).sum();
        256 + features + gres
    }
}

struct Processors {
    cpus: i64,
    threads: i64,
    socket: i64,
}

/// Returns the processors of a node.
///
/// `CPUs` counts sockets, cores or threads; slurmctld replaces another number by that of the threads. Where it counts no
/// threads, a core is one processor.
fn processors<'a>(
    get: &impl Fn(&str) -> Option<&'a Pair>,
    findings: &mut Findings,
) -> Result<Processors, SystemError> {
    let cores = whole(get, "corespersocket", findings)?.map_or(1, |cores| cores.max(1));
    let threads = whole(get, "threadspercore", findings)?.map_or(1, |threads| threads.max(1));
    let of_board = whole(get, "socketsperboard", findings)?.unwrap_or(1);
    let on_boards = whole(get, "boards", findings)?.map(|boards| boards.saturating_mul(of_board));
    let sockets = whole(get, "sockets", findings)?.max(on_boards).map(|sockets| sockets.max(1));
    // The older name of CPUs.
    let key = if get("cpus").is_some() { "cpus" } else { "procs" };
    let given = whole(get, key, findings)?.map(|cpus| cpus.max(1));
    let of_socket = cores.saturating_mul(threads);
    let even = given.filter(|cpus| cpus % of_socket == 0).map(|cpus| cpus / of_socket);
    let sockets = sockets.or(even).unwrap_or(1);
    let all = sockets.saturating_mul(of_socket).clamp(1, MOST);
    let of_threads = Processors { cpus: all, threads, socket: of_socket.min(all) };
    match given {
        Some(cpus) if cpus == all => {}
        Some(cpus) if cpus == sockets.saturating_mul(cores) => {
            return Ok(Processors { cpus, threads: 1, socket: cores });
        }
        Some(cpus) if cpus == sockets => return Ok(Processors { cpus, threads: 1, socket: 1 }),
        Some(_) => get(key).map_or(Ok(()), |pair| value(findings, pair))?,
        None => {}
    }
    Ok(of_threads)
}

const MOST: i64 = 1 << 31;

fn whole<'a>(
    get: &impl Fn(&str) -> Option<&'a Pair>,
    key: &str,
    findings: &mut Findings,
) -> Result<Option<i64>, SystemError> {
    read(get(key), |text| text.parse().ok().filter(|count| (0..=MOST).contains(count)), findings)
}
