//! Clean: removes every instance of a job outside its home row, so that holes are as large as possible.

use super::{Matrix, Row};

pub fn clean(matrix: &mut Matrix) {
    let Matrix { rows, seats, .. } = matrix;
    for (at, row) in rows.iter_mut().enumerate() {
        let Row { jobs, ranks, sizes, free, left } = row;
        ranks.clear();
        sizes.clear();
        jobs.retain(|job| {
            let seat = &seats[job];
            let home = seat.home == at;
            if home {
                ranks.push(seat.rank);
                sizes.push(seat.size);
            } else {
                free.add(&seat.columns);
                *left += seat.size;
            }
            home
        });
    }
    for seat in seats.values_mut() {
        seat.rows.clear();
        seat.rows.push(seat.home);
    }
}
