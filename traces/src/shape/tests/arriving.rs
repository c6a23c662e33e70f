use super::super::Target;
use super::*;

#[test]
fn gaps_are_exponential_and_the_jobs_keep_their_order() {
    let trace = many(5000);
    let drawn = step("arrivals", "gap = 40", trace.clone());
    let submits: Vec<f64> = drawn.column(Field::Submit).iter().map(Number::to_f64).collect();
    assert!(submits.is_sorted() && submits[0] == 0.0);
    let gaps: Vec<f64> = submits.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / count;
    // Four standard errors: 40/√4999 · 4 = 2.3; the deviation of an exponential is its mean.
    assert!((mean - 40.0).abs() < 2.3, "{mean}");
    assert!((variance.sqrt() / mean - 1.0).abs() < 0.06, "{}", variance.sqrt());
    // Kolmogorov and Smirnov at the 0.1 % level: 1.95/√n.
    let mut sorted = gaps;
    sorted.sort_by(f64::total_cmp);
    let apart = |(at, gap): (usize, &f64)| ((at as f64 + 0.5) / count - (1.0 - (-gap / 40.0).exp())).abs();
    let most = sorted.iter().enumerate().map(apart).fold(0.0, f64::max);
    assert!(most < 1.95 / count.sqrt() + 0.5 / count, "{most}");
    assert_eq!(numbers(&drawn, Field::Job), numbers(&trace, Field::Job));
    assert!(numbers(&drawn, Field::Wait).iter().all(|&wait| wait == -1));
}

#[test]
fn another_rate_stretches_the_same_gaps() {
    let slow = step("arrivals", "rate = 36\nround = 'tick'", many(100));
    let fast = step("arrivals", "rate = 72", many(100));
    let pairs = slow.column(Field::Submit).iter().zip(fast.column(Field::Submit).iter());
    for (slow, fast) in pairs {
        assert!((slow.to_f64() - 2.0 * fast.to_f64()).abs() < 1e-4, "{slow} {fast}");
    }
}

#[test]
fn a_load_is_met_on_average() {
    // 200 jobs of 8 processors and 100 s on 64: at a load of .5 they arrive 25 s apart.
    let trace = log(&(0..201).map(|at| (at, 100, 8, 200, 1)).collect::<Vec<_>>());
    let words = words("arrivals", "load = 0.5", trace);
    // 201 jobs' work over 200 gaps.
    assert!(words.contains("201 submissions drawn, 25.125 s apart on average"), "{words}");
}

#[test]
fn a_calibration_finds_the_rate_with_pilots_of_its_own() {
    let trace = many(300);
    let asked = std::cell::RefCell::new(Vec::new());
    let measure = |trace: &Trace, target: &Target| {
        assert_eq!((target.policy.as_str(), target.value), ("easy", 12.0));
        let submits: Vec<f64> = trace.column(Field::Submit).iter().map(Number::to_f64).collect();
        let gap = submits[submits.len() - 1] / (submits.len() - 1) as f64;
        asked.borrow_mut().push(submits[1]);
        Ok(600.0 / gap)
    };
    let nothing = |_: &str| Err("no logs".to_owned());
    let text = file("arrivals", "queue = 12\npolicy = 'easy'\ntolerance = 0.01\npilots = 2");
    let context = Context { seed: 4, log: &nothing, measure: &measure };
    let shaped = Steps::parse(&text, "steps.toml").unwrap().apply(trace, &context).unwrap();
    let trail = &shaped.reports[0].trail;
    assert!(trail.len() >= 3 && trail.last().unwrap().contains("within the tolerance of 1 %"), "{trail:?}");
    assert_eq!(asked.borrow().len(), 2 * (trail.len() - 1));
    let final_second = shaped.logs[0].trace.get(1, Field::Submit).to_f64();
    assert!(!asked.borrow().contains(&final_second), "what was calibrated on is not what is evaluated");
    let gap: f64 = trail.last().unwrap().split(['n', ' ']).find_map(|word| word.parse().ok()).unwrap();
    assert!((40.0..60.0).contains(&gap), "600/12 = 50 within the luck of 300 gaps: {gap}");
}

#[test]
fn a_measurement_that_fails_is_told_with_the_step() {
    let error = refusal("arrivals", "queue = 12\npolicy = 'easy'", many(10));
    assert!(error.ends_with("step `arrivals`: nothing measures here"), "{error}");
    let error = refusal("arrivals", "queue = 12", many(10));
    assert!(error.contains("needs policy with queue"), "{error}");
    let error = refusal("arrivals", "gap = 1\npolicy = 'easy'", many(10));
    assert!(error.contains("`policy` has no effect with gap"), "{error}");
}
