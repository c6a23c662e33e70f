//! The options that let plug-ins in.

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
}

impl PluginArgs {
    /// Returns the options as they are typed.
    pub fn words(&self) -> Vec<String> {
        let native = self.allow_native.then(|| "--allow-native".to_owned());
        let plugins = self.plugin.iter().flat_map(|path| ["--plugin".to_owned(), path.clone()]);
        native.into_iter().chain(plugins).collect()
    }

    /// Returns the registry with these plug-ins.
    pub fn registry(&self, registry: &Registry) -> Result<Registry, Failure> {
        let mut registry = registry.clone();
        if self.allow_native {
            registry = registry.allow_native();
        }
        for path in &self.plugin {
            registry.load_plugin(path)?;
        }
        Ok(registry)
    }
}
