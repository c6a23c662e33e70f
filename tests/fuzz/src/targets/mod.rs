mod folder;
mod installations;
mod messages;
mod parsers;
mod site;
mod texts;

pub type Target = (&'static str, fn(&[u8]));

pub static TARGETS: &[Target] = &[
    ("swf", parsers::swf),
    ("sacct", parsers::sacct),
    ("slurm", parsers::slurm),
    ("queues", parsers::queues),
    ("installations", installations::installations),
    ("node_states", installations::node_states),
    ("pbs", parsers::pbs),
    ("lsf", parsers::lsf),
    ("sge", parsers::sge),
    ("archive", parsers::archive),
    ("tables", parsers::tables),
    ("mapping", parsers::mapping),
    ("detected", parsers::detected),
    ("expressions", texts::expressions),
    ("specs", texts::specs),
    ("models", texts::models),
    ("rules", texts::rules),
    ("steps", texts::steps),
    ("machines", texts::machines),
    ("experiments", texts::experiments),
    ("mapping_files", texts::mapping_files),
    ("calendars", site::calendars),
    ("limits", site::limits),
    ("priorities", site::priorities),
    ("schedules", messages::schedules),
    ("messages", messages::messages),
    ("folders", folder::folders),
];

/// Calls a target by name.
///
/// # Panics
/// When a property does not hold, or there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    target(bytes);
}
