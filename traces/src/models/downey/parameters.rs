use super::speedup::{Speedup, SpeedupRule};
use crate::models::{ModelError, ModelParamKind, Param, Request};

const WORK: ModelParamKind = ModelParamKind::Number { least: 1.0, most: 1e12 };
const SIGMA: ModelParamKind = ModelParamKind::Number { least: 0.0, most: 1000.0 };

pub(super) static PARAMS: [Param; 10] = [
    Param::of("work-min", WORK, "6.05").help(
        "least work of a job, processor-seconds, log-uniform up to work-max; the default is e^1.8, where \
         Downey's line of run times on the SDSC Paragon begins (the paper's own bounds of work are not at \
         hand; this project's choice)",
    ),
    Param::of("work-max", WORK, "133252")
        .help("most work of a job; the default is e^11.8, where that line ends (this project's choice)"),
    Param::of(
        "parallelism-max",
        ModelParamKind::Form {
            expected: "procs or a number from 1 to 1000000000",
            valid: |text| text == "procs" || parallelism(text).is_some(),
        },
        "procs",
    )
    .help("greatest average parallelism A, log-uniform from 1; procs for the machine's size"),
    Param::of("sigma-min", SIGMA, "0").help(
        "least variance of parallelism, uniform up to sigma-max (its distribution is not published with the \
         model; this project's choice)",
    ),
    Param::of("sigma-max", SIGMA, "2").help("greatest variance of parallelism"),
    Param::of(
        "allocate",
        ModelParamKind::Form {
            expected: "average, knee, saturation or a number of processors",
            valid: |text| SpeedupRule::parse(text).is_some(),
        },
        "average",
    )
    .help(
        "how many processors a job gets: as many as its average parallelism, as bring the greatest speedup \
         * efficiency, as it can use at all, or the same number for all; rounded, within 1 and the machine \
         (the model leaves it to the scheduler; this project's choice)",
    ),
    Param::of("load", ModelParamKind::Number { least: 0.001, most: 100.0 }, "0.7")
        .help("offered load, which sets the mean time between arrivals (this project's choice)"),
    Param::of("rates", ModelParamKind::Word(&["two", "one"]), "two")
        .help("Poisson arrivals of two rates, for two halves of the day of 12 hours each, or of one"),
    Param::of("day-share", ModelParamKind::Number { least: 0.01, most: 0.99 }, "0.75").help(
        "share of the jobs that arrive in the busy half of the day, with rates=two (the page of the model \
         is cut off there; this project's choice)",
    ),
    Param::of("day-start", ModelParamKind::Number { least: 0.0, most: 23.99 }, "8")
        .help("hour of the day at which the busy half begins (this project's choice)"),
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogUniform {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl LogUniform {
    pub(super) fn at(self, u: f64) -> f64 {
        self.least * (self.most / self.least).powf(u)
    }

    pub(super) fn mean(self) -> f64 {
        let log = (self.most / self.least).ln();
        if log == 0.0 { self.least } else { (self.most - self.least) / log }
    }

    #[cfg(test)]
    pub(super) fn cdf(self, x: f64) -> f64 {
        ((x / self.least).ln() / (self.most / self.least).ln()).clamp(0.0, 1.0)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DowneySettings {
    pub(super) work: LogUniform,
    pub(super) parallelism: LogUniform,
    pub(super) rule: SpeedupRule,
    pub(super) load: f64,
    /// Share of arrivals in the busy half of the day, and the second of the day at which it begins.
    pub(super) busy: (f64, f64),
    sigma: (f64, f64),
    procs: u32,
}

impl DowneySettings {
    /// Returns the settings of a request. Fails when a least exceeds its most.
    pub(super) fn new(request: &Request<'_>) -> Result<DowneySettings, ModelError> {
        let settings = request.settings;
        let ordered = |least: &str, most: &str| {
            let [low, high] = [least, most].map(|key| settings.amount(key));
            if low <= high {
                return Ok((low, high));
            }
            let expected = format!("at most {most}={high}");
            Err(ModelError::Unfit { key: least.into(), value: low, expected })
        };
        let work = ordered("work-min", "work-max")?;
        let most = parallelism(settings.value("parallelism-max")).unwrap_or(request.procs.into());
        let share = if settings.value("rates") == "two" { settings.amount("day-share") } else { 0.5 };
        Ok(DowneySettings {
            work: LogUniform { least: work.0, most: work.1 },
            parallelism: LogUniform { least: 1.0, most },
            rule: SpeedupRule::parse(settings.value("allocate")).unwrap_or(SpeedupRule::Average),
            load: settings.amount("load"),
            busy: (share, settings.amount("day-start") * 3600.0),
            sigma: ordered("sigma-min", "sigma-max")?,
            procs: request.procs,
        })
    }

    pub(super) fn sigma_at(&self, u: f64) -> f64 {
        self.sigma.0 + u * (self.sigma.1 - self.sigma.0)
    }

    /// Returns the mean of processors * run time, by the midpoint rule over parallelism and its variance.
    pub(super) fn mean_area(&self) -> f64 {
        const STEPS: (u32, u32) = (2000, 40);
        let middle = |step: u32, steps: u32| (f64::from(step) + 0.5) / f64::from(steps);
        let mut sum = 0.0;
        for at in 0..STEPS.0 {
            let average = self.parallelism.at(middle(at, STEPS.0));
            for of in 0..STEPS.1 {
                let speedup = Speedup { average, sigma: self.sigma_at(middle(of, STEPS.1)) };
                let procs = f64::from(self.rule.processors(speedup, self.procs));
                sum += procs / speedup.on(procs);
            }
        }
        self.work.mean() * sum / f64::from(STEPS.0 * STEPS.1)
    }
}

fn parallelism(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number| (1.0..=1e9).contains(number))
}
