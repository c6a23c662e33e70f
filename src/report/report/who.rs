//! The table of the users, weeks and jobs that make the means.

use batchlab_engine::metrics::spoken;
use batchlab_engine::table::{Better, Cell, Clause, Format, Table, TableColumn, TableRow, TimeUnit, Unit};
use batchlab_study::experiment::detail::{self, who::Who};
use batchlab_study::experiment::{DesignPoint, Folder, Frame};
use batchlab_study::study::who::{Influence, InfluenceQuantity, influence};

/// Name of the table's files.
pub(super) const NAME: &str = "who";

/// Returns the table; `None` if no replay has this detail.
pub fn table(folder: &Folder, frame: &Frame) -> Option<Table> {
    let mut rows = Vec::new();
    for design_point in frame.design_points() {
        let Some(policies) = told(folder, frame, &design_point) else { continue };
        for counted in InfluenceQuantity::ALL {
            if let Some(influence) = influence(&policies, counted) {
                rows.push(row(frame, &design_point, counted, &influence));
            }
        }
    }
    (!rows.is_empty()).then(|| with_rows(frame, rows))
}

/// Returns the detail of each policy's units at a design point; `None` if one unit lacks it.
fn told(folder: &Folder, frame: &Frame, design_point: &DesignPoint) -> Option<Vec<Vec<Who>>> {
    let of_policy = |policy: usize| {
        let mut keys: Vec<&str> =
            frame.rows(design_point, policy).iter().map(|row| row.key.as_str()).collect();
        keys.dedup();
        let of_key = |key: &str| detail::read::<Who>(&folder.detail(key, detail::who::WHO.name)?).ok();
        keys.into_iter().map(of_key).collect::<Option<Vec<Who>>>().filter(|units| !units.is_empty())
    };
    (0..frame.policies.len()).map(of_policy).collect()
}

fn row(
    frame: &Frame,
    design_point: &DesignPoint,
    counted: InfluenceQuantity,
    influence: &Influence,
) -> TableRow {
    let mut cells = vec![Cell::Text(frame.workloads[design_point.workload].name.clone())];
    cells.extend((0..frame.parameters.len()).map(|at| Cell::Text(frame.value(design_point, at).to_owned())));
    let text = |text: &str| Cell::Text(text.to_owned());
    let of = |change: usize, groups: usize| Cell::Text(format!("{change} of {groups}"));
    let Influence { best, top_jobs, users, weeks } = influence;
    cells.extend([
        text(&spoken::of(counted.metric())),
        text(&frame.policies[*best].label),
        Cell::Number(*top_jobs),
        Cell::Number(users.share),
        of(users.change_best, users.groups),
        of(users.change_order, users.groups),
        Cell::Number(weeks.share),
        of(weeks.change_best, weeks.groups),
        of(weeks.change_order, weeks.groups),
    ]);
    TableRow { cells, group: None }
}

fn with_rows(frame: &Frame, rows: Vec<TableRow>) -> Table {
    let share =
        |key: &str| TableColumn::number(key, Format::of(Unit::Fraction, TimeUnit::Seconds), Better::Neither);
    let mut columns = vec![TableColumn::text("workload")];
    columns.extend(frame.parameters.iter().map(|parameter| TableColumn::text(&parameter.name)));
    columns.extend([
        TableColumn::text("metric"),
        TableColumn::text("best"),
        share("top_jobs"),
        share("top_user"),
        TableColumn::text("best_without_a_user"),
        TableColumn::text("order_without_a_user"),
        share("top_week"),
        TableColumn::text("best_without_a_week"),
        TableColumn::text("order_without_a_week"),
    ]);
    let define = |name: &str, what: &str| (name.to_owned(), what.into());
    Table {
        title: "Who makes the means".into(),
        caption: vec![
            Clause::prose(
                "jobs of all units together; jobs are left out of the measurement, not of the replay: others have waited for \
                 them all the same",
            )
            .into(),
        ],
        columns,
        rows,
        definitions: vec![
            define("best", "the policy with the least mean over all jobs"),
            define("top jobs", "largest share of a policy's sum that the 1 % of jobs with the largest values make"),
            define("top user, top week", "largest share of a policy's sum that one user, one week of submission makes"),
            define("best without", "single users (weeks) without whom another policy would be best, of how many"),
            define("order without", "those without whom the order of any two policies would be another"),
        ],
        ..Table::default()
    }
}
