//! Predictions from jobs that have ended, and the handling of expired predictions.

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
    .gives("submit", "easy:candidates=sjf,predict=decision")
    // One ended job is enough for a mean of all; job 5 is predicted from the same jobs by an expression.
    .gives("decision", "easy:candidates=sjf,predictor=user-mean")
    .gives("submit", "easy:candidates=sjf,predictor=expr(last2)")
    .gives("decision", "easy:candidates=sjf,predictor=expr(last2),predict=decision");
}

#[test]
fn predictors_look_at_the_last_jobs_of_the_user_or_at_all() {
    // User 1's jobs ran for 10, 20 and 60 s: 40 s in the mean of the last two, 30 s in the mean of all, 60 s the last.
    // Job 5 holds a reservation at 160. Of the jobs behind it the one that is expected to be shorter goes first, if it
    // is expected to end by then: job 7 of 35 s, or job 6.
    page(
        4,
        "job submit run estimate procs user -> none last2 mean last
         1   0      10  10       1     1    -> 0    0     0    0
         2   0      20  20       1     1    -> 0    0     0    0
         3   0      60  60       1     1    -> 0    0     0    0
         4   70     90  90       3     2    -> 70   70    70   70
         5   71     10  10       4     3    -> 160  160   160  160
         6   72     30  100      1     1    -> 170  107   72   170
         7   72     35  35       1     4    -> 72   72    102  72",
    )
    .gives("none", "easy:candidates=sjf")
    .gives("last2", "easy:candidates=sjf,predictor=last2")
    .gives("last2", "easy:candidates=sjf,predictor=expr(last2)")
    .gives("last2", "easy:candidates=sjf,predictor=expr(0.4*estimate)")
    .gives("mean", "easy:candidates=sjf,predictor=user-mean")
    .gives("mean", "easy:candidates=sjf,predictor=expr(if(user_jobs >= 3, user_mean, last))")
    .gives("mean", "easy:candidates=sjf,predictor=user-mean,predict=decision,corrector=double")
    .gives("last", "easy:candidates=sjf,predictor=expr(last)")
    // Without a number above zero the estimate stands; a prediction is no longer than it.
    .gives("none", "easy:candidates=sjf,predictor=expr(0 / 0)")
    .gives("none", "easy:candidates=sjf,predictor=expr(0)")
    .gives("none", "easy:candidates=sjf,predictor=expr(-last)")
    .gives("none", "easy:candidates=sjf,predictor=expr(1000*last)")
    .gives("none", "easy:candidates=sjf,predictor=expr(1/0)")
    // Eight jobs have not ended yet.
    .gives("none", "easy:candidates=sjf,predictor=quantile:0.5");
}

#[test]
fn a_quantile_is_the_share_of_the_request_that_similar_jobs_ran_for() {
    // User 1's jobs ran for 10 to 80 % of what they requested: half of them for 40 % at most, nine in ten for 80 %.
    // Job 11 is predicted at 40 or 80 s, and job 12, of a user without jobs but with a similar request, at 44 or 88 s.
    // By the former both end before the reservation of job 10 at 200; job 12 outlives its prediction, and delays it.
    page(
        15,
        "job submit run estimate procs user -> none half most
         1   0      10  100      1     1    -> 0    0    0
         2   0      20  100      1     1    -> 0    0    0
         3   0      30  100      1     1    -> 0    0    0
         4   0      40  100      1     1    -> 0    0    0
         5   0      50  100      1     1    -> 0    0    0
         6   0      60  100      1     1    -> 0    0    0
         7   0      70  100      1     1    -> 0    0    0
         8   0      80  100      1     1    -> 0    0    0
         9   0      200 200      7     2    -> 0    0    0
         10  101    10  10       15    3    -> 200  212  200
         11  102    50  100      8     1    -> 210  102  102
         12  102    60  110      8     4    -> 260  152  210",
    )
    .gives("none", "easy:candidates=sjf")
    .gives("half", "easy:candidates=sjf,predictor=quantile:0.5")
    .gives("most", "easy:candidates=sjf,predictor=quantile:0.9")
    // When job 11 has ended after half of its request, job 12 is predicted at 55 s: too long to end by 200.
    .gives("most", "easy:candidates=sjf,predictor=quantile:0.5,predict=decision");
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
