//! Predictions from the user's last two jobs, and the handling of expired predictions.

use crate::lab::page;

#[test]
fn a_prediction_is_the_mean_of_the_last_two_in_whole_seconds_and_is_corrected_on_expiry() {
    // User 1's jobs ran for 10 and 21 s: job 3 is predicted to run for 15 s, until 45. Job 5 ends by then,
    // job 6 a fraction of a second later. At 45 the prediction expires: job 3 is then expected until 230 (its
    // request), 105 (the prediction plus a minute) or 60 (twice the prediction), which lets jobs 7 and 8
    // start.
    page(
        5,
        "job submit run  estimate procs user -> none request increment double
         1   0      10   100      1     1    -> 0    0       0         0
         2   0      21   100      1     1    -> 0    0       0         0
         3   30     40   200      3     1    -> 30   30      30        30
         4   31     10   10       5     2    -> 116  128.4   96        70
         5   32     13   13       1     3    -> 32   32      32        32
         6   32     13.4 13.4     1     4    -> 32   45      45        45
         7   46     50   50       1     5    -> 46   46      46        80
         8   46     70   70       1     6    -> 46   58.4    106       80",
    )
    .gives("none", "easy")
    .gives("request", "easy:predictor=last2")
    .gives("increment", "easy:predictor=last2,corrector=increment")
    .gives("double", "easy:predictor=last2,corrector=double")
    .gives("increment", "depth:k=1,predictor=last2,corrector=increment");
}

#[test]
fn candidates_are_ordered_by_prediction() {
    // By its request job 5 is the longer of the two, by its user's history the shorter.
    page(
        4,
        "job submit run estimate procs user -> estimates predictions
         1   0      5   5        1     1    -> 0         0
         2   0      5   5        1     1    -> 0         0
         3   20     100 100      3     2    -> 20        20
         4   21     10  10       4     3    -> 120       120
         5   30     5   90       1     1    -> 130       30
         6   30     50  50       1     4    -> 30        35",
    )
    .gives("estimates", "easy:candidates=sjf")
    .gives("predictions", "easy:candidates=sjf,predictor=last2");
}

#[test]
fn a_waiting_job_may_be_predicted_again_at_each_decision() {
    // Job 5 asks for 90 s and is submitted when one job of its user has ended. At 15 the second one ends:
    // with both known, job 5 is predicted to run for 5 s, and goes before job 6.
    page(
        4,
        "job submit run estimate procs user -> submit decision
         1   0      5   5        1     1    -> 0      0
         2   10     5   5        1     1    -> 10     10
         3   11     89  89       3     2    -> 11     11
         4   12     10  10       4     3    -> 100    100
         5   13     5   90       1     1    -> 110    15
         6   13     50  50       1     4    -> 15     20",
    )
    .gives("submit", "easy:candidates=sjf,predictor=last2")
    .gives("submit", "easy:candidates=sjf,predictor=last2,predict=submit")
    .gives("decision", "easy:candidates=sjf,predictor=last2,predict=decision")
    .gives("submit", "easy:candidates=sjf,predict=decision");
}

#[test]
fn a_running_job_keeps_its_prediction() {
    // At 12 job 4 starts with a prediction of 10 s. The end of job 3 at 16 would raise the prediction to 13
    // s, until 25, and let job 6 of 7 s start at 17. The predicted end stays at 22: job 6 waits, and job 5
    // goes before it when job 4 ends.
    page(
        4,
        "job submit run estimate procs user -> start
         1   0      10  10       1     1    -> 0
         2   0      10  10       1     1    -> 0
         3   0      16  16       1     1    -> 0
         4   12     12  60       3     1    -> 12
         5   13     10  10       4     2    -> 24
         6   17     7   7        1     3    -> 34",
    )
    .gives("start", "easy:predictor=last2")
    .gives("start", "easy:predictor=last2,predict=decision");
}

#[test]
fn one_ended_job_is_not_enough_for_a_prediction() {
    // After two short jobs of its user, job 3 would be predicted at 5 s and job 5 would have to wait.
    page(
        3,
        "job submit run estimate procs user -> start
         1   0      5   5        1     1    -> 0
         2   0      50  50       1     1    -> 0
         3   10     60  60       1     1    -> 10
         4   11     10  10       3     2    -> 70
         5   12     50  50       1     3    -> 12",
    )
    .gives("start", "easy:predictor=last2");
}
