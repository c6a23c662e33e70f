//! How users fare: how many fare better than under the baseline, how evenly, and who loses most.

use super::best::percent;
use super::labelled::{Labelled, RowPlace, design_points};
use super::{Axis, Baseline, TableKind, TableSpec};
use batchlab_engine::table::{Better, Cell, Clause, Format, Table, TableColumn, TableRow, TimeUnit, Unit};
use batchlab_study::experiment::detail::user_sums::{USER_SUMS, UserSums};
use batchlab_study::experiment::detail::{self, who::Sums};
use batchlab_study::experiment::{DesignPoint, Folder};
use batchlab_study::study::Study;
use batchlab_study::study::fairness::{STATISTICS, labels, paired, pooled};
use batchlab_study::study::who::InfluenceQuantity;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;

/// The most users who lose that are listed of a policy.
const LOSERS: usize = 10;

/// What the tables of users are made from.
struct Source<'a> {
    spec: &'a TableSpec,
    study: &'a Study<'a>,
    folder: &'a Folder,
    baseline: usize,
}

/// Returns the table, of [`TableKind::Users`] or [`TableKind::Losers`]. O(users · units) at each design point and policy.
pub fn users(spec: &TableSpec, study: &Study<'_>, folder: &Folder) -> Table {
    let Some(Baseline::Policy(baseline)) = spec.baselines.first() else { return Table::default() };
    let source = Source { spec, study, folder, baseline: *baseline };
    let of_users = match spec.kind {
        TableKind::Losers => source.losers(),
        _ => source.fairness(),
    };
    let mut table = of_users.table;
    let name = &study.frame().policies[*baseline].label;
    table.facts.push(("baseline".into(), Cell::Text(name.clone())));
    table.caption.insert(table.caption.len() - 1, Clause::prose(format!("compared with {name}")).into());
    table
}

impl<'a> Source<'a> {
    fn title(&self, what: &str) -> String {
        format!("{what} {}", self.study.frame().policies[self.baseline].label)
    }

    /// Returns the sums of users in each unit of a policy, with its number; the reason if there are none.
    fn units(&self, point: &DesignPoint, policy: usize) -> Result<Vec<(Option<u32>, UserSums)>, String> {
        let rows = self.study.frame().rows(point, policy);
        let mut keys: Vec<(Option<u32>, &str)> =
            rows.iter().map(|row| (row.unit, row.key.as_str())).collect();
        keys.dedup_by_key(|row| row.1);
        let of_key = |(unit, key): (Option<u32>, &str)| {
            let kept = self.folder.detail(key, USER_SUMS.name);
            let kept = kept.ok_or("the sums of users were not kept: declare the table before the run")?;
            Ok((unit, detail::read::<UserSums>(&kept)?))
        };
        keys.into_iter().map(of_key).collect()
    }

    /// Returns the sums of users under a policy and under the baseline, in the units that both have.
    fn pairs(
        &self,
        labelled: &mut Labelled<'_>,
        point: &DesignPoint,
        policy: usize,
    ) -> Vec<(UserSums, UserSums)> {
        let (own, base) = match (self.units(point, policy), self.units(point, self.baseline)) {
            (Ok(own), Ok(base)) => (own, base),
            (Err(reason), _) | (_, Err(reason)) => {
                let workload = &self.study.frame().workloads[point.workload].name;
                labelled.note(format!("{workload}: {reason}"));
                return Vec::new();
            }
        };
        let base: SortedMap<Option<u32>, UserSums> = base.into_iter().collect();
        own.into_iter().filter_map(|(unit, own)| Some((own, base.get(&unit)?.clone()))).collect()
    }

    /// Returns the design points and policies, in the order of the rows.
    fn replays(&self) -> impl Iterator<Item = (DesignPoint, usize)> {
        let points = design_points(self.spec, self.study).into_iter();
        points.flat_map(|point| self.spec.policies.iter().map(move |&policy| (point.clone(), policy)))
    }

    /// Returns the metrics of the spec, with their quantities.
    fn quantities(&self) -> impl Iterator<Item = (usize, InfluenceQuantity)> {
        let quantity = |metric: &str| InfluenceQuantity::ALL.into_iter().find(|of| of.metric() == metric);
        let metrics = self.spec.metrics.iter().enumerate();
        metrics.filter_map(move |(at, metric)| Some((at, quantity(metric)?)))
    }

    fn fairness(&self) -> Labelled<'a> {
        let title = self.title("How users fare, against");
        let mut labelled = Labelled::new(self.spec, self.study, &title, &[Axis::Policy, Axis::Metric]);
        let count = Format::of(Unit::Count, TimeUnit::Seconds);
        labelled.table.columns.push(TableColumn::number("users", count, Better::Neither));
        for of in &STATISTICS {
            let unit = if of.ends[0] < 0.0 || !of.is_compared { Unit::Ratio } else { Unit::Fraction };
            let format = Format { signed: of.ends[0] < 0.0, ..Format::of(unit, TimeUnit::Seconds) };
            labelled.number(of.key, format, of.better, None);
            let what = Clause::from(format!("{}{}", of.what, of.aside)).in_a_paper(of.what);
            labelled.define(&of.key.replace('_', " "), what);
        }
        let users = "known users with measured jobs";
        let what = format!("{users}, of all units together; each has the mean of their jobs in a unit");
        labelled.define("users", Clause::from(what).in_a_paper(users));
        let level = self.study.frame().level;
        let at = percent(level);
        let how = "for each value alone, allowing for alike neighbours in a row";
        let what = Clause::from(format!("of the mean over units at {at} %, by Student's t, {how}"));
        let paper = format!("at {at} % by Student's t over units, each alone, allowing for alike neighbours");
        labelled.define("interval", what.in_a_paper(paper));
        for (point, policy) in self.replays() {
            let units = self.pairs(&mut labelled, &point, policy);
            if units.is_empty() {
                continue;
            }
            let users = pooled(units.iter().map(|unit| &unit.0)).len() as f64;
            let kind = self.study.frame().workloads[point.workload].units;
            for (metric, quantity) in self.quantities() {
                let place = RowPlace { point: point.clone(), policy: Some(policy), metric: Some(metric) };
                let mut cells = labelled.labels(&place);
                cells.push(Cell::Number(users));
                let pairs: Vec<_> = units.iter().map(|(own, base)| paired(own, base, quantity)).collect();
                for of in &STATISTICS {
                    if of.is_compared && policy == self.baseline {
                        cells.extend([Cell::Empty, Cell::Empty]);
                        continue;
                    }
                    let (mean, interval) = of.over(&pairs, kind, level);
                    cells.extend([Cell::from(mean), labelled.interval(&point, &interval)]);
                }
                labelled.table.rows.push(TableRow { cells, group: None });
            }
        }
        labelled
    }

    fn losers(&self) -> Labelled<'a> {
        let title = self.title("Users who lose most against");
        let mut labelled = Labelled::new(self.spec, self.study, &title, &[Axis::Policy, Axis::Metric]);
        let unit = if self.spec.metrics.iter().all(|of| of == InfluenceQuantity::Wait.metric()) {
            Unit::Seconds
        } else {
            Unit::Ratio
        };
        let format = Format::of(unit, self.spec.time);
        let number = |key, format| TableColumn::number(key, format, Better::Neither);
        let count = Format::of(Unit::Count, TimeUnit::Seconds);
        labelled.table.columns.extend([
            TableColumn::text("user"),
            number("jobs", count),
            number("under_the_baseline", format),
            number("under_the_policy", format),
            number("loss", Format { signed: true, ..format }),
            TableColumn::text("longer_in"),
        ]);
        labelled.define("user", "u1 has the most measured jobs of the workload, u2 the second most, and so on: the labels say nothing else of who it is");
        labelled.define(
            "under the baseline, under the policy",
            "mean over the user's measured jobs of all units",
        );
        labelled.define("longer in", "units in which the user's mean is greater than under the baseline, of those in which they have jobs");
        for (point, policy) in self.replays().filter(|replay| replay.1 != self.baseline) {
            let units = self.pairs(&mut labelled, &point, policy);
            for (metric, quantity) in self.quantities() {
                let place = RowPlace { point: point.clone(), policy: Some(policy), metric: Some(metric) };
                let head = labelled.labels(&place);
                for loser in losers(&units, quantity) {
                    let cells = head.iter().cloned().chain(loser);
                    labelled.table.rows.push(TableRow { cells: cells.collect(), group: None });
                }
            }
        }
        labelled
    }
}

/// Returns the cells of the users who lose most by their mean over all units, the greatest loss first.
fn losers(units: &[(UserSums, UserSums)], quantity: InfluenceQuantity) -> Vec<[Cell; 6]> {
    let own_sums = pooled(units.iter().map(|unit| &unit.0));
    let base_sums = pooled(units.iter().map(|unit| &unit.1));
    let labels = labels(&base_sums);
    let mean = |sums: &SortedMap<i64, Sums>, user: i64| quantity.mean(sums.get(&user)?);
    let loss = |&user: &i64| {
        let (own, base) = (mean(&own_sums, user)?, mean(&base_sums, user)?);
        (own > base).then_some((user, own, base))
    };
    let mut losers: Vec<(i64, f64, f64)> = own_sums.keys().filter_map(loss).collect();
    losers.arrange_by(|one, other| (other.1 - other.2).total_cmp(&(one.1 - one.2)));
    losers.truncate(LOSERS);
    let cells = |(user, own, base): (i64, f64, f64)| {
        let (mut longer, mut all) = (0, 0);
        let find = |sums: &UserSums| {
            let at = sums.users.binary_search_by_key(&user, |of| of.0).ok()?;
            quantity.mean(&sums.users[at].1)
        };
        for (own, base) in units.iter().filter_map(|(own, base)| find(own).zip(find(base))) {
            all += 1;
            longer += usize::from(own > base);
        }
        [
            Cell::Text(labels.get(&user).cloned().unwrap_or_default()),
            own_sums.get(&user).map_or(Cell::Empty, |sums| Cell::Number(sums.jobs as f64)),
            Cell::Number(base),
            Cell::Number(own),
            Cell::Number(own - base),
            Cell::Text(format!("{longer} of {all}")),
        ]
    };
    losers.into_iter().map(cells).collect()
}
