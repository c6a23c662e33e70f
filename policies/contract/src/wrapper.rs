//! Policies around policies: the policy within decides what a wrapper does not.

use std::ops::ControlFlow;

use batchlab_traces::{JobId, Time};

use crate::policy::{Aside, Late, Overtaking, Policy, PolicyError};
use crate::turn::Turn;

/// A policy around another one, made a policy by [`Wrapped`].
///
/// A method that depends on the policy within's view of a turn has no default: a wrapper states it. All other calls go to
/// the policy within, unless the wrapper answers itself.
pub trait Wrapper: Send {
    /// Returns the policy within.
    fn inner(&self) -> &dyn Policy;

    /// Returns the policy within.
    fn inner_mut(&mut self) -> &mut dyn Policy;

    /// Decides, with what the policy within decides.
    ///
    /// # Errors
    /// As [`Policy::decide`].
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError>;

    /// Has the policy within start a job in lent room, in a turn as that policy sees it.
    ///
    /// # Errors
    /// As [`Policy::take_over`].
    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError>;

    /// Returns the queue in which policies around the wrapper put jobs aside, as [`Policy::aside`]; `None` if each job must
    /// be reported to the wrapper.
    fn aside(&mut self) -> Option<&mut dyn Aside>;

    /// Ends with the replay, as [`Policy::finish`].
    ///
    /// # Errors
    /// As [`Policy::finish`].
    fn finish(&mut self) -> Result<(), PolicyError> {
        self.inner_mut().finish()
    }

    /// Visits the waiting jobs, as [`Policy::in_order`].
    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.inner_mut().in_order(visit);
    }

    /// Returns which jobs may overtake, as [`Policy::overtaking`].
    fn overtaking(&self) -> Overtaking {
        self.inner().overtaking()
    }

    /// Returns how long a late job is expected to run, as [`Policy::expired`].
    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.inner_mut().expired(late)
    }
}

/// A wrapper as a policy.
pub struct Wrapped<W>(pub W);

#[deny(clippy::missing_trait_methods, reason = "what is forgotten here, no wrapper passes on")]
impl<W: Wrapper> Policy for Wrapped<W> {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.0.decide(turn)
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.0.finish()
    }

    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        self.0.in_order(visit);
    }

    fn overtaking(&self) -> Overtaking {
        self.0.overtaking()
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        self.0.take_over(turn, job, room)
    }

    fn aside(&mut self) -> Option<&mut dyn Aside> {
        self.0.aside()
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.0.expired(late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers each question as no default does.
    #[derive(Default)]
    struct Within {
        finished: bool,
    }

    impl Policy for Within {
        fn decide(&mut self, _: &mut Turn<'_>) -> Result<(), PolicyError> {
            Ok(())
        }

        fn finish(&mut self) -> Result<(), PolicyError> {
            self.finished = true;
            Err(PolicyError::Failed("the end".into()))
        }

        fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
            let _ = visit(JobId(7));
        }

        fn overtaking(&self) -> Overtaking {
            Overtaking::Always
        }
    }

    struct Around(Within);

    impl Wrapper for Around {
        fn inner(&self) -> &dyn Policy {
            &self.0
        }

        fn inner_mut(&mut self) -> &mut dyn Policy {
            &mut self.0
        }

        fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
            self.0.decide(turn)
        }

        fn take_over(&mut self, _: &mut Turn<'_>, _: JobId, _: &[Vec<i64>]) -> Result<bool, PolicyError> {
            Ok(true)
        }

        fn aside(&mut self) -> Option<&mut dyn Aside> {
            None
        }
    }

    #[test]
    fn what_a_wrapper_does_not_answer_the_policy_within_does() {
        let mut policy = Wrapped(Around(Within::default()));
        let mut seen = Vec::new();
        policy.in_order(&mut |job| {
            seen.push(job);
            ControlFlow::Continue(())
        });
        assert_eq!((seen, policy.overtaking()), (vec![JobId(7)], Overtaking::Always));
        assert_eq!(policy.finish(), Err(PolicyError::Failed("the end".into())));
        assert!(policy.0.0.finished);
    }
}
