//! The facts of a job that a policy may require, besides times and processors.

use batchlab_traces::Field;
use batchlab_traces::expr::Expr;

/// What expressions and plug-ins may read of the jobs of the same user that have ended, each with its unit and its
/// meaning. A run time is -1 as long as too few jobs have ended.
pub const HISTORY: [(&str, &str, &str); 4] = [
    ("last", "s", "run time of the user's last ended job"),
    ("last2", "s", "mean run time of the user's last two ended jobs, in whole seconds"),
    ("user_mean", "s", "mean run time of all ended jobs of the user, in whole seconds"),
    ("user_jobs", "", "number of ended jobs of the user"),
];

/// A fact of a job that a log may or may not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // The names say the rest.
pub enum Fact {
    Memory,
    User,
    Group,
    Partition,
}

/// A set of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(u8);

impl Fact {
    /// All of them.
    pub const ALL: [Fact; 4] = [Fact::Memory, Fact::User, Fact::Group, Fact::Partition];

    /// Returns its name in expressions and parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Fact::Memory => "memory",
            Fact::User => "user",
            Fact::Group => "group",
            Fact::Partition => "partition",
        }
    }

    /// Returns its field in the log, if the fact is a name: all jobs without a known name count as one name.
    pub const fn field(self) -> Option<Field> {
        match self {
            Fact::Memory => None,
            Fact::User => Some(Field::User),
            Fact::Group => Some(Field::Group),
            Fact::Partition => Some(Field::Partition),
        }
    }
}

impl Facts {
    /// Nothing.
    pub const NONE: Facts = Facts(0);

    /// Returns the set of one fact.
    pub const fn of(fact: Fact) -> Facts {
        Facts(1 << fact as u8)
    }

    /// Returns the facts that an expression reads; none if the text is not an expression. What a predictor reads of
    /// a user's ended jobs ([`HISTORY`]) is read of the user.
    pub fn read_by(expression: &str) -> Facts {
        let Ok(expr) = Expr::parse(expression) else { return Facts::NONE };
        let read = Fact::ALL.into_iter().filter(|fact| expr.mentions(fact.name()));
        let past = HISTORY.iter().any(|(name, ..)| expr.mentions(name)).then_some(Fact::User);
        read.chain(past).fold(Facts::NONE, |facts, fact| facts.and(Facts::of(fact)))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub const fn and(self, other: Facts) -> Facts {
        Facts(self.0 | other.0)
    }

    /// Whether the set contains a fact.
    pub const fn has(self, fact: Fact) -> bool {
        self.0 & Facts::of(fact).0 > 0
    }

    /// Returns the facts of the set in the order of [`Fact::ALL`].
    pub fn list(self) -> impl Iterator<Item = Fact> {
        Fact::ALL.into_iter().filter(move |&fact| self.has(fact))
    }
}
