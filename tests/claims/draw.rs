//! Published values of single runs: judged by where one more draw would lie.

use batchlab::report::claims::{Checked, Verdict};
use batchlab::study::Study;

use super::{frame_of, read};

fn drawn(waits: &[f64], expect: &str, rest: &str) -> Checked {
    let term = "{ policy = \"EASY\", workload = \"log\", load = 0.7, reading = \"meant\" }";
    let text = format!(
        "metric = \"mean_wait\"\nlet = {{ a = {term} }}\nexpect = \"{expect}\"\nwithin = \"draw\"\n{rest}"
    );
    let frame = frame_of(waits, &[]);
    read(&text).unwrap()[0].check(&Study::new(&frame), None)
}

fn reason(checked: &Checked) -> &str {
    &checked.parts[0].reason
}

/// t with 0.975 below it is 4.302653 for 2 degrees of freedom; one of three units more has the variance of 1 + 1/3.
#[test]
fn one_more_draw_of_a_difference_is_predicted_on_its_own_scale() {
    // Units −1, 0 and 1: 4.302653 · √(4/3) = 4.968.
    let of = |rest: &str| drawn(&[99.0, 100.0, 101.0], "a - 100", rest);
    let inside = of("value = 4.9");
    assert_eq!(inside.verdict, Verdict::Holds);
    assert_eq!(
        reason(&inside),
        "0.00 against 4.9 published, within [-4.97, 4.97], where one draw lies with 95 %; the mean differs from the \
         published value by -4.90"
    );
    let measured = inside.parts[0].measured.unwrap();
    let draws = measured.draws.unwrap();
    assert_eq!((measured.value, draws.runs, draws.units, draws.level), (0.0, 1, 3, 0.95));
    let [low, high] = measured.interval.unwrap();
    assert!((low + 4.968_276).abs() < 1e-5 && (high - 4.968_276).abs() < 1e-5, "{low} {high}");
    assert_eq!(of("value = 5.0").verdict, Verdict::DoesNotHold);
    assert_eq!(of("value = [4.9, 6]").verdict, Verdict::Holds);
    assert_eq!(of("value = [5, 6]").verdict, Verdict::DoesNotHold);
    let range = of("value = [-1, 0.5]");
    assert!(reason(&range).starts_with("0.00 against -1 to 0.5 published, within [-4.97, 4.97], "));
    assert!(reason(&range).ends_with("; the mean is in the published range"));
    // The mean of three runs: 4.302653 · √(2/3) = 3.513.
    let three = of("value = 3.6\nruns = 3");
    assert_eq!(three.verdict, Verdict::DoesNotHold);
    assert!(
        reason(&three).contains("outside [-3.51, 3.51], where the mean of 3 draws lies"),
        "{}",
        reason(&three)
    );
}

#[test]
fn one_more_draw_of_positive_values_is_predicted_by_factors() {
    // Logarithms to base 10 of −1, 0 and 1: up to a factor of 10^4.968 = 92,960. The mean is 3.7.
    let checked = drawn(&[0.1, 1.0, 10.0], "a", "value = 92000");
    assert_eq!(checked.verdict, Verdict::Holds);
    let [low, high] = checked.parts[0].measured.unwrap().interval.unwrap();
    assert!((high - 92_955.7).abs() < 1.0 && (low * high - 1.0).abs() < 1e-9, "{low} {high}");
    assert_eq!(drawn(&[0.1, 1.0, 10.0], "a", "value = 93000").verdict, Verdict::DoesNotHold);
    let twice = drawn(&[1.0, 2.0, 3.0], "a", "value = 1");
    assert!(reason(&twice).ends_with("; the mean is 2 times the published value"), "{}", reason(&twice));
}

#[test]
fn without_two_different_units_nothing_is_known_about_one_more() {
    for (waits, why) in [(&[7.0][..], "1 unit"), (&[7.0, 7.0], "do not vary"), (&[], "")] {
        let checked = drawn(waits, "a", "value = 7");
        assert_eq!(checked.verdict, Verdict::CannotBeChecked, "{checked}");
        assert!(reason(&checked).contains(why), "{checked}");
    }
}

#[test]
fn runs_belong_to_a_draw() {
    let lets = "let = { a = { policy = \"EASY\", metric = \"mean_wait\" } }\nexpect = \"a\"\nvalue = 3\n";
    let refused = |rest: &str| read(&format!("{lets}{rest}")).map(|_| ()).unwrap_err();
    assert!(refused("tolerance = 1\nruns = 3").contains("`runs` needs within = \"draw\""));
    assert!(refused("within = \"draw\"\nruns = 0").contains("a whole number from 1"));
    assert!(refused("within = \"draw\"\ntolerance = 1").contains("`tolerance` and `within` are two claims"));
    let range = |text: &str| read(&lets.replace("= 3\n", text)).map(|_| ()).unwrap_err();
    assert!(range("= [3, 4]\ntolerance = 1").contains("`tolerance` does not go with a range"));
    assert!(range("= [4, 3]").contains("the two ends of a range, the lower one first"));
}
