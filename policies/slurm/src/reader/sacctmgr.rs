//! What `sacctmgr` prints: associations and service classes as tables, or the tree of a cluster as a dump.

use crate::site::{Association, AssociationUsage, PreemptMode, Qos, preempted_names};
use batchlab_traces::located::LocatedError;
use batchlab_traces::notation::Bound;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{SourcePlace, Time};

use super::bounds::bounds;
use super::file::{SystemFile, place};
use super::sprio::share_table;
use super::values;

#[derive(Default)]
pub(super) struct Accounts {
    pub(super) associations: Vec<Association>,
    pub(super) qos: Vec<Qos>,
    /// The usage of associations at an instant, as `sshare` prints it, and the associations themselves.
    pub(super) usage: Vec<AssociationUsage>,
    pub(super) of_usage: Vec<Association>,
    /// The accounts that are guessed to be above others, since no file tells.
    pub(super) guessed: Vec<(SourcePlace, String)>,
    /// Whether a file tells which accounts are above which.
    pub(super) is_told: bool,
    qos_index: SortedMap<String, usize>,
}

/// What the rows of a table tell of the accounts above them.
struct RowsAbove {
    /// The index of each account.
    known: SortedMap<String, usize>,
    /// The names of the accounts above.
    parents: Vec<Option<String>>,
    /// The accounts above by indentation.
    indented: Vec<Option<usize>>,
    /// The line of each row, from 1.
    lines: Vec<usize>,
}

/// The most levels of accounts below each other.
const DEEPEST: usize = 200;

/// The row of a table: its line from 1, and its cells.
pub(super) struct SacctmgrRow<'a> {
    pub(super) line: usize,
    columns: &'a [String],
    cells: Vec<&'a str>,
}

impl<'a> SacctmgrRow<'a> {
    /// Returns the cell of the first of these columns that the table has.
    pub(super) fn get(&self, names: &[&str]) -> Option<&'a str> {
        let at = names.iter().find_map(|name| self.columns.iter().position(|column| column == name))?;
        self.cells.get(at).copied()
    }
}

impl Accounts {
    /// Adds the rows of `sacctmgr -P show assoc`.
    pub(super) fn associations(&mut self, file: &SystemFile) -> Result<(), LocatedError> {
        // With `tree`, accounts are indented below their parents.
        let mut above: Vec<(usize, usize)> = Vec::new();
        let mut indented: Vec<Option<usize>> = Vec::new();
        let begin = self.associations.len();
        let mut parents: Vec<Option<String>> = Vec::new();
        let mut known = SortedMap::new();
        let mut lines = Vec::new();
        let columns = columns(&file.text);
        for row in rows(file, &columns) {
            let row = row?;
            let wrong = |what: String| LocatedError { place: place(&file.name, row.line, 0), what };
            let written = row.get(&["account"]).unwrap_or_default();
            let account = written.trim().to_owned();
            let user = row.get(&["user"]).map(str::trim).filter(|user| !user.is_empty()).map(str::to_owned);
            let partition = row.get(&["partition"]).map(str::trim).filter(|name| !name.is_empty());
            let depth = written.len() - written.trim_start().len();
            while above.last().is_some_and(|&(other, _)| other >= depth) {
                above.pop();
            }
            lines.push(row.line);
            indented.push(above.last().map(|&(_, at)| at).filter(|_| depth > 0));
            let at = self.associations.len();
            if user.is_none() {
                above.push((depth, at));
                known.insert(account.clone(), at);
            }
            parents.push(
                row.get(&["par name", "parentname"])
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
            let shares = shares(row.get(&["rawshares", "share", "fairshare"])).map_err(wrong)?;
            let bounds = bounds(|names| row.get(names)).map_err(|unread| wrong(unread.to_string()))?;
            let priority = number(row.get(&["priority"]));
            let partition = partition.map(str::to_owned);
            let usage =
                row.get(&["rawusage", "usage"]).and_then(|text| text.trim().parse().ok()).unwrap_or(0.0);
            self.associations.push(Association {
                account,
                user,
                partition,
                parent: None,
                shares,
                priority,
                usage,
                bounds,
            });
        }
        self.join(begin, file, RowsAbove { known, parents, indented, lines })
    }

    /// Joins the rows from `begin` on to a tree.
    fn join(&mut self, begin: usize, file: &SystemFile, rows: RowsAbove) -> Result<(), LocatedError> {
        let RowsAbove { known, parents, mut indented, lines } = rows;
        let root = known.get("root").copied();
        let is_flat = indented.iter().all(Option::is_none) && parents.iter().all(Option::is_none);
        if is_flat {
            self.guess(&mut indented, begin);
            let above = indented.iter().flatten().copied().collect::<SortedSet<usize>>();
            let guessed = above.into_iter().map(|at| {
                let line = lines.get(at - begin).copied().unwrap_or(0);
                (place(&file.name, line, 1), self.associations[at].account.clone())
            });
            if !self.is_told {
                self.guessed = guessed.collect();
            }
        }
        for at in begin..self.associations.len() {
            let of_account = known.get(&self.associations[at].account).copied();
            let named = parents[at - begin].as_ref().and_then(|name| known.get(name).copied());
            let parent = match self.associations[at].user {
                Some(_) => of_account,
                None => named.or(indented[at - begin]).or(root),
            };
            self.associations[at].parent = parent.filter(|&parent| parent != at);
        }
        self.add(file, (begin, &lines), !is_flat)
    }

    /// Adds the tree of a file, whose associations begin at an index and stand on some lines, to those of the files before it.
    fn add(
        &mut self,
        file: &SystemFile,
        (begin, lines): (usize, &[usize]),
        is_told: bool,
    ) -> Result<(), LocatedError> {
        self.levels(begin).map_err(|(at, what)| {
            let here = place(&file.name, lines.get(at - begin).copied().unwrap_or(0), 0);
            LocatedError { place: here, what }
        })?;
        self.merge(begin, is_told);
        // An account that a file has twice may be below itself now.
        self.levels(0).map_err(|(_, what)| LocatedError { place: place(&file.name, 0, 0), what })
    }

    /// Guesses which accounts of a table are above which: `sacctmgr` lists an account before the accounts below it, and one without users
    /// has some. `above` gets the account above each row.
    fn guess(&self, above: &mut [Option<usize>], begin: usize) {
        let rows = &self.associations[begin..];
        let has_users: SortedSet<&str> =
            rows.iter().filter(|one| one.user.is_some()).map(|one| one.account.as_str()).collect();
        // The accounts without users that are open, and whether an account below the last one was seen.
        let (mut open, mut has_below) = (Vec::new(), false);
        for (at, one) in rows.iter().enumerate() {
            if one.user.is_some() || one.account == "root" {
                continue;
            }
            let is_empty = !has_users.contains(one.account.as_str());
            if is_empty && has_below {
                open.pop();
            }
            above[at] = open.last().copied();
            has_below = !is_empty;
            if is_empty {
                open.push(begin + at);
            }
        }
    }

    /// Checks how deep the tree of the associations from `begin` on is.
    ///
    /// # Errors
    /// At the first association that is below itself, or below too many others.
    fn levels(&self, begin: usize) -> Result<(), (usize, String)> {
        let mut depths = vec![0_usize; self.associations.len()];
        for at in begin..self.associations.len() {
            let (mut path, mut next) = (Vec::new(), Some(at));
            let wrong = |how: &str| {
                let account = &self.associations[at].account;
                (at, format!("account `{account}` is {how}below more than {DEEPEST} others"))
            };
            while let Some(one) = next.filter(|&one| depths[one] == 0) {
                path.push(one);
                if path.len() > DEEPEST {
                    return Err(wrong("below itself, or "));
                }
                next = self.associations[one].parent;
            }
            let mut depth = next.map_or(0, |one| depths[one]);
            for one in path.into_iter().rev() {
                depth += 1;
                depths[one] = depth;
            }
            if depth > DEEPEST {
                return Err(wrong(""));
            }
        }
        Ok(())
    }

    /// Adds the rows of `sshare`. Its tree, without limits, becomes the tree of the installation if no other file has one.
    pub(super) fn usage(&mut self, file: &SystemFile) -> Result<(), LocatedError> {
        self.usage = share_table(file, None)?;
        // Padded columns cut names off.
        if file.text.contains('|') {
            let mut tree = Accounts::default();
            tree.associations(file)?;
            tree.associations.iter_mut().for_each(|one| one.usage = 0.0);
            self.of_usage = tree.associations;
        }
        Ok(())
    }

    /// Takes the tree of `sshare` where no other file has one: a table of associations without parents and indentation has all
    /// accounts below the root.
    pub(super) fn complete(&mut self) {
        let tree = std::mem::take(&mut self.of_usage);
        if self.associations.is_empty() {
            self.associations = tree;
            return;
        }
        let above = |one: &Association| tree.get(one.parent?).map(|parent| parent.account.clone());
        let accounts = tree.iter().filter(|one| one.user.is_none());
        let parents: SortedMap<&str, String> =
            accounts.filter_map(|one| Some((one.account.as_str(), above(one)?))).collect();
        let is_account = |one: &&Association| one.user.is_none();
        let is_below_another = |one: &Association| {
            one.parent.and_then(|at| self.associations.get(at)).is_some_and(|parent| parent.account != "root")
        };
        let is_told =
            self.guessed.is_empty() && self.associations.iter().filter(is_account).any(is_below_another);
        if is_told || parents.is_empty() {
            return;
        }
        self.guessed.clear();
        let known: SortedMap<String, usize> = (0..self.associations.len())
            .filter(|&at| self.associations[at].user.is_none())
            .map(|at| (self.associations[at].account.clone(), at))
            .collect();
        for one in self.associations.iter_mut().filter(|one| one.user.is_none()) {
            if let Some(&parent) = parents.get(one.account.as_str()).and_then(|name| known.get(name)) {
                one.parent = Some(parent);
            }
        }
    }

    /// Adds the rows of `sacctmgr -P show qos`.
    pub(super) fn qos(&mut self, file: &SystemFile) -> Result<(), LocatedError> {
        let columns = columns(&file.text);
        for row in rows(file, &columns) {
            let row = row?;
            let here = place(&file.name, row.line, 0);
            let wrong = |what: String| LocatedError { place: here.clone(), what };
            let mut bounds = bounds(|names| row.get(names)).map_err(|unread| wrong(unread.to_string()))?;
            // A job beyond a limit was refused at its submission, and is not in the log.
            let flags = row.get(&["flags"]).unwrap_or_default().split(',').map(str::trim);
            let flags = flags.filter(|flag| !flag.is_empty() && !flag.eq_ignore_ascii_case("DenyOnLimit"));
            let (over, flags): (Vec<&str>, Vec<&str>) =
                flags.partition(|flag| flag.eq_ignore_ascii_case("OverPartQOS"));
            bounds.others.extend(flags.into_iter().map(|flag| format!("Flags={flag}")));
            let factor = row.get(&["usagefactor"]).filter(|text| !text.trim().is_empty());
            let usage_factor = match factor {
                None => 1.0,
                Some(text) => {
                    text.trim().parse().map_err(|_| wrong(format!("UsageFactor=`{text}` is no number")))?
                }
            };
            let name = row.get(&["name"]).unwrap_or_default().trim().to_owned();
            let read = |names: &[&str]| row.get(names).map(str::trim).filter(|text| !text.is_empty());
            let time = |names: &[&str]| -> Result<Option<Time>, LocatedError> {
                let Some(text) = read(names) else { return Ok(None) };
                let limit =
                    values::limit(text).ok_or_else(|| wrong(format!("{}=`{text}` is no time", names[0])))?;
                Ok(limit.most())
            };
            // Without a mode of its own, a service class prints `cluster`.
            let mode = read(&["preemptmode"]).filter(|text| !text.eq_ignore_ascii_case("cluster"));
            let preempt_mode = match mode {
                None => None,
                Some(text) => Some(
                    PreemptMode::parse(text)
                        .ok_or_else(|| wrong(format!("PreemptMode=`{text}` is no mode of preemption")))?,
                ),
            };
            let qos = Qos {
                name,
                priority: number(row.get(&["priority"])),
                usage_factor,
                preempts: preempted_names(row.get(&["preempt"]).unwrap_or_default()),
                preempt_mode,
                grace: time(&["gracetime"])?.unwrap_or(Time::ZERO),
                exempt: time(&["preemptexempttime"])?,
                over_partition: !over.is_empty(),
                bounds,
                place: here,
            };
            match self.qos_index.get(&qos.name) {
                Some(&at) => self.qos[at] = qos,
                None => {
                    self.qos_index.insert(qos.name.clone(), self.qos.len());
                    self.qos.push(qos);
                }
            }
        }
        Ok(())
    }

    /// Adds the tree of `sacctmgr dump`: an account or a user belongs to the last `Parent` line before it.
    pub(super) fn dump(&mut self, file: &SystemFile) -> Result<(), LocatedError> {
        let mut accounts = SortedMap::new();
        let mut parent: Option<usize> = None;
        let (begin, mut lines) = (self.associations.len(), Vec::new());
        for (at, text) in file.text.lines().enumerate() {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = |what: String| LocatedError { place: place(&file.name, at + 1, 1), what };
            let parts = text.split_once(" - ").and_then(|(kind, rest)| Some((kind, fields(rest)?)));
            let Some((kind, fields)) = parts else {
                return Err(wrong("this is no line of a dump, such as User - 'name':Fairshare=1".into()));
            };
            let name = fields.first().map(|(_, value)| value.clone()).unwrap_or_default();
            let get = |names: &[&str]| {
                let found = names.iter().find_map(|name| fields.iter().skip(1).find(|(key, _)| key == name));
                found.map(|(_, value)| value.as_str())
            };
            let (account, user) = match kind {
                "Cluster" => ("root".to_owned(), None),
                "Account" => (name, None),
                "User" => (String::new(), Some(name)),
                "Parent" => {
                    parent = accounts.get(&name).copied();
                    if parent.is_none() {
                        return Err(wrong(format!("no line before this one defines the account `{name}`")));
                    }
                    continue;
                }
                // Since 25.05; the table of `sacctmgr -P show qos` has them in each version.
                "QOS" => continue,
                other => {
                    return Err(wrong(format!(
                        "`{other}` is none of Cluster, Parent, Account, User and QOS"
                    )));
                }
            };
            let shares = shares(get(&["fairshare", "share"])).map_err(wrong)?;
            let bounds = bounds(get).map_err(|unread| wrong(unread.to_string()))?;
            let partition = get(&["partition"]).map(str::to_owned);
            let priority = number(get(&["priority"]));
            let account = match parent {
                Some(parent) if user.is_some() => self.associations[parent].account.clone(),
                _ => account,
            };
            if user.is_none() {
                accounts.insert(account.clone(), self.associations.len());
            }
            lines.push(at + 1);
            let parent = if kind == "Cluster" { None } else { parent.or(accounts.get("root").copied()) };
            self.associations.push(Association {
                account,
                user,
                partition,
                parent,
                shares,
                priority,
                usage: 0.0,
                bounds,
            });
        }
        self.add(file, (begin, &lines), true)
    }
}

/// Returns the names of the columns of a table in lower case.
pub(super) fn columns(text: &str) -> Vec<String> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.trim_end_matches('|').split('|').map(|name| name.trim().to_ascii_lowercase()).collect()
}

pub(super) fn rows<'a>(
    file: &'a SystemFile,
    columns: &'a [String],
) -> impl Iterator<Item = Result<SacctmgrRow<'a>, LocatedError>> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.skip(1).map(move |(at, line)| {
        let cells: Vec<&str> = line.split('|').collect();
        if cells.len() < columns.len() {
            let what = format!("{} of {} columns: the table is cut off", cells.len(), columns.len());
            return Err(LocatedError { place: place(&file.name, at + 1, 0), what });
        }
        Ok(SacctmgrRow { line: at + 1, columns, cells })
    })
}

/// Returns the fields of a line of a dump; the first one is a name without a key.
fn fields(text: &str) -> Option<Vec<(String, String)>> {
    let mut fields = Vec::new();
    let (mut begin, mut quoted) = (0, false);
    let mut add = |part: &str| {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) if !key.contains('\'') => (key, value),
            _ => ("", part),
        };
        fields.push((key.trim().to_ascii_lowercase(), value.trim().trim_matches('\'').to_owned()));
    };
    for (at, letter) in text.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            ':' if !quoted => {
                add(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    add(&text[begin..]);
    (!quoted).then_some(fields)
}

/// Returns the shares: 1 unless given, and `None` for `parent`.
fn shares(text: Option<&str>) -> Result<Option<i64>, String> {
    match text.map(str::trim) {
        None | Some("") => Ok(Some(1)),
        Some("parent") => Ok(None),
        Some(text) => match text.parse() {
            Ok(shares) if shares >= 0 => Ok(Some(shares)),
            _ => Err(format!("the share `{text}` is no number")),
        },
    }
}

fn number(text: Option<&str>) -> i64 {
    text.and_then(values::count).and_then(Bound::most).unwrap_or(0)
}
