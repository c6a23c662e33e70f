//! The command of a spec, and the child that it starts.

use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use batchlab_traces::nearest::{meant, nearest};

use super::channel::Channel;
use super::group::ProcessGroup;
use super::watched::{Patience, Watched};
use super::{MEMORY, TIMEOUT, TOTAL};
use batchlab_contract::plugin::{Fault, LoadError};
use batchlab_contract::spec::{ParamSpec, Params};

/// A command split into words, and the limits of its children.
#[derive(Clone, Debug)]
pub struct Program {
    /// For errors.
    carrier: &'static str,
    words: Vec<String>,
    patience: Patience,
    /// The most MiB of each process.
    pub memory: Option<u64>,
}

impl Program {
    /// Splits a command into words as a shell does; no other shell syntax is supported.
    pub fn read(carrier: &'static str, text: &str, options: &Params) -> Result<Program, LoadError> {
        let foreign = |why: String| LoadError::Foreign { path: format!("`{text}`"), carrier, why };
        let words = shlex::split(text).ok_or_else(|| foreign("a quote has no end".into()))?;
        if words.is_empty() {
            let why = format!("it has no words; a command is wanted, as in {carrier}:(python3 policy.py)");
            return Err(foreign(why));
        }
        Ok(Program { carrier, words, patience: patience(options), memory: options.count(MEMORY.name) })
    }

    pub fn mentions(&self, text: &str) -> bool {
        self.words.iter().any(|word| word.contains(text))
    }

    /// The command with a text in the place of another.
    #[must_use]
    pub fn with(&self, text: &str, by: &str) -> Program {
        let words = self.words.iter().map(|word| word.replace(text, by)).collect();
        Program { words, ..self.clone() }
    }

    pub fn start(&self) -> io::Result<Channel> {
        Channel::new(self.spawn(Stdio::piped())?, self.patience.clone())
    }

    /// Starts a child that exchanges messages in another way than by its standard streams: its input is empty, and of its
    /// output the last lines are kept.
    pub fn start_apart(&self) -> io::Result<Watched> {
        let mut group = self.spawn(Stdio::null())?;
        let child = group.child();
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let noise = output.map(OwnedFd::from).into_iter().chain(errors.map(OwnedFd::from));
        Watched::new(Some(group), noise, self.patience.clone())
    }

    fn spawn(&self, input: Stdio) -> io::Result<ProcessGroup> {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = ProcessGroup::start(&mut command)?;
        if let Some(memory) = self.memory {
            group.limit_memory(memory.saturating_mul(1 << 20))?;
        }
        Ok(group)
    }

    /// Returns an error if there is no such program, without starting it: a shell looks along PATH.
    pub fn must_exist(&self) -> Result<(), LoadError> {
        let look = ["-c", "command -v -- \"$1\" || test -e \"$1\"", "sh", &self.words[0]];
        let found = Command::new("/bin/sh").args(look).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let is_missing = found.is_ok_and(|status| !status.success());
        if is_missing { Err(self.not_started(&ErrorKind::NotFound.into())) } else { Ok(()) }
    }

    /// The error of a command that could not be started the first time.
    pub fn not_started(&self, error: &io::Error) -> LoadError {
        let path = self.words[0].clone();
        let missing = |why: &str, there| LoadError::Missing { path: path.clone(), why: why.into(), there };
        let (file, named) = (Path::new(&path), path.contains('/'));
        match error.kind() {
            ErrorKind::NotFound if named && file.exists() => {
                missing("what its first line names, or what would load it, is not there", String::new())
            }
            ErrorKind::NotFound if named => missing("there is no such file", beside(file)),
            ErrorKind::NotFound => missing("no folder of PATH has a program of this name", here(file)),
            ErrorKind::PermissionDenied if file.is_dir() => missing("it is a folder", String::new()),
            ErrorKind::PermissionDenied if named => {
                let carrier = self.carrier;
                let there =
                    format!("; run chmod +x {path}, or name what runs it, as in {carrier}:(python3 {path})");
                missing("it is not executable", there)
            }
            _ => LoadError::Foreign {
                path: path.clone(),
                carrier: self.carrier,
                why: format!(
                    "the system cannot run it ({error}); the first line of a script says what does, as in \
                     #!/usr/bin/env python3"
                ),
            },
        }
    }

    pub fn not_started_again(error: &io::Error) -> Fault {
        Fault::Died { during: "hello", how: format!("it cannot be started again: {error}") }
    }
}

pub fn patience(options: &Params) -> Patience {
    let limit = |param: &ParamSpec| {
        let limit = options.duration(param.name);
        limit.map(|limit| Duration::from_micros(limit.ticks().unsigned_abs()))
    };
    Patience {
        limit: limit(&TIMEOUT),
        total: limit(&TOTAL),
        text: [&TIMEOUT, &TOTAL].map(|param| options.text(param.name).into()),
    }
}

/// Whether the word is a file, as the end of a sentence.
fn here(file: &Path) -> String {
    let file = file.display();
    if Path::new(&format!("./{file}")).is_file() {
        format!("; there is a file of this name here: say ./{file}")
    } else {
        String::new()
    }
}

/// The file of the nearest name in the same folder, as the end of a sentence.
fn beside(file: &Path) -> String {
    let Some((folder, name)) = file.parent().zip(file.file_name().and_then(|name| name.to_str())) else {
        return String::new();
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let found = nearest(name, names.iter().map(String::as_str));
    meant(found.map(|found| folder.join(found).display().to_string()).as_deref())
}

#[cfg(test)]
mod tests {
    use super::super::CARRIER;
    use super::*;

    fn read(text: &str) -> Result<Program, LoadError> {
        Program::read("exec", text, &Params::check("exec", CARRIER.params, &[]).unwrap())
    }

    #[test]
    fn words_are_those_of_a_shell() {
        let words = |text: &str| read(text).unwrap().words;
        assert_eq!(words("./mine.py"), ["./mine.py"]);
        assert_eq!(
            words(r#"python3 'my policy.py' -n "3 4" a\ b $HOME"#),
            ["python3", "my policy.py", "-n", "3 4", "a b", "$HOME"]
        );
    }

    #[test]
    fn a_command_that_is_none_is_said() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(error("python3 'a"), "`python3 'a` is no plug-in for `exec`: a quote has no end");
        assert!(error("").contains("it has no words; a command is wanted"));
    }

    #[test]
    fn what_is_not_started_is_said() {
        let error = |text: &str| {
            let program = read(text).unwrap();
            program.not_started(&program.start().unwrap_err()).to_string()
        };
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../policies/external/src");
        assert_eq!(error("no-such-program"), "no-such-program: no folder of PATH has a program of this name");
        assert!(error("./no/such/file").ends_with("there is no such file"));
        let near = error(&format!("'{source}/carrierz.rs'"));
        assert!(
            near.contains("there is no such file (did you mean `") && near.contains("/carriers.rs`?)"),
            "{near}"
        );
        assert!(error(&format!("'{source}'")).ends_with(": it is a folder"));
        let plain = error(&format!("'{source}/carriers.rs'"));
        assert!(plain.contains("it is not executable; run chmod +x "), "{plain}");
    }
}
