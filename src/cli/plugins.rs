//! The options that let plug-ins in.

use batchlab_policies::external::Opens;
use clap::Args;

use super::Failure;
use crate::Registry;

/// Which plug-ins are let in.
#[derive(Args, Clone)]
pub struct PluginArgs {
    /// Let the policies of a plug-in (.wasm, .wat, .so) be named as the built-in ones are; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Plug-ins")]
    plugin: Vec<String>,
    /// Let shared libraries in: native code, which can do anything that you can
    #[arg(long, help_heading = "Plug-ins")]
    allow_native: bool,
    /// Let files start the commands (exec:) that they name as policies; a command that is typed here needs no permission
    #[arg(long, help_heading = "Plug-ins")]
    allow_exec: bool,
}

impl PluginArgs {
    /// Returns the options as they are typed.
    pub fn words(&self) -> Vec<String> {
        let native = self.allow_native.then(|| "--allow-native".to_owned());
        let exec = self.allow_exec.then(|| "--allow-exec".to_owned());
        let plugins = self.plugin.iter().flat_map(|path| ["--plugin".to_owned(), path.clone()]);
        native.into_iter().chain(exec).chain(plugins).collect()
    }

    /// Returns the registry with these plug-ins, for policies that files name.
    pub fn of_files(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.load(registry.clone())
    }

    /// Returns the registry with these plug-ins, for policies that are typed on the command line: whoever types a command
    /// wants it started.
    pub fn typed(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.load(registry.clone().allow_exec())
    }

    /// Returns the registry with these plug-ins for a verb that replays nothing: it starts no process and loads no library,
    /// whoever names it.
    pub fn of_dry_run(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.load(registry.clone().opening(Opens::Contained))
    }

    fn load(&self, mut registry: Registry) -> Result<Registry, Failure> {
        if self.allow_native {
            registry = registry.allow_native();
        }
        if self.allow_exec {
            registry = registry.allow_exec();
        }
        for path in &self.plugin {
            registry.load_plugin(path)?;
        }
        Ok(registry)
    }
}
