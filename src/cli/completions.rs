//! `batchlab completions`: scripts that teach a shell the command line.

use clap::Args;
use clap_complete::Shell;

use super::Failure;
use super::form::print_tables;
use crate::Registry;

/// Print a script that completes batchlab's command line in a shell
#[derive(Args)]
#[command(
    after_help = "Example: batchlab completions bash > ~/.local/share/bash-completion/completions/batchlab"
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        // Gathered first: the generator takes a closed pipe for a bug.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(registry), "batchlab", &mut script);
        print_tables(&String::from_utf8_lossy(&script))
    }
}
