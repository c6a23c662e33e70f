//! Writes the accounting of Slurm, as `sacct -P` prints it, that reads back to the same schedule.

use std::io::{self, BufWriter, Write};

use batchlab_traces::header::ColumnScope;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::trace::NO_LIMIT;
use batchlab_traces::{Field, Record, Time, Trace};

/// The columns: those that the reader uses and a record can fill.
const HEADING: &str = "JobIDRaw|JobName|User|Account|Partition|State|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|ReqCPUS|\
    AllocCPUS|ReqTRES|AllocTRES|TRESUsageInTot|TotalCPU";

/// What accounting cannot have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotInAccounting {
    /// Records without a submit time.
    pub records: u64,
    /// Records with parts of a second, which are left out.
    pub fractions: u64,
    /// Records that ran after an unknown wait: their submit time stands for the start.
    pub starts: u64,
    /// Further columns of the log.
    pub columns: Vec<String>,
}

/// Writes a trace as accounting of Slurm: a row for each record with a submit time, instants in whole seconds from the log's zero,
/// names as numbers. Returns what was left out, besides the size of the machine, which accounting does not have.
pub fn write_sacct(trace: &Trace, out: &mut impl Write) -> io::Result<NotInAccounting> {
    let mut out = BufWriter::new(out);
    let columns = Columns::of(trace);
    let mut left_out = NotInAccounting { columns: columns.others.clone(), ..NotInAccounting::default() };
    if (0..trace.len()).any(|row| trace.get(row, Field::Preceding).truncated() > 0) {
        left_out.columns.push("preceding job".into());
    }
    if has_queues_of_a_partition(trace) {
        left_out.columns.push("queue (beside the partition)".into());
    }
    let zero = Time::from_secs(trace.header.unix_start_time.unwrap_or(0).max(0));
    writeln!(out, "{HEADING}")?;
    let mut record = Record::default();
    for row in 0..trace.len() {
        trace.record(row, &mut record);
        let job = Row { record: &record, columns: &columns, zero };
        if job.time(Field::Submit).is_none() {
            left_out.records += 1;
            continue;
        }
        let fields = [Field::Submit, Field::Wait, Field::Run, Field::RequestedTime];
        let has_part = |field: &Field| job.time(*field).is_some_and(|time| time != whole(time));
        left_out.fractions += u64::from(fields.iter().any(has_part));
        left_out.starts += u64::from(job.time(Field::Wait).is_none() && job.time(Field::Run).is_some());
        job.write(&mut out)?;
    }
    out.flush()?;
    Ok(left_out)
}

/// Whether the jobs of a partition are in several queues: a row has the partition only.
fn has_queues_of_a_partition(trace: &Trace) -> bool {
    let mut queues = SortedMap::new();
    let known = |row, field| Some(trace.get(row, field).truncated()).filter(|&number| number >= 0);
    (0..trace.len()).any(|row| {
        let both = known(row, Field::Partition).zip(known(row, Field::Queue));
        both.is_some_and(|(partition, queue)| *queues.entry(partition).or_insert(queue) != queue)
    })
}

#[derive(Default)]
struct Columns {
    eligible: Option<usize>,
    nodes: Option<usize>,
    memory: Option<usize>,
    no_limit: Option<usize>,
    /// Resources, by their names among the trackable ones.
    resources: Vec<(usize, String)>,
    /// The names of the columns that are not written.
    others: Vec<String>,
}

impl Columns {
    fn of(trace: &Trace) -> Columns {
        let mut columns = Columns::default();
        for (at, column) in trace.header.resources.iter().enumerate() {
            let is_name = column.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            match (column.name.as_str(), column.unit.as_str()) {
                ("eligible", "s") => columns.eligible = Some(at),
                ("nodes", _) => columns.nodes = Some(at),
                (NO_LIMIT, _) => columns.no_limit = Some(at),
                ("memory", "KB") => columns.memory = Some(at),
                (name, "" | "count") if is_name && column.scope != ColumnScope::Job => {
                    columns.resources.push((at, format!("gres/{name}")));
                }
                (name, _) => columns.others.push(name.to_owned()),
            }
        }
        columns
    }
}

struct Row<'a> {
    record: &'a Record,
    columns: &'a Columns,
    zero: Time,
}

impl Row<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let submit = self.time(Field::Submit).map(whole).unwrap_or_default();
        let (wait, run) = (self.time(Field::Wait).map(whole), self.time(Field::Run).map(whole));
        let status = self.count(Field::Status);
        let allocated = self.count(Field::Allocated).filter(|&procs| procs > 0);
        let has_run = run.is_some_and(|run| run > Time::ZERO);
        let never = !has_run && (status == Some(5) && allocated.is_none() || run.is_none() && wait.is_none());
        let left = wait.map(|wait| submit + wait);
        // A job without a start counts as one that never ran.
        let start = left.or(run.map(|_| submit)).filter(|_| !never);
        let end = if never { left } else { start.zip(run).map(|(start, run)| start + run) };
        let eligible =
            self.extra(self.columns.eligible).map_or(submit, |held| submit + Time::from_secs(held));
        let instant =
            |time: Option<Time>| time.map_or("Unknown".into(), |time| text(seconds(self.zero + time)));
        let requested = self.count(Field::Requested).filter(|&procs| procs > 0);
        let partition = [(Field::Partition, "part"), (Field::Queue, "queue")];
        let cells = [
            self.count(Field::Job).unwrap_or(0).to_string(),
            self.name(&[(Field::Executable, "app")]),
            self.name(&[(Field::User, "user")]),
            self.name(&[(Field::Group, "account")]),
            self.name(&partition),
            match status {
                Some(1) => "COMPLETED".into(),
                Some(0) => "FAILED".into(),
                Some(5) => "CANCELLED".into(),
                _ => String::new(),
            },
            instant(Some(submit)),
            instant(Some(eligible)),
            instant(start),
            instant(end),
            run.filter(|_| !never).map(clock).unwrap_or_default(),
            self.limit(),
            self.extra(self.columns.nodes).map(text).unwrap_or_default(),
            requested.map(text).unwrap_or_default(),
            allocated.map(text).unwrap_or_default(),
            self.tres(requested),
            if never { String::new() } else { self.tres(allocated.or(requested)) },
            self.shared(Field::UsedMemory, allocated).map(|used| format!("mem={used}K")).unwrap_or_default(),
            self.shared(Field::Cpu, allocated).map(|used| clock(Time::from_secs(used))).unwrap_or_default(),
        ];
        writeln!(out, "{}", cells.join("|"))
    }

    fn limit(&self) -> String {
        let is_unlimited = self.extra(self.columns.no_limit).is_some_and(|told| told > 0);
        let limit = self.time(Field::RequestedTime).filter(|&limit| limit > Time::ZERO).map(clock);
        limit.or_else(|| is_unlimited.then(|| "UNLIMITED".into())).unwrap_or_default()
    }

    fn tres(&self, procs: Option<i64>) -> String {
        let of_processors =
            self.shared(Field::RequestedMemory, self.count(Field::Requested).filter(|&n| n > 0));
        let memory = self.extra(self.columns.memory).or(of_processors);
        let named = |name: &str, amount: Option<i64>| amount.map(|amount| format!("{name}={amount}"));
        let further = self.columns.resources.iter().filter_map(|(at, name)| {
            let amount = self.extra(Some(*at)).filter(|&amount| amount > 0);
            named(name, amount)
        });
        let cpus = named("cpu", procs);
        let memory = memory.map(|memory| format!("mem={memory}K"));
        let nodes = named("node", self.extra(self.columns.nodes).filter(|&nodes| nodes > 0));
        cpus.into_iter().chain(further).chain(memory).chain(nodes).collect::<Vec<_>>().join(",")
    }

    fn time(&self, field: Field) -> Option<Time> {
        Some(Time::from_ticks(self.record.get(field).to_micro())).filter(|&time| time >= Time::ZERO)
    }

    fn count(&self, field: Field) -> Option<i64> {
        Some(self.record.get(field).truncated()).filter(|&count| count >= 0)
    }

    fn extra(&self, at: Option<usize>) -> Option<i64> {
        self.record.extra.get(at?).copied().filter(|&value| value >= 0)
    }

    /// Returns an amount of the whole job from the record's amount of one processor.
    fn shared(&self, field: Field, procs: Option<i64>) -> Option<i64> {
        let each = Some(self.record.get(field).to_micro()).filter(|&each| each >= 0)?;
        i64::try_from((i128::from(each) * i128::from(procs?) + 500_000) / 1_000_000).ok()
    }

    fn name(&self, fields: &[(Field, &str)]) -> String {
        let known = fields.iter().find_map(|&(field, word)| Some((self.count(field)?, word)));
        known.map(|(number, word)| format!("{word}{number}")).unwrap_or_default()
    }
}

fn text(count: i64) -> String {
    count.to_string()
}

fn seconds(time: Time) -> i64 {
    time.ticks() / Time::from_secs(1).ticks()
}

/// Returns a time without parts of a second.
fn whole(time: Time) -> Time {
    Time::from_secs(seconds(time))
}

/// Returns a duration as `days-hours:minutes:seconds`.
fn clock(time: Time) -> String {
    let seconds = seconds(time);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    if days > 0 { format!("{days}-{clock}") } else { clock }
}
