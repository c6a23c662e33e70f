//! Estimates that are drawn.

use crate::cmd::{Folder, log};

#[test]
fn drawn_estimates_follow_the_seed_and_are_no_shorter_than_the_job() {
    // Job 3 runs for 20 s and asks for 200 s.
    let folder = Folder::new();
    let rows = [(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 20, 2, 200, 1)];
    folder.write("a.swf", &log(4, &rows));
    let told = |options: &[&str]| {
        let done = folder.run(&[&["explain", "a.swf", "3", "--estimate"], options].concat());
        let words = done.succeeded().split("estimate ").nth(1).unwrap().to_owned();
        words.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let drawn: Vec<f64> = ["1", "2", "3", "4"].map(|seed| told(&["phi:0.2", "--seed", seed])).to_vec();
    assert!(drawn.iter().all(|&estimate| estimate >= 20.0), "{drawn:?}");
    assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]), "{drawn:?}");
    assert_eq!(told(&["phi:0.2", "--seed", "2"]), drawn[1]);
    // The three jobs use the two most frequent values: an hour, which is the smallest maximum, and another round one.
    let told = told(&["tsafrir:1h"]);
    assert!((300.0..=3600.0).contains(&told) && told % 300.0 == 0.0, "{told}");
}
