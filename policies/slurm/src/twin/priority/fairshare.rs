//! Fairshare: the factors of users from shares and usage, by Fair Tree or the classic rule.
//!
//! Source: `priority/multifactor` of Slurm 22.05 (`fair_tree.c`, `priority_multifactor.c`).

use crate::site::Association;

/// The tree of accounts and users, with what each has used.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    parent: Vec<Option<usize>>,
    /// The shares; `None` for a user that shares with its account.
    own: Vec<Option<i64>>,
    is_user: Vec<bool>,
    children: Vec<Vec<usize>>,
    /// The shares of all right below each account.
    below: Vec<i64>,
    /// Raw usage of each account with all below it, and of each user.
    usage: Vec<f64>,
    /// The effective usage that `sshare` showed for each account and user: under Fair Tree its part of the usage of its account, by
    /// the classic rule the usage that counts against its shares.
    told: Vec<Option<f64>>,
    /// Whether usage counts the same at every depth (`DEPTH_OBLIVIOUS`).
    depth_oblivious: bool,
    users: usize,
    /// The associations that have no parent.
    roots: Vec<usize>,
}

impl Shares {
    /// Returns the tree with the usage that its users bring along; `depth_oblivious` if usage counts the same at every depth.
    pub fn new(tree: &[Association], depth_oblivious: bool) -> Shares {
        let parent: Vec<Option<usize>> = tree.iter().map(|association| association.parent).collect();
        let mut children = vec![Vec::new(); tree.len()];
        for (at, parent) in parent.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(at);
            }
        }
        let is_user: Vec<bool> = tree.iter().map(|association| association.user.is_some()).collect();
        let sum = |children: &Vec<usize>| {
            children.iter().filter_map(|&child| tree[child].shares).fold(0, i64::saturating_add)
        };
        let mut shares = Shares {
            below: children.iter().map(sum).collect(),
            own: tree.iter().map(|association| association.shares).collect(),
            users: is_user.iter().filter(|&&user| user).count(),
            roots: (0..parent.len()).filter(|&at| parent[at].is_none()).collect(),
            usage: vec![0.0; tree.len()],
            told: Vec::new(),
            depth_oblivious,
            parent,
            is_user,
            children,
        };
        for (at, user) in tree.iter().enumerate().filter(|(_, association)| association.user.is_some()) {
            shares.use_up(at, user.usage);
        }
        shares
    }

    /// Takes the usage of each association, and its effective usage as `sshare` showed it.
    pub fn take(&mut self, usage: &[f64], effective: &[Option<f64>]) {
        self.use_up_all(usage);
        self.told = effective.to_vec();
    }

    pub fn use_up_all(&mut self, usage: &[f64]) {
        for (user, &usage) in usage.iter().enumerate() {
            self.use_up(user, usage);
        }
    }

    pub fn usage(&self) -> &[f64] {
        &self.usage
    }

    /// Adds usage to a user and to all accounts above. The effective usage that `sshare` showed is then out of date.
    pub fn use_up(&mut self, user: usize, usage: f64) {
        self.told.clear();
        let mut at = Some(user);
        // A tree of a broken file may have a cycle.
        for _ in 0..self.parent.len() {
            let Some(here) = at else { return };
            self.usage[here] += usage;
            at = self.parent[here];
        }
    }

    /// Returns the usage of each user, 0 for accounts.
    pub fn of_users(&self) -> Vec<f64> {
        self.usage.iter().zip(&self.is_user).map(|(&usage, &user)| if user { usage } else { 0.0 }).collect()
    }

    pub fn decay(&mut self, factor: f64) {
        self.usage.iter_mut().for_each(|usage| *usage *= factor);
    }

    /// Returns the factor of each user by Fair Tree, 0 for accounts. O(n log n).
    ///
    /// The level of a user or account is its part of the shares among its siblings over its part of their usage. A walk
    /// from the root, highest level first, ranks the users; the factor is the rank over the number of users. At equal
    /// levels users come first; accounts of equal levels are walked as one.
    pub fn fair_tree(&self) -> Vec<f64> {
        let mut factors = vec![0.0; self.usage.len()];
        let levels: Vec<f64> = (0..self.usage.len()).map(|at| self.level(at)).collect();
        let mut walk = Walk { rank: self.users, next: self.users };
        for &root in &self.roots {
            self.walk(self.children[root].clone(), &levels, &mut walk, &mut factors, false);
        }
        factors
    }

    fn walk(
        &self,
        mut siblings: Vec<usize>,
        levels: &[f64],
        walk: &mut Walk,
        factors: &mut [f64],
        tied_above: bool,
    ) {
        siblings.sort_by(|&a, &b| {
            levels[b].total_cmp(&levels[a]).then(self.is_user[b].cmp(&self.is_user[a])).then(a.cmp(&b))
        });
        let mut at = 0;
        while let Some(&here) = siblings.get(at) {
            let tied = if at == 0 { tied_above } else { levels[siblings[at - 1]] == levels[here] };
            at += 1;
            if self.is_user[here] {
                if !tied {
                    walk.rank = walk.next;
                }
                factors[here] = walk.rank as f64 / self.users as f64;
                walk.next -= 1;
            } else {
                let mut merged = self.children[here].clone();
                while let Some(&other) = siblings.get(at).filter(|&&other| levels[other] == levels[here]) {
                    merged.extend(&self.children[other]);
                    at += 1;
                }
                self.walk(merged, levels, walk, factors, tied);
            }
        }
    }

    fn level(&self, at: usize) -> f64 {
        let (Some(own), Some(parent)) = (self.own[at], self.parent[at]) else { return f64::INFINITY };
        let all = self.below[parent];
        if own == 0 || all == 0 {
            return 0.0;
        }
        let used = if self.usage[parent] > 0.0 { self.usage[at] / self.usage[parent] } else { 0.0 };
        let used = self.told(at).filter(|&told| told > 0.0).unwrap_or(used);
        if used > 0.0 { own as f64 / all as f64 / used } else { f64::INFINITY }
    }

    /// Returns the effective usage of an account or a user as `sshare` showed it.
    fn told(&self, at: usize) -> Option<f64> {
        self.told.get(at).copied().flatten()
    }

    /// Returns the shares and the effective usage of each account by the classic rule, as the usage is now; the entries of users are
    /// not used. O(n).
    pub fn of_accounts(&self) -> Vec<Effective> {
        let mut accounts = vec![Effective { shares: 1.0, usage: 1.0 }; self.usage.len()];
        let mut open = self.roots.clone();
        while let Some(account) = open.pop() {
            for &child in self.children[account].iter().filter(|&&child| !self.is_user[child]) {
                accounts[child] = self.effective(child, &accounts);
                open.push(child);
            }
        }
        accounts
    }

    /// Returns the factor of a user by the classic rule, 2^(−usage / shares / dampening), by its usage now and by the earlier usage of
    /// the accounts above.
    pub fn classic(&self, user: usize, accounts: &[Effective], dampening: f64) -> f64 {
        let Effective { shares, usage } = self.effective(user, accounts);
        if shares <= 0.0 { 0.0 } else { 2_f64.powf(-(usage / shares) / dampening) }
    }

    /// Returns the part of all shares, and the effective usage: its own, and a part of the excess of the accounts above.
    fn effective(&self, at: usize, accounts: &[Effective]) -> Effective {
        let Some(parent) = self.parent[at] else { return Effective { shares: 1.0, usage: 1.0 } };
        let above = accounts[parent];
        let Some(own) = self.own[at] else { return above };
        let all = self.below[parent] as f64;
        let used = self.part_of_all(at);
        let shares = if all > 0.0 { above.shares * own as f64 / all } else { 0.0 };
        let usage = match self.parent[parent] {
            None => used,
            Some(_) if self.depth_oblivious => {
                self.oblivious(parent, above, Effective { shares, usage: used })
            }
            Some(_) if all > 0.0 => used + (above.usage - used) * (own as f64 / all),
            Some(_) => above.usage,
        };
        Effective { shares, usage: self.told(at).unwrap_or(usage) }
    }

    fn part_of_all(&self, at: usize) -> f64 {
        let total: f64 = self.roots.iter().map(|&root| self.usage[root]).sum();
        if total > 0.0 { (self.usage[at] / total).min(1.0) } else { 0.0 }
    }

    /// Returns the effective usage that counts the same at every depth (`_depth_oblivious_set_usage_efctv`): the ratio of usage to
    /// shares of the account above, times the ratio among the siblings. The second ratio counts the less, the farther the first
    /// one is from 1.
    fn oblivious(&self, parent: usize, above: Effective, own: Effective) -> f64 {
        if [own.shares, own.usage, above.shares, above.usage].contains(&0.0) {
            return own.usage;
        }
        let siblings = self.children[parent].iter().filter(|&&child| self.own[child].is_some());
        let of_siblings = siblings.map(|&child| self.part_of_all(child)).sum::<f64>() / above.shares;
        let ratio_above = above.usage / above.shares;
        let ratio = own.usage / own.shares / of_siblings;
        let (log_above, log) = (ratio_above.ln(), ratio.ln());
        let exponent = if log_above * log >= 0.0 { 1.0 } else { 1.0 / (1.0 + (5.0 * log_above).powi(2)) };
        ratio_above * ratio.powf(exponent) * own.shares
    }
}

/// What the classic rule counts of an account or a user, as parts of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effective {
    shares: f64,
    usage: f64,
}

/// The ranks that a walk gives: the rank of the last user, and the next rank.
struct Walk {
    rank: usize,
    next: usize,
}

#[cfg(test)]
mod tests {
    use crate::site::SlurmLimits;

    use super::*;

    /// A tree of lines `name parent shares usage`; a name in capitals is an account.
    fn shares(lines: &[(&str, &str, i64, f64)]) -> (Shares, Vec<String>) {
        shares_with(lines, false)
    }

    fn shares_with(lines: &[(&str, &str, i64, f64)], depth_oblivious: bool) -> (Shares, Vec<String>) {
        let names: Vec<String> =
            std::iter::once("ROOT".to_owned()).chain(lines.iter().map(|line| line.0.into())).collect();
        let find = |name: &str| names.iter().position(|known| known == name);
        let one = |name: &str, parent: Option<usize>, share: i64, usage: f64| Association {
            account: name.into(),
            user: name.chars().all(char::is_lowercase).then(|| name.to_owned()),
            partition: None,
            parent,
            shares: (share >= 0).then_some(share),
            priority: 0,
            usage,
            bounds: SlurmLimits::default(),
        };
        let mut tree = vec![one("ROOT", None, 1, 0.0)];
        tree.extend(lines.iter().map(|&(name, parent, share, usage)| one(name, find(parent), share, usage)));
        (Shares::new(&tree, depth_oblivious), names)
    }

    fn ranks(lines: &[(&str, &str, i64, f64)]) -> Vec<(String, f64)> {
        let (shares, names) = shares(lines);
        let factors = shares.fair_tree();
        let users = names.into_iter().zip(factors).enumerate().filter(|&(at, _)| shares.is_user[at]);
        users.map(|(_, (name, factor))| (name, factor * shares.users as f64)).collect()
    }

    fn expected(list: &[(&str, f64)]) -> Vec<(String, f64)> {
        list.iter().map(|&(name, rank)| (name.to_owned(), rank)).collect()
    }

    #[test]
    fn a_user_of_a_favoured_account_is_before_all_of_the_others() {
        // A has half of the shares and 20 % of the usage (level 2.5), B half and 80 % (0.625). In A, a has half and all.
        let ranked = ranks(&[
            ("A", "ROOT", 1, 0.0),
            ("B", "ROOT", 1, 0.0),
            ("a", "A", 1, 20.0),
            ("b", "A", 1, 0.0),
            ("c", "B", 1, 70.0),
            ("d", "B", 3, 10.0),
        ]);
        assert_eq!(ranked, expected(&[("a", 3.0), ("b", 4.0), ("c", 1.0), ("d", 2.0)]));
    }

    #[test]
    fn equal_levels_share_a_rank_and_equal_accounts_are_one() {
        // A and B have equal levels, so that their users are ranked together: b and d have used nothing, and share rank 4;
        // a and c have level 1/2, and share rank 2.
        let ranked = ranks(&[
            ("A", "ROOT", 1, 0.0),
            ("B", "ROOT", 1, 0.0),
            ("a", "A", 1, 20.0),
            ("b", "A", 1, 0.0),
            ("c", "B", 1, 20.0),
            ("d", "B", 1, 0.0),
        ]);
        assert_eq!(ranked, expected(&[("a", 2.0), ("b", 4.0), ("c", 2.0), ("d", 4.0)]));
    }

    #[test]
    fn users_come_before_accounts_of_the_same_level_and_share_their_rank() {
        // u and A have used nothing: u is first; a continues at the same rank, since A is tied with u.
        let ranked =
            ranks(&[("A", "ROOT", 1, 0.0), ("u", "ROOT", 1, 0.0), ("a", "A", 1, 0.0), ("v", "ROOT", 1, 5.0)]);
        assert_eq!(ranked, expected(&[("u", 3.0), ("a", 3.0), ("v", 1.0)]));
        // Without shares a user is last; with those of its account it is first.
        let ranked = ranks(&[("u", "ROOT", 0, 0.0), ("v", "ROOT", -1, 5.0), ("w", "ROOT", 1, 5.0)]);
        assert_eq!(ranked, expected(&[("u", 1.0), ("v", 3.0), ("w", 2.0)]));
    }

    #[test]
    fn the_classic_factor_is_a_half_at_fair_usage() {
        // Two accounts with half of the shares each. A has used 75 % of all, B 25 %.
        let (tree, names) = shares(&[
            ("A", "ROOT", 1, 0.0),
            ("B", "ROOT", 1, 0.0),
            ("a", "A", 1, 75.0),
            ("b", "B", 1, 25.0),
            ("c", "B", 1, 0.0),
        ]);
        let accounts = tree.of_accounts();
        let of =
            |name: &str| tree.classic(names.iter().position(|known| known == name).unwrap(), &accounts, 1.0);
        // a: shares 1/2, usage 3/4. b: shares 1/4, usage 1/4 + (1/4 − 1/4)/2. c: usage 0 + (1/4 − 0)/2 = 1/8.
        assert_eq!(of("a"), 2_f64.powf(-1.5));
        assert_eq!((of("b"), of("c")), (0.5, 2_f64.powf(-0.5)));
        assert_eq!(tree.classic(3, &accounts, 2.0), 2_f64.powf(-0.75));
    }

    #[test]
    fn usage_may_count_the_same_at_every_depth() {
        // A has half of the shares and 80 % of the usage: 1.6 times its part. In A, a has half of the shares and 75 %.
        let lines = [
            ("A", "ROOT", 1, 0.0),
            ("B", "ROOT", 1, 0.0),
            ("a", "A", 1, 60.0),
            ("b", "A", 1, 20.0),
            ("c", "B", 1, 20.0),
        ];
        let (tree, _) = shares_with(&lines, true);
        let accounts = tree.of_accounts();
        // a: 0.6 / 0.25 over 0.8 / 0.5 is 1.5; both are above 1, so that a's usage is 1.6 · 1.5 times its shares.
        assert!((tree.classic(3, &accounts, 1.0) - 2_f64.powf(-2.4)).abs() < 1e-12);
        // b: 0.2 / 0.25 over 1.6 is 0.5, which would bring 1.6 back to 0.8; it counts with the exponent 1 / (1 + (5 ln 1.6)²).
        let exponent = 1.0 / (1.0 + (5.0 * 1.6_f64.ln()).powi(2));
        assert!((tree.classic(4, &accounts, 1.0) - 2_f64.powf(-1.6 * 0.5_f64.powf(exponent))).abs() < 1e-12);
        assert!((exponent - 0.1533).abs() < 1e-4);
    }

    #[test]
    fn what_was_told_of_effective_usage_holds_until_more_is_used() {
        let (mut tree, _) = shares(&[("a", "ROOT", 1, 30.0), ("b", "ROOT", 1, 10.0), ("c", "ROOT", 2, 0.0)]);
        // By the usage, b is before a: 0.25 / 0.25 and 0.25 / 0.75. When factors were computed, it was the other way round.
        assert_eq!(tree.fair_tree()[1..], [1.0 / 3.0, 2.0 / 3.0, 1.0]);
        tree.told = vec![Some(1.0), Some(0.4), Some(0.6), Some(0.0)];
        assert_eq!(tree.fair_tree()[1..], [2.0 / 3.0, 1.0 / 3.0, 1.0]);
        tree.use_up(1, 0.0);
        assert_eq!(tree.fair_tree()[1..], [1.0 / 3.0, 2.0 / 3.0, 1.0]);
        // The classic factor is 2 to the power of usage over shares.
        tree.told = vec![None, Some(0.5), None, None];
        let accounts = tree.of_accounts();
        assert_eq!((tree.classic(1, &accounts, 1.0), tree.classic(2, &accounts, 1.0)), (0.25, 0.5));
    }
}
