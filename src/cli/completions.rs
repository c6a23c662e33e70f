use clap_complete::Shell;

use super::arguments::{arguments, place, values};
use super::terminal::form::print;
use crate::Registry;
use crate::lab::Failure;

values!(Shell);

arguments! {
    /// Print a script that completes batchlab's command line in a shell
    #[command(after_help = "\
Example: batchlab completions bash > ~/.local/share/bash-completion/completions/batchlab
         batchlab completions zsh > ~/.zfunc/_batchlab")]
    pub struct Completions {
        shell: Shell = place("shell", "SHELL", "The shell"),
    }
}

impl Completions {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        // Written to memory first: the generator panics if a pipe is closed.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(registry), "batchlab", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
