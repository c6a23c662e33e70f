//! Conversion of a log's local times to instants.

use batchlab_traces::calendar::{LocalTime, Zone};
use batchlab_traces::notation::instant::Stamp;
use batchlab_traces::notation::zones::Abbreviation;
use batchlab_traces::{Refusal, Time, kinds};

use crate::reporter::Reporter;

kinds! {
    ZONE_ASSUMED: Note "zone-assumed",
        "{log|logs} with local times and without a time zone",
        "read as UTC: lengths of time across a change of clocks are off by an hour",
        "give the time zone of the log's clock: --zone Europe/Stockholm";
    AMBIGUOUS: Warning "time-ambiguous",
        "local {time|times} in the hour that clocks show twice",
        "the first of the two is taken",
        "write the log with offsets or as epoch seconds (Slurm: SLURM_TIME_FORMAT=%s)";
    SKIPPED: Warning "time-skipped",
        "local {time|times} in the hour that clocks skip",
        "read as if the clock had not been put forward",
        "check the time zone: in the right zone there are no such times";
    RESOLVED: Note "time-resolved",
        "{job|jobs} with times in the hour that clocks show twice",
        "the times are those that fit the run time, the planned time (Slurm: Reserved, Planned) and each other",
        "nothing; epoch seconds (Slurm: SLURM_TIME_FORMAT=%s) would leave no question";
}

/// The times of a job as read from the log's clock, with the lengths between them that the log gives.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockReadings {
    /// Submission.
    pub submit: Option<Stamp>,
    /// Eligibility to start.
    pub eligible: Option<Stamp>,
    /// Start.
    pub start: Option<Stamp>,
    /// End.
    pub end: Option<Stamp>,
    /// Time from start to end.
    pub length: Option<Time>,
    /// Time from eligibility (else submission) to the start.
    pub planned: Option<Time>,
}

/// The instants of submission, eligibility, start and end, counted from 1970-01-01 UTC.
pub type Instants = [Option<Time>; 4];

impl ClockReadings {
    /// Filters the choices by four tests in turn: run length, planned length, the order of a job's life, and
    /// equal readings being one instant. A test that no remaining choice passes is skipped.
    fn fitting(&self, choices: &[(Option<Time>, Option<Time>); 4]) -> Vec<Instants> {
        let mut all: Vec<Instants> = vec![[None; 4]];
        for (at, &(first, second)) in choices.iter().enumerate() {
            let with = |choice: Option<Time>| {
                all.iter().map(move |instants| {
                    let mut instants = *instants;
                    instants[at] = choice;
                    instants
                })
            };
            let second = second.map(|second| with(Some(second)));
            all = with(first).chain(second.into_iter().flatten()).collect();
        }
        let lasts = |from: Option<Time>, to: Option<Time>, length: Option<Time>| match (from, to, length) {
            (Some(from), Some(to), Some(length)) => to - from == length,
            _ => true,
        };
        let same = |this: Option<Stamp>, that: Option<Stamp>| this.is_some() && this == that;
        let tests: [&dyn Fn(&Instants) -> bool; 4] = [
            &|[_, _, start, end]: &Instants| lasts(*start, *end, self.length),
            &|[submit, eligible, start, _]: &Instants| lasts(eligible.or(*submit), *start, self.planned),
            &|instants: &Instants| instants.iter().flatten().is_sorted(),
            &|[submit, eligible, ..]: &Instants| !same(self.submit, self.eligible) || submit == eligible,
        ];
        for fits in tests {
            if all.iter().any(fits) {
                all.retain(fits);
            }
        }
        all
    }
}

/// Converts readings of a log's clock to instants and counts the ambiguous and the skipped ones.
///
/// Remembers the offsets of recently used quarters of an hour, since the times of a log come in runs.
pub struct LocalClock {
    zone: Zone,
    assumed: bool,
    used: bool,
    /// Quarters of an hour since 1970 on the local clock, each stored at its index modulo [`REMEMBERED`],
    /// with the seconds by which the clock is then ahead of UTC.
    recent: Vec<(i64, i64)>,
}

/// Seconds for which one remembered meaning is valid; UTC offsets change only at multiples of it.
const QUARTER: i64 = 900;
/// Number of remembered quarters of an hour: ten days.
const REMEMBERED: i64 = 1024;

impl LocalClock {
    /// Returns a clock in the zone that the user named, else the format's own zone, else UTC with a finding.
    pub fn new(named: Option<Zone>, own: Option<Zone>) -> LocalClock {
        let zone = named.or(own);
        let recent = vec![(i64::MIN, 0); REMEMBERED as usize];
        LocalClock { zone: zone.unwrap_or(Zone::UTC), assumed: zone.is_none(), used: false, recent }
    }

    /// Returns the zone.
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Returns the instant of a stamp, counted from 1970-01-01 UTC; a stamp with an offset needs no zone.
    /// `line` is the line of the stamp, from 1.
    ///
    /// # Errors
    /// In strict reading, an ambiguous or skipped reading.
    pub fn instant(&mut self, stamp: Stamp, line: u32, reporter: &mut Reporter<'_>) -> Result<Time, Refusal> {
        if let Some(offset) = stamp.offset {
            return Ok(Time::from_ticks(stamp.micros - offset * 1_000_000));
        }
        let local = stamp.micros.div_euclid(1_000_000);
        let ahead = match self.meaning(local) {
            LocalTime::Once(instant) => local - instant,
            odd => {
                self.report(odd, local, line, reporter)?;
                local - odd.seconds()
            }
        };
        Ok(Time::from_ticks(stamp.micros - ahead * 1_000_000))
    }

    /// Returns the instant of a reading in a zone named by its abbreviation. The log's zone decides if it uses the abbreviation at
    /// this time; otherwise the abbreviation must have a single meaning.
    pub fn instant_called(&self, micros: i64, zone: Abbreviation) -> Option<Time> {
        let own = self.zone.offset_called(micros.div_euclid(1_000_000), zone.letters());
        let offset = own.filter(|_| !self.assumed).or_else(|| zone.offset())?;
        Some(Time::from_ticks(micros - offset * 1_000_000))
    }

    /// Returns the instants of a job's times. The given lengths and the order of the times resolve a reading that the clock showed
    /// twice; if they do not decide, the first instant is used, with a finding.
    pub fn instants(
        &mut self,
        readings: &ClockReadings,
        line: u32,
        reporter: &mut Reporter<'_>,
    ) -> Result<Instants, Refusal> {
        let stamps = [readings.submit, readings.eligible, readings.start, readings.end];
        let choices = stamps.map(|stamp| stamp.map_or((None, None), |stamp| self.choices(stamp)));
        let is_open = |at: usize| choices[at].1.is_some();
        let mut fitting = Vec::new();
        if (0..stamps.len()).any(is_open) {
            fitting = readings.fitting(&choices);
        }
        let mut settled = false;
        let mut instants: Instants = [None; 4];
        for (at, stamp) in stamps.into_iter().enumerate() {
            let first = fitting.first().and_then(|instants: &Instants| instants[at]);
            let agreed = is_open(at) && fitting.iter().all(|instants| instants[at] == first);
            instants[at] = match (agreed, stamp) {
                (true, _) => first,
                (false, Some(stamp)) => Some(self.instant(stamp, line, reporter)?),
                (false, None) => None,
            };
            settled |= agreed;
        }
        if settled {
            let shown = stamps.into_iter().zip(0..).filter(|(_, at)| is_open(*at));
            let shown: Vec<String> =
                shown.filter_map(|(stamp, _)| Some(show(stamp?.micros.div_euclid(1_000_000)))).collect();
            reporter.report_at(&RESOLVED, line, || shown.join(", "))?;
        }
        Ok(instants)
    }

    /// Reports that a zone was assumed, if the zone was assumed and some time depended on it.
    pub fn finish(&self, reporter: &mut Reporter<'_>) -> Result<(), Refusal> {
        if self.assumed && self.used {
            reporter.report_at(&ZONE_ASSUMED, 0, || "read as UTC".into())?;
        }
        Ok(())
    }

    /// Returns the meaning of a reading, given in seconds since 1970 on the local clock.
    fn meaning(&mut self, local: i64) -> LocalTime {
        self.used = true;
        let quarter = local.div_euclid(QUARTER);
        let place = quarter.rem_euclid(REMEMBERED) as usize;
        if self.recent[place].0 == quarter {
            return LocalTime::Once(local - self.recent[place].1);
        }
        let meaning = self.zone.instant(local);
        if let LocalTime::Once(instant) = meaning {
            self.recent[place] = (quarter, local - instant);
        }
        meaning
    }

    /// Returns the instants that a stamp may mean: two if the clock showed the reading twice.
    fn choices(&mut self, stamp: Stamp) -> (Option<Time>, Option<Time>) {
        let micros = |seconds: i64| {
            Time::from_ticks(seconds.saturating_mul(1_000_000) + stamp.micros.rem_euclid(1_000_000))
        };
        let local = stamp.micros.div_euclid(1_000_000);
        match stamp.offset {
            Some(offset) => (Some(micros(local - offset)), None),
            None => match self.meaning(local) {
                LocalTime::Twice(first, second) => (Some(micros(first)), Some(micros(second))),
                LocalTime::Once(instant) => (Some(micros(instant)), None),
                // Skipped and invalid readings are reported when they are read.
                LocalTime::Never(_) => (None, None),
            },
        }
    }

    fn report(
        &self,
        odd: LocalTime,
        local: i64,
        line: u32,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), Refusal> {
        let kind = if matches!(odd, LocalTime::Never(_)) { &SKIPPED } else { &AMBIGUOUS };
        reporter.report_at(kind, line, || format!("{} in {}", show(local), self.zone))
    }
}

fn show(local_seconds: i64) -> String {
    match chrono::DateTime::from_timestamp(local_seconds, 0) {
        Some(time) => time.format("%Y-%m-%dT%H:%M:%S").to_string(),
        None => local_seconds.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Findings;

    use super::*;
    use batchlab_traces::notation::instant::{iso, us};

    #[test]
    fn the_hour_shown_twice_is_the_first_one_and_counted() {
        let mut findings = Findings::lenient();
        let mut reporter = Reporter { findings: &mut findings, file: "nas.log".into() };
        let mut clock = LocalClock::new(None, "America/Los_Angeles".parse().ok());
        let mut at = |text: &str, line| {
            let stamp = us(text.as_bytes()).unwrap();
            clock.instant(stamp, line, &mut reporter).unwrap().ticks() / 1_000_000 - 749_458_803
        };
        assert_eq!(at("10/19/93 18:06:10", 1), 1_620_367);
        assert_eq!(at("10/31/93 00:59:59", 2) + 1, at("10/31/93 01:00:00", 3));
        assert_eq!(at("10/31/93 01:59:59", 4) + 3601, at("10/31/93 02:00:00", 5));
        clock.finish(&mut reporter).unwrap();
        assert_eq!(findings.count("time-ambiguous"), 2);
        assert_eq!(findings.count("zone-assumed"), 0);
    }

    #[test]
    fn lengths_and_the_order_of_times_tell_which_of_two_hours_it_was() {
        let mut findings = Findings::lenient();
        let mut reporter = Reporter { findings: &mut findings, file: "a.log".into() };
        let mut clock = LocalClock::new(None, "Europe/Stockholm".parse().ok());
        // On 26 October 2025 clocks went from 03:00 back to 02:00; the first 02:00 was 00:00 UTC.
        let midnight = 1_761_436_800;
        let mut at = |times: [&str; 4], length: Option<i64>, planned: Option<i64>| {
            let [submit, eligible, start, end] =
                times.map(|time| iso(format!("2025-10-26T{time}").as_bytes()));
            let length = length.map(Time::from_secs);
            let planned = planned.map(Time::from_secs);
            let readings = ClockReadings { submit, eligible, start, end, length, planned };
            let instants = clock.instants(&readings, 1, &mut reporter).unwrap();
            instants.map(|time| time.map_or(-1, |time| time.ticks() / 1_000_000 - midnight))
        };
        let mut ran = |start, end, length| at(["-", "-", start, end], Some(length), None)[2..].to_vec();
        assert_eq!(ran("02:10:00", "02:40:00", 5400), [600, 6000]);
        assert_eq!(ran("01:30:00", "02:30:00", 7200), [-1800, 5400]);
        assert_eq!(ran("02:30:00", "03:30:00", 3600), [5400, 9000]);
        // Both in the first hour or both in the second: the length does not decide.
        assert_eq!(ran("02:10:00", "02:40:00", 1800), [600, 2400]);
        assert_eq!(ran("04:00:00", "05:00:00", 7), [10_800, 14_400]);
        // A job cannot end before it starts.
        assert_eq!(at(["-", "-", "02:40:00", "02:10:00"], None, None)[2..], [2400, 4200]);
        // It was planned for 100 minutes from 01:30, or from an eligibility within the hour.
        assert_eq!(
            at(["01:30:00", "01:30:00", "02:10:00", "02:40:00"], Some(1800), Some(6000)),
            [-1800, -1800, 4200, 6000]
        );
        assert_eq!(
            at(["02:30:00", "02:30:00", "03:10:00", "03:40:00"], Some(1800), Some(2400)),
            [5400, 5400, 7800, 9600]
        );
        assert_eq!(at(["02:30:00", "02:30:00", "03:10:00", "-"], None, Some(6000)), [1800, 1800, 7800, -1]);
        // Only the order decides: the submission may be in either hour.
        assert_eq!(at(["02:30:00", "-", "03:10:00", "-"], None, None), [1800, -1, 7800, -1]);
        assert_eq!((findings.count("time-resolved"), findings.count("time-ambiguous")), (7, 3));
    }

    #[test]
    fn an_offset_needs_no_zone() {
        let mut findings = Findings::lenient();
        let mut reporter = Reporter { findings: &mut findings, file: "a.log".into() };
        let mut clock = LocalClock::new(None, None);
        let stamp = iso(b"1970-01-01T02:00:01+02:00").unwrap();
        assert_eq!(clock.instant(stamp, 1, &mut reporter), Ok(Time::SECOND));
        clock.finish(&mut reporter).unwrap();
        assert_eq!(findings.list(), []);
    }
}
