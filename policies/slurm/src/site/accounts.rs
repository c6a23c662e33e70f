//! The tree of accounts and users, completed by the accounts and users of a log.

use batchlab_traces::sorted::SortedMap;

use super::{Association, SlurmLimits, SlurmSystem};

pub(super) struct AccountTree {
    pub(super) all: Vec<Association>,
    accounts: SortedMap<String, usize>,
    users: SortedMap<(String, String, Option<String>), usize>,
}

impl AccountTree {
    pub(super) fn new(system: &SlurmSystem) -> AccountTree {
        let all = system.associations.clone();
        let mut tree = AccountTree { accounts: SortedMap::new(), users: SortedMap::new(), all };
        for (at, one) in tree.all.iter().enumerate() {
            match &one.user {
                None => tree.accounts.insert(one.account.clone(), at),
                Some(user) => {
                    tree.users.insert((one.account.clone(), user.clone(), one.partition.clone()), at)
                }
            };
        }
        if !tree.accounts.contains_key("root") {
            let root = tree.add("root".into(), None, None);
            tree.accounts.insert("root".into(), root);
            for (at, one) in tree.all.iter_mut().enumerate() {
                one.parent = one.parent.or((at != root).then_some(root));
            }
        }
        tree
    }

    fn add(&mut self, account: String, user: Option<String>, parent: Option<usize>) -> usize {
        let bounds = SlurmLimits::default();
        let shares = Some(1);
        self.all.push(Association {
            account,
            user,
            partition: None,
            parent,
            shares,
            priority: 0,
            usage: 0.0,
            bounds,
        });
        self.all.len() - 1
    }

    /// Returns the association of a user in an account, and whether it was known; if not, it is added with one share.
    pub(super) fn association(
        &mut self,
        account: &str,
        user: &str,
        partition: Option<&str>,
    ) -> (usize, bool) {
        let key =
            |partition: Option<&str>| (account.to_owned(), user.to_owned(), partition.map(str::to_owned));
        let found = self.users.get(&key(partition)).or_else(|| self.users.get(&key(None)));
        if let Some(&at) = found {
            return (at, true);
        }
        let parent = match self.accounts.get(account) {
            Some(&parent) => parent,
            None => {
                let root = self.accounts.get("root").copied();
                let at = self.add(account.into(), None, root);
                self.accounts.insert(account.into(), at);
                at
            }
        };
        let at = self.add(account.into(), Some(user.into()), Some(parent));
        self.users.insert(key(None), at);
        (at, false)
    }
}
