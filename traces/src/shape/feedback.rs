//! Marks which job of its user a job follows: sessions and think times.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::{
    Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, parameters,
};
use crate::located::values::Length;
use crate::reading::{UnknownValue, parse_duration};
use crate::trace::{Suspensions, Trace};
use crate::{Citation, Field, Number, Time};

pub(super) const SPEC: StepSpec = StepSpec {
    cite: Citation::of("Zakay and Feitelson 2012; Zilber, Amit and Talby 2005", &["zakay12", "zilber05"]),
    ..StepSpec::of::<FeedbackText>(
        "feedback",
        "fields 17 and 18 from sessions: each job follows the job of its session that ended last before it was \
              submitted, after the think time of the log",
    )
};

parameters! {
    struct FeedbackText;
    sessions: Option<SessionRule> = "arrivals", "arrivals or ends",
        "what ends a session: a gap between two submissions of a user (Zakay and Feitelson 2012), or between the end \
         of the user's last job and the next submission (Zilber et al. 2005), which joins the days of users with long \
         jobs";
    gap: Option<Length> = "1h between arrivals, 20m after ends", "a time such as 20m",
        "the shortest gap that ends a session";
}

impl StepText for FeedbackText {
    fn step(self, _: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        let rule = self.sessions.unwrap_or(SessionRule::Arrivals);
        let gap = self.gap.map_or(rule.default_gap(), |gap| gap.0);
        Ok(Box::new(Sessions { rule, gap }))
    }
}

/// From which instant the gap that ends a session is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionRule {
    /// From the user's last submission.
    Arrivals,
    /// From the end of the user's last job; a job that is submitted before this end continues the session.
    Ends,
}

/// What a session of a user is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sessions {
    /// The rule.
    pub rule: SessionRule,
    /// The shortest gap that ends a session.
    pub gap: Time,
}

impl SessionRule {
    /// Returns the gap of the publication: an hour between arrivals, 20 minutes after ends.
    pub const fn default_gap(self) -> Time {
        match self {
            SessionRule::Arrivals => Time::from_secs(3600),
            SessionRule::Ends => Time::from_secs(1200),
        }
    }
}

impl FromStr for Sessions {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Sessions, UnknownValue> {
        let error =
            || UnknownValue::new(text, "arrivals, ends, arrivals:GAP, ends:GAP with a gap such as 20m");
        let (word, gap) = text.split_once(':').map_or((text, None), |(word, gap)| (word, Some(gap)));
        let rule = match word {
            "arrivals" => SessionRule::Arrivals,
            "ends" => SessionRule::Ends,
            _ => return Err(error()),
        };
        let gap = gap.map(parse_duration).transpose().map_err(|_| error())?;
        Ok(Sessions { rule, gap: gap.unwrap_or(rule.default_gap()) })
    }
}

impl fmt::Display for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.rule {
            SessionRule::Arrivals => "arrivals",
            SessionRule::Ends => "ends",
        };
        write!(f, "{word}:{}s", self.gap)
    }
}

/// The session of a user while jobs are taken in the order of submission.
#[derive(Default)]
struct Session {
    /// The submission and the end of the user's last job.
    last: Option<(Time, Option<Time>)>,
    /// The jobs of the session that have not ended yet, by their ends.
    running: BinaryHeap<Reverse<(Time, usize)>>,
    ended: Option<(Time, usize)>,
}

impl Sessions {
    /// Returns for each row the row that it follows and its think time. O(n log n).
    fn follow(self, trace: &Trace) -> Vec<Option<(usize, Time)>> {
        let mut follows = vec![None; trace.len()];
        let mut users: HashMap<i64, Session> = HashMap::new();
        for row in trace.by_submit() {
            let row = row as usize;
            let user = trace.get(row, Field::User).truncated();
            let submit = trace.time(row, Field::Submit);
            if user < 0 || submit < Time::ZERO {
                continue;
            }
            let end = end(trace, row);
            let session = users.entry(user).or_default();
            let is_over = session.last.is_some_and(|(submitted, ended)| match self.rule {
                SessionRule::Arrivals => submit - submitted >= self.gap,
                SessionRule::Ends => ended.is_none_or(|ended| submit - ended >= self.gap),
            });
            if is_over {
                *session = Session::default();
            }
            while let Some(&Reverse((ended, before))) =
                session.running.peek().filter(|Reverse((at, _))| *at <= submit)
            {
                session.running.pop();
                session.ended = session.ended.max(Some((ended, before)));
            }
            follows[row] = session.ended.map(|(ended, before)| (before, submit - ended));
            session.last = Some((submit, end));
            session.running.extend(end.map(|end| Reverse((end, row))));
        }
        follows
    }

    /// Marks in fields 17 and 18 which job each job follows; jobs that follow one already keep it. Returns the number of jobs
    /// marked. O(n log n).
    ///
    /// # Errors
    /// When the log has no users, or no waits, so that the ends of its jobs are unknown.
    pub fn mark(self, trace: &mut Trace) -> Result<u64, String> {
        let unknown = |field| trace.column(field).constant().is_some_and(Number::is_unknown);
        if unknown(Field::User) {
            return Err("feedback is about users, and the log has none (field 12)".into());
        }
        if unknown(Field::Wait) {
            let why = "think times are counted from the ends of jobs, and the log has no waits (field 3): the ends are unknown";
            return Err(why.into());
        }
        let follows = self.follow(trace);
        let (mut preceding, mut think) = (Vec::with_capacity(trace.len()), Vec::with_capacity(trace.len()));
        let mut marked = 0;
        for (row, follows) in follows.into_iter().enumerate() {
            let known = trace.get(row, Field::Preceding);
            let (before, time) = match follows.filter(|_| known.value <= 0) {
                Some((before, time)) => {
                    marked += 1;
                    (trace.get(before, Field::Job), Number::from_micro(time.ticks()))
                }
                None => (known, trace.get(row, Field::Think)),
            };
            preceding.push(before);
            think.push(time);
        }
        trace.set_column(Field::Preceding, preceding.into_iter().collect());
        trace.set_column(Field::Think, think.into_iter().collect());
        Ok(marked)
    }
}

fn end(trace: &Trace, row: usize) -> Option<Time> {
    let [submit, wait] = [Field::Submit, Field::Wait].map(|field| trace.time(row, field));
    let stay = Suspensions::of(trace).stay(row).filter(|_| wait >= Time::ZERO)?;
    Some(submit.saturating_add(wait).saturating_add(stay))
}

impl Step for Sessions {
    fn apply(&self, mut work: ShapedTrace, _: &Env<'_>) -> Result<StepOutput, StepError> {
        let count = self.mark(&mut work.trace).map_err(StepError::Unfit)?;
        let words = format!("of {} follow another of their user's session ({self})", work.total());
        Ok(StepOutput::one(work, count, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::trace::trace_of;

    /// Jobs as (user, submit, wait, run).
    fn trace(jobs: &[(i64, i64, i64, i64)]) -> Trace {
        let fields = [Field::Job, Field::User, Field::Submit, Field::Wait, Field::Run];
        let rows = (1..).zip(jobs).map(|(at, &(user, submit, wait, run))| [at, user, submit, wait, run]);
        trace_of(Header::default(), fields, rows)
    }

    /// Number of the job that each job follows, and its think time.
    fn marked(rule: &str, jobs: &[(i64, i64, i64, i64)]) -> Vec<(i64, i64)> {
        let mut trace = trace(jobs);
        let sessions: Sessions = rule.parse().unwrap();
        sessions.mark(&mut trace).unwrap();
        let get = |row, field| trace.get(row, field).truncated();
        (0..trace.len()).map(|row| (get(row, Field::Preceding), get(row, Field::Think))).collect()
    }

    const ALONE: (i64, i64) = (-1, -1);

    #[test]
    fn a_job_follows_the_one_that_ended_last_in_its_session() {
        // Job 2 is submitted while job 1 runs, job 3 after both have ended, job 4 by another user.
        let jobs = [(1, 0, 0, 100), (1, 10, 0, 50), (1, 130, 5, 10), (2, 140, 0, 10), (1, 160, 0, 1)];
        for rule in ["arrivals", "ends"] {
            assert_eq!(marked(rule, &jobs), [ALONE, ALONE, (1, 30), ALONE, (3, 15)], "{rule}");
        }
    }

    #[test]
    fn a_long_job_parts_sessions_by_arrivals_and_not_by_ends() {
        // Job 1 ends at 10,000, and job 2 comes ten minutes later.
        let jobs = [(1, 0, 0, 10_000), (1, 10_600, 0, 10), (1, 11_810, 0, 10)];
        assert_eq!(marked("arrivals", &jobs), [ALONE, ALONE, (2, 1200)]);
        assert_eq!(marked("ends", &jobs), [ALONE, (1, 600), ALONE]);
        assert_eq!(marked("ends:9m", &jobs), [ALONE, ALONE, ALONE]);
        assert_eq!(marked("arrivals:3h", &jobs), [ALONE, (1, 600), (2, 1200)]);
    }

    #[test]
    fn rules_print_as_they_are_written() {
        for text in ["arrivals:3600s", "ends:90s"] {
            assert_eq!(text.parse::<Sessions>().unwrap().to_string(), text);
        }
        assert_eq!("ends".parse::<Sessions>().unwrap().gap, Time::from_secs(1200));
        assert!("starts".parse::<Sessions>().is_err() && "ends:x".parse::<Sessions>().is_err());
    }
}
