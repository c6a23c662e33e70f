use super::spec::StepSpec;

/// All steps, in the order in which they are listed: one line each.
pub static STEPS: &[StepSpec] = &[
    super::filter::SPEC,
    super::window::SPEC,
    super::split::SPEC,
    super::merge::SPEC,
    super::scale::SPEC,
    super::shift::SPEC,
    super::shake::SPEC,
    super::sample::SPEC,
    super::estimate::SPEC,
    super::arrivals::SPEC,
    super::hold::SPEC,
    super::requeues::SPEC,
    super::feedback::SPEC,
    super::resource::SPEC,
    super::anonymize::SPEC,
];
