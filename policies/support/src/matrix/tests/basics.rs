use super::*;

#[test]
fn figure_7_is_drawn_as_in_the_paper() {
    let figure = "
        0: 1  1  1  1  1  1  1  1
        1: 2  2  2  2  2  2  2  2
        2: 3  3  3  3  4  4  5  5
        3: 6  6  6  6  4' 4' 5' 5'";
    let matrix = drawn(figure);
    is_drawn(&matrix, figure);
    assert_eq!(matrix.seat(JobId(4)).unwrap().rows(), [2, 3]);
    assert_eq!(matrix.seat(JobId(4)).unwrap().home(), 2);
    assert_eq!(matrix.cycle()[3], [4, 5, 6].map(JobId));
}

#[test]
fn wide_machines_are_drawn_by_runs() {
    let mut matrix = Matrix::new(2, 320);
    assert!(matrix.put(JobId(7), Columns::of(320, (0..64).chain(100..102)), 0));
    assert!(matrix.put(JobId(9), Columns::of(320, [319]), 1));
    assert!(matrix.replicate(JobId(9), 0));
    assert_eq!(matrix.to_string(), "0: 7:0-63,100-101 9':319\n1: 9:319\n");
    let named = matrix.picture(|job| format!("j{}", job.0 + 1)).to_string();
    assert_eq!(named, "0: j8:0-63,100-101 j10':319\n1: j10:319\n");
}

#[test]
fn no_job_is_put_into_used_columns() {
    let before = "
        0: 1 1 . .
        1: . 2 2 .";
    let mut matrix = drawn(before);
    let columns = |columns: &[usize]| Columns::of(4, columns.iter().copied());
    assert!(!matrix.put(JobId(3), columns(&[1, 2]), 0));
    assert!(!matrix.put(JobId(1), columns(&[3]), 1));
    assert!(!matrix.put(JobId(3), columns(&[]), 1));
    assert!(!matrix.replicate(JobId(1), 1));
    assert!(!matrix.replicate(JobId(1), 0));
    assert!(!matrix.withdraw(JobId(1), 0));
    assert!(!matrix.rehome(JobId(2), 0));
    is_drawn(&matrix, before);
}

#[test]
fn jobs_exchange_their_columns_all_at_once_or_not_at_all() {
    let before = "
        0: 1 1 2 2
        1: . 3 . .";
    let mut matrix = drawn(before);
    let columns = |columns: &[usize]| Columns::of(4, columns.iter().copied());
    assert!(!matrix.reseat(&[(JobId(1), columns(&[2, 3]), 0)]));
    assert!(!matrix.reseat(&[(JobId(1), columns(&[0, 1]), 1), (JobId(2), columns(&[0, 1]), 0)]));
    assert!(!matrix.reseat(&[(JobId(1), columns(&[2]), 1)]));
    assert!(!matrix.reseat(&[(JobId(3), columns(&[2]), 1), (JobId(3), columns(&[3]), 1)]));
    is_drawn(&matrix, before);
    assert!(matrix.reseat(&[(JobId(1), columns(&[2, 3]), 0), (JobId(2), columns(&[0, 1]), 0)]));
    is_drawn(
        &matrix,
        "
        0: 2 2 1 1
        1: . 3 . .",
    );
    assert_eq!(matrix.row(0), [1, 2].map(JobId), "in the order in which they came");
}

#[test]
fn a_job_that_leaves_is_in_no_row() {
    let mut matrix = drawn(
        "
        0: 1  1  2  2
        1: 3  .  2' 2'
        2: 1' 1' .  .",
    );
    assert_eq!(matrix.remove(JobId(1)).unwrap().rows(), [0, 2]);
    assert_eq!(matrix.remove(JobId(1)), None);
    is_drawn(
        &matrix,
        "
        0: .  .  2  2
        1: 3  .  2' 2'
        2: .  .  .  .",
    );
}
