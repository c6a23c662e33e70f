//! The recorded simulation of verdicts.

/// Returns the policies, and the shares of claims in per cent, of the rows below a heading.
fn shares(heading: &str) -> Vec<(usize, Vec<f64>)> {
    let page = include_str!("../../examples/verdicts.md");
    let (_, part) = page.split_once(heading).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let shares = cells.get(4..8)?.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>()?;
        Some((cells[2].parse().ok()?, shares))
    };
    part.split("\n## ").next().unwrap().lines().filter_map(row).collect()
}

/// Two standard errors of a share of 5 % of 1,000 verdicts.
const ERROR: f64 = 1.4;

#[test]
fn of_policies_that_are_alike_verdicts_claim_no_difference_too_often() {
    let alike = shares("## Policies that are alike");
    assert_eq!(alike.len(), 27);
    for (policies, shares) in &alike {
        assert!(shares.iter().all(|&share| share <= 5.0 + ERROR), "{policies}: {shares:?}");
        // All policies but the baseline are tested, and of two there is no second.
        assert!(shares[0] > 0.0 && (*policies > 2 || shares[1] == 0.0), "{policies}: {shares:?}");
    }
}

#[test]
fn each_claim_is_found_where_it_is_right() {
    let better = shares("## Policies of which one is better");
    for claim in 0..3 {
        assert!(better.iter().any(|(_, shares)| shares[claim] > 60.0), "claim {claim}: {better:?}");
    }
}
