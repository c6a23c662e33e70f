//! `slurm-check --settings`: each setting of an installation, and what becomes of it in a replay.

use batchlab_slurm::reader::{Listing, SettingFate, SettingRow};
use batchlab_traces::redact::{HIDDEN, Pseudonyms, is_number, names_people};

use crate::cli::terminal::form::put;
use crate::lab::Failure;
use crate::lab::logs::redact;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::installation::SlurmSettings;
use crate::table::{Cell, Table, TableColumn, TableRow};

/// The most letters of a name or a value in the form for readers, which has files without their folders.
const SHOWN: usize = 24;

/// Prints the settings of the files; an error of the installation as a whole follows them.
pub fn print(slurm: &SlurmSettings, format: &str) -> Result<(), Failure> {
    let form = TableForm::any(format)?;
    let Listing { mut rows, error } = slurm.listing()?;
    if redact::is_on() {
        rows.iter_mut().for_each(hide);
    }
    put(&form.table(&table(&rows, format == "table")))?;
    error.map_or(Ok(()), |error| Err(error.into()))
}

/// Hides what may name people: all values but numbers and those of settings that a replay follows, and what lines that are not
/// read have.
fn hide(row: &mut SettingRow) {
    let is_followed =
        matches!(row.fate, SettingFate::Followed | SettingFate::Unfollowed | SettingFate::Replaced);
    let is_of_people = |key: &str| {
        let key = key.to_lowercase();
        names_people(&key)
            || ["qos", "reservation", "reservationname", "association"].iter().any(|end| key.ends_with(end))
    };
    let may_show = is_followed
        && !is_of_people(&row.setting)
        && !row.value.contains(['@', '~'])
        && !row.value.starts_with('/');
    if !may_show && !is_number(&row.value) {
        row.value = HIDDEN.into();
    }
    if let Some((key, _)) = row.of.split_once('=').filter(|(key, _)| is_of_people(key)) {
        row.of = format!("{key}={HIDDEN}");
    }
    row.effect = Pseudonyms::default().message(&row.effect);
}

/// Returns the table; `is_short` is whether long values are cut.
fn table(rows: &[SettingRow], is_short: bool) -> Table {
    let cut = |text: &str| match text.char_indices().nth(SHOWN) {
        Some((end, _)) if is_short => format!("{}…", text.get(..end).unwrap_or(text)),
        _ => text.to_owned(),
    };
    let row = |row: &SettingRow| {
        let place = row.place.to_string();
        let folder = place.rfind('/').filter(|_| is_short).map_or(0, |at| at + 1);
        let place = place.get(folder..).unwrap_or(&place).to_owned();
        let texts = [
            place,
            cut(&row.of),
            row.setting.clone(),
            cut(&row.value),
            row.fate.word().into(),
            row.effect.clone(),
        ];
        TableRow { cells: texts.map(Cell::Text).to_vec(), group: None }
    };
    let columns = ["place", "of", "setting", "value", "in_the_replay", "effect"].map(TableColumn::text);
    let caption = ["followed", "harmless", "not followed", "unknown", "replaced", "not read"]
        .map(|word| (word, rows.iter().filter(|row| row.fate.word() == word).count()));
    let counts = caption.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(word, count)| format!("{count} {word}")).collect();
    Table {
        title: "Settings of the installation".into(),
        caption: vec![counts.join(", ").into()],
        columns: columns.to_vec(),
        rows: rows.iter().map(row).collect(),
        ..Table::default()
    }
}
