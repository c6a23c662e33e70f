use std::io;

use clap::Command;
use clap_mangen::Man;

use super::arguments::arguments;
use super::terminal::form::print;
use crate::Registry;
use crate::lab::Failure;

arguments! {
    /// Print the manual page, all verbs on it
    #[command(after_help = "\
Example: batchlab man | man -l -
         batchlab man > batchlab.1")]
    pub struct ManPage {}
}

impl ManPage {
    pub fn run(self, registry: &Registry) -> Result<(), Failure> {
        let ManPage {} = self;
        // The version is that of the program; clap's `help` verb is left out.
        let mut command = super::command(registry).disable_help_subcommand(true).propagate_version(false);
        command.build();
        print(&page(&command)?)
    }
}

fn page(command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone());
    let mut page = rendered(|out| {
        man.render_title(out)?;
        man.render_name_section(out)?;
        man.render_synopsis_section(out)?;
        man.render_description_section(out)
    })?;
    for verb in command.get_subcommands() {
        page.push_str(&section(verb)?);
    }
    page.push_str(".SH EXIT STATUS AND EXAMPLES\n");
    if let Some(last) = command.get_after_help() {
        page.push_str(".nf\n");
        page.push_str(&last.to_string());
        page.push_str("\n.fi\n");
    }
    Ok(page)
}

/// Returns the section of a verb; sections of a separate page become its subsections.
fn section(verb: &Command) -> io::Result<String> {
    let man = Man::new(verb.clone());
    let own_page = rendered(|out| {
        man.render_synopsis_section(out)?;
        man.render_description_section(out)?;
        man.render_options_section(out)?;
        man.render_extra_section(out)
    })?;
    let mut section = format!(".SH {}\n", verb.get_name().to_uppercase());
    for line in own_page.lines() {
        match line.strip_prefix(".SH ") {
            Some("SYNOPSIS") => continue,
            Some("DESCRIPTION" | "EXTRA") => section.push_str(".PP"),
            Some(heading) => section.extend([".SS ", heading]),
            // The lines that define quotes are repeated in each part and dropped here.
            None if line.starts_with(".ie ") || line.starts_with(".el ") => continue,
            None => section.push_str(line),
        }
        section.push('\n');
    }
    Ok(section)
}

fn rendered(render: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<String> {
    let mut bytes = Vec::new();
    render(&mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}
