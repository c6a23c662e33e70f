use super::settings::values::Factor;
use super::{
    Condition, Env, FormulaText, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec,
    StepText, choices, parameters,
};
use crate::header::RemarkedCount;
use crate::number::{Number, grouped};
use crate::time::{TICKS_PER_SECOND, Time};
use crate::{Citation, Field};

/// A factor followed by its inverse restores a trace up to rounding: a submission to 1 + 1/f ticks (seconds with
/// `round = "second"`), a run time to the same, a size that no bound has cut to 1/2 + 1/(2f) processors.
pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of(
        "Feitelson, Workload Modeling for Computer Systems Performance Evaluation (2015), section 9.6: \
           changing the load",
        &["feitelson15"],
    ),
    ..StepSpec::of::<ScaleText>(
        "scale",
        "gaps between submissions, run times, sizes or the machine, multiplied; recorded waits become \
              unknown when jobs change",
    )
};

parameters! {
    struct ScaleText;
    interarrival: Option<Factor> = "1", "a factor above 0",
        "gaps between submissions, counted from the first one";
    load: Option<Factor> = "1", "a factor above 0",
        "offered load, as `replay --load` does it: submissions counted from the first one, divided by it and rounded \
         down to the tick; this or `interarrival`";
    run: Option<Factor> = "1", "a factor above 0",
        "run times, requested times and CPU times, rounded to the nearest tick";
    size: Option<Factor> = "1", "a factor above 0",
        "requested and allocated processors, rounded to the nearest whole number (a half up), at least 1 and at most \
         the machine as it is after this step";
    machine: Option<Factor> = "1", "a factor above 0",
        "MaxProcs and MaxNodes of the header, rounded to the nearest whole number, at least 1; jobs that do not fit \
         any more are dropped when the log is replayed, unless `size` cuts them";
    round: Unit = "tick", "tick or second",
        "unit to which submissions and run times are rounded: a microsecond, so that fractions of seconds appear in \
         the log, or whole seconds";
    r#where: Option<FormulaText> = Condition::PARAM;
}

impl StepText for ScaleText {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        if self.load.is_some() {
            settings.refuse(&["interarrival"], "load")?;
        }
        let factors = [self.interarrival, self.load, self.run, self.size, self.machine];
        let [interarrival, load, run, size, machine] = factors.map(|factor| factor.map(|factor| factor.0));
        if run.is_none() && size.is_none() {
            if interarrival.is_none() && load.is_none() && machine.is_none() {
                return Err(settings.missing("something to scale: interarrival, load, run, size or machine"));
            }
            settings.refuse(&["where"], "neither run nor size: they alone are scaled job by job")?;
        }
        let (unit, only) = (self.round.ticks(), Condition::of(self.r#where, settings));
        Ok(Box::new(Scale { interarrival, load, run, size, machine, unit, only }))
    }
}

choices! {
    /// A unit to which times are rounded.
    pub(super) Unit: Tick | Second;
}

impl Unit {
    pub fn ticks(self) -> i64 {
        match self {
            Unit::Tick => 1,
            Unit::Second => TICKS_PER_SECOND,
        }
    }
}

struct Scale {
    interarrival: Option<f64>,
    load: Option<f64>,
    run: Option<f64>,
    size: Option<f64>,
    machine: Option<f64>,
    unit: i64,
    only: Condition,
}

impl Step for Scale {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let chosen = self.only.rows(&work)?;
        let mut touched = vec![false; work.len()];
        let mut words = String::new();
        if let Some(factor) = self.machine {
            words += &scale_machine(&mut work, factor);
        }
        self.scale_gaps(&mut work, &mut touched);
        self.scale_runs(&mut work, &chosen, &mut touched);
        words += &self.scale_sizes(&mut work, &chosen, &mut touched);
        if touched.contains(&true) {
            words += work.forget_waits();
        }
        let count = touched.iter().filter(|&&touched| touched).count() as u64;
        let words = format!("of {} changed{words}", work.total());
        Ok(StepOutput::one(work, count, words))
    }
}

impl Scale {
    fn scale_gaps(&self, work: &mut ShapedTrace, touched: &mut [bool]) {
        let Some(first) = work.first_submit() else { return };
        let scaled = |submit: Time| {
            let since = (submit - first).ticks() as f64;
            match (self.interarrival, self.load) {
                (Some(factor), _) => since * factor,
                (None, Some(load)) => since / load,
                (None, None) => since,
            }
        };
        if self.interarrival.is_none() && self.load.is_none() {
            return;
        }
        let nearest = self.interarrival.is_some();
        work.map_time(Field::Submit, |row, submit| {
            let units = scaled(submit) / self.unit as f64;
            let units = if nearest { units.round() } else { units.floor() };
            let scaled = first.saturating_add(Time::from_ticks((units as i64).saturating_mul(self.unit)));
            touched[row as usize] |= scaled != submit;
            scaled.min(Time::FARTHEST)
        });
        work.forget_period();
    }

    fn scale_runs(&self, work: &mut ShapedTrace, chosen: &[bool], touched: &mut [bool]) {
        let Some(factor) = self.run else { return };
        for field in [Field::Run, Field::RequestedTime, Field::Cpu] {
            work.map_time(field, |row, time| {
                if !chosen[row as usize] {
                    return time;
                }
                let units = (time.ticks() as f64 * factor / self.unit as f64).round();
                let scaled = Time::from_ticks((units as i64).saturating_mul(self.unit)).min(Time::FARTHEST);
                touched[row as usize] |= scaled != time;
                scaled
            });
        }
        let header = &mut work.trace.header;
        header.max_runtime = header.max_runtime.map(|most| (most as f64 * factor).ceil() as i64);
    }

    /// Scales the sizes, and returns how many of them the bounds have cut, in words.
    fn scale_sizes(&self, work: &mut ShapedTrace, chosen: &[bool], touched: &mut [bool]) -> String {
        let Some(factor) = self.size else { return String::new() };
        let most = work.trace.header.max_procs.as_ref().map_or(i64::MAX, |procs| procs.count.max(1));
        let mut cut = vec![false; work.len()];
        for field in [Field::Requested, Field::Allocated] {
            work.map(field, |row, old| {
                let procs = old.truncated();
                if procs <= 0 || !chosen[row as usize] {
                    return old;
                }
                let wanted = (procs as f64 * factor + 0.5).floor() as i64;
                let scaled = wanted.clamp(1, most);
                cut[row as usize] |= scaled != wanted;
                touched[row as usize] |= scaled != procs;
                Number::whole(scaled)
            });
        }
        match cut.iter().filter(|&&cut| cut).count() as u64 {
            0 => String::new(),
            cut => format!(", {} of them cut to between 1 processor and the machine", grouped(cut)),
        }
    }
}

fn scale_machine(work: &mut ShapedTrace, factor: f64) -> String {
    let scaled = |counted: &mut RemarkedCount| {
        counted.count = (counted.count as f64 * factor + 0.5).floor().max(1.0) as i64;
        counted.remark.clear();
    };
    let header = &mut work.trace.header;
    if let Some(nodes) = &mut header.max_nodes {
        scaled(nodes);
    }
    match &mut header.max_procs {
        Some(procs) => {
            scaled(procs);
            format!("; the machine has {} processors", grouped(procs.count as u64))
        }
        None => "; the header names no machine to scale".into(),
    }
}
