//! Options that allow plug-ins.

use batchlab_policies::external::{Ceilings, Opens};

use crate::Registry;
use crate::lab::Failure;

#[derive(Clone, Debug, Default)]
pub struct PluginSettings {
    pub plugin: Vec<String>,
    pub allow_native: bool,
    pub allow_exec: bool,
    pub allow_limit: Vec<(String, String)>,
}

impl PluginSettings {
    /// Returns the options in the form in which they are typed.
    pub fn words(&self) -> Vec<String> {
        let native = self.allow_native.then(|| "--allow-native".to_owned());
        let exec = self.allow_exec.then(|| "--allow-exec".to_owned());
        let plugins = self.plugin.iter().flat_map(|path| ["--plugin".to_owned(), path.clone()]);
        let limits = self.allow_limit.iter();
        let limits = limits.flat_map(|(key, value)| ["--allow-limit".to_owned(), format!("{key}={value}")]);
        native.into_iter().chain(exec).chain(limits).chain(plugins).collect()
    }

    /// Returns the registry with these plug-ins, for policies that files name.
    pub fn of_files(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.load(registry.clone().within(self.ceilings()))
    }

    /// Returns the registry with these plug-ins, for policies that are typed on the command line: typing a
    /// command is permission to start it.
    pub fn typed(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.load(registry.clone().allow_exec())
    }

    /// Returns the registry with these plug-ins, for policies that files name, in dry runs: it starts no
    /// process and loads no library.
    pub fn of_files_in_dry_run(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.of_files(&registry.clone().opening(Opens::Contained))
    }

    pub fn typed_in_dry_run(&self, registry: &Registry) -> Result<Registry, Failure> {
        self.typed(&registry.clone().opening(Opens::Contained))
    }

    fn ceilings(&self) -> Ceilings {
        let mut ceilings = Ceilings::default();
        for (key, value) in &self.allow_limit {
            // The values were checked when they were parsed.
            let _ = ceilings.allow(key, value);
        }
        ceilings
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

/// Parses a limit of plug-ins, KEY=VALUE.
pub fn ceiling(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not KEY=VALUE"))?;
    Ceilings::default().allow(key, value).map(|()| (key.to_owned(), value.to_owned()))
}
