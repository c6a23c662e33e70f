//! What is said of the files of an installation hides every word of them once names are hidden: each word is replaced in turn by
//! a marked one, and neither findings nor errors show it.

use batchlab_traces::redact::Pseudonyms;

use super::*;

const WORD: &str = "zqname";

const SITE: &str = include_str!("named.conf");
const RESERVATIONS: &str = "ReservationName=ann_class StartTime=2026-11-25T00:00:00 EndTime=2026-11-25T00:05:00 Nodes=n2 NodeCnt=1 \
                            Users=ann,-bob Accounts=physics Flags=MAINT,WEEKLY State=ACTIVE PartitionName=main Features=ib
";
const ASSOCIATIONS: &str =
    "Cluster|Account|User|Partition|Share|Priority|GrpTRES|MaxJobs|QOS|Def QOS|MaxTRESPerJob
c|root|||1|||||normal||
c| physics|||4||cpu=4,mem=3G|2|high|high|node=2
c|  physics|ann||1||||high,low||
c|  physics|bob|main|2||||low|low|
";
const QOS: &str = "Name|Priority|GraceTime|Preempt|PreemptMode|Flags|GrpTRES|MaxTRESPU|MaxJobsPU|MaxWall
normal|0|00:00:00||cluster||||
high|10|00:01:00|low|requeue|DenyOnLimit|cpu=8|cpu=4|3|1-00:00:00
low|1|00:00:00||cluster|NoReserve||||
";
const TOPOLOGY: &str = "SwitchName=s1 Nodes=n[1-2]
SwitchName=s2 Nodes=n[3-4],m1
SwitchName=top Switches=s[1-2]
";

fn words(line: &str) -> Vec<(usize, usize)> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    let begin = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let words = line.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty());
    words.map(|word| (begin(word), begin(word) + word.len())).collect()
}

#[test]
fn no_message_shows_a_word_of_the_files() {
    let files = [
        ("slurm.conf", SITE),
        ("res.txt", RESERVATIONS),
        ("assoc.psv", ASSOCIATIONS),
        ("qos.psv", QOS),
        ("topology.conf", TOPOLOGY),
    ];
    let mut shown = Vec::new();
    for (of, (name, text)) in files.iter().enumerate() {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            for (from, to) in words(line) {
                let changed = format!("{}{WORD}{}", &line[..from], &line[to..]);
                let all: Vec<&str> = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| if at == number { &changed } else { *line })
                    .collect();
                let all = all.join("\n") + "\n";
                let mut changed_files = files;
                changed_files[of].1 = &all;
                let (system, findings) = read(&changed_files);
                let details = findings.list().iter().flat_map(|finding| &finding.examples);
                let said = details
                    .map(|example| example.detail.clone())
                    .chain(system.err().map(|error| error.to_string()));
                let said = said.map(|words| Pseudonyms::default().message(&words));
                let leak = said.into_iter().find(|words| words.to_lowercase().contains(WORD));
                shown.extend(leak.map(|words| format!("{name}:{}: {words}", number + 1)));
            }
        }
    }
    shown.dedup();
    assert!(shown.is_empty(), "{} messages show a word:\n{}", shown.len(), shown.join("\n"));
}
