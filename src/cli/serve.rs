use batchlab_policies::serve::{Seat, ServeError, child};
use batchlab_policies::spec::Chosen;
use clap::ValueEnum;

use super::arguments::{QUIET, arguments, option, place, values};
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::settings::plugins::PluginSettings;

arguments! {
    /// Let a policy decide for a simulator of others, until its simulation is over
    ///
    /// Waits for the simulator Batsim at an endpoint, in version 4 or 5 (JSON) of its protocol, or answers the messages of a
    /// child process on standard input and output: then `exec:(batchlab serve SPEC --protocol exec)` is the policy SPEC. The
    /// machine is a pool of the simulator's hosts, and estimates are its limits on run times. A policy that suspends or moves
    /// running jobs cannot be served.
    #[command(after_help = "\
Example: batchlab serve easy --protocol batsim4 &
         batsim -p platform.xml -w workload.json -e out/")]
    pub struct Serve {
        policy: String =
            place("policy", "SPEC", "The policy, as name:key=value,key=value, or a plug-in").policy(),
        protocol: Protocol = option("protocol", "PROTOCOL", "What the simulator speaks"),
        endpoint: String = option(
            "endpoint", "ENDPOINT", "Where to wait for Batsim: `tcp://127.0.0.1:PORT` or `ipc://FILE`",
        ).default("tcp://127.0.0.1:28000"),
        seed: u64 = option("seed", "S", "Seed of the policy's random draws").default("1"),
        quiet: bool = QUIET,
        plugins: PluginSettings,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// Batsim, version 4
    Batsim4,
    /// Batsim, version 5, in JSON
    Batsim5,
    /// A child process
    Exec,
}

values!(Protocol);

impl Serve {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = self.plugins.typed(registry)?;
        let chosen = registry.policies().choose(&self.policy)?;
        if self.protocol == Protocol::Exec {
            let seat = |procs| Seat::new(&chosen, procs, self.seed, child::told());
            let (name, clairvoyant) = (chosen.canonical(), chosen.needs().clairvoyance);
            let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
            return child::serve(input, output, &name, clairvoyant, seat).map_err(|error| failure(&error));
        }
        self.batsim(&chosen)
    }

    #[cfg(unix)]
    fn batsim(&self, chosen: &Chosen) -> Result<(), Failure> {
        use batchlab_policies::external::batsim::{BatsimVersion, Endpoint};
        use batchlab_policies::serve::batsim;

        let version = match self.protocol {
            Protocol::Batsim5 => BatsimVersion::Five,
            _ => BatsimVersion::Four,
        };
        let endpoint = Endpoint::parse(&self.endpoint).map_err(Failure::Usage)?;
        if !self.quiet {
            tell::note(&format!("waits for Batsim at {endpoint}"));
        }
        let failed = |error| Failure::Input(format!("{endpoint}: {error}"));
        let connection = endpoint.accept().map_err(failed)?;
        let seat = |hosts: u32| Seat::new(chosen, hosts.into(), self.seed, child::told());
        batsim::serve(version, connection, &chosen.canonical(), seat).map_err(|error| failure(&error))
    }

    #[cfg(not(unix))]
    fn batsim(&self, _: &Chosen) -> Result<(), Failure> {
        Err(Failure::Usage("Batsim's protocol wants a Unix system".into()))
    }
}

fn failure(error: &ServeError) -> Failure {
    match error {
        ServeError::Unfit { .. } => Failure::Usage(error.to_string()),
        ServeError::Failed { .. } => Failure::Policy(error.to_string()),
        ServeError::Message(_) | ServeError::Connection(_) => Failure::Input(error.to_string()),
    }
}
